"""A small process beside the server, which outlives it.

It ends a server that does not stop on a signal, as when a library keeps Python's lock and no handler of a signal can
run; and it removes the server's files, however the server ended.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PATIENCE = 5.0  # seconds that a server has to stop by itself after a signal
# Python writes the number of each signal to the pipe, also while its lock is kept; the pipe is closed with the server.
_CODE = """
import os, select, shutil, signal, sys, time
server, patience, folder = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
ends = None
while True:
    left = None if ends is None else max(0, ends - time.monotonic())
    if not select.select([0], [], [], left)[0]:
        os.kill(server, signal.SIGKILL)
        ends = None
        continue
    numbers = os.read(0, 100)
    if not numbers:
        break
    if ends is None and {signal.SIGTERM, signal.SIGINT} & {*numbers}:
        ends = time.monotonic() + patience
shutil.rmtree(folder, ignore_errors=True)
"""


@contextmanager
def guarded(folder: str) -> Iterator[None]:
    """Have the process of this block ended and the folder removed; only the main thread may call this."""
    command = [sys.executable, "-I", "-S", "-c", _CODE, str(os.getpid()), str(PATIENCE), folder]
    options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True, "cwd": os.sep}
    guardian = None
    with suppress(OSError):  # without it, the server still ends by the handlers of its signals
        guardian = subprocess.Popen(command, stdin=subprocess.PIPE, **options) if os.name == "posix" else None  # type: ignore[call-overload]  # noqa: S603
    if guardian is None:
        yield
        return
    os.set_blocking(guardian.stdin.fileno(), False)
    earlier = signal.set_wakeup_fd(guardian.stdin.fileno(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(earlier)
        guardian.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            guardian.wait(PATIENCE)
