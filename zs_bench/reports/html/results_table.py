"""The published results as one table with a body per split, files scored here as rows of it, charts and exports.

`zs_app/tabs/results.py` filters and sorts the rows.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from markupsafe import Markup

from zs_bench.published.ranking import rank_report, why_not_ranked
from zs_bench.published.rows import OFFICIAL, YARDSTICKS, PublishedRow, load_published
from zs_bench.reports.html import render
from zs_bench.reports.tables import Table, latex_text, markdown_text
from zs_bench.scoring.report_data import Report
from zs_bench.tasks import benchmark_info, info
from zs_metric.tasks import Benchmark, find_benchmark

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
    """A number of the table: points, a note shown on hover, whether it has the benchmark's definition, its interval.

    `best`: whether no system of its group is better.
    """

    points: float | None
    note: str = ""
    comparable: bool = True
    interval: tuple[float, float] | None = None
    best: bool = False


class Line(NamedTuple):
    """A row of the table, of a paper or of a file scored here."""

    id: str
    name: str
    group: str
    kind: str
    cells: list[Cell]
    facts: list[tuple[str, str]]
    caveats: list[str]
    tokens: int | None = None
    year: int | None = None
    arxiv: str = ""
    yardstick: bool = False
    own: bool = False


def row_id(row: PublishedRow) -> str:
    """Return the name of a row in an address.

    >>> row_id(load_published()[1])
    't0pp-8-192-tokens-2305.14196'
    """
    return f"{re.sub('[^a-z0-9]+', '-', row.label.lower())}-{row.arxiv}"


def table(
    benchmark: Benchmark,
    lines: Sequence[Line],
    *,
    sort: str = "average",
    up: bool = False,
    chosen: Sequence[str] = (),
    most: int | None = None,
) -> Markup:
    """Return rows of a benchmark, in their order, as a table with a body per group.

    Args:
        sort, up: the column by which they are sorted, and whether upwards.
        chosen: the ids of the rows that are marked.
        most: the most rows of a group, besides the marked ones and the visitor's files; `None` for all.
    """
    groups = []
    for name, (title, why) in GROUPS.items():
        rows = [line for line in lines if line.group == name]
        shown = [line for i, line in enumerate(rows) if most is None or i < most or line.own or line.id in chosen]
        reasons = dict.fromkeys(caveat for line in rows for caveat in line.caveats if name == "own")
        groups += [(name, title, why or " ".join(reasons), shown)] if rows else []
    return render(
        "results_table.html",
        benchmark=benchmark.name,
        heads=list(columns(benchmark).items()),
        groups=groups,
        sort=sort,
        up=up,
        chosen=chosen,
        total=len(lines),
        folded=sum(len(shown) for *_, shown in groups) < len(lines),
    )


@cache
def published_lines(benchmark: Benchmark) -> tuple[Line, ...]:
    """Return the published rows, in which the best number of each group and column is marked."""
    lines = [_published(row, benchmark) for row in load_published(benchmark=benchmark)]
    best: dict[tuple[str, int], float] = {}
    for line in lines:
        for column, cell in enumerate(line.cells):
            if not line.yardstick and (points := _ranked(cell)) is not None:
                best[line.group, column] = max(points, best.get((line.group, column), 0.0))

    def mark(line: Line) -> list[Cell]:
        cells = enumerate(line.cells)
        return [cell._replace(best=_ranked(cell) == best.get((line.group, column), -1)) for column, cell in cells]

    return tuple(line if line.yardstick else line._replace(cells=mark(line)) for line in lines)


def _ranked(cell: Cell) -> float | None:
    return round(cell.points, 1) if cell.comparable and cell.points is not None else None


def charts(lines: Sequence[Line], column: int) -> Markup:
    """Return a chart of one column for each group: the best systems, the visitor's files, and yardsticks as marks."""
    return Markup().join(
        _chart(title, [line for line in lines if line.group == name], column) for name, (title, _) in GROUPS.items()
    )


