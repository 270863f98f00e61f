"""JSON: a row a line, a list of rows, a task (`{id: value}`), several (`{task: {id: value}}`), or a log.

A log of Inspect, in JSON or as `.eval`, has an answer for each sample of the first epoch; as references, its target. A
sample that exceeded the model's window or was stopped by a filter has an error's text in place of an answer. It is
unanswered, as is a sample that ended with an error.

An `.eval` log is a ZIP with a JSON file for each sample, packed with Zstandard. Python reads it from 3.14, before that
with a package that comes with Inspect. Sizes are checked before unpacking, and one sample is held at a time.
"""

import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from typing import IO, Any

from zs_bench.benchmarks import task_names
from zs_bench.errors import UnusableInput
from zs_bench.files import limits
from zs_bench.files.columns import find_columns, likely_columns
from zs_bench.files.entries import Entry, Found, Nothing, ReadFile
from zs_bench.files.input_files import BY_LINES, reason_of, too_large
from zs_bench.files.json_text import EMPTY, JsonObject, decode, fields, first, kind, parse, refuse_binary, written
from zs_bench.files.names import canonical_task, known_task
from zs_bench.files.raw_data import read_raw, recognise
from zs_bench.files.replies import failure_of, stop_of
from zs_bench.files.rows import Row, Rows, read_rows, recorded_score
from zs_bench.files.zip_directory import check_directory
from zs_bench.problems import Place, Problem, short
from zs_metric.errors import did_you_mean

_MARK = b"\xef\xbb\xbf"


def read_json(stream: IO[bytes], file: ReadFile) -> Found:
    """Every id of every task, or every row, as an entry; an empty file of lines is a task without answers."""
    refuse_binary(file.head)
    stream.seek(len(_MARK) if file.head.startswith(_MARK) else 0)
    if _has_lines(stream, file):
        yield from read_rows(_lines(stream), file, "JSONL")
        return
    data = limits.read_whole(stream)
    if not data.strip():
        if file.ending not in BY_LINES or not known_task(file.task, file.benchmark):
            raise UnusableInput(EMPTY)
        yield Nothing(file.task)
        return
    value = parse(decode(data))
    if type(value) is list and value and file.text == "prediction" and all(isinstance(text, str) for text in value):
        value = [JsonObject([("prediction", text)]) for text in value]
    if type(value) is list and any(isinstance(row, JsonObject) for row in value):
        file.unit = "row"
        yield from read_rows(_rows([("", value)]), file, "JSON")
    elif isinstance(value, JsonObject):
        raw = recognise(content := fields(value), file)
        yield from read_raw(raw, [(0, content)], file) if raw else _read_object(value, file)
    else:
        raise UnusableInput(f"the file holds {kind(value)}; it must hold {{id: …}} or {{task: {{id: …}}}}, or rows")


def _has_lines(stream: IO[bytes], file: ReadFile) -> bool:
    """Whether each line holds a value, by the first line and whether others follow; leaves the stream where it was."""
    start = stream.tell()
    bare = next(filter(None, (line.strip() for line in iter(partial(_line, stream), b""))), b"")
    others = stream.read(1000).strip()
    stream.seek(start)
    is_named_so = file.ending in BY_LINES
    if not bare or not bare.startswith((b"{", b"[")):
        return bool(bare) and is_named_so
    if not others and not is_named_so:
        return False
    try:
        value = parse(decode(bare)) if len(bare) <= limits.MAX_LINE_BYTES else None
    except UnusableInput:
        return is_named_so and not bare.startswith(b"[") and bare != b"{"
    is_row = value is None or (isinstance(value, JsonObject) and not _holds_ids(value, file))
    return bool(others) or (is_named_so and is_row)


def _holds_ids(value: JsonObject, file: ReadFile) -> bool:
    """Whether the keys of a lone object are ids or tasks, not columns."""
    if any(likely_columns(name for name, _ in value).values()) or file.columns:
        return False
    kinds = (str, list) if file.text == "references" else (str,)
    are_texts = value and known_task(file.task, file.benchmark) and all(type(text) in kinds for _, text in value)
    return _is_by_task(value, file) or bool(are_texts)


