"""The report of a scored file as HTML: what was refused, the average, the chart, the table; the losses next door."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from zs_bench.catalog import FACTS, METRIC_TITLES
from zs_bench.problems import lines
from zs_bench.reports.report import answerability
from zs_bench.reports.report_text import COUNTS, ends, headline
from zs_bench.reports.scoring import ScoredFile, ScoredTask

from . import words
from .cards import notice, points
from .charts import Line, bar_chart
from .losses import losses
from .markup import NOTHING, html, join

__all__ = ["losses", "problems", "summary"]


def problems(scored: ScoredFile) -> Markup:
    """What was refused and what was odd, above the report."""
    refusing = lines(problem for problem in scored.problems if problem.refuses)
    warnings = lines(problem for problem in scored.problems if not problem.refuses)
    return (notice("error", words.FILE_REFUSED, refusing) if refusing else NOTHING) + (
        notice("warning", words.FILE_ODD, warnings) if warnings else NOTHING
    )


def summary(scored: ScoredFile) -> Markup:
    """The average, the chart, and the table per task."""
    benchmark = scored.benchmark
    if not scored.scored:
        return html('<div class="zs-total"><strong>{}</strong></div>', headline(scored))
    scores = {FACTS[name].title: task.result.score if task.result else None for name, task in scored.tasks.items()}
    mean = None if benchmark is None else benchmark.mean_of_tasks
    lines = [] if mean is None else [Line("average", words.FILE_MEAN, mean)]
    return (
        _total(scored)
        + bar_chart(scores, _told(scores, mean), lines=lines, intervals=_error_bars(scored))
        + _table(scored)
        + html('<p class="zs-facts" id="signature">{} <code>{}</code></p>', words.FILE_SIGNATURE, scored.signature())
    )


def _error_bars(scored: ScoredFile) -> dict[str, tuple[float, float]]:
    """The ends of the tasks' intervals, by title."""
    found = {name: task.interval for name, task in scored.tasks.items()}
    return {FACTS[name].title: (one.low, one.high) for name, one in found.items() if one is not None}


def _total(scored: ScoredFile) -> Markup:
    benchmark = scored.benchmark
    rest = headline(scored)
    if benchmark is None:
        return html('<div class="zs-total" role="status"><span class="of">{}</span></div>', rest)
    if benchmark.score is not None:
        rest = words.FILE_AVERAGE_LONG.format(scored.of.title, COUNTS[len(scored.of.tasks)])
        rest += words.FILE_PARTLY if any(task.partial for task in scored.tasks.values()) else ""
    number = points(benchmark.mean_of_tasks)
    return html('<div class="zs-total" role="status">{}<span class="of">{}</span></div>', number, rest)


def _told(scores: Mapping[str, float | None], mean: float | None) -> str:
    each = ", ".join(f"{name} {'refused' if score is None else f'{score:.2f}'}" for name, score in scores.items())
    return f"Score per task: {each}" + ("" if mean is None else f"; mean {mean:.2f} (dashed line)")


def _table(scored: ScoredFile) -> Markup:
    return html(
        '<div class="zs-scroll" tabindex="0" role="region" aria-label="Scores per task">'
        '<table class="zs-table" id="per-task">'
        '<thead><tr><th scope="col">Task</th><th scope="col" class="num">Score</th><th scope="col">{}</th>'
        '<th scope="col" class="num">Answers</th><th scope="col">Metric</th><th scope="col">Parts</th></tr></thead>'
        "<tbody>{}</tbody>{}</table></div>",
        _interval_head(scored),
        join(_row(name, task) for name, task in scored.tasks.items()),
        _foot(scored),
    )


def _foot(scored: ScoredFile) -> Markup:
    """The average, or the mean of the tasks that are there."""
    if scored.benchmark is None:
        return NOTHING
    whole = scored.benchmark.score is not None
    return html(
        '<tfoot><tr><th scope="row">{}</th><td class="num">{}</td><td class="soft">{}</td><td></td><td></td><td></td>'
        "</tr></tfoot>",
        words.FILE_AVERAGE.format(scored.of.title) if whole else words.FILE_MEAN,
        points(scored.benchmark.mean_of_tasks),
        ends(scored.interval),
    )


def _interval_head(scored: ScoredFile) -> str:
    levels = {task.interval.level for task in scored.tasks.values() if task.interval}
    return f"{max(levels):g} % interval" if levels else ""


def _row(name: str, task: ScoredTask) -> Markup:
    return html(
        '<tr><th scope="row">{} <span class="soft">{}</span></th><td class="num{}">{}</td><td class="soft">{}</td>'
        '<td class="num">{} of {}{}</td><td>{}</td><td class="soft wrap">{}</td></tr>',
        FACTS[name].title,
        name,
        "" if task.result else " refused",
        points(task.result.score) if task.result else "refused",
        ends(task.interval),
        len(task.ids),
        task.total,
        " (partial)" if task.partial else "",
        METRIC_TITLES[task.metric],
        _answerability(task) if name == "musique" else _rouge_parts(task),
    )


def _answerability(task: ScoredTask) -> str:
    """MuSiQue's score on answerable and on unanswerable questions."""
    parts = answerability(task).items() if task.result else ()
    return ", ".join(f"{name} {part['score']:.2f} ({part['n']})" for name, part in parts if part["n"])


def _rouge_parts(task: ScoredTask) -> str:
    """The three means behind a ROUGE score, and the other aggregation."""
    metrics = task.result.metrics if task.result else {}
    if "rouge/rouge1" not in metrics:
        return ""
    names = {"R1": "rouge1", "R2": "rouge2", "RL": "rougeL", "mean of instances": "geometric_mean_instance"}
    return ", ".join(f"{name} {metrics[f'rouge/{key}']:.2f}" for name, key in names.items())
