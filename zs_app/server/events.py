"""Handlers of server functions and endpoints: errors become messages, values are plain, and long work has a thread.

The message of a `ZeroScrollsError` is shown. For any other error a number is shown that is also in the log, with the
error's type and stack but without its message, which could contain a visitor's data.
"""

import json
import logging
import secrets
from collections.abc import Callable, Iterable
from functools import cache, partial, wraps
from inspect import Parameter, iscoroutinefunction, signature
from typing import Any, ParamSpec, TypeVar

import anyio
import gradio as gr
from pydantic import ValidationError

from zs_app import words
from zs_app.server.temporary_files import Gone
from zs_app.server.workers import place_of
from zs_metric.errors import ZeroScrollsError
from zs_metric.texts import clean_text

_log = logging.getLogger(__name__)
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")
# The most characters of an answer and its references that are scored within a few milliseconds.
_SHORT = 2_000


class VisitorError(gr.Error):  # type: ignore[misc]  # Gradio is not typed
    """An error shown as a message and not logged; `more` is for the page."""

    def __init__(self, message: str, **more: Any) -> None:
        super().__init__(message, duration=None, print_exception=False)
        self.more = more

    def __str__(self) -> str:
        return str(self.message)


async def answer(function: Callable[..., Any], /, **values: Any) -> Any:
    """Return the result of a function that a visitor calls, run in a thread if it is no coroutine function.

    Raises:
        VisitorError: with the message to show, for any error.
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


def unexpected(error: Exception, function: Callable[..., Any]) -> str:
    """Log an error that the function should not have raised; return the message with its number."""
    number = secrets.token_hex(4)
    _log.error("error %s in %s: %s", number, function.__qualname__, place_of(error))
    return words.UNEXPECTED.format(number)


def endpoint(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function as the handler of an endpoint: null means the default, and an MCP tool returns JSON.

    Gradio, which would return the `repr` of an object to an MCP client, fills in the last parameter, `request`. The
    function need not have it.
    """
    declared = signature(function)
    own, last = declared.parameters, Parameter("request", Parameter.POSITIONAL_OR_KEYWORD, default=None)
    parameters = {**own, "request": own.get("request", last)}

    @wraps(function)
    async def call(*values: Any) -> Any:
        pairs = zip(parameters.values(), map(plain, values), strict=False)
        named = {p.name: p.default if value is None and p.default is not p.empty else value for p, value in pairs}
        request = named.get("request")
        result = await answer(function, **{name: value for name, value in named.items() if name in own})
        is_tool = request and request.url.path.startswith("/gradio_api/mcp")
        return json.dumps(result, ensure_ascii=False) if is_tool else result

    call.__signature__ = declared.replace(parameters=[*parameters.values()])  # type: ignore[attr-defined]
    call.__annotations__ = {**function.__annotations__, "request": gr.Request}
    return call


def plain(value: Any) -> Any:
    """Return a value without lone surrogates, which no response can hold, and with paths of uploads as plain texts."""
    if isinstance(value, str):
        return clean_text(str(value), "")
    return [plain(item) for item in value] if isinstance(value, list) else value


async def without_blocking(
    texts: Iterable[str], function: Callable[_Arguments, _Result], *values: _Arguments.args, **named: _Arguments.kwargs
) -> _Result:
    """Return the result of a function that scores these texts: of short ones at once, since a thread takes longer."""
    if sum(map(len, texts)) <= _SHORT:
        return function(*values, **named)
    return await in_thread(function, *values, **named)


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
