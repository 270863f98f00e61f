"""The report of a scored file as HTML and as rows of the table of answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from zs_bench import report
from zs_bench.catalog import FACTS, METRIC_TITLES
from zs_bench.problems import lines
from zs_bench.scoring import ScoredFile, ScoredTask
from zs_metric.tasks import TASKS

from .cards import notice, points
from .charts import bar_chart

ANSWER_COLUMNS = ("Task", "Id", "Score", "Read", "Why", "Answer")
MOST_ROWS = 5_000


def problems(scored: ScoredFile) -> str:
    """What was refused and what was odd, above the report."""
    refusing = lines(problem for problem in scored.problems if problem.refuses)
    warnings = lines(problem for problem in scored.problems if not problem.refuses)
    return (notice("error", "Refused: this was not scored", refusing) if refusing else Markup("")) + (
        notice("warning", "Scored, but look at this", warnings) if warnings else Markup("")
    )


def summary(scored: ScoredFile) -> str:
    """The average, the chart, and the table per task."""
    benchmark = scored.benchmark
    if benchmark is None:
        return Markup('<div class="zs-total"><strong>{}</strong></div>').format(report.headline(scored))
    scores = {FACTS[name].title: task.result.score if task.result else None for name, task in scored.tasks.items()}
    return (
        _total(scored)
        + bar_chart(scores, benchmark.mean_of_tasks, _told(scores, benchmark.mean_of_tasks))
        + _table(
            scored.tasks,
            "ZeroSCROLLS score" if benchmark.score is not None else "Mean of tasks",
            benchmark.mean_of_tasks,
        )
    )


def _total(scored: ScoredFile) -> Markup:
    benchmark = scored.benchmark
    mean = benchmark.mean_of_tasks if benchmark else 0.0
    number, rest = points(mean), report.headline(scored)
    if benchmark and benchmark.score is not None:
        rest = "ZeroSCROLLS score, the average over the ten tasks"
        rest += " (partial: not all answers are there)" if any(task.partial for task in scored.tasks.values()) else ""
    return Markup('<div class="zs-total" role="status">{}<span class="of">{}</span></div>').format(number, rest)


def _told(scores: Mapping[str, float | None], mean: float) -> str:
    each = ", ".join(f"{name} {'refused' if score is None else f'{score:.2f}'}" for name, score in scores.items())
    return f"Score per task: {each}; mean {mean:.2f} (dashed line)"


def _table(tasks: Mapping[str, ScoredTask], mean_title: str, mean: float) -> Markup:
    rows = Markup("").join(_row(name, task) for name, task in tasks.items())
    return Markup(
        '<div class="zs-scroll" tabindex="0" role="region" aria-label="Scores per task">'
        '<table class="zs-table" id="per-task">'
        '<thead><tr><th scope="col">Task</th><th scope="col">Metric</th><th scope="col" class="num">Score</th>'
        '<th scope="col" class="num">Answers</th><th scope="col">Parts</th></tr></thead><tbody>{}</tbody>'
        '<tfoot><tr><th scope="row" colspan="2">{}</th><td class="num">{}</td><td></td><td></td></tr></tfoot>'
        "</table></div>"
    ).format(rows, mean_title, points(mean))


def _row(name: str, task: ScoredTask) -> Markup:
    number: Markup = points(task.result.score) if task.result else Markup("refused")
    return Markup(
        '<tr><th scope="row">{} <span class="soft">{}</span></th><td>{}</td><td class="num{}">{}</td>'
        '<td class="num">{} of {}{}</td><td class="soft">{}</td></tr>'
    ).format(
        FACTS[name].title,
        name,
        METRIC_TITLES[TASKS[name].metric],
        "" if task.result else " refused",
        number,
        len(task.ids),
        task.total,
        " (partial)" if task.partial else "",
        _rouge_parts(task),
    )


def _rouge_parts(task: ScoredTask) -> str:
    """The three means behind a ROUGE score, and the other aggregation."""
    metrics = task.result.metrics if task.result else {}
    if "rouge/rouge1" not in metrics:
        return ""
    names = {"R1": "rouge1", "R2": "rouge2", "RL": "rougeL", "mean of instances": "geometric_mean_instance"}
    return ", ".join(f"{name} {metrics[f'rouge/{key}']:.2f}" for name, key in names.items())


def answers(scored: ScoredFile) -> list[list[Any]]:
    """Every answer with its score, worst first, at most `MOST_ROWS`."""
    rows: list[list[Any]] = [
        [
            FACTS[name].title,
            key,
            round(example.score, 4),
            _read(example.parsed, TASKS[name].metric),
            example.reason or "",
            text[:300],
        ]
        for name, task in scored.tasks.items()
        if task.result
        for key, text, example in zip(task.ids, task.predictions, task.result.examples, strict=True)
    ]
    return sorted(rows, key=lambda row: row[2])[:MOST_ROWS]


def _read(parsed: Any, metric: str) -> str:
    if parsed is None:
        return "nothing"
    if metric == "rouge":
        return f"{len(parsed.split())} words"
    if metric == "exp_similarity":
        return f"{parsed:.10g}%"
    return (", ".join(map(str, parsed[:40])) if isinstance(parsed, tuple) else str(parsed))[:120]