def _chart(title: str, lines: Sequence[Line], column: int) -> Markup:
    drawn = [line for line in lines if _ranked(line.cells[column]) is not None]
    systems = sorted(
        (line for line in drawn if not line.yardstick), key=lambda line: line.cells[column].points or 0.0, reverse=True
    )
    bars = [line for place, line in enumerate(systems) if place < MOST_BARS or line.own]
    if not bars:
        return Markup("")
    marks: dict[tuple[str, str], list[float]] = {}
    for line in drawn:
        if line.kind in MARKS:
            marks.setdefault(MARKS[line.kind], []).append(line.cells[column].points or 0.0)
    rest = f" · the best {len(bars)} of {len(systems)}" if len(bars) < len(systems) else ""
    names = Counter(line.name for line in bars)
    named = [(_bar_name(line, names[line.name]), line.own, line.cells[column]) for line in bars]
    values = [value for _, _, cell in named for value in (cell.points or 0.0, *(cell.interval or ()))]
    values += [value for places in marks.values() for value in places]
    low, high = 5 * math.floor(min(values) / 5), 5 * math.ceil(max(values) / 5)
    scale = max(high - low, 5)
    return render(
        "results_chart.html",
        title=title + rest,
        bars=named,
        marks=marks,
        at=lambda value: 100 * (value - low) / scale,
        ticks=[low + scale * i / 4 for i in range(5)],
    )


def side_by_side(benchmark: Benchmark, lines: Sequence[Line]) -> Markup:
    """Return two rows task by task with the difference; empty for any other number of rows.

    A difference is clear where the intervals of both are known and do not meet.
    """
    if len(lines) != 2:
        return Markup("")
    first, second = lines
    rows = []
    for title, a, b in zip(columns(benchmark).values(), first.cells, second.cells, strict=True):
        if a.points is None or b.points is None:
            continue
        apart = not (a.comparable or first.own) or not (b.comparable or second.own)
        rows.append((title, a, b, None if apart else a.points - b.points, _is_clear(a, b)))
    same = first.group == second.group
    return render("side_by_side.html", first=first, second=second, rows=rows, same=same) if rows else Markup("")


def _is_clear(a: Cell, b: Cell) -> bool | None:
    """Return whether the intervals do not meet; `None` where one is not known."""
    if a.interval is None or b.interval is None:
        return None
    return a.interval[0] > b.interval[1] or b.interval[0] > a.interval[1]


def _bar_name(line: Line, rows: int) -> str:
    """Return the name of the row, with the input length where several rows have the name."""
    return f"{line.name}, {line.tokens:,}" if rows > 1 and line.tokens else line.name


def export(benchmark: Benchmark, lines: Sequence[Line], form: str) -> str:
    """Return rows as CSV, Markdown or LaTeX, one of `FORMATS`; a number of another definition is in the note alone."""
    titles = ["System", "Kind", "Split", "Input tokens", "Year", *columns(benchmark).values(), "Source"]
    rows: list[list[Any]] = []
    for line in lines:
        about = [line.name, line.kind, GROUPS[line.group][0], str(line.tokens or ""), str(line.year or "")]
        points = [None if cell.points is None or not cell.comparable else round(cell.points, 2) for cell in line.cells]
        rows.append([*about, *points, dict(line.facts).get("Source", "")])
    if form == "csv":
        notes = ("; ".join(cell.note for cell in line.cells if cell.note) for line in lines)
        return Table([*titles, "Note"], [[*row, note] for row, note in zip(rows, notes, strict=True)]).csv()
    escape = latex_text if form == "tex" else markdown_text

    def printed(cell: str | float | None) -> str:
        return escape(cell) if isinstance(cell, str) else "" if cell is None else f"{cell:.1f}"

    right = range(3, len(titles) - 1)
    table = Table([*map(escape, titles)], [[*map(printed, row)] for row in rows], right)
    return (table.latex() if form == "tex" else table.markdown()) + "\n"


