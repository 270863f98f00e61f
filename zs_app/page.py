"""The page: a heading and the tabs."""

from __future__ import annotations

import gradio as gr
from markupsafe import Markup

from . import endpoints, score_answer, score_file, try_task, words

TABS = (
    (words.TRY_TAB, "try", try_task),
    (words.ANSWER_TAB, "answer", score_answer),
    (words.FILE_TAB, "file", score_file),
)


def build() -> gr.Blocks:
    """The whole app, not yet launched."""
    with gr.Blocks(title=words.TITLE, analytics_enabled=False, delete_cache=(3600, 3600)) as page:
        head = Markup('<header class="zs-head"><h1>Zero<span>SCROLLS</span></h1><p>{}</p></header>')
        gr.HTML(head.format(words.TAGLINE), elem_classes="flush")
        with gr.Tabs(overflow_behavior="wrap"):
            for label, name, tab in TABS:
                with gr.Tab(label, id=name, elem_id=f"tab-{name}"):
                    tab.layout()
        endpoints.layout()
    return page
