"""The tab "Results": the published systems by split, and the files scored in this browser tab beside them.

One `gr.HTML` component, whose script (`static/results.js`) filters and sorts the rows, and asks for charts and exports.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from markupsafe import Markup

from zs_app import words
from zs_app.component import component
from zs_app.rendering import part
from zs_app.server.result_tables import ResultGone, kept_report
from zs_app.tabs.examples import FIRST
from zs_bench.published.ranking import rank_report
from zs_bench.published.rows import by_input_length, find_scored, load_published
from zs_bench.reports.html import notice, render
from zs_bench.reports.html.charts import Point, length_chart
from zs_bench.reports.html.results_table import (
    FORMATS,
    Line,
    charts,
    columns,
    export,
    own_line,
    published_lines,
    side_by_side,
    table,
    years,
)
from zs_bench.scoring.report_data import Report
from zs_metric.tasks import BENCHMARKS, Benchmark, find_benchmark

# The most files scored here that are shown.
_MOST_OWN = 8


def published(benchmark: str, own: list[str]) -> dict[str, Any]:
    """Return the filters, the table and what is said of the last file scored here.

    Args:
        own: the ids of the results of files scored here, the last one last.
    """
    chosen = find_benchmark(benchmark)
    reports = _reports(own)
    heads, rows = list(columns(chosen).items()), load_published(benchmark=chosen)
    html = render(
        "results.html",
        heads=heads,
        kinds=[(kind, kind) for kind in sorted({row.kind for row in rows})],
        years=[(year, year) for year in sorted({row.year for row in rows}, reverse=True)],
        table=table(chosen, _own_lines(reports, chosen)),
        lengths=[(name, by_length(name, title, chosen.name)) for name, title in heads],
        systems_title=words.RESULTS_SYSTEMS,
        lengths_title=words.RESULTS_LENGTHS,
    )
    last = next(reversed(reports.values()), None)
    lead = f"<p>{words.RESULTS_LEAD[chosen.name]}</p>"
    return {"html": html, "lead": lead, "verdict": verdict(chosen.name, last)}


def chart(benchmark: str, own: list[str], rows: list[str], column: str, pair: list[str]) -> dict[str, Any]:
    """Return charts of a column of the table, and two rows task by task, all given by their ids."""
    chosen = find_benchmark(benchmark)
    names = list(columns(chosen))
    drawn = _lines(chosen, own, rows), names.index(column) if column in names else 0
    return {"html": charts(*drawn), "years": years(*drawn), "pair": side_by_side(chosen, _lines(chosen, own, pair))}


def exported(benchmark: str, own: list[str], rows: list[str], form: str) -> dict[str, str]:
    """Return rows of the table, given by their ids, in one of the `FORMATS`."""
    chosen = find_benchmark(benchmark)
    return {"text": export(chosen, _lines(chosen, own, rows), form if form in FORMATS else "csv")}


def _lines(benchmark: Benchmark, own: Sequence[str], rows: Sequence[str]) -> list[Line]:
    lines = {line.id: line for line in (*_own_lines(_reports(own), benchmark), *published_lines(benchmark))}
    return [lines[row] for row in rows if row in lines]


def _reports(results: Sequence[str]) -> dict[str, Report]:
    """Return the reports of these results that are still kept."""
    reports: dict[str, Report] = {}
    for result in results[-_MOST_OWN:]:
        with suppress(ResultGone):
            reports[result] = kept_report(result)
    return reports


def _own_lines(reports: Mapping[str, Report], benchmark: Benchmark) -> list[Line]:
    """Return the rows of reports of a benchmark; those of the same name get a number."""
    lines: list[Line] = []
    counts: dict[str, int] = {}
    for result, report in reports.items():
        if report["tasks"] and report["benchmark"] == benchmark.name:
            files = [file["file"] for file in report.get("files", [])] or ["your file"]
            name = files[0] if len(files) == 1 else f"{len(files)} files: {files[0]}, …"
            counts[name] = counts.get(name, 0) + 1
            lines.append(own_line(report, result, name if counts[name] == 1 else f"{name} ({counts[name]})"))
    return lines


@cache
def by_length(name: str, title: str, benchmark: str) -> Markup:
    """Return a chart of score against input length, for the models measured at several; empty if there are none."""
    scored = find_scored(name, benchmark=benchmark)
    series = {
        model: [Point(row.tokens or 0, round(points, 1)) for row in rows if (points := row.points(scored)) is not None]
        for model, rows in by_input_length(benchmark=benchmark).items()
    }
    series = {model: points for model, points in series.items() if points}
    return length_chart(series, f"{title} by input length;") if series else Markup("")


def verdict(benchmark: str, report: Report | None) -> Markup:
    """Return the ranks of a scored file, and warnings."""
    if not report or not report["tasks"]:
        return part("facts", words.RESULTS_NONE)
    if report["benchmark"] != benchmark:
        return part("facts", words.RESULTS_OTHER.format(BENCHMARKS[report["benchmark"]].title))
    ranks = rank_report(report)
    sentences = [sentence for task in ranks.tasks.values() for sentence in task.sentences]
    care = notice("warning", words.RESULTS_CARE, ranks.warnings) if ranks.warnings else Markup("")
    return care + (part("ranks", sentences) if sentences else "")


def layout() -> None:
    """Build the tab inside the current Blocks."""
    lead, none = words.RESULTS_LEAD[FIRST], verdict(FIRST, None)
    shell = (
        Markup('<div class="zs-lead" id="results-lead"><p>{}</p></div>').format(lead)
        + Markup('<div id="results-verdict">{}</div>').format(none)
        + Markup('<div id="results-explorer"></div>')
    )
    component("results", shell, published, chart, exported)
