"""The tab "Try a task": read an example, write an answer, see its score."""

from __future__ import annotations

from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from zs_app import words
from zs_app.server.events import handler, live
from zs_app.tabs.cards import nothing_yet, stamped
from zs_app.tabs.example_answers import references, score
from zs_app.tabs.examples import Question, choices, loaded, query_and_options, sample_answer, sources
from zs_app.tabs.prompt_panel import WHOLE, prompt_text, sheet, tokenizers
from zs_app.tabs.task_menu import FIRST, task_of, tasks
from zs_bench.dataset.hub import SourceUnavailable
from zs_bench.problems import UnusableInput
from zs_bench.prompts.variants import CLOSED_BOOK, VARIANTS
from zs_bench.reports.html.environment import html, join, notice
from zs_bench.tasks import info

FIRST_TASK = "quality"
FIRST_QUESTION = f"embedded {FIRST_TASK} 0"


class Parts(NamedTuple):
    """The parts that the browser sets, see `links.Controls`."""

    task: gr.Radio
    source: gr.Radio
    example: gr.Radio
    variant: gr.Radio
    question: gr.Textbox
    answer: gr.Textbox
    why: gr.Accordion
    references: gr.Accordion


def show(name: str, variant: str, budget: float | None, tokenizer: str) -> list[Any]:
    """An example: its question, its prompt as a sheet, the prompt's length, its references, and the menu of examples.

    Where the source has no examples to give, a message says so in the place of the sheet.
    """
    question = Question.named(name)
    try:
        loaded(question.source, question.task)
    except (SourceUnavailable, UnusableInput) as error:
        title = words.SOURCE_UNAVAILABLE if isinstance(error, SourceUnavailable) else words.SOURCE_UNUSABLE
        message = notice("error", title, [str(error)])
        return [_of(name, ""), _of(name, message), "", _of(name, ""), gr.skip()]
    paper, notes = sheet(question.example, variant, _size(budget), tokenizer)
    # The examples of this page are in the browser's own menu; those of other sources are known only now.
    menu = gr.skip() if question.source == "embedded" else gr.Radio(choices(question.source, question.task))
    return [ask(name), _of(name, paper + _facts(question)), notes, _of(name, references(question)), menu]


def ask(name: str) -> Markup:
    """The question with its options, and the sample answer, which a button fills in."""
    question = Question.named(name)
    asked, options = query_and_options(question.example)
    buttons = join(
        html('<li><button type="button" data-option="{}">{}</button></li>', answer, text) for text, answer in options
    )
    return html(
        '<div class="zs-question" data-question="{}" data-sample="{}"><h3 dir="auto">{}</h3>{}</div>',
        name,
        sample_answer(*question),
        asked,
        html("<ul>{}</ul>", buttons) if options else "",
    )


def _of(name: str, content: Markup | str) -> Markup:
    """What belongs to the question of that name, by which the browser knows whether it is still asked."""
    return html('<div data-question="{}">{}</div>', name, content)


def _facts(question: Question) -> Markup:
    """The task in a sentence, and where its examples are from."""
    task, found = task_of(question.task), loaded(question.source, question.task)
    known, size = info(task), info(task).size
    published = words.TRY_SIZE.format(test=size.test, words=size.words) if size.test and size.words else ""
    defects = notice("warning", words.SOURCE_DEFECTS, [p.message for p in found.findings]) if found.findings else ""
    return html(
        '<div id="try-facts"><p class="zs-facts">{}</p>{}</div>',
        words.TRY_FACTS.format(
            kind=known.kind,
            domain=known.domain,
            metric=task.metric.title,
            size=published,
            shown=found.source_label,
        ),
        defects,
    )


def reply(name: str, answer: str, stamp: str) -> list[Markup]:
    """The score of the answer, the reason for it, and where its words occur in the document."""
    try:
        shown, place = score(Question.named(name), answer)
    except (SourceUnavailable, UnusableInput):  # the sheet says so
        shown, place = nothing_yet(), Markup("")
    return [stamped(stamp, shown.card), shown.why, place]


def prompt_to_copy(name: str, variant: str, budget: float | None, tokenizer: str) -> str:
    """Exactly what a model should get."""
    text = prompt_text(Question.named(name).example, variant, _size(budget), tokenizer).prompt.text
    gr.Info(words.PROMPT_COPIED.format(len(text)), duration=4)
    return text


def _size(budget: float | None) -> int:
    """The budget; without one, in an emptied field, nothing is cut."""
    return WHOLE if budget is None else int(budget)


def _link(place: str, text: str) -> Markup:
    return html('<a href="{0}" data-to="{0}">{1}</a>', place, text)


