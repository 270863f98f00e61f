"""CSV files of answers, read as the official check reads its own (`Task,ID,Prediction`).

That is pandas with `dtype=object, keep_default_na=False`: "nan", "None" and the empty cell are texts, spaces stay, rows
of blanks are skipped, a quote inside an unquoted cell is a quote. A row with more or fewer cells than the header, which
pandas shifts or fills, is refused here; every other row gives the same three texts.

In countries with a decimal comma, spreadsheets separate cells by semicolons or tabs. Such a file is read if its header
is a known one; `verify` reports it, since the official check accepts only commas.

Columns with other usual names, such as `qid` and `response`, are read too (`zs_bench.files.columns`); without one for
the task, the file's name says it, or its ids do. A table without a header is read where its ids are known. Of other
tables, the user says which column holds what.
kvpress (`predictions.csv`) keeps the columns of the data, often without ids, and adds `predicted_answer`. References
beside the answers, a text or a list as Python, numpy or JSON writes it, tell the question of a row without an id.
As references, only NarrativeQA's `qaps.csv` is read (`raw_data`).

Parquet, where pyarrow is installed: a row for each answer or reference.
"""

import ast
import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from itertools import chain
from typing import IO, Any

from zs_bench.errors import UnknownColumns, UnusableInput
from zs_bench.files import limits
from zs_bench.files.columns import (
    FIRST_ROWS,
    check_twins,
    find_columns,
    likely_columns,
    on_unread,
    score_columns,
    unknown_columns,
)
from zs_bench.files.entries import Entry, Found, ReadFile
from zs_bench.files.input_files import reason_of, too_large
from zs_bench.files.json_text import EMPTY, JsonNumber, JsonObject, parse, refuse_binary
from zs_bench.files.names import TEXT_FILES, canonical_task
from zs_bench.files.raw_data import TABLE, read_raw
from zs_bench.files.replies import is_stop_field, stop_of
from zs_bench.files.rows import Row, Rows, read_rows, short_fields, with_row
from zs_bench.files.rows_without_ids import facts_of, identity_of
from zs_bench.problems import Place, Problem, counted, short
from zs_metric.texts import clean_text

#: The header of the official file.
OFFICIAL = ("Task", "ID", "Prediction")
#: What the columns are called, in lowercase, by format, in the order in which they are looked for.
COLUMNS: Mapping[str, Mapping[str, str]] = {
    "official CSV": {"task": "task", "id": "id", "prediction": "prediction"},
    "kvpress CSV": {"task": "task", "id": "id", "prediction": "predicted_answer"},
}
#: The delimiters with their names in messages, in the order in which they are tried.
_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}
# The lone surrogates that replace NUL and bytes that are not UTF-8 while reading.
_NOT_TEXT = re.compile("[\udc00-\udcff]")
# A text in a list as Python's `repr` writes it, and what may stand behind it; numpy puts no commas.
_QUOTED = "|".join(
    rf"""{mark}[^{mark}\\]*(?:\\(?:[\\'"nrt]|x\w\w|u\w{{4}}|U\w{{8}})[^{mark}\\]*)*{mark}""" for mark in "'\""
)
_ITEM = re.compile(rf"\s*({_QUOTED}|None)\s*,?")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_NOT_CLOSED = 'a "double quote" is not closed: all that follows belongs to this row'
_NO_LIST = "a row has no id, and its references are none or no whole list; write lists as JSON, or add the ids"
# An answer may exceed Python's default of 131,072 characters a cell; the limit is per process.
csv.field_size_limit(limits.MAX_WHOLE)


