"""The benchmarks: each is a package here, with a row for each task (`records.py`) and its data.

Public functions take names and turn them into a `Task` once, with `find_task("qasper", benchmark="scrolls")`.
"""

import copyreg
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zs_bench.benchmarks.packaged import BENCHMARKS, DEFAULT
from zs_bench.benchmarks.records import Benchmark, Task
from zs_bench.errors import UnusableInput
from zs_metric.errors import UnknownBenchmark, UnknownTask

__all__ = [
    "BENCHMARKS",
    "DEFAULT",
    "Benchmark",
    "Task",
    "available",
    "benchmark_of_report",
    "find_benchmark",
    "find_task",
    "task_names",
]


def available() -> Mapping[str, Benchmark]:
    """The benchmarks in the package, and that of the file which `ZS_BENCHMARK` names, name to `Benchmark`."""
    path = os.environ.get("ZS_BENCHMARK")
    if not path:
        return BENCHMARKS
    try:
        own = find_benchmark(Path(path))
    except UnusableInput as error:
        raise UnusableInput(f"ZS_BENCHMARK: {error}") from None
    return {**BENCHMARKS, own.name: own}


def find_benchmark(name: object = DEFAULT) -> Benchmark:
    """Return the benchmark of that name, of that TOML file, or with that definition; a `Benchmark` unchanged.

    Raises `UnknownBenchmark`, and `UnusableInput` for a file or definition that is none.
    """
    if isinstance(name, Benchmark):
        return name
    if isinstance(name, str) and name in BENCHMARKS:
        return BENCHMARKS[name]
    if isinstance(name, Path) or (isinstance(name, str) and ("\n" in name or name.endswith(".toml"))):
        from zs_bench.benchmarks.own import benchmark_of, read_benchmark  # noqa: PLC0415  (for one's own)

        return benchmark_of(name) if isinstance(name, str) and "\n" in name else read_benchmark(Path(name))
    if isinstance(name, str) and name in available():
        return available()[name]
    raise UnknownBenchmark(name, available())


def benchmark_of_report(report: Mapping[str, Any]) -> Benchmark:
    """Return the benchmark of a report (`zs_bench.reports.report.as_json`)."""
    return find_benchmark(report.get("definition") or report.get("benchmark", DEFAULT))


def find_task(name: object, *, benchmark: object = DEFAULT) -> Task:
    """Return the task of that name, or raise `UnknownTask` or `UnknownBenchmark`; a `Task` is returned unchanged.

    >>> find_task("quality").title, find_task("quality", benchmark="scrolls").size.words
    ('QuALITY', 4193)
    """
    if isinstance(name, Task):
        return name
    tasks = find_benchmark(benchmark).all_tasks
    if not isinstance(name, str) or name not in tasks:
        others = [other.name for other in available().values() if isinstance(name, str) and name in other.all_tasks]
        raise UnknownTask(name, tasks, others)
    return tasks[name]


def task_names() -> tuple[str, ...]:
    """The names of the tasks of all available benchmarks."""
    return tuple(dict.fromkeys(task for benchmark in available().values() for task in benchmark.all_tasks))


#: A benchmark is pickled by name or definition, so that it is one object in every process.
copyreg.pickle(Benchmark, lambda benchmark: (find_benchmark, (benchmark.key,)))
