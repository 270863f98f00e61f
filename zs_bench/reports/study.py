"""A study: several runs side by side, task by task or by groups of examples, as text, JSON and CSV.

Its pattern is Table 4 of the ZeroSCROLLS paper: the scores of one model at several input lengths.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from zs_bench.notebook import ShownInNotebooks
from zs_bench.problems import short
from zs_bench.reports.report import AS_IF, format_interval, interval_as_json, interval_ends
from zs_bench.reports.tables import Table
from zs_bench.scoring.compare import GroupScore, score_groups
from zs_bench.scoring.scored import ScoredFile
from zs_bench.statistics.intervals import LEVEL, METHOD_IN_WORDS

SCHEMA = "zero-scrolls-study/1"
#: The smallest number in a run's name that is taken for an input length.
SHORTEST_INPUT = 256


class Run(NamedTuple):
    """One run: its name, the input length in tokens (`None` if unknown), and its model or setting."""

    name: str
    tokens: int | None
    series: str


class StudyRow(NamedTuple):
    """The scores of every run (`None` where it has none) on a task, on a group of its examples, or of their mean."""

    name: str
    title: str
    scores: tuple[GroupScore | None, ...]
    group: str = ""
    mean: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Study(ShownInNotebooks):
    """Runs, and their scores row by row."""

    runs: tuple[Run, ...]
    rows: list[StudyRow]

    @property
    def grouped(self) -> bool:
        return any(row.group for row in self.rows)


def read_run_name(name: str, tokens: int | None = None, model: str | None = None) -> Run:
    """Return the run of that name; without `tokens` the input length is the last large number in the name.

    >>> read_run_name("llama-7b-8k"), read_run_name("first")
    (Run(name='llama-7b-8k', tokens=8192, series='llama-7b'), Run(name='first', tokens=None, series='first'))
    """
    series = name
    for number in reversed(list(re.finditer(r"(?<![\w.])(\d+)(k?)(?![\w.])", name.replace("_", " ")))):
        count = int(number[1]) * (1024 if number[2] else 1)
        if count >= SHORTEST_INPUT:
            tokens = tokens or count
            series = (name[: number.start()].rstrip("-_/ ") + name[number.end() :]).strip("-_/ ")
            break
    return Run(name, tokens, model or series or "score")


def study_runs(runs: Mapping[str, Run], scored: Mapping[str, ScoredFile]) -> Study:
    """Return the scores by task, and the average where all runs have the same tasks; runs by model and input length."""
    ordered = sorted(runs, key=lambda name: (runs[name].series, runs[name].tokens or math.inf))
    files = [scored[name] for name in ordered]
    benchmark, rows = files[0].benchmark, []
    for task in benchmark.all_tasks.values():
        found = [file.scored.get(task.name) for file in files]
        if any(found):
            scores = (GroupScore(each.answered, each.score or 0.0, each.interval) if each else None for each in found)
            rows.append(StudyRow(task.name, task.title, tuple(scores)))
    if len({frozenset(file.scored) for file in files}) == 1 and len(rows) > 1:
        count = sum(name in files[0].scored for name in benchmark.tasks)
        mean = "average" if count == len(benchmark.tasks) else f"mean of {count} tasks"
        means = tuple(
            GroupScore(sum(task.answered for task in file.scored.values()), file.result.mean_of_tasks, file.interval)
            for file in files
            if file.result
        )
        rows += [StudyRow(mean, mean.capitalize(), means, mean=True)] if means else []
    return Study(tuple(runs[name] for name in ordered), rows)


def study_groups(
    runs: Mapping[str, Run], scored: Mapping[str, ScoredFile], groups: Mapping[str, Mapping[str, str]]
) -> Study:
    """Return the scores of the runs on groups of examples: task to id to the name of the group, in their order."""
    rows = []
    for name, group_of in groups.items():
        scores = [
            score_groups(file.scored[name], group_of, file.rouge_aggregation) if name in file.scored else {}
            for file in scored.values()
        ]
        title = next(iter(scored.values())).benchmark.all_tasks[name].title
        present = (group for group in dict.fromkeys(group_of.values()) if any(group in run for run in scores))
        rows += [StudyRow(name, title, tuple(run.get(group) for run in scores), group) for group in present]
    return Study(tuple(runs[name] for name in scored), rows)


def as_text(study: Study) -> str:
    return f"{table(study).text()}\n\nIn brackets: {about_intervals()}"


def about_intervals() -> str:
    """Return what the intervals of a study are and assume, as the rest of a sentence."""
    return f"{LEVEL:g} % intervals, in points ({METHOD_IN_WORDS}), {AS_IF}."


def table(study: Study) -> Table:
    head = ["task", "examples" if study.grouped else "", "n"]
    head += [cell for run in study.runs for cell in (short(run.name, 24), "")]
    rows = []
    for row in study.rows:
        counts = {score.examples for score in row.scores if score}
        cells = [row.name, row.group, "-".join(f"{count:,}" for count in sorted({min(counts), max(counts)}))]
        for score in row.scores:
            cells += [f"{score.score:.2f}", format_interval(score.interval)] if score else ["-", ""]
        rows.append(cells)
    return Table(head, rows, right=[2, *range(3, len(head), 2)])


def as_json(study: Study) -> dict[str, Any]:
    """Return the study as JSON-able data: `runs`, and `rows` with `task` (or the mean), `group` and `scores`."""
    rows = []
    for row in study.rows:
        scores = {
            run.name: score and asdict(score) | {"interval": interval_as_json(score.interval)}
            for run, score in zip(study.runs, row.scores, strict=True)
        }
        rows.append({"task": row.name, "group": row.group or None, "scores": scores})
    return {"schema": SCHEMA, "runs": [run._asdict() for run in study.runs], "rows": rows}


def score_table(study: Study) -> Table:
    """Return a row for each score, its numbers unrounded, for CSV and frames."""
    lines = [
        (row.name, row.group, run.name, run.tokens, score.examples, score.score, *interval_ends(score.interval))
        for row in study.rows
        for run, score in zip(study.runs, row.scores, strict=True)
        if score
    ]
    return Table(("task", "group", "run", "tokens", "examples", "score", "low", "high"), lines)
