"""Answers to an example of "Try a task": their scores, where they stand in the document, the references, a sample."""

from __future__ import annotations

import csv
from functools import cache

from markupsafe import Markup

from zs_bench.drawing.cards import notice
from zs_bench.drawing.markup import html, join
from zs_bench.drawing.spread_strip import strip, strips
from zs_bench.prompting.dissect import CannotDissect
from zs_bench.results.published import marks
from zs_bench.sources.embedded import sample_predictions
from zs_bench.sources.rows import Example
from zs_bench.statistics.spread import outputs_of, spread, spreads_of_example

from . import words
from .cards import scored
from .prompt_panel import find_example
from .which import which

#: Characters of a prompt and an answer that are looked through for where the answer stands, at each key.
MAX_LOOKED_THROUGH = 500_000
#: Its answers are labels: where the document tells of its query is shown instead.
HYPOTHESIS = "contract_nli"


def score(source: str, task: str, index: int, answer: str) -> tuple[Markup, Markup]:
    """The score of an answer to an example, beside the marks to beat, and why; and where it stands in the document."""
    example, asked = find_example(source, task, index), which(task)
    if answer and not example.references:
        return notice("info", words.SOURCE_NO_REFERENCE), where(example, answer)
    held = marks(asked.task, benchmark=asked.benchmark)
    return scored(task, answer, example.references, held), where(example, answer)


def where(example: Example, answer: str) -> Markup:
    """Where in the document the pairs of words of an answer stand, or ContractNLI's hypothesis; else nothing."""
    if len(example.input) + len(answer) > MAX_LOOKED_THROUGH:
        return Markup("")
    if example.task == HYPOTHESIS:
        return _of_outputs(example, "hypothesis")
    if not outputs_of(example):
        return Markup("")
    if not answer.strip():
        return html('<p class="zs-soft">{}</p>', words.TRY_WHERE)
    try:
        return strip(spread(example.document, answer), "your answer")
    except CannotDissect:  # the score stands without it
        return Markup("")


def _of_outputs(example: Example, what: str) -> Markup:
    """Where the example's own outputs stand; nothing where the document is not to be found in the input."""
    try:
        return strips(spreads_of_example(example), what)
    except CannotDissect:
        return Markup("")


def references(source: str, task: str, index: int) -> Markup:
    """The references of an example, as a list, and where in the document they stand."""
    example = find_example(source, task, index)
    items = join(html("<li>{}</li>", text) for text in example.references)
    found = "" if example.task == HYPOTHESIS else _of_outputs(example, "reference")
    return html('<div class="zs-references"><ol>{}</ol>{}</div>', items, found)


def sample_answer(source: str, task: str, index: int) -> str:
    """The answer of the sample file to that example, or the first reference where there is none."""
    example = find_example(source, task, index)
    asked = which(task)
    first = example.references[0] if example.references else ""
    return _sample_answers(asked.benchmark).get((asked.task, example.id), first)


@cache
def _sample_answers(benchmark: str) -> dict[tuple[str, str], str]:
    with sample_predictions(benchmark).open(encoding="utf-8", newline="") as file:
        return {(row["Task"], row["ID"]): row["Prediction"] for row in csv.DictReader(file)}
