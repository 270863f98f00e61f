"""Charts without a script: bars as HTML, whose text keeps its size on a phone, and lines as inline SVG."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from markupsafe import Markup

from .markup import NOTHING, html, join


class Line(NamedTuple):
    """A line across the bars: how it is drawn (`average`, `low`, `high`), its name, and where."""

    kind: str
    name: str
    value: float | None


def bar_chart(
    scores: Mapping[str, float | None],
    label: str,
    *,
    lines: Sequence[Line] = (),
    intervals: Mapping[str, tuple[float, float]] = MappingProxyType({}),
    ours: Collection[str] = (),
) -> Markup:
    """Horizontal bars from 0 to 100, one per name; `None` is drawn as "refused".

    Args:
        scores: points by name, drawn in that order.
        label: the chart in words.
        lines: values to hold the bars against, drawn dashed, with their names under the chart; `None` is left out.
        intervals: by name the ends of its error bar, for those that have one.
        ours: names whose bars are set apart.
    """
    known = [(kind, name, value) for kind, name, value in lines if value is not None]
    across = join(html('<i class="{}" style="left:{:.2f}%"></i>', kind, value) for kind, _, value in known)
    bars = join(_bar(name, score, across, intervals.get(name), ours=name in ours) for name, score in scores.items())
    ticks = join(html('<span style="left:{}%">{}</span>', at, at) for at in (0, 25, 50, 75, 100))
    names = join(html('<li><i class="{}"></i>{} {:.2f}</li>', *line) for line in known)
    return html(
        '<figure class="zs-chart"><div class="zs-bars" role="img" aria-label="{}">{}'
        '<div class="zs-ticks"><p>{}</p></div></div>{}</figure>',
        label,
        bars,
        ticks,
        html("<ul>{}</ul>", names) if names else NOTHING,
    )


def _error_bar(ends: tuple[float, float] | None) -> Markup:
    if ends is None:
        return NOTHING
    return html('<i class="error" style="left:{:.2f}%;width:{:.2f}%"></i>', ends[0], max(ends[1] - ends[0], 0.2))


def _bar(name: str, score: float | None, across: Markup, ends: tuple[float, float] | None, *, ours: bool) -> Markup:
    kind, value = ("refused", "refused") if score is None else ("value", f"{score:.2f}")
    return html(
        '<div class="zs-bar{}"><span>{}</span><p><b style="width:{:.2f}%"></b>{}'
        '<em class="{}" style="left:{:.2f}%">{}</em></p></div>',
        " ours" if ours else "",
        name,
        score or 0,
        across + _error_bar(ends),
        kind,
        max(score or 0, ends[1] if ends else 0),
        value,
    )


# The places of the chart of lengths, in its own units: small, so that its text stays readable on a phone.
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 360, 270, 34, 344, 16, 226


def length_chart(series: Mapping[str, Sequence[tuple[int, float]]], label: str) -> Markup:
    """Score against input length, a line per model; lengths on a logarithmic axis."""
    lengths = sorted({tokens for points in series.values() for tokens, _ in points})
    top = max((score for points in series.values() for _, score in points), default=0)
    limit = max(10, 10 * math.ceil(top / 10))
    ticks = join(
        html('<text class="tick" x="{:.0f}" y="{}">{:,}</text>', _length_x(tokens, lengths), _BOTTOM + 20, tokens)
        for tokens in lengths
        if tokens & (tokens - 1) == 0
    )
    levels = join(
        html(
            '<line class="grid" x1="{}" x2="{}" y1="{y:.0f}" y2="{y:.0f}"/>'
            '<text class="tick" x="{}" y="{t:.0f}">{s}</text>',
            _LEFT,
            _RIGHT,
            _LEFT - 16,
            y=_length_y(level, limit),
            t=_length_y(level, limit) + 4,
            s=level,
        )
        for level in range(0, limit + 1, 10)
    )
    unit = html('<text class="tick" x="{}" y="{}">tokens</text>', (_LEFT + _RIGHT) / 2, _BOTTOM + 38)
    columns = list(series.values())
    drawn = join(
        _series(i, points, [p for other in columns if other is not points for p in other], lengths, limit)
        for i, points in enumerate(columns)
    )
    names = join(html('<li><i class="line s{}"></i>{}</li>', i, name) for i, name in enumerate(series))
    return html(
        '<figure class="zs-chart"><svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg><ul>{}</ul></figure>',
        _WIDTH,
        _HEIGHT,
        label,
        levels + ticks + unit + drawn,
        names,
    )


def _length_x(tokens: int, lengths: Sequence[int]) -> float:
    low, high = math.log2(lengths[0]), math.log2(lengths[-1])
    return _LEFT + 26 + (_RIGHT - _LEFT - 52) * (math.log2(tokens) - low) / ((high - low) or 1)


def _length_y(score: float, limit: int) -> float:
    return _TOP + (_BOTTOM - _TOP) * (1 - score / limit)


_Points = Sequence[tuple[int, float]]


def _series(i: int, points: _Points, others: _Points, lengths: Sequence[int], limit: int) -> Markup:
    """A line with its points; a score stands below its point where another line passes above it."""
    places = [(_length_x(tokens, lengths), _length_y(score, limit), score) for tokens, score in points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in places)
    below = [any(abs(math.log2(n / tokens)) < 0.5 and s > score for n, s in others) for tokens, score in points]
    dots = join(
        html(
            '<circle class="dot s{}" cx="{:.1f}" cy="{:.1f}" r="5"/>'
            '<text class="value mid" x="{:.1f}" y="{:.1f}">{}</text>',
            i,
            x,
            y,
            x,
            y + (20 if under else -10),
            score,
        )
        for (x, y, score), under in zip(places, below, strict=True)
    )
    return html('<polyline class="series s{}" points="{}"/>', i, line) + dots
