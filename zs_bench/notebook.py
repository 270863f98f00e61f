"""`ShownInNotebooks`: results that are one line as `repr`, a table in a notebook, and a pandas frame on request."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


class ShownInNotebooks:
    """A result whose line, table and frame `zs_bench.reports.frames` makes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {_shown('line', self)}>"

    def _repr_html_(self) -> str:
        return str(_shown("html", self))

    def to_frame(self) -> "pd.DataFrame":
        """Return the result as a frame (`zs_bench.reports.frames`); raises `MissingExtra` without pandas."""
        return _shown("frame", self)


def _shown(form: str, result: object) -> Any:
    # By name, since the reports import the results that they show.
    return getattr(import_module("zs_bench.reports.frames"), form)(result)
