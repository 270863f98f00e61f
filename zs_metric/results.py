"""What a scorer returns: the score, what was read in the prediction, and what lowered the score.

Scores, precision and recall are points, 0 to 100. They are not rounded, except for the released keys
(`TaskResult.metrics`), which have 4 decimal places as in the output of the released evaluator.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class RougeType(NamedTuple):
    """One ROUGE type of one prediction, in points, against the reference with the highest F-measure."""

    precision: float
    recall: float
    fmeasure: float
    best_reference: int


@dataclass(frozen=True)
class ExampleResult:
    """The score of one prediction, in points.

    Attributes:
        score: for ROUGE the geometric mean of the three F-measures of this one prediction.
        parsed: what the scorer read: the letter, the percentage (in points), the order (a tuple of ids), the
            normalised text (F1, exact match), the prediction itself (ROUGE). `None` if it could read nothing.
        reason: what lowered the score, in a short sentence; `None` if nothing needs to be said.
        best_reference: index of the reference that gave the score (the first of several); for ROUGE see `rouge`.
        precision, recall: for F1 only.
        rouge: for ROUGE only: `{"rouge1": RougeType, "rouge2": …, "rougeL": …}`.
    """

    score: float
    parsed: Any
    reason: str | None = None
    best_reference: int | None = None
    precision: float | None = None
    recall: float | None = None
    rouge: Mapping[str, RougeType] | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON-able data, without the fields that the metric does not have.

        Ids too large for JSON readers (from 2**53) become strings; infinity becomes the largest float.
        """
        data = {"score": self.score, "parsed": self.parsed, "reason": self.reason}
        if isinstance(self.parsed, tuple):
            data["parsed"] = [i if i < 2**53 else str(i) for i in self.parsed]
        elif isinstance(self.parsed, float):
            data["parsed"] = finite(self.parsed)
        parts = {name: getattr(self, name) for name in ("best_reference", "precision", "recall")}
        parts["rouge"] = self.rouge and {name: part._asdict() for name, part in self.rouge.items()}
        return data | {name: value for name, value in parts.items() if value is not None}


def finite(value: float | None) -> float | None:
    """Return the number; the largest float in place of infinity, which JSON does not have."""
    return value if value is None else min(value, sys.float_info.max)


@dataclass(frozen=True, slots=True)
class TaskResult:
    """The score of one task in points, unrounded; `metrics` are the keys of the released evaluator, rounded."""

    task: str
    score: float
    metrics: Mapping[str, Any]
    examples: Sequence[ExampleResult] = field(repr=False)
    benchmark: str = "zero_scrolls"


@dataclass(frozen=True, slots=True)
class BenchmarkResult:
    """The scores of several tasks, in the benchmark's order; those outside the average come last.

    `score` is the benchmark's average in points, `None` unless all of its tasks were scored; `mean_of_tasks` is the
    mean over those that were.
    """

    score: float | None
    mean_of_tasks: float
    tasks: Mapping[str, TaskResult] = field(repr=False)
    missing_tasks: Sequence[str]
    benchmark: str = "zero_scrolls"
