"""Paired units of two systems: the difference of their scores, its randomisation test and its standard error.

A task of two systems is an array of units (`resampling.py`) whose columns are those of the first system, those
of the second, and the number of examples.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from zs_bench.statistics.columns import Points, geometric_means
from zs_bench.statistics.resampling import chunks, in_order, units
from zs_metric.errors import ZeroScrollsError

# Values nearer than this, in points, are equal: what rounding leaves.
EQUAL = 1e-9


def paired_units(a: Points, b: Points, clusters: Sequence[str] | None) -> Points:
    """The units of two systems on the same examples, in an order that is the same whichever system comes first.

    Raises:
        EmptyInput, ZeroScrollsError: for no examples, columns or clusters that do not line up.
    """
    if a.shape != b.shape:
        raise ZeroScrollsError(
            f"columns of shape {a.shape} and {b.shape} do not line up; give both systems' scores of the same examples"
        )
    rows = units(np.column_stack([a, b]), clusters)
    first, second = np.split(rows[:, :-1], 2, axis=1)
    side = np.sign(round(float(differences((first.sum(axis=0), second.sum(axis=0)))), 9))
    return in_order(rows, np.column_stack([rows[:, -1], first + second, side * (first - second)]))


def differences(sides: tuple[Points, Points]) -> Points:
    """The difference of two scores, first minus second, from the means of their columns."""
    return geometric_means(sides[0]) - geometric_means(sides[1])


def halves(means: Points) -> tuple[Points, Points]:
    """The columns of the first system, and those of the second."""
    k = means.shape[-1] // 2
    return means[..., :k], means[..., k:]


@dataclass(frozen=True, slots=True)
class Randomisation:
    """A p-value, how many swaps it rests on, and whether these are all there are."""

    p_value: float
    rounds: int
    exact: bool


def randomise(tasks: Sequence[Points], rounds: int, generator: np.random.Generator) -> Randomisation:
    """The two-sided p-value of the mean difference over tasks: paired randomisation.

    If the systems were alike, their answers to a unit could as well be swapped. The scores are computed anew from the
    swapped answers: Noreen (1989), Computer-Intensive Methods for Testing Hypotheses; Riezler and Maxwell (2005), On
    Some Pitfalls in Automatic Evaluation and Significance Testing for MT. When there are no more than `rounds` swaps,
    all are gone through; otherwise p = (r + 1) / (rounds + 1), where r of the drawn ones differ at least as much:
    Phipson and Smyth (2010), Permutation P-values Should Never Be Zero, Statistical Applications in Genetics and
    Molecular Biology 9(1).
    """
    parts = [_Swappable.of(rows) for rows in tasks]
    width = sum(len(part.kept) for part in parts)
    exact = 2**width <= rounds
    count = 2**width if exact else rounds
    observed = abs(_mean_differences(parts, np.zeros((1, width)))[0])
    extreme = 0
    for swaps in _all_swaps(width) if exact else _drawn_swaps(width, rounds, generator):
        extreme += int((np.abs(_mean_differences(parts, swaps)) >= observed - EQUAL).sum())
    return Randomisation(extreme / count if exact else (extreme + 1) / (count + 1), count, exact)


def standard_error(tasks: Sequence[Points]) -> float:
    """The standard error of the mean difference over tasks, in points: the jackknife over units.

    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 11. Every task needs two units.
    """
    return math.sqrt(math.fsum(_jackknife_variance(rows) for rows in tasks)) / len(tasks)


def _jackknife_variance(rows: Points) -> float:
    left = np.maximum(rows.sum(axis=0) - rows, 0)
    values = differences(halves(left[:, :-1] / left[:, -1:]))
    return float((len(rows) - 1) * np.var(values))


@dataclass(frozen=True, slots=True)
class _Swappable:
    """A task's units in which a swap changes something, as they are and swapped, and the sums over the others.

    Sums of what is chosen, never of differences: a mean that is 0 stays 0, and so does its cube root.
    """

    kept: Points
    swapped: Points
    others: Points
    examples: float

    @classmethod
    def of(cls, rows: Points) -> _Swappable:
        first, second = halves(rows[:, :-1])
        differ = (np.abs(first - second) > EQUAL).any(axis=1)
        kept, swapped = np.hstack([first, second]), np.hstack([second, first])
        return cls(kept[differ], swapped[differ], kept[~differ].sum(axis=0), float(rows[:, -1].sum()))

    def differences(self, swaps: Points) -> Points:
        """The difference of the scores under each row of swaps (1 swaps a unit, 0 does not)."""
        sums = self.others + swaps @ self.swapped + (1 - swaps) @ self.kept
        return differences(halves(sums / self.examples))


def _mean_differences(parts: Sequence[_Swappable], swaps: Points) -> Points:
    ends = np.cumsum([len(part.kept) for part in parts])
    columns = np.split(swaps, ends[:-1], axis=1)
    mean: Points = np.mean([part.differences(own) for part, own in zip(parts, columns, strict=True)], axis=0)
    return mean


def _all_swaps(width: int) -> Iterator[Points]:
    for part in chunks(2**width, width):
        yield (np.array(part)[:, None] >> np.arange(width) & 1).astype(float)


def _drawn_swaps(width: int, rounds: int, generator: np.random.Generator) -> Iterator[Points]:
    for part in chunks(rounds, width):
        yield generator.integers(2, size=(len(part), width), dtype=bool).astype(float)
