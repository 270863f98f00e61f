"""The benchmarks, their tasks and the metric of each: the table that everything else is walked from.

Sources: ZeroSCROLLS Table 1 and section 3.3; SCROLLS (arXiv 2201.03533) and its released evaluator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from .accuracy import score_accuracy
from .concordance_index import score_concordance_index
from .errors import UnknownBenchmark, UnknownTask, UnreadableReference
from .exact_match import score_exact_match
from .exp_similarity import score_exp_similarity
from .f1 import NORMALIZATION, SCROLLS_NORMALIZATION, score_f1
from .results import ExampleResult
from .rouge import score_rouge_batch

# Scores many answers: (predictions, references per prediction) to one result per answer. The texts have been checked.
BatchScorer = Callable[[Sequence[str], Sequence[Sequence[str]]], list[ExampleResult]]


@dataclass(frozen=True, slots=True)
class Task:
    """One task of a benchmark.

    Attributes:
        name: as the data and the released metric spell it.
        metric: `rouge`, `f1`, `accuracy`, `exp_similarity`, `concordance_index` or `exact_match`.
        score_key: the key of the task's score in the released key set.
        display_keys: the keys that the released metric displays.
        score_all: scores all answers of the task; raises `UnreadableReference` with the position.
        steps: the steps of `f1.NORMALIZATION` that answer and references go through; empty where none does.
    """

    name: str
    metric: str
    score_key: str
    display_keys: tuple[str, ...]
    score_all: BatchScorer
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark: tasks that are scored one by one and averaged.

    Attributes:
        name: as `benchmark=` takes it.
        title: as people write it.
        score_key: the key of the score in the released key sets.
        tasks: the tasks of the average, name to `Task`, in the order of the paper's tables.
        unaveraged: tasks that are scored and shown, but are no part of the average: their `score_key` is `None`.
    """

    name: str
    title: str
    score_key: str
    tasks: Mapping[str, Task]
    unaveraged: Mapping[str, Task]

    @property
    def all_tasks(self) -> Mapping[str, Task]:
        """Every task that can be scored, those without a part in the average last."""
        return {**self.tasks, **self.unaveraged}


def _each(score: Callable[[str, Sequence[str]], ExampleResult]) -> BatchScorer:
    """A scorer of one answer, made to score many; an unreadable reference gets the position of its example."""

    def score_all(predictions: Sequence[str], references: Sequence[Sequence[str]]) -> list[ExampleResult]:
        results = []
        for i, (prediction, texts) in enumerate(zip(predictions, references, strict=True)):
            try:
                results.append(score(prediction, texts))
            except UnreadableReference as error:
                raise error.of_example(i) from None
        return results

    return score_all


def _mean_of(metric: str, score: Callable[..., ExampleResult], steps: tuple[str, ...] = ()) -> Callable[[str], Task]:
    """What makes a task of a name: the mean of a scorer of one answer, under the metric's name."""
    return partial(Task, metric=metric, score_key=metric, display_keys=(metric,), score_all=_each(score), steps=steps)


def _tasks(**kinds: Callable[[str], Task]) -> Mapping[str, Task]:
    return MappingProxyType({name: kind(name) for name, kind in kinds.items()})


_ROUGE = partial(
    Task,
    metric="rouge",
    score_key="rouge/geometric_mean",
    display_keys=("rouge/rouge1", "rouge/rouge2", "rouge/rougeL"),
    score_all=score_rouge_batch,
)
_F1 = _mean_of("f1", score_f1, tuple(NORMALIZATION))
_SCROLLS_F1 = _mean_of("f1", partial(score_f1, steps=SCROLLS_NORMALIZATION), SCROLLS_NORMALIZATION)
_EXACT_MATCH = _mean_of("exact_match", score_exact_match, SCROLLS_NORMALIZATION)

#: The ten tasks of ZeroSCROLLS, name to `Task`, in the order of the paper's tables.
TASKS = _tasks(
    gov_report=_ROUGE,
    summ_screen_fd=_ROUGE,
    qmsum=_ROUGE,
    squality=_ROUGE,
    qasper=_F1,
    narrative_qa=_F1,
    quality=_mean_of("accuracy", score_accuracy),
    musique=_F1,
    space_digest=_mean_of("exp_similarity", score_exp_similarity),
    book_sum_sort=_mean_of("concordance_index", score_concordance_index),
)
_SCROLLS_TASKS = _tasks(
    gov_report=_ROUGE,
    summ_screen_fd=_ROUGE,
    qmsum=_ROUGE,
    qasper=_SCROLLS_F1,
    narrative_qa=_SCROLLS_F1,
    quality=_EXACT_MATCH,
    contract_nli=_EXACT_MATCH,
)

#: The benchmarks, name to `Benchmark`.
BENCHMARKS: Mapping[str, Benchmark] = MappingProxyType(
    {
        benchmark.name: benchmark
        for benchmark in (
            Benchmark("zero_scrolls", "ZeroSCROLLS", "zero_scrolls_score", TASKS, _tasks()),
            Benchmark("scrolls", "SCROLLS", "scrolls_score", _SCROLLS_TASKS, _tasks(quality_hard=_EXACT_MATCH)),
        )
    }
)


def find_benchmark(name: object) -> Benchmark:
    """The benchmark of that name.

    Raises:
        UnknownBenchmark: with the likely name.
    """
    if not isinstance(name, str) or name not in BENCHMARKS:
        raise UnknownBenchmark(name, BENCHMARKS)
    return BENCHMARKS[name]


def find_task(name: object, *, benchmark: str = "zero_scrolls") -> Task:
    """The task of that name in the benchmark.

    Raises:
        UnknownBenchmark, UnknownTask: with the likely name, or the benchmark that has the task.
    """
    tasks = find_benchmark(benchmark).all_tasks
    if not isinstance(name, str) or name not in tasks:
        others = [other.name for other in BENCHMARKS.values() if isinstance(name, str) and name in other.all_tasks]
        raise UnknownTask(name, tasks, others)
    return tasks[name]
