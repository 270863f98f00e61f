"""The two charts of an explanation as inline SVG: the curve of exponential similarity, and the slopes of an order.

They are drawn about as wide as a phone shows them, so that their text is not scaled down there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from .markup import NOTHING, html, join

_WIDTH, _BOTTOM, _LEFT, _RIGHT, _TOP = 320, 140, 30, 306, 12
_STEP, _FROM, _TO = 24, 52, 268
#: Of how many ids the slopes are drawn.
MOST_IDS = 60


def curve(view: Mapping[str, Any], score: float) -> Markup:
    """Score against percentage, peaking at the reference and halving every 10 points, with the answer's on it."""
    truth, half = view["truth"], view["half_width"]
    line = " ".join(f"{_x(p):.1f},{_y(_similar(p, truth, half)):.1f}" for p in sorted({*range(101), _on_axis(truth)}))
    told = f"Score by percentage: 100 at the reference {truth:g}%, half every {half} points"
    dots = [("truth", truth, 100.0, f"reference {truth:g}%")]
    if view["would_be"]:
        would = view["would_be"]
        dots.append(("would", would["value"], would["score"], f"{would['value']:g}% would be {would['score']:.2f}"))
        told += f"; {would['value']:g}% would have given {would['score']:.4f}"
    if view["value"] is not None:
        dots.append(("given", view["value"], score, f"answer {view['value']:.6g}%: {score:.2f}"))
        told += f"; the answer's {view['value']:.6g}% gives {score:.4f}"
    drawn = [html('<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="6"/>', kind, _x(p), _y(s)) for kind, p, s, _ in dots]
    names = join(html('<li><i class="{}"></i>{}</li>', kind, name) for kind, *_, name in dots)
    chart = _svg(_BOTTOM + 24, told, [_axis(), html('<polyline class="line" points="{}"/>', line), *drawn])
    return chart + html('<ul class="zs-legend">{}</ul>', names)


def _similar(p: float, q: float, half: float) -> float:
    return float(100 * 2 ** (-abs(p - q) / half))


def _on_axis(p: float) -> float:
    return min(max(p, 0), 100)


def _x(p: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * _on_axis(p) / 100


def _y(score: float) -> float:
    return _TOP + (_BOTTOM - _TOP) * (1 - score / 100)


def _axis() -> Markup:
    ticks = join(
        html('<text class="tick" x="{:.0f}" y="{}">{}%</text>', min(_x(p), _WIDTH - 18), _BOTTOM + 18, p)
        for p in (0, 25, 50, 75, 100)
    )
    levels = join(
        html(
            '<line class="grid" x1="{}" x2="{}" y1="{y:.0f}" y2="{y:.0f}"/>'
            '<text class="tick" x="12" y="{t:.0f}">{s}</text>',
            _LEFT,
            _RIGHT,
            y=_y(s),
            t=_y(s) + 4,
            s=s,
        )
        for s in (0, 50, 100)
    )
    return levels + ticks


def slopes(truth: Sequence[int], order: Sequence[int], told: str) -> Markup:
    """The true order beside the given one, a line per id; lines that cross are pairs out of order.

    Nothing where they are no permutations of distinct ids, or too many.
    """
    if len(truth) > MOST_IDS or len(set(truth)) != len(truth) or sorted(truth) != sorted(order):
        return NOTHING
    place = {key: i for i, key in enumerate(order)}
    crossed = {
        key: sum((i < j) != (place[key] < place[other]) for j, other in enumerate(truth) if other != key)
        for i, key in enumerate(truth)
    }
    lines = join(_slope(key, i, place[key], crossed[key]) for i, key in enumerate(truth))
    points = join(
        html('<circle class="cross" cx="{:.1f}" cy="{:.1f}" r="3.5"/>', *_crossing(i, j, place[a], place[b]))
        for i, a in enumerate(truth)
        for j, b in enumerate(truth[i + 1 :], start=i + 1)
        if place[a] > place[b]
    )
    heads = Markup(
        '<text class="label" x="24" y="14">true order</text><text class="label end" x="296" y="14">answer</text>'
    )
    told = f"{told}; true order {_listed(truth)}; answer {_listed(order)}"
    return _svg(_row(len(truth)) - 6, told, [heads, lines, points])


def _listed(order: Sequence[int]) -> str:
    return ", ".join(map(str, order))


def _row(i: float) -> float:
    return 36 + _STEP * i


def _slope(key: int, left: int, right: int, crossed: int) -> Markup:
    return html(
        '<line class="{}" x1="{}" x2="{}" y1="{l}" y2="{r}"/><text class="end" x="{}" y="{lt}">{k}</text>'
        '<text x="{}" y="{rt}">{k}</text>',
        "slope out" if crossed else "slope",
        _FROM,
        _TO,
        _FROM - 10,
        _TO + 10,
        l=_row(left),
        r=_row(right),
        lt=_row(left) + 5,
        rt=_row(right) + 5,
        k=key,
    )


def _crossing(i: int, j: int, a: int, b: int) -> tuple[float, float]:
    """Where the lines from i to a and from j to b meet (i < j, a > b)."""
    share = (j - i) / ((j - i) + (a - b))
    return _FROM + (_TO - _FROM) * share, _row(i + (a - i) * share)


def _svg(height: float, told: str, parts: Sequence[Markup]) -> Markup:
    return html(
        '<svg class="zs-why-chart" viewBox="0 0 {} {:.0f}" role="img" aria-label="{}">{}</svg>',
        _WIDTH,
        height,
        told,
        join(parts),
    )
