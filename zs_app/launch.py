"""How the app is served: the options of `Blocks.launch`, and what goes on beside it."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gradio as gr
import gradio.queueing
import gradio.routes
from gradio.state_holder import SessionState
from starlette.middleware import Middleware

from zs_app import links
from zs_app.api import prepare_tools
from zs_app.preview import Preview
from zs_app.server.limits import MAX_UPLOAD
from zs_app.server.line import MAX_WAITING
from zs_app.server.middleware import Gate
from zs_app.server.temporary_files import remove_old_files
from zs_app.server.workers import place_of, start_workers, stop_workers
from zs_app.theme import STYLES, theme

#: Visitors whose state is kept; the one unseen longest makes room.
MAX_SESSIONS = 1_000
#: Seconds between two removals of old files.
EVERY = 300
#: The networks whose word on a visitor's address is taken on a Space, where its proxies are: without it, all visitors
#: would be one, and be counted as one.
PROXIES = "127.0.0.0/8,10.0.0.0/8,100.64.0.0/10,172.16.0.0/12,192.168.0.0/16,fc00::/7,::1"
_log = logging.getLogger(__name__)


def launch_options() -> dict[str, Any]:
    """The options of `Blocks.launch`. Host and port come from GRADIO_SERVER_NAME and GRADIO_SERVER_PORT."""
    if os.environ.get("SPACE_ID"):
        os.environ.setdefault("FORWARDED_ALLOW_IPS", PROXIES)  # read by uvicorn
    return {
        "theme": theme(),
        "css_paths": STYLES,
        "head": links.head(),
        "favicon_path": Path(__file__).with_name("icon.png"),
        "footer_links": ["settings"],
        "run_history": False,
        "ssr_mode": False,
        "mcp_server": True,
        "max_file_size": MAX_UPLOAD,
        "state_session_capacity": MAX_SESSIONS,
        # Gradio has as many events at work as threads; those that wait for their turn at the workers hold no thread.
        "max_threads": MAX_WAITING + 40,
        "app_kwargs": {"middleware": [Middleware(Gate), Middleware(Preview)], "lifespan": _beside},
    }


@asynccontextmanager
async def _beside(app: Any) -> AsyncIterator[None]:
    """What goes on as long as the server lives."""
    prepare_tools(app.get_blocks().mcp_server_obj)
    without_kept_values()
    # Gradio prints an error with the values that led to it; here it is logged where it was, and no more.
    gradio.queueing.traceback = gradio.routes.traceback = SimpleNamespace(print_exc=_print_place)
    # Neither the first page waits for the workers, nor the first file.
    tasks = [asyncio.create_task(asyncio.to_thread(start_workers)), asyncio.create_task(_tidy())]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.to_thread(stop_workers)


def without_kept_values() -> None:
    """Have Gradio keep no values of fields with a session, which it does for a kind of link that this app has not.

    Otherwise the longest text that a field was given stays in memory with each of the sessions.
    """
    SessionState._update_value_in_config = lambda *_: None  # noqa: SLF001  (held by a test)


def _print_place() -> None:
    error = sys.exc_info()[1]
    # What Gradio says to a visitor, of a wrong choice or kind of file, is no fault.
    level = logging.DEBUG if isinstance(error, gr.Error) else logging.ERROR
    _log.log(level, "error in an event: %s", place_of(error) if error else "unknown")


async def _tidy() -> None:
    while True:
        await asyncio.sleep(EVERY)
        await asyncio.to_thread(remove_old_files)
