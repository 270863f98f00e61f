"""The tab "Score an answer": any answer against any references."""

from typing import Any

import gradio as gr
from markupsafe import Markup

from zs_app import words
from zs_app.rendering import part
from zs_app.server.events import handler, live, without_blocking
from zs_app.tabs.examples import FIRST, task_of, tasks
from zs_app.tabs.score_cards import nothing_yet, scored
from zs_bench.reports.html import notice
from zs_metric.errors import ZeroScrollsError

MOST_REFERENCES = 8
FIRST_TASK = "qasper"


def choices(benchmark: str) -> list[tuple[str, str]]:
    """The tasks of a benchmark with their metrics, for the menu."""
    return [(f"{title} · {task_of(value).metric.title}", value) for title, value in tasks(benchmark)]


def score(task: str, answer: str, *references: str) -> Markup:
    """The score of an answer with its explanation, or a message; empty references are ignored."""
    given = [text for text in references if text]
    if answer and not given:
        return notice("info", words.ANSWER_NO_REFERENCE)
    try:
        shown = scored(task_of(task), answer, given)
    except ZeroScrollsError as error:
        return notice("error", words.ANSWER_BAD_REFERENCE, [_in_boxes(str(error), references)])
    return shown.card if shown == nothing_yet() else part("together", *shown)


def _in_boxes(message: str, references: tuple[str, ...]) -> str:
    """The scorer's message, with the boxes' labels instead of indices of references."""
    filled = [i for i, text in enumerate(references, start=1) if text]
    for place, label in reversed(list(enumerate(filled))):
        message = message.replace(f"references[{place}]", words.ANSWER_REFERENCE.format(label))
    return message


def layout() -> list[Any]:
    """Build the tab inside the current Blocks.

    Returns:
        What `restoreAnswer` in answer.js sets: the boxes of answer and references, the references' rows, and the button
        that adds one.
    """
    answer_text, reference_text = words.ANSWER_SAMPLES[task_of(FIRST_TASK).metric.name]
    fields, rows, removes = [], [], []
    with gr.Row(equal_height=False, elem_classes="zs-desk"):
        with gr.Column(scale=3, min_width=320):
            task = gr.Dropdown(choices(FIRST), value=FIRST_TASK, label="Task", elem_id="answer-task")
            answer = gr.Textbox(answer_text, label=words.ANSWER, lines=3, max_lines=14, elem_id="answer-text")
            for i in range(1, MOST_REFERENCES + 1):
                with gr.Row(visible=i == 1, elem_classes="zs-reference") as row:
                    text, label = reference_text if i == 1 else "", words.ANSWER_REFERENCE.format(i)
                    box: dict[str, Any] = {"lines": 2, "max_lines": 14, "scale": 1}
                    fields.append(gr.Textbox(text, label=label, elem_id=f"answer-reference-{i}", **box))
                    remove: dict[str, Any] = {"size": "sm", "elem_classes": "zs-remove"}
                    removes.append(gr.Button(words.ANSWER_REMOVE.format(i), elem_id=f"answer-remove-{i}", **remove))
                rows.append(row)
            more = gr.Button(words.ANSWER_ADD, size="sm", elem_id="answer-add")
        with gr.Column(scale=2, min_width=320, elem_classes="zs-side"):
            first = part("stamped", "0", score(FIRST_TASK, answer_text, reference_text))
            card = gr.HTML(first, elem_id="answer-card", elem_classes="flush")
    stamp = gr.Textbox("0", visible=False)
    texts = [answer, *fields]
    boxes = [*texts, *rows, more]
    gr.on(
        [task.change, *(box.change for box in texts)],
        handler(reply),
        [task, *texts, stamp],
        card,
        js="(...inputs) => zs.stamped('answer-card', ...inputs)",
        **live(),
    )
    free = {**live(), "trigger_mode": "multiple"}
    task.change(None, [task, *texts], boxes, js="(...inputs) => zs.sampleOf(...inputs)", **free)
    more.click(None, texts, boxes, js="(...texts) => zs.addReference(...texts)", **free)
    for i, button in enumerate(removes):
        button.click(None, texts, boxes, js=f"(...texts) => zs.removeReference({i}, ...texts)", **free)
    return boxes


async def reply(task: str, *texts: str) -> Markup:
    """The score of the texts: an answer, references and, last, the stamp of the request."""
    *given, stamp = texts
    return part("stamped", stamp, await without_blocking(given, score, task, *given))
