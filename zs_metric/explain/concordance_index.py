"""The view of an order: its pairs, or what keeps it from being a permutation, and what a reader would have read."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

from ..concordance_index import MAX_DIGITS, faults, is_permutation, ranks, read_order
from .marks import LIST_LIMIT, first_of
from .meant_order import meant_order, written_order
from .readings import Reading

#: The most discordant pairs that are listed; all are counted.
DISCORDANT_LIMIT = 500
#: What every larger id is shown as; JSON's readers lose the digits of huge numbers.
HUGE = 10**12
_HUGE_NOTE = f"ids above {HUGE:,} are shown as that number"
# The keys of the view to the names of the scorer.
_FAULTS = {"missing": "missing", "repeated": "repeated", "foreign": "not in the list"}
_PIECE = re.compile(r"[^\s,]+")
_LIST = re.compile(r"\W*[0-9]+(?:[\s,]+[0-9]+)*\W*")


def view(reading: Reading) -> dict[str, Any]:
    """The data of the view.

    `order`: the ids read; `truth`: those of the reference that gave the score, `best_reference` its index;
    `permutation`: whether the one is a permutation of the other. `pairs`: the number of pairs of ids, C(n, 2). For a
    permutation `places`: for each id of the order its place in the truth; `in_order` and `discordant_count`: the number
    of pairs in and out of order; `discordant`: of the latter the first 500, as `[i, j]`, indices of the order, i < j.
    Otherwise these four are empty, None, 0 and empty, and `missing`, `repeated`, `foreign` list the ids at fault.
    `fused`: pieces of the answer in which several numbers were read as one: `{text, start, end, read, meant}`.
    `would_be`: for a non-permutation `{order, how, answer, score}`, what a reader would have read, or None. `omitted`:
    sentences.
    """
    omitted: list[str] = []
    order, truth = reading.result.parsed or (), _truth(reading)
    permutation, wrong = is_permutation(order, truth), faults(order, truth)
    places = ranks(order, truth) if permutation else []
    pairs = len(truth) * (len(truth) - 1) // 2
    count = round(pairs * (100 - reading.result.score) / 100) if permutation else 0
    discordant = discordant_pairs(places[:LIST_LIMIT])  # of the ids that are listed
    if count > len(discordant):
        omitted.append(f"only the first {len(discordant):,} of {count:,} pairs out of order are listed")
    return {
        "order": listed_ids(order, "ids of the answer", omitted),
        "truth": listed_ids(truth, "ids of the reference", omitted),
        "best_reference": _best_reference(reading),
        "permutation": permutation,
        "places": first_of(places, "places", omitted),
        "pairs": pairs,
        "in_order": pairs - count if permutation else None,
        "discordant_count": count,
        "discordant": discordant,
        **{name: listed_ids(wrong[fault], f"{name} ids", omitted) for name, fault in _FAULTS.items()},
        "fused": first_of(_fused(reading.prediction), "fused pieces", omitted, 200),
        "would_be": _would_be(reading),
        "omitted": omitted,
    }


def listed_ids(ids: Sequence[int], what: str, omitted: list[str]) -> list[int]:
    """The ids as a view shows them: the first of them, none of them huge."""
    if max(ids, default=0) > HUGE and _HUGE_NOTE not in omitted:
        omitted.append(_HUGE_NOTE)
    return [min(i, HUGE) for i in first_of(ids, what, omitted)]


def is_misread(reading: Reading) -> bool:
    """Whether the ids read are no permutation of any reference's."""
    order = reading.result.parsed
    return not any(is_permutation(order, read_order(text) or ()) for text in reading.references)


def is_in_form(prediction: str) -> bool:
    """Whether the answer is a list of ids and nothing else, as the prompt asks.

    >>> is_in_form("[3, 1, 2]"), is_in_form("Order: 3, 1, 2"), is_in_form("3-1-2")
    (True, False, False)
    """
    return _LIST.fullmatch(prediction) is not None


def repairs(reading: Reading) -> Iterator[tuple[str, str]]:
    """What could have been written instead: (the change, the answer)."""
    meant = meant_order(reading.prediction, _truth(reading)) if _unread(reading) else None
    if meant:
        yield meant.how, written_order(meant.order)


def discordant_pairs(places: Sequence[int]) -> list[list[int]]:
    """The pairs out of order as `[i, j]`, i < j, up to the limit.

    >>> discordant_pairs([2, 0, 1])
    [[0, 1], [0, 2]]
    """
    index = {place: i for i, place in enumerate(places)}
    before: list[int] = []
    listed: list[list[int]] = []
    for j, place in enumerate(places):
        at = bisect_left(before, place)
        later = before[at : at + DISCORDANT_LIMIT - len(listed)]
        listed += sorted([index[p], j] for p in later)
        before.insert(at, place)
    return listed


def _best_reference(reading: Reading) -> int:
    """The one that gave the score; where all give 0, the first of which the order is a permutation."""
    order, best = reading.result.parsed or (), reading.result.best_reference or 0
    if reading.result.score:
        return best
    truths = [read_order(text) or () for text in reading.references]
    return next((i for i, truth in enumerate(truths) if is_permutation(order, truth)), best)


def _truth(reading: Reading) -> tuple[int, ...]:
    return read_order(reading.references[_best_reference(reading)]) or ()


def _unread(reading: Reading) -> bool:
    return reading.result.parsed is None or is_misread(reading)


def _fused(text: str) -> list[dict[str, Any]]:
    """The pieces in which several numbers became one, because what stands between them is deleted."""
    fused = []
    for piece in _PIECE.finditer(text):
        numbers = re.findall("[0-9]+", piece.group())
        if len(numbers) > 1 and sum(map(len, numbers)) <= MAX_DIGITS:
            read, *meant = (min(int(digits), HUGE) for digits in ("".join(numbers), *numbers))
            fused.append(
                {"text": piece.group(), "start": piece.start(), "end": piece.end(), "read": read, "meant": meant}
            )
    return fused


def _would_be(reading: Reading) -> dict[str, Any] | None:
    meant = meant_order(reading.prediction, _truth(reading)) if _unread(reading) else None
    if meant is None:
        return None
    answer = written_order(meant.order)
    return {
        "order": list(meant.order[:LIST_LIMIT]),
        "how": meant.how,
        "answer": answer,
        "score": reading.score_answers([answer])[0],
    }
