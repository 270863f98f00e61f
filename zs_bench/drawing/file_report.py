"""The report of a scored file as HTML: what was refused, the average, the chart, the table, and the losses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import quantiles
from typing import Any

from markupsafe import Markup

from zs_bench.catalog import FACTS, METRIC_TITLES
from zs_bench.problems import lines
from zs_bench.reports import report
from zs_bench.reports.file_view import FileView
from zs_bench.reports.scoring import ScoredFile, ScoredTask
from zs_metric.tasks import TASKS

from . import words
from .cards import notice, points
from .charts import Line, bar_chart
from .markup import html, join
from .why import LEDGER_WORDS


def problems(scored: ScoredFile) -> Markup:
    """What was refused and what was odd, above the report."""
    refusing = lines(problem for problem in scored.problems if problem.refuses)
    warnings = lines(problem for problem in scored.problems if not problem.refuses)
    return (notice("error", words.FILE_REFUSED, refusing) if refusing else Markup("")) + (
        notice("warning", words.FILE_ODD, warnings) if warnings else Markup("")
    )


def summary(scored: ScoredFile) -> Markup:
    """The average, the chart, and the table per task."""
    benchmark = scored.benchmark
    if benchmark is None:
        return html('<div class="zs-total"><strong>{}</strong></div>', report.headline(scored))
    scores = {FACTS[name].title: task.result.score if task.result else None for name, task in scored.tasks.items()}
    mean = benchmark.mean_of_tasks
    return (
        _total(scored)
        + bar_chart(scores, _told(scores, mean), lines=[Line("average", words.FILE_MEAN, mean)])
        + _table(scored.tasks, words.FILE_AVERAGE if benchmark.score is not None else words.FILE_MEAN, mean)
    )


def _total(scored: ScoredFile) -> Markup:
    benchmark = scored.benchmark
    rest = report.headline(scored)
    if benchmark and benchmark.score is not None:
        rest = words.FILE_AVERAGE_LONG
        rest += words.FILE_PARTLY if any(task.partial for task in scored.tasks.values()) else ""
    number = points(benchmark.mean_of_tasks if benchmark else 0.0)
    return html('<div class="zs-total" role="status">{}<span class="of">{}</span></div>', number, rest)


def _told(scores: Mapping[str, float | None], mean: float) -> str:
    each = ", ".join(f"{name} {'refused' if score is None else f'{score:.2f}'}" for name, score in scores.items())
    return f"Score per task: {each}; mean {mean:.2f} (dashed line)"


def _table(tasks: Mapping[str, ScoredTask], mean_title: str, mean: float) -> Markup:
    return html(
        '<div class="zs-scroll" tabindex="0" role="region" aria-label="Scores per task">'
        '<table class="zs-table" id="per-task">'
        '<thead><tr><th scope="col">Task</th><th scope="col">Metric</th><th scope="col" class="num">Score</th>'
        '<th scope="col" class="num">Answers</th><th scope="col">Parts</th></tr></thead><tbody>{}</tbody>'
        '<tfoot><tr><th scope="row" colspan="2">{}</th><td class="num">{}</td><td></td><td></td></tr></tfoot>'
        "</table></div>",
        join(_row(name, task) for name, task in tasks.items()),
        mean_title,
        points(mean),
    )


def _row(name: str, task: ScoredTask) -> Markup:
    return html(
        '<tr><th scope="row">{} <span class="soft">{}</span></th><td>{}</td><td class="num{}">{}</td>'
        '<td class="num">{} of {}{}</td><td class="soft">{}</td></tr>',
        FACTS[name].title,
        name,
        METRIC_TITLES[TASKS[name].metric],
        "" if task.result else " refused",
        points(task.result.score) if task.result else "refused",
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


def losses(view: FileView) -> Markup:
    """Where the points went, per task: stacked bars, sentences, and the lengths of answers and references."""
    if not view.ledgers:
        return Markup("")
    legend = join(html('<li><i class="{}"></i>{}</li>', part, text) for part, text in LEDGER_WORDS.items())
    return html(
        '<section class="zs-losses" id="losses"><h3>{}</h3>'
        '<div class="zs-ledger"><ul><li><i class="score"></i>score</li>{}'
        "</ul></div>{}<h3>{}</h3>{}</section>",
        words.FILE_LOSSES,
        legend,
        join(_loss_row(name, ledger) for name, ledger in view.ledgers.items()),
        words.FILE_LENGTHS,
        _lengths(view.ledgers),
    )


def _loss_row(name: str, ledger: Mapping[str, Any]) -> Markup:
    pieces = [("score", ledger["score"]), *ledger["ledger"].items()]
    bar = join(html('<b class="{}" style="width:{:.2f}%" title="{} {:.2f}"></b>', p, v, p, v) for p, v in pieces)
    return html(
        '<div class="zs-loss"><strong>{}</strong><div class="zs-stack" role="img" aria-label="{}">{}</div>'
        "<span>{}</span></div>",
        FACTS[name].title,
        f"{FACTS[name].title}: " + ", ".join(f"{part} {value:.1f}" for part, value in pieces),
        bar,
        loss_sentence(ledger),
    )


def loss_sentence(ledger: Mapping[str, Any]) -> str:
    """One task's losses in a sentence.

    >>> loss_sentence({"ledger": {"format": 4.0, "typography": 0.0, "length": 31.0, "content": 24.0}, "in_format": 0.5,
    ...                "aggregation": 0.0})
    'of 59.0 lost points, 31.0 length, 24.0 content, 4.0 format; 50% in the asked format'
    """
    parts = sorted(((value, part) for part, value in ledger["ledger"].items() if value >= 0.05), reverse=True)
    lost = sum(value for value, _ in parts)
    told = f"of {lost:.1f} lost points, " + ", ".join(f"{value:.1f} {part}" for value, part in parts)
    step = f"; aggregation {ledger['aggregation']:+.2f}" if abs(ledger["aggregation"]) >= 0.005 else ""
    return f"{told if parts else 'nothing lost'}{step}; {ledger['in_format']:.0%} in the asked format"


def _lengths(ledgers: Mapping[str, Mapping[str, Any]]) -> Markup:
    """For the tasks with texts as answers: the middle 80 % of the lengths in words, on one scale per task."""
    rows = [
        _length_row(name, ledger["answer_words"], ledger["reference_words"])
        for name, ledger in ledgers.items()
        if TASKS[name].metric in ("rouge", "f1")
    ]
    return html('<div class="zs-lengths">{}</div>', join(rows))


def _length_row(name: str, answers: Sequence[int], references: Sequence[int]) -> Markup:
    top = max(1.0, *(_spread(column)[2] for column in (answers, references)))
    bars = [_span(kind, _spread(column), top) for kind, column in (("answer", answers), ("reference", references))]
    told = [f"{kind}s {_spread(c)[1]:.0f} words" for kind, c in (("answer", answers), ("reference", references))]
    return html(
        '<div class="zs-length"><strong>{}</strong><div role="img" aria-label="{}">{}</div><span>{}</span></div>',
        FACTS[name].title,
        f"{FACTS[name].title}, median lengths: {', '.join(told)}",
        join(bars),
        " · ".join(told),
    )


def _spread(lengths: Sequence[int]) -> tuple[float, float, float]:
    """The 10th, 50th and 90th percentile."""
    if len(lengths) < 2:
        return (float(lengths[0]),) * 3
    cuts = quantiles(lengths, n=10, method="inclusive")
    return cuts[0], cuts[4], cuts[8]


def _span(kind: str, spread: tuple[float, float, float], top: float) -> Markup:
    low, middle, high = (100 * value / top for value in spread)
    bar = '<p class="{}"><b style="left:{:.1f}%;width:{:.1f}%"></b><i style="left:{:.1f}%"></i></p>'
    return html(bar, kind, low, max(high - low, 0.8), min(middle, 99.2))
