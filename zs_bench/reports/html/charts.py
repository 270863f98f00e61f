"""Charts without a script: lines as inline SVG, and the places of an answer's words in its document."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from zs_bench.dataset.measures import Spread
from zs_bench.problems import counted
from zs_bench.reports.html import render


class Point(NamedTuple):
    """A score in points at an input length, and the ends of its interval where it has one."""

    tokens: int
    score: float
    ends: tuple[float, float] | None = None


def length_chart(series: Mapping[str, Sequence[Point]], label: str) -> Markup:
    """Draw score against input length, a line for each model; `label` introduces the chart in words."""
    lengths = sorted({point.tokens for points in series.values() for point in points})
    tops = [max(0, point.score, *(point.ends or ())) for points in series.values() for point in points]
    top, low, high = max(10, 10 * math.ceil(max(tops) / 10)), math.log2(lengths[0]), math.log2(lengths[-1])
    return render(
        "length_chart.html",
        label=label,
        # The drawing's own units, small so that its text stays readable on a phone; lengths on a logarithmic axis.
        x=lambda tokens: 60 + 258 * (math.log2(tokens) - low) / ((high - low) or 1),
        y=lambda score: 16 + 210 * (1 - score / top),
        top=top,
        ticks=[tokens for tokens in lengths if tokens & (tokens - 1) == 0],
        series=series,
        below=lambda point, name: _is_below(point, [p for other in series if other != name for p in series[other]]),
    )


def _is_below(point: Point, others: Sequence[Point]) -> bool:
    """Return whether a line just above forces the label below the point."""
    return any(abs(math.log2(near.tokens / point.tokens)) < 0.5 and near.score > point.score for near in others)


#: The resolution of the strip: word pairs at the same position share a tick.
PLACES = 1000


def strip(spread: Spread, what: str = "the answer") -> Markup:
    """Draw the strip, with a band of one standard deviation around the mean place, and say it in a sentence."""
    last, band = max(spread.words - 1, 1), None
    if spread.deviation:
        mean = sum(spread.places) / len(spread.places)
        low, high = (min(max(mean + side * spread.deviation, 0), last) / last * 100 for side in (-1, 1))
        band = (low, high - low)
    ticks = sorted({round(place / last * PLACES) for place in spread.places})
    return render("strip.html", spread=spread, what=what, ticks=ticks, places=PLACES, band=band, words=_words)


def _words(count: float) -> str:
    """Return a number of words, with one decimal if it is below 10 and not whole.

    >>> _words(2944.3), _words(0.5), _words(1)
    ('2,944 words', '0.5 words', '1 word')
    """
    return counted(int(count), "word") if count == int(count) else f"{count:,.{0 if count >= 10 else 1}f} words"
