"""A study: several runs side by side, task by task or by groups of examples, as text, JSON, CSV and HTML.

The model is Table 4 of the ZeroSCROLLS paper: the scores of one model at several input lengths.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timezone
from itertools import groupby
from typing import Any

from markupsafe import Markup

from zs_bench.problems import short
from zs_bench.reports.html.charts import Point, bar_chart, length_chart
from zs_bench.reports.html.environment import page, render
from zs_bench.reports.report import interval_as_json
from zs_bench.reports.report_text import ends
from zs_bench.reports.tables import csv_table, text_table
from zs_bench.scoring.groups import GroupScore, score_groups
from zs_bench.scoring.scored import ScoredFile
from zs_bench.tasks import info
from zs_metric.tasks import Task
from zs_metric.version import VERSION

SCHEMA = "zero-scrolls-study/1"
#: A number in a run's name from which on it is taken for an input length.
SHORTEST_INPUT = 256


@dataclass(frozen=True, slots=True)
class Run:
    """One run: its name, the input length in tokens (`None` when unknown), and the model or setting that it is of."""

    name: str
    tokens: int | None
    series: str


@dataclass(frozen=True, slots=True)
class StudyRow:
    """One line of the study.

    Attributes:
        task: the task; `None` for the mean over the tasks.
        group: the group of its examples; empty for all of them.
        scores: of each run; `None` where it has none.
        mean: what the mean is called: "average" over all tasks of the benchmark, else "mean of 3 tasks".
    """

    task: Task | None
    group: str
    scores: tuple[GroupScore | None, ...]
    mean: str = ""

    @property
    def name(self) -> str:
        """The name of the row's task, or of the mean."""
        return self.task.name if self.task else self.mean

    @property
    def title(self) -> str:
        """What people call the row's task, or the mean."""
        return info(self.task).title if self.task else self.mean.capitalize()


@dataclass(frozen=True, slots=True)
class Study:
    """Runs, and their scores row by row."""

    runs: tuple[Run, ...]
    rows: list[StudyRow]


def read_run_name(name: str, tokens: int | None = None, model: str | None = None) -> Run:
    """The run of that name; without `tokens` the input length is the last large number in the name.

    >>> read_run_name("llama-7b-8k"), read_run_name("first")
    (Run(name='llama-7b-8k', tokens=8192, series='llama-7b'), Run(name='first', tokens=None, series='first'))
    """
    series = name
    for found in reversed(list(re.finditer(r"(?<![\w.])(\d+)(k?)(?![\w.])", name.replace("_", " ")))):
        count = int(found[1]) * (1024 if found[2] else 1)
        if count >= SHORTEST_INPUT:
            tokens = tokens or count
            series = (name[: found.start()].rstrip("-_/ ") + name[found.end() :]).strip("-_/ ")
            break
    return Run(name, tokens, model or series or "score")


def study_runs(runs: Mapping[str, Run], scored: Mapping[str, ScoredFile]) -> Study:
    """The scores of the runs, a row per task that any of them has, and the average where all have the same tasks.

    Args:
        runs: the runs by name; they are put in the order of their models and input lengths.
        scored: what each of them scored, all on the same references.
    """
    ordered = sorted(runs, key=lambda name: (runs[name].series, runs[name].tokens or math.inf))
    files = [scored[name] for name in ordered]
    rows = [
        StudyRow(task, "", tuple(_score(one, task) for one in files))
        for task in files[0].of.all_tasks.values()
        if any(task.name in one.scored for one in files)
    ]
    if len({frozenset(one.scored) for one in files}) == 1 and files[0].benchmark and len(rows) > 1:
        averaged = [name for name in files[0].of.tasks if name in files[0].scored]
        mean = "average" if len(averaged) == len(files[0].of.tasks) else f"mean of {len(averaged)} tasks"
        rows.append(StudyRow(None, "", tuple(map(_average, files)), mean))
    return Study(tuple(runs[name] for name in ordered), rows)


def study_groups(
    runs: Mapping[str, Run], scored: Mapping[str, ScoredFile], groups: Mapping[str, Mapping[str, str]]
) -> Study:
    """The scores of the runs on groups of the examples of each task.

    Args:
        scored: what each of them scored, all on the same references.
        groups: task to id to the name of the example's group, in the order of the groups.
    """
    rows = []
    for name, of_ids in groups.items():
        found = [
            score_groups(one.scored[name], of_ids, one.rouge_aggregation) if name in one.scored else {}
            for one in scored.values()
        ]
        task = next(iter(scored.values())).of.all_tasks[name]
        present = [group for group in dict.fromkeys(of_ids.values()) if any(group in one for one in found)]
        rows += [StudyRow(task, group, tuple(one.get(group) for one in found)) for group in present]
    return Study(tuple(runs[name] for name in scored), rows)


