"""The published results as data: every row of the papers' tables, and two later entries of the leaderboard.

Sources: ZeroSCROLLS (arXiv 2305.14196), Tables 3 and 4; the leaderboard's entries of 2023-08-07, which Llama 2 Long
(arXiv 2309.16039) prints; SCROLLS (arXiv 2201.03533), Table 2. The numbers are in `data/published.json`, as printed:
points on the test split. Where a table prints ROUGE-1, -2 and -L, as SCROLLS does, these three are kept and the task's
points are their geometric mean, unrounded. An average is the plain mean over the benchmark's tasks, so a row that lacks
one has none.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from math import fsum
from typing import Any

from zs_metric.rouge import geometric_mean
from zs_metric.tasks import find_benchmark, find_task

#: In place of a task's name: the mean over the benchmark's tasks.
AVERAGE = "average"
#: The rows to hold a score against, by their labels: the naive answers, the system of the paper that is best on
#: average (of ZeroSCROLLS the best zero-shot model), and people.
MARKS: Mapping[str, Mapping[str, str]] = {
    "zero_scrolls": {"naive": "Naive", "gpt4": "GPT-4 (v0314), 8,192 tokens", "human": "Human"},
    "scrolls": {"naive": "Naive", "best": "LED, 16,384 tokens"},
}
#: The table of the same models again, smaller or with less input.
LENGTH_TABLE = "Table 4"
#: How many decimals an average is printed with; a task's points have one.
AVERAGE_DECIMALS: Mapping[str, int] = {"zero_scrolls": 1, "scrolls": 2}

#: How the ZeroSCROLLS paper comes by each number of its human row.
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
        benchmark: the name of the benchmark.
        model: the system as the table names it.
        system: `naive`, `model` (zero-shot), `fine-tuned` or `human`.
        tokens: the longest input it was given; `None` where not said.
        scores: task name to points, in the benchmark's order; `None` where the table has no number.
        average: as printed, in points; `None` where the table has none.
        split: what the numbers are on.
        table: `Table 2`, `Table 3`, `Table 4` or `leaderboard`.
        arxiv: the paper that prints the row.
        date: of a leaderboard entry, else `None`.
        rouge: task name to the printed ROUGE-1, -2 and -L, where there are these: the score is their geometric mean.
    """

    benchmark: str
    model: str
    system: str
    tokens: int | None
    scores: Mapping[str, float | None]
    average: float | None
    split: str
    table: str
    arxiv: str
    date: str | None
    rouge: Mapping[str, Sequence[float]] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The model, with its input length where there is one: a model can be published more than once."""
        return self.model if self.tokens is None else f"{self.model}, {self.tokens:,} tokens"

    @property
    def source(self) -> str:
        """Where the row stands, for people."""
        return ", ".join(filter(None, [self.table, self.date, f"arXiv {self.arxiv}"]))

    def points(self, task: str) -> float | None:
        """The row's number for that task, or for `AVERAGE`."""
        return self.average if task == AVERAGE else self.scores[task]


def load_published(*, benchmark: str = "zero_scrolls") -> tuple[PublishedRow, ...]:
    """All rows of a benchmark, in the order of the tables.

    Raises:
        UnknownBenchmark: with the likely name.

    >>> load_published()[0].model, load_published()[0].average
    ('Naive', 19.6)
    >>> load_published(benchmark="scrolls")[-1].label
    'LED, 16,384 tokens'
    """
    name = find_benchmark(benchmark).name
    return tuple(row for row in _every_row() if row.benchmark == name)


@cache
def _every_row() -> tuple[PublishedRow, ...]:
    text = (files("zs_bench") / "data" / "published.json").read_text(encoding="utf-8")
    return tuple(map(_row, json.loads(text)))


