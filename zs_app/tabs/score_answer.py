"""The tab "Score an answer": any answer against any references; and scores as cards, for all tabs."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, NamedTuple

from markupsafe import Markup
from pydantic import FailFast

from zs_app import words
from zs_app.component import Text, component, part, render
from zs_app.server.limits import (
    Busy,
    TooLong,
    explain_within_limits,
    is_explained,
    score_within_limits,
    without_blocking,
)
from zs_app.tabs.examples import FIRST, FIRST_TASK, ChosenExample, task_of, tasks
from zs_bench.benchmarks import Task
from zs_bench.dataset.measures import BigramSpread, spread, spreads_of_example
from zs_bench.errors import PromptFormatError
from zs_bench.problems import counted
from zs_bench.published import marks
from zs_bench.reports.html import notice, strip
from zs_bench.reports.html.explanation import read_in, why
from zs_metric.errors import UnreadableReference
from zs_metric.explain import Explanation
from zs_metric.explain.concordance_index import ConcordanceView
from zs_metric.explain.exp_similarity import ExpSimilarityView
from zs_metric.explain.parts import Part
from zs_metric.results import ExampleResult
from zs_metric.rouge import tokens

#: The most characters of prompt and answer that are searched for the answer's words at each key typed.
MAX_SEARCHED = 500_000
FEWEST_PLACES = 2  # the fewest places for which a strip is shown
_LONGEST = 60  # the most characters shown of what the scorer read


class Scored(NamedTuple):
    """A score as HTML: the card with the score, and the explanation, which may reveal the reference."""

    card: Markup
    why: Markup


def scored(task: Task, answer: str, references: Sequence[str], *, is_hidden: bool = False) -> Scored:
    """Return the score of an answer with its explanation.

    The reason, which may reveal a reference, is in the card, or with `is_hidden` in the explanation. For an empty
    answer the card is a placeholder, for one that cannot be scored a message.
    """
    if not answer:
        return nothing_yet()
    try:
        if is_explained(answer, references):
            explanation = explain_within_limits(task, answer, references)
            said = _verdict(explanation, is_hidden)
            is_reason = said in (words.NOTHING_SHARED, words.TYPOGRAPHY)
            texts = [explanation.sentence] if is_reason else [explanation.reason, explanation.sentence]
            reasons = " ".join(f"{text[0].upper()}{text[1:]}." for text in texts if text)
            shown = why(explanation, brief=True)
            if is_hidden:
                return Scored(_card(task, explanation.result, said), part("reason", reasons) + shown)
            return Scored(_card(task, explanation.result, said, reasons), shown)
        result = score_within_limits(task, answer, references)
        sizes = (counted(size, "character") for size in (len(answer), sum(map(len, references))))
        card = _card(task, result, _right_or_wrong(result) if task.metric.is_binary else "")
        return Scored(card, part("soft", words.TOO_LONG_TO_EXPLAIN.format(*sizes)))
    except (TooLong, Busy) as error:
        return Scored(notice("warning", words.NOT_SCORED, [str(error)]), Markup(""))


def mean_of_runs(task: Task, points: float, runs: int) -> Scored:
    """Return the mean score that several runs gave an example, which has no explanation."""
    return Scored(part("card", task.metric.title, points, words.MEAN_OF_RUNS.format(runs), "", "", ""), Markup(""))


def nothing_yet() -> Scored:
    return Scored(part("no_card"), part("soft", words.NO_ANSWER_TO_EXPLAIN))


def _card(task: Task, result: ExampleResult, verdict: str, reason: str | None = None) -> Markup:
    """Return the card; without a reason beside the explanation, it has what was read."""
    read = read_in(result, _LONGEST) if reason is None or result.parsed is None else ""
    note = words.WORDS_ONLY if task.metric.compares_words else ""
    return part("card", task.metric.title, result.score, verdict, reason or "", read, note)


def reached(task: Task) -> dict[str, float]:
    """Return the published averages over the task, by whom."""
    points = marks(task)
    return {by: value for kind, by in words.REACHED_BY.items() if (value := points.get(kind))}


def _verdict(explanation: Explanation, is_hidden: bool) -> str:
    """Return what a score says, in the words of its metric; with `is_hidden` no sentence stands beside it."""
    metric, result = explanation.task.metric, explanation.result
    if result.score < 100 and explanation.losses.get("typography", 0) > 100 - explanation.score - 1e-9:
        return words.TYPOGRAPHY
    if metric.is_binary:
        return _right_or_wrong(result)
    if metric.compares_words:
        return _words_shared(result, is_hidden)
    return _distance(explanation.view)


def _distance(view: Part) -> str:
    """Return how far a percentage is off, or how much of an order is right."""
    if isinstance(view, ConcordanceView):
        return words.IN_ORDER.format(view.in_order, view.pairs) if view.permutation else words.NO_PERMUTATION
    if isinstance(view, ExpSimilarityView) and view.value is not None:
        return words.POINTS_OFF.format(abs(view.value - (view.truth or 0)))
    return words.NO_PERCENTAGE if isinstance(view, ExpSimilarityView) else ""


def _right_or_wrong(result: ExampleResult) -> str:
    return words.RIGHT if result.score else words.WRONG


def _words_shared(result: ExampleResult, is_hidden: bool) -> str:
    """Return how many words of an answer are shared, where no sentence says it: none, all, or of a hidden reference."""
    precision = result.rouge["rouge1"].precision if result.rouge else result.precision
    if not precision:
        return words.NOTHING_SHARED
    if result.score > 100 - 1e-9:
        return words.ALL_SHARED
    read = str(result.parsed)
    count = len(tokens(read)) if result.rouge else len(read.split())
    return words.SHARED.format(round(count * precision / 100), count) if is_hidden else ""


def example_score(question: ChosenExample, answer: str) -> tuple[Scored, Markup]:
    """Return the score of an answer and, if it should be made of the document's words, their places in the document."""
    example, places = question.example, Markup("")
    if not example.references:
        return Scored(notice("info", words.SOURCE_NO_REFERENCE), Markup("")) if answer else nothing_yet(), places
    if len(example.input) + len(answer) <= MAX_SEARCHED and example.task.measured_outputs == "references":
        with suppress(PromptFormatError):  # the score does not need the document
            places = _strip(spread(example.document, answer), "your answer")
    return scored(task_of(question.task), answer, example.references, is_hidden=True), places


