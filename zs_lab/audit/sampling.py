"""A stratified random sample of the answers to one task: which are labelled, and what the labels say about all answers.

1. Strata by score f (share of the points, 0 to 1): 0; up to 1/2; above 1/2; 1. For two systems, by the pair of scores.
2. The sample size is divided over the strata in proportion to their size times the standard deviation of the verdicts
   to be expected there (Neyman allocation; StratPPI, arXiv 2406.04291), with at least `FEWEST` in each, or all.
3. Within a stratum the sample is systematic, over documents in random order: every answer has the same chance, and a
   document gives a second answer only if it has more than its share of the stratum's answers. Without documents it is a
   simple random sample.
4. The answers are put in random order, so that those labelled so far are a random sample of each stratum too.

For N answers with scores f (0 to 1, all known) and verdicts y (1 right, 0 wrong, known for a sample), as means over N:

    A = mean y              right answers
    F = mean f              the score
    L = mean 1 - f          lost points
    P = mean (1 - f) y      lost by right answers
    W = mean (1 - f)(1 - y) lost by wrong answers
    U = mean f (1 - y)      given to wrong answers

so that L = P + W and A = F + P - U. F and L are known. Within a stratum A is estimated by the mean verdict, P by the
share of the labelled answers' lost points that belongs to right ones, times all points lost in the stratum (a ratio
estimate). W and U follow from the identities, which therefore hold for the estimates and their draws, too.

Intervals are the 2.5 % and 97.5 % quantiles of 10,000 draws. A draw gives each labelled answer of a stratum a random
weight, Gamma(1), and also a quarter of an answer that is right and a quarter of one that is wrong, Gamma(1/4) each: the
weighted mean of k right of n is then a draw from Beta(1/4 + k, 1/4 + n - k), the same weights give P, and a stratum
without a wrong answer has an interval. The distance of a draw from the estimate is multiplied by sqrt(1 - n / N), the
finite-population correction, and by sqrt((n + 1) / (n - 1)), since such draws have the variance p (1 - p) / (n + 1) and
p (1 - p) / (n - 1) is unbiased. Two systems share the weights, so that their draws are paired; they have more strata,
so half as much is added in each: an eighth of a right and of a wrong answer of either system.

A model's verdicts g, known for all N, help as in PPI++ (arXiv 2311.01453): the estimate of A plus a weight times the
difference between the mean g of all answers and its estimate from the labelled ones; P alike, with (1 - f) g. The
weight is the slope of y on g within the strata that makes the variance of A smallest: in a single stratum Cov / Var,
which is the paper's lambda = Cov / (Var (1 + n / (N - n))) with the mean over all answers for that over the unlabelled.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zs_bench.errors import UnusableInput

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

FEWEST = 5  # the fewest answers drawn in a stratum that has as many
#: The strata of a score, as words, and the standard deviation of the verdicts expected in each. The sample is drawn as
#: for more at 100: people rarely disagree with it, and few labels would not show it.
STRATA = ("0", "up to 50", "above 50", "100")
_DEVIATIONS = (0.43, 0.49, 0.30, 0.10)
_PLANNED = (*_DEVIATIONS[:-1], 0.25)
_EQUAL = 1e-9  # scores this close are equal


def strata_of(scores: Floats) -> Integers:
    """Return the number of each example's stratum, from scores of shape (examples, systems)."""
    bins = (scores > _EQUAL).astype(np.int64) + (scores > 0.5) + (scores > 1 - _EQUAL)
    numbers: Integers = bins @ len(STRATA) ** np.arange(scores.shape[1])
    return numbers


def stratum_name(number: int, systems: int = 1) -> str:
    """Return the name of a stratum: the scores, in points, of the systems in it.

    >>> stratum_name(1), stratum_name(7, 2)
    ('up to 50', '100 and up to 50')
    """
    return " and ".join(STRATA[digit] for digit in _digits(number, systems))


