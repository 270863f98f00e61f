"""The middleware for the HTML of the page: its first screen, and the link preview for other applications.

Gradio's template of the page has an empty body, and fixed tags for the preview's title, description and picture.
"""

import html
import re

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zs_app import words

# The start of the element in which Gradio puts the page.
_BODY = "<gradio-app"
_TAG = re.compile(r'<meta\s+(?:property|name)="(?:og|twitter):[^>]*>\s*')


class LinkPreview:
    """The middleware for the HTML of the page; `head` and `body` are added at the end and the start of these."""

    def __init__(self, app: ASGIApp, head: str = "", body: str = "") -> None:
        self._app, self._head, self._body = app, head, body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; if it is for the page, collect the response and replace the tags."""
        if scope["type"] != "http" or scope["path"] != "/" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        start: Message = {}
        body = bytearray()

        async def hold(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
                return
            body.extend(message.get("body", b""))
            if not message.get("more_body"):
                page = with_preview(body.decode("utf-8"), str(Request(scope).base_url))
                for place, added in (("</head>", self._head), (_BODY, self._body)):
                    page = page.replace(place, added + place, 1)
                data = page.encode()
                others = [pair for pair in start["headers"] if pair[0].lower() != b"content-length"]
                await send({**start, "headers": [*others, (b"content-length", str(len(data)).encode())]})
                await send({"type": "http.response.body", "body": data})

        await self._app(scope, receive, hold)


def with_preview(page: str, address: str) -> str:
    """Return the HTML of the page with its own preview tags; `address` ends with a slash."""
    head, end, rest = page.partition("</head>")
    tags = {
        'property="og:type"': "website",
        'property="og:title"': words.TITLE,
        'property="og:description"': words.DESCRIPTION,
        'property="og:url"': address,
        'property="og:image"': f"{address}favicon.ico",
        'name="twitter:card"': "summary",
        'name="description"': words.DESCRIPTION,
    }
    lines = [f'<meta {name} content="{html.escape(content)}">\n' for name, content in tags.items()]
    return _TAG.sub("", head) + "".join(lines) + end + rest if end else page
