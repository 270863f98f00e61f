"""Whether 95 % intervals hold the true score in 95 % of samples, and how often a worse system passes as good.

`make calibration` draws samples from made-up populations, shaped like the scores of real systems, whose true scores are
known, and prints for each kind and size of sample the share of intervals that hold the true score, their mean width in
relation to the central 95 % of the sampling distribution, and the share below and above the truth. Right/wrong answers
without documents are not drawn: all samples of a size are enumerated. Then it draws pairs of systems of which the
second is worse by exactly the margin, and prints how often it is called "as good". Limits are in `LIMITS`; the status
is 1 if a cell is outside. Everything is drawn from fixed seeds.
"""

import itertools
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import Pool
from statistics import NormalDist

import numpy as np

from zs_bench.statistics.columns import Points, score_of
from zs_bench.statistics.intervals import (
    METHOD,
    Interval,
    benchmark_interval,
    difference_estimate,
    interval,
    student_quantile,
)

Generator = np.random.Generator
SEED = 20261123
DRAWS, PAIRS = 4000, 2000
SIZES, CLUSTERS, PAIR_SIZES = (10, 20, 50, 100, 500), (5, 10, 25, 125), (20, 60, 200, 500)
#: Coverage in percent, and the width in relation to that of the sampling distribution.
LIMITS = (93.0, 98.0, 1.4)
#: The largest share of "as good" at a loss of the margin, and the smallest at no loss (500 answers), in percent.
LARGEST_FALSE, SMALLEST_POWER = 6.5, 80.0
MARGIN, POWER_MARGIN = 2.0, 3.0
#: Answers that share a document: the correlation of their latent quality.
WITHIN = 0.4
_DISCRETE = "no interval of right/wrong answers can hold it in 93 to 98 %: the next fewer outcomes hold it in {:.2f} %"
#: The cells that are outside, with the reason. They must still hold in at least 93 %, and stay under twice the width.
EXCEPTIONS = {
    ("right/wrong 90 %", "10"): _DISCRETE.format(92.98),
    ("right/wrong 95 %", "10"): _DISCRETE.format(91.39),
    ("right/wrong 95 %", "20"): _DISCRETE.format(92.45),
    ("right/wrong 97 %", "20"): "any interval that holds in 93 % for every share is at least 1.63 times as wide",
    ("right/wrong 97 %", "10"): (
        "not proven unavoidable: any interval that holds in 93 % for every share is at least 1.34 times as wide, any "
        "that holds in 95 % 1.48 times"
    ),
    ("F1, 90 % zeros", "10"): (
        "not proven unavoidable: the third of the samples that are all zeros look like right/wrong answers, and make "
        "0.65 of the 1.66; right/wrong answers need 0.52"
    ),
    ("right/wrong 80 %", "5 of 4"): (
        "not proven unavoidable: other metrics need Student's quantile for 4 degrees of freedom; of right/wrong "
        "answers, 9 degrees would hold 97.7 % here and 93.1 % at 50 %, 8 hold 98.1 % here, and 10 hold 92.4 % at 50 %"
    ),
}


