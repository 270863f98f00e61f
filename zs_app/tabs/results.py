"""The tab "Results": the published systems by split, and the files scored in this browser tab beside them.

Its script (`static/results.js`) asks for the rows that pass the filters in the address.
"""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from markupsafe import Markup

from zs_app import words
from zs_app.component import component, part, render
from zs_app.result_tables import ResultGone, opened
from zs_app.tabs.examples import FIRST, benchmark_named
from zs_bench.benchmarks import Benchmark, benchmark_of_report
from zs_bench.published import by_input_length, find_scored, load_published, rank_report
from zs_bench.reports.html import Point, length_chart, notice
from zs_bench.reports.html.results_table import GROUPS, ResultsLine, columns, export, own_line, published_lines, table
from zs_bench.scoring.report_data import Report

_MOST_OWN = 8  # the most files scored here that are shown
#: The splits to show: value to title.
SPLITS = {"test": "test split", "validation": "validation split", "unknown": "split not stated", "all": "all splits"}
#: The ranges of input lengths to filter by: value to title and tokens.
LENGTHS: Mapping[str, tuple[str, Container[int | None]]] = {
    "0-2048": ("up to 2,048 tokens", range(2_049)),
    "2049-4096": ("up to 4,096", range(2_049, 4_097)),
    "4097-16384": ("up to 16,384", range(4_097, 16_385)),
    "16385-": ("longer", range(16_385, 10**9)),
    "none": ("not stated", {None}),
}


def published(benchmark: str, own: list[str], settings: dict[str, str]) -> dict[str, Any]:
    """Return the parts of the tab: what it shows, the ranks of the last file scored here, the filters, the table, CSV.

    `own` are the ids of the results of files scored here, the last one last. The settings are those of the address, as
    `passing` and `ordered` have them; two of `rows` are compared.
    """
    chosen = benchmark_named(benchmark)
    reports, heads, rows = _reports(own), columns(chosen), load_published(benchmark=chosen)
    every = _lines(chosen, reports)
    lines = ordered(passing(every, settings), settings, list(heads))
    column = settings["sort"] if settings.get("sort") in heads else "average"
    marked = [line for row in settings.get("rows", "").split() for line in every if line.id == row]
    return {
        "lead": chosen.lead,
        "verdict": verdict(chosen.name, next(reversed(reports.values()), None)),
        "menus": render(
            "results_menus.html",
            settings=settings,
            kinds={kind: kind for kind in sorted({row.kind for row in rows})},
            years={str(year): year for year in sorted({row.year for row in rows}, reverse=True)},
            lengths={name: title for name, (title, _) in LENGTHS.items()},
        ),
        "count": f"{len(lines)} of {len(every)} rows" if lines else "No rows match the filters.",
        "table": table(
            chosen, _near(lines, settings), sort=settings.get("sort", ""), up=bool(settings.get("up")), chosen=marked
        ),
        "save": part("save", chosen.name, export(chosen, lines)),
        "newest": part("newest", *newest(chosen)),
        "lengths": by_length(column, heads[column], chosen.name),
    }


def newest(benchmark: Benchmark) -> tuple[int, int, int]:
    """Return the year of the newest test-split system with all tasks, their number, and how many rows are later."""
    rows = load_published(benchmark=benchmark)
    whole = [row.year for row in rows if row.split == "test" and row.points(benchmark) is not None]
    return max(whole, default=0), len(benchmark.tasks), sum(row.year > max(whole, default=9_999) for row in rows)


def _near(lines: Sequence[ResultsLine], settings: Mapping[str, str]) -> list[ResultsLine]:
    """Return the rows; files scored here on another split than the one shown are in a group of their own."""
    split = settings.get("split", "all")
    is_other = [split in GROUPS and line.row is None and line.group != split for line in lines]
    return [line._replace(group="own") if other else line for line, other in zip(lines, is_other, strict=True)]


