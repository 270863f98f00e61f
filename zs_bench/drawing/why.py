"""Why this score: what `zs_metric.explain` returns, drawn. Nothing is computed here but places on the paper.

Where the data holds no text of a reference (`reports/without_references.py`), the part that would show it is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from . import why_orders, why_readings, why_rouge, why_words
from .markup import NOTHING, cut, html, join
from .words import LOSSES

#: The most characters of a text that are drawn.
LONGEST_SHOWN = 6_000
#: By metric: what draws its view, given the explanation and the most characters of a text to draw.
VIEWS: Mapping[str, Callable[[Mapping[str, Any], int], Markup]] = {
    "f1": why_words.f1,
    "exact_match": why_words.exact_match,
    "rouge": why_rouge.rouge,
    "accuracy": why_readings.accuracy,
    "exp_similarity": why_readings.exp_similarity,
    "concordance_index": why_orders.concordance_index,
}


def why(explanation: Mapping[str, Any], *, longest: int = LONGEST_SHOWN) -> Markup:
    """The ledger, the what-ifs and the view of the metric."""
    omitted = join(
        html('<p class="zs-soft">{}.</p>', line[:1].upper() + line[1:]) for line in explanation["view"]["omitted"]
    )
    return html(
        '<section class="zs-why" aria-label="Why this score">{}{}{}{}</section>',
        ledger(explanation["score"], explanation["ledger"], explanation["length_direction"]),
        what_if(explanation["what_if"]),
        VIEWS[explanation["metric"]](explanation, longest),
        omitted,
    )


def ledger(score: float, parts: Mapping[str, float], direction: str | None = None) -> Markup:
    """The 100 points as one bar: what was scored, and what the rest was lost to."""
    lost = {name: value for name, value in parts.items() if value >= 0.005}
    bar = join(
        html('<b class="{}" style="width:{:.2f}%"></b>', *piece)
        for piece in [("score", score), *lost.items()]
        if piece[1]
    )
    items = join(
        html('<li><i class="{}"></i>{:.2f} {}</li>', name, value, _lost_to(name, direction))
        for name, value in lost.items()
    )
    title = f"{sum(lost.values()):.2f} points lost" if lost else "Nothing lost"
    return html(
        '<div class="zs-ledger"><h4>{}</h4><div class="bar" aria-hidden="true">{}</div>{}</div>',
        title,
        bar,
        html("<ul>{}</ul>", items) if lost else NOTHING,
    )


def _lost_to(name: str, direction: str | None) -> str:
    return f"length: {direction}" if name == "length" and direction else LOSSES[name]


def what_if(changes: Sequence[Mapping[str, Any]]) -> Markup:
    """The scores that repaired answers would have had; never part of the official one."""
    items = join(
        html("<li><strong>{:.4f}</strong> {}{}</li>", change["score"], change["change"], _written(change["answer"]))
        for change in changes
    )
    return html('<div class="zs-whatif"><h4>It would have been</h4><ul>{}</ul></div>', items) if items else NOTHING


def _written(answer: str | None) -> Markup:
    return NOTHING if answer is None else html(": <q>{}</q>", cut(answer, 160))
