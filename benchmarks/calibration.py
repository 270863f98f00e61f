"""How often 95 % intervals hold the true score, and how often comparisons and gates are right: `make calibration`.

Samples are drawn from populations whose true scores are known: made-up ones, shaped like the scores of real systems,
and, if `ZS_REAL` names a folder with them, the scores of real answers. Tables are printed, and the status is 1 if a
cell that `NAMED` does not list is outside its limits. Everything is drawn from fixed seeds, and computed for many
samples at once by `many_samples.py`, which compares some of each cell with the package.

1. Intervals of scores and averages: the share that hold the true score, lie above it and below it, and their mean width
   in relation to the central 95 % of the sampling distribution. All samples of right/wrong answers are enumerated.
2. Two systems without a true difference, of which a share of the answers differs: how often one is called better.
3. A new system that loses points in a share of its answers (1 % and 10 %: the answer fails; 100 %: each loses 2 to 4
   points): how often it is called worse. And one that loses what is said to be found in 80 % of samples.
4. Gates: a new system of which a share fails, so that it loses as much as the margin, without and with a gain in its
   other answers: how often it passes. And how often one passes of which 5 % of the answers change by 3 points.
5. Skewed changes without a true difference, which no test of the difference sees: how often it is called better.
6. Several runs of one system, whose answers differ by chance in each run: the share of intervals that hold the true
   score; how often a loss is called worse, with one run and with several of both systems; and the coverage where a
   whole run is shifted, which the intervals do not hold.
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
from statistics import NormalDist

import numpy as np

from benchmarks.many_samples import Compared, Ends, Points, as_columns, compared, geometric_mean, interval_ends
from zs_bench.statistics.intervals import METHOD, interval, unseen_share
from zs_bench.statistics.paired_comparison import Pair, compare_on_benchmark

Generator = np.random.Generator
SEED = 20261123
DRAWS, AVERAGED = 2000, 300
SIZES, CLUSTERS, PAIR_SIZES = (10, 20, 50, 100, 200, 500), (5, 10, 25, 125), (21, 60, 200, 500)
#: The share of answers that differ between two systems, in percent.
SHARES = (1, 10, 100)
#: The least coverage in percent, and the largest width in relation to that of the sampling distribution, which counts
#: from so many answers on and not of systems that hardly fail: there it is what unseen failures cost.
LEAST, WIDEST, FROM = 92.0, 1.4, 50
#: Of 100 comparisons without a true difference the most that find one in any cell; and of 100 new systems that lose as
#: much as the margin the most that pass, in any cell and on average.
TYPE_1, PASSING, PASSING_MEAN = 8.0, 10.0, 6.5
#: The least power to see that each of 21 answers lost 2 to 4 points, where most have them to lose.
POWER, MOST_LOSE = 90.0, 1.5
#: Where the loss is said to be found in 80 % of samples, in what share it may be.
FOUND = (75.0, 92.0)
#: Margins, in what unseen failures could cost, and the gain of an answer that does not fail, in points.
MARGINS, GAINS = (1.0, 1.15, 1.5, 2.5), (0.0, 0.5)
#: Answers that share a document: the correlation of their latent quality.
WITHIN = 0.4
#: The cells that may be outside, by name and size. They are in docs/how-we-know.md, with the reason.
NAMED = frozenset(
    (name, size)
    for name, sizes in {
        "real musique, one": ["20"],
        "right/wrong 95 %": ["21"],
        "right/wrong 97 %": ["21", "60"],
    }.items()
    for size in sizes
)


@dataclass(frozen=True)
class Population:
    """Scores of answers, in points: `draw` makes them from latent normal values and a generator; `truth` is exact."""

    truth: float
    draw: Callable[[Points, Generator], Points]

    def sample(self, generator: Generator, sizes: Sequence[int], draws: int) -> Points:
        """Return samples of documents with so many answers each: samples, answers, columns."""
        latent = generator.standard_normal((draws, sum(sizes)))
        if max(sizes) > 1:
            shared = np.repeat(generator.standard_normal((draws, len(sizes))), sizes, axis=1)
            latent = math.sqrt(WITHIN) * shared + math.sqrt(1 - WITHIN) * latent
        return self.draw(latent, generator)


def bounded(zeros: float, full: float, others: Callable[[Generator], Points] | None = None) -> Population:
    """Return answers of which shares score 0 and 100, and the others as drawn by `others`, from 0 to 1."""
    rest = np.zeros(2) if others is None else np.sort(np.clip(others(np.random.default_rng(SEED)), 0, 1))
    width = 1 - zeros - full

    def draw(latent: Points, _: Generator) -> Points:
        rank = np.interp(latent, _GRID, _CUMULATIVE)
        inside = np.interp((rank - zeros) / (width or 1.0), np.linspace(0, 1, len(rest)), rest)
        return 100 * np.where(rank < zeros, 0.0, np.where(rank >= 1 - full, 1.0, inside))[..., None]

    return Population(100 * (full + width * float(rest.mean())), draw)


_GRID = np.linspace(-6, 6, 4001)
_CUMULATIVE = np.array([NormalDist().cdf(value) for value in _GRID])


def rouge() -> Population:
    """Return three strongly correlated columns of log-normal F-measures, and their geometric mean."""
    means, spreads, shared = np.array([0.33, 0.12, 0.18]), np.array([0.25, 0.5, 0.3]), 0.9

    def draw(latent: Points, generator: Generator) -> Points:
        own = generator.standard_normal((*latent.shape, 3))
        mixed = math.sqrt(shared) * latent[..., None] + math.sqrt(1 - shared) * own
        return 100 * np.minimum(np.exp(np.log(means) - spreads**2 / 2 + spreads * mixed), 1.0)

    return Population(100 * float(np.prod(means)) ** (1 / 3), draw)


def f1(zeros: float) -> Population:
    """Return scores of short answers: many zeros, one in ten of the others 100."""
    return bounded(zeros, (1 - zeros) / 10, lambda generator: generator.beta(1.3, 2.7, 100_000))


def uniform(zeros: float, low: float, high: float) -> Population:
    """Return answers that score between two shares of 1, of which a share fails."""
    return bounded(zeros, 0.0, lambda generator: generator.uniform(low, high, 100_000))


def summaries(zeros: float) -> Population:
    """Return summaries of 28 points, give or take 4, of which a share is empty."""
    return bounded(zeros, 0.0, lambda generator: generator.normal(0.28, 0.04, 100_000))


RIGHT = (0.5, 0.8, 0.9, 0.95, 0.97)
#: Systems that hardly fail.
STRONG = {
    "85 to 100, 2 % fail": uniform(0.02, 0.85, 1.0),
    "85 to 100, 5 % fail": uniform(0.05, 0.85, 1.0),
    "98 to 100, 1 % fail": uniform(0.01, 0.98, 1.0),
    "summaries of 28, 5 % empty": summaries(0.05),
}
POPULATIONS = {
    **{f"right/wrong {p:.0%}".replace("%", " %"): bounded(1 - p, p) for p in RIGHT},
    **{f"F1, {zeros:.0%} zeros".replace("%", " %"): f1(zeros) for zeros in (0.4, 0.7, 0.9)},
    "ROUGE": rouge(),
    "exponential similarity": bounded(0.1, 0.2, lambda generator: 2.0 ** -generator.exponential(1.0, 100_000)),
    "concordance": bounded(0.1, 0.15, lambda generator: generator.beta(6, 1.3, 100_000)),
}
CLUSTERED = ("right/wrong 80 %", "F1, 40 % zeros", "ROUGE", "concordance")
#: The first systems at a gate.
GATES = {
    **{f"right/wrong {p:.0%}".replace("%", " %"): bounded(1 - p, p) for p in (0.2, 0.5, 0.8)},
    **{f"F1, {zeros:.0%} zeros".replace("%", " %"): f1(zeros) for zeros in (0.4, 0.7, 0.9)},
    "summaries of 28": summaries(0.0),
    "F1 of 20 to 100": uniform(0.0, 0.2, 1.0),
    "ROUGE": rouge(),
}
#: Tasks: a population, the number of answers, and how many share a document.
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
    **{
        f"nine of 500, {name} of {size}": [*[("F1, 40 % zeros", 500, 1)] * 9, (name, size, 1)]
        for name, size in (("concordance", 10), ("85 to 100, 2 % fail", 20), ("right/wrong 80 %", 10))
    },
    "average, ten of 500": [*[("F1, 40 % zeros", 500, 1)] * 5, *[("ROUGE", 500, 1)] * 5],
}


@dataclass(frozen=True)
class Cell:
    """A line of a table: its numbers, and whether they are outside the limits."""

    name: str
    size: str
    numbers: tuple[float | None, ...]
    outside: bool = False

    @property
    def failed(self) -> bool:
        """Whether the cell is outside the limits and not named."""
        return self.outside and (self.name, self.size) not in NAMED

    def __str__(self) -> str:
        shown = " ".join(f"{'-' if number is None else format(number, '.2f'):>7}" for number in self.numbers)
        return f"{self.name:38} {self.size:>12} {shown}  {'FAIL' if self.failed else 'named' * self.outside}"


def generator_of(*parts: object) -> Generator:
    """Return the generator of a cell."""
    return np.random.default_rng([SEED, *("/".join(map(str, parts))).encode()])


def measured(name: str, size: str, truth: float, ends: Ends, weights: Points, *, wide: bool = False) -> Cell:
    """Return the cell of samples with these weights; `wide` ones may have any width."""
    score, low, high = ends
    if not ((low < high) & (low >= 0) & (high <= 100 + 1e-9)).all():
        raise SystemExit(f"{name}, {size}: an interval is a point or reaches outside 0 to 100")
    weights = weights / weights.sum()
    order = np.argsort(score)
    central = np.searchsorted(np.cumsum(weights[order]), [0.025, 0.975])
    true_width = float(np.subtract(*score[order][central[::-1]]))
    above, below = 100 * weights[truth < low - 1e-9].sum(), 100 * weights[truth > high + 1e-9].sum()
    held, ratio = 100 - below - above, float(weights @ (high - low)) / true_width
    lattice = name.startswith("right/wrong") and size in ("10", "20")  # no interval can be better
    outside = (round(held, 1) < LEAST and not lattice) or (not wide and round(ratio, 2) > WIDEST)
    return Cell(name, size, (held, above, below, ratio), outside)


def sizes_of(documents: int, *, spread: bool) -> list[int]:
    """Return how many answers each document has: four, or from 1 to 10."""
    return [1 + i % 10 for i in range(documents)] if spread else [4] * documents


def coverage(name: str, sizes: Sequence[int], size: str = "", draws: int = DRAWS) -> Cell:
    """Return the cell of a population: samples of documents with so many answers."""
    population, answers = populations()[name], sum(sizes)
    if name.startswith("right/wrong") and max(sizes) == 1:
        p, counts = population.truth / 100, range(answers + 1)
        found = [interval([[100.0] * right + [0.0] * (answers - right)]) for right in counts]
        rows = [(100 * right / answers, ends.low, ends.high) for right, ends in zip(counts, found, strict=True) if ends]
        ends = Ends(*np.array(rows).T)
        weights = np.array([math.comb(answers, right) * p**right * (1 - p) ** (answers - right) for right in counts])
    else:
        ends = interval_ends(population.sample(generator_of(name, *sizes), sizes, draws), sizes)
        weights = np.ones(draws)
    wide = name in STRONG or answers < FROM or len(sizes) < FROM
    return measured(name, size or str(answers), population.truth, ends, weights, wide=wide)


def average(name: str, draws: int = DRAWS) -> Cell:
    """Return the cell of the average over tasks, combined as `average_interval` does."""
    generator, tasks = generator_of(name), list[Ends]()
    for task, answers, cluster in AVERAGES[name]:
        sizes = [cluster] * (answers // cluster)
        tasks.append(interval_ends(populations()[task].sample(generator, sizes, draws), sizes))
    scores, lows, highs = (np.array(each) for each in zip(*tasks, strict=True))
    score, count = scores.mean(axis=0), len(tasks)
    below, above = (np.sqrt((gap**2).sum(axis=0)) / count for gap in (scores - lows, highs - scores))
    truth = float(np.mean([populations()[task].truth for task, _, _ in AVERAGES[name]]))
    return measured(name, "", truth, Ends(score, score - below, score + above), np.ones(draws))


def without_difference(name: str, share: int, size: int, draws: int = DRAWS) -> Cell:
    """Return how often of 100 times one of two systems without a true difference is called better."""
    generator = generator_of("no difference", name, share, size)
    one, two = pairs_of(name, generator, size, draws)
    two = np.where(generator.random((draws, size, 1)) < share / 100, two, one)
    swapped = generator.random((draws, size, 1)) < 0.5
    result = compared(np.where(swapped, two, one), np.where(swapped, one, two))
    type_1 = 100 * float(result.clear.mean())
    return Cell(name, f"{share} % of {size}", (type_1,), type_1 > TYPE_1)


def with_loss(name: str, share: int, size: int, draws: int = DRAWS) -> Cell:
    """Return how many points a new system loses, and how often of 100 times it is called worse."""
    generator = generator_of("loss", name, share, size)
    power = 100 * float(compared(*losing(name, share, size, generator, draws)).worse.mean())
    loss = true_loss(name, share)
    weak = share == 100 and size == PAIR_SIZES[0] and loss >= MOST_LOSE and power < POWER
    return Cell(name, f"{share} % of {size}", (loss, power), weak)


def losing(name: str, share: int, size: int, generator: Generator, draws: int) -> tuple[Points, Points]:
    """Return samples of two systems, of which the new one loses points in a share of the answers."""
    old = pairs_of(name, generator, size, draws)[0]
    if share == 100:
        score = geometric_mean(old)[..., None]
        lost = np.minimum(generator.uniform(2, 4, (draws, size, 1)), score)
        return old, old * (1 - lost / np.maximum(score, 1e-9))
    return old, np.where(generator.random((draws, size, 1)) < share / 100, 0.0, old)


@cache
def true_loss(name: str, share: int) -> float:
    """Return the loss over very many answers."""
    sides = losing(name, share, 400_000, np.random.default_rng(SEED), 1)
    old, new = (float(geometric_mean(side.mean(axis=1))[0]) for side in sides)
    return old - new


def found_as_said(name: str, size: int, draws: int = DRAWS) -> Cell:
    """Return the loss that is said to be found in 80 % of samples, as a mean, and in what share it is."""
    generator = generator_of("found", name, size)
    one, two = pairs_of(name, generator, size, draws)
    loss = float(np.nanmean(compared(one, two).detectable))
    one, two = pairs_of(name, generator, size, draws)
    lower = two - loss if two.shape[2] == 1 else two * (1 - loss / populations()[name].truth)  # some are below 0
    power = 100 * float(compared(one, lower).worse.mean())
    return Cell(name, str(size), (loss, power), not FOUND[0] <= power <= FOUND[1])


@cache
def carried(name: str) -> tuple[float, float]:
    """Return the share of a population's answers that carry its score, as `carriers` counts them, and that score."""
    points = geometric_mean(GATES[name].sample(np.random.default_rng(SEED), [1] * 400_000, 1))[0]
    return float(points.mean() ** 2 / (points**2).mean()), float((points > 0).mean())


