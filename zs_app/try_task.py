"""The tab "Try a task": read an example, write an answer, watch its score."""

from __future__ import annotations

import csv
from functools import cache

import gradio as gr
from markupsafe import Markup

from zs_bench.catalog import FACTS, METRIC_TITLES
from zs_bench.dissect import dissect
from zs_bench.embedded import SAMPLE_PREDICTIONS, embedded_titles, load_embedded
from zs_bench.rows import Example
from zs_metric.scoring import score_example
from zs_metric.tasks import TASKS, find_task

from . import words
from .cards import score_card
from .live import live, told

FIRST_TASK = "quality"


def choices(task: str) -> list[tuple[str, int]]:
    """The task's examples for a menu: (title, index)."""
    return [(title, index) for index, title in enumerate(embedded_titles()[task].values())]


def find_example(task: str, index: int) -> Example:
    """The example of that index.

    Raises:
        UnknownTask: with the likely name.
        gr.Error: for an index that is none, with the range.
    """
    examples = load_embedded(find_task(task).name)
    if not 0 <= index < len(examples):
        raise gr.Error(f"{task} has the examples 0 to {len(examples) - 1}, not {index}.", print_exception=False)
    return examples[index]


def show(task: str, index: int) -> str:
    """The facts of the task and the example as a sheet with its four parts."""
    example, facts = find_example(task, index), FACTS[task]
    parts = dissect(task, example)
    named = [("instruction", "Instruction", parts.instruction), ("document", "Document", parts.document)]
    if parts.query is not None:
        named.append(("query", "Query", parts.query))
    named.append(("response", "Response header", parts.response_header))
    head = (
        f"{facts.kind} ({facts.domain}), scored by {METRIC_TITLES[TASKS[task].metric]}. "
        f"In the benchmark: {facts.test_examples} test examples of {facts.words:,} words on average."
    )
    return Markup('<p class="zs-facts">{}</p><div class="zs-sheet">{}</div>').format(
        head, Markup("").join(_part(*part) for part in named)
    )


def _part(kind: str, title: str, text: str) -> Markup:
    count = f"{len(text.split()):,} words" if kind == "document" else ""
    scroll = Markup(' tabindex="0" role="region" aria-label="Document"') if kind == "document" else ""
    return Markup('<div class="zs-part {}"><h4>{}<small>{}</small></h4><p class="zs-text"{}>{}</p></div>').format(
        kind, title, count, scroll, text
    )


def score(task: str, index: int, answer: str) -> str:
    """The score card of an answer to an example."""
    example = find_example(task, index)
    return score_card(task, answer, score_example(task, answer, example.references) if answer else None)


def references(task: str, index: int) -> str:
    """The references of an example, as a list."""
    items = Markup("").join(Markup("<li>{}</li>").format(text) for text in find_example(task, index).references)
    return Markup('<div class="zs-references"><ol>{}</ol></div>').format(items)


def sample_answer(task: str, index: int) -> str:
    """The answer of the sample file to that example."""
    return _sample_answers()[task, find_example(task, index).id]


@cache
def _sample_answers() -> dict[tuple[str, str], str]:
    with SAMPLE_PREDICTIONS.open(encoding="utf-8", newline="") as file:
        return {(row["Task"], row["ID"]): row["Prediction"] for row in csv.DictReader(file)}


def layout() -> None:
    """Build the tab inside the current Blocks."""
    gr.HTML(f"<p>{words.TRY_LEAD}</p>", elem_classes=["zs-lead", "flush"])
    names = [(FACTS[name].title, name) for name in TASKS]
    task = gr.Radio(names, value=FIRST_TASK, label="Task", elem_id="try-task", elem_classes="zs-chips")
    example = gr.Radio(choices(FIRST_TASK), value=0, label="Example", elem_id="try-example", elem_classes="zs-chips")
    with gr.Row(equal_height=False):
        with gr.Column(scale=3, min_width=320):
            sheet = gr.HTML(show(FIRST_TASK, 0), elem_id="try-sheet", elem_classes="flush")
        with gr.Column(scale=2, min_width=320, elem_classes="zs-side"):
            answer = gr.Textbox(
                label=words.TRY_ANSWER, placeholder=words.TRY_ANSWER_HINT, lines=4, max_lines=14, elem_id="try-answer"
            )
            fill = gr.Button(words.TRY_SAMPLE, size="sm", elem_id="try-fill")
            card = gr.HTML(score_card(FIRST_TASK, "", None), elem_id="try-card", elem_classes="flush")
            with gr.Accordion(words.TRY_REVEAL, open=False, elem_id="try-reveal"):
                truth = gr.HTML(references(FIRST_TASK, 0), elem_id="try-references", elem_classes="flush")
            gr.HTML(f"<p>{words.TRY_SOURCE}</p>", elem_classes=["zs-lead", "flush"])
    chosen = [task, example]
    task.input(told(switch_task), task, [example, sheet, truth, answer], **live())
    example.input(told(switch_example), chosen, [sheet, truth, answer], **live())
    answer.change(told(score), [*chosen, answer], card, **live())
    fill.click(told(sample_answer), chosen, answer, **live())


def switch_task(task: str) -> tuple[gr.Radio, str, str, str]:
    """The first example of another task: the menu of examples, the sheet, the references, and no answer yet."""
    return gr.Radio(choices(task), value=0), *switch_example(task, 0)


def switch_example(task: str, index: int) -> tuple[str, str, str]:
    """Another example: the sheet, the references, and no answer yet."""
    return show(task, index), references(task, index), ""
