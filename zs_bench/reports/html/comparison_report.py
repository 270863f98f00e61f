"""A comparison of systems as HTML: the verdict, the differences drawn, the table, and questions side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timezone

from markupsafe import Markup

from zs_bench.reports.comparison import Question, questions
from zs_bench.reports.comparison_text import document_points, mean_title, p_value, verdict, verdict_word, warnings
from zs_bench.reports.file_view import largest_losses
from zs_bench.reports.html.charts import Difference, difference_chart
from zs_bench.reports.html.environment import cut, page, render
from zs_bench.reports.report_text import ends
from zs_bench.scoring.pairing import Comparison, Outcome, SystemComparison, TaskOutcome
from zs_bench.tasks import info
from zs_metric.explain import TaskLosses
from zs_metric.version import VERSION

#: Questions shown in favour of either system, and the most characters of each text.
MOST_QUESTIONS, LONGEST_SHOWN = 8, 1_000


def comparison_report(
    comparison: Comparison,
    *,
    references: bool = True,
    most: int = MOST_QUESTIONS,
    losses: Sequence[Mapping[str, TaskLosses]] = (),
) -> Markup:
    """Every pair of systems: verdict, chart, table, and the questions that differ most.

    Args:
        comparison: the result of `zs_bench.reports.comparison.compare`.
        most: how many questions to show in favour of either system.
        losses: of each system, by task; shown below its scores.
    """
    rows = questions(comparison)
    parts = (
        _match(match, [_of_pair(row, number) for row in rows], references=references, most=most, losses=pair)
        for number, match in enumerate(comparison.comparisons, start=1)
        for pair in [(losses[0], losses[number]) if losses else ()]
    )
    return Markup().join(parts)


def comparison_page(comparison: Comparison, *, references: bool = False, day: date | None = None) -> str:
    """The comparison as one HTML file to send; without references unless asked."""
    names = " and ".join(comparison.systems)
    body = render(
        "comparison_header.html",
        comparison=comparison,
        day=day or datetime.now(timezone.utc).date(),
        version=VERSION,
        references=references,
    )
    return page(f"Comparison of {names}", [body, comparison_report(comparison, references=references, most=50)])


def _of_pair(question: Question, number: int) -> Question:
    """The question as the first system and one other answered it."""
    return replace(
        question,
        systems=(question.systems[0], question.systems[number]),
        predictions=(question.predictions[0], question.predictions[number]),
        scores=(question.scores[0], question.scores[number]),
    )


def _match(
    match: SystemComparison,
    rows: Sequence[Question],
    *,
    references: bool,
    most: int,
    losses: Sequence[Mapping[str, TaskLosses]],
) -> Markup:
    outcomes: list[tuple[str, Outcome]] = [(info(found.task).title, found) for found in match.tasks.values()]
    if match.mean is not None and len(match.averaged) > 1:
        outcomes.append((mean_title(match).capitalize(), match.mean))
    differing = sorted((row for row in rows if row.differences[0]), key=lambda row: -(row.differences[0] or 0))
    return render(
        "comparison.html",
        match=match,
        care=warnings(match),
        needs=document_points(match),
        overall=verdict(match.mean, match.first, match.second) if match.mean else None,
        chart=_chart(match, outcomes) if outcomes else "",
        outcomes=outcomes,
        lost=lambda outcome: _lost(outcome, losses),
        sides={
            match.first: [row for row in differing[:most] if (row.differences[0] or 0) > 0],
            match.second: [row for row in differing[::-1][:most] if (row.differences[0] or 0) < 0],
        },
        references=references,
        titles={name: info(found.task).title for name, found in match.tasks.items()},
        word=lambda outcome: verdict_word(outcome, match),
        shorten=lambda text: cut(text, LONGEST_SHOWN),
        p_value=p_value,
        ends=ends,
    )


def _lost(outcome: Outcome, losses: Sequence[Mapping[str, TaskLosses]]) -> tuple[str, str]:
    """What each system lost most to; empty where it was scored on other examples than those compared."""
    if not isinstance(outcome, TaskOutcome) or not losses:
        return "", ""
    others = (outcome.only_first, outcome.only_second)
    first, second = ("" if other else _causes(of[outcome.task.name]) for of, other in zip(losses, others, strict=True))
    return first, second


def _causes(losses: TaskLosses) -> str:
    return ", ".join(f"{kind} {points:.0f}" for kind, points in largest_losses(losses))


def _chart(match: SystemComparison, outcomes: Sequence[tuple[str, Outcome]]) -> Markup:
    rows = [_difference(title, outcome) for title, outcome in outcomes]
    each = "; ".join(f"{row.title} {row.value:+.2f}{'' if row.separated else ', not clear'}" for row in rows)
    label = f"{match.first} minus {match.second}, points with 95 % intervals: {each}"
    return difference_chart(rows, match.first, match.second, label)


def _difference(title: str, outcome: Outcome) -> Difference:
    found = outcome.comparison
    low, high = (found.interval.low, found.interval.high) if found.interval else (None, None)
    return Difference(title, found.difference, low, high, found.separated())
