"""The annexes that add to the page, a row each; nothing here imports one before its variable is set.

The module of an annex that adds a tab has `TAB` (the tab's name in an address), `TITLE`, `layout()`,
`ENDPOINTS` (by name, what each does), `DATA` (a clause about what it keeps, for the foot of the page), and
`signs_in()`; its scripts are in `static/`. That of an annex that adds to the tab "Try a task" has `html()`, `layout()`,
`ROUTES`, `DATA`, and `signs_in()`.
"""

import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from zs_metric.errors import ZeroScrollsError

#: By the environment variable that turns it on, the annex's module.
_MODULES: Mapping[str, str] = {"ZS_BOARD": "zs_lab.board.page"}
_MODELS: Mapping[str, str] = {"ZS_MODEL_URL": "zs_lab.run.ask_page"}
#: The annexes that add a part to the tab "Score a file" where they are installed: `layout()`, and scripts in `static/`.
_PARTS = ("zs_lab.audit.page",)


def annexes() -> list[Any]:
    """Return the modules of the annexes with a tab that are turned on.

    Raises:
        ZeroScrollsError: if one of them is not installed.
    """
    return _turned_on(_MODULES)


def models() -> list[Any]:
    """Return the modules of the annexes that add to the tab "Try a task" and are turned on; raises as `annexes`."""
    return _turned_on(_MODELS)


def _turned_on(modules: Mapping[str, str]) -> list[Any]:
    return [_load(variable, module) for variable, module in modules.items() if os.environ.get(variable)]


def parts() -> list[Any]:
    """Return the modules of the installed annexes that add a part to "Score a file"."""
    packages = Path(__file__).parents[1]
    return [import_module(name) for name in _PARTS if packages.joinpath(*name.split(".")[:-1]).is_dir()]


def _load(variable: str, module: str) -> Any:
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if not module.startswith(str(error.name)):
            raise
        raise ZeroScrollsError(f"{variable} is set, but {error.name} is not installed; unset it") from None
