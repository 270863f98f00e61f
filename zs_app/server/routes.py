"""The script modules of the page and its annexes, and the route of reports to download."""

from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from zs_app.annexes import annexes, parts
from zs_app.server.result_tables import ResultGone, download

#: The folder of the page's script modules; an annex has its own in `static`, too.
STATIC = Path(__file__).parents[1] / "static"


def modules() -> dict[str, Path]:
    """Return the script modules by their names."""
    folders = [STATIC, *(Path(str(annex.__file__)).parent / "static" for annex in [*annexes(), *parts()])]
    return {path.name: path for folder in folders for path in sorted(folder.glob("*.js"))}


def static_url(name: str) -> str:
    """Return the address of a script module, relative to the page; it changes with the content of all modules.

    A module imports another one by a relative path (`import { a } from "./other.js"`) and so gets the same version.
    """
    return f"zs/{version_of(*(path.read_bytes() for path in modules().values()))}/{name}"


def version_of(*contents: bytes) -> str:
    """Return what changes in the address of files with their contents."""
    return sha256(b"\0".join(contents)).hexdigest()[:12]


def send_report(request: Request) -> Response:
    """Send a report of a result as a file to download."""
    name = request.path_params["name"]
    try:
        content = download(request.path_params["result"], name)
    except ResultGone as error:
        return PlainTextResponse(str(error), 404)
    disposition = f"attachment; filename*=utf-8''{quote(name)}"
    return Response(content, media_type="application/octet-stream", headers={"Content-Disposition": disposition})
