"""Reports as one HTML file to send: no script, no request, light or dark as the reader's system is.

That of a scored file has the hundred most informative answers (`answers.py`), each with the reason for its score; long
answers are cut. That of a comparison has questions side by side. Without references, a report holds no text of one, but
marks the words of answers that are in one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import PurePath
from statistics import quantiles
from typing import Any, NamedTuple

from markupsafe import Markup

from zs_bench.answers import Answer
from zs_bench.benchmarks.records import Average
from zs_bench.published import MARKS
from zs_bench.reports.answers import choose_informative, explained_answers
from zs_bench.reports.comparison import ComparedQuestion, about_systems, problems_of_systems, questions
from zs_bench.reports.comparison import headline as verdict_of
from zs_bench.reports.comparison import losses as losses_of
from zs_bench.reports.html import Point, cut, difference_axis, length_chart, page
from zs_bench.reports.html.explanation import score_card, why
from zs_bench.reports.post_text import rules_in_words
from zs_bench.reports.report import (
    WRITTEN,
    answerability,
    beside_task,
    format_interval,
    headline_averages,
    missing_in_words,
    other_averages,
    progress,
    rouge_types,
    task_rows,
)
from zs_bench.reports.report import status as status_of
from zs_bench.reports.run_text import COUNTS, account_sentence, tokens_sentence
from zs_bench.reports.runs import deviation, spreads
from zs_bench.reports.study import Study, about_intervals
from zs_bench.scoring.compare import Comparison, SystemComparison
from zs_bench.scoring.scored import ScoredFile, ScoredTask, run_scores
from zs_bench.statistics.intervals import Interval
from zs_metric.explain import Explanation, explain

#: The most characters of a text that are shown, and of an answer that is explained at all.
LONGEST_SHOWN, LONGEST_EXPLAINED = 2_000, 50_000
# Questions shown in favour of either system, and the most characters of each text.
_MOST_QUESTIONS, _LONGEST_COMPARED = 50, 1_000
# Alternative scores of a run: the head of the column, and what it means.
_SCORES = {
    "without_cut": ("Without cut prompts", "only answers to prompts that the server read whole"),
    "lost_as_empty": ("Lost as empty", "with an empty answer for each prompt that has none"),
}


def html_report(scored: ScoredFile, *, references: bool = False, name: str | None = None) -> str:
    """Return the report of a scored file; the name is by default a run's model, or the file's."""
    files = [file.name for file in scored.files]
    default = PurePath(files[0]).stem if len(files) == 1 else f"{len(files)} files"
    name = cut(name or (scored.run.title if scored.run else default), 120)
    scored = scored if references else _without_details(scored)
    return page(
        f"{name}: {scored.benchmark.title} scores",
        "standalone.html",
        name=name,
        references=references,
        figures=figures(scored),
        remark=remark(scored),
        lengths=lengths(scored),
        answers=choose_informative(explained_answers(scored)),
        explained=partial(_explained, references=references),
        score_card=score_card,
        why=partial(why, longest=LONGEST_SHOWN),
        limits=(LONGEST_SHOWN, LONGEST_EXPLAINED),
        **task_table(scored),
        **run_table(scored),
    )


def _explained(row: Answer, *, references: bool) -> Explanation | None:
    if len(row.text) > LONGEST_EXPLAINED:
        return None
    explanation = explain(row.task, row.text, row.references, result=row.result)
    return explanation if references else explanation.without_references()


def figures(scored: ScoredFile) -> list[tuple[float, str, str]]:
    """Return the scores in large figures: points, interval, title; of all averages, or of up to three tasks."""
    average, tasks, interval = scored.result, scored.scored, format_interval(scored.interval)
    if average and average.score is not None:
        title = "mean of these tasks" if scored.of_examples else f"{scored.benchmark.title} score"
        return [(average.score, interval, title), *_large(other_averages(scored))]
    if scored.benchmark.headline and (rows := _large(headline_averages(scored))):
        return [*rows, *_large(other_averages(scored))]
    if len(tasks) <= 3:
        return [(task.score or 0.0, format_interval(task.interval), task.task.title) for task in tasks.values()]
    return [(average.mean_of_tasks, interval, "mean of these tasks")] if average else []


def _large(rows: Iterable[tuple[Average, float | None, Interval | None]]) -> list[tuple[float, str, str]]:
    return [(score, format_interval(ends), row.title) for row, score, ends in rows if score is not None]


def remark(scored: ScoredFile) -> str:
    """Return what the scores in large figures are of, and what they are not."""
    more = _of_runs(scored)
    more += ["partial: some predictions are missing"] if any(task.partial for task in scored.tasks.values()) else []
    if scored.of_examples:
        return " · ".join([progress(scored), f"{WRITTEN}; comparable with no published score", *more])
    if scored.result and scored.result.score is not None:
        return " · ".join([progress(scored), *more])
    if scored.benchmark.headline:  # each of its averages has tasks of its own
        return " · ".join([progress(scored), *more])
    count, title = len(scored.benchmark.tasks), scored.benchmark.title
    return " · ".join([*more, f"{progress(scored)}; the {title} score needs all {count}"])


def _of_runs(scored: ScoredFile) -> list[str]:
    """Return how many runs the figures are the means of, with the standard deviation where there is one figure."""
    if not scored.runs:
        return []
    rows = [*spreads(scored).values()]
    one = len(figures(scored)) == 1 and bool(rows) and rows[-1].deviation is not None
    return [f"mean of {len(scored.runs)} runs{f' ± {deviation(rows[-1])}' if one else ''}"]


class Mark(NamedTuple):
    """A published score beside that of a task; `apart` is what they do not share (`published_beside`)."""

    kind: str
    name: str
    value: float
    apart: str


def task_table(scored: ScoredFile) -> dict[str, Any]:
    """Return the values of `file_table.html`; no published score is drawn beside that of too few examples."""
    tasks = task_rows(scored)
    drawn: dict[str, list[Mark]] = {}
    for name, task in scored.scored.items():
        beside = beside_task(task, scored)
        drawn[name] = [Mark(kind, MARKS[kind], points, beside.apart) for kind, points in beside.points.items()]
    return {
        "scored": scored,
        "tasks": [task for task in tasks if status_of(task) != "no predictions"],
        "absent": [task.task.title for task in tasks if status_of(task) == "no predictions"],
        "marks": drawn,
        "keys": {(mark.apart, mark.kind): mark for row in drawn.values() for mark in row}.values(),
        "note_of": _note,
    }


def _note(task: ScoredTask) -> str:
    """Return what is missing, and the parts of the score: ROUGE types, or MuSiQue's two kinds of questions."""
    parts = [missing_in_words(task), f"ROUGE-1/2/L: {rouge_types(task)}" if rouge_types(task) else ""]
    if task.task.answerability and task.score is not None:
        kinds = answerability(task.answers).items()
        parts += [f"{name} {part['score']:.2f} ({part['n']})" for name, part in kinds if part["n"]]
    return ", ".join(filter(None, parts))


