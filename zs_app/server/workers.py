"""A function run in a process of its own, so that live scoring stays fast and no file can stop the server.

The process is forked from one that has the scorer loaded, and runs at low priority with limits on memory and time. It
ends with the function, when the call is cancelled, and with the server, however that ends.
"""

import contextlib
import errno
import multiprocessing
import os
import signal
import sqlite3
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from zs_metric.errors import ZeroScrollsError

MAX_SECONDS = 300.0  # of a process
SMALL_SECONDS = 60.0  # of a process with little input: a small file may unpack to much
MAX_MEMORY = 3_000_000_000  # bytes, of a process
#: The niceness of a process, with which it gets about a quarter of a processor that it shares with the server.
NICE = 5
# Seconds between reports of progress, and between looks at whether the call was cancelled.
_INTERVAL, _LOOK = 0.4, 0.1
# The longest temporary folder for a socket of `multiprocessing`, whose name adds 32 characters: macOS allows 104.
_LONGEST = 70
_NAME = "a job"  # of a process


def run_process(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    report: Callable[[float, str], None],
    cancelled: threading.Event,
    seconds: float = MAX_SECONDS,
) -> tuple[str, Any]:
    """Return how a call in a new process ended, and its value or message: `done`, `refused`, `failed` or `ended`."""
    reader, writer = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=_work, args=(writer, function, arguments), name=_NAME, daemon=True)
    ends = time.monotonic() + seconds
    message = f"scoring took longer than {seconds:g} seconds and was stopped; use the command line"
    try:
        with writer:
            process.start()
        while not cancelled.is_set() and time.monotonic() < ends:
            if reader.poll(_LOOK):
                kind, value = reader.recv()
                if kind != "progress":
                    return kind, value
                report(*value)
    except (EOFError, OSError):
        message = "the process that scored this stopped; try again"
    finally:
        if process.pid:
            process.kill()
            process.join()
        reader.close()
    return "ended", message


def stop_workers() -> None:
    """Stop all processes and wait for their end."""
    for child in multiprocessing.active_children():
        if child.name == _NAME:
            child.kill()
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
    return multiprocessing.get_context("forkserver")


_CONTEXT = _context()


def preload(module: str) -> None:
    """Have the process that others are forked from import this module first, before it is started."""
    if _CONTEXT.get_start_method() == "forkserver":
        _CONTEXT.set_forkserver_preload([module])


def _work(writer: Connection, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Call the function in this process, with low priority and limits, and send how that ended."""

    def end_with_server() -> None:  # even if that was killed
        if server := multiprocessing.parent_process():
            server.join()
            os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    threading.Thread(target=end_with_server, daemon=True).start()
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
            writer.send(("progress", (fraction, message)))

    try:
        outcome = "done", function(*arguments, report)
    except ZeroScrollsError as error:
        outcome = "refused", str(error)
    except MemoryError:
        outcome = "refused", "scoring this needs more memory than is allowed here; use the command line"
    except Exception as error:  # noqa: BLE001  (the server logs its place)
        full = "the server's disk is full; try again in an hour"
        outcome = ("refused", full) if is_full(error) else ("failed", place_of(error))
    writer.send(outcome)


def is_full(error: Exception) -> bool:
    """Return whether the disk is full."""
    if isinstance(error, sqlite3.OperationalError):
        return "disk is full" in str(error)
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def place_of(error: BaseException) -> str:
    """Return the type and stack of an error to log, without its message, which may contain a visitor's data."""
    frames = reversed(traceback.extract_tb(error.__traceback__)[-8:])
    return " < ".join([type(error).__name__, *(f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames)])
