"""Charts without a script: lines as inline SVG, an axis of differences, and the places of words in a document."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from zs_bench.dataset.measures import Spread
from zs_bench.problems import counted
from zs_bench.reports.html import render
from zs_bench.scoring.compare import SystemComparison

#: The resolution of the strip: word pairs at the same position share a tick.
PLACES = 1000


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

    def below(point: Point, name: str) -> bool:
        """Return whether a line just above forces the label below the point."""
        others = (other for model, points in series.items() if model != name for other in points)
        return any(abs(math.log2(near.tokens / point.tokens)) < 0.5 and near.score > point.score for near in others)

    return render(
        "length_chart.html",
        label=label,
        # The drawing's own units, small so that its text stays readable on a phone; lengths on a logarithmic axis.
        x=lambda tokens: 60 + 258 * (math.log2(tokens) - low) / ((high - low) or 1),
        y=lambda score: 16 + 210 * (1 - score / top),
        top=top,
        ticks=[tokens for tokens in lengths if tokens & (tokens - 1) == 0],
        series=series,
        below=below,
    )


def strip(spread: Spread, what: str = "the answer") -> Markup:
    """Draw the strip, with a band of one standard deviation around the mean place, and say it in a sentence."""
    last, band = max(spread.words - 1, 1), tuple[float, ...]()
    if spread.deviation:
        mean = sum(spread.places) / len(spread.places)
        low, high = (min(max(mean + side * spread.deviation, 0), last) / last * 100 for side in (-1, 1))
        band = (low, high - low)
    ticks = sorted({round(place / last * PLACES) for place in spread.places})

    def words(count: float) -> str:
        return counted(int(count), "word") if count == int(count) else f"{count:,.{0 if count >= 10 else 1}f} words"

    return render("strip.html", spread=spread, what=what, ticks=ticks, places=PLACES, band=band, words=words)


class Axis(NamedTuple):
    """An axis from 0 to 100: where a difference is on it, and its ticks, each a place and its text."""

    x: Callable[[float], float]
    ticks: list[tuple[float, str]]


def difference_axis(match: SystemComparison) -> Axis:
    """Return the linear axis of the differences of a match, with 0 in its middle."""
    paired = [outcome.comparison for outcome in (*match.tasks.values(), match.mean) if outcome]
    ends = [end for pair in paired if pair.interval for end in (pair.interval.low, pair.interval.high)]
    limit = max([1.0, *map(abs, ends), *(abs(pair.difference) for pair in paired)])
    step = max(step for step in (0.5, 1, 2, 5, 10, 20, 50) if 2 * step <= limit)

    def x(value: float) -> float:
        return 50 + 49 * value / limit

    return Axis(x, [(x(tick), f"{tick:+g}" if tick else "0") for tick in (side * step for side in range(-2, 3))])
