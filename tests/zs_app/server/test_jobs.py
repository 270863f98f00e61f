"""Jobs: start, progress, result."""

import asyncio

import pytest

from zs_app import words
from zs_app.server import jobs
from zs_app.server.job_queue import FairQueue
from zs_metric.errors import ZeroScrollsError


async def ended(job):
    while (state := await jobs.progress(job))["state"] in ("waiting", "running"):
        pass
    return state


def test_a_job_is_started_watched_and_its_result_taken():
    async def talk():
        go, queue = asyncio.Event(), FairQueue(1)

        async def work(job):
            async with queue.turn(job):
                job.report(0.25, "reading")
                await go.wait()
                return "scored"

        first, second = jobs.start(work, "a visitor"), jobs.start(work, "another")
        states = [await jobs.progress(first), await jobs.progress(second)]
        with pytest.raises(jobs.NoResult):
            jobs.result(first)
        go.set()
        return states, await ended(first), jobs.result(first), jobs.result(first)

    (running, waiting), done, result, again = asyncio.run(talk())
    assert running == {"state": "running", "fraction": 0.25, "message": "reading", "place": 0}
    assert waiting == {"state": "waiting", "fraction": 0.0, "message": "", "place": 0}
    assert (done["state"], done["fraction"], result, again) == ("done", 1.0, "scored", "scored")


def test_a_job_that_fails_says_why_and_an_unexpected_error_only_a_number(caplog):
    async def talk(error):
        async def work(_):
            raise error

        job = jobs.start(work, "")
        state = await ended(job)
        with pytest.raises(ZeroScrollsError, match="^" + state["message"]):
            jobs.result(job)
        return state

    failed = {"state": "failed", "fraction": 0.0, "message": "line 3: no id", "place": 0}
    assert asyncio.run(talk(ZeroScrollsError("line 3: no id"))) == failed
    state = asyncio.run(talk(ValueError("a visitor's text")))
    assert ("Error reference" in state["message"], "ValueError" in caplog.text) == (True, True)
    assert "visitor" not in state["message"] + caplog.text


def test_an_unknown_job_is_gone():
    for job in ("no such job", None):
        state = {"state": "gone", "fraction": 0.0, "message": words.JOB_GONE, "place": 0}
        assert asyncio.run(jobs.progress(job)) == state
        with pytest.raises(jobs.NoResult):
            jobs.result(job)
