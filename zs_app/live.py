"""How handlers are wired: instant ones without a queue, all of them so that an unforeseen error is told and logged."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import gradio as gr

from zs_metric.errors import ZeroScrollsError

from . import words

_log = logging.getLogger(__name__)
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def live() -> dict[str, Any]:
    """The options of an event that answers at once: no queue, the last value wins, no endpoint."""
    return {"queue": False, "show_progress": "hidden", "api_visibility": "private", "trigger_mode": "always_last"}


def told(handler: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """The handler, its errors made messages: ours as they are, an unforeseen one by a number that the log has too."""

    @wraps(handler)
    def run(*arguments: _Arguments.args, **options: _Arguments.kwargs) -> _Result:
        try:
            return handler(*arguments, **options)
        except gr.Error:
            raise
        except ZeroScrollsError as error:
            raise gr.Error(str(error), duration=None, print_exception=False) from None
        except Exception as error:
            number = secrets.token_hex(4)
            _log.exception("error %s in %s", number, handler.__name__)
            raise gr.Error(words.UNEXPECTED.format(number), duration=None, print_exception=False) from error

    return run