def references(question: ChosenExample) -> Markup:
    """Return the references of an example, with the places of their words in the document if that is known."""
    example, document, strips = question.example, "", []
    with suppress(PromptFormatError):
        document = example.document.lower()
        spreads = spreads_of_example(example)
        names = ["the reference"] if len(spreads) == 1 else [f"reference {i + 1}" for i in range(len(spreads))]
        if example.task.measured_outputs == "query":  # the answers are labels, not texts
            names = ["the hypothesis"] * len(spreads)
        strips = [_strip(places, name) for places, name in zip(spreads, names, strict=True)]
    return part("references", [(text, _word_of(text.lower(), document)) for text in example.references], strips)


def _word_of(text: str, document: str) -> int:
    """Return the number of the word, from 0, where a text begins in a document; -1 if it is not there.

    >>> _word_of("a clock", "behind (a clock)"), _word_of("a cat", "behind (a clock)")
    (1, -1)
    """
    start = document.find(text)
    return len(document[: start + 1].split()) - 1 if start >= 0 else -1


def _strip(places: BigramSpread, name: str) -> Markup:
    """Return the strip with its button; empty for too few places."""
    return part("places", places, strip(places, name)) if len(places.places) >= FEWEST_PLACES else Markup("")


def choices(benchmark: str) -> list[tuple[str, str]]:
    """Return the tasks of a benchmark with their metrics, for the menu."""
    return [(f"{title} · {task_of(value).metric.title}", value) for title, value in tasks(benchmark)]


async def score(task: str, answer: Text, references: Annotated[list[Text], FailFast()]) -> dict[str, str]:
    """Return the score of an answer with its explanation, or a message, as HTML; empty references are ignored."""
    return {"html": await without_blocking([answer, *references], scored_card, task_of(task), answer, references)}


def scored_card(task: Task, answer: str, references: list[str]) -> Markup:
    """Return the score and its explanation as one card."""
    boxes = {words.ANSWER_REFERENCE.format(number): text for number, text in enumerate(references, start=1) if text}
    if answer and not boxes:
        return notice("info", words.ANSWER_NO_REFERENCE)
    try:
        shown = scored(task, answer, list(boxes.values()))
    except UnreadableReference as error:
        message = str(error)
        for index, box in enumerate(boxes):
            message = message.replace(f"references[{index}]", box)
        return notice("error", words.ANSWER_BAD_REFERENCE, [message])
    return shown.card if shown == nothing_yet() else part("together", *shown)


def layout() -> None:
    task = task_of(FIRST_TASK)
    answer, reference = words.ANSWER_SAMPLES[task.metric.name]
    html = render(
        "score_answer.html",
        choices=choices(FIRST),
        task=FIRST_TASK,
        answer=answer,
        reference=reference,
        card=scored_card(task, answer, [reference]),
    )
    component("answer", html, score)