def _read_object(value: JsonObject, file: ReadFile) -> Found:
    content, place = fields(value), Place(file.name)
    if isinstance(content.get("eval"), JsonObject) and isinstance(content.get("samples"), list):
        file.format = "Inspect log"
        yield from read_samples(content, content["samples"], file)
        return
    if str(content.get("schema")).startswith("zero-scrolls-"):
        yield Problem("not-read", "a report of this project holds no answers", place=place, is_error=False)
        return
    if {"evaluation_id", "evaluation_results"} <= content.keys():
        message = "a record of Every Eval Ever holds scores; the answers are in its _samples.jsonl"
        yield Problem("not-read", message, place=place, is_error=False)
        return
    _refuse_frame(content)
    named = file.named(content)
    has_columns = {"id", file.text} <= find_columns(content, named, file.text).keys()
    if has_columns and isinstance(content.get(named.get("id", "id")), str):
        yield from read_rows(_rows([("", [value])]), file, "JSON")
        return
    lists = [(name, rows) for name, rows in value if type(rows) is list and rows]
    if wrapped := [(name, rows) for name, rows in lists if all(isinstance(row, JsonObject) for row in rows)]:
        names = [name for name, _ in wrapped if not known_task(name, file.benchmark)]
        if len(wrapped) > 1 and names:
            raise UnusableInput(f"several fields hold rows, such as {short(names[0])!r}; write one of them to a file")
        file.unit = "row"
        yield from read_rows(_rows((known_task(name, file.benchmark), rows) for name, rows in wrapped), file, "JSON")
        return
    by_task = _is_by_task(value, file)
    are_rows = not by_task and _are_rows(value, file)
    if (by_task or are_rows) and file.text == "references" and len(content) < len(value):
        yield _key_twice(value, file, by_task=by_task)
    if are_rows:
        rows = (JsonObject([("id", id_), *entries]) for id_, entries in value)
        yield from read_rows(_rows([("", rows)]), file, "JSON")
        return
    file.format = "JSON, all tasks" if by_task else "JSON, one task"
    for task, entries in value if by_task else [(None, value)]:
        if not isinstance(entries, JsonObject):
            message = f"a task holds {kind(entries)}; it must hold {{id: …}}"
            yield file.unreadable(message, None, task, detail=task)
        elif not entries:
            yield Nothing(task or file.task)
        else:
            yield from (Entry(task, id_, text, place, file.split) for id_, text in entries)


def rows_of_json(stream: IO[bytes], file: ReadFile) -> Rows:
    """Every row, whatever its fields: a row a line, or a list of rows, which may be the only list of an object."""
    refuse_binary(file.head)
    stream.seek(len(_MARK) if file.head.startswith(_MARK) else 0)
    if file.ending in BY_LINES or _has_lines(stream, file):
        yield from _lines(stream)
        return
    file.unit = "row"
    data = limits.read_whole(stream)
    if not data.strip():
        raise UnusableInput(EMPTY)
    value = parse(decode(data))
    lists = [inner for _, inner in value if type(inner) is list] if isinstance(value, JsonObject) else [value]
    if len(lists) != 1 or type(lists[0]) is not list:
        raise UnusableInput(f"the file holds {kind(value)}; it must hold a list of objects, such as [{{…}}, {{…}}]")
    yield from _rows([("", lists[0])])


def _refuse_frame(content: Mapping[str, Any]) -> None:
    """Raise `UnusableInput` for a table as pandas writes it without `orient="records"`: by columns, or split."""
    columns = [fields(column).keys() for column in content.values()]
    is_numbered = columns and columns[0] == {*map(str, range(len(columns[0])))} != set()
    by_columns = is_numbered and all(column == columns[0] for column in columns)
    if (by_columns and likely_columns(content)["id"]) or {"columns", "index", "data"} == content.keys():
        raise UnusableInput(
            "it is a table by columns, as to_json() of pandas writes it; write rows, with: "
            'to_json(path, orient="records", force_ascii=False)'
        )


def _key_twice(value: JsonObject, file: ReadFile, *, by_task: bool) -> Problem:
    """The error of an object of references, by task or by id, in which a key stands twice."""
    names = [name for name, _ in value]
    task = next(name for name in names if names.count(name) > 1) if by_task else file.task
    place = Place(file.name)
    return Problem("key-twice", "The object has a key twice. Keep one", known_task(task, file.benchmark), place=place)


def _rows(by_task: Iterable[tuple[str | None, Iterable[Any]]]) -> Iterator[tuple[int, Row | UnusableInput]]:
    """The rows of each task, numbered; those of a task without a name are as they are."""
    for task, values in by_task:
        for number, value in enumerate(values, 1):
            row = _as_row(value)
            yield number, {"task": task, **row} if task and not isinstance(row, UnusableInput) else row


def _are_rows(value: JsonObject, file: ReadFile) -> bool:
    """Whether the object holds a row for each id."""
    rows = [entries for _, entries in value]
    if not rows or not all(isinstance(row, JsonObject) for row in rows):
        return False
    first = dict(rows[0])
    return "id" not in first and file.text in find_columns(first, file.named(first), file.text)


def _is_by_task(value: JsonObject, file: ReadFile) -> bool:
    """Whether the keys are tasks: a value is an object, and a key is a task, or like one if the file names none."""
    if not any(isinstance(entries, JsonObject) for _, entries in value):
        return False
    names = [key for key, _ in value[:100]]
    if any(known_task(name, file.benchmark) for name in names):
        return True
    tasks = (*file.benchmark.all_tasks, *task_names())
    return not known_task(file.task, file.benchmark) and any(did_you_mean(name, tasks) for name in names)


