"""The score of an answer in "Try a task", the places of its words in the document, and the references."""

from __future__ import annotations

from markupsafe import Markup

from zs_app import words
from zs_app.tabs.cards import Scored, nothing_yet, scored
from zs_app.tabs.examples import Question
from zs_app.tabs.task_menu import task_of
from zs_bench.dataset.rows import Example
from zs_bench.dataset.spread import Spread, spread, spreads_of_example
from zs_bench.prompts.dissection import CannotDissect
from zs_bench.published.rows import marks
from zs_bench.reports.html.charts import strip
from zs_bench.reports.html.environment import html, join, notice
from zs_bench.tasks import info

#: The most characters of prompt and answer in which the answer's words are searched at each key typed.
MAX_SEARCHED = 500_000
#: The fewest places for which a strip is shown.
FEWEST_PLACES = 2


def score(question: Question, answer: str) -> tuple[Scored, Markup]:
    """The score of an answer beside the published averages of its task, and the places of its words."""
    example, task = question.example, task_of(question.task)
    if not example.references:
        return Scored(notice("info", words.SOURCE_NO_REFERENCE), Markup("")) if answer else nothing_yet(), Markup("")
    known = marks(task)
    return scored(task, answer, example.references, known), where(example, answer)


def where(example: Example, answer: str) -> Markup:
    """The places of the answer's word pairs in the document; empty if the outputs of the task are not from it."""
    if len(example.input) + len(answer) > MAX_SEARCHED or info(example.task).measured_outputs != "references":
        return Markup("")
    try:
        return _strip(spread(example.document, answer), "your answer")
    except CannotDissect:  # the score does not need the document
        return Markup("")


def references(question: Question) -> Markup:
    """The references of an example, with the places of their words in the document."""
    example = question.example
    items = join(html('<li dir="auto">{}</li>', text) for text in example.references)
    return html('<div class="zs-references"><ol>{}</ol>{}</div>', items, _strips_of_references(example))


def _strips_of_references(example: Example) -> Markup:
    try:
        found = spreads_of_example(example)
    except CannotDissect:
        return Markup("")
    if info(example.task).measured_outputs == "query":  # the answers are labels, which do not occur in the document
        return join(_strip(one, "the hypothesis") for one in found)
    alone = len(found) == 1
    return join(_strip(one, "the reference" if alone else f"reference {i}") for i, one in enumerate(found, start=1))


def _strip(found: Spread, what: str) -> Markup:
    """The strip, with a button that scrolls to the next place; empty for too few places."""
    if found.found < FEWEST_PLACES:
        return Markup("")
    button = html('<button type="button" class="zs-link">{}</button>', words.TRY_NEXT_PLACE)
    places = ",".join(map(str, found.places))
    drawn = strip(found, what) + button
    return html('<div class="zs-places" data-words="{}" data-places="{}">{}</div>', found.words, places, drawn)
