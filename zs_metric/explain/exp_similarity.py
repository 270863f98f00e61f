"""The view of a percentage: where it was read, how far off it is, and what a reader would have read instead."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

from ..exp_similarity import PERCENTAGE, cut_at, read_percentage
from .marks import first_characters
from .meant_percentage import MeantPercentage, meant_percentage
from .readings import Reading

#: Points of distance that halve the score.
HALF_WIDTH = 10
_ALONE = re.compile(rf"[^\w%]*{PERCENTAGE.pattern}[\W_]*")


def view(reading: Reading) -> dict[str, Any]:
    """The data of the view. Percentages are in points.

    `answer`: the text. `span`: `[start, end]` of the piece read, or None. `value`: the percentage read, or None.
    `truths`: those of the references; `truth`: the one that gave the score. `half_width`: the curve is
    `100 * 2 ** (-abs(value - truth) / half_width)`. `would_be`: what a reader would have read where nothing, or only
    the tail of a number, was: `{value, start, end, how, answer, score}`, or None. `omitted`: sentences.
    """
    omitted: list[str] = []
    answer = first_characters(reading.prediction, "the answer", omitted)
    match = PERCENTAGE.search(answer)
    truths = [finite(read_percentage(text)) for text in reading.references]
    return {
        "answer": answer,
        "span": list(match.span()) if match else None,
        "value": finite(reading.result.parsed),
        "truths": truths,
        "truth": truths[reading.result.best_reference or 0],
        "half_width": HALF_WIDTH,
        "would_be": _would_be(reading, meant_percentage(answer)) if _unread(reading) else None,
        "omitted": omitted,
    }


def is_misread(reading: Reading) -> bool:
    """Whether the percentage read is only the tail of the number written, and the whole number scores more."""
    meant = meant_percentage(reading.prediction) if cut_at(reading.prediction) else None
    return meant is not None and reading.score_answers([meant.answer])[0] > reading.result.score


def is_in_form(prediction: str) -> bool:
    """Whether the answer is a percentage and nothing else, as the prompt asks.

    >>> is_in_form("~89%."), is_in_form("89% are positive"), is_in_form("1,050%")
    (True, False, False)
    """
    return _ALONE.fullmatch(prediction) is not None and cut_at(prediction) is None


def repairs(reading: Reading) -> Iterator[tuple[str, str]]:
    """What could have been written instead: (the change, the answer)."""
    meant = meant_percentage(reading.prediction) if _unread(reading) else None
    if meant:
        yield f"{meant.how}, written as the evaluator reads it", meant.answer


def finite(value: float | None) -> float | None:
    """The number, the largest float in place of infinity, which JSON does not have."""
    return value if value is None else min(value, sys.float_info.max)


def _unread(reading: Reading) -> bool:
    return reading.result.parsed is None or cut_at(reading.prediction) is not None


def _would_be(reading: Reading, meant: MeantPercentage | None) -> dict[str, Any] | None:
    if meant is None:
        return None
    return {**meant._asdict(), "score": reading.score_answers([meant.answer])[0]}
