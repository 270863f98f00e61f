"""What readers find in a file: entries of task, id and value, still unchecked."""

from __future__ import annotations

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
SPLITS = ("train", "validation", "test")
_AROUND = r"preds?|predictions?|references?|refs?"
_PREFIX = re.compile(rf"^({_AROUND})[_-]", re.IGNORECASE)
# Browsers number a second download of the same name: `qasper (1).json`.
_SUFFIX = re.compile(rf"([_-]({_AROUND}))?( ?\(\d+\))?$", re.IGNORECASE)
# lm-evaluation-harness: the task, the time without colons. Its ZeroSCROLLS tasks bear the benchmark's name; those of
# SCROLLS keep it, `scrolls_qasper`, till it is known which benchmark is asked for; ours have `zs_` before it.
_SAMPLES = re.compile(r"samples_(?:zero_?scrolls_|zs_)?(.+)_\d{4}-\d\d-\d\dT[\d.+-]+")


class Entry(NamedTuple):
    """One row of a file: `value` is what stands for the answer (or references), still unchecked.

    `document` names the document that the example is about, where the row has it (`zs_bench.prompts.dissection`).
    """

    task: Any
    id: Any
    value: Any
    place: Place
    split: str | None = None
    document: str | None = None


class Nothing(NamedTuple):
    """A task that a file names without holding anything for it."""

    task: str
    place: Place


@dataclass(frozen=True, slots=True)
class Salvaged(Problem):
    """A row that cannot be read as it should be, with what it seems to hold.

    Attributes:
        entry: task, id and value, each `None` where it is not known.
        flaw: a short name of what is wrong with the row: `unquoted-comma`, `no-id`.
    """

    entry: Entry | None = None
    flaw: str = ""


Found = Iterator[Entry | Nothing | Problem]


@dataclass(slots=True)
class ReadFile:
    """A file that was read.

    Attributes:
        file: its name.
        format: what the reader recognised it as, `None` for nothing.
        rows: how many predictions or references were read in it.
        head: its first line, at most 10,000 bytes.
        header: the names of its columns, of a CSV file.
    """

    file: str
    format: str | None = None
    rows: int = 0
    head: bytes = b""
    header: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The same as JSON-able data."""
        return {"file": self.file, "format": self.format, "rows": self.rows}


class FileFacts(NamedTuple):
    """What a reader knows of its file before reading it.

    Attributes:
        name: for messages.
        task: that its name stands for, as written there; it may be none.
        split: that its name stands for, else `None`.
        keys: the keys under which a row may hold its text, the first found counts.
        noted: where the reader notes what the file is.
    """

    name: str
    task: str
    split: str | None
    keys: tuple[str, ...]
    noted: ReadFile

    @property
    def known_task(self) -> str | None:
        """The task, if it is one."""
        return known_task(self.task)

    def unreadable(
        self, message: str, row: int | None, task: object, key: object = None, detail: str | None = None
    ) -> Problem:
        """The problem of a row that cannot be read; it is its task's where the row or the file's name tells one."""
        name = clean_text(key, "id") if isinstance(key, str) else None
        return Problem("unreadable", message, known_task(task), name, Place(self.name, row), detail=detail)

    @staticmethod
    def salvaged(problem: Problem, entry: Entry, flaw: str) -> Salvaged:
        """The same problem with what the row seems to hold."""
        said = (problem.kind, problem.message, problem.task, problem.id, problem.place)
        return Salvaged(*said, detail=problem.detail, entry=entry, flaw=flaw)


def name_task(path: PurePosixPath) -> str:
    """The task that a file's name stands for, as written.

    >>> name_task(PurePosixPath("runs/preds_qasper.json")), name_task(PurePosixPath("qasper/test.jsonl"))
    ('qasper', 'qasper')
    """
    stem = path.parent.name if name_split(path) and path.parent.name else path.stem
    if samples := _SAMPLES.fullmatch(stem):
        return spelt_otherwise(samples[1]) or samples[1]
    return _SUFFIX.sub("", _PREFIX.sub("", stem)) or stem


def name_split(path: PurePosixPath) -> str | None:
    """The split that a file's name stands for."""
    return path.stem if path.stem in SPLITS else None


def known_task(task: object) -> str | None:
    """The task, if it is one of any benchmark: whether it is asked for is told where the entries are gathered."""
    return task if isinstance(task, str) and task in TASK_NAMES else None


def spelt_otherwise(name: object) -> str | None:
    """The task whose name this is but for capitals, blanks, hyphens and the like.

    >>> spelt_otherwise("GovReport"), spelt_otherwise("zero_scrolls_gov-report"), spelt_otherwise("gov")
    ('gov_report', 'gov_report', None)
    """
    return _BY_BARE_NAME.get(_bare(name).removeprefix("zeroscrolls")) if isinstance(name, str) else None


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))


_BY_BARE_NAME = {_bare(task): task for task in TASK_NAMES}
