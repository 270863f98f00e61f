"""Facts about the tasks and benchmarks, one row each.

A new task with an existing metric is a row in `zs_metric.tasks`, a row in the module of its benchmark here, and data.
"""

from collections.abc import Mapping

from zs_bench.tasks import scrolls, zero_scrolls
from zs_bench.tasks.info import BenchmarkInfo, Naive, TaskInfo, TaskSize, Template
from zs_metric.tasks import Benchmark, Task

__all__ = ["BenchmarkInfo", "Naive", "TaskInfo", "TaskSize", "Template", "benchmark_info", "info"]

_TASK_ROWS: Mapping[Task, TaskInfo] = {row.task: row for row in (*zero_scrolls.TASKS, *scrolls.TASKS)}
_BENCHMARK_ROWS: Mapping[Benchmark, BenchmarkInfo] = {
    row.benchmark: row for row in (zero_scrolls.BENCHMARK, scrolls.BENCHMARK)
}


def info(task: Task) -> TaskInfo:
    """The row of a task.

    >>> from zs_metric.tasks import find_task
    >>> info(find_task("quality")).title, info(find_task("quality", benchmark="scrolls")).size.words
    ('QuALITY', 4193)
    """
    return _TASK_ROWS[task]


def benchmark_info(benchmark: Benchmark) -> BenchmarkInfo:
    """The row of a benchmark."""
    return _BENCHMARK_ROWS[benchmark]
