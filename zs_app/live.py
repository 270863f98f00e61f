"""How handlers are wired: instant ones without a queue, long ones two at a time, and every error told.

An error of ours is a message. An unforeseen one is told by a number that the log has too, with its kind and place but
without its text: that could hold what a visitor sent, which is never logged.
"""

from __future__ import annotations

import html
import logging
import secrets
from collections.abc import Callable, Mapping
from functools import wraps
from math import isfinite
from typing import Any, ParamSpec, TypeVar

import gradio as gr

from zs_metric.errors import ZeroScrollsError

from . import words
from .worker import PROCESSES, place_of

#: The options of an event that scores files: they share the processes, and wait in one line for them.
LONG: Mapping[str, Any] = {"concurrency_limit": PROCESSES, "concurrency_id": "files"}
_log = logging.getLogger(__name__)
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


class Told(gr.Error):  # type: ignore[misc]  # Gradio is not typed
    """An error as a message for people; nothing of it is logged."""

    def __init__(self, message: str) -> None:
        super().__init__(message, duration=None, print_exception=False)

    def __str__(self) -> str:
        return str(self.message)


def live() -> dict[str, Any]:
    """The options of an event that answers at once: no queue, the last value wins, no endpoint."""
    return {"queue": False, "show_progress": "hidden", "api_visibility": "private", "trigger_mode": "always_last"}


def told(handler: Callable[_Arguments, _Result], *, plain: bool = False) -> Callable[_Arguments, _Result]:
    """The handler, its errors made messages.

    Args:
        handler: what is wired.
        plain: whether programs read the messages; on the page they are HTML, and so escaped.
    """
    shown = str if plain else html.escape

    @wraps(handler)
    def run(*arguments: _Arguments.args, **options: _Arguments.kwargs) -> _Result:
        try:
            return handler(*arguments, **options)
        except gr.Error:
            raise
        except ZeroScrollsError as error:
            raise Told(shown(str(error))) from None
        except Exception as error:  # noqa: BLE001  (the last door before the visitor)
            number = secrets.token_hex(4)
            _log.error("error %s in %s: %s", number, handler.__name__, place_of(error))
            raise Told(words.UNEXPECTED.format(number)) from None

    return run


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


def _checked(handler: Callable[..., _Result], kinds: list[tuple[type, ...] | None]) -> Callable[..., _Result]:
    """The handler, given what the fields can send and nothing else."""

    @wraps(handler)
    def run(*values: Any, **options: Any) -> _Result:
        sent = [value for value in values if not isinstance(value, (gr.EventData, gr.Request, gr.Progress))]
        if not all(map(_fits, sent, kinds)):
            raise Told("this is not what the page sends")
        return handler(*values, **options)

    return run


def _fits(value: object, kinds: tuple[type, ...] | None) -> bool:
    """Whether a field can send that; `None` for `kinds` is a state, which is the server's own."""
    return kinds is None or value is None or (type(value) in kinds and (type(value) is not float or isfinite(value)))
