"""How often 95 % intervals hold the true score, and how often comparisons are right: `make calibration`.

Samples are drawn from populations whose true scores are known: made-up ones, shaped like the scores of real systems,
and, if `ZS_REAL` names a folder with them, the scores of real answers. Three tables are printed, and the status is 1 if
a cell that `NAMED` does not list is outside its limits. Everything is drawn from fixed seeds.

1. Intervals of scores and averages: the share that hold the true score, lie above it and below it, and their mean width
   in relation to the central 95 % of the sampling distribution. All samples of right/wrong answers are enumerated.
2. Two systems without a true difference, of which a share of the answers differs: how often one is called better.
3. A new system that loses points in a share of its answers (1 % and 10 %: the answer fails; 100 %: each loses 2 to 4
   points): how often it is called worse, and how often as good at a margin equal to its true loss.
"""

import itertools
import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import Pool
from pathlib import Path
from statistics import NormalDist, fmean

import numpy as np
import numpy.typing as npt

from zs_bench.statistics.intervals import METHOD, Columns, Interval, benchmark_interval, interval, score_of
from zs_bench.statistics.paired_comparison import Pair, PairedComparison, compare_on_benchmark

Generator = np.random.Generator
Points = npt.NDArray[np.float64]
SEED = 20261123
DRAWS, PAIRS = 2000, 1000
SIZES, CLUSTERS, PAIR_SIZES = (10, 20, 50, 100, 500), (5, 10, 25, 125), (21, 60, 200, 500)
#: The share of answers that differ between two systems, in percent.
SHARES = (1, 10, 100)
#: Coverage in percent, and the width in relation to that of the sampling distribution.
LIMITS = (92.0, 98.5, 1.4)
#: Of 100 comparisons without a true difference the most that find one in any cell; and those that are "as good" at a
#: loss of the margin, in any cell and on average.
TYPE_1, AS_GOOD, AS_GOOD_MEAN = 8.0, 10.0, 6.5
#: The least power to see that each of 21 answers lost 2 to 4 points, where most have them to lose.
POWER, MOST_LOSE = 90.0, 1.5
#: Answers that share a document: the correlation of their latent quality.
WITHIN = 0.4
#: The cells that may be outside, by name and size. They are in docs/how-we-know.md.
NAMED = frozenset(
    (name, size)
    for name, sizes in {
        "right/wrong 80 %": ["5 of 4", "5 of 1-10", "10 of 4"],
        "right/wrong 95 %": ["10", "20"],
        "right/wrong 97 %": ["10", "20"],
        "F1, 90 % zeros": ["10", "20"],
        "concordance": ["10", "20"],
        "ROUGE": ["5 of 1-10"],
        "real gov_report, one": ["10"],
        "real gov_report, two": ["10"],
        "real musique, one": ["20"],
        "real musique, two": ["20"],
        "real summ_screen_fd, two": ["10"],
        "real book_sum_sort, one": ["10", "20"],
        "real book_sum_sort, two": ["10", "20"],
    }.items()
    for size in sizes
)


@dataclass(frozen=True)
class Population:
    """Scores of answers, in points: `draw` makes them from latent normal values and a generator; `truth` is exact."""

    truth: float
    draw: Callable[[Points, Generator], Points]

    def sample(self, generator: Generator, sizes: Sequence[int]) -> Points:
        """Return the rows of a sample of documents with so many answers each."""
        latent = generator.standard_normal(sum(sizes))
        if max(sizes) > 1:
            shared = np.repeat(generator.standard_normal(len(sizes)), sizes)
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
    """A line of a table: its numbers, and whether they are outside the limits."""

    name: str
    size: str
    numbers: tuple[float | None, ...]
    outside: bool

    @property
    def failed(self) -> bool:
        """Whether the cell is outside the limits and not named."""
        return self.outside and (self.name, self.size) not in NAMED

    def __str__(self) -> str:
        shown = " ".join(f"{'-' if number is None else format(number, '.2f'):>7}" for number in self.numbers)
        return f"{self.name:34} {self.size:>12} {shown}  {'FAIL' if self.failed else 'named' * self.outside}"


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
    above, below = 100 * weights[truth < low - 1e-9].sum(), 100 * weights[truth > high + 1e-9].sum()
    coverage, ratio = 100 - below - above, float(weights @ (high - low)) / true_width
    least, most, widest = LIMITS
    outside = not (least <= round(coverage, 1) <= most and round(ratio, 2) <= widest)
    return Cell(name, size, (coverage, above, below, ratio), outside)


