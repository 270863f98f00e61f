"""The report of a scored file as JSON: `zs_bench/data/report.schema.json` is generated from these types.

`zs_bench.reports.report.as_json` makes it, from `as_dict` of the records of which these types are the JSON. Pages and
ranks read it back, also a shorter one without the examples. Scores are points, 0 to 100. In an annotation, a text
describes the value, a pair is a keyword of JSON Schema, and `OPTIONAL` says that the key may be missing.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple, TypedDict

#: The schema of a report. Version 2 added the signatures, the intervals, `references`, `files` and `post`.
SCHEMA: Final = "zero-scrolls-report/3"
#: How many problems a report lists; those that refuse something come first, and the rest is counted.
MAX_PROBLEMS = 10_000
OPTIONAL = "optional"


class Named(NamedTuple):
    """The name of a type among the definitions of the schema, and its description."""

    name: str
    description: str = ""


Count = Annotated[int, ("minimum", 0)]
Points = Annotated[float, Named("points"), ("minimum", 0), ("maximum", 100.000000001)]
PointsOrNull = Annotated[Points | None, Named("points_or_null")]
SignatureText = Annotated[
    str | None,
    Named("signature", "One line; `zero-scrolls signature` explains it."),
    ("pattern", r"^[^| ]+\|(def:[^| ]+\|)?tasks:[^ ]+$"),
]


class IntervalData(TypedDict):
    low: Points
    high: Points
    level: Annotated[float, ("exclusiveMinimum", 0), ("exclusiveMaximum", 100), "Nominal coverage in percent."]
    clusters: Annotated[
        int | None,
        ("minimum", 1),
        "How many documents there are, over the tasks where it is known which examples share one; null when it is "
        "known of none and every example counts by itself.",
    ]
    method: Annotated[
        str,
        OPTIONAL,
        "The name of the method, as in the signature; `jackknife-t` in earlier reports, whose lower ends ignored what "
        "could stay unseen, and missing in those before, whose intervals are from a percentile bootstrap.",
    ]


IntervalOrNull = Annotated[
    IntervalData | None,
    Named(
        "interval",
        "A confidence interval; null when a task in the number has fewer than ten examples or five documents.",
    ),
]


class ScoreOfKind(TypedDict):
    score: PointsOrNull
    n: Count


class RougeTypeData(TypedDict):
    precision: Points
    recall: Points
    fmeasure: Points
    best_reference: Count


RougeTypeNamed = Annotated[RougeTypeData, Named("rouge_type")]


class RougeData(TypedDict):
    rouge1: RougeTypeNamed
    rouge2: RougeTypeNamed
    rougeL: RougeTypeNamed


class SpreadData(TypedDict):
    scores: Annotated[Sequence[Points], "The score of each run, in the order of their names."]
    standard_deviation: Annotated[float | None, "Of these, with n - 1; null for two runs."]
    differing: Annotated[
        float, ("minimum", 0), ("maximum", 1), "The share of examples whose points are not the same in every run."
    ]


SpreadNamed = Annotated[
    SpreadData,
    Named("spread", "What differs between several runs of one system; the intervals hold no shift of a whole run."),
]


class RunsData(TypedDict):
    names: Annotated[Sequence[str], ("minItems", 2)]
    mean_of_tasks: Annotated[SpreadNamed | None, "Of the mean over the tasks; null when none was scored."]


class ExampleData(TypedDict, total=False):
    id: str
    score: Annotated[
        Points, "Of ROUGE the geometric mean of this one answer; the mean of these is not the task's score."
    ]
    parsed: Annotated[
        str | float | list[int | str] | None,
        OPTIONAL,
        "What was read in the answer: the letter, the percentage, the order, the normalised text; null when nothing "
        "could be read. Not there for ROUGE.",
    ]
    reason: Annotated[str | None, "Why the score is not more, where there is something to say."]
    best_reference: Annotated[Count, OPTIONAL]
    precision: Annotated[Points, OPTIONAL]
    recall: Annotated[Points, OPTIONAL]
    rouge: Annotated[RougeData, OPTIONAL]
    runs: Annotated[
        Sequence[Points],
        OPTIONAL,
        "The score in each of several runs, whose mean `score` is; there is nothing else of such an example.",
    ]


class TaskReport(TypedDict, total=False):
    score: Annotated[PointsOrNull, "Null when the task was refused."]
    interval: IntervalOrNull
    signature: Annotated[SignatureText, "Of this score alone; null when the task was refused."]
    metrics: Annotated[
        Mapping[str, Any] | None,
        ("required", ["num_predicted", "mean_prediction_length_characters", "display_keys", "display"]),
        (
            "properties",
            {
                "display_keys": {"type": "array", "items": {"type": "string"}},
                "display": {"type": "array", "items": {"type": "number"}},
            },
        ),
        ("additionalProperties", {"type": ["number", "null"]}),
        "The released evaluator's keys, rounded to 4 decimals; null when the task was refused.",
    ]
    n: Annotated[Count, "Answers that have references: those scored."]
    total: Annotated[Count, "Examples that the references have."]
    partial: Annotated[bool, "Whether the score leaves examples out."]
    split: Annotated[str | None, "Of the references, where it is known."]
    missing: Annotated[Sequence[str], "Ids of references without an answer."]
    unknown: Annotated[Sequence[str], "Ids of answers without a reference."]
    examples: Annotated[
        Sequence[Annotated[ExampleData, Named("example")]], "Every answer scored, in the order of the references."
    ]
    stopped: Annotated[
        Mapping[str, ScoreOfKind],
        OPTIONAL,
        "The answers that ended at the limit of tokens (`length`) or by a filter (`filter`), and the others, as far as "
        "files or the run say it; left out if none did.",
    ]
    runs: Annotated[SpreadNamed, OPTIONAL, "Of several runs of one system: what differs between them."]
    losses: Annotated[
        Mapping[str, Points],
        OPTIONAL,
        "What the points were lost to, by cause; with the mean of the scores of the answers they add up to 100. Only "
        "when asked for.",
    ]
    answerability: Annotated[
        Mapping[str, ScoreOfKind],
        OPTIONAL,
        "MuSiQue only: its score on the questions that the paragraphs answer, and on those that they do not.",
    ]


class PatternData(TypedDict):
    name: Annotated[str, "Of the rule, such as reference_and_more."]
    task: str
    does: Annotated[str, "What these answers do, in words."]
    count: Annotated[int, ("minimum", 1)]
    lower: Annotated[
        int, ("minimum", 1), OPTIONAL, "How many answers to the task score less than 100; count is of these."
    ]
    points: Annotated[PointsOrNull, "What the task's score would gain without the fault; null when it is not known."]
    estimated: Annotated[
        bool,
        "Whether the points are those if these answers scored like the task's others, not the official scores of other "
        "texts.",
    ]
    below: Annotated[Points, "How far these answers stay below the best one of the task, in points of the task."]
    sentence: Annotated[str, "All of this in words."]
    ids: Sequence[str]


class RepairData(TypedDict):
    what: Annotated[str, "What would be done, in words; nothing is repaired for a score."]
    safe: Annotated[bool, "Whether it cannot change the score of anything that is right."]
    becomes: Annotated[Mapping[str, str] | None, "The new task, id or prediction, where it changes."]


class ProblemData(TypedDict, total=False):
    kind: Annotated[str, "A short name, stable for programs: missing, pid, null, conflict, ..."]
    family: Annotated[str, "The broader kind, by default the same: unknown for pid and other-split, ..."]
    task: str | None
    id: str | None
    file: str | None
    row: Annotated[int | None, "Counted from 1."]
    other_file: Annotated[str | None, OPTIONAL, "Of a duplicate, the place of the row that would be kept."]
    other_row: Annotated[int | None, OPTIONAL]
    detail: Annotated[str, OPTIONAL, "What was found there, where that helps."]
    benchmark: Annotated[str, OPTIONAL, "The benchmark that the file is for, when it is not the one asked for."]
    columns: Annotated[str, OPTIONAL, "What --columns would be, if these are the columns: id=uid,prediction=answer."]
    repair: Annotated[RepairData, OPTIONAL]
    message: Annotated[str, "What is wrong and what to do."]
    refuses: Annotated[
        bool, "Whether its task, or without one the file, is not scored for it; otherwise it is a warning."
    ]


class FileData(TypedDict):
    file: str
    format: Annotated[str | None, "What it was recognised as; null when it could not be read as anything."]
    rows: Annotated[Count, "How many answers were read in it, fit to be scored or not."]


class SourceData(TypedDict):
    source: Annotated[str | None, "The source in words; null when nothing could be loaded from it."]
    split: str
    revision: Annotated[str | None, "The commit that was read; null where there are no commits."]


class PostData(TypedDict):
    rules: Annotated[Sequence[str], ("minItems", 1), "In the order in which they were applied."]
    before: Annotated[Mapping[str, PointsOrNull], "The score of each task without them; null when it was refused."]
    changed: Annotated[Count, "How many answers they changed."]


class RunScores(TypedDict):
    without_cut: Annotated[PointsOrNull, "Of the answers to prompts that were read whole; null when none was cut."]
    lost_as_empty: Annotated[
        PointsOrNull, "With an empty answer for each prompt that has none; null when each has one."
    ]


class RunTask(TypedDict):
    prompts: Annotated[Count, "Of the run, as far as is known."]
    ok: Annotated[Count, "Prompts that have an answer."]
    overflow: Annotated[Count, "That did not fit into the model's window."]
    all_reasoning: Annotated[Count, "For which the model spent all tokens on reasoning."]
    refused: Annotated[Count, "That a filter or the model refused."]
    failed: Annotated[Count, "For which the server failed."]
    not_asked: Annotated[Count, "That have not ended yet."]
    cut_by_server: Annotated[Sequence[str], "Ids of prompts that the server seems to have read in part only."]
    trimmed: Annotated[Count, "Prompts trimmed before they were sent."]
    kept: Annotated[float | None, "Mean share of the document that these kept, 0 to 1; null without any."]
    stopped_at_length: Annotated[Sequence[str], "Ids of answers that end where the limit of tokens was."]
    think_dropped: Annotated[Count, "Answers from which thoughts were taken out."]
    tokens: Annotated[Mapping[str, int], "Sums of the server's counts."]
    scores: RunScores


class RunData(TypedDict):
    settings: Annotated[Mapping[str, Any], "Of the run: model, source, variant, budget, ..."]
    tasks: Mapping[str, RunTask]


class AverageData(TypedDict):
    """An average of one's own benchmark beside that of all tasks."""

    title: str
    mean_of: Annotated[Sequence[str], "Tasks, and other averages."]
    score: Annotated[PointsOrNull, "Null unless all of its tasks were scored."]
    interval: IntervalOrNull


