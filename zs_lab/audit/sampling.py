"""Which answers are labelled: a stratified random sample of the answers to one task.

1. Strata by score f (share of the points, 0 to 1): 0; up to 1/2; above 1/2; 1. For two systems, by the pair of scores.
2. The sample size is divided over the strata in proportion to their size times the standard deviation of the verdicts
   to be expected there (Neyman allocation; StratPPI, arXiv 2406.04291), with at least `FEWEST` in each, or all.
3. Within a stratum the sample is systematic, over documents in random order: every answer has the same chance, and a
   document gives a second answer only if it has more than its share of the stratum's answers. Without documents it is a
   simple random sample.
4. The answers are put in random order, so that those labelled so far are a random sample of each stratum too.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from zs_bench.errors import UnusableInput

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

#: The fewest answers drawn in a stratum that has as many.
FEWEST = 5
#: The strata of a score, as words, and the standard deviation of the verdicts expected in each. The sample is drawn as
#: for more at 100: people rarely disagree with it, and few labels would not show it.
STRATA = ("0", "up to 50", "above 50", "100")
_DEVIATIONS = (0.43, 0.49, 0.30, 0.10)
_PLANNED = (*_DEVIATIONS[:-1], 0.25)
# Scores this close are equal.
_EQUAL = 1e-9


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

    Raises:
        UnusableInput: if the sample is too small for `FEWEST` in each stratum.

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
    """Return the positions of the examples to label, in the order in which they are labelled.

    Args:
        strata: of each example, from `strata_of`.
        systems: how many answers each example has.
        documents: the name of each example's document; `None` where it is not known which examples share one.

    Raises:
        UnusableInput: if the sample is too small for the strata.
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
