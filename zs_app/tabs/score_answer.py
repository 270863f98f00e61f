"""The tab "Score an answer": any answer against any references; and scores as cards, for all tabs."""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from markupsafe import Markup

from zs_app import words
from zs_app.component import Text, component, part, render
from zs_app.server.jobs import without_blocking
from zs_app.server.limits import Busy, TooLong, explain_within_limits, is_explained, score_within_limits
from zs_app.tabs.examples import FIRST, FIRST_TASK, Question, task_of, tasks
from zs_bench.benchmarks import Task
from zs_bench.dataset.measures import Spread, spread, spreads_of_example
from zs_bench.errors import PromptFormatError
from zs_bench.problems import counted
from zs_bench.published import marks
from zs_bench.reports.html import notice, strip
from zs_bench.reports.html.explanation import read_in, why
from zs_metric.errors import UnreadableReference
from zs_metric.explain import Explanation
from zs_metric.explain.exp_similarity import ExpSimilarityView
from zs_metric.results import ExampleResult

#: The most characters of prompt and answer that are searched for the answer's words at each key typed.
MAX_SEARCHED = 500_000
FEWEST_PLACES = 2  # the fewest places for which a strip is shown
_LONGEST = 60  # the most characters shown of what the scorer read


class Scored(NamedTuple):
    """A score as HTML: the card with the score, and the explanation, which may reveal the reference."""

    card: Markup
    why: Markup


def scored(task: Task, answer: str, references: Sequence[str], *, verdict: str = "", is_hidden: bool = False) -> Scored:
    """Return the score of an answer with its explanation; `verdict` is on one that scores 0, not that of the metric.

    The reason, which tells about the references, is in the card, or with `is_hidden` in the explanation. For an empty
    answer the card is a placeholder, for one that cannot be scored a message.
    """
    if not answer:
        return nothing_yet()
    try:
        if is_explained(answer, references):
            explanation = explain_within_limits(task, answer, references)
            said = _verdict(task, explanation.result, verdict, explanation)
            is_reason = said in (words.NOTHING_SHARED, words.TYPOGRAPHY)
            texts = [explanation.sentence] if is_reason else [explanation.reason, explanation.sentence]
            told = " ".join(f"{text[0].upper()}{text[1:]}." for text in texts if text)
            shown = why(explanation, brief=True)
            if is_hidden:
                return Scored(_card(task, explanation.result, said), part("reason", told) + shown)
            return Scored(_card(task, explanation.result, said, told), shown)
        result = score_within_limits(task, answer, references)
        sizes = (counted(size, "character") for size in (len(answer), sum(map(len, references))))
        card = _card(task, result, _verdict(task, result, verdict))
        return Scored(card, part("soft", words.TOO_LONG_TO_EXPLAIN.format(*sizes)))
    except (TooLong, Busy) as error:
        return Scored(notice("warning", words.NOT_SCORED, [str(error)]), Markup(""))


def nothing_yet() -> Scored:
    return Scored(part("no_card"), part("soft", words.NO_ANSWER_TO_EXPLAIN))


def _card(task: Task, result: ExampleResult, verdict: str, reason: str | None = None) -> Markup:
    """Return the card; without a reason beside the explanation, it has what was read and what others reach."""
    read, others = "", ""
    if reason is None or result.parsed is None:
        read = read_in(result, _LONGEST)
        others = ", ".join(f"{by} {points:.1f}" for by, points in reached(task).items())
    return part("card", task.metric.title, result.score, verdict, reason or "", read, others)


def reached(task: Task) -> dict[str, float]:
    """Return the published averages over the task, by whom."""
    points = marks(task)
    return {by: value for kind, by in words.REACHED_BY.items() if (value := points.get(kind))}


def _verdict(task: Task, result: ExampleResult, missed: str, explanation: Explanation | None = None) -> str:
    """Return what a score says in words; on a score of 0 it is `missed` if that is given."""
    right, wrong, partly = words.VERDICTS.get(task.metric.name, ("", "", ""))
    if result.score > 100 - 1e-9:
        return right
    if explanation and explanation.losses.get("typography", 0) > 100 - explanation.score - 1e-9:
        return words.TYPOGRAPHY
    if not result.score:
        return missed or wrong
    if task.metric.by_types and (averages := reached(task)):
        by, points = next(iter(averages.items()))
        return (words.ABOVE if result.score > points else words.BELOW).format(by)
    if explanation and isinstance(view := explanation.view, ExpSimilarityView) and view.value is not None:
        return partly.format(abs(view.value - (view.truth or 0)))
    return partly


def example_score(question: Question, answer: str) -> tuple[Scored, Markup]:
    """Return the score of an answer and, if it should be made of the document's words, their places in the document."""
    example, places = question.example, Markup("")
    if not example.references:
        return Scored(notice("info", words.SOURCE_NO_REFERENCE), Markup("")) if answer else nothing_yet(), places
    if len(example.input) + len(answer) <= MAX_SEARCHED and example.task.measured_outputs == "references":
        with suppress(PromptFormatError):  # the score does not need the document
            places = _strip(spread(example.document, answer), "your answer")
    return scored(task_of(question.task), answer, example.references, is_hidden=True), places


def references(question: Question) -> Markup:
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


def _strip(places: Spread, name: str) -> Markup:
    """Return the strip with its button; empty for too few places."""
    return part("places", places, strip(places, name)) if len(places.places) >= FEWEST_PLACES else Markup("")


def choices(benchmark: str) -> list[tuple[str, str]]:
    """Return the tasks of a benchmark with their metrics, for the menu."""
    return [(f"{title} · {task_of(value).metric.title}", value) for title, value in tasks(benchmark)]


async def score(task: str, answer: Text, references: list[Text]) -> dict[str, str]:
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
