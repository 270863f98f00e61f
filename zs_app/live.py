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
