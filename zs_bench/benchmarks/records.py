"""The records of a benchmark and of its tasks: every fact about them is a column here.

Columns other than the name and the metric of a task, and the name of a benchmark, have defaults.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import fsum
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from zs_metric.metrics import Metric, MetricTable, NamedMetric

if TYPE_CHECKING:
    from zs_bench.benchmarks.copies import Copy


@dataclass(frozen=True, slots=True)
class TaskSize:
    """The size of a task, with the mean numbers of words of an input and an output; `None` where the paper has none."""

    words: int | None = None
    test: int | None = None
    validation: int | None = None
    train: int | None = None
    words_out: float | None = None

    def of_split(self, split: str) -> int | None:
        """The number of examples of a split; `None` if unknown."""
        return {"test": self.test, "validation": self.validation, "train": self.train}.get(split)


@dataclass(frozen=True, slots=True)
class Template:
    """The fixed texts of a task's prompt; in the instruction `{N}` stands for the number of summaries (BookSumSort)."""

    instruction: str
    context_header: str
    query_header: str | None
    response_header: str

    @property
    def separator(self) -> str:
        """What is put where a document was cut; the data's field `truncation_seperator`."""
        document = self.context_header.removesuffix(":").lower()
        return f"... [The rest of the {document} {'are' if document.endswith('s') else 'is'} omitted]\n\n"


@dataclass(frozen=True, slots=True)
class Naive:
    """The naive answer to a task (ZeroSCROLLS, the row "Naive" of Table 3), with `words` for "… is below {words}".

    The answer is one of the choices, or a random span of so many words of the document. With `order` it is 1, 2, …, n
    for n summaries.
    """

    words: str
    choices: tuple[str, ...] = ()
    span: int = 0
    order: bool = False


