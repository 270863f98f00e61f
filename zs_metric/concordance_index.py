"""Concordance index of two orders (ZeroSCROLLS section 3.3; BookSumSort).

An order is read by deleting everything but ASCII digits, whitespace and commas, turning commas into spaces, splitting,
and reading integers. A token too long for an integer makes the whole prediction unreadable. The score is 0 unless the
prediction is a permutation of the reference; then it is the share of the C(n, 2) pairs whose order agrees, in points.
A single id that is right scores 100.

Convention of the released evaluator, kept: characters between digits vanish, so that `2-1-3` is read as 213, and a
number in a preamble ("The 4 summaries in order: …") is one id too many.
"""

import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Sequence

from .results import ExampleResult
from .texts import read_references

_NOT_READ = re.compile(r"[^0-9\s,]+")
# The default limit of Python's int(); longer conversions would also be slow (quadratic).
MAX_DIGITS = 4300
# Up to so many ids, counting one by one is faster than halving.
_FEW = 100


def read_order(text: str) -> tuple[int, ...] | None:
    """Return the ids the evaluator reads, or `None` if there are none or one is too long for an integer.

    >>> read_order("Order: 3, 1, 2"), read_order("2-1-3"), read_order("none")
    ((3, 1, 2), (213,), None)
    """
    tokens = _NOT_READ.sub("", text).replace(",", " ").split()
    if not tokens or max(map(len, tokens)) > MAX_DIGITS:
        return None
    return tuple(map(int, tokens))


def concordance(order: Sequence[int], truth: Sequence[int]) -> float:
    """Return the share of pairs in the same order, in points; 0 if `order` is not a permutation of `truth`.

    Repeated ids of the truth are matched in order of occurrence.

    >>> round(concordance((2, 1, 3, 4), (1, 2, 3, 4)), 4)
    83.3333
    """
    if not is_permutation(order, truth):
        return 0.0
    pairs = len(truth) * (len(truth) - 1) // 2
    return 100.0 if not pairs else 100 * (pairs - _discordant(ranks(order, truth))) / pairs


def is_permutation(order: Sequence[int], truth: Sequence[int]) -> bool:
    """Return whether `order` has the same ids as `truth`, each as often."""
    return len(order) == len(truth) and sorted(order) == sorted(truth)


def score_concordance_index(prediction: str, references: Sequence[str]) -> ExampleResult:
    """Return the concordance with the best reference, in points; UnreadableReference if a reference has no ids."""
    truths = read_references(read_order, references, "it has no readable list of ids")
    parsed = read_order(prediction)
    if parsed is None:
        return ExampleResult(0.0, None, _why_nothing(prediction), 0)
    scores = [concordance(parsed, truth) for truth in truths]
    best = max(range(len(scores)), key=scores.__getitem__)
    return ExampleResult(scores[best], parsed, _why_less(parsed, truths[best], scores[best]), best)


def faults(order: Sequence[int], truth: Sequence[int]) -> dict[str, list[int]]:
    """Return the ids because of which `order` is not a permutation of `truth`, sorted, by what is wrong with them.

    >>> faults((1, 1, 7), (1, 2))
    {'missing': [2], 'repeated': [1], 'not in the list': [7]}
    """
    counts, wanted = Counter(order), Counter(truth)
    return {
        "missing": sorted(wanted - counts),
        "repeated": sorted(i for i in counts if i in wanted and counts[i] > wanted[i]),
        "not in the list": sorted(i for i in counts if i not in wanted),
    }


def ranks(order: Sequence[int], truth: Sequence[int]) -> list[int]:
    """Return for each id of `order`, a permutation of `truth`, its place in `truth`."""
    places: defaultdict[int, list[int]] = defaultdict(list)
    for place in range(len(truth) - 1, -1, -1):
        places[truth[place]].append(place)
    return [places[i].pop() for i in order]


def _discordant(ranks: list[int]) -> int:
    """Count the pairs out of order: those of each half, and those between the halves."""
    count, middle = 0, len(ranks) // 2
    if len(ranks) > _FEW:
        in_order = sorted(ranks[:middle])
        count = sum(middle - bisect(in_order, rank) for rank in ranks[middle:])
        return count + _discordant(ranks[:middle]) + _discordant(ranks[middle:])
    before: list[int] = []
    for rank in ranks:
        place = bisect(before, rank)
        count += len(before) - place
        before.insert(place, rank)
    return count


def _why_nothing(prediction: str) -> str:
    if not prediction.strip():
        return "the answer is empty"
    if re.search("[0-9]", prediction):
        return f"a number of more than {MAX_DIGITS} digits makes the answer unreadable"
    return "no ids in the answer"


def _why_less(order: Sequence[int], truth: Sequence[int], score: float) -> str | None:
    if is_permutation(order, truth):
        pairs = len(truth) * (len(truth) - 1) // 2
        count = round(pairs * (100 - score) / 100)
        return f"{count} of {pairs} pairs {'is' if count == 1 else 'are'} out of order" if count else None
    counted = []
    for fault, ids in faults(order, truth).items():
        few = ", ".join(str(i) if i < 10**12 else "a huge number" for i in ids[:6]) + (", …" if len(ids) > 6 else "")
        if ids:
            counted.append(f"{len(ids)} {'id is' if len(ids) == 1 else 'ids are'} {fault}: {few}")
    return f"not a permutation: {'; '.join(counted)}"
