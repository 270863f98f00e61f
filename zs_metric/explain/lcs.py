"""A longest common subsequence of two token lists, with its places; exact, and fast by bit-parallelism.

One row of the table of LCS lengths is one integer of `len(second)` bits: bit j is 0 where the length grows between the
columns j and j + 1 (Crochemore et al., 2001). A row follows from the one before in four operations on the whole
integer, and the rows are kept to walk back through them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence

#: The most pairs of tokens for which the places are looked for; beyond it the marks are left out.
PAIR_LIMIT = 4_000_000


def lcs_places(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[tuple[int, int]] | None:
    """The places of a longest common subsequence, as increasing pairs of indices; `None` above the limit.

    >>> lcs_places("police killed the gunman".split(), "police kill the gunman".split())
    [(0, 0), (2, 2), (3, 3)]
    """
    if len(first) * len(second) > PAIR_LIMIT:
        return None
    if len(second) > len(first):  # the shorter list makes the integers
        return [(i, j) for j, i in _places(second, first)]
    return _places(first, second)


def _places(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The places, by walking back through the rows from their last column."""
    rows = _rows(first, second)
    places, i, j = [], len(first), len(second)
    while i and j:
        column = 1 << (j - 1)
        if rows[i] & column:  # no growth here: column j adds nothing
            j -= 1
        elif rows[i - 1] & column:  # the growth is new in this row: a match
            places.append((i - 1, j - 1))
            i, j = i - 1, j - 1
        else:  # the row above has it too
            i -= 1
    return places[::-1]


def _rows(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[int]:
    """The rows of the table; row 0, before any token of `first`, is all ones."""
    matches: defaultdict[Hashable, int] = defaultdict(int)
    for j, token in enumerate(second):
        matches[token] |= 1 << j
    row = ones = (1 << len(second)) - 1
    rows = [row]
    for token in first:
        hits = row & matches.get(token, 0)
        row = ((row + hits) | (row - hits)) & ones
        rows.append(row)
    return rows
