"""The explanation of an order: its pairs, or why it is not a permutation and the order a reader would have read.

The order a reader would have read takes every run of digits as a number. It is the first of these that is a
permutation of the reference: all numbers; all but those that begin the lines of a list ("1) 3"); the numbers of one
stretch without letters (a preamble or an afterword has some), longest first; the same without the number before
a word ("4 chapters"); the numbers of one stretch without letters, colons, brackets or line ends. If there is none, the
longest stretch without letters, if the evaluator read something else. A surplus number in the list itself is a wrong
answer, not a matter of notation: it is never left out.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from ..concordance_index import faults, is_permutation, ranks, read_order
from .parts import LIST_LIMIT, QUOTES_REFERENCES, TEXT_LIMIT, HumanReading, Part, first_of
from .scored import Explainer, ScoredPrediction

#: The most discordant pairs that are listed; all are counted.
DISCORDANT_LIMIT = 500
#: Larger ids are shown as this number; JSON readers lose the digits of huge numbers.
HUGE = 10**12
_HUGE_NOTE = f"ids above {HUGE:,} are shown as that number"
_LIST = re.compile(r"\W*[0-9]+(?:[\s,]+[0-9]+)*\W*")
_NUMBER = re.compile("(?<![0-9])[0-9]{1,12}(?![0-9])")
_LIST_NUMBER = re.compile(r"^\s{0,9}[0-9]{1,4}[.):]\s{1,9}(?=[^\n0-9]{0,80}[0-9])", re.MULTILINE)
_LETTERS = re.compile(r"[^\W\d_]+")
_COUNTED = re.compile(r"(?:[0-9]{1,12}\s{1,3})?[^\W\d_]+")
_STRETCH_ENDS = re.compile(r"[^\W\d_]+|[:()\n]")


@dataclass(frozen=True, slots=True)
class MeantOrder(HumanReading):
    """The order that a reader would have read."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ConcordanceView(Part):
    """An order.

    Attributes:
        order, truth: the ids read, and those of the reference with the index `best_reference`, which gave the score.
        permutation: whether `order` is a permutation of `truth`.
        pairs: the number of pairs of ids, C(n, 2).
        places: for each id of a permutation its place in the truth; otherwise empty, as `discordant` is.
        in_order, discordant_count: the number of pairs in and out of order; otherwise `None` and 0.
        discordant: the first 500 pairs out of order as `(i, j)`, indices of the order, i < j.
        missing, repeated, foreign: the ids because of which the list is not a permutation.
        would_be: what a reader would have read if the list is not a permutation, or `None`.
    """

    OWN_REPAIRS: ClassVar = True
    REASON_QUOTES_AFTER: ClassVar = ": "

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


def _view(scored: ScoredPrediction, omitted: list[str]) -> ConcordanceView:
    best = _best_reference(scored)
    order, truth = scored.result.parsed or (), read_order(scored.references[best]) or ()
    permutation, wrong, meant = is_permutation(order, truth), faults(order, truth), _meant(scored)
    places = ranks(order, truth) if permutation else []
    pairs = len(truth) * (len(truth) - 1) // 2
    count = round(pairs * (100 - scored.result.score) / 100) if permutation else 0
    discordant = discordant_pairs(places[:LIST_LIMIT])  # of the ids that are listed
    if count > len(discordant):
        omitted.append(f"only the first {len(discordant):,} of {count:,} pairs out of order are listed")
    return ConcordanceView(
        missing=listed_ids(wrong["missing"], "missing ids", omitted),
        repeated=listed_ids(wrong["repeated"], "repeated ids", omitted),
        foreign=listed_ids(wrong["not in the list"], "foreign ids", omitted),
        order=listed_ids(order, "ids of the answer", omitted),
        truth=listed_ids(truth, "ids of the reference", omitted),
        best_reference=best,
        permutation=permutation,
        places=first_of(places, "places", omitted),
        pairs=pairs,
        in_order=pairs - count if permutation else None,
        discordant_count=count,
        discordant=tuple(discordant),
        would_be=meant and scored.with_score(replace(meant, order=meant.order[:LIST_LIMIT])),
    )


