"""Confidence intervals of scores and of averages over tasks: the jackknife, and Student's t on the logit scale.

A task's score is the geometric mean of its column means, whatever the metric: one column of example scores, or for
ROUGE in the released aggregation three columns of F-measures (`zs_metric/rouge.py`, steps 2 and 3). A column has
a value for every example, in points, 0 to 100. Several runs of one system have one column of the examples' means over
the runs, or for ROUGE three columns of each run, whose scores are averaged.

1. Units are documents where it is known which examples share one, else examples: G units of n_g examples, N in all,
   which weigh as much as G* = N² / Σ n_g² units of one size (Kish 1965, Survey Sampling).
2. The jackknife (Tukey 1958; Efron 1982, The Jackknife, the Bootstrap and Other Resampling Plans) gives the variance of
   the score s: with s_-g the score without unit g and p_g = G s - (G - 1) s_-g, V = Σ (p_g - mean)² / (G (G - 1)).
   It serves means and ROUGE's geometric mean of three means alike.
3. The interval is logit(s) ± t √V / (s (1 - s)), with s between 0 and 1 and G* - 1 degrees of freedom: the interval on
   the logit scale of survey statistics, `method="xlogit"` of `svyciprop` in R's package survey, whose documentation
   ascribes it to SUDAAN and SPSS. Where all answers are right or wrong, both occur and no documents are known, it is
   Wilson's (1927, Journal of the American Statistical Association 22) of G answers.
4. Failures may be too rare to be seen. None of a kind in G* answers is seen with a chance of 5 % where a share
   1 - 0.05^(1 / G*) of all answers belongs to it: the exact form of the rule of three (Hanley and Lippman-Hand 1983,
   JAMA 249). An answer that fails takes its part of the score along, so the lower end is at most s 0.05^(1 / G*).
   Where all units are equal, the interval is from there to s; where all are 0, from 0 to 1 - 0.05^(1 / G*).
5. An average of tasks is combined from their intervals [l, h] by the method of variance estimates recovery (Zou and
   Donner 2008, Statistics in Medicine 27; for weighted sums of several Zou, Huang and Zhang 2009, Computational
   Statistics and Data Analysis 53): S - √Σ w² (s - l)² to S + √Σ w² (h - s)², with the weights w of the average S,
   1 / T for T tasks that count alike.

Student's distribution is by the continued fraction of the incomplete beta function (DLMF 8.17.22). Nothing is drawn.
`make calibration` measures how often the intervals hold the true score; see docs/how-we-know.md.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from zs_bench.benchmarks import Task
from zs_bench.benchmarks.expressions import MOST_WAYS_OF_ALL, SIMPLER, ways
from zs_bench.errors import UnusableInput
from zs_bench.problems import counted, short
from zs_metric.errors import EmptyInput, ZeroScrollsError
from zs_metric.means import fmean
from zs_metric.results import ExampleResult
from zs_metric.rouge import ROUGE_TYPES
from zs_metric.scoring import ROUGE_AGGREGATIONS

#: Columns of points, each with a value for every example: one, three for ROUGE, or three for each of several runs.
Columns = Sequence[Sequence[float]]

#: Values this close, in points, are equal: rounding errors are as large.
EQUAL = 1e-9


def columns(results: Sequence[ExampleResult], rouge_aggregation: str = "corpus") -> Columns:
    """Return the columns of a task's results, in points: three for ROUGE with `corpus`, else one."""
    if rouge_aggregation not in ROUGE_AGGREGATIONS:
        raise ZeroScrollsError(f"no rouge_aggregation {rouge_aggregation!r}; it is 'corpus' or 'instance'")
    parts = [rouge for result in results if (rouge := result.rouge) is not None]
    if parts and rouge_aggregation == "corpus":
        return [[part[name].fmeasure for part in parts] for name in ROUGE_TYPES]
    return [[result.score for result in results]]


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean of a few points; a single one untouched."""
    if len(values) == 1:
        return values[0]
    return 100 * math.prod(value / 100 for value in values) ** (1 / len(values))


def mean_of_runs(values: Sequence[float]) -> float:
    """Return the mean over runs of the geometric means of their three points, which follow one another."""
    types = len(ROUGE_TYPES)
    return fmean(geometric_mean(values[place : place + types]) for place in range(0, len(values), types))


def example_scores(columns: Columns) -> list[float]:
    """Return the score of each example alone: `geometric_mean` or `mean_of_runs` of its values."""
    if len(columns) == 1:
        return [*columns[0]]
    if len(columns) == len(ROUGE_TYPES):  # the same products in the same order, several times as fast
        return [100 * (x / 100 * (y / 100) * (z / 100)) ** (1 / 3) for x, y, z in zip(*columns, strict=True)]
    return [mean_of_runs(values) for values in zip(*columns, strict=True)]


def score_of(columns: Columns) -> float:
    """Return the task's score from its columns, in points."""
    means = [fmean(column) for column in columns]
    return geometric_mean(means) if len(means) <= len(ROUGE_TYPES) else mean_of_runs(means)