def read_csv(stream: IO[bytes], file: ReadFile) -> Found:
    refuse_binary(file.head)
    with _text(stream) as text:
        lines, file.delimiter = _Lines(text), _delimiter(file)
        rows = _rows(lines, file.delimiter)
        _, header = next(rows, (0, []))
        file.header, named = tuple(header), file.named(header)
        if file.text == "references":
            yield from read_raw(TABLE, _as_objects(header, rows, lines, file.delimiter), file)
            return
        if {"rouge1", "level"} <= {*header}:
            message = "a report of this project holds no answers"
            yield Problem("not-read", message, place=Place(file.name), is_error=False)
            return
        fault, last = None, len(header) - 1
        try:
            file.format, columns = _find_columns(header, named)
            if not columns and "prediction" in (found := find_columns(header, named)):
                fault, columns = _without_ids(header, found, file)
            elif not columns:
                fault, columns = _without_header(header, file)
                rows = chain([(1, header)], rows)
        except UnknownColumns:
            file.first = tuple(next(rows, (0, []))[1])
            raise
        first, cells_of = list[dict[str, str]](), _Cells(header, columns, fault, file)
        for place, (number, row) in enumerate(rows):
            file.first = file.first or tuple(row)
            first += [dict(zip(header, row, strict=False))] * (len(first) < FIRST_ROWS)
            entry = cells_of.entry(row, number, place)
            if why := _why_not(row, header, file.delimiter, ended=lines.ended):
                problem = file.unreadable(why, number, entry.task or file.task, short(entry.id or "") or None)
                is_text = '"' not in lines.last and not any(map(_NOT_TEXT.search, row))
                if len(row) <= len(header) or columns["prediction"] != last or not is_text:
                    yield problem
                    continue
                # The last cells are the answer, which has unquoted commas.
                unquoted = replace(problem, kind="unquoted-comma", family="")
                entry = entry._replace(value=file.delimiter.join(row[last:]), fault=unquoted)
            yield entry
        if fault and not file.first:
            yield fault
        if first and header != list(file.first):
            yield from on_unread(first, header[columns["prediction"]], file.named(header), Place(file.name))


def rows_of_csv(stream: IO[bytes], file: ReadFile) -> Rows:
    """Every row of a table, whatever its columns, separated as its header is into most of them.

    The official check reads none of these, so quotes that are not as they must be are refused.
    """
    refuse_binary(file.head)
    headers = _headers(file.head)
    file.delimiter = max(headers, key=lambda delimiter: len(headers[delimiter]))
    with _text(stream) as text:
        lines = _Lines(text)
        rows = _rows(lines, file.delimiter, is_strict=True)
        _, header = next(rows, (0, []))
        if not any(header):
            raise UnusableInput("the table has no header; write the names of its columns into the first line")
        yield from _as_objects(header, rows, lines, file.delimiter)


def _text(stream: IO[bytes]) -> io.TextIOWrapper:
    return io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="")


def _as_objects(
    header: Sequence[str], rows: Iterable[tuple[int, list[str]]], lines: "_Lines", delimiter: str
) -> Iterator[tuple[int, Row | UnusableInput]]:
    for number, row in rows:
        why = _why_not(row, header, delimiter, ended=lines.ended)
        yield number, UnusableInput(why) if why else dict(zip(header, row, strict=True))


