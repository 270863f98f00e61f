"""From files to scores: each file is opened, read and checked once, and each of its tasks is scored or refused."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from zs_bench.files.entries import canonical_task
from zs_bench.files.paths import open_inputs
from zs_bench.problems import Problem
from zs_bench.progress import Progress, part_of
from zs_bench.scoring.post_rules import find_rules, process
from zs_bench.scoring.scored import PostProcessed, ScoredFile, ScoredTask
from zs_bench.statistics.columns import clusters, columns
from zs_bench.statistics.intervals import benchmark_interval, interval
from zs_bench.validation.predictions import ReadPredictions, read_predictions
from zs_bench.validation.references import ALL, HARD, References, gather_references
from zs_bench.validation.task_rules import references_are_nulls, references_of_other
from zs_bench.validation.validate import Validation, validate
from zs_metric.scoring import average, score_task
from zs_metric.tasks import Benchmark, find_benchmark

Paths = Iterable[str | Path]


def score_files(predictions: Paths, references: Paths, **options: Any) -> ScoredFile:
    """Score prediction files against reference files; `options` and errors are those of `score_systems`."""
    return score_systems({"": predictions}, references, **options)[""]


def score_against(predictions: Paths, source: str | Path, **options: Any) -> ScoredFile:
    """Score prediction files against a split of a source; `options` and errors are those of `score_systems`."""
    return score_systems({"": predictions}, source=source, **options)[""]


def score_systems(
    systems: Mapping[str, Paths],
    references: Paths | None = None,
    *,
    source: str | Path | None = None,
    split: str | None = None,
    revision: str | None = None,
    benchmark: str | Benchmark = "zero_scrolls",
    hard_ids: Iterable[str] | None = None,
    columns: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> dict[str, ScoredFile]:
    """Score several systems against the same references, which are read and hashed once.

    Args:
        systems: name to the paths of its files, ZIPs or folders.
        references: paths of reference files, ZIPs or folders; `None` to load the references from a source.
        source, split, revision: see `references_from_source`; only the tasks that have predictions are loaded. With
            `references`, the source gives the inputs (`with_documents`).
        hard_ids: the ids of QuALITY's hard questions in SCROLLS, which are then scored as a task.
        columns: see `read_predictions`.
        progress: called while the data is loaded and then while it is scored.
        options: `post`, `partial` and `rouge_aggregation`, as for `score_loaded`.

    Raises:
        UnknownRule, UnknownBenchmark: for a rule or benchmark that does not exist.
        UnusableInput: for a path that does not exist. All other problems are in the results.
        SourceUnavailable, ZeroScrollsError: as `references_from_source`.
    """
    of = find_benchmark(benchmark)
    read = {
        name: read_predictions(*open_inputs(paths), benchmark=of, columns=columns) for name, paths in systems.items()
    }
    if references is not None:
        known = read_references(references, benchmark=of, hard_ids=hard_ids)
        if source is not None:
            from zs_bench.validation.from_source import with_documents  # noqa: PLC0415  (the sources of data)

            known = with_documents(known, source, split, revision, benchmark=of, progress=progress)
    else:
        from zs_bench.validation.from_source import references_from_source  # noqa: PLC0415  (the sources of data)

        tasks = _tasks_to_load(read.values(), of)
        known = references_from_source(source or "embedded", tasks, split, revision, benchmark=of, progress=progress)
        known = known if hard_ids is None else known.with_hard_questions(hard_ids)
    return {
        name: score_loaded(one, known, progress=part_of(progress, done, len(read)), **options)
        for done, (name, one) in enumerate(read.items())
    }


def _tasks_to_load(read: Iterable[ReadPredictions], benchmark: Benchmark) -> list[str]:
    """The tasks that the predictions name, or that a misspelt name means; all for a name that only the ids explain."""
    read = list(read)
    names = dict.fromkeys(task for predictions in read for task in predictions.tasks)
    names |= dict.fromkeys(row.task for predictions in read for row in predictions.rows if isinstance(row.task, str))
    meant = dict.fromkeys(name if name in benchmark.all_tasks else canonical_task(name) for name in names)
    if None in meant:
        return list(benchmark.tasks)
    loaded = dict.fromkeys(ALL if task == HARD else task for task in meant)
    return [task for task in loaded if task is not None and task in benchmark.all_tasks]


def read_references(
    paths: Paths,
    names: Iterable[str] | None = None,
    *,
    benchmark: str | Benchmark = "zero_scrolls",
    hard_ids: Iterable[str] | None = None,
) -> References:
    """The references in files, to score any number of prediction files against.

    Raises:
        UnusableInput: for a path that does not exist.
    """
    known = gather_references(*open_inputs(paths, names), benchmark=benchmark)
    return known if hard_ids is None else known.with_hard_questions(hard_ids)


def score_loaded(
    read: ReadPredictions,
    references: References,
    *,
    post: Iterable[str] = (),
    partial: bool = False,
    rouge_aggregation: str = "corpus",
    progress: Progress | None = None,
) -> ScoredFile:
    """Check predictions against the ids of the references, and score them.

    Args:
        read: from `read_predictions`.
        references: from `read_references` or a source.
        post: the names of post-processing rules (`zs_bench.scoring.post_rules`).
        partial: score the ids with both prediction and reference, although others are missing or unknown.
        rouge_aggregation: see `zs_metric.score_task`.
        progress: called before every task, and with 1 at the end.
    """
    rules = find_rules(post)
    validation = validate_against(read, references)
    options: Any = {"partial": partial, "rouge_aggregation": rouge_aggregation}
    scored = score_predictions(validation, references, progress=part_of(progress, 0, 2 if rules else 1), **options)
    if rules:
        processed, changed = process(validation, rules)
        effect = PostProcessed({name: task.score for name, task in scored.tasks.items()}, changed)
        scored = score_predictions(processed, references, progress=part_of(progress, 1, 2), **options)
        scored = replace(scored, post=tuple(rule.name for rule in rules), processed=effect)
    if progress:
        progress(1.0, "")
    return scored


def validate_against(read: ReadPredictions, references: References, *, whole: bool | None = None) -> Validation:
    """Check predictions against the ids of the references; QuALITY's hard questions are taken from its predictions.

    `whole` is as for `validate`.
    """
    hard = {id_ for by_id in references.tasks.get(HARD, {}).values() for id_ in by_id}
    return validate(read.with_hard_questions(hard) if hard else read, references.known(read.benchmark), whole=whole)


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
        partial, rouge_aggregation: as for `score_loaded`.
    """
    benchmark = validation.read.benchmark
    present = [benchmark.all_tasks[name] for name in validation.predictions]
    problems = [_in_part(problem) if partial else problem for problem in validation.of_scores]
    problems += _of_references(references, {task.name for task in present})
    tasks: dict[str, ScoredTask] = {}
    for done, task in enumerate(present):
        if progress:
            progress(done / len(present), task.name)
        texts = ScoredTask.joined(task, validation, references)
        problems += _problems_of_references(texts, references, partial=partial)
        wrong = [problem for problem in problems if problem.is_error and problem.task == task.name]
        if not texts.ids and not wrong:
            message = "No ID is in both files. Are the references of this split?"
            problems.append(Problem("no-overlap", message, task.name))
        lacks_some = not texts.ids or (len(texts.ids) < texts.total and not partial)
        # Rows of a misspelt task are left out, which is an error only if ids are missing then.
        refused = lacks_some or any(problem.reported_kind != "unknown-task" for problem in wrong)
        tasks[task.name] = texts if refused else _score(texts, references, rouge_aggregation)
    problems.sort(key=lambda problem: not problem.is_error)
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
        validation,
        partial,
        rouge_aggregation,
        benchmark_interval(averaged) if averaged else None,
        source=references.about or None,
        files=validation.read.files,
        benchmark=benchmark,
        hashes=references.hashes,
    )


