"""A request and its answer: the body counted while it is read, and cut off when it is too large or too slow."""

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
    """A request that is not let through: the HTTP status, and why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


class Exchange:
    """A request and its answer.

    Attributes:
        answered, finished: whether anything was answered, and all.
        refused: why the body was cut off while Gradio read it, if it was.
        look: called with each piece of the body before Gradio gets it; it may raise `Refused`.
    """

    _held = 0  # bytes of all the bodies that are being read into memory

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._kept: list[Message] = []
        self._count, self._most, self._ends = 0, 0, 0.0
        self._done = False
        self.answered = self.finished = False
        self.refused: Refused | None = None
        self.look: Callable[[bytes], None] | None = None

    def limit(self, scope: Message, most: int) -> None:
        """Set the largest size of the body, and the time by which it must be here.

        Raises:
            Refused: for a body that says that it is larger.
        """
        self._most = most
        self._ends = asyncio.get_running_loop().time() + limits.MAX_SENDING + most / limits.MIN_RATE
        length = dict(scope["headers"]).get(b"content-length", b"")
        if length.isdigit() and int(length) > most:
            raise Refused(413, limits.too_large(most))

    async def read(self) -> bytes:
        """The body, which `receive` then gives again.

        Raises:
            Refused: when it is too large, too slow, or breaks off.
        """
        pieces, held = [], 0
        try:
            while not self._done:
                message = await self.receive()
                if message["type"] != "http.request":
                    raise self.refused or Refused(400, "the request broke off")
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
        """The next piece; a body that is too large or too slow breaks off."""
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
        if self.look:
            self.look(piece)
        self._done = not message.get("more_body", False)
        return message

    async def receive_more(self) -> Message:
        """What comes after the body: that the client has gone."""
        return await self._receive()

    async def send(self, message: Message) -> None:
        """Answer."""
        self.answered = True
        self.finished = message["type"] == "http.response.body" and not message.get("more_body", False)
        await self._send(message)