class _Cells:
    """The columns of a table, and the entries of its rows."""

    def __init__(
        self, header: Sequence[str], columns: Mapping[str, int], fault: Problem | None, file: ReadFile
    ) -> None:
        self._header, self._columns, self._fault, self._file = header, columns, fault, file
        named = file.named(header)
        self._is_task = "task" in columns and (header[columns["task"]].strip().lower() == "task" or "task" in named)
        self._stop = next((place for place, name in enumerate(header) if is_stop_field(name)), None)
        self._score = next((header.index(name) for name in score_columns(header, named)), None)
        self._asked = {file.benchmark.fields.get(name, name) for name in file.benchmark.asked()}
        self._has_lists: bool | None = None  # until there is a reference
        file.beside = header[columns["references"]] if "references" in columns else ""

    def entry(self, row: Sequence[str], number: int, place: int) -> Entry:
        """The entry of a row that begins in the line with this number; `place` counts rows, from 0."""
        header, columns, file = self._header, self._columns, self._file
        cells = {ours: row[column] for ours, column in columns.items() if column < len(row)}
        task, id_ = cells.get("task"), cells.get("id", "" if "id" in columns else None)
        if not (self._is_task or (self._fault and "id" in columns) or canonical_task(task, file.benchmark)):
            task = None  # the name of something else
        is_asked = id_ is None or id_ in (str(place), str(place + 1))
        fields = dict(zip(header, row, strict=False))
        found = Entry(task, id_, cells.get("prediction", ""), Place(file.name, number), fault=self._fault)
        if self._score is not None and self._score < len(row):
            found = found._replace(recorded=(header[self._score], row[self._score]))
        if self._stop is not None and self._stop < len(row):
            found = found._replace(stop=stop_of({header[self._stop]: row[self._stop]}))
        if is_asked and list(header) != list(file.first):
            held = {header[columns[ours]] for ours in ("id", "prediction") if ours in columns}
            others = {name: cell for name, cell in short_fields(fields).items() if name not in held}
            found = found._replace(others=others)
        if "references" in cells:
            references, facts = self._references(cells["references"]), facts_of(fields)
            found = found._replace(references=references, facts=facts)
            if id_ is None:
                found = found._replace(identity=identity_of(references, facts))
            if id_ is None and references is None:
                found = found._replace(fault=file.unreadable(_NO_LIST, number, task or file.task))
        return with_row(found, {name: _value(cell) for name, cell in fields.items() if name in self._asked}, file)

    def _references(self, cell: str) -> Any:
        """The references in a cell: lists, if the first one is, else texts; `None` of an empty or another cell."""
        if not cell.strip():
            return None
        texts = listed(cell)
        if self._has_lists is None:
            self._has_lists = texts is not None
        return texts if self._has_lists else cell


def _value(cell: str) -> Any:
    """A field that a metric asks for, as the readers of JSON give it; `None` for an empty cell."""
    return (JsonNumber(cell) if _NUMBER.fullmatch(cell) else listed(cell) or cell) if cell.strip() else None


def listed(cell: str) -> list[Any] | None:
    r"""The texts in a list as JSON, Python or numpy writes it; `None` of another text.

    >>> listed("['a' \"b's\"\n 'c']"), listed("['a', None]"), listed("[1] a cat")
    (['a', "b's", 'c'], ['a', None], None)
    """
    text = cell.strip()
    if not (text.startswith("[") and text.endswith("]")):
        return None
    with suppress(UnusableInput):
        if isinstance(texts := parse(text), list) and all(each is None or isinstance(each, str) for each in texts):
            return texts
    found, place = list[Any](), 1
    while item := _ITEM.match(text, place):
        found.append(item[1])
        place = item.end()
    if text[place:].strip() != "]":
        return None
    try:
        return [ast.literal_eval(each) for each in found]
    except (ValueError, SyntaxError):  # of an escape that is none
        return None


def _without_header(header: list[str], file: ReadFile) -> tuple[Problem, dict[str, int]]:
    """The fault of the rows of a table that may have no header, and where the columns then are.

    Raises `UnusableInput` or `UnknownColumns` for any other table.
    """
    if not header:
        raise UnusableInput(EMPTY)
    if any("\udc80" <= letter <= "\udcff" for letter in header[0]):  # bytes that are not UTF-8
        raise UnusableInput("the file is no text in UTF-8; give the one with the texts, saved as UTF-8")
    if len(header) < 2:
        shown = repr(short(clean_text(header[0], "header")))
        raise UnusableInput(f"the header is {shown}; it must be {','.join(OFFICIAL)}, with commas between")
    error = unknown_columns(header, file.columns)
    if file.columns or len(header) > 3 or any(likely_columns(header).values()):
        raise error
    message = f"{error.message}; if {TEXT_FILES}" if file.ending == ".txt" else error.message
    fault = replace(file.unreadable(message, None, None), kind="columns", family="", columns=error.columns)
    return fault, dict(zip(("task", "id", "prediction")[-len(header) :], range(len(header)), strict=True))


