"""Jobs for tests of the workers: importable by their processes."""

import errno
import os
import signal
import sqlite3
import sys
import time
from contextlib import closing, suppress

from zs_app.server import workers
from zs_metric.errors import UnknownTask, ZeroScrollsError


def where(*_):
    """The process, its limits, and which web frameworks it has imported."""
    process = {"pid": os.getpid(), "imported": [name for name in ("gradio", "fastapi") if name in sys.modules]}
    if sys.platform == "linux":
        import resource

        process |= {"nice": os.nice(0), "memory": resource.getrlimit(resource.RLIMIT_AS)[0]}
    return process


def give_back(value, progress):
    return value


def report(interval, progress):
    workers._INTERVAL = interval
    for i in range(3):
        progress(i / 3, f"step {i}")


def refuse(progress):
    raise UnknownTask("govreport", ["gov_report"])


def fail(progress):
    raise KeyError("a visitor's text")


def be_killed(progress):
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))


def fill_the_disk(progress):
    raise OSError(errno.ENOSPC, "No space left on device")


def fill_a_table(progress):
    with closing(sqlite3.connect(":memory:")) as table:
        table.execute("PRAGMA max_page_count = 1")
        table.execute("CREATE TABLE rows (text)")


def take(seconds, note=None, progress=None):
    if progress is not None:
        note.write_text(str(os.getpid()), encoding="utf-8")
    time.sleep(seconds)


def hoard(progress):
    return len(bytearray(10**10))


def imported_by(job, *arguments):
    """The web frameworks imported after the job, done or refused; its last argument is the progress."""
    with suppress(ZeroScrollsError):
        job(*arguments)
    return where()["imported"]
