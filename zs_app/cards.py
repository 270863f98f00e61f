"""The score of an answer and why, or what stands in their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from zs_bench.drawing.cards import score_card
from zs_bench.drawing.markup import html
from zs_bench.drawing.why import why
from zs_metric.explain import explain
from zs_metric.scoring import score_example

from . import words

#: Longer answers are scored and not explained, so that instant scoring stays instant.
LONGEST_EXPLAINED = 50_000


def scored(
    task: str, answer: str, references: Sequence[str], marks: Mapping[str, float | None] | None = None
) -> Markup:
    """The score of an answer, and why; a placeholder while there is none."""
    if not answer:
        return html('<div class="zs-card zs-empty" role="status">{}</div>', words.NO_ANSWER_YET)
    card = score_card(task, score_example(task, answer, references), marks or {})
    if len(answer) > LONGEST_EXPLAINED:
        return card + html('<p class="zs-soft">{}</p>', words.TOO_LONG_TO_EXPLAIN.format(LONGEST_EXPLAINED))
    return card + why(explain(task, answer, list(references)))
