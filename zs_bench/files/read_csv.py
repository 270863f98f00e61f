"""CSV files of answers, read as the official check reads its own (`Task,ID,Prediction`).

That is pandas with `dtype=object, keep_default_na=False`: "nan", "None" and the empty cell are texts, spaces stay, rows
of blanks are skipped, a quote inside an unquoted cell is a quote. A row with more or fewer cells than the header, which
pandas shifts or fills, is refused here; every other row gives the same three texts.

In countries with a decimal comma, spreadsheets separate cells by semicolons or tabs. Such a file is read if its header
is a known one; `verify` reports it, since the official check accepts only commas.

A table of `id` and `prediction`, or of two columns with names as usual as `qid` and `response`, is read too: the file's
name tells the task, or its ids do. Of other tables, the user says which column holds what; `guess_columns` proposes it.
kvpress (`predictions.csv`) keeps the columns of the data and adds `predicted_answer`.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import IO

from zs_bench.errors import UnknownColumns, UnusableInput
from zs_bench.files import limits
from zs_bench.files.entries import Entry, Found, ReadFile
from zs_bench.files.json_text import EMPTY, refuse_binary
from zs_bench.problems import Place, counted, short
from zs_metric.texts import clean_text

#: The header of the official file.
OFFICIAL = ("Task", "ID", "Prediction")
#: What the columns are called, in lowercase, by format, in the order in which they are looked for.
COLUMNS: Mapping[str, Mapping[str, str]] = {
    "official CSV": {"task": "task", "id": "id", "prediction": "prediction"},
    "kvpress CSV": {"task": "task", "id": "id", "prediction": "predicted_answer"},
    "CSV without tasks": {"id": "id", "prediction": "prediction"},
}
#: The delimiters with their names in messages, in the order in which they are tried.
_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}
#: What tools call the columns, the likeliest first.
_USUAL = {
    "id": "id _id example_id question_id qid query_id key",
    "prediction": "prediction predicted_answer pred output response completion generation answer",
    "task": "task task_name dataset",
}
# The lone surrogates that replace NUL and bytes that are not UTF-8 while reading.
_NOT_TEXT = re.compile("[\udc00-\udcff]")
# An answer may exceed Python's default of 131,072 characters a cell; the limit is per process.
csv.field_size_limit(limits.MAX_WHOLE)


def guess_columns(header: Iterable[str]) -> dict[str, str]:
    """The columns that probably hold `id`, `prediction` and `task`, without those for which none is likely.

    >>> guess_columns(["QID", "question", "response"])
    {'id': 'QID', 'prediction': 'response'}
    """
    by_name = {name.strip().lower(): name for name in reversed(list(header))}
    likely = {ours: [by_name[name] for name in names.split() if name in by_name] for ours, names in _USUAL.items()}
    return {ours: names[0] for ours, names in likely.items() if names}


def read_csv(stream: IO[bytes], file: ReadFile) -> Found:
    """Every row as an entry."""
    refuse_binary(file.head)
    with io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="") as text:
        lines, file.delimiter = _Lines(text), _delimiter(file.head, file.columns)
        rows = _rows(lines, file.delimiter)
        _, header = next(rows, (0, []))
        file.header = tuple(header)
        file.format, columns = _find_columns(header, file.columns)
        if not columns:
            raise _unknown(header, file.columns)
        last = len(header) - 1
        for number, row in rows:
            cells = {ours: row[column] for ours, column in columns.items() if column < len(row)}
            task, id_ = cells.get("task", "") if "task" in columns else file.task, cells.get("id", "")
            entry = Entry(task, id_, cells.get("prediction", ""), Place(file.name, number))
            if why := _why_not(row, header, file.delimiter, ended=lines.ended):
                problem = file.unreadable(why, number, task, short(id_) or None)
                is_text = '"' not in lines.last and not any(map(_NOT_TEXT.search, row))
                if len(row) <= len(header) or columns["prediction"] != last or not is_text:
                    yield problem
                    continue
                # The last cells are the answer, which has unquoted commas.
                fault = replace(problem, kind="unquoted-comma", family="")
                entry = entry._replace(value=file.delimiter.join(row[last:]), fault=fault)
            yield entry


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


def _delimiter(head: bytes, named: Mapping[str, str]) -> str:
    """The first delimiter whose header has the expected columns; if none does, the one with the most columns."""
    line, *_ = head.decode("utf-8-sig", "replace").replace("\0", "").splitlines() or [""]
    headers = {delimiter: next(csv.reader([line], delimiter=delimiter), []) for delimiter in _DELIMITERS}
    fit = (delimiter for delimiter, header in headers.items() if _find_columns(header, named)[1])
    return next(fit, max(headers, key=lambda delimiter: len(headers[delimiter])))


def _find_columns(header: Sequence[str], named: Mapping[str, str]) -> tuple[str | None, dict[str, int]]:
    """The format, and where its columns are: those the user has named, of a known format, or two with usual names."""
    names = header if named else [cell.strip().lower() for cell in header]
    for name, columns in ({"CSV": named} if named else COLUMNS).items():
        if {*columns.values()} <= {*names} and (named or "task" in columns or "task" not in names):
            return name, {ours: names.index(theirs) for ours, theirs in columns.items()}
    likely = guess_columns(header)
    if named or len(header) != 2 or likely.keys() != {"id", "prediction"}:
        return None, {}
    return "CSV without tasks", {ours: header.index(theirs) for ours, theirs in likely.items()}


def _unknown(header: Sequence[str], named: Mapping[str, str]) -> UnusableInput:
    """The error of a header of no known format."""
    if not header:
        return UnusableInput(EMPTY)
    if any("\udc80" <= letter <= "\udcff" for letter in header[0]):  # bytes that are not UTF-8
        return UnusableInput("the file is no text in UTF-8; give the one with the texts, saved as UTF-8")
    shown, official = repr(short(clean_text(",".join(header[:10]), "header"))), ",".join(OFFICIAL)
    if len(header) < 2:
        return UnusableInput(f"the header is {shown}; it must be {official}, in UTF-8 and with commas between")
    wanted = " and ".join(map(repr, named.values())) or f"{official}, or id,prediction"
    step = "Say which one holds the IDs, which the answers"
    return UnknownColumns(f"the columns are {shown}; they must be {wanted}. {step}")
