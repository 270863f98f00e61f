"""The gate before Gradio: refuses what no visitor of this page sends, before Gradio has seen it.

Gradio fetches `http(s)` paths that are given to it as files, in a call as well as in `/gradio_api/file=`: so none gets
through, and the server makes no request that a visitor has named. A body has a largest size, told before it is read or
as soon as it is exceeded. What this app does not use (proxy, recordings, stored states, …) is closed. An error that
nobody caught is answered without its text, and logged without it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from typing import Any

import anyio.to_thread
from starlette.responses import JSONResponse

from .leftovers import has_room, is_kept_here
from .worker import place_of

#: Bytes of one uploaded file, of all files of one upload, and of any other body.
MAX_UPLOAD, MAX_UPLOADS, MAX_BODY = 50_000_000, 200_000_000, 32_000_000

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

# A body of so many bytes is looked through at once; to hand it to a thread would take longer.
_SHORT = 50_000
_API, _FILE = "/gradio_api/", "file="
# Of Gradio's routes those that this app has no use for.
_CLOSED = (
    *("component_server", "custom_component/", "deep_link", "file/", "process_recording", "profiling/", "proxy="),
    *("run-history/", "stream/", "undo-vibe-edit", "vibe-"),
)
_log = logging.getLogger(__name__)


class Refused(Exception):
    """A request that is not let through: the HTTP status, and why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


class Gate:
    """ASGI middleware; see the module."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Let the request through, or answer it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(receive, send)
        try:
            await self._let_through(scope, exchange)
        except Refused as refused:
            await exchange.answer(scope, refused.status, refused.why)
        except Exception as error:  # noqa: BLE001  (the last door: told and logged without what was sent)
            if exchange.too_large:
                await exchange.answer(scope, *exchange.too_large)
                return
            _log.error("error in a request: %s", place_of(error))
            await exchange.answer(scope, 500, "something went wrong")

    async def _let_through(self, scope: Message, exchange: _Exchange) -> None:
        path = scope["path"].partition(_API)[2]
        check_path(path)
        if scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self._app(scope, exchange.receive, exchange.send)
            return
        is_upload = path.rstrip("/") == "upload"
        exchange.limit(scope, MAX_UPLOADS if is_upload else MAX_BODY)
        if is_upload:
            if not await anyio.to_thread.run_sync(has_room):
                raise Refused(507, "there is no room for files on the server now; try again in an hour")
        else:
            body = await exchange.read()
            if len(body) <= _SHORT:
                check_body(body)
            else:  # in a thread: it takes a while
                await anyio.to_thread.run_sync(check_body, body)
        await self._app(scope, exchange.receive, exchange.send)


def check_path(path: str) -> None:
    """Refuse closed routes, and files that are none of a visitor; `path` is what follows `/gradio_api/`.

    Raises:
        Refused: with the HTTP status.
    """
    if path.startswith(_CLOSED):
        raise Refused(404, "not found")
    if path.startswith(_FILE) and not is_kept_here(path.removeprefix(_FILE)):
        raise Refused(403, "no such file")


def check_body(body: bytes) -> None:
    """Refuse a body in which a file is not an upload: an address, or a path of the server.

    Raises:
        Refused: with the HTTP status.
    """
    # What json.loads, which Gradio uses as well, could not take for "path" is not worth parsing.
    if b"path" not in body and b"\\u" not in body and b"\0" not in body:
        return
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "the body is no JSON that can be read") from None
    for path in _paths(content):
        if not is_kept_here(path):
            raise Refused(403, "a file can only be one that was uploaded here, not a path or an address")


def _paths(content: Any) -> Iterator[str]:
    """The paths of everything that Gradio takes for a file, and all addresses given as one."""
    left = [content]
    while left:
        value = left.pop()
        if isinstance(value, list):
            left += value
        elif isinstance(value, dict):
            left += value.values()
            path = value.get("path")
            if isinstance(path, str) and ("meta" in value or path.lstrip().lower().startswith(("http:", "https:"))):
                yield path


class _Exchange:
    """A request and its answer: the body counted while it is read, and whether anything was answered yet."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._kept: list[Message] = []
        self._count, self._most = 0, 0
        self._answered = False
        self.too_large: tuple[int, str] | None = None

    def limit(self, scope: Message, most: int) -> None:
        """Set the largest size of the body; one that says that it is larger is refused unread."""
        self._most = most
        length = dict(scope["headers"]).get(b"content-length", b"")
        if length.isdigit() and int(length) > most:
            raise Refused(413, self._why())

    async def read(self) -> bytes:
        """The body, which `receive` then gives again."""
        pieces, more = [], True
        while more:
            message = await self.receive()
            if message["type"] != "http.request":
                raise Refused(*(self.too_large or (400, "the request broke off")))
            pieces.append(message.get("body", b""))
            more = message.get("more_body", False)
        body = b"".join(pieces)
        self._kept.append({"type": "http.request", "body": body, "more_body": False})
        return body

    async def receive(self) -> Message:
        """The next piece; a body beyond its size breaks off."""
        if self._kept:
            return self._kept.pop()
        message = await self._receive()
        self._count += len(message.get("body", b""))
        if self._most and self._count > self._most:
            self.too_large = (413, self._why())
            return {"type": "http.disconnect"}
        return message

    async def send(self, message: Message) -> None:
        """Answer."""
        self._answered = True
        await self._send(message)

    async def answer(self, scope: Message, status: int, why: str) -> None:
        """A short answer, unless there is one already."""
        if not self._answered:
            response = JSONResponse({"detail": why, "error": why}, status)
            await response(scope, self._receive, self._send)

    def _why(self) -> str:
        return f"this is larger than {self._most:,} bytes, the most that is taken"
