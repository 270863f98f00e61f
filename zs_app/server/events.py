"""Handlers of events: errors as messages, jobs for what takes long, and no queue for what is answered at once.

The message of a `ZeroScrollsError` is shown. For any other error a number is shown that is also in the log, with the
error's type and stack but without its message, which could contain a visitor's data.
"""

from __future__ import annotations

import copyreg
import html
import logging
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from inspect import isasyncgenfunction, iscoroutinefunction
from math import isfinite
from typing import Any, ParamSpec

import gradio as gr
from gradio.utils import NamedString

from zs_app import words
from zs_app.server.job_queue import CALLER, while_connected
from zs_app.server.workers import place_of, run_job
from zs_bench.progress import Progress
from zs_metric.errors import ZeroScrollsError

#: The options of an event that runs a job: Gradio does not limit them, since jobs have a queue of their own.
LONG: Mapping[str, Any] = {"concurrency_limit": None}
# Paths of uploads are texts of a class of Gradio's, which a job's process would import to read them.
copyreg.pickle(NamedString, lambda path: (str, (str(path),)))
_log = logging.getLogger(__name__)
_Arguments = ParamSpec("_Arguments")


class VisitorError(gr.Error):  # type: ignore[misc]  # Gradio is not typed
    """An error shown as a message and not logged."""

    def __init__(self, message: str) -> None:
        super().__init__(message, duration=None, print_exception=False)

    def __str__(self) -> str:
        return str(self.message)


def live() -> dict[str, Any]:
    """The options of an event that is answered at once: no queue, the last value wins, no endpoint."""
    return {"queue": False, "show_progress": "hidden", "api_visibility": "private", "trigger_mode": "always_last"}


def handler(function: Callable[_Arguments, Any], *, plain: bool = False) -> Callable[_Arguments, Any]:
    """Wrap a function as the handler of an event, so that its errors become messages.

    Args:
        function: a function, coroutine function or asynchronous generator function.
        plain: whether the messages are for programs. On the page they are HTML and therefore escaped.
    """
    shown = str if plain else html.escape

    @wraps(function)
    def run(*arguments: _Arguments.args, **options: _Arguments.kwargs) -> Any:
        with _messages(function.__name__, shown):
            return function(*arguments, **options)

    @wraps(function)
    async def wait(*arguments: _Arguments.args, **options: _Arguments.kwargs) -> Any:
        with _messages(function.__name__, shown):
            return await function(*arguments, **options)

    @wraps(function)
    async def go_on(*arguments: _Arguments.args, **options: _Arguments.kwargs) -> Any:
        with _messages(function.__name__, shown):
            async for outputs in function(*arguments, **options):
                yield outputs

    if isasyncgenfunction(function):
        return go_on
    return wait if iscoroutinefunction(function) else run


@contextmanager
def _messages(name: str, shown: Callable[[str], str]) -> Iterator[None]:
    try:
        yield
    except gr.Error:
        raise
    except ZeroScrollsError as error:
        raise VisitorError(shown(str(error))) from None
    except Exception as error:  # noqa: BLE001  (logged, and shown as a number)
        number = secrets.token_hex(4)
        _log.error("error %s in %s: %s", number, name, place_of(error))
        raise VisitorError(words.UNEXPECTED.format(number)) from None


async def run_for(request: Any, job: Callable[..., Any], *arguments: Any, progress: Progress | None = None) -> Any:
    """The result of `run_job` for the visitor of a request; the job ends if the visitor leaves.

    Args:
        request: the request of the event, of Gradio or of Starlette.
        job: the function.
        *arguments: its arguments, except the last one, the progress.
        progress: called with the share done and a few words.

    Raises:
        ClientDisconnected: and the errors of `run_job`.
    """
    scope = getattr(getattr(request, "request", None) or request, "scope", {})
    address, ticket = scope.get(CALLER, ("", ""))
    owners = (ticket, getattr(request, "session_hash", None) or "")
    return await while_connected(owners, run_job(job, *arguments, visitor=address, progress=progress))


# The types that the fields of the page send; an emptied field sends `None`.
_KINDS: Mapping[type, tuple[type, ...]] = {
    gr.Textbox: (str,),
    gr.Radio: (str, int),
    gr.Dropdown: (str, int),
    gr.Number: (int, float),
    gr.Slider: (int, float),
    gr.Checkbox: (bool,),
}


def without_detours(page: gr.Blocks) -> None:
    """Pass values to the handlers of live events directly, with a check of our own instead of Gradio's preprocessing.

    Gradio preprocesses every field of an event in another thread, ten times for a key typed into "Score an answer":
    a quarter of the work, and most of the latency under load.
    """
    for event in page.fns.values():
        if event.fn and not event.queue and all(type(field) in (gr.State, *_KINDS) for field in event.inputs):
            event.fn, event.preprocess = _checked(event.fn, [_KINDS.get(type(field)) for field in event.inputs]), False


def _checked(function: Callable[..., Any], kinds: list[tuple[type, ...] | None]) -> Callable[..., Any]:
    """The handler, which rejects values that the fields cannot send."""

    @wraps(function)
    def run(*values: Any, **options: Any) -> Any:
        sent = [value for value in values if not isinstance(value, (gr.EventData, gr.Request, gr.Progress))]
        if not all(map(_fits, sent, kinds)):
            raise VisitorError("this is not what the page sends")
        return function(*values, **options)

    return run


def _fits(value: object, kinds: tuple[type, ...] | None) -> bool:
    """Whether a field can send the value; `kinds` is `None` for a state, which the server holds."""
    return kinds is None or value is None or (type(value) in kinds and (type(value) is not float or isfinite(value)))
