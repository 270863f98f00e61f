"""`python app.py` as a separate process in adverse conditions: it goes on working, and leaves nothing behind."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from started_app import call, free_port, wait_for
from waiting import until

ROOT = Path(__file__).parents[2]
#: A file whose scoring takes minutes of a processor, and one that takes none.
SLOW = [{"gov_report": {str(i): f"{i} word " * 3_000 for i in range(400)}}]
SLOW.append({"gov_report": {id_: ["other word " * 3_000] for id_ in SLOW[0]["gov_report"]}})
SMALL = [{"quality": {"a": "B"}}, {"quality": {"a": ["B"]}}]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux has them"),
]


@contextmanager
def server(folder: Path, settings=(), **options):
    """The address and the process of an app whose temporary files are in that folder."""
    port, log = free_port(), folder.parent / "log"
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("GRADIO_", "HF_", "PYTHON"))}
    variables |= {"GRADIO_SERVER_PORT": str(port), "GRADIO_SERVER_NAME": "127.0.0.1", "TMPDIR": str(folder)}
    variables = {name: value for name, value in (variables | dict(settings)).items() if value is not None}
    with log.open("wb") as out:
        options = {"cwd": ROOT, "env": variables, "stdout": out, "stderr": subprocess.STDOUT} | options
        with subprocess.Popen([sys.executable, "app.py"], **{"stdin": subprocess.DEVNULL} | options) as process:
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


def family(pid: int) -> dict[int, str]:
    """The descendants of this process, with their command lines."""
    members: dict[int, str] = {}
    threads = Path(f"/proc/{pid}/task").glob("*/children")
    for child in [child for thread in threads for child in thread.read_text(encoding="ascii").split()]:
        try:
            members[int(child)] = Path(f"/proc/{child}/cmdline").read_text(encoding="utf-8").replace("\0", " ")
            members |= family(int(child))
        except OSError:
            continue
    return members


def workers(pid: int) -> list[int]:
    """The processes that run jobs: forks of the process in which the scorer is loaded."""
    return [child for parent, command in family(pid).items() if "forkserver" in command for child in family(parent)]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ask(url: str, data: list) -> httpx.Response:
    return httpx.post(f"{url}/gradio_api/run/score_predictions", json={"data": data}, timeout=300)


@pytest.mark.parametrize("way", [signal.SIGTERM, signal.SIGINT])
def test_a_server_stopped_during_a_job_leaves_no_process_and_no_folder(temporary, way):
    # A suite that runs in the background ignores Ctrl-C, and so would the server.
    heeding = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    with ThreadPoolExecutor(1) as thread, server(temporary, **heeding) as (url, process):
        thread.submit(ask, url, SLOW)
        assert until(lambda: workers(process.pid))
        everybody = family(process.pid)
        process.send_signal(way)
        process.wait(120)
    assert until(lambda: not any(map(is_alive, everybody))), everybody
    assert not list(temporary.glob("zero-scrolls-*"))


def test_a_job_whose_process_is_killed_fails_with_the_next_step_and_the_next_job_runs(temporary):
    with server(temporary) as (url, process), ThreadPoolExecutor(1) as thread:
        assert ask(url, SMALL).json()["data"][0]["mean_of_tasks"] == 100.0
        assert until(lambda: workers(process.pid) == [])
        asked = thread.submit(ask, url, SLOW)
        (worker,) = until(lambda: workers(process.pid))
        os.kill(worker, signal.SIGKILL)
        assert (asked.result().status_code, "stopped; try again" in asked.result().text) == (500, True)
        assert ask(url, SMALL).json()["data"][0]["mean_of_tasks"] == 100.0


def memory(pid: int) -> float:
    """The resident memory of a process in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1_000


def test_calls_with_two_hundred_names_of_sessions_leave_nothing_of_their_values(temporary):
    """A large call left its 10 MB in the server for each new name, and a reply of 1 MB that nobody fetched 4 MB."""
    large = [{"quality": {"a": "word " * 2_000_000}}, {"quality": {"b": ["B"]}}]
    refused = ["nothing", "word " * 500_000, ["B"]]

    unknown = [{"quality": {f"a{n}": "B" for n in range(4_000)}}, {"quality": {f"b{n}": ["B"] for n in range(4_000)}}]
    kinds = (("run/score_predictions", large), ("run/score_answer", refused), ("call/score_answer", refused))
    kinds += (("call/score_predictions", unknown),)

    def visit(client, number):
        route, data = kinds[number % len(kinds)]
        client.post(route, json={"data": data, "session_hash": f"session {number}"})

    # The C library gives memory back as soon as it is free: what is measured is what the server holds.
    at_once = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
    with (
        server(temporary, at_once) as (url, process),
        httpx.Client(base_url=f"{url}/gradio_api/", timeout=300) as client,
    ):
        held = []  # after each call: what is taken for one call is given back at some later one
        for number in range(200):
            visit(client, number)
            held.append(memory(process.pid))
        assert min(held[-40:]) < min(held[20:60]) + 60


def works(url: str) -> None:
    assert call(url, "score_answer", "narrative_qa", "é“", ["é“"])["score"] == 100.0
    assert call(url, "score_predictions", *SMALL)["mean_of_tasks"] == 100.0
    sent = httpx.post(f"{url}/gradio_api/upload", files={"files": ("é.json", b"{}")}, timeout=60)
    assert sent.status_code == 200


UNBUFFERED = {"PYTHONUNBUFFERED": "1"}
CIRCUMSTANCES = {
    "without a home": {"settings": {"HOME": None}},
    "with a home that cannot be written to": {"settings": {"HOME": "/proc"}},
    "in the C locale": {"settings": {"LC_ALL": "C"}},
    "with its input closed": {"stdin": None, "preexec_fn": lambda: os.close(0)},
    "where nothing can be printed": {"stdout": "full"},
    "where not even errors can be printed": {"stdout": "full", "stderr": "full"},
    "where nothing can be printed at once": {"stdout": "full", "settings": UNBUFFERED},
    "where not even errors can be printed at once": {"stdout": "full", "stderr": "full", "settings": UNBUFFERED},
}


@pytest.mark.parametrize("how", CIRCUMSTANCES)
def test_the_app_starts_and_scores(temporary, how):
    with Path("/dev/full").open("wb") as full:
        options = {name: full if value == "full" else value for name, value in CIRCUMSTANCES[how].items()}
        with server(temporary, **options) as (url, _):
            works(url)


def test_the_app_scores_when_the_temporary_folders_path_is_too_long_for_a_socket(temporary):
    folder = temporary / ("x" * 100)
    folder.mkdir()
    with server(folder) as (url, process):
        works(url)
    process.wait(60)
    assert not list(folder.iterdir())


@pytest.mark.parametrize("settings", [{}, UNBUFFERED], ids=["buffered", "unbuffered"])
def test_the_address_is_printed_at_once_and_its_reader_may_close_the_pipe(temporary, settings):
    read, write = os.pipe()
    with (
        open(write, "wb") as output,
        open(read, encoding="utf-8") as reader,
        server(temporary, settings, stdout=output, stderr=output) as (url, process),
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