@dataclass(frozen=True, slots=True)
class Average:
    """The mean of tasks and other averages, by their names.

    Attributes:
        short_title: in a table of averages; by default the title.
        hidden: whether it is not shown, since it is only a part of others.
    """

    title: str
    mean_of: tuple[str, ...]
    short_title: str = ""
    hidden: bool = False

    def __post_init__(self) -> None:
        _set(self, short_title=self.short_title or self.title)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Task(NamedMetric):
    """One task of one benchmark, one object per process. Only name and metric are required.

    Attributes:
        benchmark: set by the `Benchmark` whose row it is.
        averaged: whether it is part of the benchmark's average.
        title, short_title: by default the name.
        asks: what it asks, in a sentence; by default its `kind`.
        answer_budget: the tokens reserved for the answer in the paper's runs of models behind an API.
        document_of_id: a regular expression that is searched for in an id; its group is the name of the document.
        template: of its prompt, in four fixed texts.
        prompt: instead of a template, one text: `{context}` once, for the row's long text, and `{input}` at most once.
        cut: what a prompt over a budget loses: the `end` of its document, or the `middle` of the whole prompt.
        stop: the texts at which a model is to end its answer.
        chat: whether the benchmark asks it as a message of a chat, and not as a plain text.
        options: whether the query ends with four options, (A) to (D).
        choices: the possible answers, if they are the same for every example.
        measured_outputs: the texts whose spread over the document is measured, if they are words of it.
        answerability: whether scores are also reported for answerable and unanswerable questions.
        part_of: the name of the task whose examples it has some of.
        no_data: the reason why no dataset has examples of the task.
        cleaning: sentences with tests of a document and its references; it would drop or cut what passes one.
    """

    benchmark: "Benchmark" = field(init=False)
    averaged: bool = True
    title: str = ""
    short_title: str = ""
    kind: str = ""
    domain: str = ""
    asks: str = ""
    size: TaskSize = field(default_factory=TaskSize)
    answer_budget: int | None = None
    naive: Naive | None = None
    document_of_id: str | None = None
    template: Template | None = None
    prompt: str = ""
    cut: Literal["end", "middle"] = "end"
    stop: tuple[str, ...] = ()
    chat: bool = True
    options: bool = False
    choices: tuple[str, ...] = ()
    measured_outputs: Literal["references", "query"] | None = "references"
    answerability: bool = False
    part_of: str | None = None
    no_data: str | None = None
    cleaning: Mapping[str, Callable[[str, Sequence[str]], bool]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _set(self, title=self.title or self.name, asks=self.asks or self.kind)
        _set(self, short_title=self.short_title or self.title)

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __reduce__(self) -> "tuple[Callable[[str], Task], tuple[str]]":
        """Pickle by name, so that a task is one object in every process."""
        return partial(_task_of, self.benchmark), (self.name,)

    def questions_in(self, split: str | None) -> int | None:
        """The number of questions of a split, or of the only one that the benchmark has; `None` if unknown."""
        splits = self.benchmark.splits
        name = split or (splits[0] if len(splits) == 1 else None)
        return self.size.of_split(name) if name else None

    @property
    def summaries(self) -> bool:
        """Whether the outputs are summaries, for which the paper's prompts differ."""
        return self.metric.by_types

    @property
    def has_query(self) -> bool:
        """Whether there is a question about the document."""
        if self.prompt:
            return "{input}" in self.prompt
        return self.template is None or self.template.query_header is not None

    @property
    def answer_type(self) -> str:
        """What the prompt's last line asks for, such as "Summary" or "Answer"; empty without a template."""
        return self.template.response_header.removesuffix(":") if self.template else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Benchmark(MetricTable):
    """A benchmark: tasks scored separately and averaged, one object per process.

    Name, title, score key and rows are required.

    Attributes:
        rows: its tasks, in the order of the paper's tables; those that are not averaged come last.
        tasks, all_tasks: the tasks of the average, and all, name to `Task`.
        averages: those beside that of all `tasks`, by name.
        copies: returns other scorers of it, for `variants` and `certify`.
        headline: the names of those that are its score; by default that is the mean of all `tasks`.
        code: the first field of its signatures; by default its name.
        folder: of its examples, sample, titles and published results, as far as there are any.
        examples_of: a benchmark that has the same examples with instructions, where its own folder has none.
        repo: its dataset on the Hub.
        hub_file: the file of a task in it; one without `{task}` has all of them.
        query_first: whether an input is a query and a document without an instruction, for fine-tuning.
        average_decimals: the number of decimals of its published averages; scores of tasks have one decimal.
        marks: the published rows to compare a score with, short name to label.
        naive_average: a description of the naive answers for the average.
        validation_questions: the fewest and the most questions of a task in the validation split, where they are few.
        lead: what its published results are.
        paper: its address.
        names: other names of tasks, in lowercase letters and digits, to the task.
        row_fields: those that every row of its files of predictions has; they are how such files are recognised.
        folder_name: the part of a path that its files of predictions have.
        other_files: the names of files that its evaluator writes beside the answers; they are not read.
        carries_references: whether these rows hold their references.
        length_bins: for `study --by length`, the names of groups by the `length` of a row, each with what is too long.
        fields: what the fields of its rows are called: `id`, `prediction`, `references`, `task`, `score`, `input`, and
            those that its metrics and `length_bins` read (`asked`).
        definition: the TOML of one's own benchmark; empty for those in the package.
        cleaning_source: the section of the paper with its cleaning rules, which `data` then reports.
    """

    metrics: Mapping[str, Metric] = field(init=False)
    not_averaged: tuple[str, ...] = field(init=False)
    rows: tuple[Task, ...]
    tasks: Mapping[str, Task] = field(init=False)
    all_tasks: Mapping[str, Task] = field(init=False)
    averages: Mapping[str, Average] = field(default_factory=dict)
    headline: tuple[str, ...] = ()
    copies: "Callable[[], Sequence[Copy]]" = tuple
    code: str = ""
    folder: Path | None = None
    examples_of: "Benchmark | None" = None
    repo: str = ""
    hub_file: str = "{task}.zip"
    splits: tuple[str, ...] = ("train", "validation", "test")
    query_first: bool = False
    average_decimals: int = 1
    marks: Mapping[str, str] = field(default_factory=dict)
    naive_average: str | None = None
    validation_questions: tuple[int, int] | None = None
    lead: str = ""
    paper: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    row_fields: frozenset[str] = frozenset()
    folder_name: str = ""
    other_files: frozenset[str] = frozenset()
    carries_references: bool = False
    length_bins: Mapping[str, float] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    definition: str = ""
    cleaning_source: str = ""

    def __post_init__(self) -> None:
        for task in self.rows:
            _set(task, benchmark=self)
        _set(self, code=self.code or self.name, all_tasks=_by_name(self.rows))
        _set(self, tasks=_by_name(task for task in self.rows if task.averaged))
        _set(self, metrics=MappingProxyType({task.name: task.metric for task in self.rows}))
        _set(self, not_averaged=tuple(task.name for task in self.rows if not task.averaged))

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @property
    def key(self) -> str:
        """The text by which `find_benchmark` finds it anywhere: its name, or its definition if it is one's own."""
        return self.definition or self.name

    @property
    def hash(self) -> str:
        """A hash of its definition; empty for those in the package."""
        import hashlib  # noqa: PLC0415  (for one's own benchmark alone)

        digest = hashlib.sha256(self.definition.encode()).hexdigest()
        return f"sha256:{digest[:12]}" if self.definition else ""

    def file(self, *names: str) -> Path | None:
        """The file of that name in its folder; `None` if there is none."""
        path = self.folder.joinpath(*names) if self.folder else None
        return path if path and path.exists() else None

    def score_of(self, scores: Mapping[str, float]) -> float | None:
        """The benchmark's score of the scores of its tasks: the only average of its `headline`; `None` of several."""
        if not self.headline:
            return MetricTable.score_of(self, scores)
        weights = self.weights(self.headline[0]) if len(self.headline) == 1 else {}
        whole = bool(weights) and weights.keys() <= scores.keys()
        return fsum(weight * scores[task] for task, weight in weights.items()) if whole else None

    def asked(self, *tasks: Task) -> Mapping[str, str]:
        """The fields of rows that the metrics of these tasks (by default all) or its `length_bins` ask for, to kind."""
        asked = {name: kind for task in tasks or self.rows for name, kind in task.metric.fields.items()}
        return {**asked, "length": "number?"} if self.length_bins else asked

    def weights(self, name: str) -> dict[str, float]:
        """What each task counts in an average; a task alone has the weight 1."""
        weights = {task: {task: 1.0} for task in self.all_tasks}
        for each, average in self.averages.items():  # those that an average is of stand before it
            parts = [weights[member] for member in average.mean_of]
            tasks = dict.fromkeys(task for part in parts for task in part)
            weights[each] = {task: sum(part.get(task, 0.0) for part in parts) / len(parts) for task in tasks}
        return weights[name]

    @property
    def titles(self) -> dict[str, str]:
        """The titles of the tasks, by name."""
        return {name: task.title for name, task in self.all_tasks.items()}

    @property
    def normalization(self) -> tuple[str, ...]:
        """The steps that texts of F1 and exact match go through, those of the first such task; empty without one."""
        return next((task.metric.steps for task in self.rows if task.metric.steps), ())

    @property
    def parts(self) -> Mapping[str, str]:
        """The tasks whose examples are some of another's: name to the other's name."""
        return {task.name: task.part_of for task in self.rows if task.part_of}


def _task_of(benchmark: Benchmark, name: str) -> Task:
    return benchmark.all_tasks[name]


def _set(record: object, **values: object) -> None:
    for name, value in values.items():
        object.__setattr__(record, name, value)


def _by_name(tasks: Iterable[Task]) -> Mapping[str, Task]:
    return MappingProxyType({task.name: task for task in tasks})
