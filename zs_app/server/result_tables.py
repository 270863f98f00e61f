"""The predictions of a scored file and the questions of a comparison, as tables of an SQLite database.

A filter is a query, so that the server loads only the rows it shows.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from zs_app.server.temporary_files import ResultGone, result_folder

#: The value of a menu without a filter.
ANY = "any"
#: Rows shown at first and at most; filters apply to all rows.
FEW_ROWS, MAX_ROWS = 100, 2_000
#: The points from which a prediction counts as right in a comparison.
RIGHT = 50
#: The filters by result of the comparison on a question.
VERDICTS: Mapping[str, str] = {
    "first": "first_score > second_score",
    "second": "second_score > first_score",
    "same": "first_score = second_score",
    "first-right": f"first_score >= {RIGHT} AND second_score < {RIGHT}",
    "second-right": f"second_score >= {RIGHT} AND first_score < {RIGHT}",
}
_NAME = "tables.sqlite"
_ANSWERS = "place INTEGER PRIMARY KEY, task, id, score REAL, lost_to, reason, prediction, refs, searched"
_QUESTIONS = (
    "place INTEGER PRIMARY KEY, task, id, refs, first, second, first_score REAL, second_score REAL, "
    "difference REAL, searched"
)
_ORDERS = {
    "answers": ("score", "task", "id", "lost_to", "prediction"),
    "questions": ("difference", "task", "id", "first_score", "second_score"),
}


class Filter(NamedTuple):
    """A filter of predictions, and their order: by default the lowest scores first.

    `task` and `lost_to` may be `ANY`; `text` is searched in id, prediction and references. `None` is an emptied field.
    """

    task: str = ANY
    lost_to: str = ANY
    low: float | None = 0
    high: float | None = 100
    text: str | None = ""
    order: str = "score"
    down: bool = False


class QuestionFilter(NamedTuple):
    """A filter of the questions of a comparison by task, one of `VERDICTS`, and text; and their order."""

    task: str = ANY
    verdict: str = ANY
    text: str | None = ""
    order: str = "difference"
    down: bool = True


class Answer(NamedTuple):
    """One prediction of a scored file."""

    task: str
    id: str
    score: float
    lost_to: str
    reason: str
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
    difference: float | None


def write_tables(folder: Path, answers: Iterable[Any], questions: Iterable[Any] = ()) -> None:
    """Write the tables into the private folder of a result.

    Args:
        folder: the private folder.
        answers: the `AnswerRow`s, worst first.
        questions: the `Question`s of a comparison of two systems.
    """
    with closing(sqlite3.connect(folder / _NAME)) as database, database:
        # No journal and no sync: an incomplete database is never read.
        database.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; "
            f"CREATE TABLE answers ({_ANSWERS}); CREATE TABLE questions ({_QUESTIONS})"
        )
        database.executemany(f"INSERT INTO answers VALUES ({_marks(9)})", map(_answer, enumerate(answers)))  # noqa: S608
        database.executemany(f"INSERT INTO questions VALUES ({_marks(10)})", map(_question, enumerate(questions)))  # noqa: S608


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _answer(numbered: tuple[int, Any]) -> tuple[Any, ...]:
    place, row = numbered
    name, answer, references = _clean(row.id), _clean(row.answer), json.dumps(row.references)
    searched = _searched(name, answer, *row.references)
    result = row.result
    found = (result.score, row.lost_to, result.reason or "", answer, references)
    return (place, row.task.name, name, *found, searched)


def _question(numbered: tuple[int, Any]) -> tuple[Any, ...]:
    place, row = numbered
    texts = [None if text is None else _clean(text) for text in row.predictions]
    searched = _searched(row.id, *(text or "" for text in row.predictions), *row.references)
    references = json.dumps(list(row.references))
    return place, row.task, _clean(row.id), references, *texts, *row.scores, row.differences[0], searched


def _searched(*texts: str) -> str:
    return "\x1f".join(map(_clean, texts)).casefold()


def _clean(text: str) -> str:
    """The text without lone surrogates, which SQLite cannot store."""
    return text.encode("utf-8", "replace").decode("utf-8")


@contextmanager
def _opened(result: object) -> Iterator[sqlite3.Connection]:
    path = result_folder(result) / _NAME
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            yield database
    except sqlite3.OperationalError:
        raise ResultGone("this file is no longer kept; score it again") from None


def find_answers(result: object, wanted: Filter, most: int = FEW_ROWS) -> tuple[list[list[Any]], int, int]:
    """The rows that pass a filter, their number, and the number of all rows; raises `ResultGone`.

    A row is task, id, score, main loss, reason and prediction, with texts cut.
    """
    where, values = _condition(wanted)
    shown = "task, substr(id, 1, 200), score, lost_to, reason, substr(prediction, 1, 300)"
    with _opened(result) as database:
        rows = _rows(database, "answers", shown, where, values, wanted, min(most, MAX_ROWS))
        total = database.execute("SELECT count(*) FROM answers").fetchone()[0]
        return [list(row) for row in rows], _count(database, "answers", where, values), total


def answer_at(result: object, wanted: Filter, place: int) -> tuple[Answer | None, int]:
    """The prediction at a position among those that pass, or `None`, and their number; raises `ResultGone`."""
    where, values = _condition(wanted)
    fields = "task, id, score, lost_to, reason, prediction, refs"
    with _opened(result) as database:
        found = _rows(database, "answers", fields, where, values, wanted, 1, max(place, 0)) if place >= 0 else []
        answers = [Answer._make([*row[:-1], json.loads(row[-1])]) for row in found]
        return (answers[0] if answers else None), _count(database, "answers", where, values)


def find_questions(
    result: object, wanted: QuestionFilter, most: int = FEW_ROWS
) -> tuple[list[ComparedQuestion], int, int]:
    """The questions that pass a filter, their number, and the number of all questions; raises `ResultGone`."""
    values = {"task": wanted.task, "text": _clean(wanted.text or "").casefold()}
    where = "(:task = 'any' OR task = :task) AND (:text = '' OR instr(searched, :text) > 0)"
    where += f" AND ({VERDICTS[wanted.verdict]})" if wanted.verdict in VERDICTS else ""
    fields = ", ".join(ComparedQuestion._fields).replace("references", "refs")
    with _opened(result) as database:
        rows = _rows(database, "questions", fields, where, values, wanted, min(most, MAX_ROWS))
        found = [ComparedQuestion._make([*row[:2], json.loads(row[2]), *row[3:]]) for row in rows]
        total = database.execute("SELECT count(*) FROM questions").fetchone()[0]
        return found, _count(database, "questions", where, values), total


def _rows(
    database: sqlite3.Connection,
    table: str,
    fields: str,
    where: str,
    values: Mapping[str, Any],
    wanted: Filter | QuestionFilter,
    most: int,
    start: int = 0,
) -> list[Any]:
    """Rows of a table, ordered by one of its `_ORDERS`, then by position."""
    order = wanted.order if wanted.order in _ORDERS[table] else _ORDERS[table][0]
    way = "DESC" if wanted.down else "ASC"
    query = f"SELECT {fields} FROM {table} WHERE {where} ORDER BY {order} {way}, place LIMIT :most OFFSET :start"  # noqa: S608
    return database.execute(query, {**values, "most": most, "start": min(start, 10**9)}).fetchall()


def _count(database: sqlite3.Connection, table: str, where: str, values: Mapping[str, Any]) -> int:
    return int(database.execute(f"SELECT count(*) FROM {table} WHERE {where}", values).fetchone()[0])  # noqa: S608


def _condition(wanted: Filter) -> tuple[str, dict[str, Any]]:
    """The filter as an SQL condition and its values."""
    where = "(:task = 'any' OR task = :task) AND (:lost_to = 'any' OR lost_to = :lost_to)"
    where += " AND score BETWEEN :low - 1e-9 AND :high + 1e-9 AND (:text = '' OR instr(searched, :text) > 0)"
    values = {"task": wanted.task, "lost_to": wanted.lost_to, "low": wanted.low or 0}
    high = 100 if wanted.high is None else wanted.high
    return where, {**values, "high": high, "text": _clean(wanted.text or "").casefold()}
