"""ASGI middleware in front of Gradio that rejects requests which neither the page nor the API sends.

- Routes of Gradio that nothing here uses are closed, and so are those of later releases.
- A file in a request must be an upload: Gradio would fetch an `http(s)` path given as a file.
- Bodies have a limit by route (Starlette's) and a deadline. A connection is closed with its rejection.
- An upload has only files: Gradio keeps other parts in memory. Other sites cannot upload from a visitor's browser.
- Forwarded hosts and schemes are not taken from anybody.
- Every response has security headers. An uncaught error is answered and logged without its message.
- In the bodies of calls, what Gradio would misread is rejected. Values that are left out become null; large ones are
  kept outside Gradio (`held_values.py`). The types of the endpoints (`jobs.py`) say how values are read.
"""

import asyncio
import json
import logging
import os
import re
import secrets
from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any
from urllib.parse import urlsplit

import anyio
from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.datastructures import MutableHeaders
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zs_app.server.held_values import hold, with_replies
from zs_app.server.jobs import QUEUED
from zs_app.server.temporary_files import is_kept_here
from zs_app.server.workers import is_full, place_of
from zs_metric.errors import ZeroScrollsError

MAX_NAME = 100  # characters of the name of a session
# The session of all calls of endpoints without the queue, which keep no state: Gradio would keep what each returned.
_SESSION, _WITHOUT_QUEUE = secrets.token_hex(16), re.compile(r"/gradio_api/(?:run|api)/.*")
_CALL = re.compile(r"/gradio_api/(?:run|api|call)/(v2/)?([^/]+)/?")


class Rejected(Exception):
    """A request is rejected with this HTTP status, for this reason. FastAPI would answer an `HTTPException` itself."""


def tool_prefix() -> str:
    """Return what the names of tools begin with in a Space."""
    space = os.environ.get("SPACE_ID")
    return re.sub(r"[^a-zA-Z0-9]", "_", space.rpartition("/")[2] + "_") if space else ""


def check_body(body: bytes, scope: Scope) -> bytes:
    """Check a body; return it, in a call of an endpoint with names for what Gradio would keep (`held_values.py`).

    Gradio would log wrong calls with their values, and answer without a reason; the endpoints give a reason.
    """
    try:
        content = json.loads(body) if body else None
    except (ValueError, RecursionError):
        raise Rejected(400, "the body is not valid JSON") from None
    content = content if isinstance(content, dict) else {"data": content}
    _check_files(content)
    for name in ("session_hash", "event_id", "trigger_id", "fn_index", "component_id", "fn_name"):
        if isinstance(content.get(name), (str, list, dict)) and len(content[name]) > MAX_NAME:
            raise Rejected(400, f"{name} is longer than {MAX_NAME} characters")
    events, called = scope["app"].get_blocks().fns, _CALL.fullmatch(scope["path"])
    by_name = bool(called and called[1])
    index = None if by_name else content.get("fn_index")
    public = {event.api_name: event for event in events.values() if event.api_visibility == "public"}
    if index is None and called and called[2] not in public:
        raise Rejected(404, "there is no such endpoint; /gradio_api/info lists them")
    if isinstance(index, int) and index not in events:
        raise Rejected(404, "there is no event of this fn_index")
    event = events.get(index) if isinstance(index, int) else public.get(called[2]) if called else None
    if event is None or event.api_visibility != "public":
        return body
    if by_name:
        _check_names(content, event)
        return json.dumps({name: hold(value, len(body)) for name, value in content.items()}).encode()
    values = content.get("data")
    if not isinstance(values, list):
        return body
    values = [*values, *[None] * (len(event.inputs) - len(values))]
    if _WITHOUT_QUEUE.fullmatch(scope["path"]) and "session_hash" in content:
        content["session_hash"] = _SESSION
    return json.dumps({**content, "data": [hold(value, len(body)) for value in values]}).encode()


