"""What can be known about a task or a benchmark: the columns of the tables beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from zs_metric.tasks import Benchmark, Task


@dataclass(frozen=True, slots=True)
class TaskSize:
    """A task in numbers; `None` where the paper has none.

    Attributes:
        words: of an input, on average.
        test, validation, train: examples of the split.
        words_out: of an output, on average.
    """

    words: int | None = None
    test: int | None = None
    validation: int | None = None
    train: int | None = None
    words_out: float | None = None

    def of_split(self, split: str) -> int | None:
        """The examples of a split, of any name."""
        return {"test": self.test, "validation": self.validation, "train": self.train}.get(split)


@dataclass(frozen=True, slots=True)
class Template:
    """The fixed texts of a task's prompt (ZeroSCROLLS Tables 5 and 6).

    Attributes:
        instruction: with `{N}` where the number of summaries goes (BookSumSort).
        context_header: the line above the document.
        query_header: the line above the query; `None` if there is no query.
        response_header: the last line.
        omitted: what a trimmed prompt says is omitted ("report is", "summaries are").
    """

    instruction: str
    context_header: str
    query_header: str | None
    response_header: str
    omitted: str

    @property
    def separator(self) -> str:
        """What is put where a document was cut; the data's field `truncation_seperator`."""
        return f"... [The rest of the {self.omitted} omitted]\n\n"

    @property
    def answer_type(self) -> str:
        """What the response header asks for, such as "Summary" or "Answer"."""
        return self.response_header.removesuffix(":")


@dataclass(frozen=True, slots=True)
class Naive:
    """The naive answer to a task (ZeroSCROLLS, the row "Naive" of Table 3).

    Attributes:
        words: what is done, for people: "… is below {words}".
        choices: fixed texts; one of them is the answer.
        span: a random span of so many words of the document is the answer, or one more choice; 0 for none.
        order: the answer is 1, 2, 3, …, n, for n summaries in the document.
    """

    words: str
    choices: tuple[str, ...] = ()
    span: int = 0
    order: bool = False


@dataclass(frozen=True, slots=True)
class TaskInfo:
    """A task, for people and for everything around its metric. Only the first five must be given.

    Attributes:
        task: which it is.
        title: as people write it.
        short_title: for the columns of wide tables.
        kind: of task, in words.
        domain: of its documents, in words.
        size: lengths and numbers of examples.
        summaries: whether the answers are summaries, which the paper's prompts treat apart.
        template: the fixed texts of its prompt, also where a query-first benchmark has the same task; `None` if there
            is none.
        has_query: whether something is asked about the document.
        options: whether the query ends with four options, (A) to (D).
        answer_budget: tokens left free for the answer in the paper's runs of models behind an API.
        naive: the naive answer.
        document_of_id: a regular expression that an id matches as a whole; its group is the name of the document.
            `None` if ids say nothing about documents.
        measured_outputs: which texts are looked for in the document to measure the spread: the references, the query,
            or `None` for a task whose outputs are not words of the document.
        answerability: whether questions without an answer in the document are also reported apart.
        human_source: where the paper's human score comes from.
        hard_part_of: for a task that is the hard questions of another: which.
        no_data: why no data set has examples of the task; `None` if there are some.
    """

    task: Task
    title: str
    short_title: str
    kind: str
    domain: str
    size: TaskSize = field(default_factory=TaskSize)
    summaries: bool = False
    template: Template | None = None
    has_query: bool = True
    options: bool = False
    answer_budget: int | None = None
    naive: Naive | None = None
    document_of_id: str | None = None
    measured_outputs: Literal["references", "query"] | None = "references"
    answerability: bool = False
    human_source: str | None = None
    hard_part_of: Task | None = None
    no_data: str | None = None


@dataclass(frozen=True, slots=True)
class BenchmarkInfo:
    """A benchmark, for people and for everything around its scores.

    Attributes:
        benchmark: which it is.
        code: in signatures.
        repo: its dataset on the Hub.
        splits: that its data has.
        query_first: whether its inputs are a query and a document without an instruction: it is for fine-tuning.
        average_decimals: how many decimals its average is printed with; a task's points have one.
        marks: the published rows to compare a score with, short name to label.
        naive_average: what the naive answers are, on average; `None` if its paper does not say.
        validation_questions: how many questions a task has in the validation split, fewest and most, where they are so
            few that the score hardly says anything; else `None`.
    """

    benchmark: Benchmark
    code: str
    repo: str
    splits: tuple[str, ...]
    query_first: bool
    average_decimals: int
    marks: Mapping[str, str]
    naive_average: str | None = None
    validation_questions: tuple[int, int] | None = None
