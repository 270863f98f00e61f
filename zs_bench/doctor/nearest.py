"""The ids that are most like one that is unknown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

#: How like two ids must be (difflib's ratio, 0 to 1) to be named, and to be offered for one another.
NAMED, OFFERED = 0.7, 0.9
_LONGEST = 200
_LAST_NUMBER = re.compile("[0-9]+(?=[^0-9]*$)")
_HASH = re.compile("[0-9a-f]{30,}")


class Nearest:
    """Ids by the triples of characters they share, so that few have to be compared at length."""

    def __init__(self, ids: Sequence[str]) -> None:
        self._ids = ids
        self._by_triple: dict[str, list[int]] = {}
        for number, key in enumerate(ids):
            for triple in _triples(key):
                self._by_triple.setdefault(triple, []).append(number)

    def __call__(self, key: str, count: int = 3) -> list[str]:
        """At most so many ids, the most like first; none when none is like it.

        >>> Nearest(["va-sq-11", "va-sq-12", "tr-gq-7"])("va_sq-11")
        ['va-sq-11', 'va-sq-12']
        """
        shared = Counter(number for triple in _triples(key) for number in self._by_triple.get(triple, ()))
        likely = [self._ids[number] for number, _ in shared.most_common(4 * count)]
        ranked = sorted((-likeness(key, one), one) for one in likely)
        return [one for less, one in ranked if -less >= NAMED][:count]


def likeness(first: str, second: str) -> float:
    """How like two ids are, 0 to 1."""
    return SequenceMatcher(None, first[:_LONGEST], second[:_LONGEST], autojunk=False).ratio()


def same_last_number(first: str, second: str) -> bool:
    """Whether the last number in two ids is the same: one that differs there is another question's. A hash has none.

    >>> same_last_number("62139_J05FWZR6_1", "62139_J05FWZR_1"), same_last_number("a_1", "a_2")
    (True, False)
    """
    if all(map(_HASH.fullmatch, (first, second))):
        return True
    ends = [_LAST_NUMBER.search(key) for key in (first, second)]
    return len({end and end[0] for end in ends}) == 1


def _triples(key: str) -> set[str]:
    padded = f" {key[:_LONGEST].casefold()} "
    return {padded[i : i + 3] for i in range(len(padded) - 2)}
