"""The page: one row with the benchmark, the tabs and the links, and below it the tab that is open."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import gradio as gr
from gradio.routes import App
from markupsafe import Markup

from zs_app import api, links, programs, words
from zs_app.rendering import render
from zs_app.server.board import board_place
from zs_app.server.events import check_values
from zs_app.server.startup import replaced
from zs_app.tabs import board, results, score_answer, score_file, try_task
from zs_app.tabs.examples import CHOICES, FIRST
from zs_bench.tasks import benchmark_info
from zs_metric.tasks import BENCHMARKS

#: The address of the Hub.
HUB = "https://huggingface.co"
#: The most waiting events; further ones are rejected.
MAX_WAITING = 200


@replaced(App, "create_app", staticmethod(lambda *_, **__: None))
def build() -> gr.Blocks:
    """Build the app, without launching it.

    While a page is built, Gradio creates its ASGI app several times, which is skipped here: `launch` creates the one
    that serves requests.
    """
    with gr.Blocks(title=words.TITLE, analytics_enabled=False) as page:
        gr.HTML(f'<a class="zs-skip" href="#tabs">{words.SKIP}</a><h1>{words.TITLE}</h1>', elem_id="head")
        benchmark = gr.Dropdown(
            CHOICES, value=FIRST, label=words.BENCHMARK, container=False, filterable=False, elem_id="benchmark"
        )
        gr.HTML(_links(), elem_id="links", elem_classes="flush")
        # The id of the last scored file, set by "Score a file" and used by "Results". It is held by the browser, not in
        # a session of the server, which keeps a limited number of sessions.
        result = gr.Textbox(visible="hidden", elem_id="result")
        with gr.Tabs(overflow_behavior="wrap", elem_id="tabs") as tabs:
            with _tab("try", words.TRY_TAB):
                tried = try_task.layout()
            with _tab("answer", words.ANSWER_TAB):
                answered = score_answer.layout()
            with _tab("file", words.FILE_TAB):
                score_file.layout(result)
            with _tab("results", words.RESULTS_TAB) as tab:
                results.layout(result, tab, benchmark)
            if board_place():
                with _tab("board", words.BOARD_TAB) as tab:
                    board.layout(tab, page)
            with _tab("api", words.API_TAB):
                programs.layout()
        said = words.DATA.format(words.BOARD_DATA if board_place() else "")
        gr.HTML(f'<footer class="zs-foot"><p>{said}</p></footer>', elem_id="data", elem_classes="flush")
        api.layout()
        links.layout(page, benchmark, tabs, tried, answered)
    check_values(page)
    api.fill_in_defaults(page)
    return page.queue(max_size=MAX_WAITING, default_concurrency_limit=8)


def _links() -> Markup:
    """The links of the page, some of them for one benchmark; on a Space also to its source."""
    space = os.environ.get("SPACE_ID")
    found = [("Paper", paper, name) for name, paper in words.PAPERS.items()]
    found += [("Data", f"{HUB}/datasets/{benchmark_info(one).repo}", name) for name, one in BENCHMARKS.items()]
    found += [("Source", f"{HUB}/spaces/{space}/tree/main", "")] if space else []
    return render("links.html", links=found, first=FIRST)


@contextmanager
def _tab(name: str, title: str) -> Iterator[gr.Tab]:
    """A tab, with a heading for screen readers."""
    with gr.Tab(title, id=name) as tab:
        gr.HTML(f"<h2>{title}</h2>", elem_classes=["flush", "zs-unseen"])
        yield tab
