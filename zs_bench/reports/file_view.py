"""A scored file as the page looks at it: every answer with its losses, filtered, ordered, and opened one at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from zs_bench.catalog import FACTS
from zs_bench.reports.scored import ScoredFile, ScoredTask
from zs_bench.reports.scoring import Progress
from zs_metric.explain import PARTS, ledger_of_task
from zs_metric.results import ExampleResult

ANY = "any"
COLUMNS = ("Task", "Id", "Score", "Lost to", "Why", "Answer")
#: The table in the browser holds no more rows than stay quick; the filters reach all of them.
MOST_ROWS = 2_000


class AnswerRow(NamedTuple):
    """One answer of the file.

    Attributes:
        lost_to: the part of the ledger that took most, empty for a full score.
    """

    task: str
    id: str
    answer: str
    references: list[str]
    result: ExampleResult
    ledger: Mapping[str, float]
    lost_to: str


@dataclass(frozen=True, eq=False)
class FileView:
    """A scored file with its ledgers; equal to itself alone, since Gradio hashes what it keeps for a visitor.

    Attributes:
        ledgers: by task what `zs_metric.explain.ledger_of_task` gives.
        rows: every scored answer, worst first.
    """

    scored: ScoredFile
    ledgers: Mapping[str, Mapping[str, Any]]
    rows: Sequence[AnswerRow]


class Filter(NamedTuple):
    """What to show: a task and a kind of loss (or `ANY`), scores from and to, a text in id, answer or references.

    `None` is a field that a visitor emptied.
    """

    task: str = ANY
    lost_to: str = ANY
    low: float | None = 0
    high: float | None = 100
    text: str | None = ""


def look_at(scored: ScoredFile, progress: Progress | None = None) -> FileView:
    """The ledgers of every task and the rows of every answer."""
    tasks = {name: task for name, task in scored.tasks.items() if task.result is not None}
    ledgers: dict[str, Mapping[str, Any]] = {}
    rows: list[AnswerRow] = []
    for done, (name, task) in enumerate(tasks.items()):
        if progress:
            progress(done / len(tasks), f"ledger of {name}")
        ledgers[name] = _ledger(task)
        examples = task.result.examples if task.result else []
        parts = [example["ledger"] for example in ledgers[name]["examples"]]
        columns = zip(task.ids, task.predictions, task.references, examples, parts, strict=True)
        rows += [AnswerRow(name, *column, lost_to=_most(column[-1])) for column in columns]
    rows.sort(key=lambda row: row.result.score)
    return FileView(scored, ledgers, rows)


def _ledger(task: ScoredTask) -> dict[str, Any]:
    """Its ledger; the step to the task's score as the scores were aggregated."""
    ledger = ledger_of_task(task.task, task.predictions, task.references, benchmark=task.benchmark)
    step = (task.score or 0.0) - ledger["score"] if task.metric == "rouge" else 0.0
    return {**ledger, "aggregation": 0.0 if abs(step) < 1e-9 else step}


def _most(ledger: Mapping[str, float]) -> str:
    part = max(PARTS, key=lambda name: ledger[name])
    return part if ledger[part] > 0.005 else ""


def choose(view: FileView, wanted: Filter) -> list[AnswerRow]:
    """The rows that pass the filter, worst first."""
    text = (wanted.text or "").casefold()
    low, high = wanted.low or 0, 100 if wanted.high is None else wanted.high
    return [
        row
        for row in view.rows
        if wanted.task in (ANY, row.task)
        and wanted.lost_to in (ANY, row.lost_to)
        and low - 1e-9 <= row.result.score <= high + 1e-9
        and (not text or any(text in found.casefold() for found in (row.id, row.answer, *row.references)))
    ]


def cells(rows: Sequence[AnswerRow]) -> list[list[Any]]:
    """The rows as the table shows them."""
    return [
        [
            FACTS[row.task].title,
            row.id[:200],
            round(row.result.score, 4),
            row.lost_to,
            row.result.reason or "",
            row.answer[:300],
        ]
        for row in rows[:MOST_ROWS]
    ]
