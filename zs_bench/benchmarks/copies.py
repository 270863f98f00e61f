"""Another scorer of a benchmark that differs in one thing, for `variants` and `certify`."""

from collections.abc import Callable
from dataclasses import dataclass

from zs_bench.benchmarks.records import Task
from zs_metric.metrics import Metric


@dataclass(frozen=True, slots=True)
class Copy:
    """Another scorer of a benchmark that differs in one thing: its name, and what it changes, in a sentence.

    `change` returns the metric that it has for a task, made of the task's own; `None` if that is unchanged.
    """

    name: str
    does: str
    change: Callable[[Task], Metric | None]
