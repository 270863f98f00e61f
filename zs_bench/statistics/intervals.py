"""Confidence intervals of scores, of averages over tasks, and of differences between two systems.

One method serves all of them:

1. A score is a mean. The geometric mean of ROUGE's three column means becomes one by linearisation: each example counts
   by its influence on the score (the infinitesimal jackknife; Efron and Tibshirani 1993, chapter 21).
2. The effective sample size is the number of right/wrong answers whose mean would vary as much: n* = s (1 - s) / v, for
   a score s between 0 and 1 and the variance v of the score, from the differences between examples, or between
   documents where it is known which examples share one (Kish 1965, Survey Sampling). It is the number of examples where
   all are right or wrong, and the number of documents or examples where all score alike.
3. The ends are equally far from the score on the arcsine scale, on which the variance of a share does not depend on the
   share (Anscombe 1948, Biometrika 35): sin²(arcsin √s' ± q / 2√(n* + 1.4)), with s' = (n* s + 0.84) / (n* + 1.68). The
   quantile q is Student's with one degree of freedom less than examples or documents, and the normal one where all
   answers are right or wrong, since their variance is known from their mean.
4. What a small sample may have missed widens the interval: downwards as if a few answers more had failed outright,
   upwards, where many answers score 0, as if a rare one had scored 100. No change between two systems is taken to be
   larger than the best score.
5. Averages and differences are put together from their parts' intervals by the method of variance estimates recovery
   (Zou and Donner 2008, Statistics in Medicine 27; Newcombe 1998, ibid. 17, for paired shares). A difference has two
   parts: the mean gain and the mean loss over the examples.

No random numbers are drawn. `make calibration` measures how often the intervals hold the true score; the constants 0.84
and 1.4 and those of step 4 were chosen by it. Its table is in docs/how-we-know.md.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from zs_bench.statistics.columns import EQUAL, Points, score_of
from zs_metric.errors import EmptyInput, ZeroScrollsError

Numbers = np.typing.NDArray[np.int64]

LEVEL = 95.0
#: The name of the method in reports and signatures; the number changes when intervals do.
METHOD = "arcsine-1"
#: With fewer examples or documents there is no interval: it would depend more on assumptions than on the answers.
FEWEST_EXAMPLES, FEWEST_CLUSTERS = 10, 5
# Step 3: added to the sum of the scores and to the effective sample size.
_SHIFT, _ADDED = 0.84, 1.4
# Step 4: the share of answers that may score 0, and 100, beyond what the sample shows.
_UNSEEN_LOW, _UNSEEN_HIGH = 0.015, 0.0015


@dataclass(frozen=True, slots=True)
class Interval:
    """The ends of an interval in points, its nominal coverage in percent, and the number of documents where known."""

    low: float
    high: float
    level: float = LEVEL
    clusters: int | None = None


class Estimate(NamedTuple):
    """A number estimated from examples, on the scale 0 to 1.

    `freedom` are the degrees of freedom of Student's quantile. `reach` takes a quantile above 0 and returns how far the
    interval reaches down and up from the value.
    """

    value: float
    freedom: float
    reach: Callable[[float], tuple[float, float]]


def interval(columns: Points, clusters: Sequence[str] | None = None, *, level: float = LEVEL) -> Interval | None:
    """Return the interval of a task's score, or `None` where `too_few` gives a reason for having none.

    Args:
        columns: shape (examples, k), in points, from `zs_bench.statistics.columns.columns`.
        clusters: for each example the name of its document; without them every example stands alone.

    Raises:
        EmptyInput: for no examples.
        ZeroScrollsError: for clusters that do not line up with the examples, and a level out of range.

    >>> ends = interval(np.array([[100.0], [0.0]] * 50))
    >>> round(ends.low, 1), round(ends.high, 1)
    (40.3, 59.7)
    """
    return benchmark_interval({"": (columns, clusters)}, level=level)


def benchmark_interval(
    tasks: Mapping[str, tuple[Points, Sequence[str] | None]], *, level: float = LEVEL
) -> Interval | None:
    """Return the interval of the plain mean over tasks, as `interval`; `None` if one of them has too few examples."""
    if not tasks:
        raise EmptyInput("tasks")
    for columns, clusters in tasks.values():
        check_input(columns, clusters)
    if any(too_few(len(columns), clusters) for columns, clusters in tasks.values()):
        return None
    parts = [
        _share(_influences(columns), _cluster_numbers(columns, clusters), unseen_low=_UNSEEN_LOW)
        for columns, clusters in tasks.values()
    ]
    return interval_of(mean_of(parts), [clusters for _, clusters in tasks.values()], level)


def interval_of(estimate: Estimate, clusters: Sequence[Sequence[str] | None], level: float = LEVEL) -> Interval:
    """Return the interval of an estimate, in points, from the clusters of each task."""
    if not 0 < level < 100:
        raise ZeroScrollsError(f"level is {level!r}; give a percentage between 0 and 100, such as 95")
    down, up = estimate.reach(student_quantile((100 + level) / 200, estimate.freedom))
    counts = [len(set(names)) for names in clusters if names is not None]
    low, high = 100 * (estimate.value - down), 100 * (estimate.value + up)
    return Interval(low, high, level, sum(counts) if counts else None)


def too_few(examples: int, clusters: Sequence[str] | None) -> str:
    """Return why there is no interval, as the end of a sentence; empty if there is one."""
    if examples < FEWEST_EXAMPLES:
        return f"fewer than {FEWEST_EXAMPLES} examples"
    if clusters is not None and len(set(clusters)) < FEWEST_CLUSTERS:
        return f"fewer than {FEWEST_CLUSTERS} documents"
    return ""


def check_input(columns: Points, clusters: Sequence[str] | None) -> None:
    """Raise EmptyInput for no examples, and ZeroScrollsError for clusters that do not line up with them."""
    if not len(columns):
        raise EmptyInput("examples")
    if clusters is not None and len(clusters) != len(columns):
        raise ZeroScrollsError(
            f"{len(clusters)} clusters and {len(columns)} examples do not line up; give one for each"
        )


def mean_of(parts: Sequence[Estimate]) -> Estimate:
    """Return the mean of independent estimates, such as the average over tasks (step 5)."""

    def reach(quantile: float) -> tuple[float, float]:
        down, up = zip(*(part.reach(quantile) for part in parts), strict=True)
        return math.hypot(*down) / len(parts), math.hypot(*up) / len(parts)

    return Estimate(math.fsum(part.value for part in parts) / len(parts), joint_freedom(parts), reach)


def joint_freedom(parts: Sequence[Estimate]) -> float:
    """Return the degrees of freedom of a sum (Satterthwaite 1946, Biometrics Bulletin 2)."""
    variances = [math.fsum(part.reach(1.0)) ** 2 for part in parts]
    spread = math.fsum(variance**2 / part.freedom for variance, part in zip(variances, parts, strict=True))
    return math.fsum(variances) ** 2 / spread if spread > 0 else math.inf


def difference_estimate(a: Points, b: Points, clusters: Sequence[str] | None) -> Estimate:
    """Return the estimate of the first system's score minus the second's, from their columns, in points."""
    first, second, numbers = _influences(a), _influences(b), _cluster_numbers(a, clusters)
    change, top = first - second, float(max(first.max(), second.max()))
    gains, losses = np.maximum(change, 0.0), np.maximum(-change, 0.0)
    gain, loss = _share(gains, numbers, top=top), _share(losses, numbers, top=top)
    of_gains, of_losses = (np.bincount(numbers, values - values.mean()) for values in (gains, losses))
    spread = math.sqrt(float((of_gains**2).sum() * (of_losses**2).sum()))
    correlation = float(of_gains @ of_losses) / spread if spread > 0 else 0.0

    def joined(gain: float, loss: float) -> float:
        return math.sqrt(max(gain**2 + loss**2 - 2 * correlation * gain * loss, 0.0))

    def reach(quantile: float) -> tuple[float, float]:
        (gain_down, gain_up), (loss_down, loss_up) = gain.reach(quantile), loss.reach(quantile)
        return joined(gain_down, loss_up), joined(gain_up, loss_down)

    return Estimate(gain.value - loss.value, joint_freedom([gain, loss]), reach)


def effects(columns: Points, clusters: Sequence[str] | None) -> Points:
    """Return by how many points each example or document moves the score; the squares add up to its variance."""
    influences = _influences(columns)
    residuals = np.bincount(_cluster_numbers(columns, clusters), influences - influences.mean())
    moved: Points = 100 * residuals * math.sqrt(len(residuals) / max(len(residuals) - 1, 1)) / len(columns)
    return moved


def _influences(columns: Points) -> Points:
    """Return for each example its influence on the score (step 1), from 0 to 1; their mean is the score."""
    values, means = columns / 100, columns.mean(axis=0) / 100
    if len(means) == 1:
        return values[:, 0]
    if not (means > 0).all():
        return np.zeros(len(values))
    influences: Points = score_of(columns) / 100 * (values / means).mean(axis=1)
    return influences


def _cluster_numbers(columns: Points, clusters: Sequence[str] | None) -> Numbers:
    """Return the number of each example's cluster, from 0."""
    if clusters is None:
        return np.arange(len(columns))
    number = {name: i for i, name in enumerate(dict.fromkeys(clusters))}
    return np.array([number[name] for name in clusters])


