"""Run a download that may hang: in a thread of its own, given up when it has told of nothing new for a while.

The libraries that download have time limits, but many of them in a row (six attempts here, minutes of backing off
there); and some have none at all, name resolution among them. So the limit stands outside: on what arrives.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")
#: Told by the work: bytes there so far, and of how many, where that is known.
Tell = Callable[[int, int | None], None]


class Stalled(Exception):
    """The work told of nothing new for too long."""


def run_watched(work: Callable[[Tell], T], *, patience: float, told: Tell) -> T:
    """What `work` returns (or raises), while what it tells is passed on to `told` in the calling thread.

    The thread of a work that was given up ends the next time it tells something, or with the process.

    Args:
        work: gets a function to tell its progress with; to tell less than before is no progress.
        patience: seconds without progress after which the work is given up.
        told: called in the caller's thread.

    Raises:
        Stalled: when it was given up.

    >>> run_watched(lambda tell: tell(1, 2) or "done", patience=5, told=print)
    1 2
    'done'
    """
    events: queue.SimpleQueue[tuple[int, int | None] | None] = queue.SimpleQueue()
    given_up = threading.Event()
    result: Future[T] = Future()
    threading.Thread(target=_body, args=(work, result, events, given_up), name="download", daemon=True).start()
    best, deadline = -1, time.monotonic() + patience
    try:
        while (event := events.get(timeout=max(0.0, deadline - time.monotonic()))) is not None:
            if event[0] > best:
                best, deadline = event[0], time.monotonic() + patience
                told(*event)
    except queue.Empty:
        raise Stalled from None
    finally:
        given_up.set()
    return result.result()


def _body(
    work: Callable[[Tell], T],
    result: Future[T],
    events: queue.SimpleQueue[tuple[int, int | None] | None],
    given_up: threading.Event,
) -> None:
    def tell(done: int, total: int | None) -> None:
        if given_up.is_set():
            raise Stalled
        events.put((done, total))

    try:
        result.set_result(work(tell))
    except BaseException as error:  # noqa: BLE001  (handed to the caller's thread, which raises it)
        result.set_exception(error)
    events.put(None)
