"""Confidence intervals of scores and of averages over tasks: the jackknife, and Student's t on the logit scale.

A task's score is the geometric mean of its column means, whatever the metric: one column of example scores, or for
ROUGE in the released aggregation three columns of F-measures (`zs_metric/rouge.py`, steps 2 and 3). A column has
a value for every example, in points, 0 to 100.

1. Units are documents where it is known which examples share one, else examples: G units of n_g examples, N in all,
   which weigh as much as G* = N² / Σ n_g² units of one size (Kish 1965, Survey Sampling).
2. The jackknife (Tukey 1958; Efron 1982, The Jackknife, the Bootstrap and Other Resampling Plans) gives the variance of
   the score s: with s_-g the score without unit g and p_g = G s - (G - 1) s_-g, V = Σ (p_g - mean)² / (G (G - 1)).
   It serves means and ROUGE's geometric mean of three means alike.
3. The interval is logit(s) ± t √V / (s (1 - s)), with s between 0 and 1 and G* - 1 degrees of freedom: the logit
   interval of survey statistics (Korn and Graubard 1998, Survey Methodology 24). Where all answers are right or wrong
   and no documents are known, or no unit differs from the others, it is Wilson's (1927) of G answers.
4. An average of T tasks has V = Σ w_t² V_t, with the weights w_t = 1 / T if all count alike, and the degrees of freedom
   of Satterthwaite (1946, Biometrics Bulletin 2). A task with Wilson's interval has the variance of Agresti and Coull
   (1998, The American Statistician 52).

Student's distribution is by the continued fraction of the incomplete beta function (DLMF 8.17.22). Nothing is drawn.
`make calibration` measures how often the intervals hold the true score; see docs/how-we-know.md.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import mul
from statistics import fmean
from typing import NamedTuple

from zs_bench.benchmarks import Task
from zs_metric.errors import EmptyInput, ZeroScrollsError
from zs_metric.results import ExampleResult
from zs_metric.rouge import ROUGE_TYPES
from zs_metric.scoring import ROUGE_AGGREGATIONS

#: Columns of points, each with a value for every example.
Columns = Sequence[Sequence[float]]

#: Values this close, in points, are equal: rounding errors are as large.
EQUAL = 1e-9


def columns(results: Sequence[ExampleResult], rouge_aggregation: str = "corpus") -> Columns:
    """Return the columns of a task's results, in points: three for ROUGE with `corpus`, else one."""
    if rouge_aggregation not in ROUGE_AGGREGATIONS:
        raise ZeroScrollsError(f"no rouge_aggregation {rouge_aggregation!r}; it is 'corpus' or 'instance'")
    parts = [result.rouge for result in results if result.rouge is not None]
    if parts and rouge_aggregation == "corpus":
        return [[part[name].fmeasure for part in parts] for name in ROUGE_TYPES]
    return [[result.score for result in results]]


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean of a few points; a single one untouched."""
    if len(values) == 1:
        return values[0]
    return 100 * math.prod(value / 100 for value in values) ** (1 / len(values))


def example_scores(columns: Columns) -> list[float]:
    return [geometric_mean(values) for values in zip(*columns, strict=True)]


def score_of(columns: Columns) -> float:
    """Return the task's score from its columns, in points."""
    return geometric_mean([fmean(column) for column in columns])


def clusters(task: Task, ids: Sequence[str], documents: Sequence[str | None] | None = None) -> list[str] | None:
    """Return for each example the name of its document, or `None` when it is not known which examples share one.

    The benchmark's own ids of some tasks name it (`document_of_id` of the task), if all have their shape; ids
    of one's own make, such as `quality_012`, do not. Else `documents` has the example's document.
    """
    pattern = task.document_of_id
    matches = [re.fullmatch(pattern, example) for example in ids] if pattern else []
    names = [match[1] for match in matches if match]
    if names and len(names) == len(ids) and not any(re.fullmatch(rf"{task}_\d+", example) for example in ids):
        return names
    if documents is not None and len(documents) != len(ids):
        raise ZeroScrollsError(f"{len(documents)} documents and {len(ids)} ids do not line up; give one for each id")
    if documents is None or None in documents:
        return None
    numbers = {document: i for i, document in enumerate(dict.fromkeys(documents))}
    return [f"document {numbers[document]}" for document in documents]


