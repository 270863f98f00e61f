"""The tab "Try a task": read an example and its prompt, write an answer, see its score."""

import logging
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import starmap
from typing import Any

from markupsafe import Markup

from zs_app import words
from zs_app.component import Text, component, part, render
from zs_app.server.jobs import in_thread
from zs_app.server.limits import without_blocking
from zs_app.tabs.examples import (
    FIRST_EXAMPLE,
    ChosenExample,
    NoSuchExample,
    choices,
    embedded_count,
    items_to_order,
    loaded,
    query_and_options,
    sample_answer,
    sources,
    task_of,
    tasks,
)
from zs_app.tabs.score_answer import Scored, example_score, nothing_yet, reached, references
from zs_bench.benchmarks import available
from zs_bench.dataset.rows import Example
from zs_bench.errors import BudgetTooSmall, SourceUnavailable, UnusableInput
from zs_bench.prompts import CLOSED_BOOK, VARIANTS, Budget, Trimmed, make_prompt, trim
from zs_bench.reports.html import notice
from zs_bench.token_counts import find_tokenizer

_log = logging.getLogger(__name__)
FIRST_QUESTION = ChosenExample("embedded", *FIRST_EXAMPLE)
WHOLE = 16_384  # the slider's right end, at which nothing is cut
LEAST = 256  # the slider's left end
#: The variant, budget and tokenizer of a prompt in its original format, as a whole.
WHOLE_PROMPT = ("canonical", WHOLE, "words")
_PARTS = {
    "frame": "Frame",
    "instruction": "Instruction",
    "document": "Document",
    "separator": "Cut here",
    "query": "Query",
    "response_header": "Response header",
}


def example(source: str, task: str, example: int, variant: str, budget: int, tokenizer: str) -> dict[str, Any]:
    """Return an example as HTML: question, document, the prompt around it, references, and the menu of examples.

    Also its sample answer. If the source has no examples, there is only `sheet`, a message.
    """
    question = ChosenExample(source, task, example)
    try:
        split = loaded(source, task)
    except (SourceUnavailable, UnusableInput) as error:
        if source == "embedded":  # the task is of a benchmark of the owner's
            return {"sheet": notice("info", words.SOURCE_NO_EXAMPLES.format(task_of(task).title))}
        message = notice("error", words.SOURCE_UNUSABLE, [str(error)])
        if isinstance(error, SourceUnavailable):  # the reason is for the owner
            _log.warning("no examples of %s: %s", task, error)
            message = notice("error", words.SOURCE_UNAVAILABLE)
        return {"sheet": message + part("back_to_page")}
    row, shown_task, is_here = question.example, task_of(task), source == "embedded"
    heading, options = query_and_options(row)
    items, is_percentage = items_to_order(row), shown_task.metric.name == "exp_similarity"
    try:
        trimmed = prompt_text(row, variant, max(LEAST, budget), tokenizer)
        segments, notes = trimmed.prompt.segments, length_notes(trimmed)
    except BudgetTooSmall as error:
        segments, notes = make_prompt(row, variant).segments, notice("warning", words.PROMPT_TOO_SMALL, [str(error)])
    about, size = shown_task, shown_task.size
    lead = words.TRY_WRITTEN if is_here else next(starmap(words.TRY_LEAD.format, reached(shown_task).items()), "")
    facts = words.TRY_FACTS.format(
        kind=about.kind,
        domain=about.domain,
        metric=shown_task.metric.title,
        size=words.TRY_SIZE.format(test=size.test, words=size.words) if size.test and size.words else "",
        shown=words.TRY_SHOWN_HERE if is_here else words.TRY_SHOWN.format(split.source.label),
    )
    defects = [problem.message for problem in split.findings]
    defects_notice = notice("warning", words.SOURCE_DEFECTS, defects) if defects else ""
    text = [segment for segment in segments if segment[0] in ("document", "separator")]
    frame = [segment for segment in segments if segment not in text]
    return {
        "asked": part("question", shown_task.asks, heading, options, is_percentage, lead),
        "sheet": (part("order", items) if items else part("prompt", text, _PARTS, words.DOCUMENT)) + defects_notice,
        "prompt": part("prompt", frame, _PARTS, words.PROMPT_REGION) + notes + part("try_facts", facts),
        "references": references(question),
        "choices": part("options", choices(source, task), example),
        "sample": sample_answer(*question),
        "sample_label": words.TRY_SAMPLE if is_here else words.TRY_SAMPLE_REFERENCE,
    }


