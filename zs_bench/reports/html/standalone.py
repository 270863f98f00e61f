"""Reports as one HTML file to send: no script, no request, light or dark as the reader's system is.

That of a scored file holds the summary, the charts, the losses and the hundred most informative answers (see
`file_view.py`), each with the reason for its score; long answers are cut. That of a comparison holds for every pair of
systems the verdict, the differences drawn and as a table, and questions side by side. Without references, a report
holds no text of one.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby
from pathlib import PurePath
from typing import Any

from markupsafe import Markup

from zs_bench.reports.comparison import Question, questions
from zs_bench.reports.comparison_text import (
    changes,
    closed_book_gap,
    headline,
    warnings,
)
from zs_bench.reports.file_view import AnswerRow, FileView, choose_informative, explain_file
from zs_bench.reports.html import cut, page, render
from zs_bench.reports.html.charts import Point, bar_chart, length_chart
from zs_bench.reports.html.comparison_table import comparison_table
from zs_bench.reports.html.explanation import score_card, why
from zs_bench.reports.html.file_report import losses, problems, run_report, run_title, summary
from zs_bench.reports.report_text import format_interval
from zs_bench.reports.study import Study, StudyRow
from zs_bench.scoring.pairing import Comparison, SystemComparison
from zs_bench.scoring.scored import ScoredFile
from zs_bench.tasks import info
from zs_metric.explain import explain
from zs_metric.rouge import engine

#: The most characters of a text that are shown, and of an answer that is explained at all.
LONGEST_SHOWN, LONGEST_EXPLAINED = 2_000, 50_000
# Questions shown in favour of either system, and the most characters of each text.
_MOST_QUESTIONS, _LONGEST_COMPARED = 8, 1_000
# The metrics whose views show the text of the answer anyway.
_VIEWS_WITH_ANSWER = ("rouge", "accuracy", "exp_similarity")


def html_report(
    scored: ScoredFile | FileView, *, references: bool = False, name: str | None = None, day: date | None = None
) -> str:
    """Return the report of a scored file.

    Args:
        scored: the scored file, or its view if it has been computed, which takes longest.
        name: of the system; default: that of its file.
        day: the date on the report; default: today, UTC.
    """
    view = explain_file(scored) if isinstance(scored, ScoredFile) else scored
    shown = view.scored
    if not references:  # the detail of a problem may quote one
        shown = replace(shown, problems=[replace(problem, detail=None) for problem in shown.problems])
    chosen = choose_informative(view.rows)
    name = cut(name or _system_name(shown), 120)
    return page(
        f"{name}: {shown.benchmark.title} scores",
        "standalone.html",
        day=day,
        name=name,
        benchmark=shown.benchmark.title,
        files=shown.files,
        source=shown.source,
        engine=engine().name,
        references=references,
        problems=problems(shown),
        signature=str(shown.signature() or ""),
        summary=summary(replace(view, scored=shown)),
        run_title=run_title(shown),
        run=run_report(shown),
        losses=losses(view),
        tasks={task: [_example(row, references=references) for row in rows] for task, rows in chosen.items()},
        titles={task: info(shown.benchmark.all_tasks[task]).title for task in chosen},
        longest=LONGEST_EXPLAINED,
    )


def _system_name(scored: ScoredFile) -> str:
    """Return the default name of the system: a run's model, the file's name without suffix, or the number of files."""
    if scored.run is not None:
        return scored.run.title
    files = [file.name for file in scored.files]
    return PurePath(files[0]).stem if len(files) == 1 else f"{len(files)} files"


def _example(row: AnswerRow, *, references: bool) -> dict[str, Any]:
    """Return an answer of the report; one too long to be explained has neither `card` nor `why`."""
    example: dict[str, Any] = {"row": row, "answer": cut(row.answer, LONGEST_SHOWN), "reason": None, "card": ""}
    if len(row.answer) > LONGEST_EXPLAINED:
        return example
    explanation = explain(row.task, row.answer, row.references, result=row.result)
    explanation = explanation if references else explanation.without_references()
    if row.task.metric.name in _VIEWS_WITH_ANSWER:
        example["answer"] = None
    card = score_card(row.task, explanation.result) + why(explanation, longest=LONGEST_SHOWN)
    return {**example, "reason": explanation.reason, "card": card}


def comparison_report(comparison: Comparison, *, references: bool = True, most: int = _MOST_QUESTIONS) -> Markup:
    """Return every pair of systems: verdict, table, and the questions that differ most.

    Args:
        comparison: the result of `zs_bench.reports.comparison.compare`.
        most: how many questions to show in favour of either system.
    """
    rows = questions(comparison)
    parts = (
        _match(match, number, rows, references=references, most=most)
        for number, match in enumerate(comparison.comparisons, start=1)
    )
    return Markup().join(parts)


def comparison_page(comparison: Comparison, *, references: bool = False, day: date | None = None) -> str:
    """Return the comparison as one HTML file to send, of this day or today; without references unless asked."""
    return page(
        f"Comparison of {' and '.join(comparison.systems)}",
        "comparison_page.html",
        day=day,
        comparison=comparison,
        references=references,
        report=comparison_report(comparison, references=references, most=50),
    )


def _match(
    match: SystemComparison,
    number: int,
    rows: Sequence[Question],
    *,
    references: bool,
    most: int,
) -> Markup:
    """Return the comparison of the first system with system `number`."""
    points = ((row.differences[number - 1] or 0.0, row) for row in rows)
    differing = sorted((pair for pair in points if pair[0]), key=lambda pair: -pair[0])
    return render(
        "comparison.html",
        match=match,
        number=number,
        care=warnings(match),
        needs=closed_book_gap(match),
        headline=headline(match),
        changes=changes,
        static=True,
        **comparison_table(match),
        sides={
            match.first: [pair for pair in differing[:most] if pair[0] > 0],
            match.second: [pair for pair in differing[::-1][:most] if pair[0] < 0],
        },
        references=references,
        titles={name: info(outcome.task).title for name, outcome in match.tasks.items()},
        shorten=lambda text: cut(text, _LONGEST_COMPARED),
    )


def study_page(study: Study) -> str:
    """Return the study; scores over input lengths are lines, others bars."""
    rows = sorted(study.rows, key=lambda row: not row.mean)  # the average first
    charts = [(title, _study_chart(study, title, list(some))) for title, some in groupby(rows, lambda row: row.title)]
    return page("A study of runs", "study.html", study=study, charts=charts, format_interval=format_interval)


def _study_chart(study: Study, title: str, rows: list[StudyRow]) -> Markup:
    if not rows[0].group and all(run.tokens for run in study.runs):
        lines: dict[str, list[Point]] = {}
        for run, score in zip(study.runs, rows[0].scores, strict=True):
            if score and run.tokens:
                bounds = (score.interval.low, score.interval.high) if score.interval else None
                lines.setdefault(run.series, []).append(Point(run.tokens, round(score.score, 1), bounds))
        return length_chart(lines, f"{title}, score by input length:")
    several = len(study.runs) > 1
    bars, intervals = {}, {}
    for row in rows:
        for run, score in zip(study.runs, row.scores, strict=True):
            if score:
                name = " · ".join(filter(None, [row.group, run.name if several or not row.group else ""]))
                bars[name] = score.score
                if score.interval:
                    intervals[name] = (score.interval.low, score.interval.high)
    label = f"{title}: " + ", ".join(f"{name} {points:.2f}" for name, points in bars.items())
    return bar_chart(bars, label, intervals=intervals)
