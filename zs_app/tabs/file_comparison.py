"""Two systems side by side in "Score a file": their names, every question with both answers, and who was better."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gradio as gr
from markupsafe import Markup

from zs_app import words
from zs_app.rendering import render
from zs_app.server.events import handler, live
from zs_app.server.result_cache import kept_page, kept_report
from zs_app.server.result_tables import ANY, RIGHT, ComparedQuestion, QuestionFilter, find_questions
from zs_app.tabs.file_answers import question_of, render_list, title
from zs_app.tabs.file_inputs import read_object
from zs_bench.reports.html.environment import cut
from zs_metric.tasks import find_benchmark

#: Questions shown at first and each time more are asked for, and the most characters of each text.
FEW, MAX_SHOWN = 10, 1_500


def look(asked: str) -> Markup:
    """The questions that pass the filter."""
    query = read_object(asked)
    result = query.get("result")
    benchmark, names = find_benchmark(kept_report(result)["benchmark"]), kept_page(result)["names"]
    most = query.get("most")
    rows, found, total = find_questions(result, _filter(query), most if type(most) is int else FEW)
    return render_list(
        "questions",
        query,
        rows=[
            (title(benchmark, row.task), row, _verdict(row, names), question_of(benchmark.all_tasks[row.task], row.id))
            for row in rows
        ],
        names=names,
        found=words.COMPARE_FOUND.format(found, total),
        more=found > len(rows),
        shorten=lambda text: cut(text, MAX_SHOWN),
    )


def _filter(query: Mapping[str, Any]) -> QuestionFilter:
    return QuestionFilter(
        task=str(query.get("task") or ANY),
        verdict=str(query.get("verdict") or ANY),
        text=str(query.get("text") or ""),
        order=str(query.get("order") or "difference"),
        down=query.get("down") is not False,
    )


def _verdict(row: ComparedQuestion, names: list[str]) -> str:
    """Who was better, in a word or two."""
    if row.difference is None:
        return words.COMPARE_ONE_ONLY
    if abs(row.difference) < 1e-9:
        return words.COMPARE_SAME
    return words.COMPARE_BETTER.format(names[0] if row.difference > 0 else names[1])


def layout(files: dict[str, Any]) -> tuple[gr.File, gr.HTML]:
    """Build it inside the current Blocks; returns the box for the second system's files, and the comparison."""
    gr.HTML(render("file_compare.html"), elem_classes="flush")
    second = gr.File(label=words.COMPARE_SECOND, elem_id="file-second", **files)
    gr.HTML(render("file_compare_go.html"), elem_classes="flush")
    comparison = gr.HTML(elem_id="file-comparison", elem_classes="flush")
    filters = render("file_question_filters.html", right=RIGHT)
    gr.HTML(filters, elem_id="compare-filters", elem_classes="flush")
    listed = gr.HTML(elem_id="compare-questions", elem_classes="flush")
    query = gr.Textbox(visible="hidden", elem_id="compare-query")
    query.change(handler(look), query, listed, **live())
    return second, comparison