def columns(benchmark: Benchmark) -> dict[str, str]:
    """Return the columns of numbers: name to title."""
    return {"average": "Average", **{name: info(task).title for name, task in benchmark.all_tasks.items()}}


def kinds(benchmark: Benchmark) -> list[str]:
    """Return the kinds of systems there are, each once."""
    return sorted({row.kind for row in load_published(benchmark=benchmark)})


def years(benchmark: Benchmark) -> list[int]:
    """Return the years there are, the latest first."""
    return sorted({row.year for row in load_published(benchmark=benchmark)}, reverse=True)


def own_line(report: Report, result: str, name: str) -> Line:
    """Return a scored file as a row, in the body of its split if it is ranked there.

    Args:
        report: as `zs_bench.reports.report.as_json` has it, examples left out.
    """
    benchmark = find_benchmark(report["benchmark"])
    apart, ranking = why_not_ranked(report, benchmark), rank_report(report)
    tasks = report["tasks"]
    splits = {rank.split for name, rank in ranking.tasks.items() if name in tasks}
    scores = {"average": {"score": report["score"], "interval": report.get("interval")}, **tasks}
    cells = [
        _own_cell(scores.get(name), apart.get(name, ""), ranked=name in ranking.tasks) for name in columns(benchmark)
    ]
    return Line(
        id=result,
        name=name,
        group=splits.pop() if len(splits) == 1 else "own",
        kind="scored here",
        cells=cells,
        facts=[("Split", ", ".join(sorted({task["split"] or "not known" for task in tasks.values()})))],
        caveats=[*ranking.warnings, *(sentence for task in ranking.tasks.values() for sentence in task.sentences)],
        own=True,
    )


def _own_cell(task: Mapping[str, Any] | None, reason: str, *, ranked: bool) -> Cell:
    if task is None or task["score"] is None:
        return Cell(None)
    ends = task.get("interval")
    return Cell(task["score"], reason, ranked, (ends["low"], ends["high"]) if ends else None)


def _published(row: PublishedRow, benchmark: Benchmark) -> Line:
    average = row.points(benchmark)
    first = Cell(average, "computed, not printed" if average is not None and row.average is None else "")
    if row.average_over:
        over = f"average over {row.average_over} of {len(benchmark.tasks)} tasks: {row.average}"
        first = Cell(row.average, over, comparable=False)
    return Line(
        id=row_id(row),
        name=row.model,
        group=row.split,
        kind=row.kind,
        tokens=row.tokens,
        year=row.year,
        cells=[first, *(_cell(row, name) for name in benchmark.all_tasks)],
        facts=_facts(row, benchmark),
        caveats=list(row.caveats),
        arxiv=row.arxiv,
        yardstick=row.kind in YARDSTICKS,
    )


def _cell(row: PublishedRow, name: str) -> Cell:
    points, half = row.scores[name], row.half_widths.get(name)
    ends = None if half is None or points is None else (max(0.0, points - half), min(100.0, points + half))
    other = row.other_metrics.get(name)
    note = f"{name}: {other}: {points}" if other else ""
    return Cell(points, note, other is None, ends)


def _facts(row: PublishedRow, benchmark: Benchmark) -> list[tuple[str, str]]:
    split = f"{row.split} ({row.split_from})" if row.split_from else row.split
    metrics = "the benchmark’s" if row.metric == OFFICIAL else row.metric
    others = "; ".join(f"{info(benchmark.all_tasks[name]).title}: {words}" for name, words in row.other_metrics.items())
    digits = benchmark_info(benchmark).average_decimals
    over = f", over {row.average_over} of {len(benchmark.tasks)} tasks" if row.average_over else ""
    average = "not printed" if row.average is None else f"{row.average:.{digits}f}{over}"
    return [
        ("Source", row.source),
        ("Kind", row.kind),
        ("Split", split),
        ("Metrics", "; ".join(filter(None, [metrics, others]))),
        ("Input", f"{row.tokens:,} tokens" if row.tokens else "not stated"),
        ("Printed average", average),
    ]
