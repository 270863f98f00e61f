"""Long jobs in processes of their own: what they return, what they report, and how they end."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from multiprocessing import active_children, forkserver
from pathlib import Path
from typing import Any

import pytest
import worker_jobs

from zs_app.server import workers
from zs_app.server.job_queue import Caller
from zs_app.server.workers import NICE, PROCESSES, JobFailed, run_job, stop_workers
from zs_metric.errors import ZeroScrollsError

#: Seconds of a job that only ends when it is ended.
FOREVER = 3_600


@pytest.fixture(scope="module", autouse=True)
def pool():
    yield
    stop_workers()


def run(job, *arguments, **options):
    return asyncio.run(run_job(job, *arguments, **options))


def test_each_job_has_a_process_of_its_own_that_knows_nothing_of_the_browser():
    first, second = run(worker_jobs.where), run(worker_jobs.where)
    assert len({first["pid"], second["pid"], os.getpid()}) == 3
    assert not first["imported"]


@pytest.mark.skipif(sys.platform != "linux", reason="priorities and limits as Linux has them")
def test_a_job_has_low_priority_and_a_memory_limit():
    found = run(worker_jobs.where)
    assert found["nice"] == min(os.nice(0) + NICE, 19)
    assert found["memory"] == 3_000_000_000


def test_progress_is_reported_on_the_way():
    reported = []

    class Watcher(Caller):
        def report(self, fraction, message):
            reported.append((fraction, message))

    assert run(worker_jobs.report, 3, caller=Watcher()) == 3
    assert (0.0, "step 0") in reported
    assert reported == sorted(reported)


def test_the_errors_of_a_job_keep_their_messages():
    with pytest.raises(ZeroScrollsError, match="no task 'govreport'; did you mean 'gov_report'") as refused:
        run(worker_jobs.refuse)
    assert not isinstance(refused.value, JobFailed)


def test_an_unexpected_error_is_reported_as_ours_and_logged_without_its_message(caplog):
    caplog.set_level(logging.ERROR)
    with pytest.raises(JobFailed, match="on our side"):
        run(worker_jobs.fail, "a visitor's text")
    assert "KeyError" in caplog.text
    assert "worker_jobs.py" in caplog.text
    assert "a visitor's text" not in caplog.text


def test_a_process_that_dies_or_is_killed_is_reported_and_the_next_job_gets_a_new_one():
    for way in (worker_jobs.die, worker_jobs.be_killed):
        with pytest.raises(JobFailed, match="stopped; try again"):
            run(way)
        assert run(worker_jobs.where)["pid"]


@pytest.mark.parametrize("job", [worker_jobs.fill_the_disk, worker_jobs.fill_a_table])
def test_a_full_disk_is_reported(job):
    with pytest.raises(ZeroScrollsError, match="the server's disk is full"):
        run(job)


def test_a_job_that_takes_too_long_is_ended(tmp_path):
    with pytest.raises(JobFailed, match=r"longer than 2 seconds and was stopped"):
        run(worker_jobs.take, FOREVER, tmp_path / "pid", max_seconds=2)
    assert ended(tmp_path / "pid")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_a_job_that_needs_too_much_memory_is_refused():
    with pytest.raises(ZeroScrollsError, match="more memory than is allowed"):
        run(worker_jobs.hoard)


def ended(note: Path) -> bool:
    """Whether the process that noted its id there has ended; waits for that as long as a busy machine may need."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            os.kill(int(note.read_text(encoding="utf-8")), 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


async def began(note: Path) -> "asyncio.Task[Any]":
    """An endless job, as a task, once its process has noted its id."""
    job = asyncio.create_task(run_job(worker_jobs.take, FOREVER, note))
    while not job.done() and not (note.exists() and note.read_text(encoding="utf-8")):
        await asyncio.sleep(0.02)
    return job


def test_the_process_of_a_cancelled_job_is_ended(tmp_path):
    async def visit():
        job = await began(tmp_path / "pid")
        job.cancel()
        await job

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(visit())
    assert ended(tmp_path / "pid")


def test_jobs_cancelled_as_they_start_leave_no_process_and_waiting_ones_use_no_thread():
    async def visit():
        before = threading.active_count()
        jobs = [asyncio.create_task(run_job(worker_jobs.take, FOREVER, caller=Caller(str(i)))) for i in range(100)]
        await asyncio.sleep(0.05)
        found = threading.active_count() - before
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        return found

    assert asyncio.run(visit()) <= 2 * PROCESSES  # one starts a process, one watches it
    deadline = time.monotonic() + 20
    while (
        left := [child for child in active_children() if child.name == "zs_app.jobs"]
    ) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left


@pytest.mark.skipif(sys.platform != "linux", reason="SIGKILL")
def test_a_job_ends_with_its_server_even_if_that_is_killed(tmp_path):
    code = (
        "import asyncio, sys, worker_jobs; from pathlib import Path; from zs_app.server.workers import run_job\n"
        "if __name__ == '__main__': asyncio.run(run_job(worker_jobs.take, 3600, Path(sys.argv[1])))"
    )
    script = tmp_path / "server.py"
    script.write_text(code, encoding="utf-8")
    note = tmp_path / "pid"
    paths = os.pathsep.join(["tests/support", "."])
    server = subprocess.Popen([sys.executable, script, note], env={**os.environ, "PYTHONPATH": paths})
    while not (note.exists() and note.read_text(encoding="utf-8")):
        time.sleep(0.05)
    server.kill()
    server.wait()
    assert ended(note)


def test_stopping_ends_running_jobs_and_their_callers_get_an_error(tmp_path):
    async def visit():
        job = await began(tmp_path / "pid")
        await asyncio.to_thread(stop_workers)
        await job

    with pytest.raises(JobFailed, match="stopped; try again"):
        asyncio.run(visit())
    assert ended(tmp_path / "pid")


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells when another process has ended without ending it")
def test_the_process_that_jobs_are_forked_from_is_replaced_when_killed():
    run(worker_jobs.where)
    copied = forkserver._forkserver._forkserver_pid
    os.kill(copied, signal.SIGKILL)
    os.waitid(os.P_PID, copied, os.WEXITED | os.WNOWAIT)
    assert run(worker_jobs.where)["pid"]


def test_a_job_may_be_given_and_return_more_than_a_pipe_holds():
    text = "x" * 5_000_000
    assert run(worker_jobs.give_back, text) == text


def test_a_process_that_cannot_be_started_is_reported_and_gives_its_turn_back(monkeypatch, caplog):
    def no_process(*_):
        raise OSError(11, "Resource temporarily unavailable")

    with monkeypatch.context() as patched:
        patched.setattr(workers._CONTEXT.Process, "start", no_process)
        for _ in range(PROCESSES + 1):
            with pytest.raises(JobFailed, match="stopped; try again"):
                run(worker_jobs.where)
    assert run(worker_jobs.where)["pid"]
    assert not caplog.records
