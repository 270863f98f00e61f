"""`python app.py` as a separate process in adverse conditions: it goes on working, and leaves nothing behind."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from started_app import call, free_port, wait_for

ROOT = Path(__file__).parents[2]
#: A file whose scoring takes minutes of a processor.
SLOW = {"gov_report": {str(i): f"{i} word " * 3_000 for i in range(400)}}
KNOWN = {"gov_report": {str(i): ["other word " * 3_000] for i in range(400)}}
SMALL = ({"quality": {"a": "B"}}, {"quality": {"a": ["B"]}})
linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")

pytestmark = [pytest.mark.slow, linux]


@contextmanager
def server(folder: Path, **options):
    """The address and the process of an app whose temporary files are in that folder."""
    settings, python, port = options.pop("settings", {}), options.pop("python", sys.executable), free_port()
    known = {name: value for name, value in os.environ.items() if not name.startswith(("GRADIO_", "HF_", "PYTHON"))}
    known |= {"GRADIO_SERVER_PORT": str(port), "GRADIO_SERVER_NAME": "127.0.0.1", "TMPDIR": str(folder)}
    known = {name: value for name, value in (known | settings).items() if value is not None}
    log = folder.parent / "log"
    given = {"cwd": ROOT, "env": known, "stderr": subprocess.STDOUT, "stdin": subprocess.DEVNULL} | options
    with log.open("wb") as out, subprocess.Popen([python, "app.py"], **{"stdout": out} | given) as process:
        try:
            url = f"http://127.0.0.1:{port}"
            wait_for(url, process, log)
            yield url, process
        finally:
            process.terminate()


@pytest.fixture
def temporary():
    """A folder with a short path, unlike those of pytest: with a long one, jobs are started in another way."""
    with tempfile.TemporaryDirectory() as outer:
        folder = Path(outer, "temporary")
        folder.mkdir()
        yield folder


def until(found, within=60.0):
    """Wait until `found` returns something, and return that."""
    deadline = time.monotonic() + within
    while not (value := found()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return value


def family(pid: int) -> dict[int, str]:
    """The descendants of this process, with their command lines."""
    found: dict[int, str] = {}
    threads = Path(f"/proc/{pid}/task").glob("*/children")
    for child in [one for thread in threads for one in thread.read_text(encoding="ascii").split()]:
        try:
            found[int(child)] = Path(f"/proc/{child}/cmdline").read_text(encoding="utf-8").replace("\0", " ")
            found |= family(int(child))
        except OSError:
            continue
    return found


def workers(pid: int) -> list[int]:
    """The processes that run jobs: forks of the process in which the scorer is loaded."""
    copied = [one for one, command in family(pid).items() if "forkserver" in command]
    return [one for parent in copied for one in family(parent)]


def ask_for_long_job(url: str) -> threading.Thread:
    def ask():
        try:
            httpx.post(f"{url}/gradio_api/run/score_predictions", json={"data": [SLOW, KNOWN]}, timeout=300)
        except httpx.HTTPError:
            return

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    return thread


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("way", [signal.SIGTERM, signal.SIGINT])
def test_a_server_stopped_during_a_job_leaves_no_process_and_no_folder(temporary, way):
    # A suite that runs in the background ignores Ctrl-C, and so would the server.
    with server(temporary, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as (url, process):
        caller = ask_for_long_job(url)
        assert until(lambda: workers(process.pid))
        everybody = family(process.pid)
        process.send_signal(way)
        process.wait(120)
        caller.join(120)
    assert until(lambda: not any(map(alive, everybody))), everybody
    assert not list(temporary.glob("zero-scrolls-*"))


def test_a_job_whose_process_is_killed_fails_with_the_next_step_and_the_next_job_runs(temporary):
    with server(temporary) as (url, process), ThreadPoolExecutor(1) as thread:
        call(url, "score_predictions", *SMALL)
        assert until(lambda: workers(process.pid) == [])
        asked = thread.submit(
            httpx.post, f"{url}/gradio_api/run/score_predictions", json={"data": [SLOW, KNOWN]}, timeout=300
        )
        (worker,) = until(lambda: workers(process.pid))
        os.kill(worker, signal.SIGKILL)
        answer = asked.result()
        assert answer.status_code == 500
        assert "stopped; try again" in answer.text
        assert call(url, "score_predictions", *SMALL)["mean_of_tasks"] == 100.0


def works(url: str) -> None:
    assert call(url, "score_answer", "narrative_qa", "é“", ["é“"])["score"] == 100.0
    assert call(url, "score_predictions", *SMALL)["mean_of_tasks"] == 100.0
    sent = httpx.post(f"{url}/gradio_api/upload", files={"files": ("é.json", b"{}")}, timeout=60)
    assert sent.status_code == 200


CIRCUMSTANCES = {
    "without a home": {"settings": {"HOME": None}},
    "with a home that cannot be written to": {"settings": {"HOME": "/proc"}},
    "in the C locale": {"settings": {"LC_ALL": "C"}},
    "with its input closed": {"stdin": None, "preexec_fn": lambda: os.close(0)},
}


@pytest.mark.parametrize("how", CIRCUMSTANCES)
def test_the_app_starts_and_scores(temporary, how):
    with server(temporary, **CIRCUMSTANCES[how]) as (url, _):
        works(url)


@pytest.mark.parametrize("settings", [{}, {"PYTHONUNBUFFERED": "1"}], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("outputs", [["stdout"], ["stdout", "stderr"]], ids=" and ".join)
def test_the_app_starts_and_scores_where_nothing_can_be_printed(temporary, outputs, settings):
    with (
        Path("/dev/full").open("wb") as full,
        server(temporary, settings=settings, **dict.fromkeys(outputs, full)) as (url, _),
    ):
        works(url)


def test_the_app_scores_when_the_temporary_folders_path_is_too_long_for_a_socket(temporary):
    folder = temporary / ("x" * 100)
    folder.mkdir()
    with server(folder) as (url, process):
        works(url)
    process.wait(60)
    assert not list(folder.iterdir())


@pytest.mark.parametrize("settings", [{}, {"PYTHONUNBUFFERED": "1"}], ids=["buffered", "unbuffered"])
def test_the_address_is_printed_at_once_and_its_reader_may_close_the_pipe(temporary, settings):
    read, write = os.pipe()
    with (
        open(write, "wb") as output,
        open(read, encoding="utf-8") as reader,
        server(temporary, settings=settings, stdout=output, stderr=output) as (url, process),
    ):
        assert url in reader.readline()
        reader.close()
        works(url)
        process.terminate()
        assert process.wait(60) in (0, -signal.SIGTERM)


def test_connections_with_endless_headers_delay_nobody(temporary):
    with server(temporary) as (url, _):
        address = ("127.0.0.1", int(url.rpartition(":")[2]))
        slow = [socket.create_connection(address) for _ in range(200)]
        for connection in slow:
            connection.sendall(b"POST /gradio_api/run/score_answer HTTP/1.1\r\nhost: x\r\nx-a: ")
        assert call(url, "score_answer", "quality", "B", ["B"])["score"] == 100.0
        for connection in slow:
            connection.close()
