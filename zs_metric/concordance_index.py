"""Concordance index of two orders (ZeroSCROLLS section 3.3; BookSumSort).

An order is read by deleting everything but ASCII digits, whitespace and commas, turning commas into spaces, splitting,
and reading integers. A token too long to be an integer makes the whole answer unreadable. The score is 0 unless the
answer is a permutation of the reference; otherwise the share of the C(n, 2) pairs whose order agrees, in points.
A single id, matched, scores 100.

Convention of the released evaluator, kept: characters between digits vanish, so that `2-1-3` is read as 213, and a
number in a preamble ("The 4 summaries in order: …") is one id too many.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from .errors import UnreadableReference
from .results import ExampleResult

_NOT_READ = re.compile(r"[^0-9\s,]+")
# The default limit of Python's own int(); beyond it the conversion would also be quadratic.
MAX_DIGITS = 4300
# Inserting into a list is quadratic, and yet the fastest way for as many ids as a book has chapters.
_MOST_BY_INSERTION = 2_000


def read_order(text: str) -> tuple[int, ...] | None:
    """The ids the evaluator reads, or `None` when there is none or one is too long to be an integer.

    >>> read_order("Order: 3, 1, 2"), read_order("2-1-3"), read_order("none")
    ((3, 1, 2), (213,), None)
    """
    tokens = _NOT_READ.sub("", text).replace(",", " ").split()
    if not tokens or max(map(len, tokens)) > MAX_DIGITS:
        return None
    return tuple(map(int, tokens))


def concordance(order: Sequence[int], truth: Sequence[int]) -> float:
    """The share of pairs in the same order, in points; 0 when `order` is no permutation of `truth`.

    An id that the truth repeats is matched occurrence by occurrence.

    >>> round(concordance((2, 1, 3, 4), (1, 2, 3, 4)), 4)
    83.3333
    """
    if not is_permutation(order, truth):
        return 0.0
    pairs = len(truth) * (len(truth) - 1) // 2
    return 100.0 if not pairs else 100 * (pairs - _discordant(ranks(order, truth))) / pairs


def is_permutation(order: Sequence[int], truth: Sequence[int]) -> bool:
    """Whether `order` holds every id of `truth` as often as `truth` does, and no other."""
    return len(order) == len(truth) and Counter(order) == Counter(truth)


def score_concordance_index(prediction: str, references: Sequence[str]) -> ExampleResult:
    """The concordance of the answer's order with the best reference's, in points.

    Raises:
        UnreadableReference: for a reference without a number.
    """
    truths = [_reference_order(text, i) for i, text in enumerate(references)]
    parsed = read_order(prediction)
    if parsed is None:
        return ExampleResult(0.0, None, _why_nothing(prediction), 0)
    scores = [concordance(parsed, truth) for truth in truths]
    best = max(range(len(scores)), key=scores.__getitem__)
    return ExampleResult(scores[best], parsed, _why_less(parsed, truths[best], scores[best]), best)


def faults(order: Sequence[int], truth: Sequence[int]) -> dict[str, list[int]]:
    """The ids that keep `order` from being a permutation of `truth`, sorted, under what is wrong with them.

    >>> faults((1, 1, 7), (1, 2))
    {'missing': [2], 'repeated': [1], 'not in the list': [7]}
    """
    found, wanted = Counter(order), Counter(truth)
    return {
        "missing": sorted(wanted - found),
        "repeated": sorted(i for i in found if i in wanted and found[i] > wanted[i]),
        "not in the list": sorted(i for i in found if i not in wanted),
    }


def ranks(order: Sequence[int], truth: Sequence[int]) -> list[int]:
    """For each id of `order`, a permutation of `truth`, its place in `truth`."""
    places: defaultdict[int, list[int]] = defaultdict(list)
    for place in range(len(truth) - 1, -1, -1):
        places[truth[place]].append(place)
    return [places[i].pop() for i in order]


def _discordant(ranks: list[int]) -> int:
    """The number of pairs out of order."""
    if len(ranks) > _MOST_BY_INSERTION:
        return _discordant_by_merging(ranks)
    seen: list[int] = []
    count = 0
    for done, rank in enumerate(ranks):
        place = bisect_right(seen, rank)
        count += done - place
        seen.insert(place, rank)
    return count


def _discordant_by_merging(ranks: list[int]) -> int:
    """The same by merging sorted halves (n log n)."""
    count, width, n = 0, 1, len(ranks)
    while width < n:
        merged: list[int] = []
        for start in range(0, n, 2 * width):
            left, right = ranks[start : start + width], ranks[start + width : start + 2 * width]
            i = j = 0
            while i < len(left) and j < len(right):
                if left[i] <= right[j]:
                    merged.append(left[i])
                    i += 1
                else:
                    merged.append(right[j])
                    count += len(left) - i
                    j += 1
            merged += left[i:] + right[j:]
        ranks, width = merged, 2 * width
    return count


def _reference_order(text: str, i: int) -> tuple[int, ...]:
    order = read_order(text)
    if order is None:
        raise UnreadableReference("it has no readable list of ids", text, i)
    return order


def _why_nothing(prediction: str) -> str:
    if not prediction.strip():
        return "the answer is empty"
    if re.search("[0-9]", prediction):
        return f"a number of more than {MAX_DIGITS} digits makes the answer unreadable"
    return "no ids in the answer"


def _why_less(order: Sequence[int], truth: Sequence[int], score: float) -> str | None:
    if is_permutation(order, truth):
        pairs = len(truth) * (len(truth) - 1) // 2
        return None if score == 100 else f"{round(pairs * (100 - score) / 100)} of {pairs} pairs are out of order"
    listed = (_count(ids, fault) for fault, ids in faults(order, truth).items() if ids)
    return "not a permutation: " + "; ".join(listed)


def _count(ids: Iterable[int], fault: str) -> str:
    """`"7 ids are missing: 3, 5, …"`, kept short whatever the ids."""
    listed = list(ids)
    few = ", ".join(str(i) if i < 10**12 else "a huge number" for i in listed[:6])
    return (
        f"{len(listed)} {'id is' if len(listed) == 1 else 'ids are'} {fault}: {few}{', …' if len(listed) > 6 else ''}"
    )
