"""The published results as data: every row of the papers' tables, and two later entries of the leaderboard.

Sources: ZeroSCROLLS (arXiv 2305.14196), Tables 3 and 4; the leaderboard's entries of 2023-08-07, which Llama 2 Long
(arXiv 2309.16039) prints; SCROLLS (arXiv 2201.03533), Table 2. `published.json` in a benchmark's folder has the numbers
as printed: points on the test split. Where a table prints ROUGE-1, -2 and -L, as for SCROLLS, the task's points are
their geometric mean, unrounded. An average is the plain mean over all tasks of the benchmark.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import fmean

from zs_bench.benchmarks import Benchmark, Task, find_benchmark, find_task
from zs_metric.rouge import geometric_mean

#: The name of the mean over the benchmark's tasks, beside the names of the tasks.
AVERAGE = "average"
#: The table with smaller models and shorter inputs than ZeroSCROLLS' main table.
LENGTH_TABLE = "Table 4"

#: What a published number belongs to: a task, or a benchmark for the average over its tasks.
Scored = Task | Benchmark
#: The kinds of rows that are baselines rather than systems.
YARDSTICKS = ("naive", "no document", "human")
OFFICIAL = "official"


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One row of a published table; what the table does not say is `None`.

    Attributes:
        model: the system as in the table, with its method if several rows have the same model.
        kind: `zero-shot`, `fine-tuned`, `retrieval` and so on; for rows that are not systems one of `YARDSTICKS`.
        tokens: the maximum input length.
        scores: task name to points, in the benchmark's order.
        average: as printed, in points, over the number of tasks in `average_over` if they are fewer than all.
        split: `test`, `validation` or `unknown`; `split_from` says how it is known, if the paper is another.
        table: the table in the paper, or `leaderboard`, whose entries have a `date`.
        rouge: task name to the printed ROUGE-1, -2 and -L, if the table prints these.
        metric: `OFFICIAL`, or a description of the metrics; `other_metrics` has it by task.
        half_widths: task name to half the width of the printed 95 % interval, in points.
    """

    benchmark: Benchmark
    model: str
    kind: str
    tokens: int | None
    scores: Mapping[str, float | None]
    average: float | None
    split: str
    year: int
    table: str
    arxiv: str
    date: str | None = None
    rouge: Mapping[str, Sequence[float]] = field(default_factory=dict)
    average_over: int | None = None
    split_from: str = ""
    metric: str = OFFICIAL
    other_metrics: Mapping[str, str] = field(default_factory=dict)
    half_widths: Mapping[str, float] = field(default_factory=dict)
    caveats: Sequence[str] = ()

    @property
    def label(self) -> str:
        """The model with its input length, if known: a model can have several rows."""
        return self.model if self.tokens is None else f"{self.model}, {self.tokens:,} tokens"

    @property
    def source(self) -> str:
        """The publication that prints the row."""
        return ", ".join(filter(None, [self.table, self.date, f"arXiv {self.arxiv}"]))

    @property
    def mean(self) -> float | None:
        """The plain mean of the scores on the benchmark's tasks, in points; `None` when one is missing."""
        scores = [self.scores[task] for task in self.benchmark.tasks]
        return None if None in scores else fmean(score or 0.0 for score in scores)

    def points(self, scored: Scored) -> float | None:
        """Return the row's number for a task or, printed or computed, for the average of its benchmark.

        `None` for a number of another definition and for an average over fewer tasks.
        """
        if isinstance(scored, Task):
            return None if scored.name in self.other_metrics else self.scores.get(scored.name)
        if self.average_over is not None:
            return None
        return self.mean if self.average is None else self.average


def load_published(*, benchmark: str | Benchmark = "zero_scrolls") -> tuple[PublishedRow, ...]:
    """Return all rows of a benchmark, in the order of the tables.

    >>> load_published()[0].model, load_published()[0].average
    ('Naive', 19.6)
    >>> load_published(benchmark="scrolls")[-1].label
    'CoLT5-large, 16,384 tokens'
    """
    return _rows_of(find_benchmark(benchmark))


