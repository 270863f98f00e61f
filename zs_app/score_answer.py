"""The tab "Score an answer": any answer against any references."""

from __future__ import annotations

import gradio as gr

from zs_bench.catalog import metric_title
from zs_bench.drawing.cards import notice
from zs_metric.errors import ZeroScrollsError

from . import words
from .cards import scored
from .live import live, told
from .which import FIRST, same_task, tasks, which

MOST_REFERENCES = 8
FIRST_TASK = "qasper"


def choices(benchmark: str) -> list[tuple[str, str]]:
    """The tasks of a benchmark with their metrics, for the menu."""
    return [(f"{title} · {metric_title(*which(value))}", value) for title, value in tasks(benchmark)]


def switch(benchmark: str, task: str) -> gr.Dropdown:
    """The menu of another benchmark; the task stays chosen where there is one of that name."""
    return gr.Dropdown(choices(benchmark), value=same_task(task, benchmark))


def score(task: str, answer: str, *references: str) -> str:
    """The score card of an answer; empty reference fields do not count, and a missing reference is said."""
    given = [text for text in references if text]
    if answer and not given:
        return notice("info", "Give a reference to score against.")
    try:
        return scored(task, answer, given)
    except ZeroScrollsError as error:
        return notice("error", "The reference cannot be used", [str(error)])


def layout(benchmark: gr.Radio) -> gr.Dropdown:
    """Build the tab inside the current Blocks; a link sets its task."""
    gr.HTML(f"<p>{words.ANSWER_LEAD}</p>", elem_classes=["zs-lead", "flush"])
    with gr.Row(equal_height=False):
        with gr.Column(scale=3, min_width=320):
            task = gr.Dropdown(choices(FIRST), value=FIRST_TASK, label="Task", elem_id="answer-task")
            answer = gr.Textbox(label="Answer", lines=4, max_lines=14, elem_id="answer-text")
            fields = [
                gr.Textbox(
                    label=f"Reference {i + 1}",
                    lines=2,
                    max_lines=14,
                    visible=i == 0,
                    elem_id=f"answer-reference-{i + 1}",
                )
                for i in range(MOST_REFERENCES)
            ]
            shown = gr.State(1)
            more = gr.Button(words.ANSWER_ADD, size="sm", elem_id="answer-add")
        with gr.Column(scale=2, min_width=320, elem_classes="zs-side"):
            card = gr.HTML(scored(FIRST_TASK, "", []), elem_id="answer-card", elem_classes="flush")
    changes = [task.change, answer.change, *(field.change for field in fields)]
    gr.on(changes, told(score), [task, answer, *fields], card, **live())
    benchmark.input(told(switch), [benchmark, task], task, **live())
    more.click(told(add_reference), shown, [shown, more, *fields], **live())
    return task


def add_reference(shown: int) -> list[object]:
    """Show one more reference field: the count, the button, and the fields."""
    shown = min(shown + 1, MOST_REFERENCES)
    return [
        shown,
        gr.Button(interactive=shown < MOST_REFERENCES),
        *(gr.Textbox(visible=i < shown) for i in range(MOST_REFERENCES)),
    ]