def sizes_of(documents: int, *, spread: bool) -> list[int]:
    """Return how many answers each document has: four, or from 1 to 10."""
    return [1 + i % 10 for i in range(documents)] if spread else [4] * documents


def names_of(sizes: Sequence[int]) -> list[str] | None:
    """Return the document of each answer; `None` if each has its own."""
    return [str(i) for i, size in enumerate(sizes) for _ in range(size)] if max(sizes) > 1 else None


def as_columns(rows: Points) -> Columns:
    """Return the columns of an array of examples."""
    columns: list[list[float]] = rows.T.tolist()
    return columns


def coverage(name: str, sizes: Sequence[int], size: str = "", draws: int = DRAWS) -> Cell:
    """Return the cell of a population: samples of documents with so many answers."""
    population, sampled = populations()[name], list[tuple[float, Interval | None, float]]()
    if name.startswith("right/wrong") and max(sizes) == 1:
        p, n = population.truth / 100, len(sizes)
        for right in range(n + 1):
            chance = math.comb(n, right) * p**right * (1 - p) ** (n - right)
            sampled.append((100 * right / n, interval([[100.0] * right + [0.0] * (n - right)]), chance))
    else:
        generator = np.random.default_rng([SEED, *sizes])
        for _ in range(draws):
            columns = as_columns(population.sample(generator, sizes))
            sampled.append((score_of(columns), interval(columns, names_of(sizes)), 1.0))
    return measured(name, size or str(len(sizes)), population.truth, sampled)


