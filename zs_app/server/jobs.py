"""Handlers and jobs: errors become messages, and long work is started, asked how far it is, and its result taken.

The message of a `ZeroScrollsError` is shown. For any other error a number is shown that is also in the log, with the
error's type and stack but without its message, which could contain a visitor's data.

A job belongs to its id, which nobody can guess, and not to a connection: a page that lost its connection or was loaded
again asks with the id that it kept. `tabs/score_file.py` is an example.
"""

import asyncio
import json
import logging
import re
import secrets
import threading
from bisect import insort
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache, partial, wraps
from inspect import Parameter, iscoroutinefunction, signature
from time import monotonic
from typing import Annotated, Any, ParamSpec, TypeVar, get_origin, get_type_hints

import anyio
import gradio as gr
from cachetools import TTLCache
from pydantic import PlainValidator, TypeAdapter, ValidationError

from zs_app import words
from zs_app.server.held_values import NotHeld, hold_reply, take
from zs_app.server.temporary_files import Gone, is_kept_here
from zs_app.server.workers import MAX_SECONDS, SMALL_SECONDS, place_of, run_process
from zs_metric.errors import ZeroScrollsError
from zs_metric.texts import clean_text

#: The routes by which calls go through Gradio's queue, and their replies come.
QUEUED = re.compile("/gradio_api/(?:call|queue)/")
_log = logging.getLogger(__name__)
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


class VisitorError(gr.Error):  # type: ignore[misc]  # Gradio is not typed
    """An error shown as a message and not logged; `more` is for the page."""

    def __init__(self, message: str, **more: Any) -> None:
        super().__init__(message, duration=None, print_exception=False)
        self.more = more

    def __str__(self) -> str:
        return str(self.message)


async def answer(function: Callable[..., Any], /, **values: Any) -> Any:
    """Return the result of a function that a visitor calls, run in a thread if it is no coroutine function; any error
    is raised as a `VisitorError` with the message to show.
    """
    try:
        return await (function(**values) if iscoroutinefunction(function) else in_thread(function, **values))
    except VisitorError:
        raise
    except Gone as error:
        raise VisitorError(str(error), gone=error.paths) from None
    except ZeroScrollsError as error:
        message = str(error)
    except ValidationError as error:
        message = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
    except Exception as error:  # noqa: BLE001  (logged, and shown as a number)
        message = unexpected(error, function)
    raise VisitorError(message)


def sentence(message: str) -> str:
    """Return a message of the command line as the page begins it: in upper case, where a word and no name begins it.

    >>> sentence("this report is gone"), sentence("qasper: no answers")
    ('This report is gone', 'qasper: no answers')
    """
    return message[:1].upper() + message[1:] if re.match("[a-z]+ ", message) else message


def unexpected(error: Exception, function: Callable[..., Any]) -> str:
    """Log an error that the function should not have raised; return the message with its number."""
    number = secrets.token_hex(4)
    _log.error("error %s in %s: %s", number, function.__qualname__, place_of(error))
    return words.UNEXPECTED.format(number)


