"""A request and its response: the body is counted while it is read, and cut off if it is too large or too slow."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from zs_app.server import limits

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]
_GONE: Message = {"type": "http.disconnect"}


class Refused(Exception):
    """A rejected request, with the HTTP status and the reason."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


class Exchange:
    """A request and its response.

    Attributes:
        answered, finished: whether the response has been started, and completed.
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
        """Set the maximum size of the body and, from it, its deadline.

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