def average(name: str, draws: int = DRAWS) -> Cell:
    """Return the cell of the average over ten tasks."""
    generator, sampled = np.random.default_rng(SEED), []
    for _ in range(draws):
        tasks: dict[str, tuple[Columns, list[str] | None]] = {}
        for task, answers, cluster in AVERAGES[name]:
            sizes = [cluster] * (answers // cluster)
            tasks[str(len(tasks))] = as_columns(POPULATIONS[task].sample(generator, sizes)), names_of(sizes)
        score = fmean(score_of(columns) for columns, _ in tasks.values())
        sampled.append((score, benchmark_interval(tasks), 1.0))
    truth = fmean(POPULATIONS[task].truth for task, _, _ in AVERAGES[name])
    return measured(name, "ten tasks", truth, sampled)


def without_difference(name: str, share: int, size: int, draws: int = PAIRS) -> Cell:
    """Return how often of 100 times one of two systems without a true difference is called better."""
    generator, found = np.random.default_rng([SEED, share, size]), 0
    for _ in range(draws):
        rows = pairs_of(name)(generator, size)
        rows[1] = np.where(generator.random((size, 1)) < share / 100, rows[1], rows[0])
        swapped = generator.random((size, 1)) < 0.5
        old, new = np.where(swapped, rows[1], rows[0]), np.where(swapped, rows[0], rows[1])
        p = compared(old, new, name).p_value
        found += p is not None and p < 0.05
    type_1 = 100 * found / draws
    return Cell(name, f"{share} % of {size}", (type_1,), type_1 > TYPE_1)


def with_loss(name: str, share: int, size: int, draws: int = PAIRS) -> Cell:
    """Return how often of 100 times a new system is called worse, and "as good" at a margin of its true loss.

    The latter is `None` where so few answers can never show it.
    """
    generator, worse, good = np.random.default_rng([SEED, share, size]), 0, 0
    loss, passing = true_loss(name, share), False
    for _ in range(draws):
        result = compared(*losing(name, share, size, generator), name)
        worse += result.verdict() == "worse"
        good += result.verdict(loss) == "as good"
        passing = passing or result.unseen < loss
    power, false = 100 * worse / draws, 100 * good / draws if passing else None
    weak = share == 100 and size == PAIR_SIZES[0] and loss >= MOST_LOSE and power < POWER
    return Cell(name, f"{share} % of {size}", (loss, power, false), weak or (false or 0) > AS_GOOD)


def losing(name: str, share: int, size: int, generator: Generator) -> tuple[Points, Points]:
    """Return the rows of two systems, of which the new one loses points in a share of the answers."""
    old = pairs_of(name)(generator, size)[0]
    if share == 100:
        score = np.prod(old, axis=1, keepdims=True) ** (1 / old.shape[1])
        lost = np.minimum(generator.uniform(2, 4, (size, 1)), score)
        return old, old * (1 - lost / np.maximum(score, 1e-9))
    return old, np.where(generator.random((size, 1)) < share / 100, 0.0, old)


@cache
def true_loss(name: str, share: int) -> float:
    """Return the loss over very many answers."""
    old, new = losing(name, share, 400_000, np.random.default_rng(SEED))
    return score_of(as_columns(old)) - score_of(as_columns(new))


def pairs_of(name: str) -> Callable[[Generator, int], list[Points]]:
    """Return a function that draws the answers of two systems to so many questions."""

    def draw(generator: Generator, size: int) -> list[Points]:
        if name in real_scores():
            places = generator.integers(len(real_scores()[name][0]), size=size)
            return [scores[places, None] for scores in real_scores()[name]]
        return [populations()[name].sample(generator, [1] * size) for _ in range(2)]

    return draw


def compared(old: Points, new: Points, name: str) -> PairedComparison:
    """Compare two systems; an answer to a summarization task can lose at most the best score."""
    most = float((np.prod(old / 100, axis=1) ** (1 / 3)).max() * 100) if old.shape[1] == 3 else 100.0
    return compare_on_benchmark({name: Pair(as_columns(old), as_columns(new), None, most)})


@cache
def real_scores() -> Mapping[str, tuple[Points, Points]]:
    """Return the scores of real answers of two systems to the same questions, by task."""
    folder = Path(os.environ.get("ZS_REAL", ""))
    if not (folder / "expected.json").is_file():
        return {}
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    systems = [expected[name]["tasks"] for name in ("one", "two")]
    scores = {}
    for task, one in systems[0].items():
        both = [one["per_example"], systems[1][task]["per_example"]]
        ids = [id_ for id_ in both[0] if id_ in both[1]]
        scores[f"real {task}"] = tuple(np.array([each[id_] for id_ in ids]) for each in both)
    return {name: (one, two) for name, (one, two) in scores.items()}


@cache
def populations() -> Mapping[str, Population]:
    """Return the made-up populations and those of the real scores."""
    real = {}
    for name, both in real_scores().items():
        for system, scores in zip(("one", "two"), both, strict=True):
            draw = partial(lambda values, latent, generator: generator.choice(values, len(latent))[:, None], scores)
            real[f"{name}, {system}"] = Population(float(scores.mean()), draw)
    return {**POPULATIONS, **real}


def main() -> int:
    """Print the tables and return the exit status."""
    begun, cells, systems = time.perf_counter(), list[Cell](), [*POPULATIONS, *real_scores()]
    wholes = [(name, share, size) for name in systems for share in SHARES for size in PAIR_SIZES]
    with Pool(2) as pool:
        print(f"1. Intervals ({METHOD}): holds the true score %, lies above it, below it, width")
        alone = [(name, [1] * size) for name in populations() for size in SIZES]
        shared = itertools.product(CLUSTERED, CLUSTERS, (False, True))
        documents = [
            (name, sizes_of(count, spread=spread), f"{count} of {'1-10' if spread else 4}")
            for name, count, spread in shared
        ]
        for table in (
            pool.imap(average, AVERAGES),  # the longest first
            pool.starmap(coverage, alone, 4),
            pool.starmap(coverage, documents, 1),
        ):
            cells += show(table)
        print("2. No true difference: called better %")
        cells += show(pool.starmap(without_difference, wholes, 2))
        print("3. A loss: points lost, called worse %, as good at that margin %")
        losses = show(pool.starmap(with_loss, wholes, 2))
    good = fmean(cell.numbers[2] for cell in losses if cell.numbers[2] is not None)
    failed = sum(cell.failed for cell in (*cells, *losses)) + (good > AS_GOOD_MEAN)
    print(f"As good at a loss of the margin, on average: {good:.1f} % (limit {AS_GOOD_MEAN})")
    print(f"{failed} outside the limits; {time.perf_counter() - begun:.0f} s")
    return 1 if failed else 0


def show(table: Iterable[Cell]) -> list[Cell]:
    """Print the cells as they come, and return them."""
    cells = []
    for cell in table:
        print(cell, flush=True)
        cells.append(cell)
    return cells


if __name__ == "__main__":
    sys.exit(main())
