"""Jobs in processes, each in one of its own, so that live scoring stays fast and no file can stop the server.

A job is a function of `zs_app.jobs`, called with plain values and, last, a progress callback. Its process is forked
from one that has the scorer loaded, and runs at low priority with limits on memory and time; it ends with the job, when
the job is cancelled, and with the server, however that ends. Pebble starts the process, collects its result, and stops
it at the time-out.
"""

import asyncio
import contextlib
import errno
import logging
import multiprocessing
import os
import signal
import sqlite3
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TimeExpired
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from pebble import ProcessExpired, concurrent

from zs_app.server.job_queue import Caller, FairQueue
from zs_metric.errors import ZeroScrollsError

#: Jobs that run at the same time; the others wait.
PROCESSES = 2
#: Limits of a job: seconds, and bytes of memory.
MAX_SECONDS = 300.0
MAX_MEMORY = 3_000_000_000
#: The niceness of a job, with which it gets about a quarter of a processor that it shares with the server.
NICE = 5
# Seconds between reports of progress; stack frames in a log entry.
_INTERVAL, _FRAMES = 0.4, 8
# The longest temporary folder for a socket of `multiprocessing`, whose name adds 32 characters: macOS allows 104.
_LONGEST = 70
# The module that imports everything a job needs; by its name, since this package must not import it.
_JOBS = "zs_app.jobs"
_QUEUE = FairQueue(PROCESSES)
_log = logging.getLogger(__name__)
_running: set["Future[Any]"] = set()


class JobFailed(ZeroScrollsError):
    """A job that failed or took too long, or whose process died."""


async def run_job(
    job: Callable[..., Any],
    *arguments: Any,
    caller: Caller | None = None,
    size: int = 0,
    max_seconds: float = MAX_SECONDS,
) -> Any:
    """Return the result of a job, run in a process when it is its turn. Cancelling the call kills the process.

    Args:
        job: a function that a new process can import.
        *arguments: its arguments, except the last one, the progress.
        caller: who waits for it; its `fraction`, `message` and `place` are kept current.
        size: bytes of input; small jobs go first.

    Raises:
        JobFailed: if the job failed or took too long, or its process died.
        ZeroScrollsError: with the message of a `ZeroScrollsError` that the job raised.
        QueueFull: if the visitor has too many jobs waiting.
    """
    caller = caller or Caller()
    async with _QUEUE.turn(caller, size):
        kind, value = await _run_process(job, arguments, caller, max_seconds)
    if kind == "refused":
        raise ZeroScrollsError(value)
    if kind == "failed":
        _log.error("a job failed: %s", value)
        raise JobFailed("something went wrong on our side while this was scored; your file is not the cause")
    return value


async def _run_process(
    job: Callable[..., Any], arguments: Sequence[Any], caller: Caller, max_seconds: float
) -> tuple[str, Any]:
    """Run a job in a new process; return the kind of outcome and its value."""
    reader, writer = _CONTEXT.Pipe(duplex=False)
    # Typed wrongly: the option is named `context`.
    process: Any = concurrent.process(name=_JOBS, timeout=max_seconds, context=_CONTEXT)(_run)  # type: ignore[call-overload]

    ended, processes = threading.Event(), list["Future[Any]"]()

    def start() -> "Future[Any]":
        with writer:
            started: Future[Any] = process(writer, job, arguments)
        processes.append(started)
        _running.add(started)
        if ended.is_set():  # the call was cancelled in the meantime, and its loop may be closed
            _end(started)
        return started

    starting = asyncio.ensure_future(asyncio.to_thread(start))  # a thread, since it sends the arguments
    starting.add_done_callback(lambda task: task.cancelled() or task.exception())  # nobody may wait for it
    try:
        outcome = asyncio.wrap_future(await asyncio.shield(starting))
        while not outcome.done():
            await asyncio.wait({outcome}, timeout=_INTERVAL)
            with contextlib.suppress(EOFError, OSError):
                while reader.poll():
                    caller.report(*reader.recv())
        if outcome.cancelled():
            raise JobFailed("scoring was stopped before it finished; try again")
        return outcome.result()  # type: ignore[no-any-return]
    except (TimeExpired, asyncio.TimeoutError):
        raise JobFailed(
            f"scoring took longer than {max_seconds:g} seconds and was stopped; use the command line"
        ) from None
    except (ProcessExpired, OSError):
        raise JobFailed("the process that scored this stopped; try again") from None
    finally:
        reader.close()
        ended.set()
        for started in processes:
            _end(started)


def _end(process: "Future[Any]") -> None:
    """End the process of a job."""
    process.cancel()
    _running.discard(process)


def no_job(_: Callable[..., None]) -> None:
    """A job that does nothing; the first job starts the process that others are forked from."""


def stop_workers() -> None:
    """Stop all jobs and wait for their processes to end."""
    for process in tuple(_running):
        process.cancel()
    for child in multiprocessing.active_children():
        if child.name == _JOBS:
            child.join()


def _context() -> Any:
    """Return the start method: fork from a process that has imported the scorer (milliseconds), or else spawn.

    That process listens on a socket in the temporary folder, which fails if the folder's path is too long.
    """
    # Threads of numpy's linear algebra, which are not used here, would each reserve memory.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    if "forkserver" not in multiprocessing.get_all_start_methods() or len(tempfile.gettempdir()) > _LONGEST:
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([_JOBS])
    return context


_CONTEXT = _context()


def _run(writer: Connection, job: Callable[..., Any], arguments: Sequence[Any]) -> tuple[str, Any]:
    """Run a job in this process, with low priority and limits; return the kind of outcome and its value."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # ends at once, whatever runs
    threading.Thread(target=_end_with_parent, daemon=True).start()
    import_module(_JOBS)  # before the memory limit, under which numpy could not start on many cores
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICE)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415  (Windows has none)

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (int(MAX_SECONDS), int(MAX_SECONDS) + 5))
    latest = 0.0

    def report(fraction: float, message: str) -> None:
        nonlocal latest
        if time.monotonic() - latest >= _INTERVAL:
            latest = time.monotonic()
            writer.send((fraction, message))

    try:
        return "done", job(*arguments, report)
    except ZeroScrollsError as error:
        return "refused", str(error)
    except MemoryError:
        return "refused", "scoring this needs more memory than is allowed here; use the command line"
    except Exception as error:  # noqa: BLE001  (the server logs its place)
        if is_full(error):
            return "refused", "the server's disk is full; try again in an hour"
        return "failed", place_of(error)


def _end_with_parent() -> None:
    """End this process when the server has ended, even if it was killed."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


def is_full(error: Exception) -> bool:
    """Whether the disk is full."""
    if isinstance(error, sqlite3.OperationalError):
        return "disk is full" in str(error)
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def place_of(error: BaseException) -> str:
    """Return the type and stack of an error to log, without its message, which may contain a visitor's data."""
    frames = reversed(traceback.extract_tb(error.__traceback__)[-_FRAMES:])
    return " < ".join([type(error).__name__, *(f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames)])
