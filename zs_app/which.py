"""Which task of which benchmark a menu means: `qasper`, or `scrolls/qasper` for what is not of the first benchmark."""

from __future__ import annotations

from typing import NamedTuple

from zs_bench.catalog import titles
from zs_metric.tasks import BENCHMARKS, find_benchmark, find_task

#: The benchmark that is open at first, whose tasks are meant by their names alone.
FIRST = next(iter(BENCHMARKS))
#: For the switch: title to name.
CHOICES = [(f"{one.title} · {len(one.tasks)} tasks", one.name) for one in BENCHMARKS.values()]


class Which(NamedTuple):
    """A task of a benchmark."""

    task: str
    benchmark: str

    def __str__(self) -> str:
        return self.task if self.benchmark == FIRST else f"{self.benchmark}/{self.task}"


def which(value: object) -> Which:
    """What a menu's value means.

    Raises:
        UnknownBenchmark, UnknownTask: for one that no menu has.

    >>> which("scrolls/qasper")
    Which(task='qasper', benchmark='scrolls')
    """
    if not isinstance(value, str):
        find_task(value)
    benchmark, _, task = str(value).rpartition("/")
    return Which(find_task(task, benchmark=benchmark or FIRST).name, benchmark or FIRST)


def tasks(benchmark: str) -> list[tuple[str, str]]:
    """The tasks of a benchmark for a menu: title to value.

    Raises:
        UnknownBenchmark: for a value that the switch has not.
    """
    name = find_benchmark(benchmark).name
    return [(title, str(Which(task, name))) for task, title in titles(name).items()]


def same_task(value: str, benchmark: str) -> str:
    """The task of that name in the benchmark, else its first: what stays chosen when the benchmark is switched.

    >>> same_task("qasper", "scrolls"), same_task("musique", "scrolls"), same_task("scrolls/quality", "zero_scrolls")
    ('scrolls/qasper', 'scrolls/gov_report', 'quality')
    """
    names = find_benchmark(benchmark).tasks
    task = value.rpartition("/")[2]
    return str(Which(task if task in names else next(iter(names)), benchmark))
