"""What readers find in a file: entries of task, id and value, still unchecked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from zs_bench.problems import Place, Problem
from zs_metric.tasks import TASKS
from zs_metric.texts import clean_text

SPLITS = ("train", "validation", "test")
_AROUND = r"preds?|predictions?|references?|refs?"
_PREFIX = re.compile(rf"^({_AROUND})[_-]", re.IGNORECASE)
# Browsers number a second download of the same name: `qasper (1).json`.
_SUFFIX = re.compile(rf"([_-]({_AROUND}))?( ?\(\d+\))?$", re.IGNORECASE)


class Entry(NamedTuple):
    """One row of a file: `value` is what stands for the answer (or references), still unchecked."""

    task: Any
    id: Any
    value: Any
    place: Place
    split: str | None = None


class Nothing(NamedTuple):
    """A task that a file names without holding anything for it."""

    task: str
    place: Place


Found = Iterator[Entry | Nothing | Problem]


class FileFacts(NamedTuple):
    """What a reader knows of its file before reading it.

    Attributes:
        name: for messages.
        task: that its name stands for, as written there; it may be none.
        split: that its name stands for, else `None`.
        keys: the keys under which a row may hold its text, the first found counts.
    """

    name: str
    task: str
    split: str | None
    keys: tuple[str, ...]

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


def name_task(path: PurePosixPath) -> str:
    """The task that a file's name stands for, as written.

    >>> name_task(PurePosixPath("runs/preds_qasper.json")), name_task(PurePosixPath("qasper/test.jsonl"))
    ('qasper', 'qasper')
    """
    stem = path.parent.name if name_split(path) and path.parent.name else path.stem
    return _SUFFIX.sub("", _PREFIX.sub("", stem)) or stem


def name_split(path: PurePosixPath) -> str | None:
    """The split that a file's name stands for."""
    return path.stem if path.stem in SPLITS else None


def known_task(task: object) -> str | None:
    """The task, if it is one."""
    return task if isinstance(task, str) and task in TASKS else None
