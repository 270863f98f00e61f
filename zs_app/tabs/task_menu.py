"""The values of tasks in menus: `qasper`, or `scrolls/qasper` for a task of another than the first benchmark."""

from __future__ import annotations

from zs_bench.tasks import info
from zs_metric.tasks import BENCHMARKS, Task, find_benchmark, find_task

#: The initial benchmark; the values of its tasks are their names.
FIRST = next(iter(BENCHMARKS))
#: The menu of benchmarks: title and name.
CHOICES = [(f"{one.title} · {len(one.tasks)} tasks", one.name) for one in BENCHMARKS.values()]
#: The menu of the tasks of all benchmarks: title to name, each name once.
EVERY_TASK = {info(task).title: name for one in BENCHMARKS.values() for name, task in one.all_tasks.items()}


def task_of(value: object) -> Task:
    """The task with that value.

    Raises:
        UnknownBenchmark, UnknownTask: for an unknown value.

    >>> task_of("scrolls/qasper").benchmark.title
    'SCROLLS'
    """
    if not isinstance(value, str):
        return find_task(value)  # raises the error
    benchmark, _, name = value.rpartition("/")
    return find_task(name, benchmark=benchmark or FIRST)


def value_of(task: Task) -> str:
    """The task's value in a menu.

    >>> value_of(find_task("qasper", benchmark="scrolls")), value_of(find_task("qasper"))
    ('scrolls/qasper', 'qasper')
    """
    return task.name if task.benchmark.name == FIRST else f"{task.benchmark.name}/{task.name}"


def tasks(benchmark: str) -> list[tuple[str, str]]:
    """The menu of the tasks of a benchmark: title and value.

    Raises:
        UnknownBenchmark: for an unknown benchmark.
    """
    return [(info(task).title, value_of(task)) for task in find_benchmark(benchmark).tasks.values()]
