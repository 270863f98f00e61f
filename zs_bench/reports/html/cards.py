"""The score of one prediction as a card, and framed messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from zs_bench.problems import counted
from zs_bench.reports.html.environment import render
from zs_bench.tasks import info
from zs_metric.results import ExampleResult
from zs_metric.tasks import Task

#: The published averages that a score is shown beside, as people call them.
MARKS = {"naive": "naive baseline", "gpt4": "GPT-4 (2023)", "best": "LED with 16,384 tokens", "human": "human"}
_LONGEST_PARSED, _MOST_PARSED = 300, 60


def score_card(
    task: Task,
    result: ExampleResult,
    marks: Mapping[str, float | None],
    *,
    live: bool = True,
    details: bool = True,
) -> Markup:
    """The score of one prediction, the published averages, what the scorer found in it, and the reason for the score.

    Args:
        task: whose prediction it is.
        result: of the prediction.
        marks: published averages in points by the keys of `MARKS`; `None` is left out.
        live: whether the card changes while someone types, and is then announced to screen readers.
        details: whether precision, recall and the ROUGE types are on the card; an explanation shows them too.
    """
    return render(
        "score_card.html",
        live=live,
        details=details,
        metric=task.metric.title,
        title=info(task).title,
        result=result,
        found=_found(result),
        marks={MARKS[name]: round(value, 1) for name, value in marks.items() if value is not None},
    )


def notice(kind: str, title: str, lines: Sequence[str] = ()) -> Markup:
    """A framed message: `error`, `warning` or `info`, with a list under its title."""
    return render("notice.html", kind=kind, title=title, lines=lines)


def _found(result: ExampleResult) -> str | None:
    """What the scorer read in the prediction; `None` for nothing."""
    parsed = result.parsed
    if parsed is None:
        return None
    if result.rouge is not None:
        return counted(len(str(parsed).split()), "word")
    if isinstance(parsed, float):
        return f"{parsed:.10g}%"
    text = ", ".join(map(str, parsed[:_MOST_PARSED])) if isinstance(parsed, tuple) else str(parsed)
    return text if len(text) <= _LONGEST_PARSED else text[: _LONGEST_PARSED - 1] + "…"
