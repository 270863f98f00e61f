"""Results of scored files, each an SQLite database: report, page, downloads, and tables of predictions.

A result has a random id, known only to the visitor's browser. It is kept for an hour after its last use. A filter of
the predictions becomes a query, so the server loads only the rows that it shows.
"""

import json
import os
import re
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from zs_app.server.temporary_files import result_folder
from zs_bench.scoring.report_data import Report
from zs_metric.errors import ZeroScrollsError

#: The value of a menu that filters nothing.
ANY = "any"
#: Rows shown at first and at most; filters apply to all rows.
FEW_ROWS, MAX_ROWS = 100, 2_000
#: The points from which a prediction counts as right in a comparison.
RIGHT = 50
#: The filters by the outcome of a question.
VERDICTS: Mapping[str, str] = {
    "first": "first_score > second_score",
    "second": "second_score > first_score",
    "same": "first_score = second_score",
    "first-right": f"first_score >= {RIGHT} AND second_score < {RIGHT}",
    "second-right": f"second_score >= {RIGHT} AND first_score < {RIGHT}",
}
#: The message of `ResultGone`.
GONE = "this report is no longer kept; score the file again"
_ID = re.compile("[0-9a-f]{64}")
# What the names of parts to download begin with.
_DOWNLOAD = "download "
_ANSWERS = "task, id, score REAL, lost_to, prediction, refs, patterns, searched"
_QUESTIONS = (
    "task, id, refs, first, second, first_score REAL, second_score REAL, "
    "first_lost_to, second_lost_to, difference REAL, searched"
)
_ORDERS = {
    "answers": ("score", "task", "id", "lost_to", "prediction"),
    "questions": ("difference", "task", "id", "first_score", "second_score"),
}
_CONDITIONS = {
    "answers": "(:lost_to = 'any' OR lost_to = :lost_to) AND score BETWEEN :low - 1e-9 AND :high + 1e-9 "
    "AND (:pattern = 'any' OR instr(patterns, '|' || :pattern || '|') > 0)",
    "questions": "TRUE",
}


class ResultGone(ZeroScrollsError):
    """The result of that id is no longer kept."""


class Filter(NamedTuple):
    """A filter of the predictions or of the compared questions, and their order.

    By default the lowest scores come first, or the largest differences. `task` and `lost_to` may be `ANY`; `verdict` is
    one of `VERDICTS` or `ANY`; `pattern` is a task and the name of its pattern, as in `qasper.refusal`, or `ANY`;
    `text` is searched in id, predictions and references. `None` is an emptied field.
    """

    task: str = ANY
    lost_to: str = ANY
    verdict: str = ANY
    pattern: str = ANY
    low: float | None = 0
    high: float | None = 100
    text: str | None = ""
    order: str = ""
    down: bool | None = None


class Answer(NamedTuple):
    """One prediction of a scored file."""

    task: str
    id: str
    prediction: str
    references: list[str]


class ComparedQuestion(NamedTuple):
    """One question with the predictions of two systems; `None` where a system has no scored prediction."""

    task: str
    id: str
    references: list[str]
    first: str | None
    second: str | None
    first_score: float | None
    second_score: float | None
    first_lost_to: str | None
    second_lost_to: str | None
    difference: float | None


def new_result() -> Path:
    """Return the path of a new result, whose stem is its id."""
    folder = result_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{secrets.token_hex(32)}.sqlite"


def write_result(
    path: Path, report: dict[str, Any], page: dict[str, Any], *, downloads: Mapping[str, str], scored: bytes = b""
) -> None:
    """Write a result without its tables.

    Args:
        report: the report, without examples.
        page: the data of the page.
        downloads: the texts of reports to download, by name.
        scored: the scored file, for further jobs.
    """
    parts = {"report": json.dumps(report).encode(), "page": json.dumps(page).encode(), "scored": scored}
    parts |= {f"{_DOWNLOAD}{name}": text.encode("utf-8", "replace") for name, text in downloads.items()}
    with closing(sqlite3.connect(path)) as database, database:
        # No journal and no sync: an incomplete database is never read.
        database.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; CREATE TABLE parts (name PRIMARY KEY, data); "
            f"CREATE TABLE answers ({_ANSWERS}); CREATE TABLE questions ({_QUESTIONS})"
        )
        database.executemany("INSERT INTO parts VALUES (?, ?)", parts.items())


def write_tables(
    path: Path,
    answers: Iterable[Any],
    questions: Iterable[Any] = (),
    compared: Sequence[Iterable[Any]] = ((), ()),
    patterns: Iterable[Any] = (),
) -> None:
    """Write the tables of a result.

    Args:
        answers: the `AnswerRow`s, worst first.
        questions: the `Question`s of a comparison of two systems.
        compared: the `AnswerRow`s of each of the two.
        patterns: the `Pattern`s of all tasks.
    """
    lost = [{(row.task.name, row.id): row.lost_to for row in rows} for rows in compared]
    names: dict[tuple[str, str], str] = {}
    for pattern in patterns:
        for id_ in pattern.ids:
            names[pattern.task, id_] = f"{names.get((pattern.task, id_), '|')}{pattern.task}.{pattern.name}|"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA synchronous=OFF")
        answer_rows = (_answer(row, names) for row in answers)
        database.executemany("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)", answer_rows)
        compared_rows = (_question(row, lost) for row in questions)
        database.executemany("INSERT INTO questions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", compared_rows)


