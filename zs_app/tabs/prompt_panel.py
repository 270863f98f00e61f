"""The prompt of an example: its parts in colour, its form, its length, cut to a budget, and the text to copy."""

from __future__ import annotations

from importlib.util import find_spec

from markupsafe import Markup

from zs_app import words
from zs_app.tabs.examples import NoSuchExample
from zs_bench.dataset.rows import Example
from zs_bench.prompts.token_counts import find_tokenizer
from zs_bench.prompts.trimming import Budget, BudgetTooSmall, Trimmed, trim
from zs_bench.prompts.variants import VARIANTS, PromptText, make_prompt
from zs_bench.reports.html.environment import html, join, notice
from zs_bench.tasks import info

#: The budget at which nothing is cut: the slider's right end.
WHOLE = 16_384
_PARTS = {
    "frame": "Frame",
    "instruction": "Instruction",
    "document": "Document",
    "separator": "Cut here",
    "query": "Query",
    "response_header": "Response header",
}


def tokenizers() -> list[str]:
    """What can count tokens here: words always, the encodings of OpenAI's models where their library is installed."""
    return ["words", *(["tiktoken:cl100k_base", "tiktoken:o200k_base"] if find_spec("tiktoken") else [])]


def prompt_text(example: Example, variant: str, budget: int, tokenizer: str) -> Trimmed:
    """The prompt in that form, cut to that budget.

    Raises:
        NoSuchExample: for a variant or tokenizer that is not offered.
        BudgetTooSmall: with the least budget that works.
    """
    if variant not in VARIANTS or tokenizer not in tokenizers():
        raise NoSuchExample(f"no such form of a prompt: {variant!r:.40} counted in {tokenizer!r:.40}")
    prompt, counted = make_prompt(example, variant), find_tokenizer(tokenizer)
    if budget >= WHOLE:
        size, document = counted.count(prompt.text), counted.count(example.document)
        return Trimmed(prompt, counted.name, size, size, document, document, 1.0)
    # A model fine-tuned on SCROLLS takes its input apart from what it writes.
    answer = min(info(example.task).answer_budget or 0, budget // 4)
    return trim(prompt, Budget(budget, answer), counted)


def sheet(example: Example, variant: str, budget: int, tokenizer: str) -> tuple[Markup, Markup]:
    """The prompt as a sheet that scrolls, and lines on its length and on what was cut."""
    try:
        trimmed = prompt_text(example, variant, budget, tokenizer)
    except BudgetTooSmall as error:
        return _sheet(make_prompt(example, variant)), notice("warning", words.PROMPT_TOO_SMALL, [str(error)])
    notes = join(html('<p class="zs-facts">{}</p>', note) for note in [_length(trimmed), *trimmed.prompt.notes])
    return _sheet(trimmed.prompt), notes


def _sheet(prompt: PromptText) -> Markup:
    return html(
        '<div class="zs-sheet" tabindex="0" role="region" aria-label="{}">{}</div>',
        words.PROMPT_REGION,
        join(_part(*segment) for segment in prompt.segments),
    )


def _part(kind: str, text: str) -> Markup:
    count = f"{len(text.split()):,} words" if kind == "document" else ""
    return html(
        '<div class="zs-part {}"><h4 aria-level="3">{}<small>{}</small></h4><p class="zs-text" dir="auto">{}</p></div>',
        kind.partition("_")[0],
        _PARTS[kind],
        count,
        text.strip("\n"),
    )


def _length(trimmed: Trimmed) -> str:
    unit = "words" if trimmed.tokenizer == "words" else f"tokens ({trimmed.tokenizer})"
    if not trimmed.cut:
        return f"The whole prompt: {trimmed.tokens:,} {unit}."
    return (
        f"Cut to {trimmed.tokens:,} of {trimmed.full_tokens:,} {unit}; of the document {trimmed.kept_tokens:,} of "
        f"{trimmed.document_tokens:,} are left, {trimmed.kept:.0%} of its characters."
    )