def _score(scored: ScoredFile, task: Task) -> GroupScore | None:
    found = scored.scored.get(task.name)
    if found is None or found.score is None:
        return None
    return GroupScore(len(found.ids), found.score, found.interval)


def _average(scored: ScoredFile) -> GroupScore | None:
    if scored.benchmark is None:
        return None
    examples = sum(len(task.ids) for task in scored.scored.values())
    return GroupScore(examples, scored.benchmark.mean_of_tasks, scored.interval)


def as_text(study: Study) -> str:
    """The study for a terminal: a column of scores and one of 95 % intervals for each run."""
    head = ["task", "examples" if any(row.group for row in study.rows) else "", "n"]
    for run in study.runs:
        head += [short(run.name, 24), ""]
    grouped = any(row.group for row in study.rows)
    rows = []
    for row in study.rows:
        counts = {one.examples for one in row.scores if one}
        cells = [row.name, row.group if grouped else ""]
        cells.append("-".join(f"{count:,}" for count in sorted({min(counts), max(counts)})))
        for one in row.scores:
            cells += ["-", ""] if one is None else [f"{one.score:.2f}", ends(one.interval)]
        rows.append(cells)
    right = [2, *range(3, len(head), 2)]
    return "\n".join([*text_table([head, *rows], right=right), "", "In brackets: 95 % bootstrap intervals, in points."])


def as_json(study: Study) -> dict[str, Any]:
    """The study as JSON-able data: `runs`, and `rows` with `task` (or the name of the mean), `group` and `scores`."""
    return {
        "schema": SCHEMA,
        "runs": [{"name": run.name, "tokens": run.tokens, "series": run.series} for run in study.runs],
        "rows": [
            {
                "task": row.name,
                "group": row.group or None,
                "scores": {run.name: _as_json(one) for run, one in zip(study.runs, row.scores, strict=True)},
            }
            for row in study.rows
        ],
    }


def _as_json(one: GroupScore | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {"examples": one.examples, "score": one.score, "interval": interval_as_json(one.interval)}


def as_csv(study: Study) -> str:
    """The study as CSV, a line for each score."""
    lines: list[Sequence[Any]] = []
    for row in study.rows:
        for run, one in zip(study.runs, row.scores, strict=True):
            if one:
                low, high = (one.interval.low, one.interval.high) if one.interval else (None, None)
                lines.append([row.name, row.group, run.name, run.tokens, one.examples, one.score, low, high])
    return csv_table(("task", "group", "run", "tokens", "examples", "score", "low", "high"), lines)


def study_page(study: Study, *, day: date | None = None) -> str:
    """The study; scores over input lengths are lines, others bars."""
    rows = sorted(study.rows, key=lambda row: row.task is not None)  # the average first
    charts = [_chart(study, title, list(some)) for title, some in groupby(rows, key=lambda row: row.title)]
    body = render(
        "study.html",
        study=study,
        charts=charts,
        grouped=any(row.group for row in study.rows),
        ends=ends,
        day=day or datetime.now(timezone.utc).date(),
        version=VERSION,
    )
    return page("A study of runs", [body])


def _chart(study: Study, title: str, rows: list[StudyRow]) -> tuple[str, Markup]:
    if not rows[0].group and all(run.tokens for run in study.runs):
        lines: dict[str, list[Point]] = {}
        for run, one in zip(study.runs, rows[0].scores, strict=True):
            if one and run.tokens:
                bounds = (one.interval.low, one.interval.high) if one.interval else None
                lines.setdefault(run.series, []).append(Point(run.tokens, round(one.score, 1), bounds))
        return title, length_chart(lines, f"{title}, score by input length: {_in_words(lines)}")
    bars = {
        " · ".join(filter(None, [row.group, run.name if len(study.runs) > 1 or not row.group else ""])): one
        for row in rows
        for run, one in zip(study.runs, row.scores, strict=True)
        if one
    }
    intervals = {name: (one.interval.low, one.interval.high) for name, one in bars.items() if one.interval}
    label = f"{title}: " + ", ".join(f"{name} {one.score:.2f}" for name, one in bars.items())
    return title, bar_chart({name: one.score for name, one in bars.items()}, label, intervals=intervals)


def _in_words(lines: dict[str, list[Point]]) -> str:
    return "; ".join(
        f"{name}: " + ", ".join(f"{one.tokens:,} tokens {one.score}" for one in points)
        for name, points in lines.items()
    )
