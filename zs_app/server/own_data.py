"""The owner's own examples: with `ZS_DATA=PATH`, a folder or ZIP, the page offers them as a source."""

from __future__ import annotations

import os
from pathlib import Path

from zs_bench.problems import UnusableInput

#: What the source is called in addresses; a visitor never names a path.
OWN = "data"
_VARIABLE = "ZS_DATA"


def own_data() -> Path | None:
    """The folder or ZIP, `None` when there is none.

    Raises:
        UnusableInput: when it does not exist.
    """
    given = os.environ.get(_VARIABLE)
    if not given:
        return None
    if not Path(given).exists():
        raise UnusableInput(f"{_VARIABLE}: there is no folder or ZIP {given!r}")
    return Path(given).resolve()


def with_own_data(sources: dict[str, str]) -> dict[str, str]:
    """The sources by name with their titles, and the owner's after them."""
    path = own_data()
    return {**sources, OWN: path.name} if path else sources


def source_named(name: str) -> str:
    """The source for `zs_bench.dataset.sources` that a name on the page means."""
    path = own_data() if name == OWN else None
    return str(path or name)