def clusters(task: Task, ids: Sequence[str], documents: Sequence[str | None] | None = None) -> list[str] | None:
    """Return for each example the name of its document, or `None` when it is not known which examples share one.

    The benchmark's own ids of some tasks name it (`document_of_id` of the task), if all have their shape; ids
    of one's own make, such as `quality_012`, do not. Else `documents` has the example's document. Raises
    `UnusableInput` for an id in which the expression of a benchmark of one's own finds no document.
    """
    pattern, is_own = task.document_of_id, bool(task.benchmark.definition)
    if pattern and is_own:
        _check_ways(task, pattern, ids)
    matches = [re.search(pattern, example) for example in ids] if pattern else []
    names = [match[1] for match in matches if match and match[1]]
    own_make = not is_own and any(re.fullmatch(rf"{task}_\d+", example) for example in ids)
    if names and len(names) == len(ids) and not own_make:
        return names
    if pattern and is_own and ids:
        without = [example for example, match in zip(ids, matches, strict=True) if not (match and match[1])]
        raise UnusableInput(
            f"document_of_id of {task.name} finds no document in {counted(len(without), 'id')} of {len(ids):,}, such "
            f"as {short(without[0])!r}: {short(pattern)} is searched for in an id, and its group is the document; "
            "mend it, or leave it out"
        )
    if documents is not None and len(documents) != len(ids):
        raise ZeroScrollsError(f"{len(documents)} documents and {len(ids)} ids do not line up; give one for each id")
    if documents is None or None in documents:
        return None
    numbers = {document: i for i, document in enumerate(dict.fromkeys(documents))}
    return [f"document {numbers[document]}" for document in documents]


def _check_ways(task: Task, pattern: str, ids: Sequence[str]) -> None:
    """Raise `UnusableInput` where searching these ids for the expression may take minutes."""
    if sum(ways(pattern, size) * count for size, count in Counter(map(len, ids)).items()) > MOST_WAYS_OF_ALL:
        longest = max(map(len, ids))
        raise UnusableInput(
            f"document_of_id of {task.name}, {short(pattern)}, may match the {counted(len(ids), 'id')}, of up to "
            f"{longest:,} characters, in more than {MOST_WAYS_OF_ALL:,} ways, which takes too long; {SIMPLER}"
        )


def two_sided_p(t: float, freedom: float) -> float:
    """Return the probability of a value at least as far from 0 as `t`."""
    if freedom > 1e7 or math.isinf(t):  # the normal distribution
        return math.erfc(abs(t) / math.sqrt(2))
    near = t * t / (freedom + t * t)
    if t * t < 3 * freedom / (freedom + 2):  # where the fraction converges fast
        return 1 - _incomplete_beta(near, 1 - near, 0.5, freedom / 2)
    return _incomplete_beta(freedom / (freedom + t * t), near, freedom / 2, 0.5)


@lru_cache(maxsize=4096)
def student_quantile(freedom: float, level: float = 0.05) -> float:
    """Return the t whose two-sided p-value is the level, of 0.3 or less, by bisection of its logarithm."""
    low, high = 0.0, 300.0
    while high - low > 1e-13:
        middle = (low + high) / 2
        low, high = (middle, high) if two_sided_p(math.exp(middle), freedom) > level else (low, middle)
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
#: The share of samples in which failures of the greatest share that an interval allows for stay unseen (step 4).
UNSEEN = 0.05
#: The name of the method in reports and signatures, and what it is and assumes, in words.
METHOD = "jackknife-t-unseen"
METHOD_IN_WORDS = "jackknife, Student's t on the logit scale; lower end not above what unseen failures allow"
#: With fewer examples or documents there is no interval: it would depend more on assumptions than on the answers.
FEWEST_EXAMPLES, FEWEST_CLUSTERS = 10, 5
_Z = student_quantile(math.inf)


