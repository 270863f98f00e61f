"""The report of a scored file for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from zs_bench.problems import lines, short
from zs_bench.reports.scored import ScoredFile, ScoredTask
from zs_bench.statistics.bootstrap import Interval
from zs_metric.rouge_engines import engine

#: The numbers of the benchmarks' tasks in words.
COUNTS = {7: "seven", 10: "ten"}
_PARTS = {"R1": "rouge1", "R2": "rouge2", "RL": "rougeL", "instance mean": "geometric_mean_instance"}


def headline(scored: ScoredFile) -> str:
    """The average in words, or why there is none.

    >>> from zs_bench.files.gather import Predictions, References
    >>> from zs_bench.reports.scoring import score_predictions
    >>> headline(score_predictions(Predictions(), References()))
    'No task could be scored.'
    """
    benchmark, title = scored.benchmark, scored.of.title
    if benchmark is None:
        only = ", ".join(scored.scored)
        return f"No average: {only} is no part of one." if only else "No task could be scored."
    partial = " (partial: not all answers are there)" if any(task.partial for task in scored.tasks.values()) else ""
    number = f"{benchmark.mean_of_tasks:.4f}{ends(scored.interval, ' ')}{partial}"
    if benchmark.score is not None:
        return f"{title} score: {number}"
    count = len(scored.of.tasks) - len(benchmark.missing_tasks)
    return (
        f"Mean of {count} {'task' if count == 1 else 'tasks'}: {number}. "
        f"No {title} score: it needs all {COUNTS[len(scored.of.tasks)]} tasks; "
        f"not scored: {', '.join(benchmark.missing_tasks)}."
    )


def ends(interval: Interval | None, before: str = "") -> str:
    """The interval as it stands beside a score; empty where there is none.

    >>> ends(Interval(-0.04, 43.4, 95.0, 1000, 12345, None))
    '[0.0, 43.4]'
    """
    return "" if interval is None else f"{before}[{one_decimal(interval.low)}, {one_decimal(interval.high)}]"


def one_decimal(points: float) -> str:
    """The points to one decimal, without a sign before a zero."""
    return f"{round(points, 1) + 0.0:.1f}"


def as_text(scored: ScoredFile) -> str:
    """The report for a terminal: the table per task, the average, what it rests on, and what is wrong."""
    rows = [("task", "metric", "score", "", "answers", ""), *map(_row, scored.tasks.values())]
    refusing = lines(problem for problem in scored.problems if problem.refuses)
    warnings = lines(problem for problem in scored.problems if not problem.refuses)
    return "\n".join(
        [
            *(table(rows, right=(2, 4)) if scored.tasks else []),
            "",
            headline(scored),
            *([f"ROUGE by {engine().name}, aggregation: {scored.rouge_aggregation}."] if _has_rouge(scored) else []),
            *_about_intervals(scored.scored),
            *([f"References: {_source(scored.source)}."] if scored.source else []),
            *_about_post(scored),
            *([f"Signature: {scored.signature()}"] if scored.scored else []),
            *(["", "Refused:", *(f"- {line}" for line in refusing)] if refusing else []),
            *(["", "Warnings:", *(f"- {line}" for line in warnings)] if warnings else []),
        ]
    )


def table(rows: Sequence[Sequence[str]], right: Sequence[int]) -> list[str]:
    """The rows as lines of columns two blanks apart, those in `right` aligned there.

    >>> table([("task", "score"), ("qasper", "7")], right=[1])
    ['task    score', 'qasper      7']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    used = [i for i, width in enumerate(widths) if width]
    return [
        "  ".join(row[i].rjust(widths[i]) if i in right else row[i].ljust(widths[i]) for i in used).rstrip()
        for row in rows
    ]


def _row(task: ScoredTask) -> tuple[str, str, str, str, str, str]:
    metric, answers = task.metric, f"{len(task.ids)}/{task.total}"
    if task.score is None:
        return task.task, metric, "refused", "", answers, ""
    return task.task, metric, f"{task.score:.4f}", ends(task.interval), answers, _parts(task)


def _parts(task: ScoredTask) -> str:
    metrics: Mapping[str, Any] = task.result.metrics if task.result else {}
    parts = [f"{title} {metrics[f'rouge/{key}']:.4f}" for title, key in _PARTS.items() if f"rouge/{key}" in metrics]
    return ", ".join([*(["partial"] if task.partial else []), *parts])


def _has_rouge(scored: ScoredFile) -> bool:
    return any(task.metric == "rouge" for task in scored.scored.values())


def _source(source: Mapping[str, str | None]) -> str:
    return f"{source['source'] or 'none'}, {source['split']} split"


def _about_post(scored: ScoredFile) -> Iterator[str]:
    """What the answers went through, and the scores without it."""
    if scored.processed:
        done = scored.processed
        before = (f"{name} {'refused' if score is None else f'{score:.4f}'}" for name, score in done.before.items())
        yield f"Post-processed by {', then '.join(map(short, scored.post))}: {done.changed:,} answers changed."
        yield f"Without it: {', '.join(before)}."


def _about_intervals(tasks: Mapping[str, ScoredTask]) -> Iterator[str]:
    """What the intervals are, and between which examples they know of a bond."""
    found = {name: task.interval for name, task in tasks.items() if task.interval}
    for one in list(found.values())[:1]:
        yield f"Intervals: {one.level:g} %, percentile bootstrap, {one.resamples:,} resamples, seed {one.seed}."
    together = [f"{name} ({one.clusters:,})" for name, one in found.items() if one.clusters is not None]
    if together:
        yield f"Drawn by document, so many: {', '.join(together)}."
    alone = [name for name, one in found.items() if one.clusters is None]
    if alone:
        yield f"Drawn by example, since it is not known which share a document: {', '.join(alone)}."
