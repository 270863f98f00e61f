"""The views of accuracy and exponential similarity: the answer with what was read in it marked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from .markup import NOTHING, html, join, marked
from .why_charts import curve

_EMPTY = Markup('<span class="zs-none">empty</span>')


def accuracy(explanation: Mapping[str, Any], longest: int) -> Markup:
    """The first letter marked, the others faintly; the article named where it was taken for an answer."""
    view, would = explanation["view"], explanation["view"]["would_be"]
    spans = [(found["start"], found["end"], "hit" if found["first"] else "faint") for found in view["letters"]]
    if would and not spans:
        spans = [(would["start"], would["end"], "faint")]
    notes = []
    if view["article_trap"]:
        notes.append("The first letter alone is the article “A”: the evaluator reads option A.")
    if view["named_letter"] not in (None, explanation["parsed"]):
        notes.append(f"The answer names {view['named_letter']} as its answer; the first letter alone is read.")
    if would:
        notes.append(
            f"A reader would see {would['letter']} ({would['how']}); the evaluator reads capitals A to D alone."
        )
    if view["reference_letters"]:
        notes.append(f"Reference: {', '.join(dict.fromkeys(view['reference_letters']))}")
    return html(
        '<h4>The letter read, and the others</h4><p class="zs-text" tabindex="0">{}</p>{}',
        marked(view["answer"], spans, longest) if view["answer"].strip() else _EMPTY,
        join(html('<p class="zs-soft">{}</p>', note) for note in notes),
    )


def exp_similarity(explanation: Mapping[str, Any], longest: int) -> Markup:
    """The piece that was read marked, or what a reader would have read; and the curve around the reference."""
    view, would = explanation["view"], explanation["view"]["would_be"]
    spans = [(*view["span"], "hit")] if view["span"] else []
    if would and not spans:
        spans = [(would["start"], would["end"], "faint")]
    told = NOTHING
    if would:
        told = html(
            '<p class="zs-soft">A reader would see {:.10g}% ({}); the evaluator reads digits directly followed by %.'
            "</p>",
            would["value"],
            would["how"],
        )
    return html(
        '<h4>The percentage read</h4><p class="zs-text" tabindex="0">{}</p>{}{}',
        marked(view["answer"], spans, longest) if view["answer"].strip() else _EMPTY,
        told,
        NOTHING if view["truth"] is None else curve(view, explanation["score"]),
    )
