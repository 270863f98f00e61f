"""Scoring of validated predictions: they are joined with the references by id, and each task is scored or refused."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from zs_bench.problems import Problem
from zs_bench.progress import Progress
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_bench.statistics.bootstrap import benchmark_interval, interval
from zs_bench.statistics.columns import clusters, columns
from zs_bench.validation.references import ALL, References
from zs_bench.validation.task_rules import references_of_other
from zs_bench.validation.validate import Validation
from zs_metric.scoring import average, score_task
from zs_metric.tasks import Task


def score_predictions(
    validation: Validation,
    references: References,
    *,
    partial: bool = False,
    rouge_aggregation: str = "corpus",
    progress: Progress | None = None,
) -> ScoredFile:
    """Score every task that has predictions.

    A task with an error is refused: its problems are listed, and the other tasks are scored.

    Args:
        validation: the predictions, checked against the ids of these references.
        partial: score the ids with both prediction and reference, although others are missing or unknown.
        rouge_aggregation: see `zs_metric.score_task`.
    """
    benchmark = validation.read.benchmark
    present = [benchmark.all_tasks[name] for name in validation.predictions]
    problems = [_in_part(problem) if partial else problem for problem in validation.of_scores]
    problems += _of_references(references, {task.name for task in present})
    tasks: dict[str, ScoredTask] = {}
    for done, task in enumerate(present):
        if progress:
            progress(done / len(present), task.name)
        texts = _joined(task, validation, references)
        problems += _problems_of_references(texts, references, partial=partial)
        wrong = [problem for problem in problems if problem.refuses and problem.task == task.name]
        if not texts.ids and not wrong:
            problems.append(
                Problem("no-overlap", "No ID is in both files. Are the references of this split?", task.name)
            )
        lacks_some = not texts.ids or (len(texts.ids) < texts.total and not partial)
        # Rows of a misspelt task are left out, which is an error only if ids are missing then.
        refused = lacks_some or any(problem.widely != "unknown-task" for problem in wrong)
        tasks[task.name] = texts if refused else _score(texts, references, rouge_aggregation)
    problems.sort(key=lambda problem: not problem.refuses)
    scored = {name: task.result for name, task in tasks.items() if task.result is not None}
    averaged = {
        name: (columns(result, rouge_aggregation), tasks[name].clusters)
        for name, result in scored.items()
        if tasks[name].task.averaged
    }
    return ScoredFile(
        tasks,
        average(scored, benchmark=benchmark) if averaged else None,
        problems,
        partial,
        rouge_aggregation,
        benchmark_interval(averaged) if averaged else None,
        source=references.about or None,
        files=validation.read.files,
        of=benchmark,
        validation=validation,
        hashes=references.hashes,
    )


def _joined(task: Task, validation: Validation, references: References) -> ScoredTask:
    """The task with the texts to score, in the order of the references, without a result."""
    name, predictions = task.name, validation.predictions[task.name]
    split = validation.splits.get(name)
    by_id = references.tasks.get(name, {}).get(split, {})
    wrong = [one for one in validation.problems if one.task == name and one.id is not None and one.kind != "missing"]
    named = {one.id for one in wrong if one.refuses}
    unknown = [one.id for one in wrong if one.widely == "unknown"] if name in references.tasks else predictions
    ids = [id_ for id_ in by_id if id_ in predictions]
    return ScoredTask(
        task,
        None,
        ids,
        [predictions[id_].text for id_ in ids],
        [by_id[id_] for id_ in ids],
        missing=[id_ for id_ in by_id if id_ not in predictions and id_ not in named],
        unknown=list(dict.fromkeys(id_ for id_ in unknown if id_ is not None)),
        split=split,
        total=len(by_id),
        by_id=by_id,
    )


def _score(texts: ScoredTask, references: References, rouge_aggregation: str) -> ScoredTask:
    name = texts.task.name
    result = score_task(texts.task, texts.predictions, texts.references, rouge_aggregation=rouge_aggregation)
    documents = [references.documents.get((name, texts.split, id_)) for id_ in texts.ids]
    shared = clusters(texts.task, texts.ids, documents)
    return replace(texts, result=result, clusters=shared, interval=interval(columns(result, rouge_aggregation), shared))


def _in_part(problem: Problem) -> Problem:
    """The problem when scoring partially: missing, null and unknown predictions are only warnings."""
    left_out = problem.kind in {"missing", "null"} or problem.widely == "unknown"
    return problem.as_warning(f"{problem.message}; not scored") if left_out else problem


def _of_references(references: References, present: Collection[str]) -> Iterator[Problem]:
    """The problems of the references; of a task without predictions as warnings, and without that it has no data."""
    for problem in references.problems:
        if problem.task in (None, *present) or (problem.kind == "hard-ids" and ALL in present):
            yield problem
        elif problem.kind != "no-data":
            yield problem.as_warning()


def _problems_of_references(texts: ScoredTask, references: References, *, partial: bool) -> Iterator[Problem]:
    """Problems of missing references, of references of another benchmark, and of unusable ones."""
    name, split = texts.task.name, texts.split
    if name not in references.tasks:
        yield Problem("no-references", "No references for this task. Add them, or leave the task out", name)
        return
    if other := references_of_other(name, texts.by_id, texts.task.benchmark):
        yield other
    for problem in (*references.unlabelled.get((name, split), ()), *references.unreadable(texts.task, split)):
        left_out = partial and problem.id is not None and problem.id not in texts.ids
        yield problem.as_warning() if left_out else problem
