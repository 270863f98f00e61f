"""The published results as one table with a body per split, with files scored here as rows of it, and as CSV.

`zs_app/tabs/results.py` filters and sorts the rows.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from zs_bench.benchmarks import Benchmark, benchmark_of_report
from zs_bench.published import YARDSTICKS, PublishedRow, load_published, rank_report
from zs_bench.reports.html import render
from zs_bench.reports.tables import Table

if TYPE_CHECKING:
    from zs_bench.scoring.report_data import Report

#: The bodies of the table, in this order: a name for the address, the heading, and why it is apart.
GROUPS = {
    "own": ("Your files", ""),
    "test": ("Test split", "scored on the leaderboard’s private references"),
    "validation": (
        "Validation split",
        "10 to 28 examples a task, so intervals of ±3 to ±20: compare within this group only",
    ),
    "unknown": ("Split not stated", "the paper does not say, so these compare with no other group"),
}


class Cell(NamedTuple):
    """A number: points, a note shown on hover, whether it has the benchmark's definition, its interval, and rank."""

    points: float | None
    note: str = ""
    comparable: bool = True
    interval: tuple[float, float] | None = None
    best: bool = False

    @property
    def ranked(self) -> float | None:
        """The points as they are ranked, to one decimal; `None` if they are not."""
        return round(self.points, 1) if self.comparable and self.points is not None else None


class ResultsLine(NamedTuple):
    """A row of the table: of a paper (`row`), or of a file scored here, with the splits of its tasks."""

    id: str
    name: str
    group: str
    kind: str
    cells: list[Cell]
    caveats: Sequence[str]
    row: PublishedRow | None = None
    splits: str = ""


def table(
    benchmark: Benchmark,
    lines: Sequence[ResultsLine],
    *,
    sort: str = "average",
    up: bool = False,
    chosen: Sequence[ResultsLine] = (),
) -> Markup:
    """Return rows of a benchmark, already sorted by that column, as a table with a body per group.

    It has the columns in which a row has a number. Two rows in `chosen` are compared, below the last of them. A
    narrow window has room for the average and one more column: that of the order, else the first task.
    """
    heads = list(columns(benchmark).items())
    used = [i for i, _ in enumerate(heads) if i == 0 or any(line.cells[i].points is not None for line in lines)]
    names = [heads[i][0] for i in used]
    return render(
        "results_table.html",
        benchmark=benchmark,
        digits=benchmark.average_decimals,
        heads=[heads[i] for i in used],
        used=used,
        narrow=names.index(sort) if sort in names[1:] else 1,
        groups=list(_bodies(lines)),
        sort=sort,
        up=up,
        chosen=[line.id for line in chosen],
        repeated=[name for name, count in Counter(line.name for line in lines).items() if count > 1],
        top=max((line.cells[0].points or 0.0 for line in lines), default=0.0) or 1.0,
        compared=pair(benchmark, chosen),
    )


def _bodies(lines: Sequence[ResultsLine]) -> Iterator[tuple[str, str, str, list[ResultsLine]]]:
    """Yield the bodies that have rows: name, title, why it is apart, and its rows."""
    for name, (title, why) in GROUPS.items():
        if shown := [line for line in lines if line.group == name]:
            reasons = dict.fromkeys(caveat for line in shown for caveat in line.caveats)
            yield name, title, why or " ".join(reasons), shown