def _deviations(numbers: Integers, systems: int, each: Sequence[float] = _DEVIATIONS) -> list[float]:
    """The expected standard deviation of a verdict in each stratum, or of the difference of two."""
    return [math.hypot(*(each[digit] for digit in _digits(int(number), systems))) for number in numbers]


def _digits(number: int, systems: int) -> list[int]:
    """The stratum of each system's score, from the number of their pair."""
    return [number // len(STRATA) ** system % len(STRATA) for system in range(systems)]


def allocate(sizes: Sequence[int], deviations: Sequence[float], total: int) -> list[int]:
    """Return how many of `total` answers to draw in each stratum, from its size and the deviation of its verdicts.

    Raises `UnusableInput` if the sample is too small for `FEWEST` in each stratum.

    >>> allocate([200, 150, 50, 100], [0.43, 0.49, 0.30, 0.25], 100)
    [43, 37, 8, 12]
    """
    least = [min(FEWEST, size) for size in sizes]
    if total < sum(least):
        raise UnusableInput(f"a sample of {total} is too small for {len(sizes)} strata; draw at least {sum(least)}")
    total = min(total, sum(sizes))
    weights = [size * deviation for size, deviation in zip(sizes, deviations, strict=True)]
    counts = list(least)
    while sum(counts) < total:  # the next answer goes where the share still lacks most
        open_strata = [h for h, size in enumerate(sizes) if counts[h] < size]
        counts[max(open_strata, key=lambda h: (weights[h] / (counts[h] + 0.5), -h))] += 1
    return counts


def draw(strata: Integers, systems: int, documents: Sequence[str] | None, size: int, seed: int) -> list[int]:
    """Return the positions of the examples to label, in the order in which they are labelled; raises as `allocate`.

    `strata` are those of the examples, from `strata_of`, `documents` the names of their documents, or `None` where it
    is not known which examples share one; each example has an answer of each of the `systems`.
    """
    random = np.random.default_rng(seed)
    numbers, sizes = np.unique(strata, return_counts=True)
    counts = allocate(sizes.tolist(), _deviations(numbers, systems, _PLANNED), size)
    drawn: list[int] = []
    for number, count in zip(numbers, counts, strict=True):
        members = random.permutation(np.flatnonzero(strata == number))
        if documents is not None:
            names = [documents[place] for place in members]
            order = {name: rank for rank, name in enumerate(dict.fromkeys(random.permutation(names)))}
            members = members[np.argsort([order[name] for name in names], kind="stable")]
        steps = (np.arange(count) + random.random()) * len(members) / count
        drawn += members[steps.astype(np.int64)].tolist()
    return [int(place) for place in random.permutation(drawn)]


def expected_widths(strata: Integers, systems: int, order: Sequence[int]) -> list[float]:
    """Return the half-width of the interval to be expected after each label, in points; it needs no verdict.

    It is of the share of right answers, or for two systems of its difference. A stratum without a label counts as if it
    had half of one.
    """
    numbers, sizes = np.unique(strata, return_counts=True)
    deviations = np.array(_deviations(numbers, systems))
    counts, widths = np.zeros(len(numbers)), []
    for place in order:
        counts[np.searchsorted(numbers, strata[place])] += 1
        variances = deviations**2 / np.maximum(counts, 0.5) * (1 - counts / sizes)
        widths.append(round(196 * float(np.sqrt(np.sum((sizes / len(strata)) ** 2 * variances))), 1))
    return widths


DRAWS = 10_000


@dataclass(frozen=True, slots=True)
class Sample:
    """Labels beside the scores of all answers."""

    scores: Floats  # shape (N, systems), 0 to 1
    places: Integers  # of the labelled examples
    verdicts: Floats  # shape (labelled, systems): 1 right, 0 wrong, NaN cannot tell
    judged: Floats | None = None  # a model's verdicts on all N answers of one system, 0 to 1

    def strata(self) -> Iterator[tuple[int, Integers, Integers]]:
        """Yield each stratum: its number, its examples, and which of the `places` are in it."""
        numbers = strata_of(self.scores)
        for number in np.unique(numbers):
            yield int(number), np.flatnonzero(numbers == number), np.flatnonzero(numbers[self.places] == number)


class Quantity(NamedTuple):
    """An estimate, 0 to 1, with its interval of 95 %.

    Where a person could not tell, `least` and `most` are the bounds from taking all such answers of a system to be
    wrong or right, and the interval covers those of all bounds; otherwise they are equal.
    """

    least: float
    most: float
    low: float
    high: float


def estimate(sample: Sample, *, seed: int = 0) -> dict[str, list[Quantity]]:
    """Return A, F, L, P, W and U of each system, and of two systems also the difference, first minus second.

    Raises `UnusableInput` for a stratum without labels.
    """
    unclear, systems = np.isnan(sample.verdicts), sample.scores.shape[1]
    taken = product((0.0, 1.0), repeat=systems) if unclear.any() else [(0.0,)]
    bounds = [
        _estimates(replace(sample, verdicts=np.where(unclear, values, sample.verdicts)), seed) for values in taken
    ]
    rows: dict[str, list[Quantity]] = {}
    for name in bounds[0]:
        values, draws = np.split(np.stack([bound[name] for bound in bounds]), [1], axis=1)
        low, high = np.quantile(draws, (0.025, 0.975), axis=1)
        low[:, :systems] = low[:, :systems].clip(0)
        least, most = values[:, 0].min(0), values[:, 0].max(0)
        ends = (least, most, np.minimum(low.min(0), least), np.maximum(high.max(0), most))
        # Rounded so that equal systems differ by 0, and not by the last bit of a sum.
        rows[name] = [Quantity(*row) for row in (np.round(ends, 14) + 0.0).T.tolist()]
    return rows


def _estimates(sample: Sample, seed: int) -> dict[str, Floats]:
    """Return each quantity, shape (1 + `DRAWS`, systems): the estimate, then its draws; a difference is a column."""
    random, (total, systems) = np.random.default_rng(seed), sample.scores.shape
    slope = judge_help(sample).slope
    # The answers added in each stratum: every combination of right and wrong, together half an answer or a quarter.
    added = np.array(list(product((1.0, 0.0), repeat=systems)))
    added_weight = 0.5**systems / len(added)
    sums = np.zeros((2, 1 + DRAWS, systems))  # of A and P
    for stratum, members, chosen in sample.strata():
        size, labelled = len(members), len(chosen)
        if not labelled:
            which = stratum_name(stratum, systems)
            raise UnusableInput(f"no answer with a score of {which} has a label yet; label the rest of the sample")
        lost, lost_labelled = 1 - sample.scores[members], 1 - sample.scores[sample.places[chosen]]
        drawn_weights = random.standard_exponential((DRAWS, labelled))
        weights = np.zeros((1 + DRAWS, labelled + len(added)))
        weights[0, :labelled] = 1
        weights[1:] = np.hstack([drawn_weights, random.standard_gamma(added_weight, (DRAWS, len(added)))])
        lost_drawn = np.vstack([lost_labelled, np.tile(lost.mean(axis=0), (len(added), 1))])
        values = _means(weights, np.vstack([sample.verdicts[chosen], added]), lost_drawn, lost)
        if sample.judged is not None:
            judged = sample.judged[members, None]
            of_all = np.array([judged.mean(), (lost * judged).mean()])[:, None, None]
            labels = np.vstack([sample.judged[sample.places[chosen], None], np.full((len(added), 1), judged.mean())])
            values += slope * (of_all - _means(weights, labels, lost_drawn, lost))
        highest = np.array([np.ones(systems), lost.mean(axis=0)])[:, None]
        value = values[:, :1].clip(0, highest)
        spread = math.sqrt((1 - labelled / size) * (labelled + 1) / max(1, labelled - 1))
        values = (value + spread * (values - value)).clip(0, highest)
        values[:, :1] = value
        sums += size / total * values
    right, lost_by_right = sums
    score = sample.scores.mean(axis=0) + 0 * right
    quantities = {"A": right, "F": score, "L": 1 - score, "P": lost_by_right}
    quantities |= {"W": 1 - score - lost_by_right, "U": score + lost_by_right - right}
    return {name: np.hstack([columns, -np.diff(columns)]) for name, columns in quantities.items()}


def _means(weights: Floats, verdicts: Floats, lost: Floats, all_lost: Floats) -> Floats:
    """Return A and P in a stratum, shape (2, draws, systems), from weights of shape (draws, answers)."""
    right = weights @ verdicts / weights.sum(axis=1, keepdims=True)
    below = weights @ lost
    share = np.divide(weights @ (lost * verdicts), below, out=np.zeros_like(below), where=below > 0)
    return np.stack([right, share * all_lost.mean(axis=0)])


class JudgeHelp(NamedTuple):
    """How far a model's verdicts correlate with the people's, within the strata.

    They are multiplied with `slope`, 0 if they are not used: below the `needed` correlation, 1 / sqrt(n - 2) for n
    labels (arXiv 2505.20178).
    """

    slope: float
    correlation: float
    needed: float


def judge_help(sample: Sample) -> JudgeHelp:
    """Return whether and how a model's verdicts are used; "cannot tell" counts as wrong."""
    verdicts, judged = np.nan_to_num(sample.verdicts[:, 0]), sample.judged
    if judged is None:
        return JudgeHelp(0.0, 0.0, 1.0)
    both = variance_verdicts = variance_judged = variance_labelled = 0.0
    for _, members, chosen in sample.strata():
        size, labelled = len(members), len(chosen)
        if labelled > 1:
            share = size**2 / labelled * (1 - labelled / size)
            covariances = np.cov(verdicts[chosen], judged[sample.places[chosen]], bias=True)
            both += share * covariances[0, 1]
            variance_verdicts += share * covariances[0, 0]
            variance_labelled += share * covariances[1, 1]
            variance_judged += share * float(np.var(judged[members], ddof=1))
    scale = math.sqrt(variance_verdicts * variance_labelled)
    correlation, needed = (both / scale if scale else 0.0), 1 / math.sqrt(max(1, len(verdicts) - 2))
    return JudgeHelp(float(both / variance_judged) if correlation > needed else 0.0, float(correlation), needed)


class Agreement(NamedTuple):
    """How far annotators agree on the answers that several of them labelled.

    `raw` is the share of equal labels, over pairs of annotators; `alpha` is Krippendorff's for nominal labels, `None`
    if all labels are equal; `ac1` is Gwet's.
    """

    answers: int
    raw: float
    alpha: float | None
    ac1: float


def agreement(labels: Sequence[Sequence[str]]) -> Agreement | None:
    """Return the agreement on answers with these labels; `None` if none has two.

    >>> first, second = "0100000010", "1110010000"  # Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011
    >>> result = agreement(list(zip(first, second)))
    >>> result.answers, result.raw, round(result.alpha, 3), round(result.ac1, 3)
    (10, 0.6, 0.095, 0.31)
    """
    answers = [answer for answer in labels if len(answer) > 1]
    if not answers:
        return None
    kinds = sorted({label for answer in answers for label in answer})
    counts = np.array([[list(answer).count(kind) for kind in kinds] for answer in answers], dtype=float)
    raters = counts.sum(axis=1)
    equal = (counts * (counts - 1)).sum(axis=1) / (raters - 1)  # a label's pairs with an equal one, over the others
    raw = float((equal / raters).mean())
    totals = counts.sum(axis=0)
    by_chance = (totals * (totals.sum() - totals)).sum() / (totals.sum() - 1)
    alpha = None if len(kinds) == 1 else float(1 - (raters - equal).sum() / by_chance)
    shares = (counts / raters[:, None]).mean(axis=0)
    chance = float((shares * (1 - shares)).sum()) / max(1, len(kinds) - 1)
    return Agreement(len(answers), raw, alpha, (raw - chance) / (1 - chance))
