"""Charts as inline SVG and HTML: no script, no outside request, readable as text."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from .markup import html, join

_ROW, _LEFT, _WIDTH, _RIGHT = 30, 190, 520, 60


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
    ours: Collection[str] = (),
) -> Markup:
    """Horizontal bars from 0 to 100, one per name; `None` is drawn as "refused".

    Args:
        scores: points by name, drawn in that order.
        label: the chart in words.
        lines: values to hold the bars against, drawn dashed, with their names under the chart; `None` is left out.
        ours: names whose bars are set apart.
    """
    known = [(kind, name, value) for kind, name, value in lines if value is not None]
    height = _ROW * len(scores) + 34
    bars = [_bar(i, score, ours=name in ours) for i, (name, score) in enumerate(scores.items())]
    drawn = [_line(kind, value, height) for kind, _, value in known]
    texts = [_texts(i, name, score) for i, (name, score) in enumerate(scores.items())]
    names = join(html('<li><i class="{}"></i>{} {:.2f}</li>', *line) for line in known)
    return html(
        '<figure class="zs-chart"><svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>{}</figure>',
        _LEFT + _WIDTH + _RIGHT,
        height,
        label,
        join([_grid(height), *bars, *drawn, *texts]),
        html("<ul>{}</ul>", names) if names else "",
    )


def _x(score: float) -> float:
    return _LEFT + _WIDTH * score / 100


def _bar(i: int, score: float | None, *, ours: bool) -> Markup:
    rect = '<rect class="bar{}" x="{}" y="{}" width="{:.1f}" height="18" rx="3"/>'
    return html(rect, " ours" if ours else "", _LEFT, i * _ROW + 6, _x(score or 0) - _LEFT)


def _texts(i: int, name: str, score: float | None) -> Markup:
    y = i * _ROW + 20
    kind, value = ("refused", "refused") if score is None else ("value", f"{score:.2f}")
    return html('<text class="name" x="{}" y="{}">{}</text>', _LEFT - 10, y, name) + html(
        '<text class="{}" x="{:.1f}" y="{}">{}</text>', kind, _x(score or 0) + 6, y, value
    )


def _grid(height: int) -> Markup:
    return join(
        html(
            '<line class="grid" x1="{x}" x2="{x}" y1="0" y2="{y}"/><text class="tick" x="{x}" y="{t}">{at}</text>',
            x=_x(at),
            y=height - 24,
            t=height - 8,
            at=at,
        )
        for at in (0, 25, 50, 75, 100)
    )


def _line(kind: str, value: float, height: int) -> Markup:
    return html('<line class="{}" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{y}"/>', kind, x=_x(value), y=height - 24)


def length_chart(series: Mapping[str, Sequence[tuple[int, float]]], label: str) -> Markup:
    """Score against input length, a line per model; lengths on a logarithmic axis."""
    lengths = sorted({tokens for points in series.values() for tokens, _ in points})
    top = max((score for points in series.values() for _, score in points), default=0)
    limit = max(10, 10 * math.ceil(top / 10))
    ticks = join(
        html('<text class="tick" x="{:.0f}" y="252">{:,}</text>', _length_x(tokens, lengths), tokens)
        for tokens in lengths
        if tokens & (tokens - 1) == 0
    )
    levels = join(
        html(
            '<line class="grid" x1="60" x2="520" y1="{y}" y2="{y}"/><text class="tick" x="40" y="{t}">{s}</text>',
            y=round(_length_y(level, limit)),
            t=round(_length_y(level, limit)) + 4,
            s=level,
        )
        for level in range(0, limit + 1, 10)
    )
    drawn = join(_series(i, name, points, lengths, limit) for i, (name, points) in enumerate(series.items()))
    return html(
        '<figure class="zs-chart"><svg viewBox="0 0 600 262" role="img" aria-label="{}">{}</svg></figure>',
        label,
        levels + ticks + drawn,
    )


def _length_x(tokens: int, lengths: Sequence[int]) -> float:
    low, high = math.log2(lengths[0]), math.log2(lengths[-1])
    return 80 + 400 * (math.log2(tokens) - low) / ((high - low) or 1)


def _length_y(score: float, limit: int) -> float:
    return 14 + 216 * (1 - score / limit)


def _series(i: int, name: str, points: Sequence[tuple[int, float]], lengths: Sequence[int], limit: int) -> Markup:
    places = [(_length_x(tokens, lengths), _length_y(score, limit), score) for tokens, score in points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in places)
    dots = join(
        html(
            '<circle class="dot s{}" cx="{:.1f}" cy="{:.1f}" r="5"/>'
            '<text class="value mid" x="{:.1f}" y="{:.1f}">{}</text>',
            i,
            x,
            y,
            x,
            y - 10,
            score,
        )
        for x, y, score in places
    )
    end = html('<text class="value" x="{:.1f}" y="{:.1f}">{}</text>', places[-1][0] + 10, places[-1][1] + 4, name)
    return html('<polyline class="series s{}" points="{}"/>', i, line) + dots + end