def listed_ids(ids: Sequence[int], what: str, omitted: list[str]) -> tuple[int, ...]:
    """Return the ids as a view shows them: the first of them, with `HUGE` in place of larger ones."""
    if max(ids, default=0) > HUGE and _HUGE_NOTE not in omitted:
        omitted.append(_HUGE_NOTE)
    return tuple(min(i, HUGE) for i in first_of(ids, what, omitted))


def _is_misread(scored: ScoredPrediction) -> bool:
    """Return whether no ids were read, or ids that are not a permutation of any reference's."""
    order = scored.result.parsed
    return order is None or not any(is_permutation(order, read_order(text) or ()) for text in scored.references)


def _cause(scored: ScoredPrediction) -> str | None:
    """`None` for a permutation of a reference."""
    if not _is_misread(scored):
        return None
    meant, truth = _meant(scored), read_order(scored.references[_best_reference(scored)]) or ()
    if meant and is_permutation(meant.order, truth):
        return "misread"
    return "wrong ids" if meant or scored.result.parsed else "nothing read"


def is_in_form(prediction: str) -> bool:
    """Return whether the text is a list of ids and nothing else, as the prompt asks.

    >>> is_in_form("[3, 1, 2]"), is_in_form("Order: 3, 1, 2"), is_in_form("3-1-2")
    (True, False, False)
    """
    return _LIST.fullmatch(prediction) is not None


def _repairs(scored: ScoredPrediction) -> Iterator[tuple[str, str]]:
    meant = _meant(scored)
    if meant:
        yield meant.how, meant.answer


def meant_order(text: str, truth: Sequence[int]) -> MeantOrder | None:
    """Return what a reader would have read, or `None` if that is nothing, or what the evaluator read.

    >>> meant_order("2-1-3", (1, 2, 3)).order, meant_order("The 3 ids: 2, 1, 3", (1, 2, 3)).answer
    ((2, 1, 3), '2, 1, 3')
    """
    text = text[:TEXT_LIMIT]
    candidate = next((pair for pair in _candidates(text) if is_permutation(pair[1], truth)), None)
    if not candidate:
        longest = _stretches(text, _LETTERS)[0]
        if not longest or longest == read_order(text):
            return None
        candidate = "the longest list in the answer, alone", longest
    how, order = candidate
    return MeantOrder(how, ", ".join(map(str, order)), order)


def _candidates(text: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield "the ids separated by commas", _numbers(text)
    yield "the ids without the numbers of the list", _numbers(_LIST_NUMBER.sub("", text))
    for ends in (_LETTERS, _COUNTED, _STRETCH_ENDS):
        for stretch in _stretches(text, ends):
            yield "the list of ids alone", stretch


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, _NUMBER.findall(text)))


def _stretches(text: str, ends: re.Pattern[str]) -> list[tuple[int, ...]]:
    """Return the numbers of each stretch, the longest first; of equally long ones the last first."""
    return sorted(map(_numbers, reversed(ends.split(text))), key=len, reverse=True)


def _meant(scored: ScoredPrediction) -> MeantOrder | None:
    truth = read_order(scored.references[_best_reference(scored)]) or ()
    return meant_order(scored.prediction, truth) if _is_misread(scored) else None


def discordant_pairs(places: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs out of order as `(i, j)`, i < j, up to the limit.

    >>> discordant_pairs([2, 0, 1])
    [(0, 1), (0, 2)]
    """
    index = {place: i for i, place in enumerate(places)}
    before: list[int] = []
    listed: list[tuple[int, int]] = []
    for j, place in enumerate(places):
        at = bisect_left(before, place)
        later = before[at : at + DISCORDANT_LIMIT - len(listed)]
        listed += sorted((index[p], j) for p in later)
        before.insert(at, place)
    return listed


def _best_reference(scored: ScoredPrediction) -> int:
    """Return the index of the reference that gave the score, or that is a permutation of the order if all give 0."""
    order, best = scored.result.parsed or (), scored.result.best_reference or 0
    if scored.result.score:
        return best
    truths = [read_order(text) or () for text in scored.references]
    return next((i for i, truth in enumerate(truths) if is_permutation(order, truth)), best)


EXPLAINER = Explainer(_view, _repairs, _cause, lambda _, lost: {"wrong order": lost}, "a bare list of ids", is_in_form)