def gate(name: str, size: int, draws: int = DRAWS) -> Cell:
    """Return how often of 100 times a new system passes that loses as much as the margin, at worst and on average.

    The margins are multiples of what unseen failures could cost; without and with a gain of the answers that do not
    fail. The last number is how often one passes a margin of 2 of which 5 % of the answers change by 3 points.
    """
    population, generator = GATES[name], generator_of("gate", name, size)
    carrying, scoring = carried(name)
    cost, passed = population.truth * unseen_share(max(size * carrying, 1.0)), list[float]()
    for multiple, gain in itertools.product(MARGINS, GAINS):
        margin, grown = multiple * cost, population.truth + gain * scoring
        failing = 1 - (population.truth - margin) / grown
        if failing < 1:
            old = population.sample(generator, [1] * size, draws)
            fails = generator.random((draws, size, 1)) < failing
            passed.append(
                100 * float(compared(old, np.where(fails, 0.0, old * grown / population.truth)).passes(margin).mean())
            )
    old = population.sample(generator, [1] * size, draws)
    moved = np.where(generator.random((draws, size, 1)) < 0.05, generator.choice([-3.0, 3.0], (draws, size, 1)), 0.0)
    still = 100 * float(compared(old, np.maximum(old + moved * (old > 0), 0.0)).passes(2.0).mean())
    worst = max(passed)
    return Cell(name, str(size), (worst, float(np.mean(passed)), still), worst > PASSING)


