"""Confidence intervals of scores and of averages over tasks: the jackknife, and Student's t on the logit scale.

1. Units are documents where it is known which examples share one, else examples: G units of n_g examples, N in all,
   which weigh as much as G* = N² / Σ n_g² units of one size (Kish 1965, Survey Sampling).
2. The jackknife (Tukey 1958; Efron 1982, The Jackknife, the Bootstrap and Other Resampling Plans) gives the variance of
   the score s: with s_-g the score without unit g and p_g = G s - (G - 1) s_-g, V = Σ (p_g - mean)² / (G (G - 1)).
   It serves means and ROUGE's geometric mean of three means alike.
3. The interval is logit(s) ± t √V / (s (1 - s)), with s between 0 and 1 and G* - 1 degrees of freedom: the logit
   interval of survey statistics (Korn and Graubard 1998, Survey Methodology 24). Where all answers are right or wrong
   and no documents are known, or no unit differs from the others, it is Wilson's (1927) of G answers.
4. An average of T tasks has V = Σ V_t / T² and the degrees of freedom of Satterthwaite (1946, Biometrics Bulletin 2). A
   task with Wilson's interval has the variance of Agresti and Coull (1998, The American Statistician 52).

Nothing is drawn. `make calibration` measures how often the intervals hold the true score; see docs/how-we-know.md.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from zs_bench.benchmarks.records import Members
from zs_bench.statistics.columns import EQUAL, Columns, example_scores, score_of
from zs_bench.statistics.student import student_quantile
from zs_metric.errors import EmptyInput, ZeroScrollsError

LEVEL = 95.0
#: The name of the method in reports and signatures.
METHOD = "jackknife-t"
#: With fewer examples or documents there is no interval: it would depend more on assumptions than on the answers.
FEWEST_EXAMPLES, FEWEST_CLUSTERS = 10, 5
_Z = student_quantile(math.inf)


@dataclass(frozen=True, slots=True)
class Interval:
    """The ends of an interval in points, its nominal coverage in percent, and the number of documents where known."""

    low: float
    high: float
    level: float = LEVEL
    clusters: int | None = None


class _Estimate(NamedTuple):
    """A score from 0 to 1, its variance, its degrees of freedom, and the number of units."""

    score: float
    variance: float
    freedom: float
    units: int


def interval(columns: Columns, clusters: Sequence[str] | None = None) -> Interval | None:
    """Return the interval of a task's score, or `None` where `too_few` gives a reason for having none.

    Args:
        columns: in points, from `zs_bench.statistics.columns.columns`.
        clusters: for each example the name of its document; without them every example stands alone.

    Raises:
        EmptyInput: for no examples.
        ZeroScrollsError: for clusters that do not line up with the examples.

    >>> ends = interval([[100.0, 0.0] * 50])
    >>> round(ends.low, 1), round(ends.high, 1)
    (40.4, 59.6)
    """
    return benchmark_interval({"": (columns, clusters)})


def benchmark_interval(
    tasks: Mapping[str, tuple[Columns, Sequence[str] | None]], members: Members | None = None
) -> Interval | None:
    """Return the interval of the mean over tasks, as `interval`; `None` if one of them has too few examples.

    Args:
        members: whose mean it is, by default that of all these tasks; those of another average are averaged first.
    """
    if not tasks:
        raise EmptyInput("tasks")
    for columns, clusters in tasks.values():
        check_input(columns, clusters)
    if any(too_few(len(columns[0]), clusters) for columns, clusters in tasks.values()):
        return None
    estimates = {name: _estimate(columns, clusters) for name, (columns, clusters) in tasks.items()}

    def estimate(members: Members) -> _Estimate:
        return estimates[members] if isinstance(members, str) else _mean(list(map(estimate, members)))

    low, high = _ends(estimate(tuple(tasks) if members is None else members))
    return Interval(100 * low, 100 * high, clusters=count_clusters([clusters for _, clusters in tasks.values()]))


def too_few(examples: int, clusters: Sequence[str] | None) -> str:
    """Return why there is no interval, as the end of a sentence; empty if there is one."""
    if examples < FEWEST_EXAMPLES:
        return f"fewer than {FEWEST_EXAMPLES} examples"
    if clusters is not None and len(set(clusters)) < FEWEST_CLUSTERS:
        return f"fewer than {FEWEST_CLUSTERS} documents"
    return ""


def check_input(columns: Columns, clusters: Sequence[str] | None) -> None:
    """Raise EmptyInput for no examples, and ZeroScrollsError for clusters that do not line up with them."""
    if not columns[0]:
        raise EmptyInput("examples")
    if clusters is not None and len(clusters) != len(columns[0]):
        raise ZeroScrollsError(
            f"{len(clusters)} clusters and {len(columns[0])} examples do not line up; give one for each"
        )


def count_clusters(clusters: Sequence[Sequence[str] | None]) -> int | None:
    """Return the number of documents of all tasks; `None` where they are known of none."""
    counts = [len(set(names)) for names in clusters if names is not None]
    return sum(counts) if counts else None


def effective_units(examples: int, clusters: Sequence[str] | None) -> float:
    """Return how many units of one size weigh as much as the documents, or examples (step 1).

    >>> effective_units(4, ["a", "b", "c", "d"]), effective_units(9, ["a"] * 6 + ["b", "c", "d"])
    (4.0, 2.076923076923077)
    """
    return examples**2 / sum(size**2 for size in Counter(clusters).values()) if clusters else float(examples)


def pseudo_values(columns: Columns, clusters: Sequence[str] | None) -> list[float]:
    """Return the jackknife's value of each of at least two units, in points (step 2)."""
    if clusters is None and len(columns) == 1:
        return [*columns[0]]
    sizes, sums = _units(columns, clusters)
    examples, units, score = sum(sizes), len(sizes), score_of(columns)
    left = []
    for column, parts in zip(columns, sums, strict=True):
        total = math.fsum(column)
        left.append([max(total - part, 0.0) / (examples - size) for part, size in zip(parts, sizes, strict=True)])
    return [units * score - (units - 1) * without for without in example_scores(left)]


