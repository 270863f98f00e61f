"""Numbers of many examples, such as their lengths, told in few: mean, median and percentiles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

_TOLD = (5, 25, 50, 75, 95)


@dataclass(frozen=True, slots=True)
class Distribution:
    """At least one number, all of one unit.

    Attributes:
        values: ascending.
    """

    values: tuple[float, ...]

    @classmethod
    def of(cls, values: Iterable[float]) -> Distribution | None:
        """The distribution of the values; `None` when there are none.

        >>> Distribution.of([4, 1, 3]).median
        3.0
        """
        ordered = tuple(sorted(values))
        return cls(ordered) if ordered else None

    @property
    def mean(self) -> float:
        """The plain mean."""
        return fmean(self.values)

    @property
    def median(self) -> float:
        """The 50th percentile."""
        return self.percentile(50)

    def percentile(self, share: float) -> float:
        """The value below which `share` percent of the values lie, 0 to 100, linear between two of them.

        Hyndman and Fan (1996), definition 7, as numpy's default: 0 is the smallest and 100 the largest.

        >>> Distribution((10, 20, 40)).percentile(75)
        30.0
        """
        at = (len(self.values) - 1) * share / 100
        below = int(at)
        above = min(below + 1, len(self.values) - 1)
        return float(self.values[below] + (self.values[above] - self.values[below]) * (at - below))

    def as_json(self) -> dict[str, float]:
        """Count, mean, smallest, the 5th, 25th, 50th (as median), 75th and 95th percentile, largest."""
        told = {"median" if share == 50 else f"p{share}": self.percentile(share) for share in _TOLD}
        return {"count": len(self.values), "mean": self.mean, "min": self.values[0], **told, "max": self.values[-1]}
