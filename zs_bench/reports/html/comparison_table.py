"""The axis on which the differences of two systems are drawn, and the names of the groups of answers."""

import math
from collections.abc import Callable
from typing import NamedTuple

from zs_bench.scoring.pairing import SystemComparison

# Where a difference is drawn for which the axis has a tick.
_TICKS = (1, 2, 5, 10, 20, 50, 100)
#: The names of the groups of answers that changed, or did not, as filters of the page.
LOST, GAINED, IDENTICAL = "lost", "gained", "identical"


class Axis(NamedTuple):
    """An axis from 0 to 100: where a difference is on it, and its ticks, each a place and its text."""

    x: Callable[[float], float]
    ticks: list[tuple[float, str]]


def difference_axis(match: SystemComparison) -> Axis:
    """Return the axis of the differences of a match: their square roots, with their signs.

    So the widest interval leaves the others room.
    """
    paired = [outcome.comparison for outcome in (*match.tasks.values(), match.mean) if outcome]
    ends = [end for one in paired if one.interval for end in (one.interval.low, one.interval.high)]
    limit = max([1.0, *map(abs, ends), *(abs(one.difference) for one in paired)])

    def x(value: float) -> float:
        return 50 + math.copysign(49 * math.sqrt(abs(value) / limit), value)

    largest = [tick for tick in _TICKS if tick <= limit][-2:]
    ticks = [*(-tick for tick in reversed(largest)), 0, *largest]
    return Axis(x, [(x(tick), f"{tick:+d}" if tick else "0") for tick in ticks])
