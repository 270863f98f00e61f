"""The differences of two systems as an inline SVG: a dot and its interval per task, and the line of no difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from .markup import html, join

_ROW, _LEFT, _WIDTH = 30, 112, 236


class Difference(NamedTuple):
    """One row: a title, the difference in points, its interval (`None` when there is none), and whether it is real."""

    title: str
    value: float
    low: float | None
    high: float | None
    separated: bool


def duel_chart(differences: Sequence[Difference], better: tuple[str, str], label: str) -> Markup:
    """The differences on one scale; those that the data separate are filled.

    Args:
        differences: from above to below.
        better: what stands at the left and at the right end: who is better there.
        label: the chart in words.
    """
    ends = [abs(v) for row in differences for v in (row.value, row.low, row.high) if v is not None]
    limit = max(1.0, *ends) * 1.08
    height = _ROW * len(differences) + 46
    middle = _x(0, limit)
    heads = html(
        '<text class="tick" x="{}" y="14">{}</text><text class="tick" x="{}" y="14">{}</text>'
        '<line class="zero" x1="{m}" x2="{m}" y1="22" y2="{h}"/>',
        _x(-limit * 0.62, limit),
        f"← {better[0]}",
        _x(limit * 0.62, limit),
        f"{better[1]} →",
        m=middle,
        h=height - 18,
    )
    rows = join(_row(i, row, limit) for i, row in enumerate(differences))
    ticks = join(
        html('<text class="tick" x="{:.1f}" y="{}">{}</text>', _x(at, limit), height - 3, f"{at:+.0f}" if at else "0")
        for at in _ticks(limit)
    )
    return html(
        '<figure class="zs-chart zs-duel"><svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg></figure>',
        _LEFT + _WIDTH + 20,
        height,
        label,
        heads + rows + ticks,
    )


def _x(value: float, limit: float) -> float:
    return _LEFT + _WIDTH * (value + limit) / (2 * limit)


def _ticks(limit: float) -> list[float]:
    step = next(s for s in (1, 2, 5, 10, 20, 25, 50) if limit / s <= 3.2 or s == 50)
    count = int(limit // step)
    return [step * i for i in range(-count, count + 1)]


def _row(i: int, row: Difference, limit: float) -> Markup:
    y = 38 + i * _ROW
    kind = "real" if row.separated else "open"
    bar = ""
    if row.low is not None and row.high is not None:
        bar = html(
            '<line class="interval" x1="{:.1f}" x2="{:.1f}" y1="{y}" y2="{y}"/>',
            _x(row.low, limit),
            _x(row.high, limit),
            y=y,
        )
    return html(
        '<text class="name" x="{}" y="{}">{}</text>{}<circle class="{}" cx="{:.1f}" cy="{}" r="6"/>',
        _LEFT - 10,
        y + 5,
        row.title,
        bar,
        kind,
        _x(row.value, limit),
        y,
    )