def _check_names(values: Mapping[str, Any], event: Any) -> None:
    """Reject a call by names that the endpoint does not have, or without one that it needs."""
    parameters = [*signature(event.fn).parameters.values()][: len(event.inputs)]
    names = ", ".join(parameter.name for parameter in parameters)
    if unknown := values.keys() - {parameter.name for parameter in parameters}:
        raise Rejected(400, f"there is no parameter {min(unknown)!r:.{MAX_NAME}}; give {names}")
    needed = [parameter.name for parameter in parameters if parameter.default is parameter.empty]
    if missing := [name for name in needed if name not in values]:
        raise Rejected(400, f"there is no {missing[0]}; give {names}")


def _check_files(content: Any) -> None:
    """Reject an object anywhere in the body that Gradio would read as a file, unless it is an upload.

    Gradio would fetch an address, and log a path that it refuses.
    """
    left = [content]
    while left:
        value = left.pop()
        if isinstance(value, list):
            left += value
        elif isinstance(value, dict):
            left += value.values()
            path = value.get("path")
            is_address = isinstance(path, str) and path.lstrip().lower().startswith(("http:", "https:"))
            if isinstance(path, str) and ("meta" in value or is_address) and not is_kept_here(path):
                raise Rejected(403, "a file must have been uploaded here; a path or an address is not accepted")


#: Bytes of one uploaded file, and of all files of one upload, and their number.
MAX_UPLOAD, MAX_UPLOADS, MAX_FILES = 50_000_000, 200_000_000, 100
#: Bytes of a body that may hold the predictions of a whole run, and of any other body.
MAX_BODY, MAX_EVENT = 32_000_000, 8_000_000
#: Seconds in which a body must arrive, in which an upload must, and of a pause in it.
MAX_SENDING, MAX_SENDING_FILES, MAX_PAUSE = 60.0, 1_000.0, 20.0
#: The routes of Gradio's API that the page, programs and agents use. The others fetch addresses, read or write files,
#: run programs, or show what others do, and those of later releases are unknown.
OPEN = re.compile(
    r"/gradio_api/((run|api|call|heartbeat)/.+|(app_id|cancel|component_server|info|login_check|mcp(/http|/schema)?"
    r"|openapi\.json|queue/(data|join|status)|reset|startup-events|theme\.css|upload|upload_progress)/?)"
)
_CONTROLS = re.compile(r"[\0-\x1f\x7f]")  # Starlette finds a route also for its path with a line feed at the end
_UPLOAD = "/gradio_api/upload"
#: The routes whose bodies may hold the predictions of a whole run.
_LARGE = re.compile(r"/gradio_api/(queue/join|mcp/?|.*/score_predictions)")
_HOST = re.compile(r"([\w.-]+|\[[0-9a-fA-F:.]+\])(:\d{1,5})?", re.ASCII)
_FRAME = re.compile(r"(https?://)?(\*\.)?[\w-]+(\.[\w-]+)*(:\d{1,5})?", re.ASCII)
# The tools for agents; none takes a file or a submission code.
_TOOLS = ("score_answer", "explain_answer", "get_example", "score_predictions")
# Bodies up to this size are checked in the event loop, which is faster than handing them to a thread.
_SHORT = 50_000
# Gradio's page has scripts in its HTML, and makes functions of the templates of its components. A Space is shown in a
# frame of the Hub; nothing else of the Hub is asked for, nor the fonts of the header that Gradio adds to a Space.
_HUB = " https://huggingface.co https://*.hf.space"
_log = logging.getLogger(__name__)


