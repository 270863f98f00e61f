"""JSON, one object for a task (`{id: value}`) or for several (`{task: {id: value}}`) or a log; JSONL, a row a line."""

from collections.abc import Iterator, Mapping
from typing import IO, Any

from zs_bench.files import limits
from zs_bench.files.entries import TASK_NAMES, Entry, FileFacts, Found, Nothing, known_task
from zs_bench.files.json_text import JsonObject, kind, parse
from zs_bench.files.read_inspect import is_inspect_log, read_inspect_log
from zs_bench.files.row_shapes import Shape, shape_of
from zs_bench.problems import Place, Problem, UnusableInput, short
from zs_bench.prompts.dissection import document_of_row
from zs_metric.errors import did_you_mean

_MARK = b"\xef\xbb\xbf"


def read_json(stream: IO[bytes], file: FileFacts) -> Found:
    """Every id of every task as an entry."""
    data = stream.read(limits.MAX_WHOLE + 1)
    if len(data) > limits.MAX_WHOLE:
        raise UnusableInput(f"the file is larger than {limits.size(limits.MAX_WHOLE)}")
    if not data.strip():
        raise UnusableInput("the file is empty")
    value = parse(_decode(data))
    if not isinstance(value, JsonObject):
        raise UnusableInput(f"the file holds {kind(value)}; it must hold {{id: …}} or {{task: {{id: …}}}}")
    if is_inspect_log(value):
        file.record.format = "Inspect log"
        yield from read_inspect_log(value, file)
        return
    by_task = _is_by_task(value, file)
    file.record.format = "JSON, all tasks" if by_task else "JSON, one task"
    if not by_task:
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
    if any(map(known_task, names)):
        return True
    return not file.known_task and any(did_you_mean(name, TASK_NAMES) for name in names)


def _task(task: str, entries: JsonObject, file: FileFacts) -> Found:
    place = Place(file.name)
    if not entries:
        yield Nothing(task, place)
    yield from (Entry(task, key, value, place, file.split) for key, value in entries)


def read_jsonl(stream: IO[bytes], file: FileFacts) -> Found:
    """Every line as an entry; a file without any is its task without answers."""
    empty, rows = True, _Rows(file)
    for number, line in _lines(stream):
        if line.strip():
            empty = False
            yield from rows.read(line, number)
    if empty and file.known_task:
        yield Nothing(file.known_task, Place(file.name))
    elif empty:
        raise UnusableInput("the file is empty")


class _Rows:
    """The rows of a file, all of the shape of the first that can be read."""

    def __init__(self, file: FileFacts) -> None:
        self._file = file
        self._shape: Shape | None = None
        self._variant: Any = None
        self._reported_filters = False

    def read(self, line: bytes, number: int) -> Found:
        """The entry of that line, or its problem; nothing for an answer that stood there in another variant."""
        file = self._file
        try:
            row = _row(line)
        except UnusableInput as error:
            yield file.unreadable(error.message, number, file.task, detail=error.detail)
            return
        if self._shape is None:
            self._shape = shape_of(row)
            self._variant = self._shape.variant(row)
            file.record.format = self._shape.format
        if not self._shape.fits(row):
            message = f"the row is not like the first, one of {self._shape.format}; give each kind a file of its own"
            yield file.unreadable(message, number, file.task, detail=_keys(row))
        elif self._shape.variant(row) == self._variant:
            yield _entry(row, self._shape, number, file)
        elif not self._reported_filters:
            self._reported_filters = True
            message = "the file holds every answer as several filters left it; those of its first filter are read"
            yield Problem("filters", message, file.known_task, place=Place(file.name, number), refuses=False)


def _entry(row: Mapping[str, Any], shape: Shape, number: int, file: FileFacts) -> Entry | Problem:
    plain = shape.plain(row)
    task, key = plain.get("task", file.task), next((key for key in file.keys if key in plain), None)
    if key is not None and "id" in plain:
        document = document_of_row(task, plain) if key == "output" else None
        return Entry(task, plain["id"], plain[key], Place(file.name, number), file.split, document)
    problem = file.unreadable(_lacking(plain, shape, file), number, task, plain.get("id"), _keys(row))
    if key is None:
        return problem
    entry = Entry(task, plain.get("pid"), plain[key], Place(file.name, number))
    return file.salvaged(problem, entry, "pid" if "pid" in plain else "no-id")


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


def _lacking(plain: Mapping[str, Any], shape: Shape, file: FileFacts) -> str:
    named = {key: shape.named.get(key, f"'{key}'") for key in ("id", *file.keys)}
    if "id" not in plain:
        pid = "; its 'pid' names one of the example's references, not the example" if "pid" in plain else ""
        return f"the row has no {named['id']}{pid}"
    return "the row has no " + " or ".join(named[key] for key in file.keys)


def _keys(row: Mapping[str, Any]) -> str:
    return short(f"its keys: {', '.join(row)}" if row else "it has no keys")


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
