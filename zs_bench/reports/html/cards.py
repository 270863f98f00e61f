"""The score of one prediction as a card, and framed messages."""

from collections.abc import Sequence

from markupsafe import Markup

from zs_bench.problems import counted
from zs_bench.reports.html.environment import render
from zs_bench.tasks import info
from zs_metric.results import ExampleResult
from zs_metric.tasks import Task

#: The display names of the published averages beside a score.
MARKS = {"naive": "naive baseline", "gpt4": "GPT-4 (2023)", "best": "LED with 16,384 tokens", "human": "human"}
_LONGEST_PARSED, _MOST_PARSED = 300, 60


def score_card(task: Task, result: ExampleResult) -> Markup:
    """The score of one prediction, what the scorer found in it, and the reason for the score."""
    return render(
        "score_card.html", metric=task.metric.title, title=info(task).title, result=result, found=_found(result)
    )


def notice(kind: str, title: str, lines: Sequence[str] = ()) -> Markup:
    """A framed message: `error`, `warning` or `info`, with a list under its title."""
    return render("notice.html", kind=kind, title=title, lines=lines)


def _found(result: ExampleResult) -> str | None:
    """What the scorer read in the prediction, or `None`."""
    parsed = result.parsed
    if parsed is None:
        return None
    if result.rouge is not None:
        return counted(len(str(parsed).split()), "word")
    if isinstance(parsed, float):
        return f"{parsed:.10g}%"
    text = ", ".join(map(str, parsed[:_MOST_PARSED])) if isinstance(parsed, tuple) else str(parsed)
    return text if len(text) <= _LONGEST_PARSED else text[: _LONGEST_PARSED - 1] + "…"
