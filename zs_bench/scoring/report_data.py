"""The report of a scored file as JSON: `zs_bench/data/report.schema.json` is made from these types, by pydantic.

`zs_bench.reports.report.as_json` makes it, from `as_dict` of the records of which these types are the JSON. Pages and
ranks read it back, also a shorter one without the examples. Scores are points, 0 to 100. The text below a field is its
description in the schema.

Scoring does not need pydantic: in `zs_bench`, only type checkers import this module.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import NotRequired, TypedDict

from zs_bench.problems import MAX_PROBLEMS

Count = Annotated[int, Field(ge=0)]
Points = Annotated[float, Field(ge=0, le=100.000000001)]
Share = Annotated[float, Field(ge=0, le=1)]
SignatureText = Annotated[
    str,
    Field(
        pattern=r"^[^| ]+\|(def:[^| ]+\|)?tasks:[^ ]+$", description="One line; `zero-scrolls signature` explains it."
    ),
]
#: What JSON Schema says of a task's metrics: numbers by name, and two lists.
_METRICS: Any = {
    "required": ["num_predicted", "mean_prediction_length_characters", "display_keys", "display"],
    "properties": {
        "display_keys": {"type": "array", "items": {"type": "string"}},
        "display": {"type": "array", "items": {"type": "number"}},
    },
    "additionalProperties": {"type": ["number", "null"]},
}


class IntervalData(TypedDict):
    """A confidence interval; null when a task in the number has fewer than ten examples or five documents."""

    low: Points
    high: Points
    level: Annotated[float, Field(gt=0, lt=100)]
    """Nominal coverage in percent."""
    clusters: Annotated[int, Field(ge=1)] | None
    """How many documents there are, over the tasks where it is known which examples share one; null when it is known of
    none and every example counts by itself."""
    method: NotRequired[str]
    """The name of the method, as in the signature; `jackknife-t` in earlier reports, whose lower ends ignored what
    could stay unseen, and missing in those before, whose intervals are from a percentile bootstrap."""


class ScoreOfKind(TypedDict):
    score: Points | None
    n: Count


class RougeTypeData(TypedDict):
    precision: Points
    recall: Points
    fmeasure: Points
    best_reference: Count


class RougeData(TypedDict):
    rouge1: RougeTypeData
    rouge2: RougeTypeData
    rougeL: RougeTypeData


class SpreadData(TypedDict):
    """What differs between several runs of one system; the intervals hold no differences between whole runs."""

    scores: Sequence[Points]
    """The score of each run, in the order of their names."""
    standard_deviation: float | None
    """Of these, with n - 1; null for two runs."""
    differing: Share
    """The share of examples whose points are not the same in every run."""


class RunsData(TypedDict):
    names: Annotated[Sequence[str], Field(min_length=2)]
    mean_of_tasks: SpreadData | None
    """Of the report's `mean_of_tasks`, null where that is."""


class ExampleData(TypedDict):
    id: str
    score: Points
    """Of ROUGE the geometric mean of this one answer; the mean of these is not the task's score."""
    parsed: NotRequired[str | float | list[int | str] | None]
    """What was read in the answer: the letter, the percentage, the order, the normalised text; null when nothing could
    be read. Not there for ROUGE."""
    reason: str | None
    """Why the score is not more, where there is something to say."""
    best_reference: NotRequired[Count]
    precision: NotRequired[Points]
    recall: NotRequired[Points]
    rouge: NotRequired[RougeData]
    runs: NotRequired[Sequence[Points]]
    """The score in each of several runs, whose mean `score` is; there is nothing else of such an example."""


