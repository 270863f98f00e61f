"""The queue of jobs: small ones first, visitors in turn, and always a slot for others."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from zs_app.server import job_queue
from zs_app.server.job_queue import LARGE, Caller, FairQueue, QueueFull


async def enter(queue, visitor="", size=0, then=lambda: None):
    async with queue.turn(Caller(visitor), size):
        then()
        return True


def served(jobs, cancelled=()):
    """The order in which one slot runs these jobs of a visitor and a size."""

    async def visit():
        order, queue = [], FairQueue(1)
        async with queue.turn(Caller("first")):
            tasks = [
                asyncio.create_task(enter(queue, *job, then=lambda i=i: order.append(i))) for i, job in enumerate(jobs)
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
    assert served([("a", 0), ("a", 0), ("b", 0)], cancelled=[0, 2]) == [1]
    times = iter([0.0, 0.0, 100.0])
    monkeypatch.setattr(job_queue, "monotonic", lambda: next(times))
    assert served([("a", 4_000_000), ("b", 0)]) == [0, 1]


@pytest.mark.parametrize("jobs", [[("a", 0), ("a", 0)], [("a", LARGE), ("b", LARGE)]])
def test_neither_one_visitor_nor_large_files_hold_all_slots(jobs):
    async def visit():
        queue = FairQueue(2)
        first, second, other = Caller("a"), Caller(jobs[1][0]), Caller("c")
        async with queue.turn(first, jobs[0][1]):
            waiting = asyncio.create_task(enter(queue, second.visitor, jobs[1][1]))
            await asyncio.sleep(0.01)
            assert not waiting.done()
            async with queue.turn(other, 0):
                assert (first.place(), other.place()) == (None, None)
        return await waiting

    assert asyncio.run(asyncio.wait_for(visit(), 10))


@pytest.mark.parametrize(("limit", "own"), [("MAX_OF_VISITOR", 2), ("MAX_WAITING", 0)])
def test_more_jobs_than_may_wait_are_refused_and_room_is_made_when_they_leave(monkeypatch, limit, own):
    monkeypatch.setattr(job_queue, limit, 2)
    visitors = "aaa" if own else "abc"

    async def visit():
        queue = FairQueue(1)
        async with queue.turn(Caller("first")):
            for _ in range(3):
                tasks = [asyncio.create_task(enter(queue, name)) for name in visitors]
                await asyncio.sleep(0)
                for task in tasks:
                    task.cancel()
                outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        return outcomes, await enter(queue, "a")

    outcomes, again = asyncio.run(visit())
    assert [type(outcome) for outcome in outcomes] == [asyncio.CancelledError, asyncio.CancelledError, QueueFull]
    assert f"too many files are waiting ({own} of them yours); try again" in str(outcomes[2])
    assert again


def test_a_waiting_job_knows_its_place():
    async def visit():
        queue, third = FairQueue(1), Caller("c")

        async def wait():
            async with queue.turn(third, 50):
                return third.place()

        async with queue.turn(Caller("a")):
            tasks = [asyncio.create_task(enter(queue, "b")), asyncio.create_task(wait())]
            await asyncio.sleep(0)
            assert third.place() == 1
        return (await asyncio.gather(*tasks))[1]

    assert asyncio.run(visit()) is None


def test_a_turn_wakes_a_waiter_in_another_event_loop():
    queue, waits = FairQueue(1), threading.Event()

    async def wait():
        waiting = asyncio.create_task(enter(queue, "b"))
        await asyncio.sleep(0)
        waits.set()
        return await waiting

    async def hold(threads):
        async with queue.turn(Caller("a")):
            other = threads.submit(asyncio.run, wait())
            await asyncio.to_thread(waits.wait)
        return await asyncio.wait_for(asyncio.wrap_future(other), 60)

    with ThreadPoolExecutor(1) as threads:
        assert asyncio.run(hold(threads))
