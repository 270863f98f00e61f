"""The tab "Results": the published systems by split, and the last scored file among those of its split.

The server renders a benchmark's table and the file's row; `scripts/results.js` filters, sorts, charts and exports them.
"""

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any

import gradio as gr
from markupsafe import Markup

from zs_app import words
from zs_app.rendering import part
from zs_app.server.events import handler, live
from zs_app.server.temporary_files import ResultGone, kept_report
from zs_app.tabs.examples import FIRST
from zs_bench.published.ranking import rank_report
from zs_bench.published.rows import by_input_length, find_scored
from zs_bench.reports.html import notice, render
from zs_bench.reports.html.charts import Point, length_chart
from zs_bench.reports.html.results_table import columns, kinds, own_row, table, years
from zs_metric.tasks import BENCHMARKS, find_benchmark

#: A report of `zs_bench.reports.report.as_json`, or `None` before a file was scored.
Report = Mapping[str, Any] | None


@cache
def explorer(benchmark: str) -> Markup:
    """The filters, the table and the charts of a benchmark."""
    of = find_benchmark(benchmark)
    heads = list(columns(of).items())
    return render(
        "results.html",
        heads=heads,
        kinds=[(kind, kind) for kind in kinds(of)],
        years=[(year, year) for year in years(of)],
        table=table(benchmark),
        lengths=[(name, by_length(name, title, benchmark)) for name, title in heads],
        systems_title=words.RESULTS_SYSTEMS,
        lengths_title=words.RESULTS_LENGTHS,
    )


def by_length(name: str, title: str, benchmark: str) -> Markup:
    """Score against input length for the models measured at several lengths; empty if there are none."""
    of = find_scored(name, benchmark=benchmark)
    series = {
        model: [Point(row.tokens or 0, round(points, 1)) for row in rows if (points := row.points(of)) is not None]
        for model, rows in by_input_length(benchmark=benchmark).items()
    }
    series = {model: points for model, points in series.items() if points}
    if not series:
        return Markup("")
    return length_chart(series, f"{title} by input length;")


def verdict(benchmark: str, report: Report) -> Markup:
    """The ranks of the scored file, and warnings."""
    if not report or not report["tasks"]:
        return part("facts", words.RESULTS_NONE)
    if report["benchmark"] != benchmark:
        return part("facts", words.RESULTS_OTHER.format(BENCHMARKS[report["benchmark"]].title))
    found = rank_report(report)
    sentences = [sentence for task in found.tasks.values() for sentence in task.sentences]
    care = notice("warning", words.RESULTS_CARE, found.warnings) if found.warnings else Markup("")
    return care + (part("ranks", sentences) if sentences else "")


def show(benchmark: str, result: str | None, shown: str) -> list[Any]:
    """The outputs of the tab; the table is only sent if the browser does not have it.

    Args:
        result: the id of the last scored file.
        shown: the benchmark whose table the browser has.
    """
    report: Report = None
    with suppress(ResultGone):
        report = kept_report(result) if result else None
    lead = f"<p>{words.RESULTS_LEAD[find_benchmark(benchmark).name]}</p>"
    systems = gr.skip() if shown == benchmark else explorer(benchmark)
    return [lead, verdict(benchmark, report), own(report, result), systems]


def own(report: Report, result: str | None) -> Markup:
    """The row of the last scored file, which the browser moves into the table."""
    if not report or not report["tasks"] or not result:
        return Markup("")
    return part("own_row", report["benchmark"], own_row(report, result))


def layout(result: gr.Textbox, tab: gr.Tab, benchmark: gr.Dropdown) -> None:
    """Build the tab inside the current Blocks; `result` holds the id of the file scored last."""
    lead = gr.HTML(f"<p>{words.RESULTS_LEAD[FIRST]}</p>", elem_classes=["zs-lead", "flush"], elem_id="results-lead")
    place = gr.HTML(verdict(FIRST, None), elem_id="results-verdict", elem_classes="flush")
    mine = gr.HTML(elem_id="results-own", elem_classes="flush")
    everything = gr.HTML(elem_id="results-explorer", elem_classes="flush")
    shown = gr.Textbox(visible="hidden")
    outputs = [lead, place, mine, everything]
    wired = {"js": "(benchmark, result) => [benchmark, result, zs.resultsShown()]", **live()}
    for event in (tab.select, benchmark.change, result.change):
        event(handler(show), [benchmark, result, shown], outputs, **wired)
