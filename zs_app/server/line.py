"""Who may go next: visitors take turns, whoever has sent how much; and which of them have gone."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Coroutine, Iterable
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from threading import Lock
from typing import Any, TypeVar

from zs_metric.errors import ZeroScrollsError

#: Jobs of one address that may wait, and of all.
MAX_OF_VISITOR, MAX_WAITING = 20, 200
#: Where the middleware notes who calls in the scope of a request: the address, and a ticket for this request alone.
CALLER = "zero-scrolls-caller"
_Result = TypeVar("_Result")


class LineTooLong(ZeroScrollsError):
    """More waiting jobs than are taken."""


class ClientGone(ZeroScrollsError):
    """Nobody waits for the result any more."""


class Line:
    """A line with several counters: one job of each visitor in turn, each visitor's own in order.

    It may be used by several event loops at a time, as the tests do: a turn wakes the loop that waits for it.
    """

    def __init__(self, counters: int) -> None:
        self._free = counters
        self._waiting: OrderedDict[str, deque[Future[None]]] = OrderedDict()
        self._lock = Lock()

    @asynccontextmanager
    async def turn(self, visitor: str) -> AsyncIterator[None]:
        """Wait for a counter, and hold it.

        Raises:
            LineTooLong: when too many jobs are waiting, of this visitor or of all.
        """
        turn = self._enter(visitor)
        try:
            await asyncio.wrap_future(turn)
            yield
        finally:
            if turn.cancel():  # it was not their turn yet
                self._leave(visitor, turn)
            else:
                self._next()

    def _enter(self, visitor: str) -> Future[None]:
        """A place in the line, done when it is its turn."""
        with self._lock:
            turn: Future[None] = Future()
            if self._free:
                self._free -= 1
                turn.set_result(None)
                return turn
            own = self._waiting.get(visitor, deque())
            if len(own) >= MAX_OF_VISITOR or sum(map(len, self._waiting.values())) >= MAX_WAITING:
                raise LineTooLong(f"{len(own)} of your files are waiting already; try again when they are scored")
            self._waiting.setdefault(visitor, own).append(turn)
            return turn

    def _leave(self, visitor: str, turn: Future[None]) -> None:
        with self._lock, suppress(KeyError, ValueError):
            self._waiting[visitor].remove(turn)
            if not self._waiting[visitor]:
                del self._waiting[visitor]

    def _next(self) -> None:
        """Give the counter to the visitor whose turn it is, who then goes behind the others."""
        with self._lock:
            while self._waiting:
                visitor, own = self._waiting.popitem(last=False)
                turn = own.popleft()
                if own:
                    self._waiting[visitor] = own
                if turn.set_running_or_notify_cancel():
                    turn.set_result(None)
                    return
            self._free += 1


# The work that is being done for each session and request.
_work: dict[str, set[asyncio.Task[Any]]] = {}


async def while_present(keys: Iterable[str], work: Coroutine[Any, Any, _Result]) -> _Result:
    """The result of the work, which is cancelled when the client of any of these keys has gone.

    Args:
        keys: a session, and the request where it is the request that waits; see `work_for`.
        work: what is done for them.

    Raises:
        ClientGone: when the client has gone.
    """
    task, names = asyncio.create_task(work), [key for key in keys if key]
    for key in names:
        _work.setdefault(key, set()).add(task)
    try:
        await asyncio.wait({task})
        if task.cancelled():
            raise ClientGone("nobody waits for this any more")
        return task.result()
    finally:
        task.cancel()
        for key in names:
            _work[key].discard(task)
            if not _work[key]:
                del _work[key]


def work_for(key: str) -> list[asyncio.Task[Any]]:
    """The work that is being done for a session or request, to be ended with `end`."""
    return list(_work.get(key, ()))


def end(work: Iterable[asyncio.Task[Any]]) -> None:
    """End work whose client has gone."""
    for task in work:
        task.cancel()
