"""The tab "Score an answer": any answer against any references."""

from markupsafe import Markup

from zs_app import words
from zs_app.component import Text, component
from zs_app.rendering import part, render
from zs_app.server.events import without_blocking
from zs_app.tabs.examples import FIRST, FIRST_TASK, task_of, tasks
from zs_app.tabs.score_cards import nothing_yet, scored
from zs_bench.benchmarks import Task
from zs_bench.reports.html import notice
from zs_metric.errors import UnreadableReference


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
    """Build the tab inside the current Blocks."""
    task = task_of(FIRST_TASK)
    answer, reference = words.ANSWER_SAMPLES[task.metric.name]
    html = render(
        "score_answer.html",
        benchmark=FIRST,
        choices=choices(FIRST),
        task=FIRST_TASK,
        answer=answer,
        reference=reference,
        card=scored_card(task, answer, [reference]),
    )
    component("answer", html, score)
