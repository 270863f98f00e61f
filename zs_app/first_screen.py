"""The first screen, which stands in the page's HTML: it is seen, and works, before Gradio's scripts have arrived.

A browser needs about ten round trips for Gradio, most of a second each where the server is far away. So the HTML has
"Try a task" with its styles and scripts, and its calls have a route of their own. Once Gradio is there, its component
takes the elements over (`static/early.js`).
"""

import json
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from zs_app.component import server_function
from zs_app.rendering import render
from zs_app.server.routes import CACHED, modules, static_url
from zs_app.tabs import try_task
from zs_app.tabs.examples import CHOICES
from zs_bench.reports.html import NARROW
from zs_bench.reports.html import STYLES as REPORT_STYLES
from zs_metric.tasks import BENCHMARKS

#: The style sheets of reports and of the page.
STYLES = [*REPORT_STYLES, *(Path(__file__).with_name(f"{name}.css") for name in ("style", "file", "results"))]
_CALLS = {function.__name__: server_function(function) for function in try_task.FUNCTIONS}


def head(catalog: dict[str, Any]) -> str:
    """Return what stands in the head of the page: styles, script modules, and the catalog of `static/address.js`."""
    names = [*_modules("early.js"), "frame.js"]
    early = "".join(f'<link rel="modulepreload" href="{static_url(name)}">' for name in names[:-1])
    early += f'<link rel="modulepreload" fetchpriority="low" href="{static_url(names[-1])}">'
    later = [static_url(name) for name in modules() if name not in names]
    catalog = {**catalog, "modules": later}
    data = json.dumps(catalog, ensure_ascii=False).replace("</", "<\\/")
    return (
        f'<link rel="stylesheet" href="{_address("page.css")}">{early}'
        f'<script type="application/json" id="zs-catalog">{data}</script>'
    )


def body(titles: Sequence[tuple[str, str]]) -> str:
    """Return what stands in the body of the page before Gradio's element; `titles` are the tabs, name and title."""
    screen = try_task.screen(_address("examples.json"))
    return str(render("early.html", benchmarks=CHOICES, tabs=titles, screen=screen, script=static_url("early.js")))


def _modules(name: str) -> list[str]:
    """Return a module in `zs_app/static` and those that it imports, which a browser would find one after the other."""
    found = [name]
    for module in found:
        lines = modules()[module].read_text(encoding="utf-8").splitlines()
        imported = [line.split('"./')[1].rstrip('";') for line in lines if line.startswith("import ")]
        found += [one for one in imported if one not in found]
    return found


@cache
def _written() -> dict[str, bytes]:
    """Return the files that are written at the start: the page's styles, and the embedded examples as shown."""
    styles = "\n".join(path.read_text(encoding="utf-8") for path in (*STYLES, NARROW))
    examples = try_task.embedded_examples(next(iter(BENCHMARKS)))
    return {"page.css": styles.encode(), "examples.json": json.dumps(examples, ensure_ascii=False).encode()}


def _address(name: str) -> str:
    """Return the address of a written file, which changes with its content."""
    return f"zs/{sha256(_written()[name]).hexdigest()[:12]}/{name}"


def _send(request: Request) -> Response:
    name = request.url.path.rpartition("/")[2]
    kind = "text/css" if name.endswith(".css") else "application/json"
    is_current = _address(name).split("/")[1] == request.path_params["version"]
    return Response(_written()[name], media_type=kind, headers=CACHED if is_current else {"Cache-Control": "no-cache"})


async def _call(request: Request) -> Response:
    """Answer a call of a function of "Try a task"; the body is the object of its arguments."""
    try:
        fields = await request.json()
        function = _CALLS[request.path_params["name"]]
    except (ValueError, KeyError):
        return PlainTextResponse("not found", 404)
    return JSONResponse(await function(fields, request))


ROUTES = [
    Route("/zs/call/{name}", _call, methods=["POST"]),
    *(Route(f"/zs/{{version}}/{name}", _send) for name in ("page.css", "examples.json")),
]
