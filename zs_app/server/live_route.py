"""The middleware for live events, such as a key typed: those with HTML outputs bypass Gradio's route.

The route takes five times as long as scoring and rendering. The request, the check of its values, the handler and the
response are the same; Gradio's session, which these events do not use, is skipped.
"""

import json
import time
from inspect import iscoroutinefunction
from typing import Any

import gradio as gr
from gradio.utils import error_payload
from starlette.responses import JSONResponse

from zs_app.server.events import in_thread
from zs_app.server.request_body import App, Message, Receive, Send

_ROUTE = "/gradio_api/run/predict"


class LiveEvents:
    """The middleware for live events; `RequestChecks` has read and checked the body."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer the request, or pass it on."""
        if scope["type"] != "http" or scope["path"] != _ROUTE or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        body = await receive()
        page = scope["app"].get_blocks()
        call = json.loads(body.get("body") or b"null")
        event = _event(page, call)
        if event:
            await (await _answer(page, event, list(call["data"])))(scope, receive, send)
            return
        read = iter([body])

        async def again() -> Message:
            return next(read, None) or await receive()

        await self._app(scope, again, send)


def _event(page: Any, call: Any) -> Any:
    """The event of a call, if it is live and its outputs are HTML; else `None`."""
    if not isinstance(call, dict) or type(call.get("fn_index")) is not int or not isinstance(call.get("data"), list):
        return None
    event = page.fns.get(call["fn_index"])
    if not event or not event.fn or event.queue or event.preprocess:
        return None
    return event if {type(field) for field in event.outputs} == {gr.HTML} else None


async def _answer(page: Any, event: Any, values: list[Any]) -> JSONResponse:
    """What Gradio's route would answer."""
    start = time.perf_counter()
    try:
        page.validate_inputs(event, values)
        given = values[: len(event.inputs)]
        found = await (event.fn(*given) if iscoroutinefunction(event.fn) else in_thread(event.fn, *given))
    except gr.Error as error:
        return JSONResponse(error_payload(error, page.show_error), 500)
    seconds = time.perf_counter() - start
    data = [found] if len(event.outputs) == 1 else found
    return JSONResponse({"data": data, "is_generating": False, "duration": seconds, "average_duration": seconds})