def gate_of_average(name: str, failing: float, gain: float, draws: int = AVERAGED) -> Cell:
    """Return how often of 100 times a system passes whose average of ten tasks loses as much as the margin."""
    generator, tasks = generator_of("gate", name, failing, gain), AVERAGES[name]
    truth = sum(populations()[task].truth for task, _, _ in tasks) / len(tasks)
    margin, passed = truth * (1 - (1 - failing) * (1 + gain)), 0
    for _ in range(draws):
        pairs = {}
        for place, (task, answers, _) in enumerate(tasks):
            (old,) = populations()[task].sample(generator, [1] * answers, 1)
            new = np.where(generator.random((answers, 1)) < failing, 0.0, old * (1 + gain))
            pairs[str(place)] = Pair(as_columns(old), as_columns(new))
        passed += compare_on_benchmark(pairs).passes(margin)
    found = 100 * passed / draws
    return Cell(f"{name}, {failing:.0%} fail, {gain:.0%} gained", "", (margin, found), found > PASSING)


def skewed(share: float, gain: float, loss: float, size: int, draws: int = DRAWS) -> Cell:
    """Return how often of 100 times a system is called better of which a share gains and the rest loses as much."""
    changes = np.where(generator_of("skewed", share, size).random((draws, size, 1)) < share, gain, -loss)
    result: Compared = compared(np.full_like(changes, 50.0), 50.0 + changes)
    return Cell(f"{share:.0%} gain {gain:g}, the others lose {loss:g}", str(size), (100 * float(result.better.mean()),))


