"""Every answer of a scored file: filters, the table, and the one that is opened."""

from __future__ import annotations

from typing import Any

import gradio as gr
from markupsafe import Markup

from zs_bench.catalog import FACTS
from zs_bench.drawing.markup import html
from zs_bench.reports.file_view import ANY, COLUMNS, FileView, Filter, cells, choose
from zs_metric.explain import PARTS

from . import words
from .cards import scored
from .live import live, told
from .shelf import from_shelf
from .which import Which


def find(view: FileView | None, *wanted: Any) -> tuple[list[list[Any]], str, int, Markup]:
    """The rows that pass the filter, how many they are, and the first of them opened."""
    rows = choose(view, Filter(*wanted)) if view else []
    return cells(rows), words.FILE_FOUND.format(len(rows), len(view.rows) if view else 0), 0, open_(view, 0, *wanted)


def open_(view: FileView | None, place: int, *wanted: Any) -> Markup:
    """The answer at that place among those that pass the filter, with its score and why."""
    rows = choose(view, Filter(*wanted)) if view else []
    if not 0 <= place < len(rows):
        return html('<div class="zs-card zs-empty">{}</div>', words.FILE_NONE)
    row = rows[place]
    head = html(
        '<p class="zs-facts"><strong>{}</strong> · {} · {} of {}</p>',
        row.id,
        FACTS[row.task].title,
        place + 1,
        len(rows),
    )
    task = str(Which(row.task, view.scored.benchmark_name)) if view else row.task
    return head + scored(task, row.answer or " ", row.references)


def step(view: FileView | None, place: int, by: int, *wanted: Any) -> tuple[int, Markup]:
    """The next or the previous answer."""
    count = len(choose(view, Filter(*wanted))) if view else 0
    place = min(max(int(place) + by, 0), max(count - 1, 0))
    return place, open_(view, place, *wanted)


def layout(view: gr.State) -> None:
    """Build it inside the current Blocks; `view` holds the file scored last."""
    gr.HTML(f"<h3>{words.FILE_ANSWERS}</h3>", elem_classes=["zs-lead", "flush"])
    with gr.Row():
        task_names = [(words.FILE_ANY_TASK, ANY), *((facts.title, name) for name, facts in FACTS.items())]
        task = gr.Dropdown(task_names, value=ANY, label="Task", elem_id="file-task", min_width=150)
        kinds = [(words.FILE_ANY_LOSS, ANY), *((part, part) for part in PARTS)]
        kind = gr.Dropdown(kinds, value=ANY, label=words.FILE_LOST_TO, elem_id="file-loss", min_width=150)
        low = gr.Number(0, label=words.FILE_LOW, minimum=0, maximum=100, elem_id="file-low", min_width=90)
        high = gr.Number(100, label=words.FILE_HIGH, minimum=0, maximum=100, elem_id="file-high", min_width=90)
        text = gr.Textbox(label=words.FILE_TEXT, elem_id="file-text", min_width=180)
    found = gr.Markdown(elem_id="file-found")
    with gr.Row(equal_height=False):
        with gr.Column(scale=3, min_width=320):
            table = gr.Dataframe(
                headers=list(COLUMNS),
                datatype=["str", "str", "number", "str", "str", "str"],
                label=words.FILE_TABLE,
                interactive=False,
                max_chars=60,
                max_height=620,
                column_widths=["112px", "150px", "84px", "96px", "130px", "130px"],
                elem_id="file-answers",
            )
        with gr.Column(scale=2, min_width=320):
            with gr.Row():
                back = gr.Button(words.FILE_PREVIOUS, size="sm", elem_id="file-previous", min_width=80)
                on = gr.Button(words.FILE_NEXT, size="sm", elem_id="file-next", min_width=80)
            opened = gr.HTML(elem_id="file-opened", elem_classes="flush")
    place = gr.State(0)
    wanted = [task, kind, low, high, text]
    changes = [view.change, task.input, kind.input, low.change, high.change, text.change]
    gr.on(changes, told(from_shelf(find)), [view, *wanted], [table, found, place, opened], **live())
    for button, by in ((back, -1), (on, 1)):
        move = told(from_shelf(lambda v, p, *w, by=by: step(v, p, by, *w)))
        button.click(move, [view, place, *wanted], [place, opened], **live())
    table.select(told(from_shelf(pick)), [view, *wanted], [place, opened], **live())


def pick(event: gr.SelectData, view: FileView | None, *wanted: Any) -> tuple[int, Markup]:
    """The answer of the row that was clicked, whatever order the table is sorted in."""
    rows = choose(view, Filter(*wanted)) if view else []
    title, key = event.row_value[0], event.row_value[1]
    place = next((i for i, row in enumerate(rows) if row.id[:200] == key and FACTS[row.task].title == title), 0)
    return place, open_(view, place, *wanted)
