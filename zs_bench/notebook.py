"""`ShownInNotebooks`: results that are one line as `repr`, a table in a notebook, and a pandas frame on request.

A result does not know how it is shown: the package says which module does it, `zs_bench.reports.frames`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import pandas as pd


class ShownInNotebooks:
    """A result with a line, a table and a frame."""

    __slots__ = ()

    #: Returns the module with the functions `line`, `html` and `frame` of a result.
    shown_by: ClassVar[Callable[[], Any]]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {type(self).shown_by().line(self)}>"

    def _repr_html_(self) -> str:
        return str(type(self).shown_by().html(self))

    def to_frame(self) -> "pd.DataFrame":
        """Return the result as a frame (`zs_bench.reports.frames`); raises `MissingExtra` without pandas."""
        return type(self).shown_by().frame(self)
