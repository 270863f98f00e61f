"""Two systems on the same examples: the interval of their difference, and the p-value and sample sizes that follow.

One method decides: the interval of the difference of the two scores, from the gains and losses example by example
(`intervals.py`, step 5; examples of one document stay together). The p-value is the other side of the same interval:
1 minus the level at which the interval begins to hold 0. A difference is clear where the 95 % interval does not hold 0.

The examples needed follow from the width of the interval, which shrinks with the square root of their number, and 80 %
power: n = ((z_alpha + z_power) * standard error / distance)^2 per example; Cohen (1988), Statistical Power Analysis for
the Behavioral Sciences; Card et al. (2020), With Little Power Comes Great Responsibility, EMNLP. The observed distance
is taken for the true one, which is as uncertain as the difference itself, so the number comes with the range for
distances one standard error larger and smaller.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from zs_bench.statistics.columns import EQUAL, Points, geometric_means
from zs_bench.statistics.intervals import (
    LEVEL,
    Estimate,
    Interval,
    check_input,
    difference_estimate,
    interval_of,
    mean_of,
    student_quantile,
    too_few,
)
from zs_metric.errors import EmptyInput, ZeroScrollsError

POWER = 0.8
#: From fewer examples, the number that is needed cannot be told.
FEWEST_TO_PLAN = 30

#: The columns of two systems for the same examples of a task, in points, and its clusters as for `interval`.
PairedColumns = tuple[Points, Points, Sequence[str] | None]


@dataclass(frozen=True, slots=True)
class Needed:
    """About how many more examples would show a difference, and the range; `most` is `None` without a bound."""

    about: int
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """Two systems compared on the same examples; differences are the first's score minus the second's, in points.

    `interval` and the two-sided `p_value` are of the difference, which is below `below` with 95 % confidence; all three
    are `None` where `reason` says, as the end of a sentence, why. `wins`, `ties` and `losses` are examples on which the
    first is better, as good, worse.
    """

    difference: float
    interval: Interval | None
    below: float | None
    p_value: float | None
    wins: int
    ties: int
    losses: int
    reason: str = ""

    @property
    def examples(self) -> int:
        """The number of examples."""
        return self.wins + self.ties + self.losses

    def separated(self) -> bool:
        """Return whether the difference is clear: the 95 % interval does not hold 0."""
        return self.interval is not None and not self.interval.low <= 0 <= self.interval.high

    def verdict(self, margin: float | None = None) -> str:
        """Return the verdict about the second system: `better`, `as good`, `worse` or `undecided`.

        It is `better` or `worse` where the 95 % interval lies on one side of 0, and `as good`, also if it is worse,
        where its loss is below the margin (in points, if there is one) with 95 % confidence.
        """
        if self.interval is None or self.below is None:
            return "undecided"
        if self.interval.high < 0:
            return "better"
        if margin is not None and self.below < margin:
            return "as good"
        return "worse" if self.interval.low > 0 else "undecided"

    def needed(self, margin: float | None = None) -> Needed | None:
        """Return how many more examples would decide at 80 % power, if the true difference is about the observed one.

        `None` where it is decided, for fewer than `FEWEST_TO_PLAN` examples, without an interval or a difference.
        """
        if self.examples < FEWEST_TO_PLAN or self.verdict(margin) != "undecided":
            return None
        ways = [self._needed(abs(self.difference), one_sided=False)]
        if margin is not None:
            ways.append(self._needed(margin - self.difference, one_sided=True))
        return min((way for way in ways if way), key=lambda way: way.about, default=None)

    def _needed(self, distance: float, *, one_sided: bool) -> Needed | None:
        if self.interval is None or distance <= EQUAL:
            return None
        normal = NormalDist()
        error = (self.interval.high - self.interval.low) / (2 * normal.inv_cdf((1 + LEVEL / 100) / 2))
        steps = normal.inv_cdf(LEVEL / 100 if one_sided else (1 + LEVEL / 100) / 2) + normal.inv_cdf(POWER)

        def more(away: float) -> int:
            return max(0, math.ceil(self.examples * (steps * error / away) ** 2) - self.examples)

        nearer = distance - error
        return Needed(more(distance), more(distance + error), more(nearer) if nearer > 0 else None)


def compare_on_task(a: Points, b: Points, clusters: Sequence[str] | None = None) -> PairedComparison:
    """Compare two systems on one task, as `compare_on_benchmark` does on several.

    >>> paired = compare_on_task(np.array([[100.0]] * 9 + [[0.0]]), np.array([[0.0]] * 10))
    >>> paired.difference, round(paired.interval.low, 1), round(paired.p_value, 4), paired.wins, paired.ties
    (90.0, 47.7, 0.0, 9, 1)
    """
    return compare_on_benchmark({"": (a, b, clusters)})


def compare_on_benchmark(tasks: Mapping[str, PairedColumns]) -> PairedComparison:
    """Compare two systems on the plain mean over tasks; wins, ties and losses are counted over all examples.

    Raises:
        EmptyInput: for no tasks, or a task without examples.
        ZeroScrollsError: for columns or clusters that do not line up.
    """
    if not tasks:
        raise EmptyInput("tasks")
    for a, b, clusters in tasks.values():
        if a.shape != b.shape:
            raise ZeroScrollsError(
                f"columns of shape {a.shape} and {b.shape} do not line up; give both systems' scores of the same "
                "examples"
            )
        check_input(a, clusters)
    whole = mean_of([difference_estimate(*pair) for pair in tasks.values()])
    by_example = np.concatenate([geometric_means(a) - geometric_means(b) for a, b, _ in tasks.values()])
    wins, losses = int((by_example > EQUAL).sum()), int((by_example < -EQUAL).sum())
    reason = next((few for a, _, clusters in tasks.values() if (few := too_few(len(a), clusters))), "")
    counts = (wins, len(by_example) - wins - losses, losses)
    if reason:
        return PairedComparison(100 * whole.value, None, None, None, *counts, reason)
    both = interval_of(whole, [clusters for *_, clusters in tasks.values()])
    _, up = whole.reach(student_quantile(LEVEL / 100, whole.freedom))
    return PairedComparison(100 * whole.value, both, 100 * (whole.value + up), _p_value(whole), *counts)


def _p_value(estimate: Estimate) -> float:
    """Return the two-sided p-value: 1 minus the level of the widest interval that does not hold 0."""
    value, end = estimate.value, 0 if estimate.value > 0 else 1
    if abs(value) <= EQUAL:
        return 1.0
    low, high = 0.5, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        holds = middle < 1 and estimate.reach(student_quantile(middle, estimate.freedom))[end] < abs(value)
        low, high = (middle, high) if holds else (low, middle)
    return 2 * (1 - low)


def holm(p_values: Mapping[str, float | None]) -> dict[str, float | None]:
    """Return the p-values corrected for their number (Holm 1979, Scandinavian Journal of Statistics 6).

    >>> holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": None})
    {'a': 0.03, 'b': 0.06, 'c': 0.06, 'd': None}
    """
    smallest_first = sorted((p, name) for name, p in p_values.items() if p is not None)
    corrected: dict[str, float] = {}
    largest = 0.0
    for i, (p, name) in enumerate(smallest_first):
        largest = corrected[name] = min(1.0, max(largest, p * (len(smallest_first) - i)))
    return {name: corrected.get(name) for name in p_values}