def _without_ids(header: list[str], found: Mapping[str, str], file: ReadFile) -> tuple[Problem, dict[str, int]]:
    """The fault of the rows of a table without a column that is known to hold the ids, and where the others are."""
    error = unknown_columns(header, file.named(header))
    if "id" in file.named(header):
        raise error
    fault = replace(file.unreadable(error.message, None, None), kind="columns", family="", columns=error.columns)
    return fault, {ours: header.index(theirs) for ours, theirs in found.items()}


def _why_not(row: Sequence[str], header: Sequence[str], delimiter: str, *, ended: bool) -> str | None:
    if ended:
        return _NOT_CLOSED
    if len(row) != len(header):
        message = f"the row has {counted(len(row), 'cell')} where the header has {len(header)}"
        return message + f'; put texts with {_DELIMITERS[delimiter]} or line breaks in "double quotes"'
    if any(map(_NOT_TEXT.search, row)):
        return "the row is not UTF-8, or has a NUL byte; save the file as UTF-8"
    return None


class _Lines:
    """The lines of a file; `last` is the one last read, `ended` whether the CSV reader asked for one past the end.

    It does so only inside a quote that is not closed.
    """

    def __init__(self, stream: Iterable[str]) -> None:
        self._stream, self.last, self.ended = stream, "", False

    def __iter__(self) -> Iterator[str]:
        for line in self._stream:
            if len(line) > limits.MAX_LINE_BYTES:
                raise UnusableInput(f"a line is longer than {limits.size(limits.MAX_LINE_BYTES)}")
            self.last = line.replace("\0", "\udc00")
            yield self.last
        self.ended = True


