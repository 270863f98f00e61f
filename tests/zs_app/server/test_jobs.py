"""Jobs: start, progress, result, cancel."""

import asyncio

import pytest

from zs_app.server import jobs
from zs_metric.errors import ZeroScrollsError


async def ended(job):
    while (state := await jobs.progress(job))["state"] in ("waiting", "running"):
        pass
    return state


def test_a_job_is_started_watched_and_its_result_taken():
    async def talk():
        go = asyncio.Event()

        async def work(job):
            job.report(0.25, "reading")
            await go.wait()
            return "scored"

        job = jobs.start(work, "a visitor")
        running = await jobs.progress(job)
        with pytest.raises(jobs.NoResult):
            jobs.result(job)
        go.set()
        return running, await ended(job), jobs.result(job), jobs.result(job)

    running, done, first, again = asyncio.run(talk())
    assert running == {"state": "running", "fraction": 0.25, "message": "reading", "place": 0}
    assert (done["state"], done["fraction"], first, again) == ("done", 1.0, "scored", "scored")


def test_a_job_that_fails_says_why_and_an_unexpected_error_only_a_number(caplog):
    async def talk(error):
        async def work(_):
            raise error

        job = jobs.start(work, "")
        state = await ended(job)
        with pytest.raises(ZeroScrollsError, match="^" + state["message"]):
            jobs.result(job)
        return state

    assert asyncio.run(talk(ZeroScrollsError("line 3: no id"))) == {
        "state": "failed", "fraction": 0.0, "message": "line 3: no id", "place": 0,
    }  # fmt: skip
    state = asyncio.run(talk(ValueError("a visitor's text")))
    assert "Error reference" in state["message"]
    assert "ValueError" in caplog.text
    assert "visitor" not in state["message"] + caplog.text


def test_an_unknown_job_is_gone():
    for job in ("no such job", None):
        assert asyncio.run(jobs.progress(job))["state"] == "gone"
        with pytest.raises(jobs.NoResult):
            jobs.result(job)
