"""The content of files as readers return it: unchecked entries of task, id and value, and problems."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from zs_bench.benchmarks import BENCHMARKS, Benchmark
from zs_bench.files import limits
from zs_bench.files.json_text import written
from zs_bench.problems import Place, Problem
from zs_metric.texts import clean_text

#: The tasks of all benchmarks.
TASK_NAMES = tuple(dict.fromkeys(task for benchmark in BENCHMARKS.values() for task in benchmark.all_tasks))
SPLITS = ("train", "validation", "test")
_KNOWN = frozenset(TASK_NAMES)
_BY_BARE_NAME = {task.replace("_", ""): task for task in TASK_NAMES}
_AROUND = r"preds?|predictions?|references?|refs?"
_PREFIX = re.compile(rf"^({_AROUND})[_-]", re.IGNORECASE)
# Browsers number a second download of the same name: `qasper (1).json`.
_SUFFIX = re.compile(rf"([._-]({_AROUND}))?( ?\(\d+\))?$", re.IGNORECASE)
# lm-evaluation-harness: task and time. The benchmark's name is removed here from tasks of ZeroSCROLLS, and `zs_` from
# tasks of our own harness files; that of SCROLLS, `scrolls_qasper`, is removed when the benchmark is known.
_SAMPLES = re.compile(r"samples_(?:zero_?scrolls_|zs_)?(.+)_\d{4}-\d\d-\d\dT[\d.+-]+")


class Entry(NamedTuple):
    """One row of a file, as it is read and while it is checked.

    Attributes:
        value: the prediction (or references); like task and id, any JSON value until the checks have passed.
        document: the name of the example's document, if the row has it (`zs_bench.inputs`).
        references: those beside a prediction: they tell whether rows without ids are in the data's order.
        fault: what is wrong with the row, if this is only what it probably holds.
        number: its position among all rows.
        unresolvable: whether its task or id is unknown, so that it is not checked further.
        refused: whether it cannot be scored as it was read.
        is_hard_copy: whether it is a copy for `quality_hard`, which is not part of a submission.
    """

    task: Any
    id: Any
    value: Any
    place: Place
    split: str | None = None
    document: str | None = None
    references: Any = None
    fault: Problem | None = None
    number: int = 0
    unresolvable: bool = False
    refused: bool = False
    is_hard_copy: bool = False

    def numbered(self, number: int, task: Any) -> "Entry":
        """The entry with its position and another name of its task, without lone surrogates in its texts."""
        id_, value = (clean_text(text, "row") if isinstance(text, str) else text for text in (self.id, self.value))
        return Entry(task, id_, value, self.place, self.split, self.document, self.references, self.fault, number)

    @property
    def usable(self) -> bool:
        """Whether it has a task, an id and a text within the length limit."""
        texts = isinstance(self.value, str) and isinstance(self.id, str) and isinstance(self.task, str)
        return texts and self.fault is None and len(self.value) <= limits.MAX_TEXT

    @property
    def name(self) -> tuple[str | None, str | None]:
        """The file, and the task's name as written in it."""
        return self.place.file, written(self.task)

    @property
    def task_is_from_file(self) -> bool:
        """Whether the task is only the name of the file."""
        return isinstance(self.task, str) and self.task == name_task(PurePosixPath(self.place.file or ""))


class Nothing(NamedTuple):
    """A task that a file names but has no entries for."""

    task: str


Found = Iterator[Entry | Nothing | Problem]


@dataclass(slots=True)
class ReadFile:
    """A file: the task and split that its name says, and what its reader finds out about it.

    Attributes:
        keys: the keys of a row that may hold its text; the first one present counts.
        columns: what the columns (or fields) with `id`, `prediction` and perhaps `task` are called, if the user said.
        head: its first line, at most 10,000 bytes.
        header: the names of its columns, or the fields of its first row.
    """

    name: str
    task: str = ""
    split: str | None = None
    keys: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    head: bytes = b""
    format: str | None = None
    header: tuple[str, ...] = ()
    delimiter: str = ","
    rows: int = 0

    def as_dict(self) -> dict[str, Any]:
        """The file as JSON-able data."""
        return {"file": self.name, "format": self.format, "rows": self.rows}

    def unreadable(
        self, message: str, row: int | None, task: object, id_: object = None, detail: str | None = None
    ) -> Problem:
        """The problem of a row that cannot be read."""
        name = clean_text(id_, "id") if isinstance(id_, str) else None
        return Problem("unreadable", message, known_task(task), name, Place(self.name, row), detail=detail)


def name_task(path: PurePosixPath) -> str:
    """The task that a file's name says, in the benchmark's spelling; a name that says none as it is written.

    >>> [name_task(PurePosixPath(name)) for name in ("preds_qasper.json", "qasper/test.jsonl", "narrativeqa.jsonl")]
    ['qasper', 'qasper', 'narrative_qa']
    """
    stem = path.parent.name if name_split(path) and path.parent.name else path.stem
    samples = _SAMPLES.fullmatch(stem)
    name = samples[1] if samples else _SUFFIX.sub("", _PREFIX.sub("", stem)) or stem
    return canonical_task(name) or name


def name_split(path: PurePosixPath) -> str | None:
    """The split in a file's name, if any."""
    return path.stem if path.stem in SPLITS else None


def known_task(task: object) -> str | None:
    """The task if it is one of any benchmark, else `None`."""
    return task if isinstance(task, str) and task in _KNOWN else None


def canonical_task(name: object) -> str | None:
    """The task whose name this is, in whatever case and with whatever spaces or hyphens; `None` for another name.

    >>> canonical_task("GovReport"), canonical_task("zero_scrolls_gov-report"), canonical_task("gov")
    ('gov_report', 'gov_report', None)
    """
    if not isinstance(name, str):
        return None
    return _BY_BARE_NAME.get("".join(filter(str.isalnum, name.lower())).removeprefix("zeroscrolls"))


def bare_task(task: Any, benchmark: Benchmark) -> Any:
    """The task's name without the benchmark's, as lm-evaluation-harness writes it: `scrolls_qasper` in SCROLLS."""
    bare = task.removeprefix(f"{benchmark.name}_") if isinstance(task, str) else None
    return bare if bare in benchmark.all_tasks else task
