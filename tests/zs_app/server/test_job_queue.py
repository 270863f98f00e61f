"""The queue of jobs: visitors take turns, and nobody waits for disconnected clients."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from zs_app.server import job_queue
from zs_app.server.job_queue import ClientDisconnected, FairQueue, QueueFull, cancel, while_connected, work_for


def served(visitors, cancelled=()):
    """The order in which one slot runs these jobs."""

    async def visit():
        order, counter = [], FairQueue(1)

        async def job(name, number):
            async with counter.turn(name):
                order.append(f"{name}{number}")
                await asyncio.sleep(0)

        async with counter.turn("first"):
            jobs = [asyncio.create_task(job(*visitor)) for visitor in visitors]
            await asyncio.sleep(0)
            for number in cancelled:
                jobs[number].cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        return order

    return asyncio.run(visit())


def test_another_visitors_file_waits_for_one_of_forty_four_files_and_not_for_all():
    visitors = [("a", i) for i in range(job_queue.MAX_OF_VISITOR)] + [("b", 0), ("c", 0), ("b", 1)]
    assert served(visitors)[:6] == ["a0", "b0", "c0", "a1", "b1", "a2"]


def test_a_disconnected_visitor_is_skipped():
    assert served([("a", 0), ("a", 1), ("b", 0)], cancelled=[0, 2]) == ["a1"]


def test_more_jobs_than_one_visitor_may_have_waiting_are_refused(monkeypatch):
    monkeypatch.setattr(job_queue, "MAX_OF_VISITOR", 2)

    async def visit():
        counter = FairQueue(1)

        async def job(name):
            async with counter.turn(name):
                return name

        async with counter.turn("first"):
            jobs = [asyncio.create_task(job(name)) for name in "aaab"]
            await asyncio.sleep(0)
        return await asyncio.gather(*jobs, return_exceptions=True)

    *found, third, last = asyncio.run(visit())
    assert (found, last) == (["a", "a"], "b")
    assert isinstance(third, QueueFull)
    assert "too many files are waiting (2 of them yours)" in str(third)


async def enter(counter, visitor):
    async with counter.turn(visitor):
        return True


def test_a_slot_given_to_a_visitor_who_leaves_at_that_moment_is_passed_on():
    async def visit():
        counter = FairQueue(1)
        async with counter.turn("first"):
            leaving = asyncio.create_task(enter(counter, "a"))
            await asyncio.sleep(0)
        leaving.cancel()
        return await enter(counter, "b")

    assert asyncio.run(visit())


def test_a_visitor_who_left_the_queue_can_enter_it_again(monkeypatch):
    monkeypatch.setattr(job_queue, "MAX_OF_VISITOR", 2)

    async def visit():
        counter = FairQueue(1)
        async with counter.turn("first"):
            for _ in range(5):
                waiting = [asyncio.create_task(enter(counter, "a")) for _ in range(2)]
                await asyncio.sleep(0)
                for task in waiting:
                    task.cancel()
                await asyncio.gather(*waiting, return_exceptions=True)
        return await enter(counter, "a")

    assert asyncio.run(visit())


def test_a_turn_wakes_a_waiter_in_another_event_loop():
    """Once it did not, and the tests of the workers hung."""
    counter, waits = FairQueue(1), threading.Event()

    async def wait():
        waiting = asyncio.create_task(enter(counter, "b"))
        await asyncio.sleep(0)
        waits.set()
        return await waiting

    async def hold(threads):
        async with counter.turn("a"):
            other = threads.submit(asyncio.run, wait())
            await asyncio.to_thread(waits.wait)
        return await asyncio.wait_for(asyncio.wrap_future(other), 60)

    with ThreadPoolExecutor(1) as threads:
        assert asyncio.run(hold(threads))


def test_work_goes_on_while_its_client_is_there_and_ends_with_it():
    async def visit():
        assert await while_connected(["one", ""], asyncio.sleep(0, "done")) == "done"
        work = asyncio.create_task(while_connected(["one", "two"], asyncio.sleep(60)))
        await asyncio.sleep(0)
        cancel(work_for("two"))
        with pytest.raises(ClientDisconnected):
            await work
        return job_queue._work

    assert asyncio.run(visit()) == {}
