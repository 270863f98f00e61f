"""Where the scores of a report stand among the published ones, with what must be said beside such a comparison.

Published numbers have one decimal, so a score is compared after rounding to one, and equal numbers share a rank. The
ranks are among `published.systems()`, the report's own system counted in: rank 1 of 11 is better than all ten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from zs_bench.catalog import FACTS
from zs_bench.results.baselines import NAIVE
from zs_bench.results.published import AVERAGE, PublishedRow, marks, systems
from zs_metric.errors import LengthMismatch
from zs_metric.f1 import normalize
from zs_metric.results import ExampleResult
from zs_metric.tasks import TASKS

PUBLISHED_SPLIT = "test"
#: How many questions a task has in the validation split, fewest and most.
VALIDATION_QUESTIONS = (10, 28)
#: Half the width of the 95 % interval of a validation score, in points, narrowest and widest, roughly.
HALF_WIDTH = (9, 18)
NAIVE_AVERAGE = "the naive answers, which take no reading"


@dataclass(frozen=True, slots=True)
class TaskStanding:
    """Where one score stands.

    Attributes:
        task: its name, or `AVERAGE`.
        score: points, as in the report.
        rank: 1 and the number of published systems that are better.
        of: how many are ranked, this one included.
        best: the best published system.
        naive, gpt4, human: the published numbers to hold it against, in points; `None` where there is none.
        sentences: the same for people.
    """

    task: str
    score: float
    rank: int
    of: int
    best: str
    naive: float | None
    gpt4: float | None
    human: float | None
    sentences: tuple[str, ...]

    @property
    def below_naive(self) -> bool:
        """Whether answers that take no reading score more."""
        return self.naive is not None and round(self.score, 1) < self.naive

    @property
    def above_human(self) -> bool:
        """Whether people score less."""
        return self.human is not None and round(self.score, 1) > self.human


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
    """Where the scores of a report (`report.as_json`) stand among the published ones.

    >>> report = {"score": None, "tasks": {"space_digest": {"score": 41.2, "split": "test", "n": 500, "total": 500}}}
    >>> standing(report).tasks["space_digest"].sentences[0]
    'Your SpaceDigest 41.2 is below always answering 50% (45.0).'
    """
    scored = {task: found for task, found in report["tasks"].items() if found["score"] is not None}
    scores = {task: found["score"] for task, found in scored.items()}
    if report["score"] is not None:
        scores[AVERAGE] = report["score"]
    return Standing({task: task_standing(task, score) for task, score in scores.items()}, tuple(_warnings(report)))


def task_standing(task: str, score: float) -> TaskStanding:
    """Where a score, in points, stands among the published ones of that task, or of the `AVERAGE`.

    Raises:
        UnknownTask: with the likely name.
    """
    held = marks(task)
    ranked = [(points, row) for row in systems() if (points := row.points(task)) is not None]
    rank, of = 1 + sum(points > round(score, 1) for points, _ in ranked), len(ranked) + 1
    best = max(ranked, key=lambda pair: pair[0])[1]
    sentences = tuple(_sentences(task, score, (rank, of), best))
    return TaskStanding(task, score, rank, of, best.model, **held, sentences=sentences)


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


def _sentences(task: str, score: float, place: tuple[int, int], best: PublishedRow) -> Iterable[str]:
    held, shown = marks(task), round(score, 1)
    yours = f"Your {title(task)} {shown:.1f}"
    naive, human, words = held["naive"], held["human"], NAIVE_AVERAGE if task == AVERAGE else NAIVE[task].words
    if naive is not None and shown <= naive:
        yield f"{yours} is {'below' if shown < naive else 'no better than'} {words} ({naive:.1f})."
    kind = "" if best.system == "model" else f", {best.system}"
    people = "" if human is None else f"; people reach {human:.1f}"
    top = f"the best published is {best.model}{kind}, {best.points(task):.1f}"
    yield f"{yours} would be rank {place[0]} of {place[1]}; {top}{people}."


def title(task: str) -> str:
    """What people call the task, or the average."""
    return "average" if task == AVERAGE else FACTS[task].title


def _warnings(report: Mapping[str, Any]) -> Iterable[str]:
    tasks = {task: found for task, found in report["tasks"].items() if found["score"] is not None}
    splits: dict[str | None, list[str]] = {}
    for task, found in tasks.items():
        splits.setdefault(found["split"], []).append(task)
    for split, names in splits.items():
        if split != PUBLISHED_SPLIT:
            yield _other_split(split, "" if len(names) == len(tasks) else f" for {_listed(names)}")
    small = [found["n"] for found in tasks.values() if _rests_on_few(found)]
    if small:
        yield _wide_interval(min(small))
    short = [task for task, found in tasks.items() if found["n"] < found["total"]]
    if short:
        yield f"Not all answers are there for {_listed(short)}; published numbers are on all examples."
    rouge = [task for task in tasks if TASKS[task].metric == "rouge"]
    if rouge and report.get("rouge_aggregation", "corpus") != "corpus":
        yield f"Published ROUGE numbers use the aggregation “corpus”; yours for {_listed(rouge)} do not."


def _other_split(split: str | None, names: str) -> str:
    if split is None:
        return f"Published numbers are on the test split; on which split yours{names} are is not known."
    return f"Published numbers are on the test split, yours{names} on the {split} split."


def _rests_on_few(found: Mapping[str, Any]) -> bool:
    """Whether the score is one of the validation split, or of as few examples of a split that is not known."""
    return found["split"] == "validation" or (found["split"] is None and found["n"] <= VALIDATION_QUESTIONS[1])


def _wide_interval(fewest: int) -> str:
    (low, high), (few, many) = HALF_WIDTH, VALIDATION_QUESTIONS
    text = (
        f"A task has {few} to {many} questions in the validation split, so that the 95 % interval of its score reaches "
        f"about ±{low} to ±{high} points: a smaller difference says nothing."
    )
    return text if fewest >= few else f"{text} A task here has {fewest}, and its interval is wider still."


def _listed(tasks: Sequence[str]) -> str:
    return ", ".join(map(title, tasks))
