"""Every task of the benchmarks of the metric, or one task for every scorer, as the parameters of a test."""

from collections.abc import Iterable

import pytest

from zs_metric.tasks import METRIC_TABLES

ROWS = [(name, metric.name, task) for name, table in METRIC_TABLES.items() for task, metric in table.metrics.items()]


def every_task(metrics: Iterable[str] | None = None) -> pytest.MarkDecorator:
    """The parameters `benchmark` and `task`, names both; of some metrics only."""
    return _parameters([(name, task) for name, metric, task in ROWS if metrics is None or metric in metrics])


def every_scorer(metrics: Iterable[str] | None = None) -> pytest.MarkDecorator:
    """The same with the first task of each metric of a benchmark: what depends on nothing else of a task."""
    firsts = {(name, metric): (name, task) for name, metric, task in reversed(ROWS)}
    return _parameters([task for (_, metric), task in firsts.items() if metrics is None or metric in metrics])


def metric_of(benchmark: str, task: str) -> str:
    return METRIC_TABLES[benchmark].metrics[task].name


def _parameters(tasks: list[tuple[str, str]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("benchmark", "task"), tasks, ids=map("-".join, tasks))
