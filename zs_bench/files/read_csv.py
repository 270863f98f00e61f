"""CSV files of answers: the official one (`Task,ID,Prediction`), read as the official check reads it, and kvpress's.

That is pandas with `dtype=object, keep_default_na=False`: "nan", "None" and the empty cell are texts, spaces stay, rows
of blanks are skipped, a quote inside an unquoted cell is a quote. A row with more or fewer cells than the header, which
pandas shifts or fills, is refused here; every other row gives the same three texts.

In countries with a decimal comma, spreadsheets separate cells by semicolons or tabs. Such a file is read if its header
is a known one; `verify` reports it, since the official check accepts only commas.

A table of `id` and `prediction`, or of two columns with names as usual as `qid` and `response`, is read too: the file's
name tells the task, or its ids do. Of other tables, the user says which column holds what; `guess_columns` proposes it.

kvpress (`predictions.csv`) keeps the columns of the data and adds `predicted_answer`; without an `id` column, as its
first versions wrote it, answers cannot be matched to examples.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import IO

from zs_bench.errors import UnknownColumns, UnusableInput
from zs_bench.files import limits
from zs_bench.files.entries import Entry, Found, ReadFile
from zs_bench.files.json_text import EMPTY, refuse_binary
from zs_bench.problems import Place, counted, short
from zs_metric.texts import clean_text

#: The columns of task, id and answer by format, in the order in which they are looked for.
COLUMNS: Mapping[str, tuple[str, str, str]] = {
    "official CSV": ("Task", "ID", "Prediction"),
    "kvpress CSV": ("task", "id", "predicted_answer"),
    "CSV without tasks": ("", "id", "prediction"),
}
OFFICIAL = COLUMNS["official CSV"]
#: The delimiters with their names in messages, in the order in which they are tried.
_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}
#: What tools call the columns, the likeliest first.
_USUAL = {
    "id": ("id", "_id", "example_id", "question_id", "qid", "query_id", "key"),
    "prediction": (
        "prediction",
        "predicted_answer",
        "pred",
        "output",
        "response",
        "completion",
        "generation",
        "answer",
    ),
    "task": ("task", "task_name", "dataset"),
}
# The lone surrogates that replace NUL and bytes that are not UTF-8 while reading.
_NOT_TEXT = re.compile("[\udc00-\udcff]")
# An answer may exceed Python's default of 131,072 characters a cell; the limit is per process.
csv.field_size_limit(limits.MAX_WHOLE)


def guess_columns(header: Iterable[str]) -> dict[str, str]:
    """Return the columns that probably hold `id`, `prediction` and `task`, without those for which none is likely.

    >>> guess_columns(["QID", "question", "response"])
    {'id': 'QID', 'prediction': 'response'}
    """
    by_name = {name.strip().lower(): name for name in reversed(list(header))}
    likely = {ours: next((by_name[name] for name in names if name in by_name), None) for ours, names in _USUAL.items()}
    return {ours: name for ours, name in likely.items() if name is not None}


def read_csv(stream: IO[bytes], file: ReadFile) -> Found:
    """Every row as an entry."""
    refuse_binary(file.head)
    with io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="") as text:
        lines, delimiter = _Lines(text), _delimiter(file.head, file.columns)
        rows = _rows(lines, delimiter)
        _, header = next(rows, (0, []))
        file.header = tuple(header)
        file.delimiter = delimiter
        file.format, columns = _columns(header, file.columns)
        last = len(header) - 1
        for number, row in rows:
            task, key, answer = (row[column] if -1 < column < len(row) else "" for column in columns)
            entry = Entry(task if columns[0] >= 0 else file.task, key, answer, Place(file.name, number))
            why = _why_not(row, header, delimiter, ended=lines.ended)
            if why is None:
                yield entry
                continue
            problem = file.unreadable(why, number, entry.task, short(key) or None)
            no_text = '"' in lines.last or any(map(_NOT_TEXT.search, row))
            if len(row) <= len(header) or columns[2] != last or no_text:
                yield problem
            else:  # the last cells are the answer, which has unquoted commas
                entry = entry._replace(value=delimiter.join(row[last:]))
                yield file.salvaged(problem, entry, "unquoted-comma")


def _why_not(row: list[str], header: list[str], delimiter: str, *, ended: bool) -> str | None:
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
    """Return the first delimiter whose header has the expected columns; if none does, the one with the most columns."""
    line, *_ = head.decode("utf-8-sig", "replace").replace("\0", "").splitlines() or [""]
    headers = {delimiter: next(csv.reader([line], delimiter=delimiter), []) for delimiter in _DELIMITERS}
    fit = (delimiter for delimiter, header in headers.items() if _known_columns(header, named))
    return next(fit, max(headers, key=lambda delimiter: len(headers[delimiter])))


def _known_columns(header: list[str], named: Mapping[str, str]) -> tuple[str, tuple[int, ...]] | None:
    """The format with these columns, and where those of task, id and answer are: -1 for a table without tasks."""
    formats = {"CSV": tuple(named.get(ours, "") for ours in ("task", "id", "prediction"))} if named else COLUMNS
    lower = [cell.strip().lower() for cell in header]
    for name, columns in formats.items():
        for names in (header, [cell.title().replace("Id", "ID") for cell in lower], lower):
            if all(column in names for column in columns if column) and (named or columns[0] or "task" not in lower):
                return name, tuple(names.index(column) if column else -1 for column in columns)
    likely = {} if named or len(header) != 2 else guess_columns(header)
    if {"id", "prediction"} == likely.keys():  # nothing else can be meant
        return "CSV without tasks", (-1, header.index(likely["id"]), header.index(likely["prediction"]))
    return None


def _columns(header: list[str], named: Mapping[str, str]) -> tuple[str, tuple[int, ...]]:
    """`_known_columns`; raises `UnusableInput` if the header is of no format."""
    if columns := _known_columns(header, named):
        return columns
    if "predicted_answer" in header:
        lacking = " and ".join(repr(column) for column in COLUMNS["kvpress CSV"] if column not in header)
        message = f"this kvpress file has no column {lacking}, so its predictions cannot be matched to examples"
        raise UnusableInput(message)
    if not header:
        raise UnusableInput(EMPTY)
    shown = repr(short(clean_text(",".join(header[:10]), "header")))
    if len(header) < 2:
        raise UnusableInput(f"the header is {shown}; it must be {','.join(OFFICIAL)}, in UTF-8 and with commas between")
    wanted = " and ".join(map(repr, named.values())) or f"{','.join(OFFICIAL)}, or id,prediction"
    raise UnknownColumns(
        f"the columns are {shown}; they must be {wanted}. Say which one holds the IDs, which the answers"
    )
