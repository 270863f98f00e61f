"""Scores by the names of tasks: the metric of each task of ZeroSCROLLS and SCROLLS, which `evaluate` also knows.

Other benchmarks bring a table of their own, as the records of `zs_bench.benchmarks` are.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from types import MappingProxyType

from .errors import EmptyInput, UnknownBenchmark, UnknownTask, ZeroScrollsError
from .metrics import ACCURACY, CONCORDANCE_INDEX, EXACT_MATCH, EXP_SIMILARITY, F1, ROUGE, SCROLLS_F1, Metric
from .results import BenchmarkResult, ExampleResult, TaskResult
from .scoring import score_text, score_texts


@dataclass(frozen=True, slots=True)
class MetricTable:
    """The metrics of a benchmark by the names of its tasks, which are scored separately and averaged.

    Attributes:
        score_key: the average's key in the released key set.
        metrics: those of all tasks, in the order of the paper's tables; those that are not averaged come last.
        not_averaged: the tasks that are scored, but not part of the average.
    """

    name: str
    title: str
    score_key: str
    metrics: Mapping[str, Metric]
    not_averaged: tuple[str, ...] = ()

    @property
    def averaged(self) -> list[str]:
        """The names of the tasks of the average."""
        return [name for name in self.metrics if name not in self.not_averaged]

    def metric_of(self, task: object) -> Metric:
        """Return the metric of the task of that name, or raise `UnknownTask`."""
        if not isinstance(task, str) or task not in self.metrics:
            others = [other.name for other in METRIC_TABLES.values() if isinstance(task, str) and task in other.metrics]
            raise UnknownTask(task, self.metrics, others)
        return self.metrics[task]

    def score_of(self, scores: Mapping[str, float]) -> float | None:
        """Return the benchmark's score, the mean over all its tasks; `None` if one is missing."""
        whole = scores.keys() >= {*self.averaged}
        return fsum(scores[name] for name in self.averaged) / len(self.averaged) if whole else None

    def average(self, tasks: Mapping[str, TaskResult]) -> BenchmarkResult:
        """Return the mean over these tasks, and the benchmark's score if it has one of them; EmptyInput without any."""
        averaged = [name for name in self.averaged if name in tasks]
        if not averaged:
            raise EmptyInput("tasks of the average" if tasks else "tasks")
        mean = fsum(tasks[name].score for name in averaged) / len(averaged)
        missing = [name for name in self.averaged if name not in tasks]
        in_order = {name: tasks[name] for name in self.metrics if name in tasks}
        score = self.score_of({name: result.score for name, result in tasks.items()})
        return BenchmarkResult(score, mean, in_order, missing)

    def __str__(self) -> str:
        return self.name


#: The tables of the papers, each in the order of its tables.
ZERO_SCROLLS = MetricTable(
    *("zero_scrolls", "ZeroSCROLLS", "zero_scrolls_score"),
    MappingProxyType(
        {
            "gov_report": ROUGE,
            "summ_screen_fd": ROUGE,
            "qmsum": ROUGE,
            "squality": ROUGE,
            "qasper": F1,
            "narrative_qa": F1,
            "quality": ACCURACY,
            "musique": F1,
            "space_digest": EXP_SIMILARITY,
            "book_sum_sort": CONCORDANCE_INDEX,
        }
    ),
)
SCROLLS = MetricTable(
    *("scrolls", "SCROLLS", "scrolls_score"),
    MappingProxyType(
        {
            "gov_report": ROUGE,
            "summ_screen_fd": ROUGE,
            "qmsum": ROUGE,
            "qasper": SCROLLS_F1,
            "narrative_qa": SCROLLS_F1,
            "quality": EXACT_MATCH,
            "contract_nli": EXACT_MATCH,
            "quality_hard": EXACT_MATCH,
        }
    ),
    not_averaged=("quality_hard",),
)
METRIC_TABLES: Mapping[str, MetricTable] = MappingProxyType({table.name: table for table in (ZERO_SCROLLS, SCROLLS)})


def table_of(benchmark: object) -> MetricTable:
    """Return the table of the benchmark of that name, or raise `UnknownBenchmark`; a table is returned unchanged."""
    if isinstance(benchmark, str) and benchmark in METRIC_TABLES:
        return METRIC_TABLES[benchmark]
    if isinstance(benchmark, MetricTable):
        return benchmark
    raise UnknownBenchmark(benchmark, METRIC_TABLES)


def score_example(
    task: str, prediction: str, references: str | Iterable[str], *, benchmark: str | MetricTable = ZERO_SCROLLS
) -> ExampleResult:
    """Score one prediction of a task; see `scoring.score_text`. Raises also UnknownBenchmark and UnknownTask.

    >>> score_example("space_digest", "about 55%", "60%").score
    70.71067811865476
    >>> score_example("contract_nli", "entailment.", "Entailment", benchmark="scrolls").score
    100.0
    """
    return score_text(table_of(benchmark).metric_of(task), prediction, references)


def score_task(
    task: str,
    predictions: Sequence[str],
    references: Sequence[str | Iterable[str]],
    *,
    rouge_aggregation: str = "corpus",
    benchmark: str | MetricTable = ZERO_SCROLLS,
) -> TaskResult:
    """Score the predictions of a task; see `scoring.score_texts`. Raises also UnknownBenchmark and UnknownTask.

    >>> score_task("quality", ["B", "(C)"], ["B", "D"]).metrics["accuracy"]
    50.0
    """
    table = table_of(benchmark)
    return score_texts(
        *(table.metric_of(task), predictions, references),
        rouge_aggregation=rouge_aggregation,
        score_key=table.score_key,
        averaged=task not in table.not_averaged,
    )


def score_benchmark(
    tasks: Mapping[str, tuple[Sequence[str], Sequence[str | Iterable[str]]]],
    *,
    rouge_aggregation: str = "corpus",
    benchmark: str | MetricTable = ZERO_SCROLLS,
) -> BenchmarkResult:
    """Score several tasks, `{task: (predictions, references)}`; the average is `None` unless all its tasks are given.

    Raises as `score_task`, with the task's name before the message; EmptyInput if there is no task.
    """
    table, results = table_of(benchmark), {}
    for name in tasks:
        table.metric_of(name)
    for name, columns in tasks.items():
        try:
            results[name] = score_task(name, *columns, rouge_aggregation=rouge_aggregation, benchmark=table)
        except ZeroScrollsError as error:
            error.args = (f"{name}: {error}",)
            raise
    return table.average(results)