def security_headers() -> dict[str, str]:
    """Return the headers of every response; raises `ZeroScrollsError` for a wrong ZS_FRAME_ANCESTORS."""
    hub = _HUB if os.environ.get("SPACE_ID") else ""
    hosts = os.environ.get("ZS_FRAME_ANCESTORS", "").split()
    if wrong := [host for host in hosts if not _FRAME.fullmatch(host)]:
        raise ZeroScrollsError(
            f"ZS_FRAME_ANCESTORS: {wrong[0]!r:.99} is no host; give hosts as in https://*.example.org"
        )
    frames = " ".join(["'self'" + hub, *hosts])
    policy = (
        "default-src 'self' data: blob:; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
        f"style-src 'self' 'unsafe-inline'; frame-ancestors {frames}; object-src 'none'; base-uri 'self'; "
        f"form-action 'self'{hub}"
    )
    return {
        "content-security-policy": policy,
        "referrer-policy": "strict-origin-when-cross-origin",
        "x-content-type-options": "nosniff",
    }


class RequestChecks:
    """The middleware; see the module. `signs_in` says whether visitors may sign in, to an annex."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str], signs_in: Callable[[], bool] = lambda: False) -> None:
        self._app, self._headers, self._signs_in = app, headers, signs_in

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or reject it and close its connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, is_queue = False, scope["method"] == "GET" and QUEUED.match(scope["path"])

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            elif is_queue and message.get("body"):  # an event each
                message = {**message, "body": await anyio.to_thread.run_sync(with_replies, message["body"])}
            await send(message)

        try:
            limit = check_head(scope, signs_in=self._signs_in)
            await RequestBodyLimitMiddleware(self._check_body, limit)(scope, receive, send_with_headers)
        except Exception as error:  # noqa: BLE001  (logged and answered without the content of the request)
            status, why = _status(error)
            if not started:
                is_upload = scope["path"].rstrip("/") == _UPLOAD  # the page shows the whole body
                content = {"detail": why, "error": why}
                response = PlainTextResponse(why, status) if is_upload else JSONResponse(content, status)
                response.headers["connection"] = "close"
                await response(scope, receive, send_with_headers)

    async def _check_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self._app(scope, receive, send)
            return
        headers = MutableHeaders(scope=scope)
        if scope["path"].rstrip("/") == _UPLOAD:
            read = upload_check(headers.get("content-type", ""))
            await self._app(scope, _in_time(receive, MAX_SENDING_FILES, read), send)
            return
        body = await Request(scope, _in_time(receive, MAX_SENDING)).body()
        if len(body) <= _SHORT:
            body = check_body(body, scope)
        else:
            body = await anyio.to_thread.run_sync(check_body, body, scope)
        headers["content-length"] = str(len(body))
        checked = iter([{"type": "http.request", "body": body}])

        async def again() -> Message:
            return next(checked, None) or await receive()

        await self._app(scope, again, send)


def _status(error: Exception) -> tuple[int, str]:
    """Return the status and the reason for the response to a request in which this error was raised."""
    if isinstance(error, Rejected):
        return error.args[0], error.args[1]
    if is_full(error):
        return 507, "the server's disk is full; try again in an hour"
    if not isinstance(error, ClientDisconnect):
        _log.error("error in a request: %s", place_of(error))
    return 500, "something went wrong"


def check_head(scope: Scope, *, signs_in: Callable[[], bool]) -> int:
    """Check path and headers, remove forwarded headers that only a configured proxy may set; return the body's limit.

    Uvicorn has used the client and scheme that a proxy of FORWARDED_ALLOW_IPS forwards. GRADIO_ROOT_PATH sets the
    address of a page that is served under another one; in a Space, SPACE_HOST.
    """
    path, headers = scope["path"], MutableHeaders(scope=scope)
    is_closed = path.startswith("/gradio_api/") and not OPEN.fullmatch(path)
    is_closed |= path.startswith("/monitoring") or (path.startswith(("/login", "/logout")) and not signs_in())
    if is_closed or _CONTROLS.search(path):
        raise Rejected(404, "not found")
    if not _HOST.fullmatch(headers.get("host", "localhost")):
        raise Rejected(400, "the Host header is not a host")
    if "transfer-encoding" in headers and "content-length" in headers:
        raise Rejected(400, "a request has Content-Length or Transfer-Encoding, not both")
    space = os.environ.get("SPACE_HOST")
    if not space or headers.get("x-forwarded-host") != space:
        for name in ("x-forwarded-host", "x-forwarded-proto", "x-forwarded-port", "forwarded"):
            del headers[name]
    hashes = [*Request(scope).query_params.getlist("session_hash"), path.partition("/gradio_api/heartbeat/")[2]]
    if any(len(name) > MAX_NAME for name in hashes):
        raise Rejected(400, f"session_hash is longer than {MAX_NAME} characters")
    path = path.rstrip("/")
    if path == _UPLOAD and is_foreign(headers):
        raise Rejected(403, "another site cannot upload files here")
    if path in ("/gradio_api/mcp", "/gradio_api/mcp/http", "/gradio_api/mcp/schema"):
        # Gradio would redirect to the path with a slash, which MCP clients reject.
        path = path if path.endswith("/schema") else "/gradio_api/mcp/"
        # In a Space one of Gradio's routes takes the names of the tools with its prefix.
        tools = ",".join([*_TOOLS, *(tool_prefix() + name for name in _TOOLS)])
        scope.update(path=path, raw_path=path.encode(), query_string=f"tools={tools}".encode())
    limit = MAX_UPLOADS if path == _UPLOAD else MAX_BODY if _LARGE.fullmatch(path) else MAX_EVENT
    if int(headers.get("content-length") or 0) > limit:
        raise Rejected(413, f"this is larger than the limit of {limit:,} bytes")
    return limit


def is_foreign(headers: Mapping[str, str]) -> bool:
    """Return whether a browser sent the request for a page of another site, or of another host of this one."""
    site = headers.get("sec-fetch-site")
    if site not in (None, "none"):
        return site != "same-origin"
    origin = headers.get("origin", "")
    return bool(origin) and urlsplit(origin).netloc != headers.get("host")


def _in_time(receive: Receive, seconds: float, read: Callable[[bytes], object] = bytes) -> Receive:
    """Return a `receive` that rejects a body which takes too long, and gives each part of it to `read`."""
    now = asyncio.get_running_loop().time
    ends = now() + seconds

    async def receive_in_time() -> Message:
        try:
            message = await asyncio.wait_for(receive(), min(max(0.0, ends - now()), MAX_PAUSE))
        except asyncio.TimeoutError:
            raise Rejected(408, "the request was sent too slowly") from None
        read(message.get("body", b""))
        return message

    return receive_in_time


def upload_check(content_type: str) -> Callable[[bytes], object]:
    """Return a function that takes an upload of this type piece by piece, and rejects parts that are not files.

    Names must be in UTF-8: Gradio decodes them with the charset of the header, in quadratic time for some charsets.
    """
    kind, options = parse_options_header(content_type)
    charset = options.get(b"charset", b"utf-8").lower()
    if kind != b"multipart/form-data" or not options.get(b"boundary") or charset not in (b"utf-8", b"utf8"):
        raise Rejected(400, "an upload must be multipart/form-data with a boundary, in UTF-8")
    name, value, headers, files = bytearray(), bytearray(), dict[bytes, bytes](), 0

    def header_end() -> None:
        headers[bytes(name).lower()] = bytes(value)
        name.clear()
        value.clear()

    def headers_finished() -> None:
        nonlocal files
        files += 1
        if files > MAX_FILES:
            raise Rejected(400, f"more than {MAX_FILES} files at once; put them into one ZIP")
        if b"filename" not in parse_options_header(headers.get(b"content-disposition"))[1]:
            raise Rejected(400, "an upload may contain only files")
        headers.clear()

    parser = MultipartParser(
        options[b"boundary"],
        {
            "on_header_field": lambda data, start, end: name.extend(data[start:end]),
            "on_header_value": lambda data, start, end: value.extend(data[start:end]),
            "on_header_end": header_end,
            "on_headers_finished": headers_finished,
        },
    )

    def read(data: bytes) -> None:
        try:
            parser.write(data)
        except MultipartParseError:
            raise Rejected(400, "the upload is not valid multipart/form-data") from None

    return read
