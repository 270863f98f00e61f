"""A comparison as JSON: `zs_bench/data/comparison.schema.json` is made from these types, as a report's is.

`zs_bench.reports.comparison.as_json` makes it. Scores are points, 0 to 100, and differences the score of the other
system minus that of the first.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import NotRequired, TypedDict

from zs_bench.problems import MAX_PROBLEMS
from zs_bench.scoring.report_data import Averages, Count, Points, ProblemData, RunsData, Share, SignatureText

Difference = Annotated[float, Field(ge=-100.000000001, le=100.000000001)]
Probability = Annotated[float, Field(ge=0, le=1)]
TwoScores = Annotated[
    Sequence[Points],
    Field(min_length=2, max_length=2, description="Of the first system and of the other, on what is compared."),
]


class DifferenceIntervalData(TypedDict):
    """Null when no score differs, or with fewer than ten examples or five documents."""

    low: Difference
    high: Difference
    level: float
    """Nominal coverage in percent."""
    clusters: Annotated[int, Field(ge=1)] | None
    """How many documents there are; null when it is known of none."""
    method: str
    """The name of the method."""


class UnseenData(TypedDict):
    """Failures that may have stayed unseen."""

    points: Annotated[float, Field(ge=0)]
    """What such failures may cost."""
    share: Share
    """Of the answers of the other system that score."""
    task: str
    """Of an average, the task where they cost most; else empty."""
    answers: Count
    """To that task."""
    scoring: Count
    """Answers that score, of all tasks."""


class OutcomeData(TypedDict):
    scores: TwoScores
    difference: Difference
    interval: DifferenceIntervalData | None
    p_value: Probability | None
    """Two-sided; null without an interval."""
    wins: int | None
    """Of the other system: examples with a higher score; null of a mean."""
    ties: int | None
    losses: int | None
    separated: bool
    """Whether the difference is clear: p, corrected where that decides, is below 0.05."""
    p_holm: Probability | None
    """Corrected for the number of tasks and systems; null where it is the same."""
    p_randomization: Probability | None
    """By approximate randomisation; null unless asked for."""
    detectable: float | None
    """The loss that is found in 80 % of samples of this size, at 0.05 / m where p is corrected for m tests."""
    unseen: UnseenData
    """Failures of the other system."""
    unseen_first: UnseenData
    """Failures of the first system."""
    verdict: str
    """In words."""
    kind: Literal["identical", "better", "as good", "worse", "undecided"]
    """The verdict, in a word."""
    margin: float | None
    """The loss in points that is accepted; null where none was given."""


class ComparedExampleData(TypedDict):
    id: str
    scores: TwoScores
    difference: Difference


class TaskOutcomeData(OutcomeData):
    n: Count
    """Examples that both answered, which are compared."""
    total: Count
    """Examples that the references have."""
    only_first: Sequence[str]
    """Ids that only the first system answered."""
    only_second: Sequence[str]
    """Ids that only the other system answered."""
    lost: Sequence[str]
    """Ids of answers that lost more than ten points."""
    gained: Sequence[str]
    """Ids of answers that gained more than ten points."""
    identical: Count
    """How many answers are the same text in both."""
    examples: Sequence[ComparedExampleData]
    """The largest loss first."""


class AverageOutcomeData(OutcomeData):
    title: str


class GateData(TypedDict):
    name: str
    """A task, `average`, or `mean`."""
    margin: float
    """In points."""
    holds: bool
    """Whether it is shown to hold."""
    reason: str


class MatchData(TypedDict):
    first: str
    second: str
    """The other system."""
    tasks: Mapping[str, TaskOutcomeData]
    """By name, those compared."""
    mean: OutcomeData | None
    """Of the tasks compared, or the average of all; null when there is none."""
    averages: NotRequired[Mapping[str, AverageOutcomeData]]
    """The benchmark's averages by name, if all of their tasks are compared; left out where it has but one."""
    not_compared: Mapping[str, str]
    """Task to reason."""
    gate: Sequence[GateData]
    """Every margin that was named."""
    without_document: str | None
    """The system that was asked without the document, where both are the same model."""
    signatures_differ: Sequence[str]
    """How the two were scored in another way."""
    settings_differ: Sequence[str]
    """In which settings two runs differ."""
    warnings: Sequence[str]


class SystemData(Averages):
    name: str
    partial: bool
    """Whether its score leaves examples out."""
    signature: SignatureText | None
    runs: NotRequired[RunsData]
    """The runs of which its scores are the means; left out for one run."""
    problems: NotRequired[Annotated[Sequence[ProblemData], Field(max_length=MAX_PROBLEMS)]]
    """What was found in its files, as in a report; left out where nothing was."""
    problems_left_out: NotRequired[Count]
    """How many more problems there are than are listed; left out where nothing was found."""


class QuestionData(TypedDict):
    task: str
    id: str
    references: Sequence[str]
    predictions: Mapping[str, str | None]
    """By system; null without an answer."""
    scores: Mapping[str, Points | None]
    """By system."""
    differences: Mapping[str, Difference | None]
    """By system but the first, minus the first."""


class ComparisonReport(TypedDict):
    """Written by `zero-scrolls compare --json`, returned by zs_bench.reports.comparison.as_json. Scores and differences
    are points, unrounded; a difference is the other system minus the first.
    """

    # In version 2 differences, wins and losses are those of the second system; version 1 had those of the first.
    schema: Literal["zero-scrolls-comparison/2"]
    """This schema and its version."""
    version: str
    """Of the package that scored."""
    systems: Annotated[Sequence[SystemData], Field(min_length=2)]
    """The first is what the others are compared with."""
    headline: NotRequired[Sequence[str]]
    """The names of the averages that are the benchmark's score; left out where that is the mean of all tasks."""
    test: str | None
    """The test that was asked for beside the interval's."""
    matches: Annotated[Sequence[MatchData], Field(min_length=1)]
    """Each other system against the first."""
    questions: Sequence[QuestionData]
    """With all predictions."""
