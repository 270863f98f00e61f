"""Charts without a script: bars as HTML, whose text keeps its size on a phone; lines as inline SVG."""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from markupsafe import Markup

from zs_bench.dataset.measures import Spread
from zs_bench.reports.html import render


def bar_chart(
    scores: Mapping[str, float], label: str, intervals: Mapping[str, tuple[float, float]] = MappingProxyType({})
) -> Markup:
    """Draw horizontal bars from 0 to 100, in points, each with its name and, where there is one, its interval.

    `label` is the chart in words.
    """
    return render("bar_chart.html", scores=scores, label=label, intervals=intervals)


class _LengthScale(NamedTuple):
    """The drawing's own units, small so that its text stays readable on a phone; lengths on a logarithmic axis."""

    shortest: int
    longest: int
    top: int
    width: int = 360
    height: int = 270
    left: int = 34
    right: int = 344

    def x(self, tokens: int) -> float:
        low, high = math.log2(self.shortest), math.log2(self.longest)
        return self.left + 26 + (self.right - self.left - 52) * (math.log2(tokens) - low) / ((high - low) or 1)

    def y(self, score: float) -> float:
        return 16 + 210 * (1 - score / self.top)


class Point(NamedTuple):
    """A score in points at an input length, and the ends of its interval where it has one."""

    tokens: int
    score: float
    ends: tuple[float, float] | None = None


def length_chart(series: Mapping[str, Sequence[Point]], label: str) -> Markup:
    """Draw score against input length, a line for each model; `label` introduces the chart in words."""
    lengths = sorted({point.tokens for points in series.values() for point in points})
    tops = [max(0, point.score, *(point.ends or ())) for points in series.values() for point in points]
    each = (
        f"{name}: " + ", ".join(f"{point.tokens:,} tokens {point.score}" for point in points)
        for name, points in series.items()
    )
    return render(
        "length_chart.html",
        label=f"{label} {'; '.join(each)}",
        scale=_LengthScale(lengths[0], lengths[-1], max(10, 10 * math.ceil(max(tops) / 10))),
        ticks=[tokens for tokens in lengths if tokens & (tokens - 1) == 0],
        lines={
            name: [(point, _label_below(point, name, series)) for point in points] for name, points in series.items()
        },
    )


def _label_below(point: Point, name: str, series: Mapping[str, Sequence[Point]]) -> bool:
    """Return whether a line just above forces the label below the point."""
    others = (near for other, points in series.items() if other != name for near in points)
    return any(abs(math.log2(near.tokens / point.tokens)) < 0.5 and near.score > point.score for near in others)


#: The resolution of the strip: word pairs at the same position share a tick.
PLACES = 1000


def strip(spread: Spread, what: str = "the answer") -> Markup:
    """Draw the strip, with a band of one standard deviation around the mean place, and say it in a sentence."""
    last = max(spread.words - 1, 1)
    band = None
    if spread.deviation:
        mean = sum(spread.places) / spread.found
        low, high = (min(max(mean + side * spread.deviation, 0), last) / last * 100 for side in (-1, 1))
        band = (low, high - low)
    return render(
        "strip.html",
        sentence=_sentence(spread, what),
        ticks=sorted({round(place / last * PLACES) for place in spread.places}),
        places=PLACES,
        band=band,
        words=spread.words,
    )


def _sentence(spread: Spread, what: str = "the answer") -> str:
    """Return the spread in a sentence; words are counted from 1.

    >>> _sentence(Spread((3, 40, 900), 5, 1200, 413.2))
    '3 of 5 word pairs of the answer occur in the document, between words 4 and 901 of 1,200 (spread: 413 words).'
    >>> _sentence(Spread((), 2, 1200, None))
    'None of the 2 word pairs of the answer occurs in the document of 1,200 words.'
    """
    if not spread.bigrams:
        return f"{what[:1].upper()}{what[1:]} has fewer than two words: no word pairs to look for in the document."
    document = f"the document of {_words(spread.words)}"
    if not spread.found:
        none = f"None of the {spread.bigrams} word pairs" if spread.bigrams > 1 else "The only word pair"
        return f"{none} of {what} {'occurs' if spread.bigrams > 1 else 'does not occur'} in {document}."
    first, last = spread.places[0] + 1, spread.places[-1] + 1
    if spread.found == 1:
        pair = f"1 of {spread.bigrams} word pairs" if spread.bigrams > 1 else "The only word pair"
        return f"{pair} of {what} occurs in {document}, first at word {first:,}."
    return (
        f"{spread.found} of {spread.bigrams} word pairs of {what} occur in the document, between words {first:,} and "
        f"{last:,} of {spread.words:,} (spread: {_words(spread.deviation or 0)})."
    )


def _words(count: float) -> str:
    """Return a number of words, with one decimal if it is below 10 and not whole.

    >>> _words(2944.3), _words(0.5), _words(1)
    ('2,944 words', '0.5 words', '1 word')
    """
    number = f"{count:,.0f}" if count >= 10 or count == int(count) else f"{count:.1f}"
    return f"{number} word{'' if count == 1 else 's'}"
