"""How sure is a score: percentile intervals from the bootstrap.

What is resampled is a *unit*: an example, or a cluster of examples that share a document. In each resample as many
units as there are are drawn with replacement; the means of the columns are taken anew over all examples drawn, then
their geometric mean, so that the interval belongs to ROUGE's corpus score and not to some mean of example scores.

Sources:

* percentile interval: Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 13;
* a score of the whole test set computed anew in each resample: Koehn (2004), Statistical Significance Tests for
  Machine Translation Evaluation, EMNLP;
* whole clusters drawn: Davison and Hinkley (1997), Bootstrap Methods and their Application, section 3.8; Field and
  Welsh (2007), Bootstrapping Clustered Data, Journal of the Royal Statistical Society B 69(3);
* the average over tasks, each resampled within itself: Davison and Hinkley (1997), section 3.2.

Known limit of the method: with few units the interval is somewhat too narrow, and where all units score the same it
shrinks to a point, which is no proof of certainty.

The seed alone decides the draws: units are brought into a fixed order first and tasks are taken by name, so that
neither the order of the examples nor that of the tasks changes a result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from zs_metric.errors import EmptyInput, ZeroScrollsError

from .columns import Points, geometric_means

SEED = 12345
RESAMPLES = 1000
LEVEL = 95.0
# Numbers held at once while resampling: 8 MB.
CHUNK = 1_000_000


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval around a score or a difference.

    Attributes:
        low, high: its ends, in points.
        level: its nominal coverage in percent.
        resamples, seed: how it was drawn.
        clusters: how many clusters were drawn from, where they were known; `None` when every example stood alone.
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
        columns: (examples, k) in points, from `columns`.
        clusters: for each example its cluster; without them every example stands alone.
        resamples: how many.
        level: in percent.
        seed: of the draws.

    Raises:
        EmptyInput, ZeroScrollsError: for no examples, clusters that do not line up, or settings out of range.

    >>> found = interval(np.array([[100.0], [0.0]] * 50))
    >>> found.low, found.high
    (40.0, 60.0)
    """
    return benchmark_interval({"": (columns, clusters)}, resamples=resamples, level=level, seed=seed)


def benchmark_interval(
    tasks: Mapping[str, tuple[Points, Sequence[str] | None]],
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> Interval | None:
    """The percentile interval of the plain mean over tasks `{name: (columns, clusters)}`, resampled within each.

    `None` when a task has a single unit. Raises as `interval`.
    """
    check_settings(level=level, resamples=resamples)
    all_units = [in_order(units(*tasks[name])) for name in sorted(tasks)]
    generator = np.random.default_rng(seed)
    scores = [geometric_means(resampled_means(part, resamples, generator)) for part in all_units]
    drawn = count_clusters(clusters for _, clusters in tasks.values())
    if min(map(len, all_units), default=0) < 2:
        return None
    return Interval(*percentiles(np.mean(scores, axis=0), level), level, resamples, seed, drawn)
