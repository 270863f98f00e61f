"""The middleware before Gradio: refuses what no visitor of this page sends, before Gradio has seen it.

Only the routes that the page and the programs use are open. Gradio fetches `http(s)` paths that are given to it as
files: none gets through, so the server makes no request that a visitor has named. A body has a largest size by route,
counted as it arrives, must keep arriving, and is checked before anything of it is kept. When a client goes, the work
that was done for it ends. An error that nobody caught is answered and logged without its text.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import anyio
from starlette.responses import JSONResponse

from zs_app.server import limits
from zs_app.server.exchange import App, Exchange, Message, Receive, Refused, Send
from zs_app.server.line import CALLER, end, work_for
from zs_app.server.temporary_files import has_room, is_kept_here
from zs_app.server.uploads import checked_upload
from zs_app.server.workers import is_full, place_of

#: The endpoint that takes the answers of a whole run in one body.
LARGE = "score_predictions"
# What may follow the address of the server: the page and what it is made of, and Gradio's routes that
# it or a program uses.
_PAGE = re.compile(
    r"/?|/(config|theme\.css|robots\.txt|favicon\.ico|manifest\.json|pwa_icon(/\d+)?)/?|/(assets|static|svelte)/.+"
)
_API = re.compile(
    r"(info|openapi\.json|startup-events|theme\.css|app_id|login_check|upload|upload_progress|cancel|reset"
    r"|queue/(join|data|status)|(heartbeat|run|api|call)/.+|file=.+|mcp(/schema|/http)?)/?"
)
# A body of so many bytes is looked through at once; to hand it to a thread would take longer.
_SHORT = 50_000
# Seconds after which a session whose last connection broke has gone.
_GRACE = 3.0
_NO_ROOM = "there is no room for files on the server now; try again in an hour"
_log = logging.getLogger(__name__)


class Gate:
    """ASGI middleware; see the module."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._streams: Counter[str] = Counter()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Let the request through, or answer it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = Exchange(receive, send)
        try:
            await self._let_through(scope, exchange)
        except Refused as refused:
            await self._answer(scope, exchange, refused.status, refused.why)
        except Exception as error:  # noqa: BLE001  (the last door: logged and answered without what was sent)
            if exchange.refused:
                await self._answer(scope, exchange, exchange.refused.status, exchange.refused.why)
                return
            if is_full(error):
                await self._answer(scope, exchange, 507, _NO_ROOM)
                return
            _log.error("error in a request: %s", place_of(error))
            await self._answer(scope, exchange, 500, "something went wrong")

    @staticmethod
    async def _answer(scope: Message, exchange: Exchange, status: int, why: str) -> None:
        """A short answer, unless there is one already."""
        if not exchange.answered:
            await JSONResponse({"detail": why, "error": why}, status)(scope, exchange.receive, exchange.send)

    async def _let_through(self, scope: Message, exchange: Exchange) -> None:
        route = route_of(scope["path"])
        ticket = secrets.token_hex(8)
        scope[CALLER] = (scope["client"][0] if scope.get("client") else "", ticket)
        if route.rstrip("/") == "mcp":  # Gradio would redirect the one spelling to the other, which clients refuse
            scope.update(path="/gradio_api/mcp/", raw_path=b"/gradio_api/mcp/")
        if scope["method"] in ("GET", "HEAD", "OPTIONS"):
            exchange.limit(scope, limits.MAX_SMALL)
            await exchange.read()
            await self._follow(scope, exchange, session_of(route, scope))
        elif route.rstrip("/") == "upload":
            if not await anyio.to_thread.run_sync(has_room):
                raise Refused(507, _NO_ROOM)
            exchange.limit(scope, limits.MAX_UPLOADS)
            checked_upload(scope, exchange)
            await self._app(scope, exchange.receive, exchange.send)
        else:
            exchange.limit(scope, limits.MAX_BODY if may_be_large(route) else limits.MAX_EVENT)
            body = await exchange.read()
            if len(body) <= _SHORT:
                check_body(body, route, scope)
            else:  # in a thread: it takes a while
                await anyio.to_thread.run_sync(check_body, body, route, scope)
            await self._watched(scope, exchange, lambda: end(work_for(ticket)))

    async def _follow(self, scope: Message, exchange: Exchange, session: str) -> None:
        """Serve a stream of a session's events: when its last one breaks, and stays so, the session has gone."""
        if not session:
            await self._app(scope, exchange.receive, exchange.send)
            return
        self._streams[session] += 1

        def broken() -> None:
            # What begins after the break has a client that came back.
            asyncio.get_running_loop().call_later(_GRACE, self._end, session, work_for(session))

        try:
            await self._watched(scope, exchange, broken)
        finally:
            self._streams[session] -= 1
            self._streams += Counter()  # leaves out those of which there are none

    def _end(self, session: str, work: Any) -> None:
        if not self._streams[session]:
            end(work)

    async def _watched(self, scope: Message, exchange: Exchange, gone: Callable[[], None]) -> None:
        """Serve a request whose body was read, and call `gone` if its client goes before it is answered."""

        async def watch() -> None:
            while (await exchange.receive_more())["type"] != "http.disconnect":
                pass
            if not exchange.finished:
                gone()

        watcher = asyncio.create_task(watch())
        try:
            await self._app(scope, exchange.receive, exchange.send)
        finally:
            watcher.cancel()


