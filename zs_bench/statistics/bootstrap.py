"""How certain a score is: percentile intervals from the bootstrap.

In each resample as many units (examples, or clusters of examples that share a document) are drawn with replacement as
there are; the means of the columns and their geometric mean are computed again. So the interval belongs to ROUGE's
corpus score and not to a mean of example scores.

The seed alone decides the draws: units are brought into a fixed order first and tasks are taken by name, so that
neither the order of the examples nor that of the tasks changes a result.

Sources:

* percentile interval: Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 13;
* the score of the whole test set computed in each resample: Koehn (2004), Statistical Significance Tests for
  Machine Translation Evaluation, EMNLP;
* whole clusters drawn: Davison and Hinkley (1997), Bootstrap Methods and their Application, section 3.8; Field and
  Welsh (2007), Bootstrapping Clustered Data, Journal of the Royal Statistical Society B 69(3);
* the average over tasks, each resampled within itself: Davison and Hinkley (1997), section 3.2.

Known limits: with few units the interval is somewhat too narrow (of 20 examples, nominal 95 % intervals hold the true
score in about 91 of 100 cases), and where all units score the same it shrinks to a point, which proves nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zs_bench.statistics.columns import Points, geometric_means
from zs_metric.errors import EmptyInput, ZeroScrollsError

SEED = 12345
RESAMPLES = 1000
LEVEL = 95.0
# How many numbers are held at once, so that they fit into a processor's cache.
CHUNK = 100_000
#: A score of fewer examples has no interval: it would look far more certain than it is.
FEWEST_EXAMPLES = 10


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval around a score or a difference.

    Attributes:
        low, high: its ends, in points.
        level: its nominal coverage in percent.
        clusters: how many clusters were drawn from, over the tasks where they are known; `None` when every example
            stood alone.
    """

    low: float
    high: float
    level: float
    resamples: int
    seed: int
    clusters: int | None


def interval(columns: Points, clusters: Sequence[str] | None = None, **settings: Any) -> Interval | None:
    """The percentile interval of a task's score; `None` for fewer than `FEWEST_EXAMPLES` or for a single cluster.

    Args:
        columns: (examples, k) in points, from `zs_bench.statistics.columns.columns`.
        clusters: for each example the name of its cluster; without them every example stands alone.
        settings: `resamples`, `level` and `seed`, as for `benchmark_interval`.

    Raises:
        As `benchmark_interval`.

    >>> found = interval(np.array([[100.0], [0.0]] * 50))
    >>> found.low, found.high
    (41.0, 60.0)
    """
    return benchmark_interval({"": (columns, clusters)}, **settings)


def benchmark_interval(
    tasks: Mapping[str, tuple[Points, Sequence[str] | None]],
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> Interval | None:
    """The percentile interval of the plain mean over tasks, each resampled within itself.

    Args:
        tasks: name to columns and clusters (see `interval`).
        level: nominal coverage in percent.

    Returns:
        `None` when a task has fewer than `FEWEST_EXAMPLES` or a single cluster.

    Raises:
        EmptyInput: for no tasks, or a task without examples.
        ZeroScrollsError: for clusters that do not line up, and for settings out of range.
    """
    check_settings(level=level, resamples=resamples)
    if not tasks:
        raise EmptyInput("tasks")
    parts = [units(*tasks[name]) for name in sorted(tasks)]
    if min(map(len, parts)) < 2 or min(len(columns) for columns, _ in tasks.values()) < FEWEST_EXAMPLES:
        return None
    generator = np.random.default_rng(seed)
    scores = [geometric_means(resampled_means(in_order(part, part), resamples, generator)) for part in parts]
    drawn = how_many_clusters([clusters for _, clusters in tasks.values()])
    return Interval(*percentiles(np.mean(scores, axis=0), level), level, resamples, seed, drawn)


def units(columns: Points, clusters: Sequence[str] | None) -> Points:
    """The units of a task, (units, k + 1): an example, or all examples of a cluster, is a row.

    A row holds the sums of its examples' columns and last their number. A mean over drawn units is the ratio of two
    sums, so that a cluster counts by its size.

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


def in_order(rows: Points, sort_by: Points) -> Points:
    """The rows sorted by the columns of `sort_by`, which are compared to 9 places: sums are not exact beyond."""
    return rows[np.lexsort(np.round(sort_by, 9).T)]


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
    """Refuse a level outside 0 to 100 percent, and counts below 1.

    Raises:
        ZeroScrollsError: that names the setting.
    """
    if not 0 < level < 100:
        raise ZeroScrollsError(f"level is {level!r}; give a percentage between 0 and 100, such as 95")
    for name, count in counts.items():
        if count < 1:
            raise ZeroScrollsError(f"{name} is {count!r}; give a whole number of at least 1, such as {RESAMPLES}")
