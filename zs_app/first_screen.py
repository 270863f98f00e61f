"""The first screen, part of the page's HTML: it is visible, and works, before Gradio's scripts have arrived.

A browser needs about ten round trips for Gradio, most of a second each where the server is far away. So the HTML has
"Try a task" with its styles and scripts, and its calls have a route of their own. Once Gradio is there, its component
takes the elements over (`static/early.js`).
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from mimetypes import guess_type
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zs_app.component import modules, render, server_function, static_url, version_of
from zs_app.jobs import export
from zs_app.result_tables import ResultGone, result_path
from zs_app.server.jobs import Job, JobFailed, run_job, visitor_of
from zs_app.tabs import try_task
from zs_app.tabs.examples import benchmark_choices, tasks
from zs_bench.benchmarks import available
from zs_bench.reports.html import NARROW
from zs_bench.reports.html import STYLES as REPORT_STYLES

#: The style sheets of reports and of the page.
STYLES = [*REPORT_STYLES, *(Path(__file__).with_name(f"{name}.css") for name in ("style", "file", "results"))]
_CALLS = {function.__name__: server_function(function) for function in try_task.FUNCTIONS}
# Gradio's tags for a link's preview name gradio.app and are replaced; its element, before which the screen stands.
_PREVIEW = re.compile(rb'<meta\s+(?:property|name)="(?:og|twitter):[^>]*>\s*')
_GRADIO = b"<gradio-app"


def content(catalog: dict[str, Any], titles: Mapping[str, str], parts: Sequence[str]) -> dict[str, Any]:
    """Return what `FirstScreen` puts into the page.

    Args:
        catalog: what the page offers, see `static/address.js`.
        titles: those of the tabs, by their names.
        parts: HTML of annexes in "Try a task".
    """
    names = ["early.js"]
    for name in names:  # and what it imports, which a browser would find one after the other
        imported = re.findall(r'^import .*"\./(.+)";$', modules()[name].read_text(encoding="utf-8"), re.MULTILINE)
        names += [other for other in imported if other not in names]
    names.append("frame.js")
    later = [static_url(name) for name in modules() if name not in names]
    data = json.dumps(catalog, ensure_ascii=False).replace("<", "\\u003c")  # in this order; no tag ends the script
    head = {"styles": _address("page.css"), "modules": [*map(static_url, names)], "catalog": Markup(data)}  # noqa: S704
    early = {
        "tabs": list(titles.items()),
        "screen": try_task.screen(_address(""), parts),
        "script": static_url("early.js"),
    }
    return {"head": head, "body": render("early.html", benchmarks=benchmark_choices(), later=later, **early)}


class FirstScreen:
    """ASGI middleware that puts the first screen into the HTML of the page, and our preview of links to it."""

    def __init__(self, app: ASGIApp, head: Mapping[str, Any], body: str) -> None:
        self._app, self._head, self._body = app, head, body.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; if it is for the page, add to the response."""
        messages: list[Message] = []

        async def hold(message: Message) -> None:
            messages.append(message)
            if message["type"] == "http.response.start" or message.get("more_body"):
                return
            start, *parts = messages
            page = b"".join(part["body"] for part in parts)
            head, end, rest = page.partition(b"</head>")
            if end:  # Gradio's page
                added = render("early_head.html", address=str(Request(scope).base_url), **self._head)
                rest = rest.replace(_GRADIO, self._body + _GRADIO, 1)
                page = _PREVIEW.sub(b"", head) + added.encode() + end + rest
            MutableHeaders(scope=start)["content-length"] = str(len(page))
            await send(start)
            await send({"type": "http.response.body", "body": page})

        is_page = scope["type"] == "http" and scope["path"] == "/" and scope["method"] == "GET"
        await self._app(scope, receive, hold if is_page else send)


@cache
def _written() -> dict[str, bytes]:
    """Return the files that are written at the start: the page's styles, and the embedded examples of each task."""
    styles = "\n".join(path.read_text(encoding="utf-8") for path in STYLES).replace(":root", "&")
    styles = f":root {{\n{styles}\n}}\n{NARROW.read_text(encoding='utf-8')}"  # more specific than Gradio's own
    values = [value for benchmark in available() for _, value in tasks(benchmark)]
    examples = {value.replace("/", "-"): json.dumps(try_task.embedded_examples(value)) for value in values}
    return {"page.css": styles.encode(), **{f"{name}.json": text.encode() for name, text in examples.items()}}


def _address(name: str) -> str:
    """Return the address of a written file, which changes with their contents."""
    return f"zs/{version_of(*_written().values())}/{name}"


def _send(request: Request) -> Response:
    """Send a script module or a written file; an address with another version gets the current one, uncached."""
    name = request.path_params["name"]
    if name in _written():
        content, address = _written()[name], _address(name)
    elif name in modules():
        content, address = modules()[name].read_bytes(), static_url(name)
    else:
        return PlainTextResponse("not found", 404)
    is_current = request.url.path.endswith(f"/{address}")
    caching = "public, max-age=31536000, immutable" if is_current else "no-cache"
    return Response(content, media_type=guess_type(name)[0], headers={"Cache-Control": caching})


async def _call(request: Request) -> Response:
    """Answer a call of a function of "Try a task"; the body is the object of its arguments."""
    try:
        fields, function = await request.json(), _CALLS[request.path_params["name"]]
    except (ValueError, KeyError):
        return PlainTextResponse("not found", 404)
    return JSONResponse(await function(fields, request))


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
    Route("/zs/call/{name}", _call, methods=["POST"]),
    Route("/zs/{version}/{name}", _send),
    Route("/reports/{result}/{name:path}", _send_report),
]