class TaskReport(TypedDict):
    score: Points | None
    """Null when the task was refused."""
    interval: IntervalData | None
    signature: SignatureText | None
    """Of this score alone; null when the task was refused."""
    metrics: Annotated[Mapping[str, Any], Field(json_schema_extra=_METRICS)] | None
    """The released evaluator's keys, rounded to 4 decimals; null when the task was refused."""
    n: Count
    """Answers that have references: those scored."""
    total: Count
    """Examples that the references have."""
    partial: bool
    """Whether the score leaves examples out."""
    split: str | None
    """Of the references, where it is known."""
    missing: Sequence[str]
    """Ids of references without an answer."""
    unknown: Sequence[str]
    """Ids of answers without a reference."""
    examples: Sequence[ExampleData]
    """Every answer scored, in the order of the references."""
    stopped: NotRequired[Mapping[str, ScoreOfKind]]
    """The answers that ended at the limit of tokens (`length`) or by a filter (`filter`), and the others, as far as
    files or the run say it; left out if none did."""
    runs: NotRequired[SpreadData]
    """Of several runs of one system: what differs between them."""
    losses: NotRequired[Mapping[str, Points]]
    """What the points were lost to, by cause; with the mean of the scores of the answers they add up to 100. Only when
    asked for."""
    answerability: NotRequired[Mapping[str, ScoreOfKind]]
    """MuSiQue only: its score on the questions that the paragraphs answer, and on those that they do not."""


class PatternData(TypedDict):
    name: str
    """Of the rule, such as reference_and_more."""
    task: str
    does: str
    """What these answers do, in words."""
    count: Annotated[int, Field(ge=1)]
    lower: NotRequired[Annotated[int, Field(ge=1)]]
    """How many answers to the task score less than 100; count is of these."""
    points: Points | None
    """What the task's score would gain without the fault; null when it is not known."""
    estimated: bool
    """Whether the points are those if these answers scored like the task's others, not the official scores of other
    texts."""
    below: Points
    """How far these answers stay below the best one of the task, in points of the task."""
    sentence: str
    """All of this in words."""
    ids: Sequence[str]


class RepairData(TypedDict):
    what: str
    """What would be done, in words; nothing is repaired for a score."""
    safe: bool
    """Whether it cannot change the score of anything that is right."""
    becomes: Mapping[str, str] | None
    """The new task, id or prediction, where it changes."""


class ProblemData(TypedDict):
    kind: str
    """A short name, stable for programs: missing, pid, null, conflict, ..."""
    family: str
    """The broader kind, by default the same: unknown for pid and other-split, ..."""
    task: str | None
    id: str | None
    file: str | None
    row: int | None
    """Counted from 1."""
    other_file: NotRequired[str | None]
    """Of a duplicate, the place of the row that would be kept."""
    other_row: NotRequired[int | None]
    detail: NotRequired[str]
    """What was found there, where that helps."""
    benchmark: NotRequired[str]
    """The benchmark that the file is for, when it is not the one asked for."""
    columns: NotRequired[str]
    """What --columns would be, if these are the columns: id=uid,prediction=answer."""
    repair: NotRequired[RepairData]
    message: str
    """What is wrong and what to do."""
    refuses: bool
    """Whether its task, or without one the file, is not scored for it; otherwise it is a warning."""


class FileData(TypedDict):
    file: str
    format: str | None
    """What it was recognised as; null when it could not be read as anything."""
    rows: Count
    """How many answers were read in it, fit to be scored or not."""


class SourceData(TypedDict):
    source: str | None
    """The source in words; null when nothing could be loaded from it."""
    split: str
    revision: str | None
    """The commit that was read; null where there are no commits."""


class PostData(TypedDict):
    rules: Annotated[Sequence[str], Field(min_length=1)]
    """In the order in which they were applied."""
    before: Mapping[str, Points | None]
    """The score of each task without them; null when it was refused."""
    changed: Count
    """How many answers they changed."""


class RunScores(TypedDict):
    without_cut: Points | None
    """Of the answers to prompts that were read whole; null when none was cut."""
    lost_as_empty: Points | None
    """With an empty answer for each prompt that has none; null when each has one."""


