"""Visits of all kinds, completed and aborted, leave no open file, thread, work or temporary file behind."""

import gc
import json
import socket
import sys
import threading
import time
from multiprocessing import active_children
from pathlib import Path

import httpx
import pytest
from gradio.utils import get_upload_folder

from zs_app.server.temporary_files import remove_old_files

SLOW = {"gov_report": {"a": "word " * 20_000}}
KNOWN = {"gov_report": {"a": ["other word " * 20_000]}}
POOLS = ("asyncio_", "AnyIO worker")
SMALL = [{"quality": {"a": "B"}}, {"quality": {"a": ["B"]}}]


def break_off(url, route, head, body):
    """Send the beginning of a request and nothing more; return when the server has hung up."""
    with socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2]))) as caller:
        caller.sendall(f"POST /gradio_api/{route} HTTP/1.1\r\nhost: x\r\n{head}\r\n\r\n".encode() + body)
        caller.shutdown(socket.SHUT_WR)
        while caller.recv(1_000):
            pass


def visit(client, url):
    job = json.dumps({"data": [SLOW, KNOWN]}).encode()
    part = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.csv"\r\n\r\nTask'
    break_off(url, "upload", "content-type: multipart/form-data; boundary=x\r\ncontent-length: 90000", part)
    break_off(url, "run/score_answer", "content-type: application/json\r\ncontent-length: 90000", b'{"data')
    break_off(url, "run/score_predictions", f"content-type: application/json\r\ncontent-length: {len(job)}", job)
    assert client.post("run/score_answer", json={"data": ["quality", "B", ["B"]]}).status_code == 200
    assert client.post("run/score_answer", content=b"{").status_code == 400
    assert client.post("run/score_predictions", json={"data": SMALL}).status_code == 200
    assert client.post("upload", files={"files": ("a.json", b"{}")}).status_code == 200


def open_now():
    """Open files, threads that are of no pool, and work for visitors, after garbage collection; pools have limits."""
    gc.collect()
    threads = [thread for thread in threading.enumerate() if not thread.name.startswith(POOLS)]
    return len(list(Path("/proc/self/fd").iterdir())), len(threads), len(active_children())


def settled(is_so):
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline, open_now()
        time.sleep(0.2)


@pytest.mark.skipif(sys.platform != "linux", reason="counts open files as Linux shows them")
@pytest.mark.slow
def test_visits_leave_nothing_behind(app, url, caplog):
    with httpx.Client(base_url=f"{url}/gradio_api/", timeout=120) as client:
        visit(client, url)  # what is opened once and kept
        settled(lambda: not active_children())
        remove_old_files(max_age=0)
        before, files = open_now(), set(Path(get_upload_folder()).iterdir())
        for _ in range(8):
            visit(client, url)
        settled(lambda: all(now <= earlier for now, earlier in zip(open_now(), before, strict=True)))
    remove_old_files(max_age=0)
    assert set(Path(get_upload_folder()).iterdir()) <= files
    assert not caplog.records
