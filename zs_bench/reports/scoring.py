"""Score prediction files against reference files: join by id, refuse what cannot be scored, score the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from zs_bench.files.gather import Predictions, References
from zs_bench.problems import Problem
from zs_bench.reports.joining import Joined, join
from zs_bench.reports.scored import ScoredFile, ScoredTask
from zs_bench.statistics.bootstrap import Interval, benchmark_interval, interval
from zs_bench.statistics.columns import clusters, columns
from zs_metric.scoring import average, score_task
from zs_metric.tasks import find_benchmark

__all__ = ["Progress", "ScoredFile", "ScoredTask", "score_predictions"]

#: Called with the share done (0 to 1) and what is done next.
Progress = Callable[[float, str], None]


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
        predictions: as gathered from files; they tell the benchmark.
        references: likewise.
        partial: score the ids present on both sides, although others are missing or unknown.
        rouge_aggregation: see `zs_metric.score_task`.
        progress: told of every task.
    """
    benchmark = find_benchmark(predictions.benchmark)
    present = [task for task in benchmark.all_tasks if task in predictions.tasks]
    problems = predictions.problems + [_if_asked(problem, present) for problem in references.problems]
    tasks: dict[str, ScoredTask] = {}
    for done, task in enumerate(present):
        if progress:
            progress(done / len(present), task)
        joined = join(task, predictions, references)
        problems += joined.problems(partial=partial)
        refused = any(problem.refuses and problem.task == task for problem in problems)
        texts = _texts(joined)
        tasks[task] = texts if refused else _score(texts, joined, rouge_aggregation)
    if not present and not any(problem.refuses for problem in problems):
        problems.append(Problem("nothing", "there is no answer in what was given; see the formats in the README"))
    problems.sort(key=lambda problem: not problem.refuses)
    averaged = [task for name, task in tasks.items() if name in benchmark.tasks and task.result]
    scored = {task: done.result for task, done in tasks.items() if done.result is not None}
    means = average(scored, benchmark=benchmark.name) if averaged else None
    about = (problems, partial, rouge_aggregation, _mean_interval(averaged, rouge_aggregation) if averaged else None)
    return ScoredFile(tasks, means, *about, files=predictions.files, benchmark_name=benchmark.name)


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
        by_id=by_id,
        benchmark=joined.benchmark,
    )


def _score(texts: ScoredTask, joined: Joined, rouge_aggregation: str) -> ScoredTask:
    how = {"rouge_aggregation": rouge_aggregation, "benchmark": texts.benchmark}
    result = score_task(texts.task, texts.predictions, texts.references, **how)
    shared = clusters(texts.task, texts.ids, [joined.documents.get(key) for key in texts.ids])
    ends = interval(columns(result, rouge_aggregation), shared)
    return replace(texts, result=result, clusters=shared, interval=ends)


def _mean_interval(tasks: Iterable[ScoredTask], rouge_aggregation: str) -> Interval | None:
    return benchmark_interval(
        {task.task: (columns(task.result, rouge_aggregation), task.clusters) for task in tasks if task.result}
    )


def _if_asked(problem: Problem, present: list[str]) -> Problem:
    """References of a task without answers are not asked for: what is wrong with them refuses nothing."""
    return replace(problem, refuses=False) if problem.task and problem.task not in present else problem
