"""The two charts of an explanation as inline SVG: the curve of exponential similarity, and the slopes of an order.

They are drawn about as wide as a phone shows them, so that their text is not scaled down there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from zs_bench.reports.html.environment import render
from zs_metric.explain.exp_similarity import ExpSimilarityView

#: The most ids whose slopes are drawn.
MOST_IDS = 60
# The left and the right end of a slope.
_ENDS = (52, 268)


class _Scale(NamedTuple):
    """The coordinates of the curve, in the units of the drawing."""

    width: int = 320
    left: int = 30
    right: int = 306
    top: int = 12
    bottom: int = 140

    def x(self, percent: float) -> float:
        return self.left + (self.right - self.left) * _on_axis(percent) / 100

    def y(self, score: float) -> float:
        return self.top + (self.bottom - self.top) * (1 - score / 100)


class _Dot(NamedTuple):
    """A point on the curve: `truth`, `would` or `given`, where it is, and its name in the legend."""

    kind: str
    percent: float
    score: float
    name: str


def curve(view: ExpSimilarityView, score: float) -> Markup:
    """Score against percentage, peaking at the reference and halving every 10 points, with the answer's on it."""
    truth, half, would = view.truth, view.half_width, view.would_be
    if truth is None:
        return Markup("")
    label = f"Score by percentage: 100 at the reference {truth:g}%, half every {half} points"
    dots = [_Dot("truth", truth, 100.0, f"reference {truth:g}%")]
    if would:
        dots.append(_Dot("would", would.value, would.score, f"{would.value:g}% would be {would.score:.2f}"))
        label += f"; {would.value:g}% would have given {would.score:.4f}"
    if view.value is not None:
        dots.append(_Dot("given", view.value, score, f"answer {view.value:.6g}%: {score:.2f}"))
        label += f"; the answer's {view.value:.6g}% gives {score:.4f}"
    line = [(p, 100 * 2 ** (-abs(p - truth) / half)) for p in sorted({*range(101), _on_axis(truth)})]
    return render("explanations/curve.html", scale=_Scale(), label=label, line=line, dots=dots)


def _on_axis(percent: float) -> float:
    return min(max(percent, 0), 100)


def slopes(truth: Sequence[int], order: Sequence[int], label: str) -> Markup:
    """The true order beside the given one, a line for each id; lines that cross are pairs out of order.

    Nothing is drawn where they are not permutations of the same distinct ids, or too many.
    """
    if len(truth) > MOST_IDS or len(set(truth)) != len(truth) or sorted(truth) != sorted(order):
        return Markup("")
    places = [order.index(one) for one in truth]
    crossing = [
        (i, j)
        for i, place in enumerate(places)
        for j, other in enumerate(places[i + 1 :], start=i + 1)
        if place > other
    ]
    return render(
        "explanations/slopes.html",
        truth=truth,
        order=order,
        label=label,
        ends=_ENDS,
        crossed={truth[i] for pair in crossing for i in pair},
        crossings=[_crossing(i, j, places[i], places[j]) for i, j in crossing],
    )


def _crossing(i: int, j: int, a: int, b: int) -> tuple[float, float]:
    """Where the lines from row i to row a and from row j to row b meet (i < j, a > b)."""
    share = (j - i) / ((j - i) + (a - b))
    return _ENDS[0] + (_ENDS[1] - _ENDS[0]) * share, 36 + 24 * (i + (a - i) * share)
