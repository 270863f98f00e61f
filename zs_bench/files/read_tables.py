"""CSV files of answers, read as the official check reads its own (`Task,ID,Prediction`).

That is pandas with `dtype=object, keep_default_na=False`: "nan", "None" and the empty cell are texts, spaces stay, rows
of blanks are skipped, a quote inside an unquoted cell is a quote. A row with more or fewer cells than the header, which
pandas shifts or fills, is refused here; every other row gives the same three texts.

In countries with a decimal comma, spreadsheets separate cells by semicolons or tabs. Such a file is read if its header
is a known one; `verify` reports it, since the official check accepts only commas.

Columns with other usual names, such as `qid` and `response`, are read too (`zs_bench.files.rows`); without one for
the task, the file's name tells it, or its ids do. A table without a header is read where its ids are known. Of other
tables, the user says which column holds what.
kvpress (`predictions.csv`) keeps the columns of the data and adds `predicted_answer`.

Parquet, where pyarrow is installed: a row for each answer or reference.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import chain
from typing import IO, Any

from zs_bench.errors import UnknownColumns, UnusableInput
from zs_bench.files import limits
from zs_bench.files.entries import Entry, Found, ReadFile, canonical_task, reason_of, too_large
from zs_bench.files.json_text import EMPTY, JsonNumber, JsonObject, refuse_binary
from zs_bench.files.rows import Row, find_columns, likely_columns, read_rows, score_columns, unknown_columns
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
# An answer may exceed Python's default of 131,072 characters a cell; the limit is per process.
csv.field_size_limit(limits.MAX_WHOLE)


def read_csv(stream: IO[bytes], file: ReadFile) -> Found:
    refuse_binary(file.head)
    with io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="") as text:
        lines, file.delimiter = _Lines(text), _delimiter(file)
        rows = _rows(lines, file.delimiter)
        _, header = next(rows, (0, []))
        file.header, named = tuple(header), file.named(header)
        if {"rouge1", "level"} <= {*header}:
            message = "a report of this project holds no answers"
            yield Problem("not-read", message, place=Place(file.name), is_error=False)
            return
        fault, last = None, len(header) - 1
        try:
            file.format, columns = _find_columns(header, named)
            if not columns:
                fault, columns = _without_header(header, file)
                rows = chain([(1, header)], rows)
        except UnknownColumns:
            file.first = tuple(next(rows, (0, []))[1])
            raise
        is_task = "task" in columns and (header[columns["task"]].strip().lower() == "task" or "task" in named)
        score = next((header.index(name) for name in score_columns(header, named)), None)
        for number, row in rows:
            cells = {ours: row[column] for ours, column in columns.items() if column < len(row)}
            task, id_ = cells.get("task"), cells.get("id", "")
            if not (is_task or fault or canonical_task(task, file.benchmark)):
                task = None  # the name of something else
            recorded = (header[score], row[score]) if score is not None and score < len(row) else None
            answer = cells.get("prediction", "")
            entry = Entry(task, id_, answer, Place(file.name, number), fault=fault, recorded=recorded)
            if why := _why_not(row, header, file.delimiter, ended=lines.ended):
                problem = file.unreadable(why, number, task or file.task, short(id_) or None)
                is_text = '"' not in lines.last and not any(map(_NOT_TEXT.search, row))
                if len(row) <= len(header) or columns["prediction"] != last or not is_text:
                    yield problem
                    continue
                # The last cells are the answer, which has unquoted commas.
                unquoted = replace(problem, kind="unquoted-comma", family="")
                entry = entry._replace(value=file.delimiter.join(row[last:]), fault=unquoted)
            yield entry


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
    fault = replace(file.unreadable(error.message, None, None), kind="columns", family="")
    return fault, dict(zip(("task", "id", "prediction")[-len(header) :], range(len(header)), strict=True))


def _why_not(row: Sequence[str], header: Sequence[str], delimiter: str, *, ended: bool) -> str | None:
    if ended:
        return 'a "double quote" is not closed: all that follows belongs to this row'
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


def _rows(lines: _Lines, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, each with the number of its first line."""
    reader = csv.reader(lines, delimiter=delimiter)
    number = 1
    try:
        for row in reader:
            if lines.ended or lines.last.strip(" \t\r\n"):
                yield number, row
            number = reader.line_num + 1
    except csv.Error as error:
        raise UnusableInput(f"line {number} cannot be read ({error})") from None


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
            return name, {ours: names.index(theirs) for ours, theirs in columns.items()}
    found = find_columns(header, named)
    if not {"id", "prediction"} <= found.keys():
        return None, {}
    places = {ours: header.index(theirs) for ours, theirs in found.items()}
    return "CSV" if named or "task" in found else "CSV without tasks", places


def has_columns(head: bytes) -> bool:
    """Whether a file begins with the header of a table."""
    return any(_fits(header, {}) for header in _headers(head).values())


def read_parquet(stream: IO[bytes], file: ReadFile) -> Found:
    file.unit = "row"
    try:
        parquet = import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        raise UnusableInput(
            "Parquet needs pyarrow, which is not installed here; install it, or write the rows as JSON Lines"
        ) from None
    yield from read_rows(enumerate(_parquet_rows(parquet.ParquetFile, stream), 1), file, "Parquet")


def _parquet_rows(open_file: Callable[[IO[bytes]], Any], stream: IO[bytes]) -> Iterator[Row]:
    try:
        data, most = open_file(stream), limits.current().whole
        groups = (data.metadata.row_group(number) for number in range(data.metadata.num_row_groups))
        if (unpacked := sum(group.total_byte_size for group in groups)) > most:
            raise UnusableInput(f"it unpacks to {too_large(unpacked, most)}")  # noqa: TRY301
        for batch in data.iter_batches(64):
            for row in batch.to_pylist():
                yield {name: _as_json(value) for name, value in row.items()}
    except UnusableInput:
        raise
    except Exception as error:
        raise UnusableInput(f"the Parquet file cannot be read ({reason_of(error)}); is it complete?") from error


def _as_json(value: Any) -> Any:
    """A value of a cell as the readers of JSON give it."""
    if isinstance(value, list):
        return [_as_json(each) for each in value]
    if isinstance(value, dict):
        return JsonObject((str(name), _as_json(each)) for name, each in value.items())
    return value if value is None or isinstance(value, str | bool) else JsonNumber(str(value))
