"""The report of a scored file as data: one JSON object, the same from every door; and its tables for people and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from zs_bench.problems import lines
from zs_bench.reports.scoring import ScoredFile, ScoredTask
from zs_metric.rouge_engines import engine
from zs_metric.tasks import TASKS
from zs_metric.version import VERSION

SCHEMA = "zero-scrolls-report/1"
#: How many problems a report lists; those that refuse something come first, and the rest is counted.
MAX_PROBLEMS = 10_000


def as_json(scored: ScoredFile) -> dict[str, Any]:
    """The report as JSON-able data. Scores are points, unrounded; `metrics` are the released, rounded keys.

    Keys: `schema`, `version`, `engine`, `rouge_aggregation`, `partial`, `score` (`None` unless all ten tasks are
    scored), `mean_of_tasks`, `missing_tasks`, `refused_tasks`, `tasks`, `problems` (at most `MAX_PROBLEMS`) and
    `problems_left_out`, their number. Each of `tasks` has `score`, `metrics`, `n`, `total`, `partial`, `split`,
    `missing`, `unknown` and `examples`; score and metrics are `None` when the task was refused.
    """
    benchmark = scored.benchmark
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "engine": engine().name,
        "rouge_aggregation": scored.rouge_aggregation,
        "partial": any(task.partial for task in scored.tasks.values()),
        "score": None if benchmark is None else benchmark.score,
        "mean_of_tasks": None if benchmark is None else benchmark.mean_of_tasks,
        "missing_tasks": list(TASKS) if benchmark is None else list(benchmark.missing_tasks),
        "refused_tasks": [name for name, task in scored.tasks.items() if task.result is None],
        "tasks": {name: _task(task) for name, task in scored.tasks.items()},
        "problems": [problem.as_dict() for problem in scored.problems[:MAX_PROBLEMS]],
        "problems_left_out": max(0, len(scored.problems) - MAX_PROBLEMS),
    }


def _task(task: ScoredTask) -> dict[str, Any]:
    result = task.result
    return {
        "score": None if result is None else result.score,
        "metrics": None if result is None else dict(result.metrics),
        "n": len(task.ids),
        "total": task.total,
        "partial": task.partial,
        "split": task.split,
        "missing": task.missing,
        "unknown": task.unknown,
        "examples": list(_examples(task)),
    }


def _examples(task: ScoredTask) -> Iterable[dict[str, Any]]:
    for key, example in zip(task.ids, task.result.examples if task.result else [], strict=task.result is not None):
        data = example.as_dict()
        if example.rouge is not None:
            data.pop("parsed")  # the whole answer, which the user has
        yield {"id": key, **data}


def headline(scored: ScoredFile) -> str:
    """The average in words, or why there is none.

    >>> from zs_bench.files.gather import Predictions, References
    >>> from zs_bench.reports.scoring import score_predictions
    >>> headline(score_predictions(Predictions(), References()))
    'No task could be scored.'
    """
    benchmark = scored.benchmark
    if benchmark is None:
        return "No task could be scored."
    partial = " (partial: not all answers are there)" if any(task.partial for task in scored.tasks.values()) else ""
    if benchmark.score is not None:
        return f"ZeroSCROLLS score: {benchmark.score:.4f}{partial}"
    count = len(benchmark.tasks)
    return (
        f"Mean of {count} {'task' if count == 1 else 'tasks'}: {benchmark.mean_of_tasks:.4f}{partial}. "
        f"No ZeroSCROLLS score: it needs all ten tasks; not scored: {', '.join(benchmark.missing_tasks)}."
    )


def as_text(scored: ScoredFile) -> str:
    """The report for a terminal: the table per task, the average, and what is wrong."""
    rows = [("task", "metric", "score", "answers", "")]
    rows += [_text_row(task) for task in scored.tasks.values()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    text = [
        "  ".join(
            cell.rjust(w) if i in (2, 3) else cell.ljust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    refusing = lines(problem for problem in scored.problems if problem.refuses)
    warnings = lines(problem for problem in scored.problems if not problem.refuses)
    return "\n".join(
        [
            *(text if scored.tasks else []),
            "",
            headline(scored),
            *([f"ROUGE by {engine().name}, aggregation: {scored.rouge_aggregation}."] if _has_rouge(scored) else []),
            *(["", "Refused:", *(f"- {line}" for line in refusing)] if refusing else []),
            *(["", "Warnings:", *(f"- {line}" for line in warnings)] if warnings else []),
        ]
    )


def _text_row(task: ScoredTask) -> tuple[str, str, str, str, str]:
    answers = f"{len(task.ids)}/{task.total}"
    if task.result is None:
        return task.task, TASKS[task.task].metric, "refused", answers, ""
    return task.task, TASKS[task.task].metric, f"{task.result.score:.4f}", answers, _parts(task)


def _parts(task: ScoredTask) -> str:
    metrics = task.result.metrics if task.result else {}
    parts = (
        [
            f"R1 {metrics['rouge/rouge1']:.4f}",
            f"R2 {metrics['rouge/rouge2']:.4f}",
            f"RL {metrics['rouge/rougeL']:.4f}",
            f"instance mean {metrics['rouge/geometric_mean_instance']:.4f}",
        ]
        if "rouge/rouge1" in metrics
        else []
    )
    return ", ".join([*(["partial"] if task.partial else []), *parts])


def _has_rouge(scored: ScoredFile) -> bool:
    return any(TASKS[name].metric == "rouge" and task.result for name, task in scored.tasks.items())


CSV_HEADER = ("task", "id", "score", "rouge1", "rouge2", "rougeL", "precision", "recall", "parsed", "reason", "answers")


def as_csv(scored: ScoredFile) -> str:
    """The report as CSV: one row per answer, after one row per task (its `id` empty, `answers` the number scored)."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(CSV_HEADER)
    for name, task in scored.tasks.items():
        if task.result is None:
            continue
        writer.writerow(
            _csv_row(name, "", {"score": task.result.score, **_short_keys(task.result.metrics)}, len(task.ids))
        )
        for example in _examples(task):
            parts = {key: part["fmeasure"] for key, part in example.get("rouge", {}).items()}
            writer.writerow(_csv_row(name, example["id"], {**example, **parts}, ""))
    return out.getvalue()


def _short_keys(metrics: Any) -> dict[str, Any]:
    return {key.removeprefix("rouge/"): value for key, value in metrics.items()}


def _csv_row(task: str, key: str, values: dict[str, Any], answers: int | str) -> list[Any]:
    cells = [values.get(column) for column in CSV_HEADER[2:-1]]
    return [safe_cell(cell) for cell in (task, key, *cells, answers)]


def safe_cell(value: Any) -> Any:
    """The value as a cell that no spreadsheet takes for a formula: a text that could be one gets a leading apostrophe.

    So does a text that begins with an apostrophe: taking one away gives back what was there. Numbers stay.

    >>> safe_cell("=1+1"), safe_cell("'tis"), safe_cell(-0.5), safe_cell(None), safe_cell([2, 1])
    ("'=1+1", "''tis", -0.5, '', '2, 1')
    """
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


# What a spreadsheet may take for the beginning of a formula (OWASP, CSV injection), full-width signs included.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20", "'")
