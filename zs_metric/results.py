"""What a scorer returns: the score, what was read in the prediction, and what lowered the score.

Scores, precision and recall are points, 0 to 100. They are not rounded, except for the released keys
(`TaskResult.metrics`), which have 4 decimal places as in the output of the released evaluator.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast


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
        parts: what else the metric says of a score, by the names of `Metric.parts`: precision and recall of F1, in
            points; a `RougeType` for each ROUGE type.
    """

    score: float
    parsed: Any
    reason: str | None = None
    best_reference: int | None = None
    parts: Mapping[str, "float | RougeType"] = field(default_factory=dict)

    @property
    def rouge(self) -> Mapping[str, RougeType] | None:
        """The ROUGE types; `None` for other metrics."""
        are_rouge = isinstance(next(iter(self.parts.values()), None), RougeType)
        return cast("Mapping[str, RougeType]", self.parts) if are_rouge else None

    @property
    def precision(self) -> float | None:
        """The precision in points; `None` for metrics without one."""
        return self.points("precision")

    @property
    def recall(self) -> float | None:
        """The recall in points; `None` for metrics without one."""
        return self.points("recall")

    def points(self, part: str) -> float | None:
        """Return a part of the score in points, of a ROUGE type its F-measure; `None` without such a part."""
        value = self.parts.get(part)
        return value.fmeasure if isinstance(value, RougeType) else value

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON-able data, without the fields that the metric does not have.

        Ids too large for JSON readers (from 2**53) become strings; infinity becomes the largest float.
        """
        data = {"score": self.score, "parsed": self.parsed, "reason": self.reason}
        if isinstance(self.parsed, tuple):
            data["parsed"] = [i if i < 2**53 else str(i) for i in self.parsed]
        elif isinstance(self.parsed, float):
            data["parsed"] = finite(self.parsed)
        parts = {name: value for name, value in self.parts.items() if not isinstance(value, RougeType)}
        rouge = {name: part._asdict() for name, part in (self.rouge or {}).items()} or None
        rest = {"best_reference": self.best_reference, **parts, "rouge": rouge}
        return data | {name: value for name, value in rest.items() if value is not None}


def finite(value: float | None) -> float | None:
    """Return the number; the largest float in place of infinity, which JSON does not have."""
    return value if value is None else min(value, sys.float_info.max)


@dataclass(frozen=True, slots=True)
class TaskResult:
    """The score of one task in points, unrounded; `metrics` are the keys of the released evaluator, rounded."""

    score: float
    metrics: Mapping[str, Any]
    examples: Sequence[ExampleResult] = field(repr=False)


@dataclass(frozen=True, slots=True)
class BenchmarkResult:
    """The scores of several tasks, in the benchmark's order; those outside the average come last.

    `score` is the benchmark's average in points, `None` unless all of its tasks were scored, and for a benchmark with
    several averages; `mean_of_tasks` is the mean over those that were.
    """

    score: float | None
    mean_of_tasks: float
    tasks: Mapping[str, TaskResult] = field(repr=False)
    missing_tasks: Sequence[str]