def two_sided_p(t: float, freedom: float) -> float:
    """Return the probability of a value at least as far from 0 as `t`."""
    if freedom > 1e7 or math.isinf(t):  # the normal distribution
        return math.erfc(abs(t) / math.sqrt(2))
    near = t * t / (freedom + t * t)
    if t * t < 3 * freedom / (freedom + 2):  # where the fraction converges fast
        return 1 - _incomplete_beta(near, 1 - near, 0.5, freedom / 2)
    return _incomplete_beta(freedom / (freedom + t * t), near, freedom / 2, 0.5)


@lru_cache(maxsize=4096)
def student_quantile(freedom: float) -> float:
    """Return the t whose two-sided p-value is 0.05, by bisection of its logarithm."""
    low, high = 0.0, 300.0
    while high - low > 1e-13:
        middle = (low + high) / 2
        low, high = (middle, high) if two_sided_p(math.exp(middle), freedom) > 0.05 else (low, middle)
    return math.exp(low)


def _incomplete_beta(x: float, rest: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function at x, which is 1 - `rest`, by Lentz's method."""
    if x <= 0:
        return 0.0
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(rest)
    c, d, value = 2.0, 1.0, 2.0  # after the first step, from 1
    for m in range(1, 10_000):
        odd = -(a + m - 1) * (a + b + m - 1) * x / ((a + 2 * m - 2) * (a + 2 * m - 1))
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        for term in (odd, even):
            d = 1 / (1 + term * d)
            c = 1 + term / c
            value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return math.exp(front) * (value - 1) / a


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

    `clusters` are the names of the examples' documents; without them every example stands alone. Raises `EmptyInput`
    for no examples, and `ZeroScrollsError` for clusters that do not line up with them.
    """
    return benchmark_interval({"": (columns, clusters)})


def benchmark_interval(
    tasks: Mapping[str, tuple[Columns, Sequence[str] | None]], weights: Mapping[str, float] | None = None
) -> Interval | None:
    """Return the interval of the mean over tasks, as `interval`; `None` if one of them has too few examples.

    The `weights` of the tasks add up to 1; by default all are equal.
    """
    if not tasks:
        raise EmptyInput("tasks")
    for columns, clusters in tasks.values():
        check_input(columns, clusters)
    if any(too_few(len(columns[0]), clusters) for columns, clusters in tasks.values()):
        return None
    estimates = [_estimate(columns, clusters) for columns, clusters in tasks.values()]
    low, high = _ends(estimates, [weights[task] for task in tasks] if weights else ())
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
    """Return how many units of one size weigh as much as the documents, or examples (step 1)."""
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


def _ends(parts: Sequence[_Estimate], weights: Sequence[float]) -> tuple[float, float]:
    """Return the ends of the interval of the mean of estimates, weighted or plain, from 0 to 1 (steps 3 and 4)."""
    scores, count = [part.score for part in parts], len(parts)
    score = math.fsum(map(mul, weights, scores)) if weights else fmean(scores)
    if count == 1 and parts[0].freedom == math.inf:
        units, square = parts[0].units, _Z**2 / parts[0].units
        reach = _Z * math.sqrt(score * (1 - score) / units + square / (4 * units))
        low, high = ((score + square / 2 + side * reach) / (1 + square) for side in (-1, 1))
        return max(low, 0.0), min(high, 1.0)
    variances = [part.variance / count**2 for part in parts]
    if weights:
        variances = [weight**2 * part.variance for weight, part in zip(weights, parts, strict=True)]
    reach = student_quantile(satterthwaite(variances, [part.freedom for part in parts])) * math.sqrt(sum(variances))
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
