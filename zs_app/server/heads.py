"""What the head of a request may say: its route, its host, its length, and what a proxy forwards.

Routes of Gradio that nothing here uses are closed, and so are those of later releases. Forwarded hosts and schemes are
not taken from anybody.
"""

import os
import re
from collections.abc import Callable

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import Scope

from zs_app.server.bodies import MAX_NAME, Rejected
from zs_app.server.uploads import MAX_UPLOADS, UPLOAD, is_foreign

#: Bytes of a body that may hold the predictions of a whole run, and of any other body.
MAX_BODY, MAX_EVENT = 32_000_000, 8_000_000
#: The routes of Gradio's API that the page, programs and agents use. The others fetch addresses, read or write files,
#: run programs, or show what others do, and those of later releases are unknown.
OPEN = re.compile(
    r"/gradio_api/((run|api|call|heartbeat)/.+|(app_id|cancel|component_server|info|login_check|mcp(/http|/schema)?"
    r"|openapi\.json|queue/(data|join|status)|reset|startup-events|theme\.css|upload|upload_progress)/?)"
)
# The sizes of the page's icon for telephones; Gradio would make one of any size, and run out of memory.
_ICONS = ("/pwa_icon/192", "/pwa_icon/512")
_CONTROLS = re.compile(r"[\0-\x1f\x7f]")  # Starlette finds a route also for its path with a line feed at the end
#: The routes whose bodies may hold the predictions of a whole run.
_LARGE = re.compile(r"/gradio_api/(queue/join|mcp/?|.*/score_predictions)")
_HOST = re.compile(r"([\w.-]+|\[[0-9a-fA-F:.]+\])(:\d{1,5})?", re.ASCII)
# The tools for agents; none takes a file or a submission code.
_TOOLS = ("score_answer", "explain_answer", "get_example", "score_predictions")


def tool_prefix() -> str:
    """Return what the names of tools begin with in a Space."""
    space = os.environ.get("SPACE_ID")
    return re.sub(r"[^a-zA-Z0-9]", "_", space.rpartition("/")[2] + "_") if space else ""


def check_head(scope: Scope, *, signs_in: Callable[[], bool]) -> int:
    """Check path and headers, remove forwarded headers that only a configured proxy may set; return the body's limit.

    Uvicorn has used the client and scheme that a proxy of FORWARDED_ALLOW_IPS forwards. GRADIO_ROOT_PATH sets the
    address of a page that is served under another one; in a Space, SPACE_HOST.
    """
    path, headers = scope["path"], MutableHeaders(scope=scope)
    is_closed = path.startswith("/gradio_api/") and not OPEN.fullmatch(path)
    is_closed |= path.startswith("/pwa_icon/") and path not in _ICONS
    is_closed |= path.startswith("/monitoring") or (path.startswith(("/login", "/logout")) and not signs_in())
    if is_closed or not path.startswith("/") or _CONTROLS.search(path):
        raise Rejected(404, "not found")
    if not _HOST.fullmatch(headers.get("host", "localhost")):
        raise Rejected(400, "the Host header is not a host")
    if "transfer-encoding" in headers and "content-length" in headers:
        raise Rejected(400, "a request has Content-Length or Transfer-Encoding, not both")
    space = os.environ.get("SPACE_HOST")
    if not space or headers.get("x-forwarded-host") != space:
        for name in ("x-forwarded-host", "x-forwarded-proto", "x-forwarded-port", "forwarded"):
            del headers[name]
    query = Request(scope).query_params
    names = {name: query.getlist(name) for name in ("session_hash", "upload_id")}
    names["session_hash"].append(path.partition("/gradio_api/heartbeat/")[2])
    if too_long := [name for name, values in names.items() if any(len(value) > MAX_NAME for value in values)]:
        raise Rejected(400, f"{too_long[0]} is longer than {MAX_NAME} characters")
    path = path.rstrip("/")
    if path == UPLOAD and is_foreign(headers):
        raise Rejected(403, "another site cannot upload files here")
    if path in ("/gradio_api/mcp", "/gradio_api/mcp/http", "/gradio_api/mcp/schema"):
        # Gradio would redirect to the path with a slash, which MCP clients reject.
        path = path if path.endswith("/schema") else "/gradio_api/mcp/"
        # In a Space one of Gradio's routes takes the names of the tools with its prefix.
        tools = ",".join([*_TOOLS, *(tool_prefix() + name for name in _TOOLS)])
        scope.update(path=path, raw_path=path.encode(), query_string=f"tools={tools}".encode())
    limit = MAX_UPLOADS if path == UPLOAD else MAX_BODY if _LARGE.fullmatch(path) else MAX_EVENT
    if int(headers.get("content-length") or 0) > limit:
        raise Rejected(413, f"this is larger than the limit of {limit:,} bytes")
    return limit
