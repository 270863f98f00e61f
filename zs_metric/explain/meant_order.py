"""The order that a reader would take from an answer whose ids, as the evaluator reads them, are no permutation.

For diagnosis only. Every run of digits is a number. Tried in this order, the first reading that is a permutation of the
truth: all numbers; all but the one that begins each line of a list ("1) 3"); the numbers of one stretch without letters
in it (a preamble or an afterword has some), from the longest on; the same without the number before a word ("4
chapters"); the numbers of one stretch without letters, colons, brackets or line ends. When none is, the longest stretch
without letters, where that is something else than the evaluator read. A number too many in the list itself is no matter
of writing: no reading leaves it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..concordance_index import is_permutation, read_order

READ_LIMIT = 50_000
_NUMBER = re.compile("(?<![0-9])[0-9]{1,12}(?![0-9])")
_LIST_NUMBER = re.compile(r"^\s{0,9}[0-9]{1,4}[.):]\s{1,9}(?=[^\n0-9]{0,80}[0-9])", re.MULTILINE)
_LETTERS = re.compile(r"[^\W\d_]+")
_COUNTED = re.compile(r"(?:[0-9]{1,12}\s{1,3})?[^\W\d_]+")
_STRETCH_ENDS = re.compile(r"[^\W\d_]+|[:()\n]")


class MeantOrder(NamedTuple):
    """What was meant, and what in the writing kept it from being read."""

    order: tuple[int, ...]
    how: str


def meant_order(text: str, truth: Sequence[int]) -> MeantOrder | None:
    """What a reader would have read, or `None` when that is what the evaluator read, or nothing.

    >>> meant_order("2-1-3", (1, 2, 3)).order, meant_order("The 3 ids: 2, 1, 3", (1, 2, 3)).order
    ((2, 1, 3), (2, 1, 3))
    """
    text = text[:READ_LIMIT]
    for how, order in _candidates(text):
        if is_permutation(order, truth):
            return MeantOrder(order, how)
    longest = _stretches(text, _LETTERS)
    if longest and longest[0] and longest[0] != read_order(text):
        return MeantOrder(longest[0], "the longest list in the answer, alone")
    return None


def written_order(order: Sequence[int]) -> str:
    """The ids as the prompt asks for them.

    >>> written_order((2, 1))
    '2, 1'
    """
    return ", ".join(map(str, order))


def _candidates(text: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield "the ids separated by commas", _numbers(text)
    yield "the ids without the numbers of the list", _numbers(_LIST_NUMBER.sub("", text))
    for ends in (_LETTERS, _COUNTED, _STRETCH_ENDS):
        for stretch in _stretches(text, ends):
            yield "the list of ids alone", stretch


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, _NUMBER.findall(text)))


def _stretches(text: str, ends: re.Pattern[str]) -> list[tuple[int, ...]]:
    """The numbers of each stretch, the longest first, of equals the last."""
    stretches = [_numbers(stretch) for stretch in reversed(ends.split(text))]
    return sorted(stretches, key=len, reverse=True)
