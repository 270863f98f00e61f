"""The page: a heading and the tabs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import gradio as gr

from zs_bench.drawing.markup import html

from . import endpoints, links, results, score_answer, score_file, try_task, words
from .live import without_detours
from .which import CHOICES, FIRST

#: Events that may wait; a visitor beyond them is told to come back.
MAX_WAITING = 200


def build() -> gr.Blocks:
    """The whole app, not yet launched."""
    with gr.Blocks(title=words.TITLE, analytics_enabled=False) as page:
        head = '<header class="zs-head"><h1>Zero<span>SCROLLS</span></h1><p>{}</p></header>'
        gr.HTML(html(head, words.TAGLINE), elem_classes="flush")
        # In view wherever one is: which tasks there are, and how a file is read.
        benchmark = gr.Radio(
            CHOICES, value=FIRST, label=words.BENCHMARK, elem_id="benchmark", elem_classes=["zs-chips", "zs-benchmark"]
        )
        # The report of the file scored last: "Score a file" sets it, "Results" shows it among the published ones.
        report = gr.State(None)
        with gr.Tabs(overflow_behavior="wrap") as tabs:
            with _tab(words.TRY_TAB, "try"):
                parts = try_task.layout(benchmark)
            with _tab(words.ANSWER_TAB, "answer"):
                task = score_answer.layout(benchmark)
            with _tab(words.FILE_TAB, "file"):
                score_file.layout(report, benchmark)
            with _tab(words.RESULTS_TAB, "results") as tab:
                results_parts = results.layout(report, tab, benchmark)
        gr.HTML(html('<footer class="zs-foot"><p>{}</p></footer>', words.DATA), elem_id="data", elem_classes="flush")
        endpoints.layout()
        links.layout(page, [benchmark, tabs, task, *parts], results_parts)
    without_detours(page)
    endpoints.fill_in_defaults(page)
    return page.queue(max_size=MAX_WAITING, default_concurrency_limit=8)


@contextmanager
def _tab(title: str, name: str) -> Iterator[gr.Tab]:
    """A tab, with a heading that those see who cannot see which tab is open."""
    with gr.Tab(title, id=name) as tab:
        gr.HTML(html("<h2>{}</h2>", title), elem_classes=["flush", "zs-unseen"])
        yield tab
