"""Every task of the benchmarks of the metric, or one task for every scorer, as the parameters of a test."""

from collections.abc import Iterable

import pytest

from zs_bench.benchmarks import BENCHMARKS
from zs_metric import tasks

_NAMES = dict.fromkeys(task.benchmark.name for task in tasks.ROWS)
ROWS = [(name, task.metric.name, task.name) for name in _NAMES for task in BENCHMARKS[name].all_tasks.values()]


def every_task(metrics: Iterable[str] | None = None) -> pytest.MarkDecorator:
    """The parameters `benchmark` and `task`, names both; of some metrics only."""
    return _parameters([(name, task) for name, metric, task in ROWS if metrics is None or metric in metrics])


def every_scorer(metrics: Iterable[str] | None = None) -> pytest.MarkDecorator:
    """The same with the first task of each metric of a benchmark: what depends on nothing else of a task."""
    firsts = {(name, metric): (name, task) for name, metric, task in reversed(ROWS)}
    return _parameters([task for (_, metric), task in firsts.items() if metrics is None or metric in metrics])


def metric_of(benchmark: str, task: str) -> str:
    return BENCHMARKS[benchmark].all_tasks[task].metric.name


def _parameters(tasks: list[tuple[str, str]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("benchmark", "task"), tasks, ids=map("-".join, tasks))
