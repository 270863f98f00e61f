"""How handlers are wired: instant ones without a queue, long ones by jobs, and every error as a message.

An error of ours is shown as it is. An unforeseen one is shown as a number that the log has too, with its kind and place
but without its text: that could hold what a visitor sent, which is never logged.
"""

from __future__ import annotations

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

from zs_app import words
from zs_app.server.line import CALLER, while_present
from zs_app.server.workers import place_of, run_job
from zs_bench.progress import Progress
from zs_metric.errors import ZeroScrollsError

#: The options of an event that runs a job: as many as there are may wait, since visitors take turns at the workers.
LONG: Mapping[str, Any] = {"concurrency_limit": None}
_log = logging.getLogger(__name__)
_Arguments = ParamSpec("_Arguments")


class VisitorError(gr.Error):  # type: ignore[misc]  # Gradio is not typed
    """An error as a message for people; nothing of it is logged."""

    def __init__(self, message: str) -> None:
        super().__init__(message, duration=None, print_exception=False)

    def __str__(self) -> str:
        return str(self.message)


def live() -> dict[str, Any]:
    """The options of an event that answers at once: no queue, the last value wins, no endpoint."""
    return {"queue": False, "show_progress": "hidden", "api_visibility": "private", "trigger_mode": "always_last"}


def handler(function: Callable[_Arguments, Any], *, plain: bool = False) -> Callable[_Arguments, Any]:
    """The function as an event's handler: its errors become messages.

    Args:
        function: what the event calls, a coroutine function where it waits for a job, an asynchronous generator
            where it shows something meanwhile.
        plain: whether programs read the messages; on the page they are HTML, and so escaped.
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
    except Exception as error:  # noqa: BLE001  (the last door before the visitor)
        number = secrets.token_hex(4)
        _log.error("error %s in %s: %s", number, name, place_of(error))
        raise VisitorError(words.UNEXPECTED.format(number)) from None


async def run_for(request: Any, job: Callable[..., Any], *arguments: Any, progress: Progress | None = None) -> Any:
    """The result of a job of `zs_app.jobs`, in this visitor's turn; it ends when the visitor has gone.

    Args:
        request: the request of the event, of Gradio or of Starlette.
        job: the function.
        *arguments: its arguments before its progress.
        progress: called with the share done and what is being done.

    Raises:
        ClientGone: and what `run_job` raises.
    """
    scope = getattr(getattr(request, "request", None) or request, "scope", {})
    address, ticket = scope.get(CALLER, ("", ""))
    keys = (ticket, getattr(request, "session_hash", None) or "")
    return await while_present(keys, run_job(job, *arguments, visitor=address, progress=progress))


# What the fields of the page send; `None` is an emptied one.
_KINDS: Mapping[type, tuple[type, ...]] = {
    gr.Textbox: (str,),
    gr.Radio: (str, int),
    gr.Dropdown: (str, int),
    gr.Number: (int, float),
    gr.Slider: (int, float),
    gr.Checkbox: (bool,),
}


def without_detours(page: gr.Blocks) -> None:
    """Have live events given their values as they come, checked where they are used.

    Gradio hands every field of an event to another thread and back, ten times for a key typed into "Score an answer":
    a quarter of the work, and most of the waiting when others are served too.
    """
    for event in page.fns.values():
        if event.fn and not event.queue and all(type(field) in (gr.State, *_KINDS) for field in event.inputs):
            event.fn, event.preprocess = _checked(event.fn, [_KINDS.get(type(field)) for field in event.inputs]), False


def _checked(function: Callable[..., Any], kinds: list[tuple[type, ...] | None]) -> Callable[..., Any]:
    """The handler, given what the fields can send and nothing else."""

    @wraps(function)
    def run(*values: Any, **options: Any) -> Any:
        sent = [value for value in values if not isinstance(value, (gr.EventData, gr.Request, gr.Progress))]
        if not all(map(_fits, sent, kinds)):
            raise VisitorError("this is not what the page sends")
        return function(*values, **options)

    return run


def _fits(value: object, kinds: tuple[type, ...] | None) -> bool:
    """Whether a field can send that; `None` for `kinds` is a state, which is the server's own."""
    return kinds is None or value is None or (type(value) in kinds and (type(value) is not float or isfinite(value)))
