"""The content of files as readers return it: unchecked entries of task, id and value, and problems."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from zs_bench.problems import Place, Problem
from zs_metric.tasks import BENCHMARKS
from zs_metric.texts import clean_text

#: The tasks of all benchmarks.
TASK_NAMES = tuple(dict.fromkeys(task for benchmark in BENCHMARKS.values() for task in benchmark.all_tasks))
_KNOWN = frozenset(TASK_NAMES)
SPLITS = ("train", "validation", "test")
_AROUND = r"preds?|predictions?|references?|refs?"
_PREFIX = re.compile(rf"^({_AROUND})[_-]", re.IGNORECASE)
# Browsers number a second download of the same name: `qasper (1).json`.
_SUFFIX = re.compile(rf"([_-]({_AROUND}))?( ?\(\d+\))?$", re.IGNORECASE)
# lm-evaluation-harness: task and time. The benchmark's name is removed here from tasks of ZeroSCROLLS, and `zs_` from
# tasks of our own harness files; that of SCROLLS, `scrolls_qasper`, is removed when the benchmark is known.
_SAMPLES = re.compile(r"samples_(?:zero_?scrolls_|zs_)?(.+)_\d{4}-\d\d-\d\dT[\d.+-]+")


class Entry(NamedTuple):
    """One row of a file; `value` is the unchecked prediction (or references).

    `document` is the name of the example's document, if the row has it (`zs_bench.prompts.dissection`).
    """

    task: Any
    id: Any
    value: Any
    place: Place
    split: str | None = None
    document: str | None = None


class Nothing(NamedTuple):
    """A task that a file names but has no entries for."""

    task: str
    place: Place


@dataclass(frozen=True, slots=True)
class Salvaged(Problem):
    """A faulty row with its probable content.

    Attributes:
        entry: task, id and value, each `None` if unknown.
        flaw: the kind of fault: `unquoted-comma`, `pid`, `no-id`.
    """

    entry: Entry | None = None
    flaw: str = ""


Found = Iterator[Entry | Nothing | Problem]


@dataclass(slots=True)
class ReadFile:
    """What is known about a file from its name, and what its reader finds out about it.

    Attributes:
        task: the task in its name, as written; it may be unknown.
        split: the split in its name, if any.
        keys: the keys of a row that may hold its text; the first one found counts.
        head: its first line, at most 10,000 bytes.
        format: the format that the reader recognised, or `None`.
        header: the first line of a CSV file, split at its commas.
    """

    name: str
    task: str = ""
    split: str | None = None
    keys: tuple[str, ...] = ()
    head: bytes = b""
    format: str | None = None
    header: tuple[str, ...] = ()
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

    @staticmethod
    def salvaged(problem: Problem, entry: Entry, flaw: str) -> Salvaged:
        """The problem with the probable content of the row."""
        known = (problem.kind, problem.message, problem.task, problem.id, problem.place)
        return Salvaged(*known, detail=problem.detail, entry=entry, flaw=flaw)


def name_task(path: PurePosixPath) -> str:
    """The task in a file's name, as written.

    >>> name_task(PurePosixPath("runs/preds_qasper.json")), name_task(PurePosixPath("qasper/test.jsonl"))
    ('qasper', 'qasper')
    """
    stem = path.parent.name if name_split(path) and path.parent.name else path.stem
    if samples := _SAMPLES.fullmatch(stem):
        return spelt_otherwise(samples[1]) or samples[1]
    return _SUFFIX.sub("", _PREFIX.sub("", stem)) or stem


def name_split(path: PurePosixPath) -> str | None:
    """The split in a file's name, if any."""
    return path.stem if path.stem in SPLITS else None


def known_task(task: object) -> str | None:
    """The task if it is one of any benchmark, else `None`."""
    return task if isinstance(task, str) and task in _KNOWN else None


def spelt_otherwise(name: object) -> str | None:
    """The task whose name this is in another spelling: case, spaces, hyphens and the like.

    >>> spelt_otherwise("GovReport"), spelt_otherwise("zero_scrolls_gov-report"), spelt_otherwise("gov")
    ('gov_report', 'gov_report', None)
    """
    return _BY_BARE_NAME.get(_bare(name).removeprefix("zeroscrolls")) if isinstance(name, str) else None


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))


_BY_BARE_NAME = {_bare(task): task for task in TASK_NAMES}
