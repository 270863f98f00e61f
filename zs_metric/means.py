"""The mean as `statistics.fmean` computes it; to import `statistics` takes a few per cent of a small `score`."""

from collections.abc import Iterable
from math import fsum


def fmean(values: Iterable[float]) -> float:
    """Return the mean of the values, of which there is at least one: their exact sum, rounded once, by their number.

    >>> fmean([0.1] * 10)
    0.1
    """
    numbers = [*values]
    return fsum(numbers) / len(numbers)