@lru_cache(64)
def _rows_of(benchmark: Benchmark) -> tuple[PublishedRow, ...]:
    """Return the rows with the points of every task: as printed, or the geometric mean of three printed numbers."""
    path, rows = benchmark.file("published.json"), []
    for row in json.loads(path.read_text(encoding="utf-8")) if path else ():
        rouge, scores = row.get("rouge", {}), row["scores"]
        points = {
            task: geometric_mean(*rouge[task]) if task in rouge else scores.get(task) for task in benchmark.all_tasks
        }
        rows.append(PublishedRow(**{**row, "benchmark": benchmark, "scores": points}))
    return tuple(rows)


def find_scored(name: str, *, benchmark: str | Benchmark = "zero_scrolls") -> Scored:
    """Return the task of that name, or for `AVERAGE` the benchmark."""
    return find_benchmark(benchmark) if name == AVERAGE else find_task(name, benchmark=benchmark)


def benchmark_of(scored: Scored) -> Benchmark:
    """Return the benchmark of a task or average."""
    return scored.benchmark if isinstance(scored, Task) else scored


def marks(scored: Scored) -> dict[str, float | None]:
    """Return the published scores to compare a score with, in points; `None` if the paper has no number.

    >>> marks(find_task("space_digest"))
    {'naive': 45.0, 'gpt4': 62.8, 'human': 93.3}
    >>> marks(find_task("contract_nli", benchmark="scrolls"))
    {'naive': 66.0, 'best': 71.5}
    """
    benchmark = benchmark_of(scored)
    rows = {row.label: row for row in load_published(benchmark=benchmark)}
    return {key: rows[label].points(scored) for key, label in benchmark.marks.items()}


def systems(*, benchmark: str | Benchmark = "zero_scrolls", split: str = "test") -> tuple[PublishedRow, ...]:
    """Return the systems among which a score on the split is ranked.

    ZeroSCROLLS' Table 4 repeats models of its Table 3, smaller or with shorter inputs, and is left out. In the table of
    SCROLLS, models are fine-tuned separately for each input length, so each row is a system.
    """
    rows = (row for row in load_published(benchmark=benchmark) if row.split == split)
    return tuple(row for row in rows if row.kind not in YARDSTICKS and row.table != LENGTH_TABLE)


def named_systems(*, benchmark: str | Benchmark = "zero_scrolls", split: str = "test") -> dict[str, PublishedRow]:
    """Return the systems by their shortest unique name: the model, with input length and paper if needed.

    >>> list(named_systems())[:2], list(named_systems(benchmark="scrolls"))[:2]
    (['T0pp', 'Flan-T5-xxl'], ['BART, 256 tokens', 'BART, 512 tokens'])
    """
    rows = systems(benchmark=benchmark, split=split)
    models, labels = Counter(row.model for row in rows), Counter(row.label for row in rows)

    def name(row: PublishedRow) -> str:
        if models[row.model] == 1:
            return row.model
        return row.label if labels[row.label] == 1 else f"{row.label}, arXiv {row.arxiv}"

    return {name(row): row for row in rows}


def by_input_length(*, benchmark: str | Benchmark = "zero_scrolls") -> dict[str, list[PublishedRow]]:
    """Return the models measured on the test split at several input lengths, shortest first, by name without version.

    >>> {model: [row.tokens for row in rows] for model, rows in by_input_length().items()}
    {'Flan-T5-xxl': [512, 1024, 2048, 4096, 8192], 'Claude': [4096, 8000]}
    """
    groups: dict[str, list[PublishedRow]] = {}
    for row in sorted(load_published(benchmark=benchmark), key=lambda row: row.tokens or 0):
        if row.tokens is not None and row.split == "test":
            groups.setdefault(row.model.partition(" (")[0], []).append(row)
    return {model: rows for model, rows in groups.items() if len({row.tokens for row in rows}) > 1}
