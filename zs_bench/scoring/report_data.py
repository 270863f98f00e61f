"""The report of a scored file as data; `zs_bench/data/report.schema.json` describes its keys.

`zs_bench.reports.report.as_json` makes it, and pages and ranks read it back from JSON, also a shorter one that was kept
without the examples. Scores are points, 0 to 100.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict


class IntervalData(TypedDict):
    """An interval, in points."""

    low: float
    high: float
    level: float
    clusters: int | None
    method: str


class ScoreOfKind(TypedDict):
    """The score of the questions of one kind, and their number."""

    score: float | None
    n: int


class Averages(TypedDict, total=False):
    """The benchmark's score (`None` without all its tasks), the mean of those that were scored, and its interval."""

    score: float | None
    mean_of_tasks: float | None
    interval: IntervalData | None


class TaskReport(TypedDict, total=False):
    """A task; without a score it was refused."""

    score: float | None
    interval: IntervalData | None
    signature: str | None
    metrics: Mapping[str, Any] | None
    n: int
    total: int
    partial: bool
    split: str | None
    missing: Sequence[str]
    unknown: Sequence[str]
    examples: Sequence[Mapping[str, Any]]
    answerability: Mapping[str, ScoreOfKind]
    losses: Mapping[str, float]


class Report(Averages, total=False):
    """The report of a scored file; `run` is for the folder of a run, `averages` for a benchmark with several."""

    schema: str
    version: str
    benchmark: str
    definition: str
    engine: str
    rouge_aggregation: str
    signature: str | None
    partial: bool
    missing_tasks: Sequence[str]
    refused_tasks: Sequence[str]
    references: Mapping[str, str | None] | None
    files: Sequence[Mapping[str, Any]]
    post: Mapping[str, Any] | None
    tasks: Mapping[str, TaskReport]
    patterns: Sequence[Mapping[str, Any]]
    problems: Sequence[Mapping[str, Any]]
    problems_left_out: int
    averages: Mapping[str, Mapping[str, Any]]
    run: Mapping[str, Any]
