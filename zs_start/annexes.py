"""The annexes of the page that are installed and turned on; nothing here imports one before its variable is set."""

import os
from importlib import import_module
from typing import Any

from zs_app.annexes import Annexes
from zs_metric.errors import ZeroScrollsError
from zs_start.installed import is_installed


def annexes() -> Annexes:
    """Return the modules that add to the page; raises `ZeroScrollsError` if one is turned on and not installed."""
    return Annexes(
        tabs=_turned_on("ZS_BOARD", "zs_lab.board.page"),
        models=_turned_on("ZS_MODEL_URL", "zs_lab.run.ask_page"),
        parts=[import_module("zs_lab.audit.page")] if is_installed("zs_lab.audit") else [],
    )


def _turned_on(variable: str, module: str) -> list[Any]:
    try:
        return [import_module(module)] if os.environ.get(variable) else []
    except ModuleNotFoundError as error:
        if not module.startswith(str(error.name)):
            raise
        raise ZeroScrollsError(f"{variable} is set, but {error.name} is not installed; unset it") from None
