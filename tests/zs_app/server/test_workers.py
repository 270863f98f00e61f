"""Functions run in processes of their own: what they return, what they report, and how they end."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
import threading
from multiprocessing import active_children, forkserver
from types import SimpleNamespace

import pytest
import worker_jobs
from waiting import until

from zs_app.server import workers
from zs_app.server.jobs import LARGE, PROCESSES, FairQueue, Job, JobFailed, run_job
from zs_app.server.workers import NICE, stop_workers

#: Seconds of a job that only ends when it is ended.
FOREVER = 3_600
linux = pytest.mark.skipif(sys.platform != "linux", reason="processes as Linux has them")


@pytest.fixture(scope="module", autouse=True)
def pool():
    yield
    stop_workers()


def run(function, *arguments, job=None):
    return asyncio.run(run_job(function, *arguments, job=job))


def ended(note):
    """Whether the process that noted its id there has ended."""
    try:
        os.kill(int(note.read_text(encoding="utf-8")), 0)
    except ProcessLookupError:
        return True
    return False


def began(note):
    return note.exists() and note.read_text(encoding="utf-8")


@linux
def test_each_job_has_a_process_of_its_own_of_low_priority_and_little_memory_that_knows_nothing_of_the_browser():
    first, second = run(worker_jobs.where), run(worker_jobs.where)
    assert len({first["pid"], second["pid"], os.getpid()}) == 3
    assert (first["imported"], first["nice"], first["memory"]) == ([], min(os.nice(0) + NICE, 19), 3_000_000_000)


def test_a_job_reports_its_progress_and_may_be_given_and_return_more_than_a_pipe_holds():
    class Watcher(Job):
        def report(self, fraction, message):
            reported.append((fraction, message))

    for seconds, steps in ((0, 3), (60, 1)):
        reported = []
        run(worker_jobs.report, seconds, job=Watcher())
        assert reported == [(i / 3, f"step {i}") for i in range(steps)]
    text = "x" * 5_000_000
    assert run(worker_jobs.give_back, text) == text


@pytest.mark.parametrize(
    ("job", "message"),
    [
        (worker_jobs.refuse, "no task 'govreport'; did you mean 'gov_report'"),
        (worker_jobs.be_killed, "the process that scored this stopped; try again"),
        (worker_jobs.fill_the_disk, "the server's disk is full"),
        (worker_jobs.fill_a_table, "the server's disk is full"),
        (worker_jobs.fail, "on our side"),
        pytest.param(worker_jobs.hoard, "more memory than is allowed", marks=linux),
    ],
)
def test_a_job_that_fails_says_why_and_is_logged_without_its_message_if_that_was_unexpected(job, message, caplog):
    caplog.set_level(logging.ERROR)
    with pytest.raises(JobFailed, match=message):
        run(job)
    logged = [text in caplog.text for text in ("KeyError", "worker_jobs.py", "visitor")]
    assert logged == [job is worker_jobs.fail] * 2 + [False]


@pytest.mark.parametrize(("size", "seconds"), [(LARGE, 300), (LARGE - 1, 60)])
def test_a_job_that_takes_too_long_is_ended_and_gives_its_place_back(tmp_path, monkeypatch, size, seconds):
    """One with little input sooner: a small file may unpack to much."""
    note = tmp_path / "pid"
    monkeypatch.setattr("zs_app.server.jobs._queue", FairQueue(1))
    monkeypatch.setattr(workers, "time", SimpleNamespace(monotonic=lambda: seconds + 1 if began(note) else 0))
    with pytest.raises(JobFailed, match=f"longer than {seconds} seconds and was stopped; use the command line"):
        asyncio.run(run_job(worker_jobs.take, FOREVER, note, size=size))
    assert ended(note)
    assert run(worker_jobs.where)["pid"]


@pytest.mark.parametrize(
    ("end", "error"), [(lambda job: job.cancel(), asyncio.CancelledError), (lambda _: stop_workers(), JobFailed)]
)
def test_the_process_of_a_job_ends_when_it_is_cancelled_and_when_all_are_stopped(tmp_path, end, error):
    async def visit():
        job = asyncio.create_task(run_job(worker_jobs.take, FOREVER, tmp_path / "pid"))
        await asyncio.to_thread(until, lambda: began(tmp_path / "pid"))
        await asyncio.to_thread(end, job) if error is JobFailed else end(job)
        await job

    with pytest.raises(error):
        asyncio.run(visit())
    assert until(lambda: ended(tmp_path / "pid"))


def test_jobs_cancelled_as_they_start_leave_no_process_and_waiting_ones_use_no_thread():
    async def visit():
        before = threading.active_count()
        jobs = [asyncio.create_task(run_job(worker_jobs.take, FOREVER, job=Job(str(i)))) for i in range(100)]
        while (threads := threading.active_count() - before) < PROCESSES:
            await asyncio.sleep(0)
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        return threads

    assert asyncio.run(visit()) <= PROCESSES
    assert not [child for child in active_children() if child.name == "a job"]


@linux
def test_a_job_ends_with_its_server_even_if_that_is_killed(tmp_path):
    code = (
        "import sys, threading, worker_jobs; from pathlib import Path; from zs_app.server.workers import run_process\n"
        "if __name__ == '__main__':\n"
        "    run_process(worker_jobs.take, (3600, Path(sys.argv[1])), print, threading.Event())"
    )
    script, note = tmp_path / "server.py", tmp_path / "pid"
    script.write_text(code, encoding="utf-8")
    paths = os.pathsep.join(["tests/support", "."])
    server = subprocess.Popen([sys.executable, script, note], env={**os.environ, "PYTHONPATH": paths})
    assert until(lambda: began(note))
    server.kill()
    server.wait()
    assert until(lambda: ended(note))


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
