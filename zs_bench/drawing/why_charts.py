"""The two charts of an explanation as inline SVG: the curve of exponential similarity, and the slopes of an order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from .markup import html, join

_W, _H, _LEFT, _TOP = 520, 170, 34, 14
_STEP, _MOST_IDS = 24, 60


def curve(view: Mapping[str, Any], score: float) -> Markup:
    """Score against percentage, peaking at the reference and halving every 10 points, with the answer's on it."""
    truth, half = view["truth"], view["half_width"]
    line = " ".join(f"{_x(p):.1f},{_y(_similar(p, truth, half)):.1f}" for p in range(101))
    told = f"Score by percentage: 100 at the reference {truth:g}%, half every {half} points"
    parts = [
        _axis(),
        html('<polyline class="line" points="{}"/>', line),
        _dot("truth", truth, 100, f"reference {truth:g}%"),
    ]
    if view["value"] is not None:
        parts.append(_dot("given", view["value"], score, f"{view['value']:.6g}%: {score:.2f}"))
        told += f"; the answer's {view['value']:.6g}% gives {score:.4f}"
    elif view["would_be"]:
        would = view["would_be"]
        parts.append(
            _dot("would", would["value"], would["score"], f"{would['value']:g}% would be {would['score']:.2f}")
        )
        told += f"; {would['value']:g}% would have given {would['score']:.4f}"
    return _svg(_W, _H + 36, told, parts)


def _similar(p: float, q: float, half: float) -> float:
    return float(100 * 2 ** (-abs(p - q) / half))


def _x(p: float) -> float:
    return _LEFT + (_W - _LEFT - 20) * min(max(p, 0), 100) / 100


def _y(score: float) -> float:
    return _TOP + (_H - _TOP) * (1 - score / 100)


def _axis() -> Markup:
    ticks = join(
        html('<text class="tick" x="{:.0f}" y="{}">{}%</text>', _x(p), _H + 18, p) for p in (0, 25, 50, 75, 100)
    )
    levels = join(
        html(
            '<line class="grid" x1="{}" x2="{:.0f}" y1="{y}" y2="{y}"/><text class="tick" x="16" y="{t}">{s}</text>',
            _LEFT,
            _x(100),
            y=round(_y(s)),
            t=round(_y(s)) + 4,
            s=s,
        )
        for s in (0, 50, 100)
    )
    return levels + ticks


def _dot(kind: str, p: float, score: float, label: str) -> Markup:
    x, y = _x(p), _y(score)
    side = ("end", x - 10) if x > _W * 0.6 else ("start", x + 10)
    return html(
        '<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="6"/>'
        '<text class="label" text-anchor="{}" x="{:.1f}" y="{:.1f}">{}</text>',
        kind,
        x,
        y,
        *side,
        11 if kind == "truth" else max(y + 4, 28),
        label,
    )


def slopes(truth: Sequence[int], order: Sequence[int], told: str) -> Markup:
    """The true order beside the given one, a line per id; lines that cross are pairs out of order."""
    if len(truth) > _MOST_IDS or len(set(truth)) != len(truth) or sorted(truth) != sorted(order):
        return html('<p class="zs-soft">Not drawn: {} ids.</p>', len(truth))
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
        '<text class="label" x="60" y="14">true order</text><text class="label end" x="300" y="14">answer</text>'
    )
    return _svg(
        360,
        _row(len(truth)) + 4,
        f"{told}; true order {_listed(truth)}; answer {_listed(order)}",
        [heads, lines, points],
    )


def _listed(order: Sequence[int]) -> str:
    return ", ".join(map(str, order))


def _row(i: float) -> float:
    return 36 + _STEP * i


def _slope(key: int, left: int, right: int, crossed: int) -> Markup:
    kind = "slope out" if crossed else "slope"
    return html(
        '<line class="{}" x1="64" x2="296" y1="{}" y2="{}"/><text class="id end" x="54" y="{}">{k}</text>'
        '<text class="id" x="306" y="{}">{k}</text>',
        kind,
        _row(left),
        _row(right),
        _row(left) + 5,
        _row(right) + 5,
        k=key,
    )


def _crossing(i: int, j: int, a: int, b: int) -> tuple[float, float]:
    """Where the lines from i to a and from j to b meet (i < j, a > b)."""
    share = (j - i) / ((j - i) + (a - b))
    return 64 + 232 * share, _row(i + (a - i) * share)


def _svg(width: float, height: float, told: str, parts: Sequence[Markup]) -> Markup:
    return html(
        '<svg class="zs-why-chart" viewBox="0 0 {} {:.0f}" role="img" aria-label="{}" style="max-width:{}px">{}</svg>',
        width,
        height,
        told,
        width,
        join(parts),
    )
