"""The tab "Try a task": read an example, write an answer, watch its score."""

from __future__ import annotations

from typing import NamedTuple

import gradio as gr
from markupsafe import Markup

from zs_bench.catalog import FACTS, SIZES, metric_title
from zs_bench.drawing.cards import notice
from zs_bench.drawing.markup import html
from zs_bench.problems import short
from zs_bench.prompting.variants import VARIANTS
from zs_bench.sources.data_sources import SourceUnavailable
from zs_bench.sources.embedded import embedded_titles

from . import words
from .cards import scored
from .example_answers import references, sample_answer, score, where
from .live import live, told
from .prompt_panel import SOURCES, WHOLE, copied, find_example, loaded, sheet, tokenizers
from .which import FIRST, same_task, tasks, which

FIRST_TASK = "quality"
# Clipboards need a secure context; where there is none, an old way still works.
_COPY = """(text) => { if (navigator.clipboard) { navigator.clipboard.writeText(text); } else {
  const area = document.createElement("textarea"); area.value = text; document.body.append(area); area.select();
  document.execCommand("copy"); area.remove(); } }"""


class LinkedParts(NamedTuple):
    """What a link to an example sets, see `links.py`."""

    task: gr.Radio
    example: gr.Radio
    about: gr.HTML
    truth: gr.HTML
    paper: gr.HTML
    variant: gr.Radio


def choices(source: str, task: str) -> list[tuple[str, int]]:
    """The task's examples for a menu: (title or id, index)."""
    asked = which(task)
    titles = embedded_titles(asked.benchmark)[asked.task] if source == "embedded" else {}
    return [(titles.get(e.id, short(e.id, 28)), i) for i, e in enumerate(loaded(source, task).examples)]


def facts(source: str, task: str) -> Markup:
    """The task in a sentence, and where its examples are from."""
    asked, found = which(task), loaded(source, task)
    known, size = FACTS[asked.task], SIZES[asked.benchmark][asked.task]
    defects = notice("warning", words.SOURCE_DEFECTS, [p.message for p in found.findings]) if found.findings else ""
    return html(
        '<p class="zs-facts">{} ({}), scored by {}. In the benchmark: {} test examples of {} words on average. '
        "Shown: {}.</p>{}",
        known.kind,
        known.domain,
        metric_title(*asked),
        f"{size.test:,}",
        f"{size.words:,}",
        found.source_label,
        defects,
    )


def show(source: str, task: str, index: int, variant: str, budget: int, tokenizer: str) -> Markup:
    """The example as a sheet with the parts of its prompt."""
    return sheet(find_example(source, task, index), variant, int(budget), tokenizer)


def text_to_copy(source: str, task: str, index: int, variant: str, budget: int, tokenizer: str) -> str:
    """Exactly what a model should get."""
    text = copied(find_example(source, task, index), variant, int(budget), tokenizer)
    gr.Info(words.PROMPT_COPIED.format(len(text)), duration=4)
    return text


def switch_task(source: str, task: str) -> tuple[gr.Radio, Markup, Markup, str]:
    """The first example of another task: the menu of examples, the facts, the references, and no answer yet."""
    return gr.Radio(choices(source, task), value=0), facts(source, task), references(source, task, 0), ""


def switch_source(source: str, task: str, progress: gr.Progress = gr.Progress()) -> tuple[object, ...]:
    """As `switch_task`, for another source; where it cannot be had the embedded examples stay, and it is said why."""
    progress(0, desc=words.SOURCE_LOADING)
    try:
        loaded(source, task)
    except SourceUnavailable as error:
        gr.Warning(str(error), duration=None, title=words.SOURCE_UNAVAILABLE)
        return ("embedded", *switch_task("embedded", task))
    return (source, *switch_task(source, task))


def switch_benchmark(benchmark: str, task: str, index: int) -> list[object]:
    """The tasks of another benchmark, with the examples of this page.

    A task of the same name stays chosen, with its example and the answer: it may score otherwise there.
    """
    value = same_task(task, benchmark)
    kept = which(value).task == which(task).task and index < len(loaded("embedded", value).examples)
    place = index if kept else 0
    return [
        gr.Radio(tasks(benchmark), value=value),
        "embedded",
        gr.Radio(choices("embedded", value), value=place),
        facts("embedded", value),
        references("embedded", value, place),
        gr.skip() if kept else "",
        gr.Radio(value="canonical", visible=benchmark == FIRST),
    ]


