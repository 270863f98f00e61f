"""The columns of the tables of tasks and benchmarks in this package."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from zs_metric.tasks import Benchmark, Task


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
    """The fixed texts of a task's prompt (ZeroSCROLLS Tables 5 and 6).

    In the instruction `{N}` stands where the number of summaries goes (BookSumSort). The query header is the line above
    the query; `None` if there is no query.
    """

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
    """The naive answer to a task (ZeroSCROLLS, the row "Naive" of Table 3).

    Attributes:
        words: a description that fits into "… is below {words}".
        choices: fixed texts; one of them is the answer.
        span: the number of words of a random span of the document, which is the answer or one more choice; 0 for none.
        order: whether the answer is 1, 2, 3, …, n, for n summaries in the document.
    """

    words: str
    choices: tuple[str, ...] = ()
    span: int = 0
    order: bool = False


@dataclass(frozen=True, slots=True)
class TaskInfo:
    """What is known about a task besides its metric. Only the first five columns are required.

    Attributes:
        short_title: its display name in the columns of wide tables.
        summaries: whether the outputs are summaries, for which the paper's prompts differ.
        template: of its prompt in ZeroSCROLLS, also for the same task of SCROLLS; `None` if there is none.
        options: whether the query ends with four options, (A) to (D).
        answer_budget: the tokens reserved for the answer in the paper's runs of models behind an API.
        document_of_id: a regular expression for a whole id, whose group is the name of the document; `None` if ids do
            not name the document.
        measured_outputs: the texts whose spread over the document is measured: the references, the query, or `None` if
            the outputs are not words of the document.
        answerability: whether scores are also reported for answerable and unanswerable questions.
        hard_part_of: the task whose hard questions this task consists of.
        no_data: the reason why no dataset has examples of the task; `None` if there are some.
    """

    task: Task
    title: str
    short_title: str
    kind: str
    domain: str
    size: TaskSize = field(default_factory=TaskSize)
    summaries: bool = False
    template: Template | None = None
    options: bool = False
    answer_budget: int | None = None
    naive: Naive | None = None
    document_of_id: str | None = None
    measured_outputs: Literal["references", "query"] | None = "references"
    answerability: bool = False
    hard_part_of: Task | None = None
    no_data: str | None = None

    @property
    def has_query(self) -> bool:
        """Whether there is a question about the document."""
        return self.template is None or self.template.query_header is not None

    @property
    def answer_type(self) -> str:
        """What the prompt's last line asks for, such as "Summary" or "Answer"; empty without a template."""
        return self.template.response_header.removesuffix(":") if self.template else ""


@dataclass(frozen=True, slots=True)
class BenchmarkInfo:
    """What is known about a benchmark.

    Attributes:
        query_first: whether an input is a query and a document without an instruction, for fine-tuning.
        average_decimals: the number of decimals of its published averages; scores of tasks have one.
        marks: the published rows to compare a score with, short name to label.
        naive_average: a description of the naive answers for the average; `None` if its paper has none.
        validation_questions: the fewest and the most questions of a task in the validation split, if they are so few
            that the score is uncertain; else `None`.
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