def _answer(row: Any, patterns: Mapping[tuple[str, str], str]) -> tuple[Any, ...]:
    name, answer, references = _clean(row.id), _clean(row.answer), json.dumps(row.references)
    searched = _searched(name, answer, *row.references)
    found = patterns.get((row.task.name, row.id), "")
    return row.task.name, name, row.result.score, row.lost_to, answer, references, found, searched


def _question(row: Any, lost: Sequence[Mapping[tuple[str, str], str]]) -> tuple[Any, ...]:
    texts = [None if text is None else _clean(text) for text in row.predictions]
    searched = _searched(row.id, *(text or "" for text in row.predictions), *row.references)
    references = json.dumps(list(row.references))
    causes = [of.get((row.task, row.id)) for of in lost]
    return row.task, _clean(row.id), references, *texts, *row.scores, *causes, row.differences[0], searched


def _searched(*texts: str) -> str:
    return "\x1f".join(map(_clean, texts)).casefold()


def _clean(text: str) -> str:
    """The text without lone surrogates, which SQLite cannot store."""
    return text.encode("utf-8", "replace").decode("utf-8")


def result_path(result: object) -> Path:
    """Return the path of a result, which is kept for another hour.

    Raises:
        ResultGone: if there is no such result.
    """
    path = result_folder() / f"{result}.sqlite"
    if not isinstance(result, str) or not _ID.fullmatch(result) or not path.is_file():
        raise ResultGone(GONE)
    os.utime(path)
    return path


def kept_report(result: object) -> Report:
    """Return the report of a result, without examples; raises `ResultGone`."""
    report: Report = json.loads(_kept(result_path(result), "report"))
    return report


def kept_page(result: object) -> dict[str, Any]:
    """Return the data of the page for a result; raises `ResultGone`."""
    return dict(json.loads(_kept(result_path(result), "page")))


def kept_scored(path: Path) -> bytes:
    """Return the scored file of a result; raises `ResultGone`."""
    return _kept(path, "scored")


def download(result: object, name: str) -> bytes:
    """Return a report to download; raises `ResultGone`."""
    return _kept(result_path(result), f"{_DOWNLOAD}{name}")


def _kept(path: Path, name: str) -> bytes:
    with _opened(path) as database:
        row = database.execute("SELECT data FROM parts WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise ResultGone(GONE)
    return bytes(row[0])


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            yield database
    except sqlite3.DatabaseError:
        raise ResultGone(GONE) from None


def find_answers(result: object, wanted: Filter, most: int = FEW_ROWS) -> tuple[list[Any], int, int]:
    """The rows that pass a filter, their number, and the number of all rows; raises `ResultGone`.

    A row is task, id, score, main loss and prediction, with texts cut.
    """
    fields = "task, substr(id, 1, 200), score, lost_to, substr(prediction, 1, 300)"
    return _find(result, "answers", fields, wanted, most)


def answer_at(result: object, wanted: Filter, place: int) -> tuple[Answer | None, int]:
    """The prediction at a position among those that pass, or `None`, and their number; raises `ResultGone`."""
    rows, found, _ = _find(result, "answers", "task, id, prediction, refs", wanted, int(place >= 0), start=place)
    answers = [Answer._make([*row[:-1], json.loads(row[-1])]) for row in rows]
    return (answers[0] if answers else None), found


def find_questions(result: object, wanted: Filter, most: int = FEW_ROWS) -> tuple[list[ComparedQuestion], int, int]:
    """The questions that pass a filter, their number, and the number of all questions; raises `ResultGone`."""
    fields = ", ".join(ComparedQuestion._fields).replace("references", "refs")
    rows, found, total = _find(result, "questions", fields, wanted, most)
    return [ComparedQuestion._make([*row[:2], json.loads(row[2]), *row[3:]]) for row in rows], found, total


def _find(
    result: object, table: str, fields: str, wanted: Filter, most: int, *, start: int = 0
) -> tuple[list[Any], int, int]:
    """The rows of a table that pass, ordered by one of its `_ORDERS`, their number, and the number of all rows."""
    where = f"(:task = 'any' OR task = :task) AND (:text = '' OR instr(searched, :text) > 0) AND {_CONDITIONS[table]}"
    if table == "questions" and wanted.verdict in VERDICTS:
        where += f" AND ({VERDICTS[wanted.verdict]})"
    order = wanted.order if wanted.order in _ORDERS[table] else _ORDERS[table][0]
    way = "DESC" if (table == "questions" if wanted.down is None else wanted.down) else "ASC"
    values = {**wanted._asdict(), "low": wanted.low or 0, "high": 100 if wanted.high is None else wanted.high}
    values |= {"text": _clean(wanted.text or "").casefold(), "most": min(most, MAX_ROWS), "start": min(start, 10**9)}
    with _opened(result_path(result)) as database:
        query = f"SELECT {fields} FROM {table} WHERE {where} ORDER BY {order} {way}, rowid LIMIT :most OFFSET :start"  # noqa: S608
        rows = database.execute(query, values).fetchall()
        (found,) = database.execute(f"SELECT count(*) FROM {table} WHERE {where}", values).fetchone()  # noqa: S608
        (total,) = database.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608
        return rows, found, total
