"""The published results as one table with a body per split, files scored here as rows of it, charts and exports.

`zs_app/tabs/results.py` filters and sorts the rows.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from zs_bench.benchmarks import Benchmark, benchmark_of_report
from zs_bench.published.ranking import rank_report
from zs_bench.published.rows import YARDSTICKS, PublishedRow, load_published
from zs_bench.reports.html import render
from zs_bench.reports.tables import Table, latex_text, markdown_text
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
#: Yardsticks in a chart, by kind: a style and a name.
MARKS = {"naive": ("low", "naive baseline"), "no document": ("low", "without the document"), "human": ("high", "human")}
#: The most bars of a group in a chart, besides those of the visitor's files.
MOST_BARS = 8
FORMATS = ("csv", "md", "tex")


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


class Line(NamedTuple):
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
    lines: Sequence[Line],
    *,
    sort: str = "average",
    up: bool = False,
    chosen: Sequence[str] = (),
    most: int | None = None,
) -> Markup:
    """Return rows of a benchmark, already sorted by that column, as a table with a body per group.

    `chosen` are the ids of the rows that are marked. These and the visitor's files are shown besides the `most` first
    rows of a group.
    """
    groups = []
    for name, (title, why) in GROUPS.items():
        rows = enumerate(line for line in lines if line.group == name)
        shown = [line for i, line in rows if most is None or i < most or line.row is None or line.id in chosen]
        reasons = dict.fromkeys(caveat for line in shown for caveat in line.caveats)
        groups += [(name, title, why or " ".join(reasons), shown)] if shown else []
    return render(
        "results_table.html",
        benchmark=benchmark,
        digits=benchmark.average_decimals,
        heads=list(columns(benchmark).items()),
        groups=groups,
        sort=sort,
        up=up,
        chosen=chosen,
        total=len(lines),
        folded=sum(len(shown) for *_, shown in groups) < len(lines),
    )


@lru_cache(64)
def published_lines(benchmark: Benchmark) -> tuple[Line, ...]:
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
        lines.append(Line(id_, row.model, row.split, row.kind, cells, row.caveats, row))
        if row.kind not in YARDSTICKS:
            for column, cell in enumerate(cells):
                best[row.split, column] = max(cell.ranked or 0.0, best.get((row.split, column), 0.0))
    for line in lines:
        if line.kind not in YARDSTICKS:
            line.cells[:] = (
                cell._replace(best=cell.ranked == best[line.group, column]) for column, cell in enumerate(line.cells)
            )
    return tuple(lines)


def own_line(report: Report, result: str, name: str) -> Line:
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
    return Line(result, name, group, "scored here", cells, caveats, splits=splits)


def charts(lines: Sequence[Line], column: int) -> Markup:
    """Return a chart of one column for each group: the best systems, the visitor's files, and yardsticks as marks."""
    drawn = Markup("")
    for name, (title, _) in GROUPS.items():
        ranked = [
            (line, line.cells[column]) for line in lines if line.group == name and line.cells[column].ranked is not None
        ]
        systems = [(line, cell) for line, cell in ranked if line.kind not in YARDSTICKS]
        systems.sort(key=lambda bar: -(bar[1].points or 0.0))
        bars = [bar for place, bar in enumerate(systems) if place < MOST_BARS or not bar[0].row]
        if not bars:
            continue
        marks: dict[tuple[str, str], list[float]] = {}
        for line, cell in ranked:
            if line.kind in MARKS:
                marks.setdefault(MARKS[line.kind], []).append(cell.points or 0.0)
        values = [value for _, cell in bars for value in (cell.points or 0.0, *(cell.interval or ()))]
        values += [value for points in marks.values() for value in points]
        low = math.floor(min(values))
        scale = 4 * max(math.ceil((max(values) - low) / 4), 1)  # so that all ticks are whole numbers
        drawn += render(
            "results_chart.html",
            title=title + (f" · the best {len(bars)} of {len(systems)}" if len(bars) < len(systems) else ""),
            bars=bars,
            rows=Counter(line.name for line, _ in bars),
            marks=marks,
            at=lambda value, low=low, scale=scale: 100 * (value - low) / scale,
            ticks=[low + scale * i / 4 for i in range(5)],
        )
    return drawn


def years(lines: Sequence[Line], column: int) -> Markup:
    """Return a chart of one column by year for each group that has systems of three years."""
    drawn = Markup("")
    for name, (title, _) in GROUPS.items():
        dots = [
            (line.row.year, points, line.name)
            for line in lines
            if line.group == name and line.row and line.kind not in YARDSTICKS
            if (points := line.cells[column].ranked) is not None
        ]
        best = {dot[0]: dot for dot in sorted(dots)}
        if len(best) < 3:
            continue
        first, last = min(best), max(best)
        values = [points for _, points, _ in dots]
        low, high = 10 * math.floor(min(values) / 10), 10 * math.ceil(max(values) / 10)
        drawn += render(
            "years_chart.html",
            title=f"{title} by year",
            dots=dots,
            years=range(first, last + 1),
            best=list(best.values()),
            levels=range(low, high + 1, 10),
            x=lambda year, first=first, last=last: 60 + 258 * (year - first) / (last - first),
            y=lambda value, low=low, high=high: 16 + 210 * (high - value) / max(high - low, 10),
        )
    return drawn


def side_by_side(benchmark: Benchmark, lines: Sequence[Line]) -> Markup:
    """Return two rows task by task with the difference; empty for any other number of rows."""
    if len(lines) != 2:
        return Markup("")
    cells = zip(columns(benchmark).values(), *(line.cells for line in lines), strict=True)
    both = [(title, a, b) for title, a, b in cells if a.points is not None and b.points is not None]
    return render("side_by_side.html", first=lines[0], second=lines[1], rows=both) if both else Markup("")


def export(benchmark: Benchmark, lines: Sequence[Line], form: str) -> str:
    """Return rows as CSV, Markdown or LaTeX, one of `FORMATS`; a number of another definition is in the note alone."""
    titles = ["System", "Kind", "Split", "Input tokens", "Year", *columns(benchmark).values(), "Source"]
    rows: list[list[Any]] = []
    for line in lines:
        year, tokens, source = (line.row.year, line.row.tokens, line.row.source) if line.row else ("", "", "")
        points = [None if cell.points is None or not cell.comparable else round(cell.points, 2) for cell in line.cells]
        rows.append([line.name, line.kind, GROUPS[line.group][0], str(tokens or ""), str(year), *points, source])
    if form == "csv":
        notes = ("; ".join(cell.note for cell in line.cells if cell.note) for line in lines)
        return Table([*titles, "Note"], [[*row, note] for row, note in zip(rows, notes, strict=True)]).csv()
    escape = latex_text if form == "tex" else markdown_text

    def printed(cell: str | float | None) -> str:
        return escape(cell) if isinstance(cell, str) else "" if cell is None else f"{cell:.1f}"

    cells = Table([*map(escape, titles)], [[*map(printed, row)] for row in rows], range(3, len(titles) - 1))
    return (cells.latex() if form == "tex" else cells.markdown()) + "\n"


def columns(benchmark: Benchmark) -> dict[str, str]:
    """Return the columns of numbers: name to title."""
    return {"average": "Average", **{name: task.title for name, task in benchmark.all_tasks.items()}}
