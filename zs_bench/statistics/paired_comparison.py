"""Two systems on the same examples: the difference of their scores, and whether it could be chance.

The difference is that of the two scores, first minus second, in points; positive when the first is better. Examples
that share a document stay together throughout. The average over tasks is treated alike, each task within itself.

* The interval of the difference: the paired bootstrap, both systems on the same drawn examples. Koehn (2004),
  Statistical Significance Tests for Machine Translation Evaluation, EMNLP; otherwise as in `bootstrap.py`.
* The p-value: paired randomisation. If the systems were alike, their answers to a unit could be swapped. The scores are
  computed again from the swapped answers: Noreen (1989), Computer-Intensive Methods for Testing Hypotheses; Riezler and
  Maxwell (2005), On Some Pitfalls in Automatic Evaluation and Significance Testing for MT. When there are no more than
  `rounds` swaps, all are tried; otherwise p = (r + 1) / (rounds + 1), where r of the drawn ones differ at least as
  much: Phipson and Smyth (2010), Permutation P-values Should Never Be Zero, Statistical Applications in Genetics and
  Molecular Biology 9(1).
* The examples needed to separate the two: the usual n = ((z_alpha/2 + z_power) * sigma / difference)^2 for a two-sided
  test at 80 % power. Cohen (1988), Statistical Power Analysis for the Behavioral Sciences; for systems compared on
  benchmarks Card et al. (2020), With Little Power Comes Great Responsibility, EMNLP. The standard error is the
  jackknife's. The observed difference is taken for the true one, so this is an order of magnitude.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from zs_bench.statistics import bootstrap
from zs_bench.statistics.bootstrap import FEWEST_EXAMPLES, LEVEL, RESAMPLES, SEED, Interval
from zs_bench.statistics.columns import EQUAL, Points, differences, score_of
from zs_metric.errors import EmptyInput, ZeroScrollsError

ROUNDS = 10_000
POWER = 0.8

# The columns of two systems on one task, and its clusters where they are known.
PairedColumns = tuple[Points, Points, Sequence[str] | None]


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """Two systems compared on the same examples.

    Attributes:
        difference: first minus second, in points.
        interval: of the difference; `None` when a task has a single unit.
        p_value: two-sided: how often two systems that are alike would differ at least as much.
        exact: whether all swaps were tried.
        rounds: how many swaps the p-value rests on.
        wins, ties, losses: examples on which the first is better, as good, worse, by the example's score.
        more_examples: about how many more examples would separate the two at 80 % power if the observed difference
            is the true one: 0 when these are enough, `None` when there is no difference or a task has a single unit.
    """

    difference: float
    interval: Interval | None
    p_value: float
    exact: bool
    rounds: int
    wins: int
    ties: int
    losses: int
    more_examples: int | None

    def separated(self) -> bool:
        """Whether the p-value is below 0.05."""
        return self.p_value < 1 - LEVEL / 100


def compare_on_task(a: Points, b: Points, clusters: Sequence[str] | None = None, **settings: Any) -> PairedComparison:
    """Compare two systems on one task.

    Args:
        a: the columns of the first system.
        b: the columns of the second, row by row the same examples.
        clusters: for each example the name of its cluster; without them every example stands alone.
        settings: `resamples`, `rounds`, `level` and `seed`, as for `compare_on_benchmark`.

    Raises:
        As `compare_on_benchmark`.

    >>> found = compare_on_task(np.array([[100.0]] * 5 + [[0.0]]), np.array([[0.0]] * 6))
    >>> round(found.difference, 4), found.p_value, found.wins, found.ties, found.exact
    (83.3333, 0.0625, 5, 1, True)
    """
    return compare_on_benchmark({"": (a, b, clusters)}, **settings)


def compare_on_benchmark(
    tasks: Mapping[str, PairedColumns],
    *,
    resamples: int = RESAMPLES,
    rounds: int = ROUNDS,
    level: float = LEVEL,
    seed: int = SEED,
) -> PairedComparison:
    """Compare two systems on the plain mean over tasks.

    Wins, ties and losses are counted over all examples. More examples are assumed to be spread over the tasks as these.

    Args:
        tasks: name to the columns of the first system, those of the second, and the clusters (see `compare_on_task`).
        rounds: how many swaps to draw when there are more than that.
        level: nominal coverage of the interval in percent; the examples needed are for a test at 1 - level.

    Raises:
        EmptyInput: for no tasks, or a task without examples.
        ZeroScrollsError: for columns or clusters that do not line up, and for settings out of range.
    """
    bootstrap.check_settings(level=level, resamples=resamples, rounds=rounds)
    if not tasks:
        raise EmptyInput("tasks")
    pairs = [tasks[name] for name in sorted(tasks)]
    parts = [paired_units(*pair) for pair in pairs]
    difference = float(np.mean([score_of(a) - score_of(b) for a, b, _ in pairs]))
    p_value, swaps, exact = _randomise(parts, rounds, np.random.default_rng(seed))
    by_example = np.concatenate([differences(np.hstack([a, b])) for a, b, _ in pairs])
    wins, losses = int((by_example > EQUAL).sum()), int((by_example < -EQUAL).sum())
    enough = min(map(len, parts)) > 1
    drawable = enough and min(len(a) for a, *_ in pairs) >= FEWEST_EXAMPLES
    drawn = bootstrap.how_many_clusters([clusters for *_, clusters in pairs])
    return PairedComparison(
        difference=difference,
        interval=Interval(*_ends(parts, resamples, level, seed), level, resamples, seed, drawn) if drawable else None,
        p_value=p_value,
        exact=exact,
        rounds=swaps,
        wins=wins,
        ties=len(by_example) - wins - losses,
        losses=losses,
        more_examples=more_examples(difference, standard_error(parts), len(by_example), level) if enough else None,
    )


def more_examples(difference: float, error: float, examples: int, level: float = LEVEL) -> int | None:
    """About how many more examples would separate two systems at 80 % power; `None` when they do not differ.

    Args:
        difference: as observed, in points; it is taken for the true one.
        error: its standard error, in points, on these examples.
        level: the test is at 1 - level, two-sided.

    >>> more_examples(1.0, 1.0, 100)
    685
    """
    if abs(difference) <= EQUAL:
        return None
    normal = NormalDist()
    steps = normal.inv_cdf((1 + level / 100) / 2) + normal.inv_cdf(POWER)
    return max(0, math.ceil(examples * (steps * error / difference) ** 2) - examples)


def _ends(parts: Sequence[Points], resamples: int, level: float, seed: int) -> tuple[float, float]:
    generator = np.random.default_rng(seed)
    drawn = [differences(bootstrap.resampled_means(part, resamples, generator)) for part in parts]
    return bootstrap.percentiles(np.mean(drawn, axis=0), level)


def paired_units(a: Points, b: Points, clusters: Sequence[str] | None) -> Points:
    """The units of two systems on the same examples: the first's columns, the second's, the number of examples.

    Their order is the same whichever system comes first.

    Raises:
        EmptyInput, ZeroScrollsError: for no examples, columns or clusters that do not line up.
    """
    if a.shape != b.shape:
        raise ZeroScrollsError(
            f"columns of shape {a.shape} and {b.shape} do not line up; give both systems' scores of the same examples"
        )
    rows = bootstrap.units(np.column_stack([a, b]), clusters)
    first, second = np.split(rows[:, :-1], 2, axis=1)
    side = np.sign(round(float(differences(rows[:, :-1].sum(axis=0))), 9))
    return bootstrap.in_order(rows, np.column_stack([rows[:, -1], first + second, side * (first - second)]))


def standard_error(tasks: Sequence[Points]) -> float:
    """The standard error of the mean difference over tasks, in points: the jackknife over units.

    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 11. Every task needs two units.
    """
    variances = []
    for rows in tasks:
        left = np.maximum(rows.sum(axis=0) - rows, 0)
        variances.append((len(rows) - 1) * float(np.var(differences(left[:, :-1] / left[:, -1:]))))
    return math.sqrt(math.fsum(variances)) / len(tasks)


def _randomise(tasks: Sequence[Points], rounds: int, generator: np.random.Generator) -> tuple[float, int, bool]:
    """The two-sided p-value of the mean difference over tasks' paired units, how many swaps, whether these are all."""
    parts = [_Swappable.of(rows) for rows in tasks]
    width = sum(len(part.kept) for part in parts)
    exact = 2**width <= rounds
    count = 2**width if exact else rounds
    observed = abs(_mean_differences(parts, np.zeros((1, width)))[0])
    extreme = 0
    for part in bootstrap.chunks(count, width):
        if exact:
            swaps = (np.array(part)[:, None] >> np.arange(width) & 1).astype(float)
        else:
            swaps = generator.integers(2, size=(len(part), width), dtype=bool).astype(float)
        extreme += int((np.abs(_mean_differences(parts, swaps)) >= observed - EQUAL).sum())
    return extreme / count if exact else (extreme + 1) / (count + 1), count, exact


class _Swappable(NamedTuple):
    """A task's units that a swap changes, as they are and swapped; the sums over the others; the number of examples."""

    kept: Points
    swapped: Points
    others: Points
    examples: float

    @classmethod
    def of(cls, rows: Points) -> "_Swappable":
        first, second = np.split(rows[:, :-1], 2, axis=1)
        differ = (np.abs(first - second) > EQUAL).any(axis=1)
        kept, swapped = np.hstack([first, second]), np.hstack([second, first])
        return cls(kept[differ], swapped[differ], kept[~differ].sum(axis=0), float(rows[:, -1].sum()))


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
