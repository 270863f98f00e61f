"""A server that gets a signal to stop does stop, whatever it is doing, and leaves no file of a visitor."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
ROOT = Path(__file__).parents[3]
START = """
import atexit, re, threading, time
from pathlib import Path
from zs_start.app import end_on_sigterm
from zs_app.server import guardian
from zs_app.server.temporary_files import own_temporary_folder, upload_folder
guardian.PATIENCE = {patience}
end_on_sigterm()
with own_temporary_folder():
    for number in range(2_000):
        Path(upload_folder(), str(number) + ".txt").write_text("a visitor's")
    print("ready", flush=True)
"""
#: What the server is doing, the signal to stop, and its exit status.
CASES = {
    "waiting": ("    time.sleep(600)", [signal.SIGTERM], (0,)),
    "waiting, told twice": ("    time.sleep(600)", [signal.SIGTERM, signal.SIGTERM], (0, -signal.SIGKILL)),
    "in a library that keeps Python's lock": (
        "    threading.Thread(target=re.match, args=('(a+)+b', 'a' * 90), daemon=True).start()\n    time.sleep(600)",
        [signal.SIGTERM],
        (-signal.SIGKILL,),
    ),
    "at its end in a library that does not return": (
        "    atexit.register(re.match, '(a+)+b', 'a' * 90)\n    time.sleep(600)",
        [signal.SIGTERM],
        (-signal.SIGKILL,),
    ),
    "killed": ("    time.sleep(600)", [signal.SIGKILL], (-signal.SIGKILL,)),
}


def processor_seconds(process):
    text = subprocess.run(
        ["ps", "-o", "time=", "-p", str(process.pid)], capture_output=True, text=True, check=True
    ).stdout
    return sum(float(part) * 60**place for place, part in enumerate(reversed(text.strip().split(":"))))


@pytest.mark.parametrize("doing", CASES)
def test_a_server_that_is_told_to_end_ends_and_leaves_no_upload(tmp_path, doing):
    code, signals, statuses = CASES[doing]
    env = {**os.environ, "GRADIO_TEMP_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    patience = 60.0 if statuses == (0,) else 0.3  # where it ends by itself, however slow the machine
    command = [sys.executable, "-c", START.format(patience=patience) + code]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout.readline() == "ready\n"
            assert len(list(tmp_path.glob("zero-scrolls-app-*/*.txt"))) == 2_000
            used = processor_seconds(server)
            assert "Thread" not in code or until(lambda: processor_seconds(server) > used)  # it is in the library
            for number in signals:
                server.send_signal(number)
            assert server.wait(60) in statuses
        finally:
            server.kill()
    assert until(lambda: not list(tmp_path.iterdir()))