def _row(data: Mapping[str, Any]) -> PublishedRow:
    """A row with the points of every task: as printed, or the geometric mean of the three that are."""
    rouge, scores = data.get("rouge", {}), data["scores"]
    tasks = find_benchmark(data["benchmark"]).all_tasks
    points = {task: geometric_mean(*rouge[task]) if task in rouge else scores[task] for task in tasks}
    return PublishedRow(**{**data, "scores": points})


def decimals(task: str, *, benchmark: str = "zero_scrolls") -> int:
    """How many decimals the benchmark's tables print of that task, or of the `AVERAGE`.

    Raises:
        UnknownBenchmark, UnknownTask: with the likely name.

    >>> decimals(AVERAGE), decimals(AVERAGE, benchmark="scrolls")
    (1, 2)
    """
    return AVERAGE_DECIMALS[benchmark] if _find(task, benchmark) == AVERAGE else 1


def _find(task: str, benchmark: str) -> str:
    """The name, checked: a task's of that benchmark, or `AVERAGE`."""
    find_benchmark(benchmark)
    return AVERAGE if task == AVERAGE else find_task(task, benchmark=benchmark).name


def marks(task: str, *, benchmark: str = "zero_scrolls") -> dict[str, float | None]:
    """What a score of that task (or the `AVERAGE`) is held against, in points; `None` where the paper has no number.

    Raises:
        UnknownBenchmark, UnknownTask: with the likely name, or the benchmark that has the task.

    >>> marks("space_digest")
    {'naive': 45.0, 'gpt4': 62.8, 'human': 93.3}
    >>> marks("contract_nli", benchmark="scrolls")
    {'naive': 66.0, 'best': 71.5}
    """
    name = _find(task, benchmark)
    rows = {row.label: row for row in load_published(benchmark=benchmark)}
    return {key: rows[label].points(name) for key, label in MARKS[benchmark].items()}


def row_average(row: PublishedRow) -> float | None:
    """The plain mean of the row's scores on its benchmark's tasks, in points; `None` when one is missing.

    >>> round(row_average(load_published()[0]), 2)
    19.63
    """
    tasks = find_benchmark(row.benchmark).tasks
    scores = [score for task in tasks if (score := row.scores[task]) is not None]
    return fsum(scores) / len(tasks) if len(scores) == len(tasks) else None


def systems(*, benchmark: str = "zero_scrolls") -> tuple[PublishedRow, ...]:
    """The systems a new one is ranked among: models of the main table and the leaderboard, zero-shot or fine-tuned.

    ZeroSCROLLS' Table 4 holds the same models again, smaller or with less input; its rows would only fill the ranks
    below. SCROLLS has one table, whose models are fine-tuned anew for each input length: each is a system.

    Raises:
        UnknownBenchmark: with the likely name.
    """
    rows = load_published(benchmark=benchmark)
    return tuple(row for row in rows if row.system in ("model", "fine-tuned") and row.table != LENGTH_TABLE)


def named_systems(*, benchmark: str = "zero_scrolls") -> dict[str, PublishedRow]:
    """The same systems by the shortest name that tells them apart: the model, with its input length if need be.

    Raises:
        UnknownBenchmark: with the likely name.

    >>> list(named_systems())[:2], list(named_systems(benchmark="scrolls"))[:2]
    (['T0pp', 'Flan-T5-xxl'], ['BART, 256 tokens', 'BART, 512 tokens'])
    """
    rows = systems(benchmark=benchmark)
    times = Counter(row.model for row in rows)
    return {row.model if times[row.model] == 1 else row.label: row for row in rows}


def by_input_length(*, benchmark: str = "zero_scrolls") -> dict[str, list[PublishedRow]]:
    """The models that were measured at several input lengths, shortest first, by name without version.

    Raises:
        UnknownBenchmark: with the likely name.

    >>> {model: [row.tokens for row in rows] for model, rows in by_input_length().items()}
    {'Flan-T5-xxl': [512, 1024, 2048, 4096, 8192], 'Claude': [4096, 8000]}
    """
    groups: dict[str, list[PublishedRow]] = {}
    for row in load_published(benchmark=benchmark):
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
