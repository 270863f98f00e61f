"""A comparison as JSON: `zs_bench/data/comparison.schema.json` is generated from these types.

`zs_bench.reports.comparison.as_json` makes it. Scores are points, 0 to 100, and differences the score of the other
system minus that of the first. The notation is that of `report_data`.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, TypedDict

from zs_bench.scoring.report_data import (
    OPTIONAL,
    Averages,
    Count,
    Named,
    Points,
    PointsOrNull,
    RunsData,
    SignatureText,
)

#: In version 2 differences, wins and losses are those of the second system; version 1 had those of the first.
SCHEMA: Final = "zero-scrolls-comparison/2"

Difference = Annotated[float, Named("difference"), ("minimum", -100.000000001), ("maximum", 100.000000001)]
DifferenceOrNull = Annotated[Difference | None, Named("difference_or_null")]
Probability = Annotated[float | None, ("minimum", 0), ("maximum", 1)]
TwoScores = Annotated[
    Sequence[Points], ("minItems", 2), ("maxItems", 2), "Of the first system and of the other, on what is compared."
]
Ids = Sequence[str]


class DifferenceIntervalData(TypedDict):
    low: Difference
    high: Difference
    level: Annotated[float, "Nominal coverage in percent."]
    clusters: Annotated[int | None, ("minimum", 1), "How many documents there are; null when it is known of none."]
    method: Annotated[str, "The name of the method."]


class UnseenData(TypedDict):
    points: Annotated[float, ("minimum", 0), "What such failures may cost."]
    share: Annotated[float, ("minimum", 0), ("maximum", 1), "Of the answers of the other system that score."]
    task: Annotated[str, "Of an average, the task where they cost most; else empty."]
    answers: Annotated[Count, "To that task."]
    scoring: Annotated[Count, "Answers that score, of all tasks."]


class OutcomeData(TypedDict):
    scores: TwoScores
    difference: Difference
    interval: Annotated[
        DifferenceIntervalData | None,
        Named("difference_interval", "Null when no score differs, or with fewer than ten examples or five documents."),
    ]
    p_value: Annotated[Probability, "Two-sided; null without an interval."]
    wins: Annotated[int | None, "Of the other system: examples with a higher score; null of a mean."]
    ties: int | None
    losses: int | None
    separated: Annotated[bool, "Whether the difference is clear: p, corrected where that decides, is below 0.05."]
    p_holm: Annotated[Probability, "Corrected for the number of tasks and systems; null where it is the same."]
    p_randomization: Annotated[Probability, "By approximate randomisation; null unless asked for."]
    detectable: Annotated[float | None, "The loss that is found in 80 % of samples of this size."]
    unseen: Annotated[
        UnseenData, Named("unseen", "Failures that may have stayed unseen."), "Failures of the other system."
    ]
    unseen_first: Annotated[UnseenData, Named("unseen"), "Failures of the first system."]
    verdict: Annotated[str, "In words."]
    kind: Annotated[str, ("enum", ["identical", "better", "as good", "worse", "undecided"]), "The verdict, in a word."]
    margin: Annotated[float | None, "The loss in points that is accepted; null where none was given."]


class ComparedExampleData(TypedDict):
    id: str
    scores: TwoScores
    difference: Difference


class TaskOutcomeData(OutcomeData):
    n: Annotated[Count, "Examples that both answered, which are compared."]
    total: Annotated[Count, "Examples that the references have."]
    only_first: Annotated[Ids, "Ids that only the first system answered."]
    only_second: Annotated[Ids, "Ids that only the other system answered."]
    lost: Annotated[Ids, "Ids of answers that lost more than ten points."]
    gained: Annotated[Ids, "Ids of answers that gained more than ten points."]
    identical: Annotated[Count, "How many answers are the same text in both."]
    examples: Annotated[Sequence[ComparedExampleData], "The largest loss first."]


class AverageOutcomeData(OutcomeData):
    title: str


class GateData(TypedDict):
    name: Annotated[str, "A task, `average`, or `mean`."]
    margin: Annotated[float, "In points."]
    holds: Annotated[bool, "Whether it is shown to hold."]
    reason: str


class MatchData(TypedDict):
    first: str
    second: Annotated[str, "The other system."]
    tasks: Annotated[Mapping[str, Annotated[TaskOutcomeData, Named("task")]], "By name, those compared."]
    mean: Annotated[
        OutcomeData | None, Named("mean"), "Of the tasks compared, or the average of all; null when there is none."
    ]
    averages: Annotated[
        Mapping[str, Annotated[AverageOutcomeData, Named("average")]],
        OPTIONAL,
        "The benchmark's averages by name, if all of their tasks are compared; left out where it has but one.",
    ]
    not_compared: Annotated[Mapping[str, str], "Task to reason."]
    gate: Annotated[Sequence[GateData], "Every margin that was named."]
    without_document: Annotated[
        str | None, "The system that was asked without the document, where both are the same model."
    ]
    signatures_differ: Annotated[Sequence[str], "How the two were scored in another way."]
    settings_differ: Annotated[Sequence[str], "In which settings two runs differ."]
    warnings: Sequence[str]


class SystemData(Averages):
    name: str
    partial: Annotated[bool, "Whether its score leaves examples out."]
    signature: SignatureText
    runs: Annotated[RunsData, OPTIONAL, "The runs of which its scores are the means; left out for one run."]


class QuestionData(TypedDict):
    task: str
    id: str
    references: Sequence[str]
    predictions: Annotated[Mapping[str, str | None], "By system; null without an answer."]
    scores: Annotated[Mapping[str, PointsOrNull], "By system."]
    differences: Annotated[Mapping[str, DifferenceOrNull], "By system but the first, minus the first."]


class ComparisonReport(TypedDict):
    schema: Annotated[str, ("const", SCHEMA), "This schema and its version."]
    version: Annotated[str, "Of the package that scored."]
    systems: Annotated[Sequence[SystemData], ("minItems", 2), "The first is what the others are compared with."]
    headline: Annotated[
        Sequence[str],
        OPTIONAL,
        "The names of the averages that are the benchmark's score; left out where that is the mean of all tasks.",
    ]
    test: Annotated[str | None, "The test that was asked for beside the interval's."]
    matches: Annotated[Sequence[MatchData], ("minItems", 1), "Each other system against the first."]
    questions: Annotated[Sequence[QuestionData], "With all predictions."]
