"""ASGI middleware in front of Gradio that rejects requests which neither the page nor the API sends.

- What the head of a request may say is in `heads.py`, what a body may hold in `bodies.py`, an upload in `uploads.py`.
- Bodies have a limit by route (Starlette's), all together another, and a deadline. A rejection closes its connection.
- Every response has security headers. An uncaught error is answered and logged without its message.
- Large values and replies are kept outside Gradio (`held_values.py`). How a value is read is said by the types of the
  endpoints (`jobs.py`).
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from functools import cache

import anyio
from starlette.datastructures import MutableHeaders
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zs_app.server.bodies import SIZE, Rejected, check_body
from zs_app.server.heads import check_head
from zs_app.server.held_values import with_replies
from zs_app.server.jobs import QUEUED
from zs_app.server.limits import MAX_RECEIVED, SMALL_BODY, Busy, Room
from zs_app.server.uploads import UPLOAD, upload_check
from zs_app.server.workers import is_full, place_of

#: Seconds in which a body must arrive, in which an upload must, and of a pause in it.
MAX_SENDING, MAX_SENDING_FILES, MAX_PAUSE = 60.0, 1_000.0, 20.0
_ROOM = Room(MAX_RECEIVED)
_log = logging.getLogger(__name__)


class RequestChecks:
    """The middleware; see the module. `signs_in` says whether visitors may sign in, to an annex."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str], signs_in: Callable[[], bool] = lambda: False) -> None:
        self._app, self._headers, self._signs_in = app, headers, signs_in

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or reject it and close its connection."""
        if scope["type"] == "websocket":  # nothing here speaks it
            await receive()
            await send({"type": "websocket.close"})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope = {**scope, "path": _without_root(scope)}
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
                is_upload = scope["path"].rstrip("/") == UPLOAD  # the page shows the whole body
                content = {"detail": why, "error": why}
                response = PlainTextResponse(why, status) if is_upload else JSONResponse(content, status)
                response.headers["connection"] = "close"
                await response(scope, receive, send_with_headers)

    async def _check_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self._app(scope, receive, send)
            return
        headers = MutableHeaders(scope=scope)
        if scope["path"].rstrip("/") == UPLOAD:
            read = upload_check(headers.get("content-type", ""))
            await self._app(scope, _in_time(receive, MAX_SENDING_FILES, read), send)
            return
        with _ROOM.held() as hold:
            body = await Request(scope, _in_time(receive, MAX_SENDING, lambda part: hold(len(part)))).body()
            sent = len(body)
            if sent <= SMALL_BODY:
                body = check_body(body, scope)
            else:
                body = await anyio.to_thread.run_sync(check_body, body, scope, limiter=_large_bodies())
        headers["content-length"], headers[SIZE] = str(len(body)), str(sent)
        checked = iter([{"type": "http.request", "body": body}])

        async def again() -> Message:
            return next(checked, None) or await receive()

        await self._app(scope, again, send)


@cache
def _large_bodies() -> anyio.CapacityLimiter:
    """The limit of large bodies that are parsed at the same time; each takes several times its size."""
    return anyio.CapacityLimiter(2)


def _without_root(scope: Scope) -> str:
    """Return the path without GRADIO_ROOT_PATH, which Gradio would take away after the checks."""
    root, path = str(scope.get("root_path", "")).rstrip("/"), str(scope["path"])
    while root and path.startswith(f"{root}/"):
        path = path.removeprefix(root)
    return path


def _status(error: Exception) -> tuple[int, str]:
    """Return the status and the reason for the response to a request in which this error was raised."""
    if isinstance(error, Rejected):
        return error.args[0], error.args[1]
    if isinstance(error, Busy):
        return 503, str(error)
    if is_full(error):
        return 507, "the server's disk is full; try again in an hour"
    if not isinstance(error, ClientDisconnect):
        _log.error("error in a request: %s", place_of(error))
    return 500, "something went wrong"


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