def endpoint(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function as the handler of an endpoint: null means the default, and an MCP tool returns JSON.

    A value is read as the type of its parameter says, if that is annotated, as `Texts` is. Gradio, which would return
    the `repr` of an object to an MCP client, fills in the last parameter, `request`. The function need not have it.
    """
    declared = signature(function)
    own, last = declared.parameters, Parameter("request", Parameter.POSITIONAL_OR_KEYWORD, default=None)
    parameters = {**own, "request": own.get("request", last)}
    hints = get_type_hints(function, include_extras=True)
    readers = {name: TypeAdapter(hint).validate_python for name, hint in hints.items() if get_origin(hint) is Annotated}

    def read(parameter: Parameter, value: Any) -> Any:
        if value is None and parameter.default is not parameter.empty:
            return parameter.default
        return plain(readers.get(parameter.name, lambda value: value)(take(value)))

    def read_all(values: Sequence[Any]) -> dict[str, Any]:
        return {p.name: read(p, value) for p, value in zip(parameters.values(), values, strict=False)}

    @wraps(function)
    async def call(*values: Any) -> Any:
        try:
            named = await in_thread(read_all, values)  # large ones take a while
        except NotHeld as error:
            raise VisitorError(str(error)) from None
        request = named.get("request")
        result = await answer(function, **{name: value for name, value in named.items() if name in own})
        path = request.url.path if request else ""
        if path.startswith("/gradio_api/mcp"):
            return json.dumps(result, ensure_ascii=False)
        return await asyncio.to_thread(hold_reply, result) if QUEUED.match(path) else result

    call.__signature__ = declared.replace(parameters=[*parameters.values()])  # type: ignore[attr-defined]
    call.__annotations__ = {**function.__annotations__, "request": gr.Request}
    return call


def _in_json(value: Any) -> Any:
    """Return what a JSON text holds, `None` for any other value."""
    try:
        return json.loads(value) if isinstance(value, str) else None
    except (ValueError, RecursionError):
        return None


def _texts(value: Any) -> Any:
    content = _in_json(value)
    if isinstance(content, list) and all(isinstance(text, str) for text in content):
        return content
    return [value] if isinstance(value, str) else value


def _object(value: Any) -> Any:
    content = _in_json(value)
    return content if isinstance(content, dict) else value


def _paths(value: Any) -> list[str]:
    """Return the paths of one or more uploads, of anything else none."""
    files = value if isinstance(value, list) else [value]
    are_files = all(isinstance(file, dict) and "meta" in file and is_kept_here(str(file.get("path"))) for file in files)
    return [str(file["path"]) for file in files] if are_files else []


#: The types of values of endpoints: texts or one text, or an object, also as JSON text; uploads or one; one or none.
Texts = Annotated[list[str] | str, PlainValidator(_texts)]
Predictions = Annotated[dict[str, dict[str, str]] | str, PlainValidator(_object)]
References = Annotated[dict[str, dict[str, list[str]]] | str, PlainValidator(_object)]
Paths = Annotated[list[gr.FileData], PlainValidator(_paths)]
OptionalPath = Annotated[gr.FileData | None, PlainValidator(lambda value: next(iter(_paths(value)), None))]


def plain(value: Any) -> Any:
    """Return a value without lone surrogates, which no response can hold."""
    if isinstance(value, str):
        return clean_text(value, "")
    return [plain(item) for item in value] if isinstance(value, list) else value


async def in_thread(
    function: Callable[_Arguments, _Result], /, *values: _Arguments.args, **named: _Arguments.kwargs
) -> _Result:
    """Return the result of the function, called in one of its threads, so that it does not block other requests."""
    return await anyio.to_thread.run_sync(partial(function, *values, **named), limiter=_threads(function))


@cache
def _threads(_: Callable[..., Any]) -> anyio.CapacityLimiter:
    return anyio.CapacityLimiter(20)


def visitor_of(request: Any) -> str:
    """Return the address of the visitor of a request; empty without one."""
    client = request.client if request else None
    return client.host if client else ""


KEPT_SECONDS, MAX_KEPT = 3_600, 2_000  # seconds for which a job is kept after its start, and the most jobs kept
PROCESSES = 2  # jobs that run in processes at the same time; the others wait
MAX_OF_VISITOR, MAX_WAITING = 20, 200  # the most waiting jobs of one address, and of all
#: Bytes of input from which a job is large. Large jobs never hold all slots; small ones have less time.
LARGE = 1_000_000
#: A waiting job is treated as if it had come later: by a second for this many bytes of input, and by this many seconds
#: for each job that its visitor already has. So small jobs go first, visitors take turns, and no job waits for ever.
BYTES_A_SECOND, SECONDS_A_JOB = 50_000, 10
# The least and the most seconds that `progress` waits for a job to end: as long as it has run.
_WAITS = 0.2, 1.0


class JobFailed(ZeroScrollsError):
    """A job that was refused, failed, took too long, or is no longer kept."""


@dataclass(eq=False)
class Job:
    """Who waits for a job, by address, since when, and how far it is: the share done, 0 to 1, and the current step."""

    visitor: str = ""
    since: float = field(default_factory=monotonic)
    fraction: float = 0.0
    message: str = ""

    def report(self, fraction: float, message: str) -> None:
        """Report how far the job is; an empty message leaves the earlier one."""
        self.fraction, self.message = fraction, message or self.message


@dataclass(eq=False)
class _Turn:
    job: Job
    is_large: bool
    due: float
    begins: Future[None] = field(default_factory=Future)


class FairQueue:
    """A semaphore, for several event loops, that serves small jobs first, and visitors in turn.

    With several slots, one is always left by the jobs of one visitor, and by large jobs, for all others.
    """

    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._running: list[_Turn] = []
        self._waiting: list[_Turn] = []
        self._lock = threading.Lock()

    @asynccontextmanager
    async def turn(self, job: Job, size: int = 0) -> AsyncIterator[None]:
        """Wait for a slot and hold it; raises `JobFailed` if too many jobs wait. `size`: bytes of the job's input."""
        with self._lock:
            own = sum(other.job.visitor == job.visitor for other in self._waiting)
            if own >= MAX_OF_VISITOR or len(self._waiting) >= MAX_WAITING:
                raise JobFailed(f"too many files are waiting ({own} of them yours); try again in a few minutes")
            turn = _Turn(job, size >= LARGE, monotonic() + size / BYTES_A_SECOND + SECONDS_A_JOB * own)
            insort(self._waiting, turn, key=lambda turn: turn.due)
            self._start_next()
        try:
            await asyncio.wrap_future(turn.begins)
            yield
        finally:
            with self._lock:
                (self._running if turn in self._running else self._waiting).remove(turn)
                self._start_next()

    def place(self, job: Job) -> int | None:
        """Return how many jobs go before this one; `None` when it is not waiting."""
        return next((place for place, turn in enumerate(tuple(self._waiting)) if turn.job is job), None)

    def _start_next(self) -> None:
        """Give free slots to the first jobs that may have one."""
        shared = max(1, self._slots - 1)
        for turn in tuple(self._waiting):
            large = sum(other.is_large for other in self._running)
            own = sum(other.job.visitor == turn.job.visitor for other in self._running)
            is_next = len(self._running) < self._slots and own < shared and (not turn.is_large or large < shared)
            if is_next and turn.begins.set_running_or_notify_cancel():
                self._waiting.remove(turn)
                self._running.append(turn)
                turn.begins.set_result(None)


_queue = FairQueue(PROCESSES)
_jobs: TTLCache[str, tuple[Job, "asyncio.Task[Any]"]] = TTLCache(MAX_KEPT, KEPT_SECONDS)


async def run_job(function: Callable[..., Any], *arguments: Any, job: Job | None = None, size: int = 0) -> Any:
    """Return the result of a function, run in a process when it is its turn. Cancelling the call kills the process.

    A new process can import the function, whose last argument is a progress callback; how far it is is reported to the
    `job`. `size` is the bytes of input: small jobs go first, and have less time. Raises `JobFailed` with what to show,
    such as the message of a `ZeroScrollsError` that the function raised.
    """
    job, cancelled = job or Job(), threading.Event()
    async with _queue.turn(job, size):
        try:
            seconds = MAX_SECONDS if size >= LARGE else SMALL_SECONDS
            kind, value = await asyncio.to_thread(run_process, function, arguments, job.report, cancelled, seconds)
        finally:
            cancelled.set()
    if kind == "done":
        return value
    if kind == "failed":
        _log.error("a job failed: %s", value)
        value = "something went wrong on our side while this was scored; your file is not the cause"
    raise JobFailed(value)


def start(work: Callable[[Job], Coroutine[Any, Any, Any]], visitor: str) -> str:
    """Start a job for the visitor at that address in the running event loop, and return its id; `work` returns its
    result, and the message of a `ZeroScrollsError` that it raises is the job's.
    """
    job, job_id = Job(visitor), secrets.token_hex(16)

    async def run() -> Any:
        return await work(job)

    task = asyncio.create_task(answer(run))
    task.add_done_callback(lambda task: task.cancelled() or task.exception())  # else asyncio would log its message
    _jobs[job_id] = job, task
    return job_id


def start_process(request: Any, function: Callable[..., Any], *arguments: Any, size: int = 0) -> dict[str, str]:
    """Start a function as a job in a process for the visitor of a request, and return the job's id; see `run_job`."""
    return {"job": start(lambda job: run_job(function, *arguments, job=job, size=size), visitor_of(request))}


async def progress(job_id: str) -> dict[str, Any]:
    """Return how far a job is: at once when it has ended, else after a moment, so that the page needs no timer.

    Returns:
        `state` (`waiting`, `running`, `done`, `failed`, or `gone` for an id that is unknown or too old); `fraction`,
        the share done; `message`, the step or, of a job that failed or is gone, a sentence to show in plain text;
        `place`, how many jobs go before a waiting one; and `made`, what a job that is done has returned.
    """
    if job_id not in _jobs:
        return {"state": "gone", "fraction": 0.0, "message": words.JOB_GONE, "place": 0}
    job, task = _jobs[job_id]
    least, most = _WAITS
    await asyncio.wait({task}, timeout=min(most, max(least, monotonic() - job.since)))
    place = _queue.place(job)
    reply = {"fraction": job.fraction, "message": job.message, "place": place or 0}
    if not task.done():
        return {**reply, "state": "running" if place is None else "waiting"}
    if error := task.exception():
        return {**reply, "state": "failed", "message": sentence(str(error))}
    return {**reply, "state": "done", "made": task.result()}
