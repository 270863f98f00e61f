"""`Annexes`: what adds to the page without being part of it. The page is given it, and imports no annex."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Annexes:
    """The modules that add to the page. The scripts of each are in a folder `static` beside it.

    Attributes:
        tabs: those with a tab: `TAB` (its name in an address), `TITLE`, `layout()`, `DATA` (a clause about what it
            keeps, for the foot of the page), and `signs_in()`.
        models: those that add to "Try a task": `html()`, `layout()`, `ROUTES`, `DATA` and `signs_in()`.
        parts: those that add a part to "Score a file": `layout()`.
    """

    tabs: Sequence[Any] = ()
    models: Sequence[Any] = ()
    parts: Sequence[Any] = ()

    def __iter__(self) -> Iterator[Any]:
        """Iterate over all modules."""
        return iter((*self.tabs, *self.models, *self.parts))

    @property
    def data(self) -> str:
        """The clauses about what they keep, for the foot of the page."""
        return "".join(annex.DATA for annex in (*self.tabs, *self.models))

    def signs_in(self) -> bool:
        """Return whether visitors may sign in, to one of them."""
        return any(annex.signs_in() for annex in (*self.tabs, *self.models))


#: A page without any annex.
NONE = Annexes()
