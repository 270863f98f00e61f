"""The statistics of `zs_bench.statistics` for many samples at once, with numpy: for `benchmarks/calibration.py`.

Samples are arrays of points: samples, examples, columns. The ends and verdicts of some samples of each call are
compared with those of the package, and another one ends the program, so what is measured is what the package does.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zs_bench.statistics import intervals
from zs_bench.statistics.intervals import EQUAL, Columns, student_quantile, unseen_share
from zs_bench.statistics.paired_comparison import FEWEST_SCORING, Pair, compare_on_benchmark

Points = npt.NDArray[np.float64]
#: The samples of a call that the package computes as well.
CHECKED = (0, 1, -1)


class Ends(NamedTuple):
    """The score of each sample and the ends of its interval, in points."""

    score: Points
    low: Points
    high: Points


class Compared(NamedTuple):
    """Of each pair of samples the difference, new minus old, whether it is clear, and what a gate asks for."""

    difference: Points
    clear: npt.NDArray[np.bool_]
    low: Points
    unseen: Points
    scoring: npt.NDArray[np.int_]
    detectable: Points

    @property
    def better(self) -> npt.NDArray[np.bool_]:
        return self.clear & (self.difference > 0)

    @property
    def worse(self) -> npt.NDArray[np.bool_]:
        return self.clear & (self.difference < 0)

    def passes(self, margin: float) -> npt.NDArray[np.bool_]:
        enough = self.scoring >= FEWEST_SCORING
        return (self.low > -margin) & enough & (self.unseen <= margin + self.difference)


def as_columns(rows: Points) -> Columns:
    """Return the columns of one sample."""
    columns: list[list[float]] = rows.T.tolist()
    return columns


def names_of(sizes: Sequence[int]) -> list[str] | None:
    """Return the document of each answer; `None` if each has its own."""
    return [str(i) for i, size in enumerate(sizes) for _ in range(size)] if max(sizes) > 1 else None


def geometric_mean(values: Points) -> Points:
    """Return the geometric mean over the last axis, of points."""
    mean: Points = 100 * np.prod(values / 100, axis=-1) ** (1 / values.shape[-1])
    return mean


def pseudo_values(samples: Points, sizes: Sequence[int]) -> Points:
    """Return the jackknife's value of each document of each sample."""
    starts, counts = np.cumsum([0, *sizes[:-1]]), np.array(sizes)
    sums = np.add.reduceat(samples, starts, axis=1) if max(sizes) > 1 else samples
    totals, examples, units = samples.sum(axis=1), samples.shape[1], len(sizes)
    left = np.maximum(totals[:, None] - sums, 0.0) / (examples - counts)[None, :, None]
    return units * geometric_mean(totals / examples)[:, None] - (units - 1) * geometric_mean(left)


def interval_ends(samples: Points, sizes: Sequence[int]) -> Ends:
    """Return the intervals of samples whose documents have so many answers each."""
    values, units = pseudo_values(samples, sizes), len(sizes)
    size = samples.shape[1] ** 2 / sum(each**2 for each in sizes)
    score = np.minimum(geometric_mean(samples.mean(axis=1)) / 100, 1.0)
    error = values.std(axis=1, ddof=1) / math.sqrt(units) / 100
    lowest, top = score * (1 - unseen_share(size)), unseen_share(size)
    steady = error <= EQUAL / 100
    equal = steady & (np.ptp(samples, axis=1).max(axis=1) <= EQUAL)
    binary = (np.minimum(samples, 100 - samples).max(axis=(1, 2)) <= EQUAL) & (max(sizes) == 1)
    square = student_quantile(math.inf) ** 2 / units
    reach = np.sqrt(square * score * (1 - score) + square**2 / 4)
    wilson = [(score + square / 2 + side * reach) / (1 + square) for side in (-1, 1)]
    with np.errstate(all="ignore"):
        middle, away = np.log(score / (1 - score)), student_quantile(size - 1) * error / (score * (1 - score))
        logit = [1 / (1 + np.exp(-(middle + side * away))) for side in (-1, 1)]
    low, high = (np.where(binary | steady, *ends) for ends in zip(wilson, logit, strict=True))
    low, high = np.minimum(np.where(equal, lowest, low), lowest), np.where(equal, score, high)
    nothing = score <= EQUAL / 100
    found = Ends(100 * score, 100 * np.where(nothing, 0.0, low), 100 * np.where(nothing, top, high))
    for place in CHECKED:
        ends = intervals.interval(as_columns(samples[place]), names_of(sizes))
        if ends is None or not np.allclose((ends.low, ends.high), (found.low[place], found.high[place]), atol=1e-6):
            raise SystemExit(f"the interval of {samples[place].tolist()} is {ends}, not {found.low[place]}, ...")
    return found


def compared(old: Points, new: Points) -> Compared:
    """Return the comparisons of pairs of samples, in which every example stands alone."""
    count, ones = old.shape[1], [1] * old.shape[1]
    one, two = (side[:, :, 0] if side.shape[2] == 1 else pseudo_values(side, ones) for side in (old, new))
    changes = two - one
    with np.errstate(all="ignore"):
        size = np.nan_to_num((changes**2).sum(axis=1) / np.abs(changes).sum(axis=1))
    own = ((changes - changes.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    error, quantile = np.sqrt((own + 2 * size**2) / (count * (count + 1))), student_quantile(count + 1)
    score, new_score = (geometric_mean(side.mean(axis=1)) for side in (old, new))
    points, difference = geometric_mean(old), new_score - score
    with np.errstate(all="ignore"):
        carriers = points.sum(axis=1) ** 2 / (points**2).sum(axis=1)
        unseen = np.nan_to_num(score * (1 - 0.05 ** (1 / carriers)))
    clear = (np.abs(difference) > quantile * error) & (error > EQUAL)
    scoring = (points > EQUAL).sum(axis=1)
    detectable = np.where(error > EQUAL, (quantile + 0.8416212335729143) * error, np.nan)
    found = Compared(difference, clear, difference - quantile * error, unseen, scoring, detectable)
    for place in CHECKED:
        result = compare_on_benchmark({"": Pair(as_columns(old[place]), as_columns(new[place]))})
        verdict = "better" if found.better[place] else "worse" if found.worse[place] else "undecided"
        same = result.verdict() == verdict and result.unseen.scoring == scoring[place]
        if not same or not np.isclose(result.unseen.points, unseen[place], atol=1e-6):
            raise SystemExit(f"{result} is not {verdict} with {unseen[place]} points unseen")
        for margin in (result.unseen.points - result.difference + step for step in (-0.01, 0.01)):
            if result.passes(margin) != found.passes(margin)[place]:
                raise SystemExit(f"{result} at the margin {margin}")
    return found
