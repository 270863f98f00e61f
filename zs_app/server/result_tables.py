"""Results of scored files, each an SQLite database: report, page, downloads, and tables of predictions.

A result has a random id, known only to the visitor's browser. It is kept for an hour after its last use. A filter of
the predictions becomes a query, so the server loads only the rows that it shows.
"""

import json
import os
import re
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import takewhile
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
#: The filters by the outcome of a question that two systems answered.
VERDICTS: Mapping[str, str] = {
    "first": "score > second_score",
    "second": "second_score > score",
    "same": "score = second_score",
    "first-right": f"score >= {RIGHT} AND second_score < {RIGHT}",
    "second-right": f"second_score >= {RIGHT} AND score < {RIGHT}",
}
#: The message of `ResultGone`.
GONE = "this report is no longer kept; score the file again"
_ID = re.compile("[0-9a-f]{64}")
# What the names of parts to download begin with.
_DOWNLOAD = "download "
_COLUMNS = (
    "task, id, refs, prediction, score REAL, lost_to, second, second_score REAL, second_lost_to, difference REAL, "
    "patterns, searched"
)
#: The columns that sort the answers, each with whether it does so downwards at first.
ORDERS = {"score": False, "second_score": False, "difference": True, "id": False, "lost_to": False, "prediction": False}
#: The bars in the picture of the scores: the lowest and the highest score of each.
BINS = ((0.0, 0.0), *((low, low + 10.0) for low in range(0, 100, 10)), (100.0, 100.0))
_BIN = "CASE WHEN score < 0.005 THEN 0 WHEN score >= 99.995 THEN 11 ELSE 1 + min(CAST(score / 10 AS INTEGER), 9) END"
_WHERE = (
    "(:task = 'any' OR task = :task) AND (:text = '' OR instr(searched, :text) > 0) "
    "AND (:lost_to = 'any' OR lost_to = :lost_to) "
    "AND (:low <= 0 AND :high >= 100 OR score BETWEEN :low - 1e-9 AND :high + 1e-9) "
    "AND (:pattern = 'any' OR instr(patterns, '|' || :pattern || '|') > 0)"
)


class ResultGone(ZeroScrollsError):
    """The result of that id is no longer kept."""


class Filter(NamedTuple):
    """A filter of the answers, and their order: a column of `ORDERS`, downwards or not.

    `task` and `lost_to` may be `ANY`; `verdict` is one of `VERDICTS` or `ANY`; `pattern` is a task and the name of its
    pattern, as in `qasper.refusal`, or `ANY`; `text` is searched in id, predictions and references. `None` is an
    emptied field.
    """

    task: str = ANY
    lost_to: str = ANY
    verdict: str = ANY
    pattern: str = ANY
    low: float | None = 0
    high: float | None = 100
    text: str | None = ""
    order: str = "score"
    down: bool | None = None


class Answer(NamedTuple):
    """One answer of a scored file and, of a comparison, that of the second system; `None` where there is none."""

    task: str
    id: str
    references: list[str]
    prediction: str | None
    score: float | None
    lost_to: str | None
    second: str | None
    second_score: float | None
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
            f"CREATE TABLE answers ({_COLUMNS})"
        )
        database.executemany("INSERT INTO parts VALUES (?, ?)", parts.items())