def _score(texts: ScoredTask, references: References, rouge_aggregation: str) -> ScoredTask:
    name = texts.task.name
    result = score_task(texts.task, texts.predictions, texts.references, rouge_aggregation=rouge_aggregation)
    documents = [references.documents.get((name, texts.split, id_)) for id_ in texts.ids]
    shared = clusters(texts.task, texts.ids, documents)
    return replace(texts, result=result, clusters=shared, interval=interval(columns(result, rouge_aggregation), shared))


def _in_part(problem: Problem) -> Problem:
    """The problem when scoring partially: missing, null and unknown predictions are only warnings."""
    left_out = problem.kind in {"missing", "null"} or problem.reported_kind == "unknown"
    return problem.as_warning(f"{problem.message}; not scored") if left_out else problem


def _of_references(references: References, present: Collection[str]) -> Iterator[Problem]:
    """The problems of the references; for tasks without predictions as warnings, and missing data is not reported."""
    for problem in references.problems:
        if problem.task in (None, *present) or (problem.kind == "hard-ids" and ALL in present):
            yield problem
        elif problem.kind != "no-data":
            yield problem.as_warning()


def _problems_of_references(texts: ScoredTask, references: References, *, partial: bool) -> Iterator[Problem]:
    """Problems of missing references, of references of another benchmark, and of unusable ones."""
    name, split = texts.task.name, texts.split
    if name not in references.tasks:
        if any(one.kind == "no-data" and one.task == name for one in references.problems):
            return
        yield Problem("no-references", "No references for this task. Add them, or leave the task out", name)
        return
    if other := references_of_other(name, texts.by_id, texts.task.benchmark):
        yield other
    if nulls := references_are_nulls(name, texts.by_id):
        yield nulls
    for problem in (*references.unlabelled.get((name, split), ()), *references.unreadable(texts.task, split)):
        left_out = partial and problem.id is not None and problem.id not in texts.ids
        yield problem.as_warning() if left_out else problem