def _rows(lines: _Lines, delimiter: str, *, is_strict: bool = False) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, each with the number of its first line; `is_strict` about quotes, if so asked."""
    reader = csv.reader(lines, delimiter=delimiter, strict=is_strict)
    number = 1
    try:
        for row in reader:
            if lines.ended or lines.last.strip(" \t\r\n"):
                yield number, row
            number = reader.line_num + 1
    except csv.Error as error:
        why, step = _NOT_CLOSED if lines.ended else error, "; write each quote inside a quoted text twice"
        raise UnusableInput(f"line {number} cannot be read ({why}){step if is_strict else ''}") from None


def _delimiter(file: ReadFile) -> str:
    """The first delimiter whose header has the expected columns; if none does, the one with the most columns."""
    headers = _headers(file.head)
    fit = (delimiter for delimiter, header in headers.items() if _fits(header, file.named(header)))
    return next(fit, max(headers, key=lambda delimiter: len(headers[delimiter])))


def _headers(head: bytes) -> dict[str, list[str]]:
    line, *_ = head.decode("utf-8-sig", "replace").replace("\0", "").splitlines() or [""]
    return {delimiter: next(csv.reader([line], delimiter=delimiter), []) for delimiter in _DELIMITERS}


def _fits(header: Sequence[str], named: Mapping[str, str]) -> bool:
    """Whether the header has columns of answers, or several that may hold the same."""
    try:
        return bool(_find_columns(header, named)[1])
    except UnknownColumns:
        return True


def _find_columns(header: Sequence[str], named: Mapping[str, str]) -> tuple[str | None, dict[str, int]]:
    """The format, and where its columns are: those of a known format, or those that are named or likely."""
    names = [cell.strip().lower() for cell in header]
    for name, columns in () if named else COLUMNS.items():
        if {*columns.values()} <= {*names}:
            for ours, theirs in columns.items():
                check_twins(header, header[names.index(theirs)], ours, is_named=False)
            places = {ours: names.index(theirs) for ours, theirs in columns.items()}
            return name, places | _references_beside(header, named, places)
    found = find_columns(header, named)
    places = {ours: header.index(theirs) for ours, theirs in found.items()}
    if "prediction" not in places:
        return None, {}
    places |= _references_beside(header, named, places)
    if "id" not in places:
        return ("CSV without IDs", places) if "references" in places and "id" not in named else (None, {})
    return "CSV" if named or "task" in found else "CSV without tasks", places


def _references_beside(header: Sequence[str], named: Mapping[str, str], places: Mapping[str, int]) -> dict[str, int]:
    """Where the references of the rows are, if they have some."""
    likely = [named["references"]] if "references" in named else likely_columns(header)["references"]
    held = {header[place] for place in places.values()}
    beside = next((name for name in likely if name not in held), None)
    return {} if beside is None else {"references": header.index(beside)}


def has_columns(head: bytes) -> bool:
    """Whether a file begins with the header of a table."""
    return any(_fits(header, {}) for header in _headers(head).values())


def read_parquet(stream: IO[bytes], file: ReadFile) -> Found:
    found = rows_of_parquet(stream, file)
    rows = ((number, {name: _as_json(value) for name, value in row.items()}) for number, row in found)
    yield from read_rows(rows, file, "Parquet")


def rows_of_parquet(stream: IO[bytes], file: ReadFile) -> Iterable[tuple[int, Row]]:
    """Every row, whatever its columns; the values are those of pyarrow."""
    file.unit = "row"
    try:
        parquet = import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        raise UnusableInput(
            "Parquet needs pyarrow, which is not installed here; install it, or write the rows as JSON Lines"
        ) from None
    return enumerate(_parquet_rows(parquet.ParquetFile, stream), 1)


def _parquet_rows(open_file: Callable[[IO[bytes]], Any], stream: IO[bytes]) -> Iterator[Row]:
    try:
        data, most = open_file(stream), limits.current().whole
        unpacked, left = _check_footer(data.metadata), most
        # A text that is stored once may stand in many rows, so there are few at a time where texts may be long.
        for batch in data.iter_batches(max(1, min(64, 4 * most // (unpacked + 1)))):
            for row in batch.to_pylist():
                left -= sum(map(_length, row.values()))
                if left < 0:
                    raise UnusableInput(f"it unpacks to more than {limits.size(most)}")  # noqa: TRY301
                yield row
    except UnusableInput:
        raise
    except Exception as error:
        raise UnusableInput(f"the Parquet file cannot be read ({reason_of(error)}); is it complete?") from error


def _check_footer(metadata: Any) -> int:
    """Return the unpacked size that a Parquet file's footer says; raises `UnusableInput` for what would take long.

    A value that is repeated takes no place in the file, so rows and values are counted, before any is unpacked.
    """
    most, columns = limits.current(), metadata.num_columns * metadata.num_row_groups
    if metadata.num_rows > most.entries:
        raise UnusableInput(f"it has {metadata.num_rows:,} rows, more than {most.entries:,}")
    if columns <= most.values:
        groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
        values = sum(group.column(number).num_values for group in groups for number in range(metadata.num_columns))
    if columns > most.values or values > most.values:
        raise UnusableInput(f"it has more than {most.values:,} values; leave out the columns that are not needed")
    unpacked = sum(group.total_byte_size for group in groups)
    if unpacked > most.whole:
        raise UnusableInput(f"it unpacks to {too_large(unpacked, most.whole)}")
    return int(unpacked)


def _length(value: Any) -> int:
    """Return the characters of the texts in a value, or bytes, and one for anything else."""
    if isinstance(value, (list, dict)):
        return 1 + sum(map(_length, value.values() if isinstance(value, dict) else value))
    return len(value) if isinstance(value, (str, bytes)) else 1


def _as_json(value: Any) -> Any:
    """A value of a cell as the readers of JSON give it."""
    if isinstance(value, list):
        return [_as_json(each) for each in value]
    if isinstance(value, dict):
        return JsonObject((str(name), _as_json(each)) for name, each in value.items())
    if isinstance(value, bytes):  # as some programs write texts
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            raise UnusableInput("a value is bytes that are no text in UTF-8; write texts") from None
    return value if value is None or isinstance(value, str | bool) else JsonNumber(str(value))
