"""The randomisation test: whether the difference of two systems could be chance.

If the systems were alike, their answers to a unit could be swapped. The scores are computed anew from the swapped
answers: Noreen (1989), Computer-Intensive Methods for Testing Hypotheses; Riezler and Maxwell (2005), On Some Pitfalls
in Automatic Evaluation and Significance Testing for MT. When there are no more than `rounds` swaps, all are tried;
otherwise p = (r + 1) / (rounds + 1), where r of the drawn ones differ at least as much: Phipson and Smyth (2010),
Permutation P-values Should Never Be Zero, Statistical Applications in Genetics and Molecular Biology 9(1).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from zs_bench.statistics.bootstrap import chunks
from zs_bench.statistics.columns import EQUAL, Points, differences


class Randomisation(NamedTuple):
    """A p-value, how many swaps it rests on, and whether these are all there are."""

    p_value: float
    rounds: int
    exact: bool


def randomise(tasks: Sequence[Points], rounds: int, generator: np.random.Generator) -> Randomisation:
    """The two-sided p-value of the mean difference over tasks, each given as its paired units."""
    parts = [_swappable(rows) for rows in tasks]
    width = sum(len(part.kept) for part in parts)
    exact = 2**width <= rounds
    count = 2**width if exact else rounds
    observed = abs(_mean_differences(parts, np.zeros((1, width)))[0])
    extreme = 0
    for part in chunks(count, width):
        if exact:
            swaps = (np.array(part)[:, None] >> np.arange(width) & 1).astype(float)
        else:
            swaps = generator.integers(2, size=(len(part), width), dtype=bool).astype(float)
        extreme += int((np.abs(_mean_differences(parts, swaps)) >= observed - EQUAL).sum())
    return Randomisation(extreme / count if exact else (extreme + 1) / (count + 1), count, exact)


class _Swappable(NamedTuple):
    """A task's units in which a swap changes something, as they are and swapped; the sums over the others; the size."""

    kept: Points
    swapped: Points
    others: Points
    examples: float


def _swappable(rows: Points) -> _Swappable:
    first, second = np.split(rows[:, :-1], 2, axis=1)
    differ = (np.abs(first - second) > EQUAL).any(axis=1)
    kept, swapped = np.hstack([first, second]), np.hstack([second, first])
    return _Swappable(kept[differ], swapped[differ], kept[~differ].sum(axis=0), float(rows[:, -1].sum()))


def _mean_differences(parts: Sequence[_Swappable], swaps: Points) -> Points:
    """The mean over tasks of the differences under each row of swaps (1 swaps a unit, 0 does not).

    Scores are summed, never differences: a mean that is 0 stays 0, and so does its cube root.
    """
    ends = np.cumsum([len(part.kept) for part in parts])
    found = []
    for part, own in zip(parts, np.split(swaps, ends[:-1], axis=1), strict=True):
        sums = part.others + own @ part.swapped + (1 - own) @ part.kept
        found.append(differences(sums / part.examples))
    mean: Points = np.mean(found, axis=0)
    return mean
