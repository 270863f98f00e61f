"""Long work as a job: start it, ask how far it is, take its result.

A job belongs to its id, which nobody can guess, and not to a connection: a page that lost its connection or was loaded
again asks with the id that it kept. `progress` can be a server function itself, as in `tabs/score_file.py`:

    start(lambda job: work(..., job), visitor_of(request))     # the id
    await run_job(score_upload, ..., caller=job)               # in the coroutine `work`, for work in a process
    job.report(0.1, "downloading")                             # and for steps of its own
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine
from typing import Any, Literal, TypedDict

from cachetools import TTLCache

from zs_app import words
from zs_app.server.job_queue import Caller
from zs_app.server.workers import place_of
from zs_metric.errors import ZeroScrollsError

#: Seconds for which a job is kept after its start, and the most jobs kept.
KEPT_SECONDS = 3_600
MAX_KEPT = 2_000
# Seconds that `progress` waits for a job to end.
_WAIT = 0.5
_log = logging.getLogger(__name__)
#: A job that was started: whose it is, and how far it is.
Job = Caller
_jobs: TTLCache[str, tuple[Job, "asyncio.Task[Any]"]] = TTLCache(MAX_KEPT, KEPT_SECONDS)


class JobProgress(TypedDict):
    """How far a job is.

    Attributes:
        state: `gone` for an id that is unknown or too old.
        fraction: the share done, 0 to 1.
        message: the current step; of a job that failed or is gone, a sentence to show. Plain text.
        place: for a waiting job, how many jobs run before it.
    """

    state: Literal["waiting", "running", "done", "failed", "gone"]
    fraction: float
    message: str
    place: int


class NoResult(ZeroScrollsError):
    """The job has no result: it is not done, or no longer kept."""


def start(work: Callable[[Job], Coroutine[Any, Any, Any]], visitor: str) -> str:
    """Start a job in the running event loop and return its id.

    Args:
        work: does the work, and returns the result; the message of a `ZeroScrollsError` that it raises is the job's.
        visitor: the address of the visitor, see `events.visitor_of`.
    """
    job, job_id = Job(visitor), secrets.token_hex(16)
    _jobs[job_id] = job, asyncio.create_task(_run(work, job, job_id[:8]))
    return job_id


async def _run(work: Callable[[Job], Coroutine[Any, Any, Any]], job: Job, number: str) -> Any:
    try:
        return await work(job)
    except ZeroScrollsError:
        raise
    except Exception as error:  # noqa: BLE001  (logged by its place, and shown as a number)
        _log.error("error %s in a job: %s", number, place_of(error))
        raise NoResult(words.UNEXPECTED.format(number)) from None


async def progress(job_id: str) -> JobProgress:
    """Return how far a job is: at once when it has ended, else after half a second, so that the page needs no timer."""
    if job_id not in _jobs:
        return {"state": "gone", "fraction": 0.0, "message": words.JOB_GONE, "place": 0}
    job, task = _jobs[job_id]
    await asyncio.wait({task}, timeout=_WAIT)
    place = job.place()
    if not task.done():
        state: Literal["waiting", "running"] = "running" if place is None else "waiting"
        return {"state": state, "fraction": job.fraction, "message": job.message, "place": place or 0}
    error = task.exception()
    if error:
        return {"state": "failed", "fraction": job.fraction, "message": str(error), "place": 0}
    return {"state": "done", "fraction": 1.0, "message": job.message, "place": 0}


def result(job_id: str) -> Any:
    """Return what the work of a job returned.

    Raises:
        NoResult: if the job is not done, or no longer kept.
        ZeroScrollsError: the error of a job that failed.
    """
    _, task = _jobs.get(job_id, (None, None))
    if task is None or not task.done():
        raise NoResult(words.JOB_GONE)
    return task.result()
