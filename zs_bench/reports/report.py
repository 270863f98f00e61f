"""The report of a scored file, the same from every door: as data (`as_json`), as text, CSV, Markdown and LaTeX.

`as_json` is described by `zs_bench/data/report.schema.json` (JSON Schema, draft 2020-12), whose version is `SCHEMA`.
"""

from __future__ import annotations

from typing import Any

from zs_bench.reports.exports import as_csv, as_latex, as_markdown, safe_cell
from zs_bench.reports.report_text import as_text, headline
from zs_bench.reports.scored import ScoredFile, ScoredTask
from zs_bench.results.standing import musique_split
from zs_bench.statistics.bootstrap import Interval
from zs_metric.rouge_engines import engine
from zs_metric.version import VERSION

__all__ = [
    "MAX_PROBLEMS",
    "SCHEMA",
    "as_csv",
    "as_json",
    "as_latex",
    "as_markdown",
    "as_text",
    "headline",
    "interval_as_json",
    "safe_cell",
]

#: What a report says it is. Version 2 added the signatures, the intervals, `references`, `files` and `post`.
SCHEMA = "zero-scrolls-report/2"
#: How many problems a report lists; those that refuse something come first, and the rest is counted.
MAX_PROBLEMS = 10_000


def as_json(scored: ScoredFile) -> dict[str, Any]:
    """The report as JSON-able data; its keys are described in the schema.

    Scores and intervals are points, unrounded; `metrics` are the released, rounded keys.
    """
    benchmark = scored.benchmark
    signature = scored.signature()
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "benchmark": scored.benchmark_name,
        "engine": engine().name,
        "rouge_aggregation": scored.rouge_aggregation,
        "signature": None if signature is None else str(signature),
        "partial": any(task.partial for task in scored.tasks.values()),
        "score": None if benchmark is None else benchmark.score,
        "mean_of_tasks": None if benchmark is None else benchmark.mean_of_tasks,
        "interval": interval_as_json(scored.interval),
        "missing_tasks": list(scored.of.tasks) if benchmark is None else list(benchmark.missing_tasks),
        "refused_tasks": [name for name, task in scored.tasks.items() if task.result is None],
        "references": None if scored.source is None else dict(scored.source),
        "files": [file.as_dict() for file in scored.files],
        "post": _post(scored),
        "tasks": {name: _task(task, scored) for name, task in scored.tasks.items()},
        "problems": [problem.as_dict() for problem in scored.problems[:MAX_PROBLEMS]],
        "problems_left_out": max(0, len(scored.problems) - MAX_PROBLEMS),
    }


def _post(scored: ScoredFile) -> dict[str, Any] | None:
    done = scored.processed
    return None if done is None else {"rules": list(scored.post), "before": dict(done.before), "changed": done.changed}


def interval_as_json(interval: Interval | None) -> dict[str, Any] | None:
    """The interval as JSON-able data."""
    names = ("low", "high", "level", "resamples", "seed", "clusters")
    return None if interval is None else {name: getattr(interval, name) for name in names}


def _task(task: ScoredTask, scored: ScoredFile) -> dict[str, Any]:
    result = task.result
    return {
        "score": task.score,
        "interval": interval_as_json(task.interval),
        "signature": None if result is None else str(scored.signature(task.task)),
        "metrics": None if result is None else dict(result.metrics),
        "n": len(task.ids),
        "total": task.total,
        "partial": task.partial,
        "split": task.split,
        "missing": task.missing,
        "unknown": task.unknown,
        "examples": list(task.rows()),
        **({"answerability": answerability(task)} if task.task == "musique" and result is not None else {}),
    }


def answerability(task: ScoredTask) -> dict[str, Any]:
    """MuSiQue's score on answerable and on unanswerable questions, `{"answerable": {"score", "n"}, …}`."""
    parts = musique_split(task.ids, task.references, task.result.examples if task.result else [])
    return {name: {"score": part["score"], "n": part["n"]} for name, part in parts.items()}
