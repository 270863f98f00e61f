"""The content of files as readers return it: unchecked entries of task, id and value, and problems."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from zs_bench.benchmarks import Benchmark, find_benchmark
from zs_bench.files import limits
from zs_bench.files.json_text import JsonNumber, kind, written
from zs_bench.files.names import known_task
from zs_bench.problems import Place, Problem
from zs_metric.texts import clean_text


class Identity(NamedTuple):
    """What a row says of its question, as hashes: of all of it, and of the references alone."""

    question: str
    references: str

    @property
    def is_by_references(self) -> bool:
        """Whether nothing but the references is known of the question."""
        return self.question == self.references


class Entry(NamedTuple):
    """One row of a file, as it is read and while it is checked.

    Attributes:
        value: the prediction (or references); like task and id, any JSON value until the checks have passed.
        data: of references, the fields of a row with an input, with whole numbers.
        references: those beside a prediction, or of a row of references without an id.
        facts: what else the row says of its question, such as its length; both identify it (`rows_without_ids`).
        fault: what is wrong with the row, if this is only what it probably holds.
        recorded: the score that the file has for it: the name of the field, and the number as written.
        number: its position among all rows.
        unresolvable: whether its task or id is unknown, so that it is not checked further.
        refused: whether it cannot be scored as it was read.
        moved: whether its id was read so much lower or higher, as the whole series.
        task_is_from_name: whether the file's name alone says its task.
        stop: whether its answer ended at the limit of tokens or by a filter (`zs_bench.files.replies`).
        failed: why there is no answer, if the row says so.
        others: of a row without an id, or with its number as id: its short fields, of which one may be the id.
        is_by_references: whether its id was found by the references beside it.
        row: the fields of the row that the metrics of the benchmark ask for (`Benchmark.asked`).
        document: of references, the name of the example's document, if the file says it.
        identity: of a row without an id, what its references and facts say of its question.
    """

    task: Any
    id: Any
    value: Any
    place: Place
    split: str | None = None
    references: Any = None
    facts: tuple[str, ...] = ()
    fault: Problem | None = None
    recorded: tuple[str, str] | None = None
    unresolvable: bool = False
    refused: bool = False
    moved: bool = False
    task_is_from_name: bool = False
    stop: str = ""
    failed: str = ""
    others: Mapping[str, str] | None = None
    is_by_references: bool = False
    row: Mapping[str, Any] | None = None
    document: str | None = None
    identity: Identity | None = None
    data: Mapping[str, Any] | None = None
    number: int = 0

    def numbered(self, number: int, task: Any) -> "Entry":
        """The entry with its position and another name of its task, without `data` and lone surrogates."""
        id_ = clean_text(self.id, "row") if isinstance(self.id, str) else self.id
        value = clean_text(self.value, "row") if isinstance(self.value, str) else self.value
        return Entry._make((task, id_, value, *self[3:-2], None, number))  # several times as fast as `_replace`

    @property
    def usable(self) -> bool:
        """Whether it has a task, an id and a text within the length limit."""
        texts = isinstance(self.value, str) and isinstance(self.id, str) and isinstance(self.task, str)
        return texts and self.fault is None and len(self.value) <= limits.MAX_TEXT

    @property
    def name(self) -> tuple[str | None, str | None]:
        """The file, and the task's name as written in it."""
        return self.place.file, written(self.task)


class Nothing(NamedTuple):
    """A task that a file names but has no entries for."""

    task: str


Found = Iterator[Entry | Nothing | Problem]


@dataclass(slots=True)
class ReadFile:
    """A file: the task and split that its name says, and what its reader finds out about it.

    Attributes:
        ending: that of its name, in lowercase.
        text: what its rows are read for, `prediction` or `references`.
        has_inputs: whether its rows are examples, which may have no references.
        columns: what the columns (or fields) with `id`, `prediction`, `references`, `task` and `score` are called, and
            the `filter` whose rows are read, as far as the user said.
        optional: those of them that this file may lack, since another file has the column that the user named.
        unit: what the numbers of rows count.
        head: its first line, at most 10,000 bytes.
        header, first: the names of its columns, and their cells in the first row; or that row's fields and values.
        filters: those of a log whose rows were not read, since rows of one filter are.
        beside: the column or field that is taken for the references beside its answers, by its name.
        benchmark: the one whose names of tasks come first.
    """

    name: str
    task: str = ""
    split: str | None = None
    ending: str = ""
    text: str = "prediction"
    has_inputs: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)
    optional: Collection[str] = ()
    head: bytes = b""
    format: str | None = None
    header: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    delimiter: str = ","
    filters: tuple[str, ...] = ()
    beside: str = ""
    rows: int = 0
    unit: str = "line"
    benchmark: Benchmark = field(default_factory=find_benchmark)

    def named(self, header: Collection[str]) -> dict[str, str]:
        """What columns or fields are called: as the user said, else as the benchmark says, if the file has them.

        A file of references needs only the references that the user named, one of predictions all else.
        """
        given = {**self.benchmark.fields, **self.columns}
        needed = {name for name in self.columns if (name == "references") == (self.text == "references")}
        needed -= {*self.optional}
        return {ours: theirs for ours, theirs in given.items() if theirs in header or ours in needed}

    def place(self, row: int | None) -> Place:
        return Place(self.name, row, self.unit)

    def as_dict(self) -> dict[str, Any]:
        return {"file": self.name, "format": self.format, "rows": self.rows}

    def unreadable(
        self, message: str, row: int | None, task: object, id_: object = None, detail: str | None = None
    ) -> Problem:
        name = clean_text(id_, "id") if isinstance(id_, str) else None
        return Problem("unreadable", message, known_task(task, self.benchmark), name, self.place(row), detail=detail)


def row_fault(row: Entry, benchmark: Benchmark) -> Problem | None:
    """The problem of a field that the metric of the row's task asks for, and that is missing or of another kind."""
    given = row.row or {}
    for name, wanted in benchmark.asked(benchmark.all_tasks[row.task]).items():
        field_ = benchmark.fields.get(name, name)
        if name not in given:
            message = "" if wanted.endswith("?") else f"The row has no {field_!r}, which the metric of its task reads"
        elif wanted.startswith("list"):
            fits = isinstance(given[name], list) and all(isinstance(each, str) for each in given[name])
            message = "" if fits else f"The row's {field_!r} is {kind(given[name])}, not a list of texts"
        else:
            fits = isinstance(given[name], int | float) and not isinstance(given[name], bool)
            message = "" if fits else f"The row's {field_!r} is {kind(given[name])}, not a number"
        if message:
            step = "Give it as the benchmark's data have it"
            return Problem("row-field", f"{message}. {step}", row.task, row.id, row.place)
    return None


def id_fault(row: Entry) -> Problem | None:
    """The problem of a row whose id is not a text, or too long."""
    if isinstance(row.id, JsonNumber):
        kind_, message, detail = "number-id", "The ID is a number. Write it in quotes", row.id.text
    elif not isinstance(row.id, str):
        kind_, message, detail = "not-an-id", f"The ID is {kind(row.id)}, not a text", None
    elif len(row.id) > limits.MAX_ID:
        kind_, message, detail = "not-an-id", f"The ID is longer than {limits.MAX_ID:,} characters", row.id[:60]
    else:
        return None
    id_ = row.id if isinstance(row.id, str) else None
    return Problem(kind_, message, row.task, id_, row.place, detail=detail, family="unreadable")
