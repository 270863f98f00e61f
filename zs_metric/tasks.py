"""Scores by the names of tasks: the metric of each task of ZeroSCROLLS and SCROLLS, which `evaluate` also knows.

Other benchmarks bring a table of their own, as the records of `zs_bench.benchmarks` are.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from .errors import UnknownBenchmark, UnknownTask, ZeroScrollsError
from .metrics import (
    ACCURACY,
    CONCORDANCE_INDEX,
    EXACT_MATCH,
    EXP_SIMILARITY,
    F1,
    ROUGE,
    SCROLLS_F1,
    Metric,
    MetricTable,
)
from .results import BenchmarkResult, ExampleResult, TaskResult
from .scoring import score_text, score_texts

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


def metric_of(task: object, benchmark: object) -> Metric:
    """Return the metric of a task by its name, or raise `UnknownTask` or `UnknownBenchmark`."""
    metrics = table_of(benchmark).metrics
    if not isinstance(task, str) or task not in metrics:
        others = [other.name for other in METRIC_TABLES.values() if isinstance(task, str) and task in other.metrics]
        raise UnknownTask(task, metrics, others)
    return metrics[task]


def score_example(
    task: str, prediction: str, references: str | Iterable[str], *, benchmark: str | MetricTable = ZERO_SCROLLS
) -> ExampleResult:
    """Score one prediction of a task; see `scoring.score_text`. Raises also UnknownBenchmark and UnknownTask.

    >>> score_example("space_digest", "about 55%", "60%").score
    70.71067811865476
    >>> score_example("contract_nli", "entailment.", "Entailment", benchmark="scrolls").score
    100.0
    """
    return score_text(metric_of(task, benchmark), prediction, references)


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
        *(metric_of(task, table), predictions, references),
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
        metric_of(name, table)
    for name, columns in tasks.items():
        try:
            results[name] = score_task(name, *columns, rouge_aggregation=rouge_aggregation, benchmark=table)
        except ZeroScrollsError as error:
            error.args = (f"{name}: {error}",)
            raise
    return table.average(results)