#: Several runs of one system: how many, of how many answers, and the limits of their coverage, in percent.
RUNS, RUN_SIZES, RUNS_HELD = (3, 5), (50, 200, 500), (93.0, 98.0)
#: The mean points of an answer that is not wrong, as a share, and by how many points whole runs are shifted.
WORTH, SHIFT = {"right/wrong": 1.0, "F1": 0.75}, 5.0


def runs_of(
    kind: str,
    better: Points | float,
    shape: tuple[int, int, int],
    generator: Generator,
    questions: Points | None = None,
) -> Points:
    """Return the points of each sample, answer and run: questions differ, and each run answers by chance.

    60 % of answers are not wrong; `better` changes that by up to 0.2. `questions` are the chances of each.
    """
    samples, size, runs = shape
    drawn = 0.2 + 0.6 * generator.beta(2, 1, (samples, size, 1)) if questions is None else questions
    chance = drawn + better
    good = generator.beta(6, 2, (samples, size, runs)) if kind == "F1" else 1.0
    return np.where(generator.random((samples, size, runs)) < chance, 100.0 * good, 0.0)


def mean_of_runs(points: Points, runs: int) -> Points:
    """Return the samples of the mean over so many runs."""
    mean: Points = points[:, :, :runs].mean(axis=2, keepdims=True)
    return mean


