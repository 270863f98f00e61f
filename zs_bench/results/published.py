"""The published results as data: every row of the paper's Tables 3 and 4, and two later entries of the leaderboard.

Sources: ZeroSCROLLS (arXiv 2305.14196), Tables 3 and 4; the leaderboard's entries of 2023-08-07, which Llama 2 Long
(arXiv 2309.16039) prints. The numbers are in `data/published.json`, as printed: points with one decimal, on the test
split. An average is the plain mean of the ten tasks' scores, so a row that lacks one has none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import fsum

from zs_metric.tasks import TASKS, find_task

#: In place of a task's name: the mean of the ten.
AVERAGE = "average"
#: The rows to hold a score against: the naive answers, the best zero-shot model of the paper, people.
MARKS: Mapping[str, str] = {"naive": "Naive", "gpt4": "GPT-4 (v0314)", "human": "Human"}
MAIN_TABLE, LENGTH_TABLE = "Table 3", "Table 4"

#: How the paper comes by each number of its human row.
HUMAN_LINES: Mapping[str, str] = {
    "squality": "one reference against the other three",
    "qasper": "agreement of the annotators, on the ZeroSCROLLS subset",
    "narrative_qa": "agreement of the annotators, on the ZeroSCROLLS subset",
    "quality": "from the paper of the dataset",
    "musique": "from the paper of the dataset",
    "space_digest": "from five annotators",
}


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One row of a published table.

    Attributes:
        model: the system as the table names it.
        system: `naive`, `model` (zero-shot), `fine-tuned` or `human`.
        tokens: the longest input it was given; `None` where not said.
        scores: task name to points with one decimal, in the benchmark's order; `None` where the table has no number.
        average: as printed, in points; `None` where the table has none.
        split: what the numbers are on.
        table: `Table 3`, `Table 4` or `leaderboard`.
        arxiv: the paper that prints the row.
        date: of a leaderboard entry, else `None`.
    """

    model: str
    system: str
    tokens: int | None
    scores: Mapping[str, float | None]
    average: float | None
    split: str
    table: str
    arxiv: str
    date: str | None

    @property
    def label(self) -> str:
        """The model, with its input length where there is one: Table 4 has a model more than once."""
        return self.model if self.tokens is None else f"{self.model}, {self.tokens:,} tokens"

    @property
    def source(self) -> str:
        """Where the row stands, for people."""
        return ", ".join(filter(None, [self.table, self.date, f"arXiv {self.arxiv}"]))

    def points(self, task: str) -> float | None:
        """The row's number for that task, or for `AVERAGE`."""
        return self.average if task == AVERAGE else self.scores[task]


@cache
def load_published() -> tuple[PublishedRow, ...]:
    """All rows, in the order of the tables.

    >>> load_published()[0].model, load_published()[0].average
    ('Naive', 19.6)
    """
    text = (files("zs_bench") / "data" / "published.json").read_text(encoding="utf-8")
    return tuple(PublishedRow(**row) for row in json.loads(text))


def marks(task: str) -> dict[str, float | None]:
    """What a score of that task (or the `AVERAGE`) is held against, in points; `None` where the paper has no number.

    Raises:
        UnknownTask: with the likely name.

    >>> marks("space_digest")
    {'naive': 45.0, 'gpt4': 62.8, 'human': 93.3}
    """
    name = task if task == AVERAGE else find_task(task).name
    rows = {row.model: row for row in load_published() if row.table == MAIN_TABLE}
    return {key: rows[model].points(name) for key, model in MARKS.items()}


def row_average(row: PublishedRow) -> float | None:
    """The plain mean of the row's ten scores, in points; `None` when one is missing.

    >>> round(row_average(load_published()[0]), 2)
    19.63
    """
    scores = [score for task in TASKS if (score := row.scores[task]) is not None]
    return fsum(scores) / len(TASKS) if len(scores) == len(TASKS) else None


def systems() -> tuple[PublishedRow, ...]:
    """The systems a new one is ranked among: models of Table 3 and the leaderboard, zero-shot or fine-tuned.

    Table 4 holds the same models again, smaller or with less input; its rows would only fill the ranks below.
    """
    rows = load_published()
    return tuple(row for row in rows if row.system in ("model", "fine-tuned") and row.table != LENGTH_TABLE)


def by_input_length() -> dict[str, list[PublishedRow]]:
    """The models that were measured at several input lengths, shortest first: their rows of Tables 3 and 4.

    >>> {model: [row.tokens for row in rows] for model, rows in by_input_length().items()}
    {'Flan-T5-xxl': [512, 1024, 2048, 4096, 8192], 'Claude': [4096, 8000]}
    """
    groups: dict[str, list[PublishedRow]] = {}
    for row in load_published():
        if row.tokens is not None:
            groups.setdefault(row.model.partition(" (")[0], []).append(row)
    several = {model: rows for model, rows in groups.items() if len(rows) > 1}
    return {model: sorted(rows, key=lambda row: row.tokens or 0) for model, rows in several.items()}


def by_size() -> list[PublishedRow]:
    """Flan-T5 from the smallest to the largest, all with 8,192 tokens of input (Table 4; the largest, Table 3).

    >>> [row.model for row in by_size()]
    ['Flan-T5-s', 'Flan-T5-b', 'Flan-T5-l', 'Flan-T5-xl', 'Flan-T5-xxl']
    """
    sizes = [row for row in load_published() if row.model.startswith("Flan-T5") and row.tokens == 8192]
    return sorted(sizes, key=lambda row: row.table, reverse=True)
