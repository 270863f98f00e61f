"""What the page asks for beside Gradio's own: styles, script modules, embedded examples, and reports to download.

`head` puts the styles and the catalog into Gradio's page; `Preloads` names in the page's header what a browser should
ask for at once: Gradio would ask for it once its own scripts have come.
"""

import json
from collections.abc import Mapping
from functools import cache
from mimetypes import guess_type
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zs_app.component import modules, render, static_url, version_of
from zs_app.jobs import export
from zs_app.result_tables import ResultGone, result_path
from zs_app.server.jobs import Job, JobFailed, run_job, visitor_of
from zs_app.tabs import try_task
from zs_app.tabs.examples import tasks
from zs_bench.benchmarks import available
from zs_bench.reports.html import NARROW
from zs_bench.reports.html import STYLES as REPORT_STYLES

#: The style sheets of reports and of the page.
STYLES = [*REPORT_STYLES, *(Path(__file__).with_name(f"{name}.css") for name in ("style", "file", "results"))]
# The files of the theme's fonts, see `launch.py`.
_FONTS = [f"static/fonts/IBMPlexSans/IBMPlexSans-{weight}.woff2" for weight in ("Regular", "Bold")]


def head(catalog: Mapping[str, Any]) -> str:
    """Return the HTML that Gradio adds to the page's head: description, styles, and what the page offers.

    Args:
        catalog: see `static/address.js`.
    """
    data = json.dumps(catalog, ensure_ascii=False).replace("<", "\\u003c")  # no tag ends the script
    return render("head.html", styles=written_url("page.css"), catalog=Markup(data))  # noqa: S704


class Preloads:
    """ASGI middleware: a header of the page that names what it will ask for."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        files = {written_url("page.css"): "preload; as=style"}
        files |= dict.fromkeys(_FONTS, "preload; as=font; type=font/woff2; crossorigin")
        files |= {static_url(name): "modulepreload" for name in modules()}
        self._links = ", ".join(f"<{name}>; rel={kind}" for name, kind in files.items())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; if it is for the page, add the header to the response."""
        is_page = scope["type"] == "http" and scope["path"] == "/"

        async def send_with_links(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["link"] = self._links
            await send(message)

        await self._app(scope, receive, send_with_links if is_page else send)


@cache
def _written() -> dict[str, bytes]:
    """Return the files that are written at the start: the page's styles, and the embedded examples of each task."""
    styles = "\n".join(path.read_text(encoding="utf-8") for path in STYLES).replace(":root", "&")
    styles = f":root {{\n{styles}\n}}\n{NARROW.read_text(encoding='utf-8')}"  # more specific than Gradio's own
    values = [value for benchmark in available() for _, value in tasks(benchmark)]
    examples = {value.replace("/", "-"): json.dumps(try_task.embedded_examples(value)) for value in values}
    return {"page.css": styles.encode(), **{f"{name}.json": text.encode() for name, text in examples.items()}}


def written_url(name: str) -> str:
    """Return the address of a written file, which changes with their contents."""
    return f"zs/{version_of(*_written().values())}/{name}"


def _send(request: Request) -> Response:
    """Send a script module or a written file; an address with another version gets the current one, uncached."""
    name = request.path_params["name"]
    if name in _written():
        content, url = _written()[name], written_url(name)
    elif name in modules():
        content, url = modules()[name].read_bytes(), static_url(name)
    else:
        return PlainTextResponse("not found", 404)
    is_current = request.url.path.endswith(f"/{url}")
    caching = "public, max-age=31536000, immutable" if is_current else "no-cache"
    return Response(content, media_type=guess_type(name)[0], headers={"Cache-Control": caching})


async def _send_report(request: Request) -> Response:
    """Make a report of a result, and send it as a file to download."""
    result, name = request.path_params["result"], request.path_params["name"]
    try:
        size = result_path(result).stat().st_size
        text = await run_job(export, result, name, job=Job(visitor_of(request)), size=size)
    except ResultGone as error:
        return PlainTextResponse(str(error), 404)
    except JobFailed as error:
        return PlainTextResponse(str(error), 503)
    if text is None:
        return PlainTextResponse("not found", 404)
    disposition = f"attachment; filename*=utf-8''{quote(name)}"
    content = text.encode("utf-8", "replace")
    return Response(content, media_type="application/octet-stream", headers={"Content-Disposition": disposition})


ROUTES = [
    Route("/zs/{version}/{name}", _send),
    Route("/reports/{result}/{name:path}", _send_report),
]
