"""What the views share: marking what two texts have in common, and keeping a huge answer's view small.

A view holds at most `TEXT_LIMIT` characters of a text and `LIST_LIMIT` entries of a list, of some fewer; what is left
out is said in a sentence of the view's `omitted`. Scores are always those of the whole texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

TEXT_LIMIT = 50_000
LIST_LIMIT = 2_000

T = TypeVar("T")


def shared(items: Iterable[Hashable], others: Iterable[Hashable]) -> list[bool]:
    """For each item whether it is also in `others`, each of those used once: the first occurrences are marked.

    >>> shared(["ha", "ha", "yes"], ["yes", "ha"])
    [True, False, True]
    """
    left = Counter(others)
    marks = []
    for item in items:
        found = left[item] > 0
        marks.append(found)
        if found:
            left[item] -= 1
    return marks


def first_characters(text: str, what: str, omitted: list[str], limit: int = TEXT_LIMIT) -> str:
    """The text, cut at the limit; a cut is noted in `omitted`."""
    if len(text) > limit:
        omitted.append(f"only the first {limit:,} of {len(text):,} characters of {what} are shown")
    return text[:limit]


def first_of(items: Sequence[T], what: str, omitted: list[str], limit: int = LIST_LIMIT) -> list[T]:
    """The items, cut at the limit; a cut is noted in `omitted`."""
    if len(items) > limit:
        omitted.append(f"only the first {limit:,} of {len(items):,} {what} are listed")
    return list(items[:limit])
