"""What the tasks for lm-evaluation-harness call; `zs_bench.harnesses.lm_eval_files` writes the tasks.

The harness gives a task's records to each of its metrics when all documents have been answered, so the scores are those
of the corpus. It takes numbers only: without an interval its ends are NaN.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any

from zs_bench.extras import from_extra
from zs_bench.harnesses.questions import load_questions, score_values, task_interval, task_result
from zs_bench.runs.settings import Settings
from zs_bench.statistics.bootstrap import Interval
from zs_metric.tasks import Task, find_task

#: The metrics of a task, each a function below: the score in points and the ends of its 95 % interval.
METRICS = ("score", "score_low", "score_high")


def load(*, zero_scrolls: Mapping[str, Any], **_: Any) -> dict[str, Any]:
    """The documents of a task, by split.

    Args:
        zero_scrolls: `task` and what `Settings` takes. The harness adds its own settings to these arguments.
    """
    with from_extra("evaluate"):
        from datasets import Dataset  # noqa: PLC0415  (of an extra; the harness brings it)
    wanted = dict(zero_scrolls)
    task = find_task(wanted.pop("task"), benchmark=wanted["benchmark"])
    settings = Settings(model="", **wanted)
    rows = [
        {
            "benchmark": task.benchmark.name,
            "task": task.name,
            "id": question.request.id,
            "document": question.document,
            "references": question.references,
            "prompt": question.request.text,
        }
        for question in load_questions(settings, task)
    ]
    return {settings.split: Dataset.from_list(rows)}


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The record of an answer, for each metric."""
    kept = {name: doc[name] for name in ("benchmark", "task", "id", "document")}
    record = kept | {"values": score_values(_task(doc), results[0], doc["references"])}
    return dict.fromkeys(METRICS, record)


def score(records: Sequence[Mapping[str, Any]]) -> float:
    """The score of the task."""
    return task_result(_task(records[0]), [record["values"] for record in records]).score


def score_low(records: Sequence[Mapping[str, Any]]) -> float:
    """The lower end of its interval."""
    found = _interval(records)
    return nan if found is None else found.low


def score_high(records: Sequence[Mapping[str, Any]]) -> float:
    """The upper end of its interval."""
    found = _interval(records)
    return nan if found is None else found.high


def _interval(records: Sequence[Mapping[str, Any]]) -> Interval | None:
    values, ids, documents = ([record[name] for record in records] for name in ("values", "id", "document"))
    return task_interval(_task(records[0]), values, ids, documents)


def _task(row: Mapping[str, Any]) -> Task:
    return find_task(row["task"], benchmark=row["benchmark"])