class Averages(TypedDict, total=False):
    score: Annotated[PointsOrNull, "The benchmark's average; null unless all tasks of it are scored."]
    mean_of_tasks: Annotated[PointsOrNull, "The plain mean over the tasks that are scored; null when there is none."]
    interval: Annotated[IntervalOrNull, "Of mean_of_tasks."]


class Report(Averages, total=False):
    schema: Annotated[
        str,
        ("const", SCHEMA),
        "This schema and its version. The number grows when a key is renamed, removed or gets another meaning.",
    ]
    version: Annotated[str, "Of the package that scored."]
    benchmark: Annotated[str, "Whose tasks they are: zero_scrolls, scrolls, or the name of one's own."]
    definition: Annotated[str, OPTIONAL, "The TOML of one's own benchmark."]
    engine: Annotated[str, "Name and version of the ROUGE engine."]
    rouge_aggregation: Annotated[
        str, ("enum", ["corpus", "instance"]), "corpus is the released evaluator's, and every published number's."
    ]
    signature: Annotated[SignatureText, "What the mean over the tasks rests on; null when no task was scored."]
    partial: Annotated[bool, "Whether a score leaves examples out."]
    missing_tasks: Annotated[Sequence[str], "The benchmark's tasks that are not in the mean."]
    refused_tasks: Annotated[Sequence[str], "Tasks that have answers but were not scored; the problems say why."]
    references: Annotated[SourceData | None, "Where the references are from; null when they were given as files."]
    files: Annotated[Sequence[FileData], "The files of answers that were read."]
    post: Annotated[
        PostData | None,
        "The rules by which the answers were processed before scoring, and the scores without them; null without any.",
    ]
    tasks: Annotated[
        Mapping[str, Annotated[TaskReport, Named("task")]],
        "By name, in the benchmark's order; those that have answers.",
    ]
    patterns: Annotated[
        Sequence[Annotated[PatternData, Named("pattern")]],
        OPTIONAL,
        "What goes wrong in the answers of a task, each of which is in one pattern at most; within a task the most "
        "points first, then the largest `below`.",
    ]
    problems: Annotated[
        Sequence[Annotated[ProblemData, Named("problem")]],
        ("maxItems", MAX_PROBLEMS),
        "What is wrong, what refuses something first.",
    ]
    problems_left_out: Annotated[Count, "How many more problems there are than are listed."]
    averages: Annotated[
        Mapping[str, AverageData],
        OPTIONAL,
        "The averages of one's own benchmark beside that of all tasks; left out if there are none.",
    ]
    headline: Annotated[
        Sequence[str],
        OPTIONAL,
        "The names of the averages that are the benchmark's score; left out where that is the mean of all tasks.",
    ]
    run: Annotated[
        RunData,
        OPTIONAL,
        "What became of the prompts, where the predictions are the folder of a run; left out otherwise.",
    ]
    runs: Annotated[
        RunsData, OPTIONAL, "The runs of one system of which the scores are the means; left out for one run."
    ]