def write_answers(
    path: Path,
    first: Iterable[Any],
    second: Iterable[Any] = (),
    patterns: Iterable[tuple[str, str, Iterable[str]]] = (),
) -> None:
    """Write the answers of a result.

    Args:
        first: the `AnswerRow`s of the file, worst first.
        second: those of the second system, if there is one.
        patterns: the task, the name and the ids of each group of answers that can be asked for.
    """
    names: dict[tuple[str, str], str] = {}
    for task, name, ids in patterns:
        for id_ in ids:
            names[task, id_] = f"{names.get((task, id_), '|')}{task}.{name}|"
    others = {(row.task.name, row.id): row for row in second}
    pairs = [(row, others.pop((row.task.name, row.id), None)) for row in first]
    pairs += [(None, row) for row in others.values()]
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA synchronous=OFF")
        rows = (_row(*pair, names) for pair in pairs)
        database.executemany("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def _row(first: Any, second: Any, patterns: Mapping[tuple[str, str], str]) -> tuple[Any, ...]:
    row = first or second
    task, name = row.task.name, _clean(row.id)
    cells: list[Any] = []
    for answer in (first, second):
        cells += [_clean(answer.answer), answer.result.score, answer.lost_to] if answer else [None, None, None]
    difference = first.result.score - second.result.score if first and second else None
    searched = "\x1f".join(map(_clean, [row.id, cells[0] or "", cells[3] or "", *row.references])).casefold()
    return task, name, json.dumps(row.references), *cells, difference, patterns.get((task, row.id), ""), searched


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


def find_answers(result: object, wanted: Filter, most: int = FEW_ROWS) -> tuple[list[Answer], int, int]:
    """Return the answers that pass, their texts cut and without references, their number, and that of all answers.

    Raises:
        ResultGone: if there is no such result.
    """
    texts = "NULL, substr(prediction, 1, 300), score, lost_to, substr(second, 1, 300)"
    with _opened(result_path(result)) as database:
        (total,) = database.execute("SELECT count(*) FROM answers").fetchone()
        return *_find(database, f"task, id, {texts}, second_score, difference", wanted, most), total


def answer_at(result: object, wanted: Filter, place: int) -> tuple[Answer | None, int]:
    """Return the answer at a position among those that pass, or `None`, and their number; raises `ResultGone`."""
    fields = "task, id, refs, prediction, score, lost_to, second, second_score, difference"
    with _opened(result_path(result)) as database:
        rows, count = _find(database, fields, wanted, int(place >= 0), start=place)
    return (rows[0] if rows else None), count


def place_of(result: object, wanted: Filter, task: str, name: str) -> int:
    """Return the position of an answer among those that pass, 0 if it is not among them; raises `ResultGone`."""
    where, values = _condition(wanted)
    places = f"SELECT task, id, row_number() OVER (ORDER BY {_order(wanted)}) - 1 AS place FROM answers WHERE {where}"  # noqa: S608
    query = f"SELECT place FROM ({places}) WHERE task = :of AND id = :named"  # noqa: S608
    with _opened(result_path(result)) as database:
        row = database.execute(query, values | {"of": task, "named": _clean(name)}).fetchone()
    return row[0] if row else 0


def score_counts(result: object, wanted: Filter) -> list[int]:
    """Return how many of the answers that pass, whatever their score, are in each of the `BINS`."""
    where, values = _condition(wanted._replace(low=0, high=100))
    query = f"SELECT {_BIN}, count(*) FROM answers WHERE {where} AND score IS NOT NULL GROUP BY 1"  # noqa: S608
    with _opened(result_path(result)) as database:
        counts = dict(database.execute(query, values).fetchall())
    return [counts.get(i, 0) for i in range(len(BINS))]


def shared_prefixes(result: object) -> dict[str, str]:
    """Return by task what all its ids begin with, up to a character that is no letter or digit."""
    with _opened(result_path(result)) as database:
        ends = database.execute("SELECT task, min(id), max(id) FROM answers GROUP BY task").fetchall()
    prefixes = {}
    for task, first, last in ends:
        pairs = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
        prefixes[task] = re.sub(r"[^\W_]*\Z", "", "".join(letter for letter, _ in pairs))
    return prefixes


def _find(
    database: sqlite3.Connection, fields: str, wanted: Filter, most: int, *, start: int = 0
) -> tuple[list[Answer], int]:
    """Return the rows that pass, in their order, and their number."""
    where, values = _condition(wanted)
    values |= {"most": min(most, MAX_ROWS), "start": min(start, 10**9)}
    query = f"SELECT {fields} FROM answers WHERE {where} ORDER BY {_order(wanted)} LIMIT :most OFFSET :start"  # noqa: S608
    rows = [
        Answer._make([*row[:2], json.loads(row[2]) if row[2] else [], *row[3:]])
        for row in database.execute(query, values)
    ]
    (count,) = database.execute(f"SELECT count(*) FROM answers WHERE {where}", values).fetchone()  # noqa: S608
    return rows, count


def _condition(wanted: Filter) -> tuple[str, dict[str, Any]]:
    """Return the condition in SQL, and its values."""
    where = f"{_WHERE} AND ({VERDICTS[wanted.verdict]})" if wanted.verdict in VERDICTS else _WHERE
    values = {name: getattr(wanted, name) for name in ("task", "lost_to", "pattern")}
    high = 100 if wanted.high is None else wanted.high
    return where, values | {"low": wanted.low or 0, "high": high, "text": _clean(wanted.text or "").casefold()}


def _order(wanted: Filter) -> str:
    """Return the order in SQL; rows without a value come last."""
    order = wanted.order if wanted.order in ORDERS else "score"
    down = ORDERS[order] if wanted.down is None else wanted.down
    return f"{order} IS NULL, {order} {'DESC' if down else 'ASC'}, rowid"