def _units(columns: Columns, clusters: Sequence[str] | None) -> tuple[Sequence[int], Columns]:
    """Return the number of examples of each unit, and for each column the sums over its examples."""
    if clusters is None:
        return [1] * len(columns[0]), columns
    places: dict[str, list[int]] = {}
    for place, name in enumerate(clusters):
        places.setdefault(name, []).append(place)
    sums = [[math.fsum(column[place] for place in own) for own in places.values()] for column in columns]
    return [len(own) for own in places.values()], sums


def _estimate(columns: Columns, clusters: Sequence[str] | None) -> _Estimate:
    values = pseudo_values(columns, clusters)
    score, units, mean = min(score_of(columns) / 100, 1.0), len(values), fmean(values)
    error = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (units * (units - 1)))
    binary = clusters is None and all(min(value, 100 - value) <= EQUAL for column in columns for value in column)
    if binary or error <= EQUAL:
        share = (score * units + _Z**2 / 2) / (units + _Z**2)
        return _Estimate(score, share * (1 - share) / (units + _Z**2), math.inf, units)
    return _Estimate(score, (error / 100) ** 2, effective_units(len(columns[0]), clusters) - 1, units)


def _mean(parts: Sequence[_Estimate]) -> _Estimate:
    """Return the mean of estimates; that of several has no number of units (step 4)."""
    variances = [part.variance / len(parts) ** 2 for part in parts]
    freedom = satterthwaite(variances, [part.freedom for part in parts])
    units = parts[0].units if len(parts) == 1 else 0
    return _Estimate(fmean(part.score for part in parts), sum(variances), freedom, units)


def _ends(whole: _Estimate) -> tuple[float, float]:
    """Return the ends of the interval of an estimate, from 0 to 1 (step 3)."""
    score = whole.score
    if whole.units and whole.freedom == math.inf:
        units, square = whole.units, _Z**2 / whole.units
        reach = _Z * math.sqrt(score * (1 - score) / units + square / (4 * units))
        low, high = ((score + square / 2 + side * reach) / (1 + square) for side in (-1, 1))
        return max(low, 0.0), min(high, 1.0)
    reach = student_quantile(whole.freedom) * math.sqrt(whole.variance)
    if not 0 < score < 1:
        return max(score - reach, 0.0), min(score + reach, 1.0)
    middle, reach = math.log(score / (1 - score)), reach / (score * (1 - score))
    return _share(middle - reach), _share(middle + reach)


def _share(logit: float) -> float:
    smaller = math.exp(-abs(logit))
    return (1.0 if logit > 0 else smaller) / (1 + smaller)


def satterthwaite(variances: Sequence[float], freedoms: Sequence[float]) -> float:
    """Return the degrees of freedom of a sum of estimates of these variances; infinite if they are 0."""
    spread = math.fsum(variance**2 / freedom for variance, freedom in zip(variances, freedoms, strict=True))
    return math.fsum(variances) ** 2 / spread if spread > 0 else math.inf
