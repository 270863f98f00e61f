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
linux = pytest.mark.skipif(sys.platform != "linux", reason="processes as Linux has them")


@pytest.fixture(scope="module", autouse=True)
def pool():
    yield
    stop_workers()


def run(job, *arguments, **options):
    return asyncio.run(run_job(job, *arguments, **options))


@linux
def test_each_job_has_a_process_of_its_own_of_low_priority_and_little_memory_that_knows_nothing_of_the_browser():
    first, second = run(worker_jobs.where), run(worker_jobs.where)
    assert len({first["pid"], second["pid"], os.getpid()}) == 3
    assert (first["imported"], first["nice"], first["memory"]) == ([], min(os.nice(0) + NICE, 19), 3_000_000_000)


def test_a_job_reports_its_progress_and_may_be_given_and_return_more_than_a_pipe_holds():
    reported = []

    class Watcher(Caller):
        def report(self, fraction, message):
            reported.append((fraction, message))

    assert run(worker_jobs.report, 3, caller=Watcher()) == 3
    assert reported[0] == (0.0, "step 0")
    assert reported == sorted(reported)
    text = "x" * 5_000_000
    assert run(worker_jobs.give_back, text) == text


@pytest.mark.parametrize(
    ("job", "message", "kind"),
    [
        (worker_jobs.refuse, "no task 'govreport'; did you mean 'gov_report'", ZeroScrollsError),
        (worker_jobs.die, "the process that scored this stopped; try again", JobFailed),
        (worker_jobs.be_killed, "the process that scored this stopped; try again", JobFailed),
        (worker_jobs.fill_the_disk, "the server's disk is full", ZeroScrollsError),
        (worker_jobs.fill_a_table, "the server's disk is full", ZeroScrollsError),
        pytest.param(worker_jobs.hoard, "more memory than is allowed", ZeroScrollsError, marks=linux),
    ],
)
def test_a_job_that_fails_says_why_and_the_next_one_gets_a_new_process(job, message, kind):
    with pytest.raises(ZeroScrollsError, match=message) as failed:
        run(job)
    assert type(failed.value) is kind
    assert run(worker_jobs.where)["pid"]


def test_an_unexpected_error_is_reported_as_ours_and_logged_without_its_message(caplog):
    caplog.set_level(logging.ERROR)
    with pytest.raises(JobFailed, match="on our side"):
        run(worker_jobs.fail, "a visitor's text")
    assert ("KeyError" in caplog.text, "worker_jobs.py" in caplog.text, "visitor" in caplog.text) == (True, True, False)


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


def test_a_job_that_takes_too_long_is_ended(tmp_path):
    with pytest.raises(JobFailed, match=r"longer than 2 seconds and was stopped; use the command line"):
        run(worker_jobs.take, FOREVER, tmp_path / "pid", max_seconds=2)
    assert ended(tmp_path / "pid")


def test_the_process_of_a_job_ends_when_it_is_cancelled_and_when_all_are_stopped(tmp_path):
    async def cancelled():
        job = await began(tmp_path / "first")
        job.cancel()
        await job

    async def stopped():
        job = await began(tmp_path / "second")
        await asyncio.to_thread(stop_workers)
        await job

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())
    with pytest.raises(JobFailed, match="stopped; try again"):
        asyncio.run(stopped())
    assert ended(tmp_path / "first")
    assert ended(tmp_path / "second")


def test_jobs_cancelled_as_they_start_leave_no_process_and_waiting_ones_use_no_thread():
    async def visit():
        before = threading.active_count()
        jobs = [asyncio.create_task(run_job(worker_jobs.take, FOREVER, caller=Caller(str(i)))) for i in range(100)]
        await asyncio.sleep(0.05)
        threads = threading.active_count() - before
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        return threads

    assert asyncio.run(visit()) <= PROCESSES
    assert not [child for child in active_children() if child.name == "zs_app.jobs"]


@linux
def test_a_job_ends_with_its_server_even_if_that_is_killed(tmp_path):
    code = (
        "import asyncio, sys, worker_jobs; from pathlib import Path; from zs_app.server.workers import run_job\n"
        "if __name__ == '__main__': asyncio.run(run_job(worker_jobs.take, 3600, Path(sys.argv[1])))"
    )
    script, note = tmp_path / "server.py", tmp_path / "pid"
    script.write_text(code, encoding="utf-8")
    paths = os.pathsep.join(["tests/support", "."])
    server = subprocess.Popen([sys.executable, script, note], env={**os.environ, "PYTHONPATH": paths})
    while not (note.exists() and note.read_text(encoding="utf-8")):
        time.sleep(0.05)
    server.kill()
    server.wait()
    assert ended(note)


@linux
def test_the_process_that_jobs_are_forked_from_is_replaced_when_killed():
    run(worker_jobs.where)
    copied = forkserver._forkserver._forkserver_pid
    os.kill(copied, signal.SIGKILL)
    os.waitid(os.P_PID, copied, os.WEXITED | os.WNOWAIT)
    assert run(worker_jobs.where)["pid"]


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
