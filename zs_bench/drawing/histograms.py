"""Histograms of numbers of words below each other, on one logarithmic axis, so that tasks can be held together.

HTML, whose text keeps its size on a phone. The bars of a row are as high as its tallest; ten of them are a decade.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from markupsafe import Markup

from zs_bench.statistics.distribution import Distribution

from .markup import NOTHING, html, join
from .spread_strip import number, words

_PER_DECADE = 10


@dataclass(frozen=True, slots=True)
class _Axis:
    """From 10 to the power of `low` to 10 to the power of `high`; what lies outside stands at its ends."""

    low: int
    high: int

    @property
    def bars(self) -> int:
        """How many bars fit on it."""
        return (self.high - self.low) * _PER_DECADE

    def share(self, value: float) -> float:
        """How far along it a number of words stands, 0 to 1."""
        at = math.log10(max(value, 10**self.low))
        return min((at - self.low) / (self.high - self.low), 1.0)


def histograms(
    rows: Mapping[str, Distribution], label: str, *, published: Mapping[str, float | None] = MappingProxyType({})
) -> Markup:
    """A histogram of words for each name; nothing without rows.

    Args:
        rows: by name, drawn in that order.
        label: what they are of, in the plural, such as "inputs".
        published: by name the average of the paper, drawn dashed.
    """
    if not rows:
        return NOTHING
    axis = _axis_of(list(rows.values()), [value for value in published.values() if value])
    drawn = join(_row(name, row, published.get(name), label, axis) for name, row in rows.items())
    has_published = any(published.get(name) for name in rows)
    legend = join(
        [Markup('<li><i class="median"></i>median</li>')]
        + ([Markup('<li><i class="average"></i>average of the paper</li>')] if has_published else [])
    )
    return html(
        '<figure class="zs-chart zs-hists" style="--decades:{}">{}{}<ul>{}</ul></figure>',
        axis.high - axis.low,
        drawn,
        _ticks(axis, under=any(row.values[0] < 10**axis.low for row in rows.values())),
        legend,
    )


def _axis_of(rows: Sequence[Distribution], others: Sequence[float]) -> _Axis:
    low = math.floor(math.log10(max(1, min([row.values[0] for row in rows] + [*others]))))
    high = math.ceil(math.log10(max(1, *(row.values[-1] for row in rows), *others)))
    return _Axis(low, max(high, low + 1))


def _row(name: str, row: Distribution, published: float | None, label: str, axis: _Axis) -> Markup:
    count = len(row.values)
    told = f"{count:,} {label if count > 1 else label.removesuffix('s')}: median {words(row.median)}"
    told += f", mean {number(row.mean)}" + (f" (paper {published:,})" if published else "")
    middle = f"{words(row.percentile(5))} to {words(row.percentile(95))}"
    lines = [("median", row.median)] + ([("average", published)] if published else [])
    return html(
        '<div class="zs-hist"><div><strong>{}</strong><small>{}</small></div>'
        '<p role="img" aria-label="{}"><span>{}</span>{}</p></div>',
        name,
        told,
        f"{name}: {told}; the middle 90 % from {middle}",
        _bars(row, axis),
        join(html('<i class="{}" style="left:{:.2f}%"></i>', kind, 100 * axis.share(at)) for kind, at in lines),
    )


def _bars(row: Distribution, axis: _Axis) -> Markup:
    counts = Counter(min(int(axis.share(value) * axis.bars + 1e-9), axis.bars - 1) for value in row.values)
    tallest = max(counts.values())
    width = 100 / axis.bars
    return join(
        html(
            '<b style="left:{:.2f}%;width:{:.2f}%;height:{:.1f}%"></b>',
            bar * width,
            width,
            max(100 * count / tallest, 3),
        )
        for bar, count in sorted(counts.items())
    )


def _ticks(axis: _Axis, *, under: bool) -> Markup:
    """A tick at each decade; the first says so when the first bar holds what is less."""
    ends = [(at, f"{10**at:,}") for at in range(axis.low, axis.high + 1)]
    if under:
        ends[0] = axis.low, f"≤ {10**axis.low:,}"
    span = axis.high - axis.low
    ticks = join(html('<span style="left:{:.2f}%">{}</span>', 100 * (at - axis.low) / span, text) for at, text in ends)
    return html('<div class="zs-ticks" aria-hidden="true"><p>{}</p></div>', ticks)
