"""A request and its response: the body is counted while it is read, and cut off if it is too large or too slow.

An upload may contain only files, with names in UTF-8; the bytes that an address uploads in an hour are limited.
"""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from cachetools import TTLCache
from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header

from zs_app.server import limits
from zs_app.server.job_queue import CALLER

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]
_GONE: Message = {"type": "http.disconnect"}
# Bytes uploaded by address, until an hour after its last upload.
_uploaded: TTLCache[str, int] = TTLCache(maxsize=10_000, ttl=3_600)


class Refused(Exception):
    """A rejected request, with the HTTP status and the reason."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


class Exchange:
    """A request and its response.

    Attributes:
        refused: the reason if the body was cut off while Gradio read it.
        check: called with each chunk of the body before Gradio gets it; may raise `Refused`.
    """

    _held = 0  # bytes of all bodies being read into memory

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._kept: list[Message] = []
        self._count, self._most, self._ends = 0, 0, 0.0
        self._done = False
        self.answered = self.finished = False
        self.refused: Refused | None = None
        self.check: Callable[[bytes], None] | None = None

    def limit(self, scope: Message, most: int) -> None:
        """Set the maximum size of the body, and its deadline, which follows from that size.

        Raises:
            Refused: if the declared length is larger.
        """
        self._most = most
        self._ends = asyncio.get_running_loop().time() + limits.MAX_SENDING + most / limits.MIN_RATE
        length = dict(scope["headers"]).get(b"content-length", b"")
        if length.isdigit() and int(length) > most:
            raise Refused(413, limits.too_large(most))

    async def read(self) -> bytes:
        """Read the body, which `receive` then returns again.

        Raises:
            Refused: if it is too large, too slow or incomplete.
        """
        pieces, held = [], 0
        try:
            while not self._done:
                message = await self.receive()
                if message["type"] != "http.request":
                    raise self.refused or Refused(400, "the request is incomplete")
                pieces.append(message.get("body", b""))
                held += len(pieces[-1])
                Exchange._held += len(pieces[-1])
                if Exchange._held > limits.MAX_HELD:
                    raise Refused(503, "the server is reading other large requests; try again in a moment")
        finally:
            Exchange._held -= held
        body = b"".join(pieces)
        self._kept.append({"type": "http.request", "body": body, "more_body": False})
        return body

    async def receive(self) -> Message:
        """The next message; a body that is too large or too slow ends in a disconnect."""
        if self._kept:
            return self._kept.pop()
        if self.refused:
            return _GONE
        if self._done:
            return await self._receive()
        try:
            return await self._piece()
        except Refused as refused:
            self.refused = refused
            return _GONE

    async def _piece(self) -> Message:
        left = self._ends - asyncio.get_running_loop().time()
        try:
            message = await asyncio.wait_for(self._receive(), max(0.0, min(left, limits.MAX_PAUSE)))
        except asyncio.TimeoutError:
            raise Refused(408, "the request was sent too slowly") from None
        piece = message.get("body", b"")
        self._count += len(piece)
        if self._count > self._most:
            raise Refused(413, limits.too_large(self._most))
        if self.check:
            self.check(piece)
        self._done = not message.get("more_body", False)
        return message

    async def receive_more(self) -> Message:
        """The message after the body: the client's disconnect."""
        return await self._receive()

    async def send(self, message: Message) -> None:
        """Send a message of the response."""
        self.answered = True
        self.finished = message["type"] == "http.response.body" and not message.get("more_body", False)
        await self._send(message)


def check_upload(scope: Message, exchange: Exchange) -> None:
    """Check the header of an upload, and have its body checked while it arrives.

    Gradio decodes file names with the charset of the header, which takes quadratic time for some charsets, and keeps
    parts that are not files in memory. So the charset is removed from the header, and only files are accepted.

    Raises:
        Refused: if the header is not that of an upload.
    """
    headers = dict(scope["headers"])
    kind, options = parse_options_header(headers.get(b"content-type", b""))
    charset = options.get(b"charset", b"utf-8").lower()
    if kind != b"multipart/form-data" or b"boundary" not in options or charset not in (b"utf-8", b"utf8"):
        raise Refused(400, "an upload must be multipart/form-data with a boundary, in UTF-8")
    plain = b'multipart/form-data; boundary="' + options[b"boundary"] + b'"'
    scope["headers"] = [(name, plain if name == b"content-type" else value) for name, value in scope["headers"]]
    parts = _Parts(options[b"boundary"])
    address = scope[CALLER][0]

    def check(piece: bytes) -> None:
        total = _uploaded[address] = _uploaded.get(address, 0) + len(piece)
        if total > limits.MAX_AN_HOUR:
            raise Refused(429, "too many bytes were uploaded from your address; try again in an hour")
        parts.check(piece)

    exchange.check = check


class _Parts:
    """Checks the headers of the parts of an upload, with the parser that Gradio uses."""

    def __init__(self, boundary: bytes) -> None:
        self._name, self._value, self._is_file, self._count = b"", b"", False, 0
        callbacks = {
            "on_part_begin": self._begin,
            "on_header_field": self._field,
            "on_header_value": self._take,
            "on_header_end": self._end,
            "on_headers_finished": self._finish,
        }
        self._parser = MultipartParser(boundary, callbacks)  # type: ignore[arg-type]

    def check(self, piece: bytes) -> None:
        try:
            self._parser.write(piece)
        except MultipartParseError:
            raise Refused(400, "the upload is not valid multipart/form-data") from None

    def _begin(self) -> None:
        self._is_file = False
        self._count += 1
        if self._count > limits.MAX_FILES:
            raise Refused(413, f"more than {limits.MAX_FILES} files at once; put them into one ZIP")

    def _field(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]
        self._bound()

    def _take(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]
        self._bound()

    def _bound(self) -> None:
        if len(self._name) + len(self._value) > limits.MAX_HEAD:
            raise Refused(400, "the header of a file is too long")

    def _end(self) -> None:
        if self._name.lower() == b"content-disposition":
            self._is_file = b"filename" in parse_options_header(self._value)[1]
        self._name, self._value = b"", b""

    def _finish(self) -> None:
        if not self._is_file:
            raise Refused(400, "an upload may contain only files")
