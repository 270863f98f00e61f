"""Facts about the tasks and benchmarks, a row each.

A new task with an existing metric is a row in `zs_metric.tasks`, a row here, and data.

Sources: ZeroSCROLLS (arXiv 2305.14196) Tables 1, 3, 5 and 6, and section 4 with its released experiments; SCROLLS
(arXiv 2201.03533) Tables 1 and 2. The texts of the prompts are in `zs_bench/data/templates.json`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from zs_metric.tasks import SCROLLS, ZERO_SCROLLS, Benchmark, Task, find_task


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
class TaskInfo:
    """What is known about a task besides its metric. Only the first five columns are required.

    Attributes:
        answer_budget: the tokens reserved for the answer in the paper's runs of models behind an API.
        document_of_id: a regular expression for a whole id, whose group is the name of the document.
        template: of its prompt in ZeroSCROLLS, also for the same task of SCROLLS.
        summaries: whether the outputs are summaries, for which the paper's prompts differ.
        options: whether the query ends with four options, (A) to (D).
        measured_outputs: the texts whose spread over the document is measured, if they are words of it.
        answerability: whether scores are also reported for answerable and unanswerable questions.
        no_data: the reason why no dataset has examples of the task.
    """

    task: Task
    title: str
    short_title: str
    kind: str
    domain: str
    size: TaskSize = field(default_factory=TaskSize)
    answer_budget: int | None = None
    naive: Naive | None = None
    document_of_id: str | None = None
    template: Template | None = None
    summaries: bool = False
    options: bool = False
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
        average_decimals: the number of decimals of its published averages; scores of tasks have one decimal.
        marks: the published rows to compare a score with, short name to label.
        naive_average: a description of the naive answers for the average.
        validation_questions: the fewest and the most questions of a task in the validation split, where they are few.
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


BENCHMARKS = (
    BenchmarkInfo(
        ZERO_SCROLLS,
        code="ZS",
        repo="tau/zero_scrolls",
        splits=("validation", "test"),
        query_first=False,
        average_decimals=1,
        marks={"naive": "Naive", "gpt4": "GPT-4 (v0314), 8,192 tokens", "human": "Human"},
        naive_average="the naive answers, given without reading",
        validation_questions=(10, 28),
    ),
    BenchmarkInfo(
        SCROLLS,
        code="SC",
        repo="tau/scrolls",
        splits=("train", "validation", "test"),
        query_first=True,
        average_decimals=2,
        marks={"naive": "Naive", "best": "LED, 16,384 tokens"},
    ),
)

_TEMPLATES = json.loads(Path(__file__).with_name("data").joinpath("templates.json").read_text(encoding="utf-8"))
# How an id names its document: a book's shuffles end in `_n`, the questions about a story begin with `story_`.
_BOOK, _STORY = r"(?s)(.+)_\d+", r"(?s)([^_]+)_.*"


# Answers given without reading.
_YES_NO_OR_SPAN = Naive(
    "answering at random Yes, No, Unanswerable or a span of 15 words", ("Yes", "No", "Unanswerable"), span=15
)
_NO_ANSWER = Naive("always answering “Unanswerable”", ("Unanswerable",))
_HALF, _LETTER = Naive("always answering 50%", ("50%",)), Naive("a random letter", ("A", "B", "C", "D"))
_ORDER = Naive("leaving the summaries in the order given", order=True)
_BY_QUERY, _QA, _MULTI_HOP = "Query-based summarization", "Question answering", "Multi-hop question answering"


def _span(words: int) -> Naive:
    return Naive(f"a random span of {words} words", span=words)


def _row(name: str, titles: tuple[str, str, str, str], words: int, test: int, *columns: Any, **more: Any) -> TaskInfo:
    task = find_task(name)
    more |= {"template": Template(*_TEMPLATES[name]), "summaries": task.metric.name == "rouge"}
    return TaskInfo(task, *titles, TaskSize(words, test), *columns, **more)


#: The tasks of ZeroSCROLLS: titles, kind and domain; the words of an input and the test examples; then the columns of
#: `TaskInfo` from the answer budget on.
TASKS = (
    _row("gov_report", ("GovReport", "GvRp", "Summarization", "government"), 7273, 500, 1024, _span(500)),
    _row("summ_screen_fd", ("SummScreenFD", "SSFD", "Summarization", "TV"), 5663, 337, 512, _span(200)),
    _row("qmsum", ("QMSum", "QMsm", _BY_QUERY, "meetings"), 10839, 281, 512, _span(50)),
    _row("squality", ("SQuALITY", "SQAL", _BY_QUERY, "literature"), 4971, 260, 512, _span(120), _STORY),
    _row("qasper", ("Qasper", "Qspr", _QA, "science"), 3531, 500, 128, _YES_NO_OR_SPAN),
    _row("narrative_qa", ("NarrativeQA", "Nrtv", _QA, "literature, film"), 49384, 500, 64, _span(4)),
    _row(
        "quality",
        ("QuALITY", "QALT", "Multiple choice", "literature, misc"),
        *(4248, 500, 10, _LETTER, _STORY),
        options=True,
    ),
    _row("musique", ("MuSiQue", "MuSQ", _MULTI_HOP, "Wikipedia"), 1749, 500, 32, _NO_ANSWER, answerability=True),
    _row("space_digest", ("SpaceDigest", "SpDg", "Aggregation", "hotel reviews"), 5481, 500, 36, _HALF),
    _row(
        "book_sum_sort",
        ("BookSumSort", "BkSS", "Aggregation", "literature"),
        *(6840, 500, 256, _ORDER, _BOOK),
        measured_outputs=None,
    ),
)


def _in_scrolls(name: str, *size: Any, **columns: Any) -> TaskInfo:
    """A task of ZeroSCROLLS as SCROLLS has it: the same data set with other sizes, and fine-tuned models only."""
    row = next(row for row in TASKS if row.task.name == name)
    columns = {"task": find_task(name, benchmark=SCROLLS), **columns}
    return replace(row, size=TaskSize(*size), answer_budget=None, naive=None, **columns)


#: The tasks of SCROLLS, with the columns of `TaskSize`.
_SCROLLS_ROWS = (
    _in_scrolls("gov_report", 7886, 973, 972, 17457, 492.5),
    _in_scrolls("summ_screen_fd", 5598, 337, 338, 3673, 99.6),
    _in_scrolls("qmsum", 9497, 281, 272, 1257, 69.7),
    _in_scrolls("qasper", 3629, 1399, 1726, 2567, 11.4),
    _in_scrolls("narrative_qa", 51653, 10306, 5878, 55003, 4.6),
    _in_scrolls("quality", 4193, 2128, 2086, 2523, 10.3),
    TaskInfo(
        find_task("contract_nli", benchmark=SCROLLS),
        "ContractNLI",
        "CNLI",
        "Natural language inference",
        "legal",
        TaskSize(1706, 2091, 1037, 7191, 1.4),
        measured_outputs="query",
    ),
    _in_scrolls(
        "quality",
        task=find_task("quality_hard", benchmark=SCROLLS),
        title="QuALITY, hard",
        hard_part_of=find_task("quality", benchmark=SCROLLS),
        no_data="the data of quality marks no question as hard; give predictions and references of the hard ids as "
        "files, or a list of hard ids to the command line's --hard-ids",
    ),
)
_TASK_ROWS = {row.task: row for row in (*TASKS, *_SCROLLS_ROWS)}


def info(task: Task) -> TaskInfo:
    """The row of a task.

    >>> info(find_task("quality")).title, info(find_task("quality", benchmark="scrolls")).size.words
    ('QuALITY', 4193)
    """
    return _TASK_ROWS[task]


def benchmark_info(benchmark: Benchmark) -> BenchmarkInfo:
    """The row of a benchmark."""
    return next(row for row in BENCHMARKS if row.benchmark == benchmark)
