"""Long jobs run in processes of their own, so that instant scoring stays instant and one bad file ends no server.

A job is a function of a module that imports no Gradio, called with plain values; its last argument is a function that
it tells its progress. A process is started when it is first needed, gives way to the server, may take so much memory
and no more, is ended when a job takes too long, replaced when it dies, and let go when there is nothing to do.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import time
import traceback
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import LifoQueue
from threading import Lock, Timer
from typing import Any

from zs_metric.errors import ZeroScrollsError

#: Jobs that run at the same time; the others wait.
PROCESSES = 2
#: Seconds that a job may take, bytes that its process may hold, and seconds after which an idle one is let go.
MAX_SECONDS, MAX_MEMORY, MAX_IDLE = 120.0, 3_000_000_000, 60.0
# Of an error's place so many calls are told.
_FRAMES = 8
Progress = Callable[[float, str], None]
_log = logging.getLogger(__name__)


class JobFailed(ZeroScrollsError):
    """A job that took too long, needed too much memory, or whose process died."""


class Process:
    """One process for jobs, one job at a time."""

    def __init__(self, max_seconds: float = MAX_SECONDS, max_idle: float = MAX_IDLE) -> None:
        self._max_seconds, self._max_idle = max_seconds, max_idle
        self._lock = Lock()
        self._process: Any = None
        self._pipe: Connection | None = None
        self._idle: Timer | None = None
        self._settled = True

    def run(self, job: Callable[..., Any], *arguments: Any, progress: Progress | None = None) -> Any:
        """The job's result.

        Raises:
            JobFailed: and whatever of ours the job raises, as a `ZeroScrollsError` of the same text.
        """
        with self._lock:
            if self._idle:
                self._idle.cancel()
            try:
                return self._wait(self._start(), job, arguments, progress)
            except (EOFError, OSError):
                self._end()
                raise JobFailed("the process that scored this stopped; try again, or use the command line") from None
            except BaseException:
                if not self._settled:
                    self._end()
                raise
            finally:
                self._idle = Timer(self._max_idle, self.close)
                self._idle.daemon = True
                self._idle.start()

    def close(self) -> None:
        """End the process, once its job is done."""
        with self._lock:
            self._end()

    def _start(self) -> Connection:
        if self._pipe is None or not self._process.is_alive():
            self._end()
            context = get_context("spawn")
            self._pipe, other = context.Pipe()
            self._process = context.Process(target=_serve, args=(other,), daemon=True, name="zero-scrolls-jobs")
            self._process.start()
            other.close()
        self._settled = True
        return self._pipe

    def _wait(self, pipe: Connection, job: Callable[..., Any], arguments: Any, progress: Progress | None) -> Any:
        end = time.monotonic() + self._max_seconds
        self._settled = False
        pipe.send((job, arguments))
        while pipe.poll(max(0.0, end - time.monotonic())):
            kind, value = pipe.recv()
            if kind == "progress":
                if progress:
                    progress(*value)
                continue
            self._settled = True
            if kind == "refused":
                raise ZeroScrollsError(value)
            if kind == "failed":
                _log.error("a job failed: %s", value)
                raise JobFailed("something went wrong while this was scored, which is our fault, not the file's")
            return value
        raise JobFailed(f"this took longer than {self._max_seconds:g} seconds and was ended; use the command line")

    def _end(self) -> None:
        if self._pipe is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
        self._process = self._pipe = None


def run_in_worker(job: Callable[..., Any], *arguments: Any, progress: Progress | None = None) -> Any:
    """The job's result from the first process that is free, the one used last before the others; see `Process.run`."""
    process = _free.get()
    try:
        return process.run(job, *arguments, progress=progress)
    finally:
        _free.put(process)


_free: LifoQueue[Process] = LifoQueue()
for _ in range(PROCESSES):
    _free.put(Process())


def close_workers() -> None:
    """End the processes that are idle."""
    for process in list(_free.queue):
        process.close()


def _serve(pipe: Connection) -> None:
    """What the process does: job after job, until the other end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _give_way()
    with contextlib.suppress(EOFError, OSError):
        while True:
            job, arguments = pipe.recv()
            pipe.send(_result(job, arguments, lambda share, what: pipe.send(("progress", (share, what)))))


def _result(job: Callable[..., Any], arguments: Any, progress: Progress) -> tuple[str, Any]:
    try:
        return "done", job(*arguments, progress)
    except ZeroScrollsError as error:
        return "refused", str(error)
    except MemoryError:
        return "refused", "this needs more memory than a file may take here; use the command line"
    except Exception as error:  # noqa: BLE001  (told and logged by the server, without what the visitor sent)
        return "failed", place_of(error)


def place_of(error: BaseException) -> str:
    """Kind and place of an error, without its message: that can hold what a visitor sent, which is never logged."""
    frames = reversed(traceback.extract_tb(error.__traceback__)[-_FRAMES:])
    return " < ".join([type(error).__name__, *(f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames)])


def _give_way() -> None:
    """Where the system knows how: the server goes first, and memory has a limit."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(19)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415  (there is none on Windows)

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
