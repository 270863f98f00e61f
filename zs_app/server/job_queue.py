"""The queue of jobs: small files first, and no crowd or single visitor holds all processes."""

import asyncio
from bisect import insort
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic

from zs_metric.errors import ZeroScrollsError

#: The most waiting jobs of one address, and of all.
MAX_OF_VISITOR = 20
MAX_WAITING = 200
#: Bytes of input from which a job is large. Large jobs never hold all slots.
LARGE = 1_000_000
#: A waiting job is treated as if it had come later: by a second for this many bytes of input, and by this many seconds
#: for each job that its visitor already has. So small jobs go first, visitors take turns, and no job waits for ever.
BYTES_A_SECOND = 50_000
SECONDS_A_JOB = 10


class QueueFull(ZeroScrollsError):
    """Too many jobs are waiting."""


@dataclass(eq=False)
class Caller:
    """Who waits for a job in a process, by address, and how far the job is: the share done, 0 to 1, and the step."""

    visitor: str = ""
    fraction: float = 0.0
    message: str = ""
    #: Returns how many jobs go before this one; `None` when it is not waiting.
    place: Callable[[], int | None] = lambda: None

    def report(self, fraction: float, message: str) -> None:
        """Report how far the job is; an empty message leaves the earlier one."""
        self.fraction, self.message = fraction, message or self.message


@dataclass(eq=False)
class _Turn:
    visitor: str
    is_large: bool
    due: float
    begins: Future[None] = field(default_factory=Future)


class FairQueue:
    """A semaphore that serves small jobs first, and visitors in turn.

    With several slots, one is always left by the jobs of one visitor, and by large jobs, for those of others and for
    small ones. Several event loops may use it at the same time.
    """

    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._running: list[_Turn] = []
        self._waiting: list[_Turn] = []
        self._lock = Lock()

    @asynccontextmanager
    async def turn(self, caller: Caller, size: int = 0) -> AsyncIterator[None]:
        """Wait for a slot and hold it; `size` is in bytes of the job's input.

        Raises:
            QueueFull: if too many jobs are waiting, of this visitor or in total.
        """
        with self._lock:
            own = sum(other.visitor == caller.visitor for other in self._waiting)
            if own >= MAX_OF_VISITOR or len(self._waiting) >= MAX_WAITING:
                raise QueueFull(f"too many files are waiting ({own} of them yours); try again in a few minutes")
            late = size / BYTES_A_SECOND + SECONDS_A_JOB * own
            turn = _Turn(caller.visitor, size >= LARGE, monotonic() + late)
            insort(self._waiting, turn, key=lambda turn: turn.due)
            self._start_next()
        caller.place = lambda: self._waiting.index(turn) if turn in self._waiting else None
        try:
            await asyncio.wrap_future(turn.begins)
            yield
        finally:
            with self._lock:
                (self._running if turn in self._running else self._waiting).remove(turn)
                self._start_next()

    def _start_next(self) -> None:
        """Give free slots to the first jobs that may have one."""
        for turn in tuple(self._waiting):
            if self._may_run(turn) and turn.begins.set_running_or_notify_cancel():
                self._waiting.remove(turn)
                self._running.append(turn)
                turn.begins.set_result(None)

    def _may_run(self, turn: _Turn) -> bool:
        shared = max(1, self._slots - 1)
        large = sum(other.is_large for other in self._running)
        own = sum(other.visitor == turn.visitor for other in self._running)
        return len(self._running) < self._slots and own < shared and (not turn.is_large or large < shared)
