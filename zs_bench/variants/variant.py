"""A variant of the metrics: one documented difference from the official scorer."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from zs_metric.results import TaskResult
from zs_metric.tasks import Benchmark, Task

OFFICIAL = "official"


@dataclass(frozen=True, slots=True)
class ScoredTexts:
    """The predictions of one task, their references, and the official result; the texts have been checked."""

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
        does: the difference, in a sentence.
        metrics: the metrics it changes; empty if it changes only the average.
        benchmark: the benchmark it applies to; `None` for all.
        score: computes a task's score, in points, for a task with one of these metrics.
        average: computes the average from the scores and the names of all tasks of the average; `None` if there is
            none.
    """

    name: str
    does: str
    metrics: tuple[str, ...] = ()
    benchmark: Benchmark | None = None
    score: Callable[[ScoredTexts], float] = _official
    average: Callable[[Mapping[str, float], Collection[str]], float | None] = _mean

    def applies_to(self, benchmark: Benchmark) -> bool:
        """Whether it can change a score of the benchmark."""
        metrics = {task.metric.name for task in benchmark.tasks.values()}
        return self.benchmark in (None, benchmark) and (not self.metrics or bool(metrics & set(self.metrics)))

    def points(self, texts: ScoredTexts) -> float:
        """The task's score in points; the official one if the variant does not change its metric."""
        return (self.score if texts.task.metric.name in self.metrics else _official)(texts)
