"""How sure is a score: percentile intervals from the bootstrap.

In each resample as many units (examples, or clusters of examples that share a document) as there are are drawn with
replacement; the means of the columns are taken anew, then their geometric mean. So the interval belongs to ROUGE's
corpus score and not to some mean of example scores.

Sources:

* percentile interval: Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 13;
* the score of the whole test set computed anew in each resample: Koehn (2004), Statistical Significance Tests for
  Machine Translation Evaluation, EMNLP;
* whole clusters drawn: Davison and Hinkley (1997), Bootstrap Methods and their Application, section 3.8; Field and
  Welsh (2007), Bootstrapping Clustered Data, Journal of the Royal Statistical Society B 69(3);
* the average over tasks, each resampled within itself: Davison and Hinkley (1997), section 3.2.

Known limits of the method: with few units the interval is somewhat too narrow (of 20 examples, nominal 95 % intervals
hold the true score in about 91 of 100 cases), and where all units score the same it shrinks to a point, which is no
proof of certainty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from zs_bench.statistics.columns import Points, geometric_means
from zs_bench.statistics.resampling import (
    LEVEL,
    RESAMPLES,
    SEED,
    check_settings,
    how_many_clusters,
    in_order,
    percentiles,
    resampled_means,
    units,
)
from zs_metric.errors import EmptyInput


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval around a score or a difference.

    Attributes:
        low, high: its ends, in points.
        level: its nominal coverage in percent.
        resamples, seed: how it was drawn.
        clusters: how many clusters were drawn from, over the tasks where they are known; `None` when every example
            stood alone.
    """

    low: float
    high: float
    level: float
    resamples: int
    seed: int
    clusters: int | None


def interval(
    columns: Points,
    clusters: Sequence[str] | None = None,
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> Interval | None:
    """The percentile interval of a task's score; `None` for a single unit, from which nothing can be said.

    Args:
        columns: (examples, k) in points, from `zs_bench.statistics.columns.columns`.
        clusters: for each example the name of its cluster; without them every example stands alone.
        resamples: how many.
        level: nominal coverage in percent.
        seed: of the draws.

    Raises:
        EmptyInput, ZeroScrollsError: for no examples, clusters that do not line up, settings out of range.

    >>> found = interval(np.array([[100.0], [0.0]] * 50))
    >>> found.low, found.high
    (41.0, 60.0)
    """
    return benchmark_interval({"": (columns, clusters)}, resamples=resamples, level=level, seed=seed)


def benchmark_interval(
    tasks: Mapping[str, tuple[Points, Sequence[str] | None]],
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> Interval | None:
    """The percentile interval of the plain mean over tasks, each resampled within itself.

    Tasks are given as `{name: (columns, clusters)}`; the rest is as for `interval`. `None` when a task has a single
    unit.

    Raises:
        As `interval`; EmptyInput for no tasks.
    """
    check_settings(level=level, resamples=resamples)
    if not tasks:
        raise EmptyInput("tasks")
    parts = [units(*tasks[name]) for name in sorted(tasks)]
    if min(map(len, parts)) < 2:
        return None
    generator = np.random.default_rng(seed)
    scores = [geometric_means(resampled_means(in_order(part, part), resamples, generator)) for part in parts]
    drawn = how_many_clusters([clusters for _, clusters in tasks.values()])
    return Interval(*percentiles(np.mean(scores, axis=0), level), level, resamples, seed, drawn)
