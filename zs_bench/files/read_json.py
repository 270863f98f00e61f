"""JSON, one object for a task (`{id: value}`) or for several (`{task: {id: value}}`), and JSONL, one row a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import IO, Any

from zs_bench.files import limits
from zs_bench.files.entries import Entry, FileFacts, Found, Nothing, known_task
from zs_bench.files.json_text import JsonObject, kind, parse
from zs_bench.problems import Place, Problem, UnusableInput, short
from zs_metric.errors import did_you_mean
from zs_metric.tasks import TASKS

_MARK = b"\xef\xbb\xbf"


def read_json(stream: IO[bytes], file: FileFacts) -> Found:
    """Every id of every task as an entry."""
    largest = limits.MAX_BYTES[".json"]
    data = stream.read(largest + 1)
    if len(data) > largest:
        raise UnusableInput(f"the file is larger than {limits.size(largest)}")
    if not data.strip():
        raise UnusableInput("the file is empty")
    value = parse(_decode(data))
    if not isinstance(value, JsonObject):
        raise UnusableInput(f"the file holds {kind(value)}; it must hold {{id: …}} or {{task: {{id: …}}}}")
    if not _is_by_task(value, file):
        yield from _task(file.task, value, file)
        return
    for task, entries in value:
        if isinstance(entries, JsonObject):
            yield from _task(task, entries, file)
        else:
            message = f"a task holds {kind(entries)}; it must hold {{id: …}}"
            yield file.unreadable(message, None, task, detail=task)


def _is_by_task(value: JsonObject, file: FileFacts) -> bool:
    """Whether the keys are tasks: some holds an object, and one is a task, or like one, or else the file names none."""
    if not any(isinstance(entries, JsonObject) for _, entries in value):
        return False
    names = [key for key, _ in value[:100]]
    return any(map(known_task, names)) or (not file.known_task and any(did_you_mean(name, TASKS) for name in names))


def _task(task: str, entries: JsonObject, file: FileFacts) -> Found:
    place = Place(file.name)
    if not entries:
        yield Nothing(task, place)
    yield from (Entry(task, key, value, place, file.split) for key, value in entries)


def read_jsonl(stream: IO[bytes], file: FileFacts) -> Found:
    """Every line as an entry; a file without any is its task without answers."""
    empty = True
    for number, line in _lines(stream):
        if line.strip():
            empty = False
            yield _line(line, number, file)
    if empty and file.known_task:
        yield Nothing(file.known_task, Place(file.name))
    elif empty:
        raise UnusableInput("the file is empty")


def _line(line: bytes, number: int, file: FileFacts) -> Entry | Problem:
    try:
        row = _row(line)
    except UnusableInput as error:
        return file.unreadable(error.message, number, file.task, detail=error.detail)
    task, key = row.get("task", file.task), next((key for key in file.keys if key in row), None)
    if key is None or "id" not in row:
        keys = short(f"its keys: {', '.join(row)}" if row else "it has no keys")
        return file.unreadable(_lacking(row, file), number, task, row.get("id"), keys)
    return Entry(task, row["id"], row[key], Place(file.name, number), file.split)


def _lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers; one that is too long is cut just beyond the limit."""
    number = 0
    while line := stream.readline(limits.MAX_LINE_BYTES + 1):
        number += 1
        if number == 1:
            _refuse_utf16(line)
        yield number, line.removeprefix(_MARK) if number == 1 else line
        while line and not line.endswith(b"\n"):
            line = stream.readline(limits.MAX_LINE_BYTES)


def _row(line: bytes) -> Mapping[str, Any]:
    if len(line) > limits.MAX_LINE_BYTES:
        raise UnusableInput(f"the line is longer than {limits.size(limits.MAX_LINE_BYTES)}")
    value = parse(_decode(line).strip(" \t\r\n"))
    if not isinstance(value, JsonObject):
        raise UnusableInput(f"the line holds {kind(value)}; a row is one JSON object")
    row = dict(value)
    if len(row) < len(value):
        raise UnusableInput("the row has a key twice; keep one")
    return row


def _lacking(row: Mapping[str, Any], file: FileFacts) -> str:
    if "id" not in row:
        return "the row has no 'id'" + (" ('pid' is another thing: one per reference)" if "pid" in row else "")
    return "the row has no " + " or ".join(f"'{key}'" for key in file.keys)


def _decode(data: bytes) -> str:
    _refuse_utf16(data)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        where = f" of line {row}" if data.count(b"\n") > 1 else ""
        raise UnusableInput(
            "the text is not UTF-8; save the file as UTF-8", f"byte {data[error.start]:#04x}{where}"
        ) from None


def _refuse_utf16(data: bytes) -> None:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or 0 in data[:2]:
        raise UnusableInput("the file is UTF-16, or no text; save it as UTF-8")
