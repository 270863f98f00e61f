"""The tab "Results": the published systems, task by task, and the file scored here beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gradio as gr
from markupsafe import Markup

from zs_bench.catalog import FACTS
from zs_bench.drawing.cards import notice
from zs_bench.drawing.charts import Line, bar_chart, length_chart
from zs_bench.drawing.markup import html, join
from zs_bench.drawing.words import MARKS
from zs_bench.results.published import AVERAGE, by_input_length, decimals, load_published, marks, named_systems
from zs_bench.results.standing import standing
from zs_metric.tasks import BENCHMARKS, find_benchmark, find_task

from . import words
from .live import live, told
from .which import FIRST

#: A report as `zs_bench.reports.report.as_json` has it, or `None` before a file was scored.
Report = Mapping[str, Any] | None


def columns(benchmark: str) -> list[str]:
    """The heads of the table."""
    tasks_ = find_benchmark(benchmark).all_tasks
    return ["System", "Tokens", "Average", *(FACTS[task].title for task in tasks_), "Split", "Source"]


def rows(benchmark: str, report: Report) -> list[list[Any]]:
    """All published rows and the file scored here first, as the table shows them."""
    published = [
        [row.model, row.tokens, row.average, *map(_one_decimal, row.scores.values()), row.split, row.source]
        for row in load_published(benchmark=benchmark)
    ]
    return [*([_own_row(benchmark, report)] if report else []), *published]


def _one_decimal(score: float | None) -> float | None:
    return None if score is None else round(score, 1)


def _own_row(benchmark: str, report: Mapping[str, Any]) -> list[Any]:
    names = find_benchmark(benchmark).all_tasks
    shown = [_one_decimal(report["tasks"].get(task, {}).get("score")) for task in names]
    digits = decimals(AVERAGE, benchmark=benchmark)
    average = None if report["score"] is None else round(report["score"], digits)
    splits = {task["split"] or "not known" for task in report["tasks"].values()}
    return [words.RESULTS_YOURS, None, average, *shown, ", ".join(sorted(splits)), "scored here"]


def chart(task: str, benchmark: str, report: Report) -> Markup:
    """The systems of the main table and the leaderboard on one task (or the average), best first."""
    named = named_systems(benchmark=benchmark).items()
    scores = {name: points for name, row in named if (points := row.points(task)) is not None}
    own = _own_score(task, report)
    if own is not None:
        scores[words.RESULTS_YOURS] = own
    ranked = dict(sorted(scores.items(), key=lambda pair: -pair[1]))
    held = marks(task, benchmark=benchmark)
    lines = [Line(kind, MARKS[name], held.get(name)) for kind, name in (("low", "naive"), ("high", "human"))]
    told_ = f"{_title(task)}, test set: " + ", ".join(f"{name} {score:.1f}" for name, score in ranked.items())
    return bar_chart(ranked, told_, lines=lines, ours=[words.RESULTS_YOURS])


def by_length(task: str, benchmark: str) -> Markup:
    """Score against input length, for the models measured at several."""
    series = {
        model: [(row.tokens or 0, round(points, 2)) for row in rows_ if (points := row.points(task)) is not None]
        for model, rows_ in by_input_length(benchmark=benchmark).items()
    }
    return length_chart(series, _told_lengths(task, series))


def _told_lengths(task: str, series: Mapping[str, Sequence[tuple[int, float]]]) -> str:
    each = (f"{model}: " + ", ".join(f"{n:,} tokens {s}" for n, s in points) for model, points in series.items())
    return f"{_title(task)} by input length; " + "; ".join(each)


def verdict(benchmark: str, report: Report) -> Markup:
    """Where the scored file stands, with what speaks against the comparison."""
    if not report or not report["tasks"]:
        return html('<p class="zs-facts">{}</p>', words.RESULTS_NONE)
    if report["benchmark"] != benchmark:
        return html('<p class="zs-facts">{}</p>', words.RESULTS_OTHER.format(BENCHMARKS[report["benchmark"]].title))
    found = standing(report)
    sentences = [sentence for task in found.tasks.values() for sentence in task.sentences]
    return notice("warning", words.RESULTS_CARE, found.warnings) * bool(found.warnings) + html(
        '<details class="zs-details" open><summary>{}</summary><ul class="zs-list">{}</ul></details>',
        words.RESULTS_STANDING,
        join(html("<li>{}</li>", sentence) for sentence in sentences),
    )


def _own_score(task: str, report: Report) -> float | None:
    if not report:
        return None
    score = report["score"] if task == AVERAGE else report["tasks"].get(task, {}).get("score")
    return None if score is None else float(score)


def _title(task: str) -> str:
    return "Average" if task == AVERAGE else FACTS[task].title


def show(benchmark: str, task: str, report: Report) -> list[Any]:
    """Everything of the tab."""
    if task != AVERAGE:
        find_task(task, benchmark=benchmark)
    own = report if report and report["benchmark"] == benchmark else None
    return [
        verdict(benchmark, report),
        chart(task, benchmark, own),
        by_length(task, benchmark),
        gr.Dataframe(rows(benchmark, own), headers=columns(benchmark), datatype=_types(benchmark)),
    ]


def switch(benchmark: str, task: str, report: Report) -> list[Any]:
    """The same of another benchmark; the task stays chosen where there is one of that name."""
    task = task if task in menu(benchmark).values() else AVERAGE
    lead = html("<p>{}</p>", words.RESULTS_LEAD[benchmark])
    return [lead, gr.Radio(list(menu(benchmark).items()), value=task), *show(benchmark, task, report)]


def menu(benchmark: str) -> dict[str, str]:
    """The average and every task there are numbers of: title to value."""
    return {"Average": AVERAGE, **{FACTS[name].title: name for name in find_benchmark(benchmark).all_tasks}}


def _types(benchmark: str) -> list[str]:
    return ["str", *["number"] * (len(find_benchmark(benchmark).all_tasks) + 2), "str", "str"]


def layout(report: gr.State, tab: gr.Tab, benchmark: gr.Radio) -> tuple[list[Any], list[Any]]:
    """Build the tab inside the current Blocks; `report` holds the file scored last.

    Returns:
        The inputs and the outputs of `switch`.
    """
    lead = gr.HTML(f"<p>{words.RESULTS_LEAD[FIRST]}</p>", elem_classes=["zs-lead", "flush"], elem_id="results-lead")
    place = gr.HTML(verdict(FIRST, None), elem_id="results-verdict", elem_classes="flush")
    names = list(menu(FIRST).items())
    task = gr.Radio(names, value=AVERAGE, label="Task", elem_id="results-task", elem_classes="zs-chips")
    with gr.Row(equal_height=False):
        with gr.Column(scale=3, min_width=320):
            gr.HTML(f"<h3>{words.RESULTS_SYSTEMS}</h3>", elem_classes=["zs-lead", "flush"])
            bars = gr.HTML(chart(AVERAGE, FIRST, None), elem_id="results-chart", elem_classes="flush")
        with gr.Column(scale=2, min_width=320):
            gr.HTML(f"<h3>{words.RESULTS_LENGTHS}</h3>", elem_classes=["zs-lead", "flush"])
            lengths = gr.HTML(by_length(AVERAGE, FIRST), elem_id="results-lengths", elem_classes="flush")
    table = gr.Dataframe(
        rows(FIRST, None),
        headers=columns(FIRST),
        datatype=_types(FIRST),
        label=words.RESULTS_TABLE,
        interactive=False,
        pinned_columns=1,
        show_search="search",
        max_height=560,
        elem_id="results-table",
    )
    outputs = [place, bars, lengths, table]
    shown = [benchmark, task, report]
    task.input(told(show), shown, outputs, **live())
    tab.select(told(show), shown, outputs, **live())
    switched = (shown, [lead, task, *outputs])
    benchmark.input(told(switch), *switched, **live())
    return switched