class RunTask(TypedDict):
    prompts: Count
    """Of the run, as far as is known."""
    ok: Count
    """Prompts that have an answer."""
    overflow: Count
    """That did not fit into the model's window."""
    all_reasoning: Count
    """For which the model spent all tokens on reasoning."""
    refused: Count
    """That a filter or the model refused."""
    failed: Count
    """For which the server failed."""
    not_asked: Count
    """That have not ended yet."""
    cut_by_server: Sequence[str]
    """Ids of prompts that the server seems to have read in part only."""
    trimmed: Count
    """Prompts trimmed before they were sent."""
    kept: float | None
    """Mean share of the document that these kept, 0 to 1; null without any."""
    stopped_at_length: Sequence[str]
    """Ids of answers that end where the limit of tokens was."""
    think_dropped: Count
    """Answers from which thoughts were taken out."""
    tokens: Mapping[str, int]
    """Sums of the server's counts."""
    scores: RunScores


class RunData(TypedDict):
    settings: Mapping[str, Any]
    """Of the run: model, source, variant, budget, ..."""
    tasks: Mapping[str, RunTask]


class AverageData(TypedDict):
    """An average of one's own benchmark beside that of all tasks."""

    title: str
    mean_of: Sequence[str]
    """Tasks, and other averages."""
    score: Points | None
    """Null unless all of its tasks were scored."""
    interval: IntervalData | None


class Averages(TypedDict):
    score: Points | None
    """The benchmark's average; null unless all tasks of it are scored."""
    mean_of_tasks: Points | None
    """The plain mean over the tasks that are scored; null when there is none, and where averages of the `headline` are
    scored, which stand in its place."""
    interval: IntervalData | None
    """Of mean_of_tasks, or of the score where that is another average."""


class Report(Averages):
    """Written by `zero-scrolls score --json`, returned by zs_bench.reports.report.as_json and by the app's endpoint
    /score_file. Scores and intervals are points, 0 to 100, unrounded.
    """

    # Version 2 added the signatures, the intervals, `references`, `files` and `post`.
    schema: Literal["zero-scrolls-report/3"]
    """This schema and its version. The number grows when a key is renamed, removed or gets another meaning."""
    version: str
    """Of the package that scored."""
    benchmark: str
    """Whose tasks they are: zero_scrolls, scrolls, or the name of one's own."""
    definition: NotRequired[str]
    """The TOML of one's own benchmark."""
    engine: str | None
    """Name and version of the ROUGE engine; null where no scored task uses it."""
    rouge_aggregation: Literal["corpus", "instance"] | None
    """corpus is the released evaluator's, and every published number's; null where no scored task has it."""
    signature: SignatureText | None
    """What the mean over the tasks rests on; null when no task was scored."""
    partial: bool
    """Whether a score leaves examples out."""
    missing_tasks: Sequence[str]
    """The benchmark's tasks that are not in the mean."""
    refused_tasks: Sequence[str]
    """Tasks that have answers but were not scored; the problems say why."""
    references: SourceData | None
    """Where the references are from; null when they were given as files."""
    files: Sequence[FileData]
    """The files of answers that were read."""
    post: PostData | None
    """The rules by which the answers were processed before scoring, and the scores without them; null without any."""
    tasks: Mapping[str, TaskReport]
    """By name, in the benchmark's order; those that have answers."""
    patterns: NotRequired[Sequence[PatternData]]
    """What goes wrong in the answers of a task, each of which is in one pattern at most; within a task the most points
    first, then the largest `below`."""
    problems: Annotated[Sequence[ProblemData], Field(max_length=MAX_PROBLEMS)]
    """What is wrong, what refuses something first."""
    problems_left_out: Count
    """How many more problems there are than are listed."""
    averages: NotRequired[Mapping[str, AverageData]]
    """The averages of one's own benchmark beside that of all tasks; left out if there are none."""
    headline: NotRequired[Sequence[str]]
    """The names of the averages that are the benchmark's score; left out where that is the mean of all tasks."""
    run: NotRequired[RunData]
    """What became of the prompts, where the predictions are the folder of a run; left out otherwise."""
    runs: NotRequired[RunsData]
    """The runs of one system of which the scores are the means; left out for one run."""