def several_runs(kind: str, runs: int, size: int, draws: int = DRAWS) -> Cell:
    """Return the coverage of the mean of several runs, the loss of a new system, how often of 100 times it is called
    worse with one run and with several, and the coverage where whole runs are shifted.
    """
    generator, shape, loss = generator_of("runs", kind, runs, size), (draws, size, runs), 1.4 / math.sqrt(size)
    truth, shifts = 60 * WORTH[kind], np.clip(generator.normal(0, SHIFT / 100, (draws, 1, runs)), -0.2, 0.2)
    old, shifted = runs_of(kind, 0.0, shape, generator), runs_of(kind, shifts, shape, generator)
    held = [
        100 * float(((ends.low <= truth) & (truth <= ends.high)).mean())
        for ends in (interval_ends(mean_of_runs(each, runs), [1] * size) for each in (old, shifted))
    ]
    questions = 0.2 + 0.6 * generator.beta(2, 1, (draws, size, 1))
    sides = [runs_of(kind, change, shape, generator, questions) for change in (0.0, -loss)]
    one, several = (
        100 * float(compared(*(mean_of_runs(side, count) for side in sides)).worse.mean()) for count in (1, runs)
    )
    outside = not RUNS_HELD[0] <= round(held[0], 1) <= RUNS_HELD[1]
    numbers = held[0], 100 * loss * WORTH[kind], one, several, held[1]
    return Cell(f"{kind}, {runs} runs", str(size), numbers, outside or several < one)