@dataclass(frozen=True, slots=True)
class Interval:
    """The ends of an interval in points, its nominal coverage in percent, the number of documents where known, and the
    name of its method.
    """

    low: float
    high: float
    level: float = LEVEL
    clusters: int | None = None
    method: str = METHOD


def interval(columns: Columns, clusters: Sequence[str] | None = None) -> Interval | None:
    """Return the interval of a task's score, or `None` where `too_few` gives a reason for having none.

    `clusters` are the names of the examples' documents; without them every example stands alone. Raises `EmptyInput`
    for no examples, and `ZeroScrollsError` for clusters that do not line up with them.
    """
    check_input(columns, clusters)
    if too_few(len(columns[0]), clusters):
        return None
    low, high = _ends(columns, clusters)
    return Interval(100 * low, 100 * high, clusters=count_clusters([clusters]))


def average_interval(
    parts: Sequence[tuple[float, Interval | None]], weights: Sequence[float] | None = None
) -> Interval | None:
    """Return the interval of an average of scores, each given with its interval (step 5); `None` if one has none.

    The `weights` of the parts add up to 1; by default all are equal. Raises `EmptyInput` for no parts.
    """
    if not parts:
        raise EmptyInput("tasks")
    found = [(score, ends) for score, ends in parts if ends]
    if len(found) < len(parts):
        return None
    if len(found) == 1:
        return found[0][1]
    shares = weights or [1 / len(found)] * len(found)
    average = math.fsum(share * score for share, (score, _) in zip(shares, found, strict=True))
    below = math.hypot(*(share * (score - ends.low) for share, (score, ends) in zip(shares, found, strict=True)))
    above = math.hypot(*(share * (ends.high - score) for share, (score, ends) in zip(shares, found, strict=True)))
    counts = [ends.clusters for _, ends in found if ends.clusters is not None]
    return Interval(max(average - below, 0.0), min(average + above, 100.0), clusters=sum(counts) if counts else None)


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


def unseen_share(units: float) -> float:
    """Return the share of answers, 0 to 1, in which failures could stay unseen among so many (step 4)."""
    return 1 - float(UNSEEN ** (1 / units))


def _ends(columns: Columns, clusters: Sequence[str] | None) -> tuple[float, float]:
    """Return the ends of the interval of a task's score, from 0 to 1 (steps 2 to 4)."""
    values, score = pseudo_values(columns, clusters), min(score_of(columns) / 100, 1.0)
    units, mean, size = len(values), fmean(values), effective_units(len(columns[0]), clusters)
    lowest = score * (1 - unseen_share(size))
    if score <= EQUAL / 100:
        return 0.0, unseen_share(size)
    error = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (units * (units - 1))) / 100
    if error <= EQUAL / 100 and all(max(column) - min(column) <= EQUAL for column in columns):
        return lowest, score
    binary = clusters is None and all(min(value, 100 - value) <= EQUAL for column in columns for value in column)
    if binary or error <= EQUAL / 100:  # documents without a difference, whose answers differ
        low, high = _wilson(score, units)
    else:
        middle, reach = math.log(score / (1 - score)), student_quantile(size - 1) * error / (score * (1 - score))
        low, high = _share(middle - reach), _share(middle + reach)
    return min(low, lowest), high


def _wilson(share: float, units: int) -> tuple[float, float]:
    square = _Z**2 / units
    reach = math.sqrt(square * share * (1 - share) + square**2 / 4)
    low, high = ((share + square / 2 + side * reach) / (1 + square) for side in (-1, 1))
    return max(low, 0.0), min(high, 1.0)


def _share(logit: float) -> float:
    smaller = math.exp(-abs(logit))
    return (1.0 if logit > 0 else smaller) / (1 + smaller)


def satterthwaite(variances: Sequence[float], freedoms: Sequence[float]) -> float:
    """Return the degrees of freedom of a sum of estimates of these variances; infinite if they are 0."""
    spread = math.fsum(variance**2 / freedom for variance, freedom in zip(variances, freedoms, strict=True))
    return math.fsum(variances) ** 2 / spread if spread > 0 else math.inf
