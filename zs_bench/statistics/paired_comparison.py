"""Two systems on the same examples: the interval of their difference, new minus old, its p-value, and the verdict.

1. The changes are c_g = p_g(new) - p_g(old), from the jackknife's values of each unit (`intervals.py`, step 2).
2. To the sample one gain and one loss of the size h of its changes are added, so that changes that a small sample may
   have missed have their part: V = Σ (c_g - mean)² / (G (G + 1)) + 2 h² / (G (G + 1)), with h = Σ c_g² / Σ |c_g|, the
   mean of the sizes in which each change weighs by its size. This is in the manner of Bonett and Price (2012, Journal
   of Educational and Behavioral Statistics 37), who add one to each kind of change of right/wrong answers; they also
   move the centre and divide by (G + 2)², so that this V is up to 1.31 times theirs at G = 10 and 1.015 times at 200.
   Units are taken by documents and by examples, and the larger V counts, since changes within a document may cancel.
   In an average each c_g is multiplied by the weight of its task, 1 / T of T tasks if all count alike.
3. The interval is d ± t √V with G* + 1 degrees of freedom (Satterthwaite's for an average), and p its other side.
4. Failures may be too rare to be seen (`intervals.py`, step 4). Only answers that score can fail, and k = (Σ x)² / Σ x²
   of them carry the score s of the first system, with the points x of its answers, or of its documents' answers
   together. So failures that nobody saw may cost s (1 - 0.05^(1 / k)), in an average each task's times its weight. A
   margin is shown to hold where the interval lies above -margin, the largest such cost is at most margin + d, and ten
   answers score. The same of the second system's answers is what may be unseen where the first is better.

A loss that is found in 80 % of samples is t + 0.84 standard errors √V, 0.84 being the normal quantile of 80 % (Cohen
1988, Statistical Power Analysis for the Behavioral Sciences), as if the changes differed as these do. Where the p-value
is corrected for m tests, t is that of 0.05 / m, the first step of Holm's correction.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter, mul
from statistics import NormalDist, fmean
from typing import NamedTuple, TypeVar

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

Name = TypeVar("Name")
ALPHA, POWER = 0.05, 0.8
#: The name of the interval's method in reports, and what it is, in words.
METHOD = "jackknife-t-paired"
METHOD_IN_WORDS = "jackknife, Student's t; one gain and one loss of the size of the changes added"
#: With fewer answers of the first system that score, nothing is known of how often those of the second fail.
FEWEST_SCORING = 10


@dataclass(frozen=True)
class Pair:
    """The columns of two systems for the same examples of a task, in points, and its clusters as for `interval`.

    `identical` says that all texts are the same.
    """

    old: Columns
    new: Columns
    clusters: Sequence[str] | None = None
    identical: bool = False

    @cached_property
    def points(self) -> tuple[list[float], list[float]]:
        """The points of the answers of both."""
        return intervals.example_scores(self.old), intervals.example_scores(self.new)

    @cached_property
    def changes(self) -> list[float]:
        """The change of each unit (step 1)."""
        old, new = pseudo_values(self.old, self.clusters), pseudo_values(self.new, self.clusters)
        return [y - x for x, y in zip(old, new, strict=True)]

    @cached_property
    def without_clusters(self) -> "Pair":
        """The same with the examples as units."""
        return replace(self, clusters=None) if self.clusters else self


class Unseen(NamedTuple):
    """Failures of one system, on answers on which the other scores, that may have stayed unseen (step 4).

    They may be in up to `share` (0 to 1) of those answers and cost `points`; in an average this is the `task` where
    they cost most, which has so many `answers`. Of all tasks, `scoring` answers score.
    """

    points: float = 0.0
    share: float = 0.0
    task: str = ""
    answers: int = 0
    scoring: int = 0

    def needed(self, points: float) -> int | None:
        """Return about how many answers of the task it takes for a cost of so many points; `None` for none."""
        if points <= 0 or not 0 < self.share < 1:
            return None
        share = min(self.share * points / self.points, 1 - 1e-9)
        return math.ceil(self.answers * math.log(1 - self.share) / math.log(1 - share) - 1e-6)


NOTHING = Unseen()


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """Two systems compared on the same examples; the difference is the new one's score minus the old one's, in points.

    `interval` and the two-sided `p_value` are of the difference; both are `None` where `reason` says, as the end of a
    sentence, why, and where the texts are `identical`. `wins`, `ties` and `losses` are examples on which the new system
    is better, as good, worse. `unseen` are failures of the new system, `unseen_old` those of the old one. A loss of
    `detectable` points is found in 80 % of samples of this size, by one test unless `of_tests`; `None` without an
    interval, as are the standard `error` of the difference and its degrees of `freedom`.
    """

    difference: float
    interval: Interval | None
    p_value: float | None
    wins: int
    ties: int
    losses: int
    unseen: Unseen = NOTHING
    unseen_old: Unseen = NOTHING
    detectable: float | None = None
    identical: bool = False
    reason: str = ""
    error: float | None = None
    freedom: float | None = None

    def of_tests(self, tests: int) -> "PairedComparison":
        """Return the comparison as one of so many tests: a loss must be larger to be found as often."""
        if self.error is None or self.freedom is None:
            return self
        return replace(self, detectable=_detectable(self.error, self.freedom, ALPHA / tests))

    @property
    def examples(self) -> int:
        return self.wins + self.ties + self.losses

    def verdict(self, margin: float | None = None, p_value: float | None = None) -> str:
        """Return the verdict about the new system: `identical`, `better`, `as good`, `worse` or `undecided`.

        It is `better` or `worse` where the p-value, by default its own, is below 0.05; `as good`, also if it is worse,
        where the margin is shown to hold.
        """
        if self.identical:
            return "identical"
        p = self.p_value if p_value is None else p_value
        clear = p is not None and p < ALPHA
        if clear and self.difference > 0:
            return "better"
        if margin is not None and self.passes(margin):
            return "as good"
        return "worse" if clear else "undecided"

    def passes(self, margin: float) -> bool:
        """Return whether the loss is shown to be below the margin (step 4)."""
        if self.identical:
            return not self.reason
        enough = self.unseen.scoring >= FEWEST_SCORING
        return self.above(margin) and enough and self.unseen.points <= margin + self.difference

    def above(self, margin: float) -> bool:
        """Return whether the interval, or without a change of any score 0, lies above minus the margin."""
        return not self.reason and (self.interval.low if self.interval else self.difference) > -margin

    @property
    def may_turn(self) -> Unseen | None:
        """What could stay unseen and turn the sign of the difference; `None` if nothing could."""
        unseen = self.unseen if self.difference > 0 else self.unseen_old
        return unseen if unseen.points > abs(self.difference) > 0 else None


def compare_on_benchmark(tasks: Mapping[str, Pair], weights: Mapping[str, float] | None = None) -> PairedComparison:
    """Compare two systems on the mean over tasks; wins, ties and losses are counted over all examples.

    The `weights` of the tasks add up to 1; by default all are equal.

    Raises `EmptyInput` for no tasks or no examples, and `ZeroScrollsError` for columns or clusters that do not line up.
    """
    if not tasks:
        raise EmptyInput("tasks")
    pairs, points = list(tasks.values()), list[tuple[list[float], list[float]]]()
    shares = [weights[name] if weights else 1 / len(tasks) for name in tasks]
    for pair in pairs:
        old, new = ([len(column) for column in columns] for columns in (pair.old, pair.new))
        if {*old} != {*new}:  # systems with other numbers of runs have other numbers of columns
            raise ZeroScrollsError(f"columns of {old} and {new} examples do not line up; give those of the same ones")
        intervals.check_input(pair.old, pair.clusters)
        points.append(pair.points)
    changes = [y - x for old_points, new_points in points for x, y in zip(old_points, new_points, strict=True)]
    wins, losses = sum(change > EQUAL for change in changes), sum(change < -EQUAL for change in changes)
    scores = [(score_of(pair.old), score_of(pair.new)) for pair in pairs]
    differences = [new - old for old, new in scores]
    difference = math.fsum(map(mul, shares, differences)) if weights else fmean(differences)
    identical = all(pair.identical for pair in pairs)
    reason = _reason(tasks, identical=identical)
    ends = (None, None, None, None) if reason or identical else _interval(pairs, shares, difference)
    unseen, unseen_old = (
        _unseen(tasks, shares, [own[side] for own in scores], [own[side] for own in points]) for side in (0, 1)
    )
    counts = wins, len(changes) - wins - losses, losses
    found, p, error, freedom = ends
    detectable = None if error is None or freedom is None else _detectable(error, freedom)
    return PairedComparison(
        difference, found, p, *counts, unseen, unseen_old, detectable, identical, reason, error, freedom
    )


def _unseen(
    tasks: Mapping[str, Pair], weights: Sequence[float], scores: Sequence[float], points: Sequence[Sequence[float]]
) -> Unseen:
    """Return what could stay unseen of the other system, from the scores of one and the points of its answers."""
    most, scoring = NOTHING, 0
    for (name, pair), weight, score, own in zip(tasks.items(), weights, scores, points, strict=True):
        scoring += sum(value > EQUAL for value in own)
        if score > EQUAL:
            share = intervals.unseen_share(carriers(own, pair.clusters))
            if (cost := weight * score * share) > most.points:
                most = Unseen(cost, share, name, len(own))
    return most._replace(scoring=scoring)


def carriers(points: Sequence[float], clusters: Sequence[str] | None) -> float:
    """Return how many equal answers, or documents where known, carry a score as these with points do (step 4)."""
    if clusters is not None:
        sums = defaultdict[str, float](float)
        for name, value in zip(clusters, points, strict=True):
            sums[name] += value
        points = [*sums.values()]
    return math.fsum(points) ** 2 / math.fsum(value**2 for value in points)


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


def _interval(
    pairs: Sequence[Pair], shares: Sequence[float], difference: float
) -> tuple[Interval | None, float | None, float | None, float | None]:
    """Return the interval of the difference, its p-value, its standard error and its degrees of freedom.

    All are `None` where no score differs.
    """
    variance, freedom = _variance(pairs, shares)
    if variance <= EQUAL**2:
        return None, None, None, None
    error, quantile = math.sqrt(variance), intervals.student_quantile(freedom)
    low, high = (difference + side * quantile * error for side in (-1, 1))
    count = intervals.count_clusters([pair.clusters for pair in pairs])
    ends = Interval(max(low, -100.0), min(high, 100.0), clusters=count, method=METHOD)
    return ends, two_sided_p(difference / error, freedom), error, freedom


def _detectable(error: float, freedom: float, level: float = ALPHA) -> float:
    """Return the loss that a test at this level finds in 80 % of samples."""
    return (intervals.student_quantile(freedom, level) + NormalDist().inv_cdf(POWER)) * error


def _variance(pairs: Sequence[Pair], shares: Sequence[float]) -> tuple[float, float]:
    """Return the variance of the mean difference, and its degrees of freedom (steps 2 and 3)."""
    variance, freedom = _variance_by_units(pairs, shares)
    if any(pair.clusters for pair in pairs):
        variance = max(variance, _variance_by_units([pair.without_clusters for pair in pairs], shares)[0])
    return variance, freedom


def _variance_by_units(pairs: Sequence[Pair], shares: Sequence[float]) -> tuple[float, float]:
    changes, own, freedoms = list[float](), list[float](), list[float]()
    for pair, share in zip(pairs, shares, strict=True):
        units = len(pair.changes)
        scale = math.sqrt(units * (units + 1)) / share
        moved = [change / scale for change in pair.changes]
        mean = fmean(moved)
        own.append(math.fsum((change - mean) ** 2 for change in moved))
        freedoms.append(effective_units(len(pair.old[0]), pair.clusters) + 1)
        changes += moved
    sizes = math.fsum(map(abs, changes))
    size = math.fsum(change**2 for change in changes) / sizes if sizes > 0 else 0.0
    freedom = intervals.satterthwaite(own, freedoms)
    return math.fsum(own) + 2 * size**2, math.fsum(freedoms) if math.isinf(freedom) else freedom


def holm(p_values: Mapping[Name, float | None]) -> dict[Name, float | None]:
    """Return the p-values corrected for their number (Holm 1979, Scandinavian Journal of Statistics 6).

    >>> holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": None}), holm({"a": 0.9, "b": 0.8})
    ({'a': 0.03, 'b': 0.06, 'c': 0.06, 'd': None}, {'a': 1.0, 'b': 1.0})
    """
    smallest_first = sorted(((p, name) for name, p in p_values.items() if p is not None), key=itemgetter(0))
    corrected: dict[Name, float] = {}
    largest = 0.0
    for i, (p, name) in enumerate(smallest_first):
        largest = corrected[name] = min(1.0, max(largest, p * (len(smallest_first) - i)))
    return {name: corrected.get(name) for name in p_values}
