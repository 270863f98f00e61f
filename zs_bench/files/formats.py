"""The formats: from the bytes of one file to entries of task, id and value, whatever the file looks like.

A reader is one small function in `READERS`; it yields an `Entry` per answer or reference row, and a `Problem` for what
it cannot read, and goes on.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from zs_metric.errors import did_you_mean
from zs_metric.tasks import TASKS

from ..problems import Place, Problem, UnusableInput, short
from . import limits
from .sources import Source

SPLITS = ("train", "validation", "test")
_PREFIX = re.compile(r"^(preds?|predictions?|references?|refs?)[_-]", re.IGNORECASE)
csv.field_size_limit(limits.MAX_FILE_BYTES)


class Entry(NamedTuple):
    """One row of a file: `value` is what stands for the answer (or references), still unchecked."""

    task: str | None
    id: Any
    value: Any
    place: Place
    split: str | None = None


class Nothing(NamedTuple):
    """A task that a file names without holding anything for it."""

    task: str
    place: Place


Found = Iterator["Entry | Nothing | Problem"]


class JsonObject(list[tuple[str, Any]]):
    """A JSON object with its keys as they stand, the same key twice included."""


def read_source(source: Source) -> Found:
    """Every entry of the file.

    A file that cannot be read at all gives one `Problem`.
    """
    reader = READERS.get(source.path.suffix.lower())
    if reader is None:
        known = ", ".join(READERS)
        yield Problem(
            "not-read",
            f"the file was not read: its name ends in none of {known}, .zip",
            place=Place(source.name),
            refuses=False,
        )
        return
    try:
        yield from reader(_decode(source), source.name, name_task(source.path))
    except UnusableInput as error:
        yield Problem("not-read", str(error), place=Place(source.name))


def name_task(path: PurePosixPath) -> str:
    """The task that a file's name stands for, as written: `preds_qasper.json`, `qasper/test.jsonl` give `qasper`."""
    stem = _PREFIX.sub("", path.stem)
    return path.parent.name if stem in SPLITS and path.parent.name else stem


def _decode(source: Source) -> str:
    data = source.read()
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise UnusableInput("the file is UTF-16; save it as UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        raise UnusableInput(
            f"the file is not UTF-8: byte {data[error.start]:#04x} in line {row}; save it as UTF-8"
        ) from None


def _read_csv(text: str, name: str, _task: str) -> Found:
    reader = csv.reader(io.StringIO(text, newline=""), strict=False)
    try:
        header = [cell.strip().lower() for cell in next(reader, [])]
        columns = [header.index(column) for column in ("task", "id", "prediction")]
    except (ValueError, csv.Error):
        raise UnusableInput(
            f"the header is {short(text.splitlines()[0]) if text else 'missing'!r}; it must be Task,ID,Prediction"
        ) from None
    while True:
        place = Place(name, reader.line_num + 1)
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Problem("unreadable", f"the row cannot be read ({error})", place=place)
            continue
        if not row:
            continue
        if len(row) != len(header):
            yield Problem(
                "unreadable",
                f"the row has {len(row)} cells where the header has {len(header)}; "
                'put texts with commas, quotes or line breaks in "double quotes"',
                _known(row[columns[0]]) if len(row) > columns[0] else None,
                row[columns[1]] if len(row) > columns[1] else None,
                place,
            )
            continue
        yield Entry(*(row[column] for column in columns), place)


def _read_json(text: str, name: str, task: str) -> Found:
    data = _parse(text, name, None)
    if isinstance(data, Problem):
        yield data
        return
    place = Place(name)
    if not isinstance(data, JsonObject):
        kind = "a list" if isinstance(data, list) else type(data).__name__
        raise UnusableInput(f"the file holds {kind}; it must hold {{id: text}} or {{task: {{id: text}}}}")
    tasks = data if data and all(isinstance(value, JsonObject) for _, value in data) else [(task, data)]
    for inner_task, entries in tasks:
        if not entries:
            yield Nothing(inner_task, place)
        yield from (Entry(inner_task, key, value, place) for key, value in entries)


def _read_jsonl(text: str, name: str, task: str) -> Found:
    split = PurePosixPath(name).stem
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = Place(name, number)
        data = _parse(line, name, number)
        if isinstance(data, Problem):
            yield data
            continue
        row = dict(data) if isinstance(data, JsonObject) else {}
        if len(row) < len(data if row else ""):
            yield Problem("unreadable", "the row has a key twice; keep one", _known(row.get("task")), place=place)
            continue
        key = next((key for key in ROW_VALUES if key in row), None)
        if "id" not in row or key is None:
            yield Problem(
                "unreadable", f"the row has no {_lacking(row)}; {_found(row)}", _known(row.get("task")), place=place
            )
            continue
        yield Entry(row.get("task", task), row["id"], row[key], place, split if split in SPLITS else None)


#: The keys under which a JSONL row may hold its text, the first found counts.
ROW_VALUES = ("prediction", "output", "references")
READERS: Mapping[str, Callable[[str, str, str], Found]] = {
    ".csv": _read_csv,
    ".json": _read_json,
    ".jsonl": _read_jsonl,
}


def _parse(text: str, name: str, row: int | None) -> Any:
    try:
        return json.loads(text, object_pairs_hook=JsonObject)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}" if row is None else f"column {error.colno}"
        return Problem("unreadable", f"the JSON cannot be read ({error.msg}, {where})", place=Place(name, row))
    except (RecursionError, ValueError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        return Problem("unreadable", f"the JSON cannot be read ({why})", place=Place(name, row))


def _known(task: object) -> str | None:
    return task if isinstance(task, str) and task in TASKS else None


def _lacking(row: Mapping[str, Any]) -> str:
    if "id" not in row:
        return "'id'" + (" (its 'pid' is another thing: one per reference)" if "pid" in row else "")
    return "text under " + " or ".join(f"'{key}'" for key in ROW_VALUES)


def _found(row: Mapping[str, Any]) -> str:
    return f"its keys are {short(', '.join(map(str, row)))}" if row else "it is no JSON object"


def unknown_task(task: object) -> str:
    """What is wrong with a task name, and the likely one."""
    return f"{short(repr(task))} is no task; " + (did_you_mean(task, TASKS) or f"the tasks are {', '.join(TASKS)}")
