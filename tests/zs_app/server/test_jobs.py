"""Jobs: started, watched and taken by an id; the queue serves small ones first, visitors in turn, and leaves a slot."""

import asyncio
import gc
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from zs_app import words
from zs_app.server import jobs
from zs_app.server.jobs import LARGE, FairQueue, Job, JobFailed
from zs_metric.errors import ZeroScrollsError


async def enter(queue, visitor="", size=0, then=lambda: None):
    async with queue.turn(Job(visitor), size):
        then()
        return True


def served(waiting, cancelled=()):
    """The order in which one slot runs these jobs of a visitor and a size."""

    async def visit():
        order, queue = [], FairQueue(1)
        async with queue.turn(Job("first")):
            tasks = [
                asyncio.create_task(enter(queue, *job, lambda i=i: order.append(i))) for i, job in enumerate(waiting)
            ]
            await asyncio.sleep(0)
            for number in cancelled:
                tasks[number].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return order

    return asyncio.run(visit())


def test_small_jobs_go_first_visitors_take_turns_and_a_large_job_does_not_wait_for_ever(monkeypatch):
    assert served([("a", 9_000_000), ("b", 2_000_000), ("c", 100)]) == [2, 1, 0]
    assert served([("a", 0), ("a", 0), ("a", 0), ("b", 0), ("b", 0)]) == [0, 3, 1, 4, 2]
    assert served([("a", 600_000), ("b", 0), ("b", 0)]) == [1, 2, 0]
    assert served([("a", 400_000), ("b", 0), ("b", 0)]) == [1, 0, 2]
    assert served([("a", 0), ("a", 0), ("b", 0)], cancelled=[0, 2]) == [1]
    monkeypatch.setattr(jobs, "BYTES_A_SECOND", 10**15)  # it waits for some nanoseconds, which is less than a visitor's
    assert served([("a", 4_000_000), ("b", 0)]) == [0, 1]


@pytest.mark.parametrize("waiting", [[("a", 0), ("a", 0)], [("a", LARGE), ("b", LARGE)]])
def test_neither_one_visitor_nor_large_files_hold_all_slots(waiting):
    async def visit():
        queue, (first, second) = FairQueue(2), waiting
        async with queue.turn(Job(first[0]), first[1]):
            task = asyncio.create_task(enter(queue, *second))
            assert await enter(queue, "c", LARGE - 1)
            assert not task.done()
        return await task

    assert asyncio.run(asyncio.wait_for(visit(), 60))


@pytest.mark.parametrize(("limit", "visitors", "own"), [("MAX_OF_VISITOR", "aaa", 2), ("MAX_WAITING", "abc", 0)])
def test_more_jobs_than_may_wait_are_refused_and_room_is_made_when_they_leave(monkeypatch, limit, visitors, own):
    monkeypatch.setattr(jobs, limit, 2)

    async def visit():
        queue = FairQueue(1)
        async with queue.turn(Job("first")):
            for _ in range(3):
                tasks = [asyncio.create_task(enter(queue, name)) for name in visitors]
                await asyncio.sleep(0)
                for task in tasks:
                    task.cancel()
                outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        return outcomes, await enter(queue, "a")

    outcomes, again = asyncio.run(visit())
    assert [type(outcome) for outcome in outcomes] == [asyncio.CancelledError, asyncio.CancelledError, JobFailed]
    assert f"too many files are waiting ({own} of them yours); try again" in str(outcomes[2])
    assert again


def test_a_turn_wakes_a_waiter_in_another_event_loop():
    queue, waits = FairQueue(1), threading.Event()

    async def wait():
        waiting = asyncio.create_task(enter(queue, "b"))
        await asyncio.sleep(0)
        waits.set()
        return await waiting

    async def hold(threads):
        async with queue.turn(Job("a")):
            other = threads.submit(asyncio.run, wait())
            await asyncio.to_thread(waits.wait)
        return await asyncio.wait_for(asyncio.wrap_future(other), 60)

    with ThreadPoolExecutor(1) as threads:
        assert asyncio.run(hold(threads))


async def ended(job):
    while (state := await jobs.progress(job))["state"] in ("waiting", "running"):
        pass
    return state


def test_a_job_is_started_watched_and_its_result_taken(monkeypatch):
    async def talk():
        go, queue = asyncio.Event(), FairQueue(1)
        monkeypatch.setattr(jobs, "_queue", queue)

        async def work(job):
            async with queue.turn(job):
                job.report(0.25, "reading")
                await go.wait()
                job.report(0.5, "")
                return "scored"

        ids = [jobs.start(work, visitor) for visitor in "abc"]
        states = [await jobs.progress(job) for job in ids]
        go.set()
        return states, await ended(ids[0]), await ended(ids[0])

    states, done, again = asyncio.run(talk())
    parts = [[state[part] for part in ("state", "fraction", "message", "place")] for state in states]
    assert parts == [["running", 0.25, "reading", 0], ["waiting", 0, "", 0], ["waiting", 0, "", 1]]
    assert done == {"state": "done", "fraction": 0.5, "message": "reading", "place": 0, "made": "scored"}
    assert again == done


def test_a_job_that_fails_says_why_and_an_unexpected_error_only_a_number(caplog):
    async def talk(error):
        async def work(_):
            raise error

        return await ended(jobs.start(work, ""))

    failed = {"state": "failed", "fraction": 0.0, "message": "Line 3: no id", "place": 0}
    assert asyncio.run(talk(ZeroScrollsError("line 3: no id"))) == failed
    message = asyncio.run(talk(ValueError("a visitor's text")))["message"]
    assert ("Error reference" in message, "ValueError" in caplog.text) == (True, True)
    assert "visitor" not in message + caplog.text


def test_the_message_of_a_failed_job_that_nobody_asks_for_is_not_logged(monkeypatch, caplog):
    monkeypatch.setattr(jobs, "_jobs", {})

    async def leave():
        async def work(_):
            raise ZeroScrollsError("a visitor's text")

        jobs.start(work, "")
        for _ in range(3):
            await asyncio.sleep(0)
        jobs._jobs.clear()
        gc.collect()

    asyncio.run(leave())
    assert caplog.text == ""


def test_an_unknown_job_is_gone():
    state = {"state": "gone", "fraction": 0.0, "message": words.JOB_GONE, "place": 0}
    assert asyncio.run(jobs.progress("no such job")) == state
