"""Results of scored files, each an SQLite database: report, page, what a download is made of, and the answers.

A result has a random id, known only to the visitor's browser. It is kept for an hour after its last use. A filter of
the answers becomes a query, so the server loads only the rows that it shows.
"""

import json
import os
import re
import secrets
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from zs_app.server.temporary_files import Gone, result_folder
from zs_bench.answers import Answer
from zs_bench.benchmarks import Benchmark
from zs_bench.benchmarks.own import benchmark_of_content
from zs_bench.scoring.report_data import Report
from zs_metric.texts import clean_text

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
#: The columns that sort the answers, each with whether it does so downwards at first.
ORDERS = dict.fromkeys(("score", "second_score", "difference", "id", "lost_to"), False)
#: The bars in the picture of the scores: the lowest and the highest score of each.
BINS = ((0.0, 0.0), *((low, low + 10.0) for low in range(0, 100, 10)), (100.0, 100.0))
_BIN = "CASE WHEN score < 0.005 THEN 0 WHEN score >= 99.995 THEN 11 ELSE 1 + min(CAST(score / 10 AS INTEGER), 9) END"
# No journal and no sync: an incomplete database is never read.
_TABLES = """
PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; CREATE TABLE parts (name PRIMARY KEY, data);
CREATE TABLE answers (
    task, id, refs, prediction, score REAL, lost_to, second, second_score REAL, difference REAL, patterns
);
"""
_WHERE = (
    "(:task = 'any' OR task = :task) AND (:text = '' OR holds(:text, id, refs, prediction, second)) "
    "AND (:lost_to = 'any' OR lost_to = :lost_to) "
    "AND (:low <= 0 AND :high >= 100 OR score BETWEEN :low - 1e-9 AND :high + 1e-9) "
    "AND (:pattern = 'any' OR instr(patterns, '|' || :pattern || '|') > 0) "
    "AND (:group = 'any' OR instr(patterns, '|' || :group || '|') > 0)"
)


class ResultGone(Gone):
    """The result of that id is no longer kept."""

    def __init__(self) -> None:
        super().__init__("this report is no longer kept; ask for the exported one, or score the file again")


class Filter(NamedTuple):
    """A filter of the answers, and their order: a column of `ORDERS`, downwards or not.

    `verdict` is one of `VERDICTS`; `pattern` and `group` are a task and the name of its pattern or group of questions,
    as in `qasper.refusal` and `musique.2 hops`; `text` is searched in id, predictions and references.
    """

    task: str = ANY
    lost_to: str = ANY
    verdict: str = ANY
    pattern: str = ANY
    group: str = ANY
    low: float = 0
    high: float = 100
    text: str = ""
    order: str = "score"
    down: bool | None = None


class StoredAnswer(NamedTuple):
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
    result_folder().mkdir(parents=True, exist_ok=True)
    return result_folder() / f"{secrets.token_hex(32)}.sqlite"


