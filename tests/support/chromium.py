"""The browser's path and options."""

from __future__ import annotations

import os
import shutil

FLAGS = (
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-sync",
    "--disable-features=LocalNetworkAccessChecks",  # a page of another host may hold this machine's in a frame
)


def chromium() -> str | None:
    """The browser's path, `None` when there is none."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