def lengths(scored: ScoredFile) -> dict[str, dict[str, tuple[float, float, float]]]:
    """Return by title, for the tasks whose answers are texts, the lengths of "answer" and "reference" in words.

    They are the ends of the middle 80 %, and between them the median.
    """

    def spread(words: Sequence[int]) -> tuple[float, float, float]:
        cuts = quantiles(words, n=10, method="inclusive") if len(words) > 1 else [float(words[0])] * 9
        return cuts[0], cuts[4], cuts[8]

    return {
        task.task.title: {"answer": spread(task.losses.answer_words), "reference": spread(task.losses.reference_words)}
        for task in scored.scored.values()
        if task.task.metric.name in ("rouge", "f1")
    }


def run_table(scored: ScoredFile) -> dict[str, Any]:
    """Return the values of `run.html`, the counts and scores of a run by task; `run_title` is empty for no run."""
    if scored.run is None:
        return {"run_title": ""}
    all_tasks, others = scored.benchmark.all_tasks, run_scores(scored)
    differ = any(score is not None for scores in others.values() for score in scores.values())
    rows = []
    for name, task in scored.run.tasks.items():
        row = {title: f"{count(task):,}" for title, count in COUNTS.items() if count(task)}
        if "Trimmed before" in row and task.kept is not None:
            row["Trimmed before"] += f" ({task.kept:.0%} kept)"
        scores = {"Score": scored.tasks[name].score if differ and name in scored.tasks else None}
        scores |= {title: others.get(name, {}).get(key) for key, (title, _) in _SCORES.items()}
        row |= {title: f"{score:.4f}" for title, score in scores.items() if score is not None}
        rows.append({"Task": all_tasks[name].title if name in all_tasks else name, **row})
    titles = ("Task", *COUNTS, "Score", *(title for title, _ in _SCORES.values()))
    used = [title for title in titles if any(title in row for row in rows)]
    meanings = (f"{title}: {meaning}." for title, meaning in _SCORES.values() if title in used)
    return {
        "run_title": f"Run of {scored.run.title}: {account_sentence(scored.run.tasks)}",
        "columns": [(title, "" if title == "Task" else "num") for title in used],
        "rows": [[row.get(title, "–") for title in used] for row in rows],
        "notes": [*meanings, tokens_sentence(scored.run.tasks)],
    }


