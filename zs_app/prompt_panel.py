"""The prompt of an example: its parts in colour, its form, its length, cut to a budget, and the text to copy."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec

from markupsafe import Markup

from zs_bench.drawing.cards import notice
from zs_bench.drawing.markup import html, join
from zs_bench.prompting.token_counts import find_tokenizer
from zs_bench.prompting.trimming import ANSWER_BUDGETS, Budget, BudgetTooSmall, Trimmed, trim
from zs_bench.prompting.variants import VARIANTS, PromptText, make_prompt
from zs_bench.sources.data_sources import Loaded, load_examples
from zs_bench.sources.rows import Example
from zs_metric.errors import ZeroScrollsError

from . import words
from .which import FIRST, which

#: The budget at which nothing is cut: the slider's right end.
WHOLE = 16_384
SOURCES = {"embedded": words.SOURCE_EMBEDDED, "hub": words.SOURCE_HUB}
_PARTS = {
    "frame": "Frame",
    "instruction": "Instruction",
    "document": "Document",
    "separator": "Cut here",
    "query": "Query",
    "response_header": "Response header",
}


class NoSuchExample(ZeroScrollsError):
    """A source, variant or index that does not exist."""


@lru_cache(maxsize=24)
def loaded(source: str, task: str) -> Loaded:
    """The validation examples of a task, by its menu's value, from one of `SOURCES`.

    Raises:
        UnknownBenchmark, UnknownTask: with the likely name.
        NoSuchExample: for another source; a visitor never names a path.
        SourceUnavailable: when the Hub cannot give them.
    """
    if source not in SOURCES:
        raise NoSuchExample(f"no source {source!r:.60}; it is {' or '.join(SOURCES)}")
    asked = which(task)
    return load_examples(source, asked.task, benchmark=asked.benchmark)


def find_example(source: str, task: str, index: int) -> Example:
    """The example of that index.

    Raises:
        UnknownTask, NoSuchExample: with the likely name or the range.
    """
    examples = loaded(source, task).examples
    if type(index) is not int or not 0 <= index < len(examples):
        raise NoSuchExample(f"{task} has the examples 0 to {len(examples) - 1}, not {index!r:.20}")
    return examples[index]


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
    answer = min(ANSWER_BUDGETS[example.task], budget // 4) if example.benchmark == FIRST else 0
    return trim(prompt, Budget(budget, answer), counted)


def copied(example: Example, variant: str, budget: int, tokenizer: str) -> str:
    """Exactly what a model should get."""
    return prompt_text(example, variant, budget, tokenizer).prompt.text


def sheet(example: Example, variant: str, budget: int, tokenizer: str) -> Markup:
    """The prompt as a sheet, with a line on its length and on what was cut."""
    try:
        trimmed = prompt_text(example, variant, budget, tokenizer)
    except BudgetTooSmall as error:
        whole = make_prompt(example, variant)
        return notice("warning", words.PROMPT_TOO_SMALL, [str(error)]) + _sheet(whole)
    notes = join(html('<p class="zs-facts">{}</p>', note) for note in trimmed.prompt.notes)
    return notes + _sheet(trimmed.prompt) + html('<p class="zs-facts">{}</p>', _length(trimmed))


def _sheet(prompt: PromptText) -> Markup:
    return html('<div class="zs-sheet">{}</div>', join(_part(*segment) for segment in prompt.segments))


def _part(kind: str, text: str) -> Markup:
    count = f"{len(text.split()):,} words" if kind == "document" else ""
    scroll = Markup(' tabindex="0" role="region" aria-label="Document"') if kind == "document" else ""
    return html(
        '<div class="zs-part {}"><h4 aria-level="3">{}<small>{}</small></h4><p class="zs-text"{}>{}</p></div>',
        kind.partition("_")[0],
        _PARTS[kind],
        count,
        scroll,
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
