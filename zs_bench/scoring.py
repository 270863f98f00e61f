"""Score prediction files against reference files: join by id, refuse what cannot be scored, score the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from zs_metric.errors import UnreadableReference
from zs_metric.results import BenchmarkResult, TaskResult
from zs_metric.scoring import average, score_task
from zs_metric.tasks import TASKS

from .files.gather import Answer, Predictions, References
from .problems import Problem

#: Called with the share done (0 to 1) and what is done next.
Progress = Callable[[float, str], None]


@dataclass(frozen=True, slots=True)
class ScoredTask:
    """One task of a file.

    Attributes:
        task: its name.
        result: its scores; `None` when the task was refused.
        ids: the ids scored, in the order of the references.
        predictions, references: the texts scored, in the same order.
        missing: ids of the references that have no answer.
        unknown: ids of answers that have no reference.
        split: the split of the references, where their file tells.
        total: the number of examples the references have.
    """

    task: str
    result: TaskResult | None
    ids: list[str]
    predictions: list[str]
    references: list[list[str]]
    missing: list[str]
    unknown: list[str]
    split: str | None
    total: int

    @property
    def partial(self) -> bool:
        """Whether the score leaves examples out."""
        return self.result is not None and len(self.ids) < self.total


@dataclass(frozen=True, slots=True)
class ScoredFile:
    """A submission: its tasks in the benchmark's order, the averages, and everything that is wrong with it.

    Attributes:
        benchmark: `None` when no task could be scored.
        partial: whether ids present on both sides only were to be scored.
    """

    tasks: dict[str, ScoredTask]
    benchmark: BenchmarkResult | None
    problems: list[Problem]
    partial: bool
    rouge_aggregation: str

    @property
    def refused(self) -> bool:
        """Whether anything was refused (exit status 1)."""
        return any(problem.refuses for problem in self.problems)


def score_predictions(
    predictions: Predictions,
    references: References,
    *,
    partial: bool = False,
    rouge_aggregation: str = "corpus",
    progress: Progress | None = None,
) -> ScoredFile:
    """Score every task that has answers.

    A task with a problem that refuses it is not scored; all its problems are listed, and the other tasks are scored.

    Args:
        predictions: as gathered from files.
        references: likewise.
        partial: score the ids present on both sides, although others are missing or unknown.
        rouge_aggregation: see `zs_metric.score_task`.
        progress: told of every task.
    """
    problems = predictions.problems + references.problems
    present = [task for task in TASKS if task in predictions.tasks]
    tasks: dict[str, ScoredTask] = {}
    for done, task in enumerate(present):
        if progress:
            progress(done / len(present), task)
        joined = _join(task, predictions.tasks[task], references)
        problems += joined.problems(partial=partial)
        refused = any(problem.refuses and problem.task == task for problem in problems)
        result = None if refused else _score(joined, rouge_aggregation, problems)
        tasks[task] = joined.scored(result)
    if not present:
        problems.append(Problem("nothing", "there is no answer in what was given; see the formats in the README"))
    scored = {task: done.result for task, done in tasks.items() if done.result is not None}
    return ScoredFile(tasks, average(scored) if scored else None, problems, partial, rouge_aggregation)


@dataclass(frozen=True, slots=True)
class _Joined:
    """The answers and references of one task, joined by id; `by_id` is `None` when the task has no references."""

    task: str
    answers: dict[str, Answer]
    split: str | None
    by_id: dict[str, list[str]] | None
    unlabelled: list[Problem]

    @property
    def ids(self) -> list[str]:
        return [key for key in self.by_id or () if key in self.answers]

    @property
    def missing(self) -> list[str]:
        return [key for key in self.by_id or () if key not in self.answers]

    @property
    def unknown(self) -> list[str]:
        return [key for key in self.answers if key not in (self.by_id or ())]

    def problems(self, *, partial: bool) -> Iterable[Problem]:
        """What is on one side only, and references that cannot be used."""
        if self.by_id is None:
            message = "there are no references for this task; add them, or leave the task out"
            yield Problem("no-references", message, self.task)
            return
        yield from self.unlabelled
        step = "left out, as asked" if partial else "add them, or score what is there with --partial"
        lacks = f"{len(self.missing)} of {len(self.by_id)} answers are missing; {step}"
        yield from (Problem("missing", lacks, self.task, key, refuses=not partial) for key in self.missing)
        step = "left out, as asked" if partial else "correct or remove them, or leave them out with --partial"
        foreign = f"{_ids_are(len(self.unknown))} not in the references; {step}"
        for key in self.unknown:
            yield Problem("unknown", foreign, self.task, key, self.answers[key].place, refuses=not partial)
        if partial and not self.ids:
            message = "no id is in both files; are these the references of this split?"
            yield Problem("no-overlap", message, self.task)

    def scored(self, result: TaskResult | None) -> ScoredTask:
        """The task with its result and the texts that were scored."""
        by_id = self.by_id or {}
        texts, references = [self.answers[key].text for key in self.ids], [by_id[key] for key in self.ids]
        sides = {"missing": self.missing, "unknown": self.unknown}
        return ScoredTask(self.task, result, self.ids, texts, references, **sides, split=self.split, total=len(by_id))


def _join(task: str, answers: dict[str, Answer], references: References) -> _Joined:
    if task not in references.tasks:
        return _Joined(task, answers, None, None, [])
    split, by_id = references.of_task(task, answers)
    return _Joined(task, answers, split, by_id, references.unlabelled.get((task, split), []))


def _score(joined: _Joined, rouge_aggregation: str, problems: list[Problem]) -> TaskResult | None:
    texts = joined.scored(None)
    try:
        return score_task(joined.task, texts.predictions, texts.references, rouge_aggregation=rouge_aggregation)
    except UnreadableReference as error:
        message = f"a reference cannot be read, {error.why}: {error.text!r:.80}; correct it"
        problems.append(Problem("unreadable-reference", message, joined.task, texts.ids[error.example or 0]))
        return None


def _ids_are(count: int) -> str:
    return "1 id is" if count == 1 else f"{count} ids are"
