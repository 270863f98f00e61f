"""The score of an answer as a card, and the explanation that belongs to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from zs_app import words
from zs_app.server.limits import (
    MAX_EXPLAINED,
    MAX_EXPLAINED_REFERENCES,
    Busy,
    TooLong,
    explain_at_once,
    is_explained,
    score_at_once,
)
from zs_bench.reports.html.environment import html, join, macro, notice
from zs_bench.reports.html.explanation import MARKS, why
from zs_metric.results import ExampleResult
from zs_metric.tasks import Task

#: The most characters shown of what the scorer read.
_LONGEST = 60
Marks = Mapping[str, float | None]


class Scored(NamedTuple):
    """A score as HTML: the card with the score, and the explanation, which may reveal the reference."""

    card: Markup
    why: Markup


def scored(task: Task, answer: str, references: Sequence[str], marks: Marks | None = None) -> Scored:
    """The score of an answer with its explanation; a placeholder if it is empty, a message if it is too long."""
    if not answer:
        return nothing_yet()
    try:
        if is_explained(answer, references):
            explanation = explain_at_once(task.name, answer, references, benchmark=task.benchmark.name)
            card = _card(task, explanation.result, marks or {})
            return Scored(card, _reason(explanation.result) + why(explanation))
        result = score_at_once(task.name, answer, references, benchmark=task.benchmark.name)
        limits = words.TOO_LONG_TO_EXPLAIN.format(MAX_EXPLAINED, MAX_EXPLAINED_REFERENCES)
        return Scored(_card(task, result, marks or {}), html('<p class="zs-soft">{}</p>', limits))
    except (TooLong, Busy) as error:
        return Scored(notice("warning", words.NOT_SCORED_AT_ONCE, [str(error)]), Markup(""))


def nothing_yet() -> Scored:
    """The placeholder while there is no answer."""
    empty = html('<div class="zs-card zs-empty" role="status">{}</div>', words.NO_ANSWER_YET)
    return Scored(empty, html('<p class="zs-soft">{}</p>', words.NO_ANSWER_TO_EXPLAIN))


def together(shown: Scored) -> Markup:
    """Score and explanation as one card."""
    return html('<div class="zs-result"><h3 class="zs-unseen">{}</h3>{}{}</div>', words.SCORE, *shown)


def stamped(stamp: str, card: Markup) -> Markup:
    """The card with the number of its request, so that the browser ignores outdated responses."""
    return html('<div data-stamp="{}">{}</div>', stamp, card)


def _card(task: Task, result: ExampleResult, marks: Marks) -> Markup:
    known = {MARKS[name]: round(value, 1) for name, value in marks.items() if value is not None}
    key = join((html("<span>{} <b>{:g}</b></span>", *mark) for mark in known.items()), " · ")
    score = html('<strong class="zs-score" data-score="{0:.4f}" title="{0:.4f}">{0:.1f}</strong>', result.score)
    return html(
        '<div class="zs-card zs-brief" role="status" aria-live="polite"><p class="zs-line">'
        "{} <span>{} · {}</span></p>{}{}</div>",
        score,
        task.metric.title,
        _found(result),
        macro("gauge", result.score, known.items()),
        html('<p class="zs-marks">{} {}</p>', words.MARKS_LEAD, key) if known else "",
    )


def _found(result: ExampleResult) -> Markup:
    """What the scorer read in the answer if that is short, else its number of words."""
    parsed = result.parsed
    if parsed is None:
        return html('the scorer found: <span class="zs-none">nothing</span>')
    text = ", ".join(map(str, parsed[:_LONGEST])) if isinstance(parsed, tuple) else str(parsed)
    text = f"{parsed:.10g}%" if isinstance(parsed, float) else text
    if result.rouge is not None or (len(text) > _LONGEST and not isinstance(parsed, tuple)):
        count = len(text.split())
        return html("{:,} word{}", count, "" if count == 1 else "s")
    shown = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return html('the scorer found: <code dir="auto">{}</code>', shown)


def _reason(result: ExampleResult) -> Markup:
    if not result.reason:
        return Markup("")
    return html('<p class="zs-reason"><bdi>{}{}.</bdi></p>', result.reason[:1].upper(), result.reason[1:])
