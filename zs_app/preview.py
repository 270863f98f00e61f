"""The preview of links to the page in other applications: title, description and picture.

The tags for this are fixed in Gradio's template. They are replaced in the response, without a change to Gradio; a page
without them is passed on unchanged.
"""

import html
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from zs_app import words

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]

_TAG = re.compile(r'<meta\s+(?:property|name)="(?:og|twitter):[^>]*>\s*')


class Preview:
    """ASGI middleware that replaces the tags of the page at `/`."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Callable[..., Awaitable[Message]], send: Send) -> None:
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
            if message.get("more_body"):
                return
            content = with_preview(body.decode("utf-8"), _address(scope)).encode()
            others = [pair for pair in start["headers"] if pair[0].lower() != b"content-length"]
            await send({**start, "headers": [*others, (b"content-length", str(len(content)).encode())]})
            await send({"type": "http.response.body", "body": content})

        await self._app(scope, receive, hold)


def with_preview(page: str, address: str) -> str:
    """Replace the preview tags in the HTML of the page.

    Args:
        address: the address of the page, without a slash at the end.
    """
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


def _address(scope: Message) -> str:
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    scheme = str(headers.get("x-forwarded-proto") or scope.get("scheme", "http")).partition(",")[0]
    return f"{scheme}://{headers.get('host', '')}{scope.get('root_path', '')}"