def layout() -> Parts:
    """Build the tab inside the current Blocks."""
    first = show(FIRST_QUESTION, "canonical", WHOLE, "words")
    to_file = html('<a href="?tab=file" data-tab="file">{}</a>', words.TRY_TO_FILE)
    gr.HTML(html('<p class="zs-intro">{} {}.</p>', words.TRY_LEAD, to_file), elem_classes="flush")
    with gr.Row(elem_classes="zs-menus"):
        task = gr.Radio(tasks(FIRST), value=FIRST_TASK, label="Task", elem_id="try-task", elem_classes="zs-chips")
        example = gr.Radio(
            choices("embedded", FIRST_TASK), value=0, label="Example", elem_id="try-example", elem_classes="zs-chips"
        )
        offered = [(title, name) for name, title in sources().items()]
        source = gr.Radio(
            offered, value="embedded", label=words.SOURCE_TITLE, elem_id="try-source", elem_classes="zs-chips"
        )
    with gr.Row(equal_height=False, elem_classes="zs-desk"):
        with gr.Column(scale=2, min_width=320, elem_classes="zs-side", elem_id="try-side"):
            asked = gr.HTML(first[0], elem_id="try-asked", elem_classes="flush")
            answer = gr.Textbox(
                label=words.TRY_ANSWER, placeholder=words.TRY_ANSWER_HINT, lines=2, max_lines=10, elem_id="try-answer"
            )
            with gr.Row(elem_classes="zs-tools"):
                fill = gr.Button(words.TRY_SAMPLE, size="sm", elem_id="try-fill", min_width=120)
                gr.HTML(_link("#try-sheet", words.TRY_TO_DOCUMENT), elem_classes="zs-phone")
            card = gr.HTML(stamped("0", nothing_yet().card), elem_id="try-card", elem_classes="flush")
            with gr.Accordion(words.TRY_WHY, open=False, elem_id="try-why") as why:
                reason = gr.HTML(nothing_yet().why, elem_id="try-card-why", elem_classes="flush")
            with gr.Accordion(words.TRY_REVEAL, open=False, elem_id="try-reveal") as revealed:
                truth = gr.HTML(first[3], elem_id="try-references", elem_classes="flush")
            with gr.Accordion(words.PROMPT_TITLE, open=False, elem_id="try-prompt"):
                variant = gr.Radio(
                    [one for one in VARIANTS if one != CLOSED_BOOK],
                    value="canonical",
                    label=words.PROMPT_VARIANT,
                    elem_id="try-variant",
                )
                counted = tokenizers()
                budget = gr.Slider(
                    256,
                    WHOLE,
                    value=WHOLE,
                    step=32,
                    label=words.PROMPT_BUDGET if len(counted) == 1 else words.PROMPT_BUDGET_COUNTED,
                    elem_id="try-budget",
                    buttons=[],
                )
                tokenizer = gr.Radio(
                    counted, value="words", label=words.PROMPT_TOKENIZER, visible=len(counted) > 1, elem_id="try-tokens"
                )
                notes = gr.HTML(first[2], elem_id="try-length", elem_classes="flush")
                copy = gr.Button(words.PROMPT_COPY, size="sm", elem_id="try-copy")
        with gr.Column(scale=3, min_width=320):
            gr.HTML(_link("#try-side", words.TRY_TO_ANSWER), elem_classes="zs-phone")
            paper = gr.HTML(first[1], elem_id="try-sheet", elem_classes="flush")
            place = gr.HTML(elem_id="try-card-where", elem_classes="flush")
    # Which example is shown. The browser sets it, and everything else follows from it.
    question = gr.Textbox(FIRST_QUESTION, visible="hidden", elem_id="try-question")
    stamp, text = gr.Textbox("0", visible=False), gr.Textbox(visible=False)
    form = [variant, budget, tokenizer]
    gr.on(
        [question.change, variant.input, budget.change, tokenizer.input],
        handler(show),
        [question, *form],
        [asked, paper, notes, truth, example],
        **live(),
    )
    gr.on(
        [question.change, answer.change],
        handler(reply),
        [question, answer, stamp],
        [card, reason, place],
        js="(...inputs) => zs.stamped('try-card', ...inputs)",
        **live(),
    )
    fill.click(None, None, answer, js="() => zs.sample()", **{**live(), "trigger_mode": "once"})
    copy.click(handler(prompt_to_copy), [question, *form], text, **{**live(), "queue": True}).then(
        None, text, None, js="(text) => zs.copy(text)"
    )
    return Parts(task, source, example, variant, question, answer, why, revealed)