def route_of(path: str) -> str:
    """What follows `/gradio_api/` in an address, empty for the page itself.

    Raises:
        Refused: for what is not open, and for a file that is no visitor's.
    """
    page, api, route = path.partition("/gradio_api/")
    if not api:
        if not _PAGE.fullmatch(path):
            raise Refused(404, "not found")
        return ""
    if page or not _API.fullmatch(route):
        raise Refused(404, "not found")
    if route.startswith("file=") and not is_kept_here(route.removeprefix("file=")):
        raise Refused(403, "no such file")
    return route


def may_be_large(route: str) -> bool:
    """Whether a body of that route may hold the answers of a whole run; which it does is seen in the body."""
    return route.rstrip("/") in ("queue/join", "mcp", "mcp/http") or route.rstrip("/").endswith(f"/{LARGE}")


def session_of(route: str, scope: Message) -> str:
    """The session whose events a request streams, if it does."""
    if route.startswith("queue/data"):
        return str(parse_qs(scope["query_string"].decode("latin-1")).get("session_hash", [""])[0])
    return route.rstrip("/").rpartition("/")[2] if route.startswith("call/") else ""


def check_body(body: bytes, route: str, scope: Message) -> None:
    """Refuse a body that is no JSON, one that is too large for what it asks for, and a file that is no upload.

    Raises:
        Refused: with the HTTP status.
    """
    try:
        content = json.loads(body) if body else None
    except (ValueError, RecursionError):
        raise Refused(400, "the body is no JSON that can be read") from None
    if len(body) > limits.MAX_EVENT and not _is_large(content, route, scope):
        raise Refused(413, limits.too_large(limits.MAX_EVENT))
    left = [content]
    while left:
        value = left.pop()
        if isinstance(value, list):
            left += value
        elif isinstance(value, dict):
            left += value.values()
            _check_path(value)
    if isinstance(content, dict):
        for name in ("session_hash", "event_id", "trigger_id", "fn_index", "batched"):
            if isinstance(content.get(name), (str, list, dict)) and len(content[name]) > limits.MAX_NAME:
                raise Refused(400, f"{name} is longer than {limits.MAX_NAME} characters")


def _check_path(value: dict[Any, Any]) -> None:
    """Refuse what Gradio would take for a file when it is no upload, and every address given as one."""
    path = value.get("path")
    if not isinstance(path, str):
        return
    is_address = path.lstrip().lower().startswith(("http:", "https:"))
    if ("meta" in value or is_address) and not is_kept_here(path):
        raise Refused(403, "a file can only be one that was uploaded here, not a path or an address")


def _is_large(content: Any, route: str, scope: Message) -> bool:
    """Whether the body is a call of the endpoint that takes the answers of a whole run."""
    if not isinstance(content, dict):
        return False
    if route.startswith("queue/join"):
        index = content.get("fn_index")
        event = scope["app"].get_blocks().fns.get(index) if isinstance(index, int) else None
        return event is not None and event.api_name == LARGE
    if route.startswith("mcp"):
        called = content.get("params")
        return isinstance(called, dict) and str(called.get("name", "")).endswith(LARGE)
    return True
