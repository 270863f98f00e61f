"""The input of the statistics: the scores of a task as columns, and which of its examples share a document.

A task's score is the geometric mean of its column means, whatever the metric: one column of example scores, or for
ROUGE in the released aggregation three columns of F-measures (`zs_metric/rouge.py`, steps 2 and 3). A column has
a value for every example, in points, 0 to 100.
"""

import math
import re
from collections.abc import Sequence
from statistics import fmean

from zs_bench.benchmarks import Task
from zs_metric.errors import ZeroScrollsError
from zs_metric.results import ExampleResult
from zs_metric.rouge import ROUGE_TYPES
from zs_metric.scoring import ROUGE_AGGREGATIONS

#: Columns of points, each with a value for every example.
Columns = Sequence[Sequence[float]]

#: Values this close, in points, are equal: rounding errors are as large.
EQUAL = 1e-9


def columns(results: Sequence[ExampleResult], rouge_aggregation: str = "corpus") -> Columns:
    """Return the columns of a task's results, in points: three for ROUGE with `corpus`, else one.

    >>> from zs_metric import score_task
    >>> columns(score_task("quality", ["B", "C"], ["B", "D"]).examples)
    [[100.0, 0.0]]
    """
    if rouge_aggregation not in ROUGE_AGGREGATIONS:
        raise ZeroScrollsError(f"no rouge_aggregation {rouge_aggregation!r}; it is 'corpus' or 'instance'")
    parts = [result.rouge for result in results if result.rouge is not None]
    if parts and rouge_aggregation == "corpus":
        return [[part[name].fmeasure for part in parts] for name in ROUGE_TYPES]
    return [[result.score for result in results]]


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean of a few points; a single one untouched."""
    if len(values) == 1:
        return values[0]
    return 100 * math.prod(value / 100 for value in values) ** (1 / len(values))


def example_scores(columns: Columns) -> list[float]:
    """Return the score of each example alone."""
    return [geometric_mean(values) for values in zip(*columns, strict=True)]


def score_of(columns: Columns) -> float:
    """Return the task's score from its columns, in points.

    >>> score_of([[100.0, 0.0]])
    50.0
    """
    return geometric_mean([fmean(column) for column in columns])


def clusters(task: Task, ids: Sequence[str], documents: Sequence[str | None] | None = None) -> list[str] | None:
    """Return for each example the name of its document, or `None` when it is not known which examples share one.

    The benchmark's own ids of some tasks name it (`document_of_id` of the task), if all have their shape; ids
    of one's own make, such as `quality_012`, do not. Else `documents` has the example's document.

    >>> from zs_bench.benchmarks import find_task
    >>> clusters(find_task("book_sum_sort"), ["the_power_and_the_glory_0", "the_power_and_the_glory_3", "emma_1"])
    ['the_power_and_the_glory', 'the_power_and_the_glory', 'emma']
    >>> clusters(find_task("qmsum"), ["va-sq-11", "va-sq-12"]) is None
    True
    """
    pattern = task.document_of_id
    matches = [re.fullmatch(pattern, example) for example in ids] if pattern else []
    names = [match[1] for match in matches if match]
    if names and len(names) == len(ids) and not any(re.fullmatch(rf"{task}_\d+", example) for example in ids):
        return names
    if documents is not None and len(documents) != len(ids):
        raise ZeroScrollsError(f"{len(documents)} documents and {len(ids)} ids do not line up; give one for each id")
    if documents is None or None in documents:
        return None
    numbers = {document: i for i, document in enumerate(dict.fromkeys(documents))}
    return [f"document {numbers[document]}" for document in documents]
