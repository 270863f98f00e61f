"""Score prediction files against reference files: join by id, refuse what cannot be scored, score the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from zs_bench.files.gather import Predictions, References
from zs_bench.problems import Problem
from zs_bench.reports.joining import Joined, join
from zs_metric.results import BenchmarkResult, TaskResult
from zs_metric.scoring import average, score_task
from zs_metric.tasks import TASKS

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
        missing: ids of the references that have no answer, not even one that cannot be used.
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
        problems: what refuses something first.
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
    present = [task for task in TASKS if task in predictions.tasks]
    problems = predictions.problems + [_if_asked(problem, present) for problem in references.problems]
    tasks: dict[str, ScoredTask] = {}
    for done, task in enumerate(present):
        if progress:
            progress(done / len(present), task)
        joined = join(task, predictions, references)
        problems += joined.problems(partial=partial)
        refused = any(problem.refuses and problem.task == task for problem in problems)
        texts = _texts(joined)
        tasks[task] = texts if refused else replace(texts, result=_score(texts, rouge_aggregation))
    if not present and not any(problem.refuses for problem in problems):
        problems.append(Problem("nothing", "there is no answer in what was given; see the formats in the README"))
    problems.sort(key=lambda problem: not problem.refuses)
    scored = {task: done.result for task, done in tasks.items() if done.result is not None}
    return ScoredFile(tasks, average(scored) if scored else None, problems, partial, rouge_aggregation)


def _texts(joined: Joined) -> ScoredTask:
    """The task with the texts to be scored, and no result yet."""
    by_id = joined.by_id or {}
    return ScoredTask(
        joined.task,
        None,
        joined.ids,
        [joined.answers[key].text for key in joined.ids],
        [by_id[key] for key in joined.ids],
        missing=joined.missing,
        unknown=joined.unknown,
        split=joined.split,
        total=len(by_id),
    )


def _score(texts: ScoredTask, rouge_aggregation: str) -> TaskResult:
    return score_task(texts.task, texts.predictions, texts.references, rouge_aggregation=rouge_aggregation)


def _if_asked(problem: Problem, present: list[str]) -> Problem:
    """References of a task without answers are not asked for: what is wrong with them refuses nothing."""
    return replace(problem, refuses=False) if problem.task and problem.task not in present else problem
