"""The middleware for the link preview of the page: title, description and picture for other applications.

These tags are fixed in Gradio's template, so they are replaced in the response; a page without them is passed on
unchanged.
"""

import html
import re

from starlette.requests import Request

from zs_app import words
from zs_app.server.request_body import App, Message, Receive, Send

_TAG = re.compile(r'<meta\s+(?:property|name)="(?:og|twitter):[^>]*>\s*')


class LinkPreview:
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
