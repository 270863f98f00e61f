"""Long jobs run in processes of their own: instant scoring stays instant, and one bad file cannot end the server.

A job is a function of `zs_app.jobs`, called with plain values; its last argument reports its progress. It runs in a
new process that has the scorer loaded, at a low priority and with a limit on memory and time. The process serves this
job alone and ends with it, or when its visitor has gone: no visitor's file meets another's, all memory is given back,
and a process that is killed takes nothing with it that another one needs, as it would in a pool.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import multiprocessing
import os
import signal
import sqlite3
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from zs_app.server.line import Line
from zs_bench.progress import Progress
from zs_metric.errors import ZeroScrollsError

#: Jobs that run at the same time; the others wait.
PROCESSES = 2
#: Seconds that a job may take once its process has begun, bytes that the process may hold, and by how much it gives
#: way to the server: of a processor that they share, it still gets a tenth.
MAX_SECONDS, MAX_MEMORY, NICE = 300.0, 3_000_000_000, 10
# Seconds between two looks at whether a job is still wanted, and between two reports of its progress; how many calls of
# an error's place are logged.
_LOOK, _FRAMES = 0.1, 8
# The module of the jobs, which lies above this one.
_JOBS = "zs_app.upload_job"
_LINE = Line(PROCESSES)
_log = logging.getLogger(__name__)
# For each job that runs: set when it is to be ended.
_ends: set[threading.Event] = set()


class JobFailed(ZeroScrollsError):
    """A job that took too long, needed too much memory, or whose process died."""


async def run_job(
    job: Callable[..., Any],
    *arguments: Any,
    visitor: str = "",
    progress: Progress | None = None,
    max_seconds: float = MAX_SECONDS,
) -> Any:
    """The job's result, once it was this visitor's turn; cancelled, it takes its process with it.

    Args:
        job: a function that a new process can import.
        *arguments: its arguments before its progress.
        visitor: who waits; visitors take turns.
        progress: called with the share done and what is being done.
        max_seconds: after which the job is ended.

    Raises:
        JobFailed: and whatever of ours the job raises, as a `ZeroScrollsError` of the same text.
        LineTooLong: when the visitor has too many jobs waiting.
    """
    loop, end = asyncio.get_running_loop(), threading.Event()

    def report(share: float, what: str) -> None:
        if progress and not end.is_set():
            loop.call_soon_threadsafe(progress, share, what)

    async with _LINE.turn(visitor):
        _ends.add(end)
        try:
            kind, value = await _in_thread(lambda: _attend(job, arguments, report, end, max_seconds))
        finally:
            end.set()
            _ends.discard(end)
    if kind == "refused":
        raise ZeroScrollsError(value)
    if kind == "failed":
        _log.error("a job failed: %s", value)
        raise JobFailed("something went wrong while this was scored, which is our fault, not the file's")
    return value


async def _in_thread(function: Callable[[], Any]) -> Any:
    """What the function returns, in a thread that does not hold up the end of the server."""
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            future.set_result(function())
        except BaseException as error:  # noqa: BLE001  (raised where it is waited for)
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(future)


def _attend(
    job: Callable[..., Any], arguments: Sequence[Any], report: Progress, end: threading.Event, max_seconds: float
) -> tuple[str, Any]:
    """Run a job in a new process until it is done or to be ended: how it ended, and its result or what is wrong."""
    reader, writer = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=_run, args=(writer, job, arguments), name=_JOBS, daemon=True)
    try:
        with writer:
            process.start()
        return _result(reader, report, end, max_seconds)
    except (EOFError, OSError):
        raise JobFailed("the process that scored this stopped; try again") from None
    finally:
        reader.close()
        if process.pid:
            process.kill()
            process.join()


def _result(reader: Connection, report: Progress, end: threading.Event, max_seconds: float) -> tuple[str, Any]:
    latest = float("inf")
    while not end.is_set() and time.monotonic() < latest:
        if not reader.poll(_LOOK):
            continue
        kind, value = reader.recv()
        if kind == "begun":
            latest = time.monotonic() + max_seconds
        elif kind == "progress":
            report(*value)
        else:
            return kind, value
    if end.is_set():
        raise JobFailed("this was ended before it was done; try again")
    raise JobFailed(f"this took longer than {max_seconds:g} seconds and was ended; use the command line")


def start_workers() -> None:
    """Have the process ready whose copies run the jobs, before the first file comes."""
    with contextlib.suppress(ImportError):  # Windows has none
        from multiprocessing.forkserver import ensure_running  # noqa: PLC0415

        ensure_running()


def stop_workers() -> None:
    """End all jobs, whatever they are doing, and wait for the end of their processes."""
    for end in tuple(_ends):
        end.set()
    for process in multiprocessing.active_children():
        if process.name == _JOBS:
            process.join()


def _context() -> Any:
    """How processes begin: as copies of one that has imported the scorer, which takes milliseconds, where they can."""
    # Nothing here gains from threads of the library for matrices, each of which reserves memory.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([_JOBS])
    return context


_CONTEXT = _context()


def _run(writer: Connection, job: Callable[..., Any], arguments: Sequence[Any]) -> None:
    """A job, in its process, which gives way to the server and has a limit on its memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    import_module(_JOBS)  # with numpy, which could not start within the limit of memory on many cores
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICE)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415  (Windows has none)

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    writer.send(("begun", None))
    latest = 0.0

    def report(share: float, what: str) -> None:
        nonlocal latest
        if time.monotonic() - latest >= _LOOK:  # a visitor would not see more
            latest = time.monotonic()
            writer.send(("progress", (share, what)))

    writer.send(_outcome(job, arguments, report))


def _outcome(job: Callable[..., Any], arguments: Sequence[Any], report: Progress) -> tuple[str, Any]:
    try:
        return "done", job(*arguments, report)
    except ZeroScrollsError as error:
        return "refused", str(error)
    except MemoryError:
        return "refused", "this needs more memory than a file may take here; use the command line"
    except Exception as error:  # noqa: BLE001  (the server logs where it was, without what the visitor sent)
        if _is_full(error):
            return "refused", "there is no room on the server's disk now; try again in an hour"
        return "failed", place_of(error)


def _is_full(error: Exception) -> bool:
    """Whether the error is that of a full disk."""
    if isinstance(error, sqlite3.OperationalError):
        return "disk is full" in str(error)
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def place_of(error: BaseException) -> str:
    """Kind and place of an error, without its message: that can hold what a visitor sent, which is never logged."""
    frames = reversed(traceback.extract_tb(error.__traceback__)[-_FRAMES:])
    return " < ".join([type(error).__name__, *(f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames)])