@lru_cache(64)
def published_lines(benchmark: Benchmark) -> tuple[ResultsLine, ...]:
    """Return the published rows, in which the best number of each group and column is marked."""
    lines, best = [], dict[tuple[str, int], float]()
    for row in load_published(benchmark=benchmark):
        average = row.points(benchmark)
        first = Cell(average, "computed, not printed" if average is not None and row.average is None else "")
        if row.average_over:
            over = f"average over {row.average_over} of {len(benchmark.tasks)} tasks: {row.average}"
            first = Cell(row.average, over, comparable=False)
        cells = [first]
        for name in benchmark.all_tasks:
            points, half, other = row.scores[name], row.half_widths.get(name), row.other_metrics.get(name)
            ends = None if half is None or points is None else (max(0.0, points - half), min(100.0, points + half))
            cells.append(Cell(points, f"{name}: {other}: {points}" if other else "", other is None, ends))
        id_ = f"{re.sub('[^a-z0-9]+', '-', row.label.lower())}-{row.arxiv}"
        lines.append(ResultsLine(id_, row.model, row.split, row.kind, cells, row.caveats, row))
        if row.kind not in YARDSTICKS:
            for column, cell in enumerate(cells):
                best[row.split, column] = max(cell.ranked or 0.0, best.get((row.split, column), 0.0))
    for line in (line for line in lines if line.kind not in YARDSTICKS):
        for column, cell in enumerate(line.cells):
            line.cells[column] = cell._replace(best=cell.ranked == best[line.group, column])
    return tuple(lines)


def own_line(report: "Report", result: str, name: str) -> ResultsLine:
    """Return a scored file as a row, in the body of its split if it is ranked there."""
    ranking, tasks = rank_report(report), report["tasks"]
    ranked = {rank.split for task, rank in ranking.tasks.items() if task in tasks}
    scores: dict[str, Mapping[str, Any]] = {"average": report, **tasks}
    cells = []
    for column in columns(benchmark_of_report(report)):
        points, ends = scores.get(column, {}).get("score"), scores.get(column, {}).get("interval")
        interval = (ends["low"], ends["high"]) if ends else None
        cell = Cell(points, ranking.apart.get(column, ""), column in ranking.tasks, interval)
        cells.append(Cell(None) if points is None else cell)
    group = ranked.pop() if len(ranked) == 1 else "own"
    caveats = [*ranking.warnings, *(sentence for task in ranking.tasks.values() for sentence in task.sentences)]
    splits = ", ".join(sorted({task["split"] or "not known" for task in tasks.values()}))
    return ResultsLine(result, name, group, "scored here", cells, caveats, splits=splits)


def pair(benchmark: Benchmark, lines: Sequence[ResultsLine]) -> dict[str, Any]:
    """Return the second of two rows minus the first by task, for `results_pair.html`; no tasks unless there are two."""
    if len(lines) != 2:
        return {"first": "", "second": "", "tasks": []}
    first, second = lines
    tasks = []
    for title, a, b in zip(columns(benchmark).values(), first.cells, second.cells, strict=True):
        if a.points is None or b.points is None:
            continue
        is_apart = any(line.row and not cell.comparable for line, cell in ((first, a), (second, b)))
        apart = False  # of other questions, intervals say nothing of the systems
        if a.interval and b.interval and first.group == second.group:
            apart = a.interval[0] > b.interval[1] or b.interval[0] > a.interval[1]
        tasks.append((title, a, b, None if is_apart else b.points - a.points, apart))
    return {"first": first, "second": second, "tasks": tasks}


def export(benchmark: Benchmark, lines: Sequence[ResultsLine]) -> str:
    """Return rows as CSV; a number of another definition is in the note alone."""
    titles = ["System", "Kind", "Split", "Input tokens", "Year", *columns(benchmark).values(), "Source", "Note"]
    rows: list[list[Any]] = []
    for line in lines:
        year, tokens, source = (line.row.year, line.row.tokens, line.row.source) if line.row else ("", "", "")
        points = [None if cell.points is None or not cell.comparable else round(cell.points, 2) for cell in line.cells]
        note = "; ".join(cell.note for cell in line.cells if cell.note)
        group = GROUPS[line.group][0]
        rows.append([line.name, line.kind, group, str(tokens or ""), str(year), *points, source, note])
    return Table(titles, rows).csv()


def columns(benchmark: Benchmark) -> dict[str, str]:
    return {"average": "Average", **{name: task.title for name, task in benchmark.all_tasks.items()}}
