"""The tasks in menus: `qasper`, or `scrolls/qasper` for a task that is not of the first benchmark."""

from __future__ import annotations

from zs_bench.tasks import info
from zs_metric.tasks import BENCHMARKS, Task, find_benchmark, find_task

#: The benchmark that is open at first, whose tasks are meant by their names alone.
FIRST = next(iter(BENCHMARKS))
#: For the menu of benchmarks: title to name.
CHOICES = [(f"{one.title} · {len(one.tasks)} tasks", one.name) for one in BENCHMARKS.values()]
#: The tasks of all benchmarks for a menu: title to name. A name that several benchmarks have is there once.
EVERY_TASK = {info(task).title: name for one in BENCHMARKS.values() for name, task in one.all_tasks.items()}


def task_of(value: object) -> Task:
    """The task that a menu's value means.

    Raises:
        UnknownBenchmark, UnknownTask: for one that no menu has.

    >>> task_of("scrolls/qasper").benchmark.title
    'SCROLLS'
    """
    if not isinstance(value, str):
        return find_task(value)  # which says what a task is named by
    benchmark, _, name = value.rpartition("/")
    return find_task(name, benchmark=benchmark or FIRST)


def value_of(task: Task) -> str:
    """The task's value in a menu.

    >>> value_of(find_task("qasper", benchmark="scrolls")), value_of(find_task("qasper"))
    ('scrolls/qasper', 'qasper')
    """
    return task.name if task.benchmark.name == FIRST else f"{task.benchmark.name}/{task.name}"


def tasks(benchmark: str) -> list[tuple[str, str]]:
    """The tasks of a benchmark for a menu: title to value.

    Raises:
        UnknownBenchmark: for a value that the menu of benchmarks has not.
    """
    return [(info(task).title, value_of(task)) for task in find_benchmark(benchmark).tasks.values()]
