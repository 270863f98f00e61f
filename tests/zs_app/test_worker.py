"""Long jobs in a process of their own: what they return, what they tell, and how they end."""

import logging
import os
import sys
import threading
import time

import pytest
import worker_jobs

from zs_app.worker import JobFailed, Process
from zs_metric.errors import ZeroScrollsError


@pytest.fixture(scope="module")
def process():
    process = Process(max_seconds=60)
    yield process
    process.close()


def test_jobs_run_in_one_other_process_that_knows_nothing_of_the_browser(process):
    (first, imported), (second, _) = process.run(worker_jobs.where), process.run(worker_jobs.where)
    assert first == second != os.getpid()
    assert not imported


def test_progress_is_told_on_the_way(process):
    told = []
    assert process.run(worker_jobs.tell, 3, progress=lambda *step: told.append(step)) == 3
    assert told == [(0.0, "step 0"), (1 / 3, "step 1"), (2 / 3, "step 2")]


def test_what_a_job_refuses_is_refused_in_the_same_words(process):
    with pytest.raises(ZeroScrollsError, match="no task 'govreport'; did you mean 'gov_report'") as refused:
        process.run(worker_jobs.refuse)
    assert not isinstance(refused.value, JobFailed)


def test_a_fault_of_ours_is_told_as_one_and_logged_by_its_place_without_its_text(process, caplog):
    caplog.set_level(logging.ERROR)
    with pytest.raises(JobFailed, match="our fault"):
        process.run(worker_jobs.fail, "a visitor's text")
    assert "KeyError" in caplog.text
    assert "worker_jobs.py" in caplog.text
    assert "a visitor's text" not in caplog.text


def test_a_process_that_dies_is_told_and_the_next_job_gets_a_new_one(process):
    before, _ = process.run(worker_jobs.where)
    with pytest.raises(JobFailed, match="stopped; try again"):
        process.run(worker_jobs.die)
    after, _ = process.run(worker_jobs.where)
    assert before != after


def test_a_job_that_takes_too_long_is_ended(process, monkeypatch):
    process.run(worker_jobs.where)
    monkeypatch.setattr(process, "_max_seconds", 0.3)
    start = time.monotonic()
    with pytest.raises(JobFailed, match=r"longer than 0\.3 seconds and was ended"):
        process.run(worker_jobs.take, 60)
    assert time.monotonic() - start < 10


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_a_job_that_needs_too_much_memory_is_refused_and_its_process_lives_on(process):
    before, _ = process.run(worker_jobs.where)
    with pytest.raises(ZeroScrollsError, match="more memory than a file may take"):
        process.run(worker_jobs.hoard)
    assert process.run(worker_jobs.where)[0] == before


def test_an_error_in_the_telling_of_progress_leaves_nothing_half_done(process):
    def stop(*_):
        raise ValueError("the visitor has gone")

    with pytest.raises(ValueError, match="gone"):
        process.run(worker_jobs.tell, 3, progress=stop)
    assert process.run(worker_jobs.tell, 1) == 1


def test_jobs_wait_for_each_other(process):
    process.run(worker_jobs.where)
    threads = [threading.Thread(target=process.run, args=(worker_jobs.take, 0.2)) for _ in range(3)]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - start >= 0.6


def test_a_process_with_nothing_to_do_is_let_go():
    process = Process(max_idle=0.1)
    pid, _ = process.run(worker_jobs.where)
    deadline = time.monotonic() + 10
    while process._process is not None and time.monotonic() < deadline:
        time.sleep(0.05)
    assert process._process is None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
