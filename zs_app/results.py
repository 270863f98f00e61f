"""The tab "Results": the published systems, task by task, and the file scored here beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gradio as gr
from markupsafe import Markup

from zs_bench.catalog import FACTS, titles
from zs_bench.drawing.cards import notice
from zs_bench.drawing.charts import Line, bar_chart, length_chart
from zs_bench.drawing.markup import html, join
from zs_bench.drawing.words import MARKS
from zs_bench.results.published import AVERAGE, by_input_length, load_published, marks, systems
from zs_bench.results.standing import standing
from zs_metric.tasks import TASKS, find_task

from . import words
from .live import live, told

COLUMNS = ("System", "Tokens", "Average", *titles().values(), "Split", "Source")
#: A report as `zs_bench.reports.report.as_json` has it, or `None` before a file was scored.
Report = Mapping[str, Any] | None


def rows(report: Report) -> list[list[Any]]:
    """All published rows and the file scored here first, as the table shows them."""
    published = [
        [row.model, row.tokens, row.average, *row.scores.values(), row.split, row.source] for row in load_published()
    ]
    return [*([_own_row(report)] if report else []), *published]


def _own_row(report: Mapping[str, Any]) -> list[Any]:
    scores = [report["tasks"].get(task, {}).get("score") for task in TASKS]
    shown = [None if score is None else round(score, 1) for score in scores]
    average = None if report["score"] is None else round(report["score"], 1)
    splits = {task["split"] or "not known" for task in report["tasks"].values()}
    return [words.RESULTS_YOURS, None, average, *shown, ", ".join(sorted(splits)), "scored here"]


def chart(task: str, report: Report) -> Markup:
    """The systems of the main table and the leaderboard on one task (or the average), best first."""
    scores = {row.model: points for row in systems() if (points := row.points(task)) is not None}
    own = _own_score(task, report)
    if own is not None:
        scores[words.RESULTS_YOURS] = own
    ranked = dict(sorted(scores.items(), key=lambda pair: -pair[1]))
    held = marks(task)
    lines = [Line(kind, MARKS[name], held[name]) for kind, name in (("low", "naive"), ("high", "human"))]
    told_ = f"{_title(task)}, test set: " + ", ".join(f"{name} {score:.1f}" for name, score in ranked.items())
    return bar_chart(ranked, told_, lines=lines, ours=[words.RESULTS_YOURS])


def by_length(task: str) -> Markup:
    """Score against input length, for the models measured at several."""
    series = {
        model: [(row.tokens or 0, points) for row in rows_ if (points := row.points(task)) is not None]
        for model, rows_ in by_input_length().items()
    }
    return length_chart(series, _told_lengths(task, series))


def _told_lengths(task: str, series: Mapping[str, Sequence[tuple[int, float]]]) -> str:
    each = (f"{model}: " + ", ".join(f"{n:,} tokens {s}" for n, s in points) for model, points in series.items())
    return f"{_title(task)} by input length; " + "; ".join(each)


def verdict(report: Report) -> Markup:
    """Where the scored file stands, with what speaks against the comparison."""
    if not report or not report["tasks"]:
        return html('<p class="zs-facts">{}</p>', words.RESULTS_NONE)
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


def show(task: str, report: Report) -> tuple[Markup, Markup, Markup, list[list[Any]]]:
    """Everything of the tab."""
    if task != AVERAGE:
        find_task(task)
    return verdict(report), chart(task, report), by_length(task), rows(report)


def layout(report: gr.State, tab: gr.Tab) -> None:
    """Build the tab inside the current Blocks; `report` holds the file scored last."""
    gr.HTML(f"<p>{words.RESULTS_LEAD}</p>", elem_classes=["zs-lead", "flush"])
    place = gr.HTML(verdict(None), elem_id="results-verdict", elem_classes="flush")
    names = [("Average", AVERAGE), *((title, name) for name, title in titles().items())]
    task = gr.Radio(names, value=AVERAGE, label="Task", elem_id="results-task", elem_classes="zs-chips")
    with gr.Row(equal_height=False):
        with gr.Column(scale=3, min_width=320):
            gr.HTML(f"<h3>{words.RESULTS_SYSTEMS}</h3>", elem_classes=["zs-lead", "flush"])
            bars = gr.HTML(chart(AVERAGE, None), elem_id="results-chart", elem_classes="flush")
        with gr.Column(scale=2, min_width=320):
            gr.HTML(f"<h3>{words.RESULTS_LENGTHS}</h3>", elem_classes=["zs-lead", "flush"])
            lengths = gr.HTML(by_length(AVERAGE), elem_id="results-lengths", elem_classes="flush")
    table = gr.Dataframe(
        rows(None),
        headers=list(COLUMNS),
        datatype=["str", *["number"] * (len(TASKS) + 2), "str", "str"],
        label=words.RESULTS_TABLE,
        interactive=False,
        pinned_columns=1,
        show_search="search",
        max_height=560,
        elem_id="results-table",
    )
    outputs = [place, bars, lengths, table]
    task.input(told(show), [task, report], outputs, **live())
    tab.select(told(show), [task, report], outputs, **live())
