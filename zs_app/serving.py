"""How the app is served: what `Blocks.launch` is told, and what goes on beside it."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gradio as gr
import gradio.queueing
import gradio.routes
from starlette.middleware import Middleware

from .agents import prepare_tools
from .endpoints import NO_TOOLS
from .gate import MAX_UPLOAD, Gate
from .leftovers import remove_leftovers
from .shelf import SHELF
from .theme import STYLES, theme
from .worker import close_workers, place_of

#: Visitors whose state is kept; the one unseen longest makes room.
MAX_SESSIONS = 1_000
#: Seconds between two looks for what is to be removed.
EVERY = 300
_log = logging.getLogger(__name__)


def launch_options() -> dict[str, Any]:
    """What `Blocks.launch` is told. Host and port come from GRADIO_SERVER_NAME and GRADIO_SERVER_PORT."""
    return {
        "theme": theme(),
        "css_paths": STYLES,
        "js": Path(__file__).with_name("keys.js").read_text(encoding="utf-8"),
        "footer_links": ["api", "settings"],
        "run_history": False,
        "ssr_mode": False,
        "mcp_server": True,
        "max_file_size": MAX_UPLOAD,
        "state_session_capacity": MAX_SESSIONS,
        "app_kwargs": {"middleware": [Middleware(Gate)], "lifespan": _beside},
    }


@asynccontextmanager
async def _beside(app: Any) -> AsyncIterator[None]:
    """What goes on as long as the server lives."""
    # A thread that has much to do gives way to the others five times as often as it would: they are short.
    sys.setswitchinterval(0.001)
    # What was built for the page stays: the collector of garbage need not go through it, which holds everybody up.
    gc.freeze()
    prepare_tools(app.get_blocks().mcp_server_obj, NO_TOOLS)
    # Gradio prints an error with the values that led to it; here it is told where it was, and no more.
    gradio.queueing.traceback = gradio.routes.traceback = SimpleNamespace(print_exc=_print_place)
    tidying = asyncio.create_task(_tidy())
    try:
        yield
    finally:
        tidying.cancel()
        await asyncio.to_thread(close_workers)


def _print_place() -> None:
    error = sys.exc_info()[1]
    # What Gradio tells a visitor, of a wrong choice or kind of file, is no fault.
    level = logging.DEBUG if isinstance(error, gr.Error) else logging.ERROR
    _log.log(level, "error in an event: %s", place_of(error) if error else "unknown")


async def _tidy() -> None:
    while True:
        await asyncio.sleep(EVERY)
        await asyncio.to_thread(remove_leftovers)
        SHELF.tidy()
