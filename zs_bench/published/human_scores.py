"""The paper's human score: each reference of an example is scored as a prediction against the others.

The paper does this for SQuALITY, one of four references against the other three. Examples with one reference are left
out.

Order of operations: first the mean over an example's references, then the mean over the examples, so that all examples
have the same weight. For ROUGE both means are taken per ROUGE type, and the geometric mean comes last, as in every
score (`rouge_aggregation="corpus"`, see `zs_metric/rouge.py`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from zs_bench.statistics.columns import columns, score_of
from zs_metric.scoring import score_task
from zs_metric.tasks import Task


@dataclass(frozen=True, slots=True)
class HumanScore:
    """The human score of a task.

    Attributes:
        score: points; `None` if no example has several references.
        n: the number of examples with several references.
        total: the number of examples.
        answers: the number of references scored as predictions.
    """

    score: float | None
    n: int
    total: int
    answers: int


def human_score(task: Task, references: Iterable[Sequence[str]]) -> HumanScore:
    """The human score of a task, from the references of each example.

    Raises:
        UnreadableReference: as `score_task`.

    >>> from zs_metric.tasks import find_task
    >>> human_score(find_task("qasper"), [["the red house", "red house"], ["yes", "no", "yes"], ["alone"]])
    HumanScore(score=83.33333333333334, n=2, total=3, answers=5)
    """
    examples = list(references)
    several = [texts for texts in examples if len(texts) > 1]
    if not several:
        return HumanScore(None, 0, len(examples), 0)
    held_out = [text for texts in several for text in texts]
    others = [[*texts[:i], *texts[i + 1 :]] for texts in several for i in range(len(texts))]
    points = columns(score_task(task, held_out, others))
    starts = np.cumsum([0, *map(len, several)])[:-1]
    sizes = np.array([[len(texts)] for texts in several])
    per_example = np.add.reduceat(points, starts) / sizes
    return HumanScore(score_of(per_example), len(several), len(examples), len(held_out))
