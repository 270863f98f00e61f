"""The tasks and the metric of each: the table that everything else is walked from.

Source: ZeroSCROLLS Table 1 and section 3.3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from .accuracy import score_accuracy
from .concordance_index import score_concordance_index
from .errors import UnknownTask, UnreadableReference
from .exp_similarity import score_exp_similarity
from .f1 import score_f1
from .results import ExampleResult
from .rouge import score_rouge_batch

# Scores many answers: (predictions, references per prediction) to one result per answer. The texts have been checked.
BatchScorer = Callable[[Sequence[str], Sequence[Sequence[str]]], list[ExampleResult]]


@dataclass(frozen=True, slots=True)
class Task:
    """One task of the benchmark.

    Attributes:
        name: as the data and the released metric spell it.
        metric: `rouge`, `f1`, `accuracy`, `exp_similarity` or `concordance_index`.
        score_key: the key of the task's score in the released key set.
        display_keys: the keys that the released metric displays.
        score_all: scores all answers of the task; raises `UnreadableReference` with the position.
    """

    name: str
    metric: str
    score_key: str
    display_keys: tuple[str, ...]
    score_all: BatchScorer


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


_ROUGE_KEYS = ("rouge/rouge1", "rouge/rouge2", "rouge/rougeL")
_METRICS: Mapping[str, tuple[str, tuple[str, ...], BatchScorer]] = {
    "rouge": ("rouge/geometric_mean", _ROUGE_KEYS, score_rouge_batch),
    "f1": ("f1", ("f1",), _each(score_f1)),
    "accuracy": ("accuracy", ("accuracy",), _each(score_accuracy)),
    "exp_similarity": ("exp_similarity", ("exp_similarity",), _each(score_exp_similarity)),
    "concordance_index": ("concordance_index", ("concordance_index",), _each(score_concordance_index)),
}
_TASK_METRICS: Mapping[str, str] = {
    "gov_report": "rouge",
    "summ_screen_fd": "rouge",
    "qmsum": "rouge",
    "squality": "rouge",
    "qasper": "f1",
    "narrative_qa": "f1",
    "quality": "accuracy",
    "musique": "f1",
    "space_digest": "exp_similarity",
    "book_sum_sort": "concordance_index",
}

#: The ten tasks of ZeroSCROLLS, name to `Task`, in the order of the paper's tables.
TASKS: Mapping[str, Task] = MappingProxyType(
    {name: Task(name, metric, *_METRICS[metric]) for name, metric in _TASK_METRICS.items()}
)


def find_task(name: object) -> Task:
    """The task of that name.

    Raises:
        UnknownTask: with the likely name.
    """
    if not isinstance(name, str) or name not in TASKS:
        raise UnknownTask(name, TASKS)
    return TASKS[name]
