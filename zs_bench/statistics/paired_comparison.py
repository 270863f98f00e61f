"""Two systems on the same examples: the interval of their difference, new minus old, its p-value, and the verdict.

1. The changes are c_g = p_g(new) - p_g(old), from the jackknife's values of each unit (`intervals.py`, step 2).
2. To the sample one gain and one loss of the size h of its changes are added, so that changes that a small sample may
   have missed have their part: V = Σ (c_g - mean)² / (G (G + 1)) + 2 h² / (G (G + 1)), with h = Σ c_g² / Σ |c_g|, the
   mean of the sizes in which each change weighs by its size. For right/wrong answers this is the variance of Bonett and
   Price (2012, Journal of Educational and Behavioral Statistics 37). Units are taken by documents and by examples, and
   the larger V counts, since changes within a document may cancel. In an average over T tasks each c_g is divided by T.
3. The interval is d ± t √V with G* + 1 degrees of freedom (Satterthwaite's for an average), and p its other side.
4. "As good" within a margin asks for more than an interval above it: a rare failure may have stayed unseen. With no
   failure in G* answers its share is below 3 / G* with 95 % confidence (the rule of three; Hanley and Lippman-Hand
   1983, JAMA 249), so 3 / G* times the most that an answer can lose must be below the margin in each task.

More examples that would decide are for 80 % power, as if the observed difference were the true one: n ((1.96 + 0.84)
√V / distance)² (Cohen 1988, Statistical Power Analysis for the Behavioral Sciences), with the range for a distance one
standard error larger and smaller.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import sub
from statistics import NormalDist, fmean
from typing import NamedTuple

from zs_bench.statistics import intervals
from zs_bench.statistics.intervals import (
    EQUAL,
    Columns,
    Interval,
    effective_units,
    pseudo_values,
    score_of,
    two_sided_p,
)
from zs_metric.errors import EmptyInput, ZeroScrollsError

ALPHA, POWER = 0.05, 0.8
#: From fewer examples, the number that is needed is unknown.
FEWEST_TO_PLAN = 30


class Pair(NamedTuple):
    """The columns of two systems for the same examples of a task, in points, and its clusters as for `interval`.

    `most` is the most that an answer can lose; `identical` says that all texts are the same.
    """

    old: Columns
    new: Columns
    clusters: Sequence[str] | None = None
    most: float = 100.0
    identical: bool = False


class Needed(NamedTuple):
    """About how many more examples would decide, and the range; `most` is `None` without a bound."""

    about: int
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """Two systems compared on the same examples; the difference is the new one's score minus the old one's, in points.

    `interval` and the two-sided `p_value` are of the difference; both are `None` where `reason` says, as the end of a
    sentence, why, and where the texts are `identical`. `wins`, `ties` and `losses` are examples on which the new system
    is better, as good, worse. Failures too rare to be seen may cost up to `unseen` points; `most` is what they cost
    if a task failed altogether.
    """

    difference: float
    interval: Interval | None
    p_value: float | None
    wins: int
    ties: int
    losses: int
    unseen: float = 0.0
    most: float = 100.0
    identical: bool = False
    reason: str = ""

    @property
    def examples(self) -> int:
        return self.wins + self.ties + self.losses

    def verdict(self, margin: float | None = None, p_value: float | None = None) -> str:
        """Return the verdict about the new system: `identical`, `better`, `as good`, `worse` or `undecided`.

        It is `better` or `worse` where the p-value, by default its own, is below 0.05; `as good`, also if it is worse,
        where the interval lies above minus the margin and the rule of three holds.
        """
        if self.identical:
            return "identical"
        p = self.p_value if p_value is None else p_value
        clear = p is not None and p < ALPHA
        if clear and self.difference > 0:
            return "better"
        if margin is not None and self.above(margin) and self.unseen < margin:
            return "as good"
        return "worse" if clear else "undecided"

    def passes(self, margin: float) -> bool:
        """Return whether the loss is shown to be below the margin."""
        return self.verdict(margin) in ("better", "as good") or (self.identical and not self.reason)

    def above(self, margin: float) -> bool:
        """Return whether the interval, or without a change of any score 0, lies above minus the margin."""
        return not self.reason and (self.interval.low if self.interval else self.difference) > -margin

    def needed(self, margin: float | None = None) -> Needed | None:
        """Return how many more examples would decide at 80 % power, if the true difference is about the observed one.

        `None` where it is decided, for fewer than `FEWEST_TO_PLAN` examples, without an interval or a difference.
        """
        if self.examples < FEWEST_TO_PLAN or self.interval is None or self.verdict(margin) != "undecided":
            return None
        ways = [self._needed(abs(self.difference), 0)]
        if margin is not None:
            seen = math.ceil(self.examples * (self.unseen / margin - 1)) if margin else 0
            ways.append(self._needed(margin + self.difference, max(0, seen)))
        return min((way for way in ways if way), key=lambda way: way.about, default=None)

    def _needed(self, distance: float, least: int) -> Needed | None:
        if self.interval is None or distance <= EQUAL:
            return None
        normal = NormalDist()
        both = normal.inv_cdf(1 - ALPHA / 2)
        error = (self.interval.high - self.interval.low) / (2 * both)

        def more(away: float) -> int:
            needed = self.examples * ((both + normal.inv_cdf(POWER)) * error / away) ** 2
            return max(least, math.ceil(needed) - self.examples)

        nearer = distance - error
        return Needed(more(distance), more(distance + error), more(nearer) if nearer > 0 else None)


def compare_on_benchmark(tasks: Mapping[str, Pair]) -> PairedComparison:
    """Compare two systems on the plain mean over tasks; wins, ties and losses are counted over all examples.

    Raises `EmptyInput` for no tasks or no examples, and `ZeroScrollsError` for columns or clusters that do not line up.
    """
    if not tasks:
        raise EmptyInput("tasks")
    pairs, changes = list(tasks.values()), list[float]()
    for pair in pairs:
        old, new = ([len(column) for column in columns] for columns in (pair.old, pair.new))
        if old != new:
            raise ZeroScrollsError(f"columns of {old} and {new} examples do not line up; give those of the same ones")
        intervals.check_input(pair.old, pair.clusters)
        changes += map(sub, intervals.example_scores(pair.new), intervals.example_scores(pair.old))
    wins, losses = sum(change > EQUAL for change in changes), sum(change < -EQUAL for change in changes)
    difference = fmean(score_of(pair.new) - score_of(pair.old) for pair in pairs)
    identical = all(pair.identical for pair in pairs)
    reason = _reason(tasks, identical=identical)
    interval, p_value = (None, None) if reason or identical else _interval(pairs, difference)
    return PairedComparison(
        *(difference, interval, p_value, wins, len(changes) - wins - losses, losses),
        unseen=max(3 * pair.most / effective_units(len(pair.old[0]), pair.clusters) for pair in pairs) / len(pairs),
        most=max(pair.most for pair in pairs) / len(pairs),
        identical=identical,
        reason=reason,
    )


def _reason(tasks: Mapping[str, Pair], *, identical: bool) -> str:
    """Return why there is no interval, with the tasks where there are several."""
    reasons: dict[str, list[str]] = {}
    for name, pair in tasks.items():
        if few := intervals.too_few(len(pair.old[0]), None if identical else pair.clusters):
            reasons.setdefault(few, []).append(name)
    if len(tasks) == 1:
        return "".join(reasons)
    places = {few: "each task" if len(names) == len(tasks) else ", ".join(names) for few, names in reasons.items()}
    return "; ".join(f"{few} in {place}" for few, place in places.items())


def _interval(pairs: Sequence[Pair], difference: float) -> tuple[Interval | None, float | None]:
    """Return the interval of the difference and its p-value (step 3); `None` where no score differs."""
    variance, freedom = _variance(pairs)
    if variance <= EQUAL**2:
        return None, None
    error = math.sqrt(variance)
    low, high = (difference + side * intervals.student_quantile(freedom) * error for side in (-1, 1))
    count = intervals.count_clusters([pair.clusters for pair in pairs])
    return Interval(max(low, -100.0), min(high, 100.0), clusters=count), two_sided_p(difference / error, freedom)


def _variance(pairs: Sequence[Pair]) -> tuple[float, float]:
    """Return the variance of the mean difference, and its degrees of freedom (steps 2 and 3)."""
    variance, freedom = _variance_by_units(pairs)
    if any(pair.clusters for pair in pairs):
        variance = max(variance, _variance_by_units([pair._replace(clusters=None) for pair in pairs])[0])
    return variance, freedom


def _variance_by_units(pairs: Sequence[Pair]) -> tuple[float, float]:
    changes, own, freedoms = list[float](), list[float](), list[float]()
    for pair in pairs:
        old, new = pseudo_values(pair.old, pair.clusters), pseudo_values(pair.new, pair.clusters)
        scale = len(pairs) * math.sqrt(len(old) * (len(old) + 1))
        moved = [(y - x) / scale for x, y in zip(old, new, strict=True)]
        mean = fmean(moved)
        own.append(math.fsum((change - mean) ** 2 for change in moved))
        freedoms.append(effective_units(len(pair.old[0]), pair.clusters) + 1)
        changes += moved
    sizes = math.fsum(map(abs, changes))
    size = math.fsum(change**2 for change in changes) / sizes if sizes > 0 else 0.0
    freedom = intervals.satterthwaite(own, freedoms)
    return math.fsum(own) + 2 * size**2, math.fsum(freedoms) if math.isinf(freedom) else freedom


def holm(p_values: Mapping[str, float | None]) -> dict[str, float | None]:
    """Return the p-values corrected for their number (Holm 1979, Scandinavian Journal of Statistics 6).

    >>> holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": None}), holm({"a": 0.9, "b": 0.8})
    ({'a': 0.03, 'b': 0.06, 'c': 0.06, 'd': None}, {'a': 1.0, 'b': 1.0})
    """
    smallest_first = sorted((p, name) for name, p in p_values.items() if p is not None)
    corrected: dict[str, float] = {}
    largest = 0.0
    for i, (p, name) in enumerate(smallest_first):
        largest = corrected[name] = min(1.0, max(largest, p * (len(smallest_first) - i)))
    return {name: corrected.get(name) for name in p_values}
