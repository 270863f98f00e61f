"""What a scorer returns: the score together with what was read in the answer, and why it is not more.

Scores, precision and recall are points, 0 to 100, everywhere. Nothing is rounded here; the released key set
(`TaskResult.metrics`) is, to 4 places, because the released evaluator prints it so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple


class RougeType(NamedTuple):
    """One ROUGE type of one answer, in points, against the reference that serves it best."""

    precision: float
    recall: float
    fmeasure: float
    best_reference: int


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """The score of one answer.

    Attributes:
        score: points, 0 to 100. For ROUGE tasks the geometric mean of the three F-measures of this one answer
            (the mean of these is *not* the task's score, see `rouge.py`).
        parsed: what the scorer read in the answer: the letter, the percentage (in points), the order (a tuple of
            ids), the normalised text (F1, exact match), the answer itself (ROUGE). `None` when it could read nothing.
        reason: a short sentence when the score is not simply earned, else `None`.
        best_reference: index of the reference that gave the score (the first of equals); for ROUGE see `rouge`.
        precision, recall: points, where the metric has them (F1), else `None`.
        rouge: `{"rouge1": RougeType, "rouge2": …, "rougeL": …}` for ROUGE tasks, else `None`.
    """

    score: float
    parsed: Any
    reason: str | None = None
    best_reference: int | None = None
    precision: float | None = None
    recall: float | None = None
    rouge: Mapping[str, RougeType] | None = None

    def as_dict(self) -> dict[str, Any]:
        """The result as JSON-able data; parts that the metric does not have are left out.

        Ids that JSON readers cannot hold (beyond 2**53) become strings; a percentage too large for a float was read as
        infinity, which JSON does not know: `parsed` is `None` then.
        """
        data: dict[str, Any] = {"score": self.score, "parsed": _plain(self.parsed), "reason": self.reason}
        for name in ("best_reference", "precision", "recall"):
            if getattr(self, name) is not None:
                data[name] = getattr(self, name)
        if self.rouge is not None:
            data["rouge"] = {name: part._asdict() for name, part in self.rouge.items()}
        return data


def _plain(parsed: Any) -> Any:
    if isinstance(parsed, tuple):
        return [i if i < 2**53 else str(i) for i in parsed]
    return None if parsed == inf else parsed


@dataclass(frozen=True, slots=True)
class TaskResult:
    """The score of one task.

    Attributes:
        task: its name.
        score: points, unrounded.
        metrics: the released key set, rounded to 4 places.
        examples: one `ExampleResult` per answer, in the order given.
        benchmark: the name of its benchmark.
    """

    task: str
    score: float
    metrics: Mapping[str, Any]
    examples: Sequence[ExampleResult] = field(repr=False)
    benchmark: str = "zero_scrolls"


@dataclass(frozen=True, slots=True)
class BenchmarkResult:
    """The scores of several tasks.

    Attributes:
        score: the benchmark's average in points; `None` unless every task of the average is there.
        mean_of_tasks: the plain mean over the tasks of the average that are there.
        tasks: task name to `TaskResult`, in the benchmark's order; those that enter no average last.
        missing_tasks: the tasks of the average without answers, in the benchmark's order.
        benchmark: the benchmark's name.
    """

    score: float | None
    mean_of_tasks: float
    tasks: Mapping[str, TaskResult]
    missing_tasks: Sequence[str]
    benchmark: str = "zero_scrolls"
