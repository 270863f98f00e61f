"""What a variant of the metrics is: one documented difference from the official scorer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from zs_metric.results import TaskResult
from zs_metric.tasks import Benchmark, Task

OFFICIAL = "official"


@dataclass(frozen=True, slots=True)
class ScoredTexts:
    """The predictions of one task, checked texts, with the references of each, and their official result."""

    task: Task
    predictions: Sequence[str]
    references: Sequence[Sequence[str]]
    official: TaskResult


def _official(texts: ScoredTexts) -> float:
    return texts.official.score


def _mean(points: Mapping[str, float], tasks: Collection[str]) -> float | None:
    return None if set(tasks) - set(points) else fsum(points.values()) / len(points)


@dataclass(frozen=True, slots=True)
class MetricVariant:
    """One way to compute the metrics.

    Attributes:
        name: after what it does.
        does: the same in a sentence.
        metrics: the metrics it changes; none when it changes the average only.
        benchmark: the one it applies to, when it applies to one only.
        score: from the predictions of a task with such a metric to its score in points.
        average: from the scores of the tasks and the names of all tasks in the average to it, `None` where there is
            none.
    """

    name: str
    does: str
    metrics: tuple[str, ...] = ()
    benchmark: Benchmark | None = None
    score: Callable[[ScoredTexts], float] = _official
    average: Callable[[Mapping[str, float], Collection[str]], float | None] = _mean

    def applies_to(self, benchmark: Benchmark) -> bool:
        """Whether it can change anything there."""
        metrics = {task.metric.name for task in benchmark.tasks.values()}
        return self.benchmark in (None, benchmark) and (not self.metrics or bool(metrics & set(self.metrics)))

    def points(self, texts: ScoredTexts) -> float:
        """The task's score in points; the official one where the variant does not change its metric."""
        return (self.score if texts.task.metric.name in self.metrics else _official)(texts)
