"""Jobs for tests of the worker: importable by its process."""

import os
import sys
import time

from zs_metric.errors import UnknownTask


def where(*_):
    """The process, and whether anything of the browser's was imported in it."""
    return os.getpid(), [name for name in ("gradio", "pandas", "fastapi") if name in sys.modules]


def tell(times, progress):
    for i in range(times):
        progress(i / times, f"step {i}")
    return times


def refuse(progress):
    raise UnknownTask("govreport", ["gov_report"])


def fail(text, progress):
    raise KeyError(text)


def die(progress):
    os._exit(1)


def take(seconds, progress):
    time.sleep(seconds)


def hoard(progress):
    return len(bytearray(10**10))
