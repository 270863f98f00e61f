"""Where the scores of a report stand among the published ones, with what must be said beside such a comparison.

A score is compared after rounding to as many decimals as the paper prints (`published.decimals`), and equal numbers
share a rank. The ranks are among the `published.systems` of the report's benchmark, the report's own system counted in:
rank 1 of 11 is better than all ten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from zs_bench.catalog import FACTS
from zs_bench.results.baselines import NAIVE
from zs_bench.results.caveats import caveats
from zs_bench.results.published import AVERAGE, decimals, marks, named_systems
from zs_metric.errors import LengthMismatch
from zs_metric.f1 import normalize
from zs_metric.results import ExampleResult
from zs_metric.tasks import find_benchmark

#: What the naive answers to each task are, for people, where the paper says so.
NAIVE_WORDS: Mapping[str, Mapping[str, str]] = {
    "zero_scrolls": {
        **{task: naive.words for task, naive in NAIVE.items()},
        AVERAGE: "the naive answers, which take no reading",
    },
    "scrolls": {},
}
NAIVE_NOT_SAID = "the paper's naive baseline"
AVERAGE_TITLES: Mapping[str, str] = {"zero_scrolls": "average", "scrolls": "average over seven tasks"}


@dataclass(frozen=True, slots=True)
class TaskStanding:
    """Where one score stands.

    Attributes:
        task: its name, or `AVERAGE`.
        benchmark: the name of the benchmark.
        score: points, as in the report.
        rank: 1 and the number of published systems that are better.
        of: how many are ranked, this one included.
        best: the best published system, as `named_systems` has it.
    """

    task: str
    benchmark: str
    score: float
    rank: int
    of: int
    best: str

    @property
    def shown(self) -> float:
        """The score with as many decimals as the published ones."""
        return _rounded(self.score, self.task, self.benchmark)

    @property
    def marks(self) -> dict[str, float | None]:
        """The published numbers to hold it against, in points, with the decimals of the tables."""
        held = marks(self.task, benchmark=self.benchmark)
        return {
            key: None if points is None else _rounded(points, self.task, self.benchmark) for key, points in held.items()
        }

    @property
    def below_naive(self) -> bool:
        """Whether answers that take no reading score more."""
        naive = self.marks.get("naive")
        return naive is not None and self.shown < naive

    @property
    def above_human(self) -> bool:
        """Whether people score less."""
        human = self.marks.get("human")
        return human is not None and self.shown > human

    @property
    def sentences(self) -> tuple[str, ...]:
        """The same for people."""
        return tuple(_sentences(self))


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a report stands.

    Attributes:
        tasks: per scored task, and last `AVERAGE` when the report has the benchmark's score.
        warnings: why the comparison is not one of like with like; empty when nothing speaks against it.
    """

    tasks: Mapping[str, TaskStanding]
    warnings: tuple[str, ...]


def standing(report: Mapping[str, Any]) -> Standing:
    """Where the scores of a report (`report.as_json`) stand among the published ones of its benchmark.

    Raises:
        UnknownBenchmark, UnknownTask: with the likely name.

    >>> report = {"score": None, "tasks": {"space_digest": {"score": 41.2, "split": "test", "n": 500, "total": 500}}}
    >>> standing(report).tasks["space_digest"].sentences[0]
    'Your SpaceDigest 41.2 is below always answering 50% (45.0).'
    """
    benchmark = find_benchmark(report.get("benchmark", "zero_scrolls")).name
    scored = {task: found for task, found in report["tasks"].items() if found["score"] is not None}
    scores = {task: found["score"] for task, found in scored.items()}
    if report["score"] is not None:
        scores[AVERAGE] = report["score"]
    stood = {task: task_standing(task, score, benchmark=benchmark) for task, score in scores.items()}
    return Standing(stood, tuple(caveats(report, benchmark=benchmark)))


def task_standing(task: str, score: float, *, benchmark: str = "zero_scrolls") -> TaskStanding:
    """Where a score, in points, stands among the published ones of that task, or of the `AVERAGE`.

    Raises:
        UnknownBenchmark, UnknownTask: with the likely name, or the benchmark that has the task.
    """
    shown = _rounded(score, task, benchmark)
    ranked = {
        name: _rounded(points, task, benchmark)
        for name, row in named_systems(benchmark=benchmark).items()
        if (points := row.points(task)) is not None
    }
    rank, of = 1 + sum(points > shown for points in ranked.values()), len(ranked) + 1
    return TaskStanding(task, benchmark, score, rank, of, max(ranked, key=ranked.__getitem__))


def _rounded(points: float, task: str, benchmark: str) -> float:
    """The points with as many decimals as the benchmark's tables print."""
    return round(points, decimals(task, benchmark=benchmark))


def musique_split(
    ids: Sequence[str], references: Sequence[Sequence[str]], examples: Sequence[ExampleResult]
) -> dict[str, dict[str, Any]]:
    """MuSiQue's score on the questions that the paragraphs answer and on those that they do not.

    Unanswerable is a question one of whose references is "unanswerable" once normalised as F1 does.

    Args:
        ids: of the questions.
        references: of each of them.
        examples: the result of each of them.

    Returns:
        `{"answerable": {"score": points or None, "n": questions, "ids": […]}, "unanswerable": …}`.

    Raises:
        LengthMismatch: when the three do not line up.
    """
    if not len(ids) == len(references) == len(examples):
        raise LengthMismatch(ids=len(ids), references=len(references), examples=len(examples))
    parts: dict[bool, list[tuple[str, float]]] = {True: [], False: []}
    for key, texts, example in zip(ids, references, examples, strict=True):
        parts[all(normalize(text) != "unanswerable" for text in texts)].append((key, example.score))
    return {"answerable": _part(parts[True]), "unanswerable": _part(parts[False])}


def _part(scored: Sequence[tuple[str, float]]) -> dict[str, Any]:
    score = fsum(points for _, points in scored) / len(scored) if scored else None
    return {"score": score, "n": len(scored), "ids": [key for key, _ in scored]}


def _sentences(stood: TaskStanding) -> Iterable[str]:
    task, benchmark, shown, held = stood.task, stood.benchmark, stood.shown, stood.marks
    digits = decimals(task, benchmark=benchmark)
    yours = f"Your {title(task, benchmark=benchmark)} {shown:.{digits}f}"
    naive, human = held.get("naive"), held.get("human")
    if naive is not None and shown <= naive:
        words = NAIVE_WORDS[benchmark].get(task, NAIVE_NOT_SAID)
        yield f"{yours} is {'below' if shown < naive else 'no better than'} {words} ({naive:.{digits}f})."
    best = named_systems(benchmark=benchmark)[stood.best]
    kind = "" if best.system == "model" else f", {best.system}"
    people = "" if human is None else f"; people reach {human:.{digits}f}"
    top = f"the best published is {stood.best}{kind}, {best.points(task):.{digits}f}"
    yield f"{yours} would be rank {stood.rank} of {stood.of}; {top}{people}."


def title(task: str, *, benchmark: str = "zero_scrolls") -> str:
    """What people call the task, or the average."""
    return AVERAGE_TITLES[benchmark] if task == AVERAGE else FACTS[task].title