def write_result(
    path: Path,
    report: Mapping[str, Any],
    page: Mapping[str, Any],
    systems: bytes = b"",
    *,
    answers: Iterable[tuple[Answer | None, ...]] = (),
    patterns: Iterable[tuple[str, str, Iterable[str]]] = (),
) -> None:
    """Write a result: its report without examples, and the data of the page.

    `systems` are the scored files for further jobs, `answers` those of the two systems to each question, worst first,
    and `patterns` the task, the name and the ids of each group of answers that can be asked for.
    """
    parts = {"report": json.dumps(report).encode(), "page": json.dumps(page).encode(), "systems": systems}
    groups: dict[tuple[str, str], str] = defaultdict(lambda: "|")
    for task, name, ids in patterns:
        for id_ in ids:
            groups[task, id_] += f"{task}.{name}|"
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(_TABLES)
        database.executemany("INSERT INTO parts VALUES (?, ?)", parts.items())
        rows = (_row(first, second, groups) for first, second in answers)
        database.executemany("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def _row(first: Answer | None, second: Answer | None, groups: Mapping[tuple[str, str], str]) -> tuple[Any, ...]:
    """Return a row of the table; SQLite cannot store lone surrogates."""
    text, other = (clean_text(side.text, "") if side else None for side in (first, second))
    score, other_score = (side.result.score if side else None for side in (first, second))
    difference = None if score is None or other_score is None else other_score - score
    task, name, texts = next((row.task.name, row.id, row.references) for row in (first, second) if row)
    cells = [json.dumps(texts), text, score, first and first.lost_to, other, other_score, difference]
    return task, clean_text(name, ""), *cells, groups[task, name]


def _holds(wanted: str, name: str, references: str, *texts: str | None) -> bool:
    """Return whether an id, a text or a reference (a JSON list of them) holds the text, in whatever case."""
    return any(wanted in clean_text(text, "").casefold() for text in (name, *json.loads(references), *texts) if text)


def result_path(result: object) -> Path:
    """Return the path of a result, which is kept for another hour; raises `ResultGone`."""
    path = result_folder() / f"{result}.sqlite"
    if not isinstance(result, str) or not re.fullmatch("[0-9a-f]{64}", result) or not path.is_file():
        raise ResultGone
    os.utime(path)
    return path


@contextmanager
def opened(result: object) -> Iterator["Result"]:
    """Open a result, by its id; raises `ResultGone`, also for what is read in it."""
    path = f"{result_path(result).absolute().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(path, uri=True)) as database:
            database.create_function("holds", 5, _holds)
            yield Result(database)
    except sqlite3.DatabaseError:
        raise ResultGone from None


@lru_cache(64)
def _own_benchmark(tables: str) -> Benchmark:
    return benchmark_of_content(json.loads(tables))


@dataclass(frozen=True)
class Result:
    """A result that is open for reading."""

    database: sqlite3.Connection

    @property
    def report(self) -> Report:
        """The report, without examples; for one's own benchmark its `definition` is the `Benchmark`."""
        report: Report = json.loads(self.part("report"))
        if tables := report.get("definition"):
            report["definition"] = _own_benchmark(json.dumps(tables))  # type: ignore[typeddict-item]
        return report

    @property
    def page(self) -> dict[str, Any]:
        """The data of the page."""
        return dict(json.loads(self.part("page")))

    def part(self, name: str) -> bytes:
        """Return a part as it was written."""
        rows = self.database.execute("SELECT data FROM parts WHERE name = ?", [name]).fetchall()
        if not rows:
            raise ResultGone
        return bytes(rows[0][0])

    def answers(self, wanted: Filter, most: int = FEW_ROWS) -> tuple[list[StoredAnswer], int, int]:
        """Return the answers that pass, their texts cut and without references, their number, and that of all."""
        texts = "'[]', substr(prediction, 1, 300), score, lost_to, substr(second, 1, 300)"
        ((total,),) = self._select(Filter(), "count(*)")
        return *self._answers(wanted, texts, min(most, MAX_ROWS), 0), total

    def answer(self, wanted: Filter, place: int) -> tuple[StoredAnswer | None, int, int]:
        """Return the answer at a position among those that pass, the nearest one if there are fewer, or `None`; its
        position; and their number.
        """
        place, texts = max(0, place), "refs, prediction, score, lost_to, second"
        rows, count = self._answers(wanted, texts, 1, place)
        if place and not rows:
            place = max(0, count - 1)
            rows, _ = self._answers(wanted, texts, 1, place)
        return (rows[0] if rows else None), place, count

    def _answers(self, wanted: Filter, texts: str, most: int, start: int) -> tuple[list[StoredAnswer], int]:
        """Return up to that many answers that pass from a position on, and the number of all that do."""
        columns, end = f"task, id, {texts}, second_score, difference", f"{_order(wanted)} LIMIT {most} OFFSET {start}"
        rows, ((count,),) = self._select(wanted, columns, end), self._select(wanted, "count(*)")
        return [
            StoredAnswer(task, name, json.loads(references), *cells) for task, name, references, *cells in rows
        ], count

    def place_of(self, wanted: Filter, task: str, name: str) -> int:
        """Return the position of an answer among those that pass, 0 if it is not one of them."""
        names = self._select(wanted, "task, id", _order(wanted))
        answer = (task, clean_text(name, ""))
        return names.index(answer) if answer in names else 0

    def score_counts(self, wanted: Filter) -> list[int]:
        """Return how many of the answers that pass, whatever their score, are in each of the `BINS`."""
        anything = wanted._replace(low=0, high=100)
        counts = dict(self._select(anything, f"{_BIN}, count(*)", "AND score IS NOT NULL GROUP BY 1"))
        return [counts.get(i, 0) for i in range(len(BINS))]

    def shared_prefixes(self) -> dict[str, str]:
        """Return by task what all its ids begin with, up to a character that is no letter or digit."""
        prefixes = {}
        for task, first, last in self._select(Filter(), "task, min(id), max(id)", "GROUP BY task"):
            pairs = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
            shared = "".join(letter for letter, _ in pairs)
            end = "".join(takewhile(str.isalnum, reversed(shared)))
            prefixes[task] = shared[: len(shared) - len(end)]
        return prefixes

    def _select(self, wanted: Filter, columns: str, end: str = "") -> list[Any]:
        """Return these columns of the rows that pass."""
        verdict = f"AND ({VERDICTS[wanted.verdict]})" if wanted.verdict in VERDICTS else ""
        values = wanted._asdict() | {"text": clean_text(wanted.text, "").casefold()}
        query = f"SELECT {columns} FROM answers WHERE {_WHERE} {verdict} {end}"  # noqa: S608  (no part is a visitor's)
        return self.database.execute(query, values).fetchall()


def _order(wanted: Filter) -> str:
    """Return the order in SQL; rows without a value come last."""
    order = wanted.order if wanted.order in ORDERS else "score"
    down = ORDERS[order] if wanted.down is None else wanted.down
    return f"ORDER BY {order} IS NULL, {order} {'DESC' if down else 'ASC'}, rowid"
