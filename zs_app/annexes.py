"""The annexes that add to the page, a row each; nothing here imports one before its variable is set."""

import os
from importlib import import_module
from pathlib import Path
from typing import Any

from zs_metric.errors import ZeroScrollsError


def annexes() -> list[Any]:
    """Return the modules of the annexes with a tab that are turned on; raises `ZeroScrollsError` without its package.

    Such a module has `TAB` (the tab's name in an address), `TITLE`, `layout()`, `ENDPOINTS` (by name, what each does),
    `DATA` (a clause about what it keeps, for the foot of the page), and `signs_in()`; its scripts are in `static/`.
    """
    return _turned_on("ZS_BOARD", "zs_lab.board.page")


def models() -> list[Any]:
    """Return the modules of installed annexes that add to "Try a task".

    Each has `html()`, `layout()`, `ROUTES`, `DATA` and `signs_in()`; its scripts are in `static/`.
    """
    return _turned_on("ZS_MODEL_URL", "zs_lab.run.ask_page")


def parts() -> list[Any]:
    """Return the modules of installed annexes that add a part to "Score a file": `layout()`, and scripts."""
    is_installed = Path(__file__).parents[1].joinpath("zs_lab", "audit").is_dir()
    return [import_module("zs_lab.audit.page")] if is_installed else []


def _turned_on(variable: str, module: str) -> list[Any]:
    try:
        return [import_module(module)] if os.environ.get(variable) else []
    except ModuleNotFoundError as error:
        if not module.startswith(str(error.name)):
            raise
        raise ZeroScrollsError(f"{variable} is set, but {error.name} is not installed; unset it") from None
