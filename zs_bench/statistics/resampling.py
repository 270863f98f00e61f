"""Drawing examples, or clusters of examples, again and again: what the intervals and the duel share.

What is drawn is a *unit*: an example, or all examples of one cluster. A unit is a row: the sums of its examples'
columns, and last the number of its examples. A mean over drawn units is the ratio of two sums, so that a cluster
counts by its size.

The seed alone decides the draws: units are brought into a fixed order first and tasks are taken by name, so that
neither the order of the examples nor that of the tasks changes a result.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zs_bench.statistics.columns import Points
from zs_metric.errors import EmptyInput, ZeroScrollsError

SEED = 12345
RESAMPLES = 1000
LEVEL = 95.0
# How many numbers are held at once: what a processor's cache holds.
CHUNK = 100_000


def units(columns: Points, clusters: Sequence[str] | None) -> Points:
    """The units of a task, (units, k + 1): the sums of the columns, and the number of examples.

    Raises:
        EmptyInput, ZeroScrollsError: for no examples, and for clusters that do not line up with them.

    >>> units(np.array([[100.0], [0.0], [50.0]]), ["x", "y", "x"]).tolist()
    [[150.0, 2.0], [0.0, 1.0]]
    """
    if not len(columns):
        raise EmptyInput("examples")
    rows = np.column_stack([columns, np.ones(len(columns))])
    if clusters is None:
        return rows
    if len(clusters) != len(columns):
        raise ZeroScrollsError(
            f"{len(clusters)} clusters and {len(columns)} examples do not line up; give one for each"
        )
    number = {name: i for i, name in enumerate(dict.fromkeys(clusters))}
    numbers = [number[name] for name in clusters]
    return np.column_stack([np.bincount(numbers, column) for column in rows.T])


def in_order(rows: Points, keys: Points) -> Points:
    """The rows sorted by their keys, which are compared to 9 places: sums are not exact beyond."""
    return rows[np.lexsort(np.round(keys, 9).T)]


def resampled_means(rows: Points, resamples: int, generator: np.random.Generator) -> Points:
    """The means of the columns in each resample of the units, (resamples, k)."""
    count, totals = len(rows), np.empty((resamples, rows.shape[1]))
    for part in chunks(resamples, count):
        drawn = generator.integers(count, size=(len(part), count)) + count * np.arange(len(part))[:, None]
        times = np.bincount(drawn.ravel(), minlength=len(part) * count).reshape(len(part), count)
        totals[part.start : part.stop] = times @ rows
    return totals[:, :-1] / totals[:, -1:]


def chunks(rows: int, width: int) -> list[range]:
    """The rows in parts, each of about `CHUNK` numbers when a row has `width` of them."""
    step = max(1, CHUNK // max(1, width))
    return [range(start, min(start + step, rows)) for start in range(0, rows, step)]


def percentiles(values: Points, level: float) -> tuple[float, float]:
    """The two ends between which `level` percent of the values lie, as many beyond the one as beyond the other."""
    low, high = np.percentile(values, [(100 - level) / 2, (100 + level) / 2])
    return float(low), float(high)


def how_many_clusters(clusters: Sequence[Sequence[str] | None]) -> int | None:
    """How many units are drawn from, given the clusters of each task; `None` when no task has any.

    >>> how_many_clusters([["x", "x", "y"]]), how_many_clusters([None])
    (2, None)
    """
    known = [len(set(names)) for names in clusters if names is not None]
    return sum(known) if known else None


def check_settings(*, level: float, **counts: int) -> None:
    """Refuse a level that is no percentage between 0 and 100, and counts below 1.

    Raises:
        ZeroScrollsError: that names the setting.
    """
    if not 0 < level < 100:
        raise ZeroScrollsError(f"level is {level!r}; give a percentage between 0 and 100, such as 95")
    for name, count in counts.items():
        if count < 1:
            raise ZeroScrollsError(f"{name} is {count!r}; give a whole number of at least 1, such as {RESAMPLES}")