def _lines(stream: IO[bytes]) -> Iterator[tuple[int, Row | UnusableInput]]:
    for number, line in enumerate(iter(partial(_line, stream), b""), 1):
        if not line.strip():
            continue
        try:
            if len(line) > limits.MAX_LINE_BYTES:
                raise UnusableInput(f"the line is longer than {limits.size(limits.MAX_LINE_BYTES)}")  # noqa: TRY301
            yield number, _as_row(parse(decode(line).strip(" \t\r\n")), "line")
        except UnusableInput as error:
            yield number, error


def _line(stream: IO[bytes]) -> bytes:
    """The next line; one that is too long is cut just beyond the limit."""
    line = rest = stream.readline(limits.MAX_LINE_BYTES + 1)
    while rest and not rest.endswith(b"\n"):
        rest = stream.readline(limits.MAX_LINE_BYTES)
    return line


def _as_row(value: Any, where: str = "row") -> Row | UnusableInput:
    if not isinstance(value, JsonObject):
        return UnusableInput(f"the {where} holds {kind(value)}; a row is one JSON object")
    row = dict(value)
    return row if len(row) == len(value) else UnusableInput("the row has a key twice; keep one")


# The stop reasons whose completion is not an answer.
_NO_ANSWER = frozenset({"model_length", "content_filter"})
# Where the name of the task is; an interrupted log has the second only.
_HEADERS = ("header.json", "_journal/start.json")


def read_samples(header: Mapping[str, Any], samples: Iterable[Any], file: ReadFile) -> Found:
    """The samples of a log, in any order, as entries; the value of one that has no answer is null."""
    name = fields(header.get("eval")).get("task")
    last = name.rpartition("/")[2] if isinstance(name, str) else ""
    task = canonical_task(last, file.benchmark) or (last if last.startswith("scrolls_") else None)
    place, has_epochs = Place(file.name), False
    for item in samples:
        if not isinstance(item, JsonObject):
            yield file.unreadable(f"a sample is {kind(item)}, not an object", None, task or file.task)
            continue
        sample, output = fields(item), fields(fields(item).get("output"))
        if written(sample.get("epoch")) not in (None, "1"):
            has_epochs = True
            continue
        if file.text == "references":
            yield Entry(task, sample.get("id"), sample.get("target"), place, file.split)
            continue
        failed = sample.get("error") is not None or output.get("error") is not None
        stopped = written(first(output.get("choices")).get("stop_reason")) or ""
        answer = None if failed or stopped in _NO_ANSWER else output.get("completion")
        why = failure_of(sample) or failure_of(output) or (stopped if stopped in _NO_ANSWER else "")
        scores = fields(sample.get("scores"))
        yield Entry(
            task,
            sample.get("id"),
            answer,
            place,
            file.split,
            recorded=recorded_score(scores, file.columns.get("score", ""), scores),
            stop=stop_of(output),
            failed=why if answer is None else "",
        )
    if has_epochs:
        message = "the log holds several epochs; the answers of the first are read"
        yield Problem("filters", message, known_task(task or file.task, file.benchmark), place=place, is_error=False)


def read_eval(stream: IO[bytes], file: ReadFile) -> Found:
    if sys.version_info < (3, 14):
        try:
            import_module("zipfile_zstd")  # adds Zstandard to zipfile
        except ModuleNotFoundError:
            raise UnusableInput(
                "an .eval log needs zipfile_zstd; install it with: pip install zipfile-zstd; or write the log as JSON, "
                "with: inspect log convert --to json"
            ) from None
    check_directory(stream)
    with zipfile.ZipFile(stream) as archive:
        infos = {info.filename: info for info in archive.infolist()}
        samples = [info for name, info in infos.items() if name.startswith("samples/") and name.endswith(".json")]
        header = next((infos[name] for name in _HEADERS if name in infos), None)
        if header is None or not samples:
            raise UnusableInput("the ZIP is not an Inspect log with samples")
        unpacked, most = sum(info.file_size for info in samples), limits.current().total
        if unpacked > most:
            raise UnusableInput(f"the log unpacks to {too_large(unpacked, most)}")
        file.format = "Inspect log"
        yield from read_samples(fields(_json(archive, header)), (_json(archive, sample) for sample in samples), file)


def _json(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> JsonObject:
    if info.file_size > limits.current().whole:
        raise UnusableInput(f"{info.filename} unpacks to {too_large(info.file_size, limits.current().whole)}")
    try:
        text = archive.read(info).decode("utf-8")
    except Exception as error:
        raise UnusableInput(f"{info.filename} cannot be read ({reason_of(error)}); is the log damaged?") from error
    value = parse(text)
    if not isinstance(value, JsonObject):
        raise UnusableInput(f"{info.filename} holds no JSON object; is the log damaged?")
    return value
