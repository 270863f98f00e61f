"""The score of an answer and why, or what stands in their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from zs_bench.drawing.cards import notice, score_card
from zs_bench.drawing.markup import html
from zs_bench.drawing.why import why

from . import words
from .at_once import (
    MAX_EXPLAINED,
    MAX_EXPLAINED_REFERENCES,
    Busy,
    TooLong,
    explain_at_once,
    is_explained,
    score_at_once,
)
from .which import which


def scored(
    task: str, answer: str, references: Sequence[str], marks: Mapping[str, float | None] | None = None
) -> Markup:
    """The score of an answer, and why; a placeholder while there is none, the bound where a text is too long.

    `task` is a menu's value (`which.py`).
    """
    asked = which(task)
    if not answer:
        return html('<div class="zs-card zs-empty" role="status">{}</div>', words.NO_ANSWER_YET)
    try:
        result = score_at_once(asked.task, answer, references, benchmark=asked.benchmark)
        card = score_card(asked.task, result, marks or {}, benchmark=asked.benchmark)
        if is_explained(answer, references):
            return card + why(explain_at_once(asked.task, answer, references, benchmark=asked.benchmark))
    except (TooLong, Busy) as error:
        return notice("warning", words.NOT_SCORED_AT_ONCE, [str(error)])
    return card + html(
        '<p class="zs-soft">{}</p>', words.TOO_LONG_TO_EXPLAIN.format(MAX_EXPLAINED, MAX_EXPLAINED_REFERENCES)
    )
