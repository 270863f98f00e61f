"""The options of `Blocks.launch`, the theme, and the background work of the server."""

import asyncio
import errno
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import gradio as gr
from cachetools import TTLCache
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from zs_app import routes
from zs_app.annexes import NONE, Annexes
from zs_app.page import catalog
from zs_app.server.jobs import MAX_WAITING, run_job
from zs_app.server.middleware import RequestChecks
from zs_app.server.security_headers import security_headers
from zs_app.server.temporary_files import remove_old_files
from zs_app.server.uploads import MAX_UPLOAD
from zs_app.server.workers import stop_workers

#: The networks of a Space's proxies, trusted to give a visitor's address; otherwise all visitors would share one.
PROXIES = "127.0.0.0/8,10.0.0.0/8,100.64.0.0/10,172.16.0.0/12,192.168.0.0/16,fc00::/7,::1"


class _StillFont(gr.themes.LocalFont):  # type: ignore[misc]  # Gradio is not typed
    """A font of Gradio's that is left out where it comes late, since texts would move."""

    def stylesheet(self) -> dict[str, Any]:
        sheet = super().stylesheet()
        return {
            **sheet,
            "css": sheet["css"].replace("font-style: normal;", "font-style: normal; font-display: optional;"),
        }


_SANS = [_StillFont("IBM Plex Sans", weights=(400, 700)), "ui-sans-serif", "system-ui", "sans-serif"]
_MONO = [_StillFont("IBM Plex Mono", weights=(400, 700)), "ui-monospace", "Consolas", "monospace"]
# What was logged in the last minute.
_logged: TTLCache[int, bool] = TTLCache(1, 60)
_log = logging.getLogger(__name__)


def launch_options(annexes: Annexes = NONE) -> dict[str, Any]:
    """The options of `Blocks.launch` for a page with these annexes.

    Host and port come from GRADIO_SERVER_NAME and GRADIO_SERVER_PORT.
    """
    if os.environ.get("SPACE_ID"):
        os.environ.setdefault("FORWARDED_ALLOW_IPS", PROXIES)  # read by uvicorn
    return {
        "theme": theme(),
        "head": routes.head(catalog(annexes)),
        "favicon_path": Path(__file__).with_name("icon.png"),
        "footer_links": ["api"],
        "run_history": False,
        "ssr_mode": False,
        "mcp_server": True,
        "max_file_size": MAX_UPLOAD,
        "state_session_capacity": 1_000,
        # Gradio runs only as many events as it has threads, although those that wait for a job need none.
        "max_threads": MAX_WAITING + 40,
        "app_kwargs": {
            "middleware": [
                Middleware(GZipMiddleware, compresslevel=6),
                Middleware(RequestChecks, security_headers(), annexes.signs_in),
                Middleware(routes.Preloads),
            ],
            "lifespan": _lifespan,
            "routes": [*(route for part in annexes.models for route in part.ROUTES), *routes.ROUTES],
        },
    }


def theme() -> gr.themes.Base:
    """Indigo and slate, with colours of enough contrast in both modes, and local fonts."""
    base = gr.themes.Default(
        primary_hue="indigo", secondary_hue="teal", neutral_hue="slate", radius_size="lg", font=_SANS, font_mono=_MONO
    )
    return base.set(
        body_text_color_subdued="*neutral_600",
        body_text_color_subdued_dark="*neutral_400",
        block_info_text_color="*neutral_600",
        block_info_text_color_dark="*neutral_400",
        color_accent="*primary_600",
        input_border_color_focus="*primary_500",
        input_border_color_focus_dark="*primary_400",
        input_placeholder_color="*neutral_500",
        input_placeholder_color_dark="*neutral_400",
        link_text_color="*secondary_700",
        link_text_color_hover="*secondary_800",
        link_text_color_visited="*secondary_700",
        link_text_color_active="*secondary_800",
        button_primary_background_fill="*primary_600",
        button_primary_background_fill_hover="*primary_700",
    )


@asynccontextmanager
async def _lifespan(_: Any) -> AsyncIterator[None]:
    """Start the process that those of jobs are forked from, remove old files, and stop the jobs at the end."""
    asyncio.get_running_loop().set_exception_handler(log_loop_error)
    for name in ("root", "mcp.server.lowlevel.server"):
        logging.getLogger(name).addFilter(without_values)
    tasks = [asyncio.create_task(run_job(bool)), asyncio.create_task(_remove_old_files())]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.to_thread(stop_workers)


def without_values(record: logging.LogRecord) -> bool:
    """Cut a record at its first colon: the MCP library would log a wrong request whole, in part by the root logger."""
    record.msg, record.args = record.getMessage().partition(":")[0], ()
    return True


async def _remove_old_files() -> None:
    while True:
        await asyncio.sleep(300)
        await asyncio.to_thread(remove_old_files)


def log_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error of the event loop; connections that cannot be accepted for want of files once a minute, not each."""
    error = context.get("exception")
    if not isinstance(error, OSError) or error.errno not in (errno.EMFILE, errno.ENFILE):
        loop.default_exception_handler(context)
    elif not _logged:
        _logged[error.errno] = True
        _log.error("too many open files: connections have to wait; raise the hard limit (ulimit -Hn)")
