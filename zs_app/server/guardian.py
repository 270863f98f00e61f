"""A small process beside the server, which outlives it.

It ends a server that does not stop on a signal, as when a library keeps Python's lock and no handler of a signal can
run; and it removes the server's files, however the server ended.
"""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PATIENCE = 15.0  # seconds that a server has to stop by itself after a signal
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
if ends is not None:  # what runs at the end of the server may not end either
    try:
        os.write(1, b"removed")
    except OSError:
        pass  # nobody waits for it any more
    while os.getppid() == server and time.monotonic() < ends:
        time.sleep(0.05)
    if os.getppid() == server:
        os.kill(server, signal.SIGKILL)
"""


@contextmanager
def guarded(folder: str) -> Iterator[None]:
    """Have the process of this block ended and the folder removed; only the main thread may call this."""
    command = [sys.executable, "-I", "-S", "-c", _CODE, str(os.getpid()), str(PATIENCE), folder]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    guardian = None
    with suppress(OSError):  # without it, the server still ends by the handlers of its signals
        if os.name == "posix":
            guardian = subprocess.Popen(command, **pipes, start_new_session=True, cwd=os.sep)  # type: ignore[call-overload]  # noqa: S603
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
        is_told = select.select([guardian.stdout], [], [], PATIENCE)[0]
        if is_told and not os.read(guardian.stdout.fileno(), 100):  # else it waits for this process to end
            with suppress(subprocess.TimeoutExpired):
                guardian.wait(PATIENCE)
        guardian.stdout.close()