def _share(values: Points, numbers: Numbers, *, unseen_low: float = 0.0, top: float = 1.0) -> Estimate:
    """Return the estimate of the mean of values between 0 and 1 of which none is above `top` (steps 2 to 4)."""
    examples, units = len(values), int(numbers.max()) + 1
    mean = min(float(values.mean()), 1.0)
    residuals, sizes = np.bincount(numbers, values - mean), np.bincount(numbers)
    alike = bool((np.abs(residuals) <= EQUAL * sizes).all())
    right_or_wrong = units == examples and bool(((values <= EQUAL) | (values >= 1 - EQUAL)).all())
    low_size, high_size, freedom = float(units), float(units), math.inf
    if not (alike or right_or_wrong or units == 1):
        variance = float((residuals**2).sum()) * units / (units - 1) / examples**2
        most = max(mean * (1 - mean) / units, variance)
        zeros = float((values <= EQUAL).mean())
        low = min(variance + unseen_low * mean**2 / examples, most)
        high = min(variance + _UNSEEN_HIGH * (zeros * max(top - mean, 0.0)) ** 2 / examples, most)
        low_size, high_size, freedom = mean * (1 - mean) / low, mean * (1 - mean) / high, units - 1

    def reach(quantile: float) -> tuple[float, float]:
        return _down(mean, low_size, quantile), _down(1 - mean, high_size, quantile)

    return Estimate(mean, freedom, reach)


def _down(share: float, size: float, quantile: float) -> float:
    """Return the distance from a share down to its lower end; upwards it is that of the rest."""
    shifted = (size * share + _SHIFT) / (size + 2 * _SHIFT)
    angle = math.asin(math.sqrt(shifted)) - quantile / (2 * math.sqrt(size + _ADDED))
    return max(share - math.sin(max(angle, 0.0)) ** 2, 0.0)


@lru_cache(maxsize=4096)
def student_quantile(probability: float, freedom: float) -> float:
    """Return the quantile of Student's distribution, by the expansion 26.7.5 of Abramowitz and Stegun (1964).

    >>> round(student_quantile(0.975, 4), 2), round(student_quantile(0.975, 19), 3)
    (2.78, 2.093)
    """
    z = NormalDist().inv_cdf(probability)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, start=1))