def layout(benchmark: gr.Radio) -> LinkedParts:
    """Build the tab inside the current Blocks."""
    gr.HTML(f"<p>{words.TRY_LEAD}</p>", elem_classes=["zs-lead", "flush"])
    task = gr.Radio(tasks(FIRST), value=FIRST_TASK, label="Task", elem_id="try-task", elem_classes="zs-chips")
    example = gr.Radio(
        choices("embedded", FIRST_TASK), value=0, label="Example", elem_id="try-example", elem_classes="zs-chips"
    )
    with gr.Row(equal_height=False):
        with gr.Column(scale=3, min_width=320):
            about = gr.HTML(facts("embedded", FIRST_TASK), elem_id="try-facts", elem_classes="flush")
            with gr.Accordion(words.PROMPT_TITLE, open=False, elem_id="try-prompt"):
                variant = gr.Radio(list(VARIANTS), value="canonical", label=words.PROMPT_VARIANT, elem_id="try-variant")
                budget = gr.Slider(
                    256, WHOLE, value=WHOLE, step=32, label=words.PROMPT_BUDGET, elem_id="try-budget", buttons=[]
                )
                counted = tokenizers()
                tokenizer = gr.Radio(
                    counted, value="words", label=words.PROMPT_TOKENIZER, visible=len(counted) > 1, elem_id="try-tokens"
                )
                copy = gr.Button(words.PROMPT_COPY, size="sm", elem_id="try-copy")
                source = gr.Radio(
                    [(title, name) for name, title in SOURCES.items()],
                    value="embedded",
                    label=words.SOURCE_TITLE,
                    elem_id="try-source",
                )
            form = [variant, budget, tokenizer]
            first = show("embedded", FIRST_TASK, 0, "canonical", WHOLE, "words")
            paper = gr.HTML(first, elem_id="try-sheet", elem_classes="flush")
            nothing_yet = where(find_example("embedded", FIRST_TASK, 0), "")
            place = gr.HTML(nothing_yet, elem_id="try-where", elem_classes="flush")
        with gr.Column(scale=2, min_width=320, elem_classes="zs-side"):
            answer = gr.Textbox(
                label=words.TRY_ANSWER, placeholder=words.TRY_ANSWER_HINT, lines=4, max_lines=14, elem_id="try-answer"
            )
            fill = gr.Button(words.TRY_SAMPLE, size="sm", elem_id="try-fill")
            card = gr.HTML(scored(FIRST_TASK, "", []), elem_id="try-card", elem_classes="flush")
            with gr.Accordion(words.TRY_REVEAL, open=False, elem_id="try-reveal"):
                truth = gr.HTML(references("embedded", FIRST_TASK, 0), elem_id="try-references", elem_classes="flush")
            gr.HTML(f"<p>{words.TRY_SOURCE}</p>", elem_classes=["zs-lead", "flush"])
    text = gr.Textbox(visible=False)
    chosen = [source, task, example]
    asked = ([*chosen, answer], [card, place])
    switched = [
        task.input(told(switch_task), [source, task], [example, about, truth, answer], **live()),
        source.input(
            told(switch_source), [source, task], [source, example, about, truth, answer], api_visibility="private"
        ),
        example.input(told(switch_example), chosen, [truth, answer], **live()),
        benchmark.input(
            told(switch_benchmark),
            [benchmark, task, example],
            [task, source, example, about, truth, answer, variant],
            **live(),
        ),
    ]
    for event in switched:
        event.then(told(show), [*chosen, *form], paper, **live()).then(told(score), *asked, **live())
    gr.on([variant.input, budget.change, tokenizer.input], told(show), [*chosen, *form], paper, **live())
    copy.click(told(text_to_copy), [*chosen, *form], text, **{**live(), "queue": True}).then(None, text, None, js=_COPY)
    answer.change(told(score), *asked, **live())
    fill.click(told(sample_answer), chosen, answer, **live())
    return LinkedParts(task, example, about, truth, paper, variant)


def switch_example(source: str, task: str, index: int) -> tuple[Markup, str]:
    """Another example: its references, and no answer yet."""
    return references(source, task, index), ""
