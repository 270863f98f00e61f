"""The benchmarks: each is a package here, with a row for each task (`records.py`) and its data.

Public functions take names and turn them into a `Task` once, with `find_task("qasper", benchmark="scrolls")`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from zs_bench.benchmarks import scrolls, zero_scrolls
from zs_bench.benchmarks.records import Benchmark, Task
from zs_metric import tasks as scoring
from zs_metric.errors import UnknownBenchmark, UnknownTask

__all__ = ["BENCHMARKS", "DEFAULT", "Benchmark", "Task", "find_benchmark", "find_task", "task_names"]

#: The benchmarks in the package, name to `Benchmark`, in the order of menus; the first is the default.
BENCHMARKS: Mapping[str, Benchmark] = MappingProxyType(
    {benchmark.name: benchmark for benchmark in (zero_scrolls.BENCHMARK, scrolls.BENCHMARK)}
)
DEFAULT = next(iter(BENCHMARKS))


def find_benchmark(name: object = DEFAULT) -> Benchmark:
    """Return the benchmark of that name, or raise `UnknownBenchmark`; a `Benchmark` is returned unchanged."""
    if isinstance(name, Benchmark):
        return name
    key = name.name if isinstance(name, scoring.Benchmark) else name
    if isinstance(key, str) and key in BENCHMARKS:
        return BENCHMARKS[key]
    raise UnknownBenchmark(name, BENCHMARKS)


def find_task(name: object, *, benchmark: object = DEFAULT) -> Task:
    """Return the task of that name, or raise `UnknownTask` or `UnknownBenchmark`; a `Task` is returned unchanged.

    >>> find_task("quality").title, find_task("quality", benchmark="scrolls").size.words
    ('QuALITY', 4193)
    """
    if isinstance(name, Task):
        return name
    if isinstance(name, scoring.Task):
        return find_task(name.name, benchmark=name.benchmark)
    tasks = find_benchmark(benchmark).all_tasks
    if not isinstance(name, str) or name not in tasks:
        others = [other.name for other in BENCHMARKS.values() if isinstance(name, str) and name in other.all_tasks]
        raise UnknownTask(name, tasks, others)
    return tasks[name]


def task_names() -> tuple[str, ...]:
    """The names of the tasks of all benchmarks in the package."""
    return tuple(dict.fromkeys(task for benchmark in BENCHMARKS.values() for task in benchmark.all_tasks))
