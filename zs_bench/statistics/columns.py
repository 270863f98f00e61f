"""The input of the statistics: the scores of a task as columns, and which of its examples share a document.

A task's score is the geometric mean of its column means, whatever the metric: one column of example scores, or for
ROUGE in the released aggregation three columns of F-measures (`zs_metric/rouge.py`, steps 2 and 3). Rows are examples,
all values are points, 0 to 100.
"""

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from zs_bench.benchmarks import Task
from zs_metric.errors import ZeroScrollsError
from zs_metric.results import TaskResult
from zs_metric.rouge import ROUGE_TYPES
from zs_metric.scoring import ROUGE_AGGREGATIONS

Points = npt.NDArray[np.float64]

#: Values this close, in points, are equal: rounding errors are as large.
EQUAL = 1e-9


def columns(result: TaskResult, rouge_aggregation: str = "corpus") -> Points:
    """Return the task's scores as an array (examples, k), in points: k = 3 for ROUGE with `corpus`, else k = 1.

    >>> from zs_metric import score_task
    >>> columns(score_task("quality", ["B", "C"], ["B", "D"])).tolist()
    [[100.0], [0.0]]
    """
    if rouge_aggregation not in ROUGE_AGGREGATIONS:
        raise ZeroScrollsError(f"no rouge_aggregation {rouge_aggregation!r}; it is 'corpus' or 'instance'")
    parts = [example.rouge for example in result.examples if example.rouge is not None]
    if parts and rouge_aggregation == "corpus":
        return np.array([[part[name].fmeasure for name in ROUGE_TYPES] for part in parts])
    return np.array([[example.score] for example in result.examples])


def geometric_means(values: Points) -> Points:
    """Return the geometric mean over the last axis, in points; over one column its values, untouched."""
    k = values.shape[-1]
    means: Points = values[..., 0] if k == 1 else 100 * np.prod(values / 100, axis=-1) ** (1 / k)
    return means


def score_of(values: Points) -> float:
    """Return the task's score from its columns, in points.

    >>> score_of(np.array([[100.0], [0.0]]))
    50.0
    """
    return float(geometric_means(values.mean(axis=0)))


def clusters(task: Task, ids: Sequence[str], documents: Sequence[str | None] | None = None) -> list[str] | None:
    """Return for each example the name of its document, or `None` when it is not known which examples share one.

    In the benchmark's data BookSumSort's ids contain the book, QuALITY's and SQuALITY's the story. Running numbers such
    as `quality_012`, which are not ids of the benchmark, contain nothing. Else `documents` has the example's document.

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