@dataclass(frozen=True)
class Population:
    """Scores of answers, in points: `draw` makes them from latent normal values and a generator; `truth` is exact."""

    truth: float
    draw: Callable[[Points, Generator], Points]

    def sample(self, generator: Generator, examples: int, cluster: int = 1) -> Points:
        """Return the columns of a sample, in clusters of this size."""
        latent = generator.standard_normal(examples)
        if cluster > 1:
            shared = np.repeat(generator.standard_normal(examples // cluster), cluster)
            latent = math.sqrt(WITHIN) * shared + math.sqrt(1 - WITHIN) * latent
        return self.draw(latent, generator)


def bounded(zeros: float, full: float, others: Callable[[Generator], Points] | None = None) -> Population:
    """Return answers of which shares score 0 and 100, and the others as drawn by `others`, from 0 to 1."""
    rest = np.zeros(2) if others is None else np.sort(others(np.random.default_rng(SEED)))
    width = 1 - zeros - full

    def draw(latent: Points, _: Generator) -> Points:
        rank = np.interp(latent, _GRID, _CUMULATIVE)
        inside = np.interp((rank - zeros) / (width or 1.0), np.linspace(0, 1, len(rest)), rest)
        return 100 * np.where(rank < zeros, 0.0, np.where(rank >= 1 - full, 1.0, inside))[:, None]

    return Population(100 * (full + width * float(rest.mean())), draw)


_GRID = np.linspace(-6, 6, 4001)
_CUMULATIVE = np.array([NormalDist().cdf(value) for value in _GRID])


def rouge() -> Population:
    """Return three strongly correlated columns of log-normal F-measures, and their geometric mean."""
    means, spreads, shared = np.array([0.33, 0.12, 0.18]), np.array([0.25, 0.5, 0.3]), 0.9

    def draw(latent: Points, generator: Generator) -> Points:
        own = generator.standard_normal((len(latent), 3))
        mixed = math.sqrt(shared) * latent[:, None] + math.sqrt(1 - shared) * own
        return 100 * np.minimum(np.exp(np.log(means) - spreads**2 / 2 + spreads * mixed), 1.0)

    return Population(100 * float(np.prod(means)) ** (1 / 3), draw)


def f1(zeros: float) -> Population:
    """Return scores of short answers: many zeros, one in ten of the others 100."""
    return bounded(zeros, (1 - zeros) / 10, lambda generator: generator.beta(1.3, 2.7, 100_000))


RIGHT = (0.5, 0.8, 0.9, 0.95, 0.97)
POPULATIONS = {
    **{f"right/wrong {p:.0%}".replace("%", " %"): bounded(1 - p, p) for p in RIGHT},
    **{f"F1, {zeros:.0%} zeros".replace("%", " %"): f1(zeros) for zeros in (0.4, 0.7, 0.9)},
    "ROUGE": rouge(),
    "exponential similarity": bounded(0.1, 0.2, lambda generator: 2.0 ** -generator.exponential(1.0, 100_000)),
    "concordance": bounded(0.1, 0.15, lambda generator: generator.beta(6, 1.3, 100_000)),
}
CLUSTERED = ("right/wrong 80 %", "F1, 40 % zeros", "ROUGE", "concordance")
#: Ten tasks: a population, the number of answers, and how many share a document.
AVERAGES: Mapping[str, Sequence[tuple[str, int, int]]] = {
    "average, validation sizes": [
        *(("ROUGE", 20, 1), ("ROUGE", 20, 1), ("ROUGE", 20, 1), ("ROUGE", 20, 4), ("F1, 40 % zeros", 20, 1)),
        *(("F1, 40 % zeros", 20, 1), ("F1, 90 % zeros", 20, 1), ("right/wrong 80 %", 21, 1)),
        *(("exponential similarity", 28, 1), ("concordance", 20, 4)),
    ],
    "average, mixed sizes": [
        *(("ROUGE", 500, 1), ("ROUGE", 337, 1), ("ROUGE", 60, 1), ("ROUGE", 40, 4), ("F1, 40 % zeros", 200, 1)),
        *(("F1, 40 % zeros", 20, 1), ("F1, 70 % zeros", 100, 1), ("right/wrong 95 %", 10, 1)),
        *(("exponential similarity", 50, 1), ("concordance", 20, 4)),
    ],
}


@dataclass(frozen=True)
class Cell:
    """In how many of 100 samples the interval holds the truth or lies above or below it, and the relative width."""

    name: str
    size: str
    coverage: float
    truth_below: float
    truth_above: float
    ratio: float

    @property
    def exception(self) -> bool:
        """Whether the cell may be outside the limits."""
        return (self.name, self.size) in EXCEPTIONS

    @property
    def failed(self) -> bool:
        """Whether the cell is outside the limits, or an exception that holds too rarely or is far too wide."""
        low, high, ratio = LIMITS if not self.exception else (LIMITS[0], 100.0, 2.0)
        return not (low <= round(self.coverage, 1) <= high and round(self.ratio, 2) <= ratio)

    def __str__(self) -> str:
        shares = f"{self.coverage:6.1f} {self.truth_below:5.1f} {self.truth_above:5.1f} {self.ratio:6.2f}"
        return f"{self.name:26} {self.size:>12} {shares}  {'FAIL' if self.failed else 'exception' * self.exception}"


def measured(name: str, size: str, truth: float, sampled: Sequence[tuple[float, Interval | None, float]]) -> Cell:
    """Return the cell of samples: each its score, its interval and its weight."""
    weights = np.array([weight for _, _, weight in sampled])
    weights /= weights.sum()
    ends = [(interval_.low, interval_.high) for _, interval_, _ in sampled if interval_]
    low, high = np.array(ends).T
    if len(ends) < len(sampled) or not ((low < high) & (low >= 0) & (high <= 100)).all():
        raise SystemExit(f"{name}, {size}: an interval is missing, is a point or reaches outside 0 to 100")
    scores = np.array([score for score, _, _ in sampled])
    order = np.argsort(scores)
    central = np.searchsorted(np.cumsum(weights[order]), [0.025, 0.975])
    true_width = float(np.subtract(*scores[order][central[::-1]]))
    below, above = 100 * weights[truth < low - 1e-9].sum(), 100 * weights[truth > high + 1e-9].sum()
    return Cell(name, size, 100 - below - above, below, above, float(weights @ (high - low)) / true_width)


def documents(size: int, cluster: int) -> list[str] | None:
    """Return the document of each answer, of which so many share one; `None` if each has its own."""
    return [str(i // cluster) for i in range(size)] if cluster > 1 else None


def coverage(name: str, size: int, cluster: int = 1, draws: int = DRAWS) -> Cell:
    """Return the cell of a population: samples of so many answers, in clusters of this size."""
    population, sampled = POPULATIONS[name], []
    if name.startswith("right/wrong") and cluster == 1:
        p = population.truth / 100
        for right in range(size + 1):
            columns = np.repeat([100.0, 0.0], [right, size - right])[:, None]
            chance = math.comb(size, right) * p**right * (1 - p) ** (size - right)
            sampled.append((100 * right / size, interval(columns), chance))
    else:
        generator = np.random.default_rng([SEED, size, cluster])
        for _ in range(draws):
            columns = population.sample(generator, size, cluster)
            sampled.append((score_of(columns), interval(columns, documents(size, cluster)), 1.0))
    return measured(name, f"{size // cluster} of {cluster}" if cluster > 1 else str(size), population.truth, sampled)


def average(name: str, draws: int = DRAWS // 2) -> Cell:
    """Return the cell of the average over ten tasks."""
    generator, sampled = np.random.default_rng(SEED), []
    for _ in range(draws):
        tasks: dict[str, tuple[Points, list[str] | None]] = {}
        for task, size, cluster in AVERAGES[name]:
            columns = POPULATIONS[task].sample(generator, size, cluster)
            tasks[str(len(tasks))] = columns, documents(size, cluster)
        score = float(np.mean([score_of(columns) for columns, _ in tasks.values()]))
        sampled.append((score, benchmark_interval(tasks), 1.0))
    truth = float(np.mean([POPULATIONS[task].truth for task, _, _ in AVERAGES[name]]))
    return measured(name, "ten tasks", truth, sampled)


def pair(name: str, size: int, loss: float, generator: Generator) -> tuple[Points, Points]:
    """Return the columns of two systems on the same questions, the second worse by so many points.

    One answer in ten is another one, and some of the answers that scored are lost. All summaries differ, by a factor.
    """
    population = POPULATIONS[name]
    if name == "ROUGE":
        latent = generator.standard_normal(size)
        both = (0.9 * latent + math.sqrt(1 - 0.81) * generator.standard_normal(size) for _ in range(2))
        base, new = (population.draw(each, generator) for each in both)
        return base, new * (1 - loss / population.truth)
    base, other = population.sample(generator, size), population.sample(generator, size)
    changed, lost = generator.random((2, size, 1))
    return base, np.where(lost < loss / population.truth, 0.0, np.where(changed < 0.1, other, base))


def as_good(name: str, size: int, loss: float, margin: float, draws: int = PAIRS) -> float:
    """Return in how many of 100 pairs of systems the second is shown to be as good within the margin."""
    generator, count = np.random.default_rng([SEED, size]), 0
    for _ in range(draws):
        base, new = pair(name, size, loss, generator)
        change = difference_estimate(new, base, None)
        count += 100 * (change.value - change.reach(student_quantile(0.95, change.freedom))[0]) > -margin
    return 100 * count / draws


def verdict_row(name: str) -> tuple[bool, str]:
    """Return whether a population is outside the limits, and its line: false "as good" by size, the power at 500."""
    false = [as_good(name, size, MARGIN, MARGIN) for size in PAIR_SIZES]
    power = as_good(name, 500, 0.0, POWER_MARGIN)
    bad = max(false) > LARGEST_FALSE or power < SMALLEST_POWER
    shares = "  ".join(f"n={size}: {share:4.1f}" for size, share in zip(PAIR_SIZES, false, strict=True))
    return bad, f"{name:26} {shares}  no loss, margin {POWER_MARGIN:g}: {power:5.1f}  {'FAIL' * bad}"


def main() -> int:
    """Print the tables and return the exit status."""
    begun, failed = time.perf_counter(), 0
    with Pool(2) as pool:
        print(f"Intervals ({METHOD}): holds the truth %, truth below and above %, width ratio")
        for cell in itertools.chain(
            pool.imap(average, AVERAGES),  # the longest first
            pool.starmap(coverage, [(name, size) for name in POPULATIONS for size in SIZES]),
            pool.starmap(coverage, [(name, 4 * count, 4) for name in CLUSTERED for count in CLUSTERS]),
        ):
            failed += cell.failed
            print(cell, flush=True)
        print("\nExceptions:")
        for (name, size), reason in EXCEPTIONS.items():
            print(f"- {name}, {size} answers: {reason}")
        print(f"\n'As good' within {MARGIN:g} points at a loss of {MARGIN:g}, in %, at most {LARGEST_FALSE}:")
        for bad, line in pool.imap(verdict_row, POPULATIONS):
            failed += bad
            print(line)
    print(f"\n{failed} outside the limits; {time.perf_counter() - begun:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
