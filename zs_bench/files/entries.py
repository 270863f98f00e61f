"""The content of files as readers return it: unchecked entries of task, id and value, and problems.

`Source` is a readable file, on disk or in a ZIP. References are as rows have them, for files and sources of data.
"""

import io
import re
import struct
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath
from typing import IO, Any, NamedTuple
from zipfile import BadZipFile

from zs_bench.benchmarks import BENCHMARKS, DEFAULT, Benchmark, find_benchmark
from zs_bench.errors import UnusableInput
from zs_bench.files import limits
from zs_bench.files.json_text import JsonNumber, kind, written
from zs_bench.problems import Place, Problem, short
from zs_metric.texts import clean_text

SPLITS = ("train", "validation", "test")
#: The endings of files with a row a line.
BY_LINES = (".jsonl", ".ndjson")
_WORD = re.compile("[a-z0-9]+")


class Entry(NamedTuple):
    """One row of a file, as it is read and while it is checked.

    Attributes:
        value: the prediction (or references); like task and id, any JSON value until the checks have passed.
        data: of references, the fields of a row with an input, with whole numbers.
        references: those beside a prediction: they tell whether rows without ids are in the data's order.
        fault: what is wrong with the row, if this is only what it probably holds.
        recorded: the score that the file has for it: the name of the field, and the number as written.
        number: its position among all rows.
        unresolvable: whether its task or id is unknown, so that it is not checked further.
        refused: whether it cannot be scored as it was read.
        moved: whether its id was read so much lower or higher, as the whole series.
        task_is_from_name: whether the file's name alone says its task.
    """

    task: Any
    id: Any
    value: Any
    place: Place
    split: str | None = None
    data: Mapping[str, Any] | None = None
    references: Any = None
    fault: Problem | None = None
    recorded: tuple[str, str] | None = None
    number: int = 0
    unresolvable: bool = False
    refused: bool = False
    moved: bool = False
    task_is_from_name: bool = False

    def numbered(self, number: int, task: Any) -> "Entry":
        """The entry with its position and another name of its task, without `data` and lone surrogates."""
        id_, value = (clean_text(text, "row") if isinstance(text, str) else text for text in (self.id, self.value))
        return self._replace(task=task, id=id_, value=value, data=None, number=number)

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
        columns: what the columns (or fields) with `id`, `prediction`, `task` and `score` are called, and the `filter`
            whose rows are read, as far as the user said.
        unit: what the numbers of rows count.
        head: its first line, at most 10,000 bytes.
        header, first: the names of its columns, and their cells in the first row; or that row's fields and values.
        benchmark: the one whose names of tasks come first.
    """

    name: str
    task: str = ""
    split: str | None = None
    ending: str = ""
    text: str = "prediction"
    has_inputs: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)
    head: bytes = b""
    format: str | None = None
    header: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    delimiter: str = ","
    rows: int = 0
    unit: str = "line"
    benchmark: Benchmark = field(default_factory=find_benchmark)

    def named(self, header: Collection[str]) -> dict[str, str]:
        """What columns or fields are called: as the user said, else as the benchmark says, if the file has them."""
        fields = self.benchmark.fields
        return {ours: theirs for ours, theirs in fields.items() if theirs in header} | dict(self.columns)

    def place(self, row: int | None) -> Place:
        return Place(self.name, row, self.unit)

    def as_dict(self) -> dict[str, Any]:
        return {"file": self.name, "format": self.format, "rows": self.rows}

    def unreadable(
        self, message: str, row: int | None, task: object, id_: object = None, detail: str | None = None
    ) -> Problem:
        name = clean_text(id_, "id") if isinstance(id_, str) else None
        return Problem("unreadable", message, known_task(task, self.benchmark), name, self.place(row), detail=detail)


@lru_cache(64)
def _by_bare_name(benchmark: Benchmark | None) -> Mapping[str, str]:
    """The tasks by their names without capitals, spaces and hyphens: those of the benchmark, and of all others."""
    tasks: dict[str, str] = {}
    for each in (*BENCHMARKS.values(), *filter(None, [benchmark])):
        tasks |= each.names
        tasks |= {_bare(task): task for task in each.all_tasks}
    return tasks


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))


def name_task(path: PurePosixPath, benchmark: Benchmark | None = None) -> str:
    """The task that the name of a file, or else of its folder, says; the file's name if they say none or several.

    >>> names = ("qasper_validation.jsonl", "runs/qasper/preds.jsonl", "narrativeqa.jsonl", "a.json")
    >>> [name_task(PurePosixPath(name)) for name in names]
    ['qasper', 'qasper', 'narrative_qa', 'a']
    """
    tasks = named_tasks(path, benchmark)
    return tasks[0] if len(tasks) == 1 else path.stem


def named_tasks(path: PurePosixPath, benchmark: Benchmark | None = None) -> list[str]:
    """The tasks whose names stand as whole words in the name of a file, or else in that of its folder.

    A task after the name of SCROLLS keeps it, as lm-evaluation-harness writes it: `scrolls_qasper`.
    """
    by_name = _by_bare_name(benchmark)
    longest = max(len(_WORD.findall(task.lower().replace("_", " "))) for task in by_name.values())
    for name in (path.name, path.parent.name):
        words, tasks, start = _WORD.findall(name.lower()), list[str](), 0
        while start < len(words):
            bare = {"".join(words[start:end]): end for end in range(start + longest, start, -1)}
            found = next((bare_name for bare_name in bare if bare_name in by_name), None)
            if found:
                before = "_".join(["", *words[:start]])
                of = next((each for each in BENCHMARKS if before.endswith(f"_{each}")), DEFAULT)
                tasks.append(by_name[found] if of == DEFAULT else f"{of}_{by_name[found]}")
            start = bare[found] if found else start + 1
        if tasks:
            return list(dict.fromkeys(tasks))
    return []


def name_split(path: PurePosixPath) -> str | None:
    """The split whose name alone stands as a word in a file's name, if any."""
    splits = {word for word in _WORD.findall(path.name.lower()) if word in SPLITS}
    return splits.pop() if len(splits) == 1 else None