async def try_answer(source: str, task: str, example: int, answer: Text) -> dict[str, str]:
    """Return the score of an answer to an example as HTML, its explanation, and where its words stand in it."""
    question = ChosenExample(source, task, example)
    try:
        if source == "embedded":
            texts = answer, *question.example.references
            shown, where = await without_blocking(texts, example_score, question, answer)
        else:  # the examples may have to be downloaded
            shown, where = await in_thread(example_score, question, answer)
    except (SourceUnavailable, UnusableInput):  # the sheet says why
        shown, where = Scored(notice("warning", words.NOT_SCORED), Markup("")) if answer else nothing_yet(), Markup("")
    return {"card": shown.card, "why": shown.why, "where": where}


def prompt(source: str, task: str, example: int, variant: str, budget: int, tokenizer: str) -> dict[str, str]:
    """Return the prompt as a model should get it."""
    trimmed = prompt_text(ChosenExample(source, task, example).example, variant, max(LEAST, budget), tokenizer)
    return {"text": trimmed.prompt.text}


def tokenizers() -> list[str]:
    """Return the tokenizers available here: words, and OpenAI's encodings if tiktoken is installed."""
    return ["words", "tiktoken:cl100k_base", "tiktoken:o200k_base"] if find_spec("tiktoken") else ["words"]


def prompt_text(example: Example, variant: str, budget: int, tokenizer: str) -> Trimmed:
    """Return the prompt in that format, cut to that budget; raises `NoSuchExample` for a variant or tokenizer that is
    not offered, and `BudgetTooSmall` with the least budget that works.
    """
    if variant not in VARIANTS or tokenizer not in tokenizers():
        raise NoSuchExample(f"no such prompt format or tokenizer: {variant!r:.40}, {tokenizer!r:.40}")
    whole, counted = make_prompt(example, variant), find_tokenizer(tokenizer)
    if budget >= WHOLE:
        size, document = counted.count(whole.text), counted.count(example.document)
        return Trimmed(whole, counted.name, size, size, document, document, 1.0)
    # SCROLLS has no answer budget: a fine-tuned model's input and output have separate limits.
    answer = min(example.task.answer_budget or 0, budget // 4)
    return trim(whole, Budget(budget, answer), counted)


def length_notes(trimmed: Trimmed) -> Markup:
    """Return lines on the length of a prompt and on what was cut."""
    unit = "words" if trimmed.tokenizer == "words" else f"tokens ({trimmed.tokenizer})"
    length = f"The whole prompt: {trimmed.tokens:,} {unit}."
    if trimmed.cut:
        length = (
            f"Cut to {trimmed.tokens:,} of {trimmed.full_tokens:,} {unit}; {trimmed.kept_tokens:,} of "
            f"{trimmed.document_tokens:,} in the document are kept, {trimmed.kept:.0%} of its characters."
        )
    return Markup().join(part("facts", line) for line in (length, *trimmed.prompt.notes))


def embedded_examples(task: str) -> list[dict[str, Any]]:
    """Return the replies of `example` for the embedded examples of a task."""
    return [example("embedded", task, i, *WHOLE_PROMPT) for i in range(embedded_count(task))]


def layout(examples: str, parts: Sequence[str] = ()) -> None:
    component("try", screen(examples, parts), example, try_answer, prompt)


def screen(examples: str, parts: Sequence[str] = ()) -> Markup:
    """Return the tab as HTML; `examples` is the folder of `embedded_examples` in addresses, `parts` HTML of annexes."""
    shown = example(*FIRST_QUESTION, *WHOLE_PROMPT)
    menus = {name: [(title, value, task_of(value).asks) for title, value in tasks(name)] for name in available()}
    return render(
        "try_task.html",
        examples_address=examples,
        shown=shown,
        empty=nothing_yet(),
        first=" ".join(map(str, FIRST_QUESTION)),
        benchmarks=menus,
        task=FIRST_QUESTION.task,
        sources=[(title, name) for name, title in sources().items()],
        variants=[(words.PROMPT_VARIANTS.get(name, name), name) for name in VARIANTS if name != CLOSED_BOOK],
        tokenizers=[(name, name) for name in tokenizers()],
        parts=list(parts),
        least=LEAST,
        whole=WHOLE,
    )
