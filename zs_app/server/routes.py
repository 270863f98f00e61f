"""Routes of our own beside Gradio's: the page's script modules, and reports to download.

The address of a module changes with the content of all modules.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from zs_app.server.result_tables import ResultGone, download

#: The folder of the page's script modules.
STATIC = Path(__file__).parents[1] / "static"
#: The headers of files whose address changes with their content, so that browsers may keep them for good.
CACHED = {"Cache-Control": "public, max-age=31536000, immutable"}


def static_url(name: str) -> str:
    """Return the address of a file in `zs_app/static`, relative to the page.

    A module imports another one by a relative path (`import { a } from "./other.js"`) and so gets the same version.
    """
    return f"zs/{static_version()}/{name}"


@cache
def static_version() -> str:
    """Return a hash of the files in `zs_app/static`."""
    digest = sha256()
    for path in sorted(STATIC.rglob("*.*")):
        digest.update(path.relative_to(STATIC).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


async def send_static(request: Request) -> Response:
    """Send a file of `zs_app/static`; an address with another version gets the current file, uncached."""
    path = (STATIC / request.path_params["name"]).resolve()
    if not path.is_relative_to(STATIC.resolve()) or not path.is_file():
        return PlainTextResponse("not found", 404)
    is_current = request.path_params["version"] == static_version()
    return FileResponse(path, headers=CACHED if is_current else {"Cache-Control": "no-cache"})


def send_report(request: Request) -> Response:
    """Send a report of a result as a file to download."""
    name = request.path_params["name"]
    try:
        content = download(request.path_params["result"], name)
    except ResultGone as error:
        return PlainTextResponse(str(error), 404)
    disposition = f"attachment; filename*=utf-8''{quote(name)}"
    return Response(content, media_type="application/octet-stream", headers={"Content-Disposition": disposition})


ROUTES = [Route("/zs/{version}/{name:path}", send_static), Route("/reports/{result}/{name:path}", send_report)]
