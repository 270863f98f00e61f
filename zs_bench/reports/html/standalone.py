"""Reports as one HTML file to send: no script, no request, light or dark as the reader's system is.

That of a scored file holds the summary, the charts, the losses and the hundred most informative answers (see
`file_view.py`), each with the reason for its score; long answers are cut. That of a comparison holds for every pair of
systems the verdict, the differences drawn and as a table, and questions side by side. Without references, a report
holds no text of one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import groupby
from pathlib import PurePath

from markupsafe import Markup

from zs_bench.reports.comparison import Question, questions
from zs_bench.reports.comparison_text import headline as verdict_of
from zs_bench.reports.file_view import AnswerRow, FileView, choose_informative, explain_file
from zs_bench.reports.html import cut, page
from zs_bench.reports.html.charts import Point, length_chart
from zs_bench.reports.html.explanation import score_card, why
from zs_bench.reports.html.file_report import headline, lengths, remark, run_table, task_table
from zs_bench.reports.study import Study, StudyRow
from zs_bench.scoring.groups import GroupScore
from zs_bench.scoring.pairing import Comparison, SystemComparison
from zs_bench.scoring.scored import ScoredFile
from zs_metric.explain import Explanation, explain

#: The most characters of a text that are shown, and of an answer that is explained at all.
LONGEST_SHOWN, LONGEST_EXPLAINED = 2_000, 50_000
# Questions shown in favour of either system, and the most characters of each text.
_MOST_QUESTIONS, _LONGEST_COMPARED = 50, 1_000


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
    if not references:  # the detail of a problem may quote one
        problems = [replace(problem, detail=None) for problem in view.scored.problems]
        view = replace(view, scored=replace(view.scored, problems=problems))
    name = cut(name or _system_name(view.scored), 120)
    return page(
        f"{name}: {view.scored.benchmark.title} scores",
        "standalone.html",
        day=day,
        name=name,
        references=references,
        headline=headline(view.scored),
        remark=remark(view.scored),
        lengths=lengths(view),
        answers=choose_informative(view.rows),
        explained=partial(_explained, references=references),
        score_card=score_card,
        why=partial(why, longest=LONGEST_SHOWN),
        limits=(LONGEST_SHOWN, LONGEST_EXPLAINED),
        **task_table(view),
        **run_table(view.scored),
    )


def _system_name(scored: ScoredFile) -> str:
    """Return the default name of the system: a run's model, the file's name without suffix, or the number of files."""
    if scored.run is not None:
        return scored.run.title
    files = [file.name for file in scored.files]
    return PurePath(files[0]).stem if len(files) == 1 else f"{len(files)} files"


def _explained(row: AnswerRow, *, references: bool) -> Explanation | None:
    if len(row.answer) > LONGEST_EXPLAINED:
        return None
    explanation = explain(row.task, row.answer, row.references, result=row.result)
    return explanation if references else explanation.without_references()


def comparison_page(comparison: Comparison, *, references: bool = False, day: date | None = None) -> str:
    """Return the comparison as one HTML file to send, of this day or today; without references unless asked."""
    return page(
        f"Comparison of {' and '.join(comparison.systems)}",
        "comparison_page.html",
        day=day,
        comparison=comparison,
        references=references,
        headline=verdict_of,
        sides=partial(_sides, questions(comparison)),
        shorten=lambda text: cut(text, _LONGEST_COMPARED),
    )


def _sides(rows: Sequence[Question], match: SystemComparison, number: int) -> dict[str, list[tuple[float, Question]]]:
    """Return the questions in favour of the first system and of system `number`, those that differ most first."""
    points = ((row.differences[number - 1] or 0.0, row) for row in rows)
    differing = sorted((pair for pair in points if pair[0]), key=lambda pair: -pair[0])
    return {
        match.first: [pair for pair in differing[:_MOST_QUESTIONS] if pair[0] > 0],
        match.second: [pair for pair in differing[::-1][:_MOST_QUESTIONS] if pair[0] < 0],
    }


def study_page(study: Study) -> str:
    """Return the study; scores over input lengths are lines, others bars."""
    rows = sorted(study.rows, key=lambda row: not row.mean)  # the average first
    by_tokens = not study.grouped and all(run.tokens for run in study.runs)
    charts = [
        (title, _lines(study, title, next(group)) if by_tokens else "", {} if by_tokens else _bars(study, group))
        for title, group in groupby(rows, lambda row: row.title)
    ]
    return page("A study of runs", "study.html", study=study, charts=charts)


def _lines(study: Study, title: str, row: StudyRow) -> Markup:
    lines: dict[str, list[Point]] = {}
    for run, score in zip(study.runs, row.scores, strict=True):
        if score and run.tokens:
            ends = (score.interval.low, score.interval.high) if score.interval else None
            lines.setdefault(run.series, []).append(Point(run.tokens, round(score.score, 1), ends))
    return length_chart(lines, f"{title}, score by input length:")


def _bars(study: Study, rows: Iterable[StudyRow]) -> dict[str, GroupScore]:
    """Return the scores by the names of group and run, without that of the only run."""
    scores = ((row.group, *pair) for row in rows for pair in zip(study.runs, row.scores, strict=True))
    return {
        " · ".join(filter(None, [group, run.name if len(study.runs) > 1 or not group else ""])): score
        for group, run, score in scores
        if score
    }
