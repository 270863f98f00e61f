"""Two systems on the same examples: the p-value of paired approximate randomisation.

If the two were alike, it would be chance which of them gave which answer. So the answers to each example are exchanged
between the systems with a chance of one half, all answers to the examples of a document together, both scores are
computed again, and k of `EXCHANGES` times their difference is at least as far from 0 as the observed one. The two-sided
p-value is (k + 1) / (`EXCHANGES` + 1) (Noreen 1989, Computer-Intensive Methods for Testing Hypotheses; Yeh 2000, More
Accurate Tests for the Statistical Significance of Result Differences, COLING). It is drawn from a fixed seed. All runs
of a system are exchanged together.
"""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from zs_bench.statistics.intervals import EQUAL, score_of
from zs_bench.statistics.paired_comparison import Pair
from zs_metric.rouge import ROUGE_TYPES

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

#: How often the answers are exchanged, and the seed.
EXCHANGES, SEED = 10_000, 1
#: The test in signatures, in the manner of sacrebleu.
SIGNATURE = f"ar:{EXCHANGES}|seed:{SEED}"
#: So many exchanges are computed at once: their numbers are a few megabytes.
_BLOCK = 1000


def randomization_p(tasks: Mapping[str, Pair], weights: Mapping[str, float] | None = None) -> float:
    """Return the two-sided p-value of two systems on the mean over tasks, by default the plain one."""
    import numpy as np  # noqa: PLC0415  (for this test alone)

    shares = weights or dict.fromkeys(tasks, 1 / len(tasks))
    observed = sum(shares[name] * (score_of(pair.new) - score_of(pair.old)) for name, pair in tasks.items())
    generator, exchanged = np.random.default_rng(SEED), np.zeros(EXCHANGES)
    for name, pair in tasks.items():
        totals, moved = _sums(pair)
        for begin in range(0, EXCHANGES, _BLOCK):
            differences = _differences(totals, moved, len(pair.old[0]), generator)
            exchanged[begin : begin + _BLOCK] += shares[name] * differences
    extreme = int(np.count_nonzero(np.abs(exchanged) >= abs(observed) - EQUAL))
    return (extreme + 1) / (EXCHANGES + 1)


def _sums(pair: Pair) -> "tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]":
    """Return the columns' sums of both systems, and what each unit adds to the old ones where it is exchanged.

    Runs are repeated until both systems have as many, which changes no score.
    """
    import numpy as np  # noqa: PLC0415

    both, count = (pair.old, pair.new), math.lcm(len(pair.old), len(pair.new))
    old, new = (np.tile(np.array(side, dtype=float), (count // len(side), 1)).T for side in both)
    totals, moved = np.array([old.sum(axis=0), new.sum(axis=0)]), new - old
    if pair.clusters is not None:
        _, places = np.unique(np.array(pair.clusters), return_inverse=True)
        sums = np.zeros((int(places.max()) + 1, moved.shape[1]))
        np.add.at(sums, places, moved)
        moved = sums
    return totals, moved[np.abs(moved).max(axis=1) > 0]


def _differences(
    totals: "npt.NDArray[np.float64]",
    moved: "npt.NDArray[np.float64]",
    examples: int,
    generator: "np.random.Generator",
) -> "npt.NDArray[np.float64]":
    """Return differences of the scores, new minus old, after `_BLOCK` random exchanges of the units."""
    import numpy as np  # noqa: PLC0415

    change = generator.integers(0, 2, (_BLOCK, len(moved)), dtype=np.int8).astype(float) @ moved
    sides = [np.maximum(totals[side] + sign * change, 0.0) / examples for side, sign in ((0, 1), (1, -1))]
    types = min(len(ROUGE_TYPES), moved.shape[1])
    runs = [(means / 100).reshape(len(means), -1, types) for means in sides]
    old, new = ((np.prod(means, axis=2) ** (1 / types)).mean(axis=1) for means in runs)
    differences: npt.NDArray[np.float64] = 100 * (new - old)
    return differences
