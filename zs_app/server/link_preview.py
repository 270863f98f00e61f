"""The middleware for the HTML of the page: its first screen, and the link preview for other applications.

Gradio's template has an empty body, and fixed tags for the preview, which name gradio.app and are replaced.
"""

import html
import re

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zs_app import words

# The start of the element in which Gradio puts the page.
_BODY = b"<gradio-app"
_TAG = re.compile(rb'<meta\s+(?:property|name)="(?:og|twitter):[^>]*>\s*')


class LinkPreview:
    """The middleware for the HTML of the page; `head` and `body` are added at the end and the start of these."""

    def __init__(self, app: ASGIApp, head: str = "", body: str = "") -> None:
        self._app, self._head, self._body = app, head.encode(), body.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; if it is for the page, replace the tags in the response."""
        messages: list[Message] = []

        async def hold(message: Message) -> None:
            messages.append(message)
            if message["type"] == "http.response.start" or message.get("more_body"):
                return
            page = b"".join(part["body"] for part in messages[1:])
            head, end, rest = page.partition(b"</head>")
            rest = rest.replace(_BODY, self._body + _BODY, 1)
            added = tags(str(Request(scope).base_url)) + self._head
            body = _TAG.sub(b"", head) + added + end + rest if end else page
            others = [pair for pair in messages[0]["headers"] if pair[0].lower() != b"content-length"]
            await send({**messages[0], "headers": [*others, (b"content-length", str(len(body)).encode())]})
            await send({"type": "http.response.body", "body": body})

        is_page = scope["type"] == "http" and scope["path"] == "/" and scope["method"] == "GET"
        await self._app(scope, receive, hold if is_page else send)


def tags(address: str) -> bytes:
    """Return the tags of the page at that address, which ends with a slash."""
    contents = {
        'property="og:type"': "website",
        'property="og:title"': words.TITLE,
        'property="og:description"': words.DESCRIPTION,
        'property="og:url"': address,
        'property="og:image"': f"{address}favicon.ico",
        'name="twitter:card"': "summary",
        'name="description"': words.DESCRIPTION,
    }
    return "".join(f'<meta {name} content="{html.escape(text)}">\n' for name, text in contents.items()).encode()