def known_task(task: object, benchmark: Benchmark | None = None) -> str | None:
    """The task if it is one of any benchmark, else `None`."""
    known = (*BENCHMARKS.values(), *filter(None, [benchmark]))
    return task if isinstance(task, str) and any(task in each.all_tasks for each in known) else None


def canonical_task(name: object, benchmark: Benchmark | None = None) -> str | None:
    """The task whose name this is, in whatever case and with whatever spaces or hyphens; `None` for another name.

    >>> canonical_task("GovReport"), canonical_task("zero_scrolls_gov-report"), canonical_task("gov")
    ('gov_report', 'gov_report', None)
    """
    if not isinstance(name, str):
        return None
    return _by_bare_name(benchmark).get(_bare(name).removeprefix(_bare(DEFAULT)))


def bare_task(task: Any, benchmark: Benchmark) -> Any:
    """The task's name without the benchmark's, as lm-evaluation-harness writes it: `scrolls_qasper` in SCROLLS."""
    bare = task.removeprefix(f"{benchmark.name}_") if isinstance(task, str) else None
    return bare if bare in benchmark.all_tasks else task


_STEP = "Take references of a split that has them"
#: The message about an example without a reference.
IS_NULL = f"The reference is null, not a text. {_STEP}"


@dataclass(slots=True)
class Reference:
    """What one example is scored against.

    Attributes:
        texts: the references, of all rows of the example.
        places: where each text is, if they are from files.
        document: the name of the example's document, where known.
        fault: why the example cannot be scored against, which matters if its split is.
    """

    texts: list[str] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    document: str | None = None
    fault: Problem | None = None


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


def texts_of(row: Entry) -> list[str] | Problem:
    """The references of a row, or the problem of one that is not a text or too long."""
    values = row.value if type(row.value) is list and row.value else [row.value]
    for value in values:
        if not isinstance(value, str):
            kind_, detail = "null-reference" if value is None else "not-a-text", written(value)
            message = IS_NULL if value is None else f"The reference is {kind(value)}, not a text. {_STEP}"
        elif len(value) > limits.MAX_TEXT:
            kind_, detail = "too-long", None
            message = f"The reference is longer than {limits.MAX_TEXT:,} characters. Shorten it"
        else:
            continue
        return Problem(kind_, message, row.task, row.id, row.place, detail=detail)
    return [clean_text(value, "reference") for value in values]


#: The errors of reading a damaged file; Python's ZIP reader raises many kinds.
DAMAGE = (OSError, EOFError, BadZipFile, NotImplementedError, UnicodeDecodeError, struct.error, zlib.error)
# The record at the end of a ZIP, with the longest comment, and before it those of a large one.
_TAIL = 70_000


@dataclass(frozen=True, slots=True)
class Source:
    """A file that can be read.

    Attributes:
        name: its name in messages: `answers.zip/qasper.json`.
        path: its path inside the input, which names task and split: `qasper.json`, `qasper/validation.jsonl`.
        size: its size in bytes, unpacked.
    """

    name: str
    path: PurePosixPath
    open: Callable[[], AbstractContextManager[IO[bytes]]]
    size: int

    @classmethod
    def in_memory(cls, path: str, data: bytes, name: str = "") -> "Source":
        """A file with that content; its name is its path, unless one is given."""
        return cls(name or path, PurePosixPath(path), lambda: io.BytesIO(data), len(data))

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """Open the file; raises `UnusableInput` if it cannot be opened or read.

        The `with` block must only read it, since every `OSError` counts as a fault of this file.
        """
        try:
            with self.open() as stream:
                yield stream
        except DAMAGE as error:
            raise UnusableInput(f"the file cannot be read ({reason_of(error)}); is it damaged?") from error

    def blocks(self) -> Iterator[bytes]:
        """The content in blocks, to copy it; raises as `opened` does."""
        with self.opened() as stream:
            while block := stream.read(1 << 20):
                yield block


def refused(name: str, why: str, *, is_error: bool = True) -> Problem:
    task, place = known_task(name_task(PurePosixPath(name))), Place(display_name(name))
    return Problem("not-read", f"the file was not read: {why}", task, place=place, is_error=is_error)


def too_large(count: int, largest: int) -> str:
    return f"{limits.size(count)}, more than {limits.size(largest)}"


def display_name(name: str) -> str:
    """A file's name in messages: shortened in the middle, without control characters."""
    return short(name if len(name) <= 120 else f"{name[:40]}…{name[-79:]}", 120)


def reason_of(error: Exception) -> str:
    """The reason for an error, without the path."""
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return short(reason or type(error).__name__, 100)


def check_directory(stream: IO[bytes]) -> None:
    """Raise `UnusableInput` if a ZIP's list of members is too long: Python's reader makes an object of each."""
    stream.seek(max(0, stream.seek(0, io.SEEK_END) - _TAIL))
    tail = stream.read(_TAIL)
    end = tail.rfind(b"PK\x05\x06")
    if end < 0 or end + 22 > len(tail):
        return
    (size,) = struct.unpack_from("<L", tail, end + 12)
    if tail[max(0, end - 20) : end][:4] == b"PK\x06\x07":  # ZIP64: a locator, and before it a record with the size
        size = struct.unpack_from("<Q", tail, end - 36)[0] if end >= 76 else limits.MAX_DIRECTORY + 1
    if size > limits.MAX_DIRECTORY:
        raise UnusableInput("the list of the files in it is too long")