def comparison_page(comparison: Comparison, *, references: bool = False, losses: bool = False) -> str:
    """Return the comparison as one HTML file to send; references, and what points were lost to, only if asked for."""
    rows, systems = questions(comparison), comparison.systems
    shown = systems if references else {name: _without_details(scored) for name, scored in systems.items()}

    def sides(match: SystemComparison) -> Mapping[str, list[tuple[float, ComparedQuestion]]]:
        points = ((row.differences[match.second] or 0.0, row) for row in rows)
        differing = sorted((pair for pair in points if pair[0]), key=lambda pair: -pair[0])
        return {
            match.first: [pair for pair in differing[::-1][:_MOST_QUESTIONS] if pair[0] < 0],
            match.second: [pair for pair in differing[:_MOST_QUESTIONS] if pair[0] > 0],
        }

    return page(
        f"Comparison of {' and '.join(comparison.systems)}",
        "comparison_page.html",
        comparison=comparison,
        references=references,
        errors=problems_of_systems(shown, errors=True),
        found=problems_of_systems(shown, errors=False),
        about=about_systems(comparison),
        post="; ".join(dict.fromkeys(filter(None, map(rules_in_words, systems.values())))),
        lost=partial(losses_of, comparison, titles=True) if losses else "",
        headline=verdict_of,
        axis_of=difference_axis,
        sides=sides,
        shorten=lambda text: cut(text, _LONGEST_COMPARED),
    )


def _without_details(scored: ScoredFile) -> ScoredFile:
    """Return the scored file without the details of its problems, which may quote a reference."""
    return replace(scored, problems=[replace(problem, detail=None) for problem in scored.problems])


def study_page(study: Study) -> str:
    """Return the study; scores over input lengths are lines, others bars."""
    by_title = groupby(sorted(study.rows, key=lambda row: not row.mean), lambda row: row.title)  # the average first
    charts: list[tuple[str, Markup | str, Mapping[str, Any]]] = []
    for title, rows in by_title:
        scores = [(row, run, score) for row in rows for run, score in zip(study.runs, row.scores, strict=True) if score]
        if study.grouped or not all(run.tokens for run in study.runs):
            named = {}
            for row, run, score in scores:
                name = [row.group, run.name if len(study.runs) > 1 or not row.group else ""]
                named[" · ".join(filter(None, name))] = score
            charts.append((title, "", named))
            continue
        series: dict[str, list[Point]] = {}
        for _, run, score in scores:
            ends = (score.interval.low, score.interval.high) if score.interval else None
            series.setdefault(run.series, []).append(Point(run.tokens or 0, round(score.score, 1), ends))
        charts.append((title, length_chart(series, f"{title}, score by input length:"), {}))
    return page("A study of runs", "study.html", study=study, charts=charts, about_intervals=about_intervals)