def passing(lines: Sequence[ResultsLine], settings: Mapping[str, str]) -> list[ResultsLine]:
    """Return the rows that pass `split`, `kind`, `year`, `context` (one of `LENGTHS`), `find` in the name, and `only`.

    `only` leaves those whose ids are in `rows`. Files scored here pass the filters by kind, year and context.
    """
    split, kind, year = (settings.get(name, "") for name in ("split", "kind", "year"))
    _, lengths = LENGTHS.get(settings.get("context", ""), ("", None))
    text, rows = settings.get("find", "").strip().lower(), settings.get("rows", "").split()

    def passes(line: ResultsLine) -> bool:
        row = line.row
        return (
            split in ("all", "", line.group if row else split)
            and (row is None or (kind in ("", row.kind) and year in ("", str(row.year))))
            and (row is None or lengths is None or row.tokens in lengths)
            and text in line.name.lower()
            and (not settings.get("only") or line.id in rows)
        )

    return [line for line in lines if passes(line)]


def ordered(lines: Sequence[ResultsLine], settings: Mapping[str, str], heads: Sequence[str]) -> list[ResultsLine]:
    """Return the rows by the column `sort`, upwards with `up`; those without a value in it, or one apart, come last."""
    name, is_up = settings.get("sort", ""), bool(settings.get("up"))
    if name == "name":
        return sorted(lines, key=lambda line: line.name.lower(), reverse=not is_up)
    place = heads.index(name) if name in heads else 0

    def value(line: ResultsLine) -> float | None:
        if name in ("tokens", "year"):
            return None if line.row is None else line.row.tokens if name == "tokens" else line.row.year
        return line.cells[place].points if line.cells[place].comparable else None

    with_value = [line for line in lines if value(line) is not None]
    with_value.sort(key=lambda line: value(line) or 0, reverse=not is_up)
    return with_value + [line for line in lines if value(line) is None]


def _lines(benchmark: Benchmark, reports: Mapping[str, Report]) -> list[ResultsLine]:
    """Return the rows of a benchmark, those of reports first; of these, those of the same name get a number."""
    lines: list[ResultsLine] = []
    counts = Counter[str]()
    for result, report in reports.items():
        if report["tasks"] and report["benchmark"] == benchmark.name:
            files = [file["file"] for file in report.get("files", [])] or ["your file"]
            name = files[0] if len(files) == 1 else f"{len(files)} files: {files[0]}, …"
            counts[name] += 1
            lines.append(own_line(report, result, name if counts[name] == 1 else f"{name} ({counts[name]})"))
    return [*lines, *published_lines(benchmark)]


def _reports(results: Sequence[str]) -> dict[str, Report]:
    """Return the reports of these results that are still kept."""
    reports: dict[str, Report] = {}
    for result in results[-_MOST_OWN:]:
        with suppress(ResultGone), opened(result) as kept:
            reports[result] = kept.report
    return reports


@cache
def by_length(name: str, title: str, benchmark: str) -> Markup:
    """Return a chart of score against input length, for the models measured at several; empty if there are none."""
    scored = find_scored(name, benchmark=benchmark)
    series: dict[str, list[Point]] = {}
    for model, rows in by_input_length(benchmark=benchmark).items():
        for row in rows:
            if (points := row.points(scored)) is not None:
                series.setdefault(model, []).append(Point(row.tokens or 0, round(points, 1)))
    return length_chart(series, f"{title} by input length;") if series else Markup("")


def verdict(benchmark: str, report: Report | None) -> Markup:
    """Return the ranks of a scored file, and warnings."""
    if not report or not report["tasks"]:
        return Markup("")
    if report["benchmark"] != benchmark:
        return part("facts", words.RESULTS_OTHER.format(benchmark_of_report(report).title))
    ranks = rank_report(report)
    sentences = [sentence for task in ranks.tasks.values() for sentence in task.sentences]
    # Of a file without a rank its group in the table says why.
    care = notice("warning", words.RESULTS_CARE, ranks.warnings) if ranks.warnings and sentences else Markup("")
    return care + (part("ranks", sentences) if sentences else "")


def layout() -> None:
    """Build the tab inside the current Blocks, with the rows that the page shows at first."""
    parts = published(FIRST, [], {"split": "test", "sort": "average"})
    component("results", render("results.html", splits=SPLITS, **parts), published)
