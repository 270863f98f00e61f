"""ASGI middleware for responses that differ from Gradio's.

Live events with HTML outputs, such as a key typed, bypass Gradio's route, which takes five times as long as scoring and
rendering. The request, the check of its values, the handler and the response are the same; Gradio's session, which
these events do not use, is skipped.

The page's link preview tags (title, description, picture) are fixed in Gradio's template, so they are replaced in the
response; a page without them is passed on unchanged.
"""

import html
import json
import re
import time
from inspect import iscoroutinefunction
from typing import Any

import gradio as gr
from gradio.utils import error_payload
from starlette.requests import Request
from starlette.responses import JSONResponse

from zs_app import words
from zs_app.server.events import in_thread
from zs_app.server.exchange import App, Message, Receive, Send

_ROUTE = "/gradio_api/run/predict"
_TAG = re.compile(r'<meta\s+(?:property|name)="(?:og|twitter):[^>]*>\s*')


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


class Preview:
    """The middleware for the link preview of the page."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass the request on; if it is for the page, collect the response and replace the tags."""
        if scope["type"] != "http" or scope["path"] != "/" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        scheme = request.headers.get("x-forwarded-proto", request.url.scheme).partition(",")[0]
        address = f"{scheme}://{request.headers.get('host', '')}{scope.get('root_path', '')}"
        start: Message = {}
        body = bytearray()

        async def hold(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
                return
            body.extend(message.get("body", b""))
            if message.get("more_body"):
                return
            content = with_preview(body.decode("utf-8"), address).encode()
            others = [pair for pair in start["headers"] if pair[0].lower() != b"content-length"]
            await send({**start, "headers": [*others, (b"content-length", str(len(content)).encode())]})
            await send({"type": "http.response.body", "body": content})

        await self._app(scope, receive, hold)


def with_preview(page: str, address: str) -> str:
    """Replace the preview tags in the HTML of the page; `address` has no trailing slash."""
    head, end, rest = page.partition("</head>")
    content = {
        "og:type": "website",
        "og:title": words.TITLE,
        "og:description": words.DESCRIPTION,
        "og:url": f"{address}/",
        "og:image": f"{address}/favicon.ico",
        "twitter:card": "summary",
        "description": words.DESCRIPTION,
    }
    tags = "".join(
        f'<meta {"property" if name.startswith("og:") else "name"}="{name}" content="{html.escape(text)}">\n'
        for name, text in content.items()
    )
    return _TAG.sub("", head) + tags + end + rest if end else page
