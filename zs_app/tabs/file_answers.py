"""Every answer of a scored file: filtered, sorted, and one opened beside the list.

The filters are plain fields of the page, whose values the browser sends as one query; what comes back says which query
it answers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import gradio as gr
from markupsafe import Markup

from zs_app import words
from zs_app.rendering import render
from zs_app.server.events import handler, live
from zs_app.server.result_cache import kept_report
from zs_app.server.result_tables import ANY, FEW_ROWS, Answer, Filter, answer_at, find_answers
from zs_app.tabs.cards import scored as scored_card
from zs_app.tabs.cards import together
from zs_app.tabs.file_inputs import read_object
from zs_bench.dataset.embedded import load_embedded
from zs_bench.prompts.dissection import CannotDissect
from zs_bench.reports.html.environment import cut, html, join
from zs_bench.tasks import info
from zs_metric.explain import PARTS
from zs_metric.tasks import Benchmark, Task, find_benchmark

#: Characters of a text that are shown beside an explanation.
MAX_SHOWN = 20_000


def look(asked: str) -> list[Any]:
    """The list of answers that pass the filter, if it is asked for, and the answer that is opened."""
    query = read_object(asked)
    benchmark = find_benchmark(kept_report(query.get("result"))["benchmark"])
    wanted = read_filter(query)
    place = _number(query.get("place"), 0)
    listed = _list(query, wanted, benchmark) if query.get("list") else gr.skip()
    row, count = answer_at(query.get("result"), wanted, int(place or 0))
    return [listed, _opened(row, int(place or 0), count, benchmark, asked)]


def read_filter(query: Mapping[str, Any]) -> Filter:
    """The filter that the browser sends; a number field that a visitor emptied is `None`."""
    return Filter(
        task=str(query.get("task") or ANY),
        lost_to=str(query.get("lost_to") or ANY),
        low=_number(query.get("low"), 0),
        high=_number(query.get("high"), 100),
        text=str(query.get("text") or ""),
        order=str(query.get("order") or "score"),
        down=query.get("down") is True,
    )


def _number(value: object, default: float) -> float:
    return float(value) if isinstance(value, (int, float)) and abs(value) < 1e9 else default


def _list(query: Mapping[str, Any], wanted: Filter, benchmark: Benchmark) -> Markup:
    most = int(_number(query.get("most"), FEW_ROWS))
    rows, found, total = find_answers(query.get("result"), wanted, most)
    return render_list(
        "answers",
        query,
        rows=[{**dict(zip(_CELLS, row, strict=True)), "title": title(benchmark, row[0])} for row in rows],
        found=words.FILE_FOUND.format(found, total),
        more=found > len(rows),
    )


_CELLS = ("task", "id", "score", "lost_to", "reason", "answer")


def render_list(name: str, query: Mapping[str, Any], **values: Any) -> Markup:
    """A list of the page, with the query that it answers."""
    return render(f"file_{name}.html", query=json.dumps(query.get("key")), **values)


def title(benchmark: Benchmark, task: str) -> str:
    """What people call the task."""
    return info(benchmark.all_tasks[task]).title


def _opened(row: Answer | None, place: int, count: int, benchmark: Benchmark, asked: str) -> Markup:
    """One answer with its question, its references, its score and why."""
    if row is None:
        return html('<div data-query="{}"><div class="zs-card zs-empty">{}</div></div>', asked, words.FILE_NONE)
    task = benchmark.all_tasks[row.task]
    head = html(
        '<p class="zs-facts"><bdi><b>{}</b></bdi> · {} · {} of {}</p>',
        cut(row.id, 120),
        info(task).title,
        place + 1,
        count,
    )
    references = join(_text(_numbered(i, row.references), text) for i, text in enumerate(row.references, start=1))
    sides = html('<div class="zs-sides zs-pair"><div>{}</div><div>{}</div></div>', _answer(row), references)
    card = together(scored_card(task, row.prediction or " ", row.references))
    parts = head + _question(task, row.id) + sides + card
    return html('<div data-query="{}" data-place="{}">{}</div>', asked, place, parts)


def _answer(row: Answer) -> Markup:
    if row.prediction.strip():
        return _text(words.FILE_PREDICTION, row.prediction)
    return html('<h4>{}</h4><p class="zs-none">{}</p>', words.FILE_PREDICTION, words.FILE_NO_TEXT)


def _numbered(number: int, references: list[str]) -> str:
    return words.FILE_REFERENCE if len(references) == 1 else f"{words.FILE_REFERENCE} {number}"


def _text(name: str, text: str) -> Markup:
    return html('<h4>{}</h4><p class="zs-text" dir="auto" tabindex="0">{}</p>', name, cut(text, MAX_SHOWN))


def _question(task: Task, name: str) -> Markup:
    """The question as HTML, where it is one of this page."""
    question = question_of(task, name)
    return html('<p class="zs-asked" dir="auto">{}</p>', question) if question else Markup("")


def question_of(task: Task, name: str) -> str:
    """The question of this id among the examples of this page; empty where there is none."""
    return _questions(task).get(name, "")


@cache
def _questions(task: Task) -> dict[str, str]:
    """The questions of the embedded examples, by id."""
    found = {}
    for example in load_embedded(task.name, benchmark=task.benchmark.name):
        try:
            found[example.id] = example.query.strip()
        except CannotDissect:
            continue
    return found


def layout() -> None:
    """Build it inside the current Blocks."""
    with gr.Column(elem_id="file-explorer"):
        gr.HTML(render("file_filters.html", parts=PARTS), elem_id="file-filters", elem_classes="flush")
        with gr.Row(equal_height=False, elem_classes="zs-explorer"):
            with gr.Column(scale=6, min_width=320):
                listed = gr.HTML(elem_id="file-answers", elem_classes="flush")
            with gr.Column(scale=5, min_width=320, elem_classes="zs-beside"):
                gr.HTML(_steps(), elem_classes="flush")
                opened = gr.HTML(elem_id="file-opened", elem_classes="flush")
    query = gr.Textbox(visible="hidden", elem_id="file-query")
    query.change(handler(look), query, [listed, opened], **live())


def _steps() -> Markup:
    buttons = ((words.FILE_PREVIOUS, "previous"), (words.FILE_NEXT, "next"))
    return join(
        html('<button type="button" class="zs-button" id="file-{0}" data-file="{0}">{1}</button> ', name, text)
        for text, name in buttons
    )
