"""The explanation of an order: its pairs, or why it is not a permutation and the order a reader would have read.

The order a reader would have read takes every run of digits as a number. It is the first of these that is a
permutation of the reference: all numbers; all but those that begin the lines of a list ("1) 3"); the numbers of one
stretch without letters (a preamble or an afterword has some), longest first; the same without the number before
a word ("4 chapters"); the numbers of one stretch without letters, colons, brackets or line ends. If there is none, the
longest stretch without letters, if the evaluator read something else. A surplus number in the list itself is a wrong
answer, not a matter of notation: it is never left out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any

from ..concordance_index import faults, is_permutation, ranks, read_order
from .explanation import Explanation
from .parts import LIST_LIMIT, QUOTES_REFERENCES, TEXT_LIMIT, HumanReading, Part

#: The most discordant pairs that are listed; all are counted.
DISCORDANT_LIMIT = 500
#: Larger ids are shown as this number; JSON readers lose the digits of huge numbers.
HUGE = 10**12
_LIST = re.compile(r"\W*[0-9]+(?:[\s,]+[0-9]+)*\W*")
_NUMBER = re.compile("(?<![0-9])[0-9]{1,12}(?![0-9])")
_LIST_NUMBER = re.compile(r"^\s{0,9}[0-9]{1,4}[.):]\s{1,9}(?=[^\n0-9]{0,80}[0-9])", re.MULTILINE)
_LETTERS = re.compile(r"[^\W\d_]+")
_STRETCH_ENDS = (_LETTERS, re.compile(r"(?:[0-9]{1,12}\s{1,3})?[^\W\d_]+"), re.compile(r"[^\W\d_]+|[:()\n]"))


@dataclass(frozen=True, slots=True)
class MeantOrder(HumanReading):
    """The order that a reader would have read."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ConcordanceView(Part):
    """The ids read, those of the best reference, and why they are no permutation of these, or the pairs out of order.

    `places` are those of a permutation's ids in the truth; `discordant` are the first pairs out of order, as indices of
    the order, `(i, j)` with i < j. `would_be` is what a reader would have read where there is no permutation.
    """

    order: tuple[int, ...]
    truth: tuple[int, ...] = field(metadata=QUOTES_REFERENCES)
    best_reference: int
    permutation: bool
    places: tuple[int, ...] = field(metadata=QUOTES_REFERENCES)
    pairs: int
    in_order: int | None
    discordant_count: int
    discordant: tuple[tuple[int, int], ...] = field(metadata=QUOTES_REFERENCES)
    missing: tuple[int, ...] = field(metadata=QUOTES_REFERENCES)
    repeated: tuple[int, ...]
    foreign: tuple[int, ...]
    would_be: MeantOrder | None


class _ScoredOrder(Explanation):
    form = "a bare list of ids"
    reason_quotes_after = ": "

    @cached_property
    def order(self) -> tuple[int, ...]:
        return self.result.parsed or ()

    @cached_property
    def truth(self) -> tuple[int, ...]:
        return read_order(self.references[self.best()]) or ()

    @property
    def is_misread(self) -> bool:
        return not is_permutation(self.order, self.truth)

    @cached_property
    def meant(self) -> MeantOrder | None:
        return self.with_score(meant_order(self.prediction, self.truth)) if self.is_misread else None

    def best(self) -> int:
        """The reference that gave the score, or that is a permutation of the order if all give 0."""
        best = super().best()
        orders = [] if self.result.score else [read_order(text) or () for text in self.references]
        return next((i for i, truth in enumerate(orders) if is_permutation(self.order, truth)), best)

    def details(self) -> ConcordanceView:
        order, truth, permutation, wrong = self.order, self.truth, not self.is_misread, faults(self.order, self.truth)
        places = ranks(order, truth) if permutation else []
        pairs = len(truth) * (len(truth) - 1) // 2
        count = round(pairs * (100 - self.result.score) / 100) if permutation else 0
        discordant = discordant_pairs(places[:LIST_LIMIT])  # of the ids that are listed
        if count > len(discordant):
            self.note(f"only the first {len(discordant):,} of {count:,} pairs out of order are listed")
        return ConcordanceView(
            missing=self.ids(wrong["missing"], "missing ids"),
            repeated=self.ids(wrong["repeated"], "repeated ids"),
            foreign=self.ids(wrong["not in the list"], "foreign ids"),
            order=self.ids(order, "ids of the answer"),
            truth=self.ids(truth, "ids of the reference"),
            best_reference=self.best(),
            permutation=permutation,
            places=self.listed(places, "places"),
            pairs=pairs,
            in_order=pairs - count if permutation else None,
            discordant_count=count,
            discordant=tuple(discordant),
            would_be=self.meant and replace(self.meant, order=self.meant.order[:LIST_LIMIT]),
        )

    @property
    def parsed(self) -> Any:
        return self.ids(self.order, "ids that were read") or None

    def ids(self, ids: Sequence[int], what: str) -> tuple[int, ...]:
        if max(ids, default=0) > HUGE:
            self.note(f"ids above {HUGE:,} are shown as that number")
        return tuple(min(i, HUGE) for i in self.listed(ids, what))

    def repairs(self) -> Iterator[tuple[str, str]]:
        if self.meant:
            yield self.meant.how, self.meant.answer

    def cause(self) -> str | None:
        if not self.is_misread:
            return None
        if self.meant and is_permutation(self.meant.order, self.truth):
            return "misread"
        return "wrong ids" if self.meant or self.order else None

    def split(self, lost: float) -> dict[str, float]:
        return {"wrong order": lost}

    @property
    def in_format(self) -> bool:
        return _LIST.fullmatch(self.prediction) is not None and self.result.parsed is not None


def meant_order(text: str, truth: Sequence[int]) -> MeantOrder | None:
    """Return what a reader would have read, or `None` if that is nothing, or what the evaluator read.

    >>> meant_order("2-1-3", (1, 2, 3)).order, meant_order("The 3 ids: 2, 1, 3", (1, 2, 3)).answer
    ((2, 1, 3), '2, 1, 3')
    """
    text = text[:TEXT_LIMIT]
    candidates = [("the ids separated by commas", _numbers(text))]
    candidates.append(("the ids without the numbers of the list", _numbers(_LIST_NUMBER.sub("", text))))
    # The longest stretch first; of equally long ones the last first.
    pieces = (map(_numbers, reversed(ends.split(text))) for ends in _STRETCH_ENDS)
    stretches = [sorted(each, key=len, reverse=True) for each in pieces]
    candidates += [("the list of ids alone", numbers) for each in stretches for numbers in each]
    how, order = next((pair for pair in candidates if is_permutation(pair[1], truth)), ("", ()))
    if not order:
        how, order = "the longest list in the answer, alone", stretches[0][0]
        if not order or order == read_order(text):
            return None
    return MeantOrder(how, ", ".join(map(str, order)), order)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, _NUMBER.findall(text)))


def discordant_pairs(places: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs out of order as `(i, j)`, i < j, up to the limit.

    >>> discordant_pairs([2, 0, 1])
    [(0, 1), (0, 2)]
    """
    pairs = ((i, j) for j in range(len(places)) for i in range(j) if places[i] > places[j])
    return list(islice(pairs, DISCORDANT_LIMIT))


EXPLANATION = _ScoredOrder
