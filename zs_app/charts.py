"""Charts as inline SVG and HTML: no script, no outside request, readable as text."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

_ROW, _LEFT, _WIDTH, _RIGHT = 30, 128, 560, 70


def bar_chart(scores: Mapping[str, float | None], average: float | None, label: str) -> Markup:
    """Horizontal bars from 0 to 100, one per name, with the average as a line; `None` is drawn as "refused"."""
    height = _ROW * len(scores) + 34
    line = _average(average, height) if average is not None else Markup("")
    shapes = [_grid(height), *(_bar(i, score) for i, score in enumerate(scores.values())), line]
    texts = [_texts(i, name, score) for i, (name, score) in enumerate(scores.items())]
    return Markup(
        '<figure class="zs-chart"><svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg></figure>'
    ).format(_LEFT + _WIDTH + _RIGHT, height, label, Markup("").join(shapes + texts))


def _x(score: float) -> float:
    return _LEFT + _WIDTH * score / 100


def _bar(i: int, score: float | None) -> Markup:
    rect = Markup('<rect class="bar" x="{}" y="{}" width="{:.1f}" height="18" rx="3"/>')
    return rect.format(_LEFT, i * _ROW + 6, _x(score or 0) - _LEFT)


def _texts(i: int, name: str, score: float | None) -> Markup:
    y = i * _ROW + 20
    name_text = Markup('<text class="name" x="{}" y="{}">{}</text>').format(_LEFT - 10, y, name)
    kind, value = ("refused", "refused") if score is None else ("value", f"{score:.2f}")
    return name_text + Markup('<text class="{}" x="{:.1f}" y="{}">{}</text>').format(kind, _x(score or 0) + 6, y, value)


def _grid(height: int) -> Markup:
    return Markup("").join(
        Markup(
            '<line class="grid" x1="{x}" x2="{x}" y1="0" y2="{y}"/><text class="tick" x="{x}" y="{t}">{at}</text>'
        ).format(x=_x(at), y=height - 24, t=height - 8, at=at)
        for at in (0, 25, 50, 75, 100)
    )


def _average(average: float, height: int) -> Markup:
    return Markup('<line class="average" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{y}"/>').format(
        x=_x(average), y=height - 24
    )