def pairs_of(name: str, generator: Generator, size: int, draws: int) -> list[Points]:
    """Return samples of two systems' answers to so many questions."""
    if name in real_scores():
        places = generator.integers(len(real_scores()[name][0]), size=(draws, size))
        return [scores[places][..., None] for scores in real_scores()[name]]
    return [populations()[name].sample(generator, [1] * size, draws) for _ in range(2)]


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
            draw = partial(lambda values, latent, generator: generator.choice(values, latent.shape)[..., None], scores)
            real[f"{name}, {system}"] = Population(float(scores.mean()), draw)
    return {**POPULATIONS, **STRONG, **real}


def main() -> int:
    """Print the tables and return the exit status."""
    begun, cells, systems = time.perf_counter(), list[Cell](), [*POPULATIONS, *real_scores()]
    wholes = [(name, share, size) for name in systems for share in SHARES for size in PAIR_SIZES]
    with Pool(2) as pool:
        print(f"1. Intervals ({METHOD}): holds the true score %, lies above it, below it, width")
        documents = [
            (name, sizes_of(count, spread=spread), f"{count} of {'1-10' if spread else 4}")
            for name, count, spread in itertools.product(CLUSTERED, CLUSTERS, (False, True))
        ]
        cells += show(pool.imap(average, AVERAGES))
        cells += show(pool.starmap(coverage, [(name, [1] * size) for name in populations() for size in SIZES], 4))
        cells += show(pool.starmap(coverage, documents, 1))
        print("2. No true difference: called better %")
        cells += show(pool.starmap(without_difference, wholes, 2))
        print("3. A loss: points lost, called worse %; and the loss that is said to be found in 80 %: points, found %")
        cells += show(pool.starmap(with_loss, wholes, 2))
        cells += show(pool.starmap(found_as_said, itertools.product(POPULATIONS, PAIR_SIZES), 1))
        print("4. Gates, the true loss equal to the margin: pass % at worst, on average; unmoved, pass a margin of 2 %")
        gates = show(pool.starmap(gate, itertools.product(GATES, (10, *PAIR_SIZES)), 1))
        losses = itertools.product(("average, validation sizes",), (0.02, 0.05, 0.1), (0.0, 0.02))
        cells += [*gates, *show(pool.starmap(gate_of_average, losses, 1))]
    print("5. Skewed changes without a true difference: called better % (no limit)")
    show(skewed(*kind, size) for kind in ((0.95, 1.0, 19.0), (0.99, 0.5, 49.5)) for size in (10, 20, 50, 100, 200))
    print(
        "6. Several runs: holds the true score %; a loss: points, called worse % with one run, with all; runs shifted %"
    )
    cells += show(several_runs(*each) for each in itertools.product(WORTH, RUNS, RUN_SIZES))
    mean = float(np.mean([cell.numbers[1] for cell in gates if cell.numbers[1] is not None]))
    stale = NAMED & {(cell.name, cell.size) for cell in cells} - {
        (cell.name, cell.size) for cell in cells if cell.outside
    }
    for name, size in sorted(stale):
        print(f"{name}, {size}: named, and within the limits")
    failed = sum(cell.failed for cell in cells) + len(stale) + (mean > PASSING_MEAN)
    print(f"Passes at a loss of the margin, on average: {mean:.1f} % (limit {PASSING_MEAN})")
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
