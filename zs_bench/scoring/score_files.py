"""From files to scores: each file is opened, read and checked once, and each of its tasks is scored or refused.

On request predictions are processed by rules first (`zs_bench.post_processing`), which the report names.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, cast

from zs_bench.answers import Answer
from zs_bench.benchmarks import DEFAULT, Benchmark, find_benchmark
from zs_bench.errors import NoReferences, UnusableInput
from zs_bench.files import limits
from zs_bench.files.entries import Entry
from zs_bench.files.input_files import InputFile
from zs_bench.files.names import canonical_task
from zs_bench.files.paths import Inputs, as_inputs, open_inputs, system_names
from zs_bench.files.recognition import recognise
from zs_bench.files.replies import LENGTH
from zs_bench.files.rows_without_ids import REPEATED
from zs_bench.post_processing import DROP_THINK, PostRule, find_rule
from zs_bench.problems import Problem
from zs_bench.progress import Progress, part_of
from zs_bench.scoring.equal_texts import doubtful_texts, equal_texts
from zs_bench.scoring.long_texts import in_words, long_pairs, on_long_pairs
from zs_bench.scoring.scored import PostProcessed, ScoredFile, ScoredTask, averages_over, sample_of, stopped
from zs_bench.scoring.swapped import check_swapped
from zs_bench.statistics.intervals import clusters, interval, score_of
from zs_bench.validation.field_ids import answered_in
from zs_bench.validation.predictions import (
    ReadPredictions,
    on_same_questions,
    read_labels,
    read_predictions,
)
from zs_bench.validation.references import (
    References,
    gather_references,
    references_are_lists,
    references_are_nulls,
    references_of_other,
    with_own_references,
    without_answers,
)
from zs_bench.validation.validate import Validation, validate
from zs_metric.scoring import score_texts

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from zs_bench.validation.repeated_questions import Repeated

_NOTHING_LEFT = "Post-processing leaves nothing of the answer (scores 0)"
_UNFINISHED = "The answer never ends its thinking, so drop-think leaves it as it is; all of it is scored as the answer"


def process(validation: Validation, rules: Sequence[PostRule]) -> tuple[Validation, int]:
    """Apply the rules; returns the predictions, with a warning for each that becomes empty, and the number changed."""
    changed = 0
    tasks: dict[str, dict[str, str]] = {}
    problems = list(validation.problems)
    for name, predictions in validation.predictions.items():
        task, tasks[name] = validation.read.benchmark.all_tasks[name], {}
        for id_, before in predictions.items():
            text = before
            for _, change in rules:
                text = change(text, task)
            tasks[name][id_] = text
            changed += text != before
            if not text.strip() and before.strip():
                place = validation.checked.context.last[name, id_].place
                problems.append(Problem("emptied", _NOTHING_LEFT, name, id_, place, is_error=False))
    if DROP_THINK in dict(rules):
        problems = [row.as_warning(_UNFINISHED) if row.kind == "unfinished-think" else row for row in problems]
    return replace(validation, predictions=tasks, problems=problems), changed


class ScoringOptions(TypedDict, total=False):
    """Options of `score_predictions`, and with them of all that call it."""

    partial: bool
    rouge_aggregation: str


class CheckedOptions(ScoringOptions, total=False):
    """Options of `score_loaded`."""

    post: Iterable[str]
    only: Collection[str]
    by_order: bool


class FileOptions(CheckedOptions, total=False):
    """Options of `score_systems`."""

    source: str | Path | None
    split: str | None
    revision: str | None
    benchmark: str | Benchmark | None
    hard_ids: Iterable[str] | None
    columns: Mapping[str, str] | None
    documents: str | Path | None
    progress: Progress | None


def score(
    predictions: Inputs | Iterable[Inputs],
    references: Inputs | None = None,
    *,
    runs: bool = False,
    **options: "Unpack[FileOptions]",
) -> ScoredFile:
    """Score predictions of one system against references: paths, dictionaries `{task: {id: text}}` or rows.

    Instead of the references, their `source` can be named; options and errors are those of `score_systems`. With `runs`
    each of the predictions is a run of the system, and the scores are their means (`zs_bench.scoring.runs`). Raises
    `UnusableInput`, with the reasons, where no task could be scored. Of others, `refused` has the reasons.
    """
    with limits.using(limits.COMMANDS):
        scored = (
            score_runs({"": cast(Iterable[Inputs], predictions)}, references, **options)[""]
            if runs
            else score_files(cast(Inputs, predictions), references, **options)
        )
    if runs and not scored.runs:
        raise UnusableInput("one run has no mean; give two runs or more, or score it without runs")
    if not scored.scored:
        raise UnusableInput(f"no task could be scored: {'; '.join(scored.refused.values())}")
    return scored


def score_files(predictions: Inputs, references: Inputs | None = None, **options: "Unpack[FileOptions]") -> ScoredFile:
    """Score the predictions of one system; `options` and errors are those of `score_systems`."""
    return score_systems({"": predictions}, references, **options)[""]


def score_runs(
    systems: Mapping[str, Iterable[Inputs]], references: Inputs | None = None, **options: "Unpack[FileOptions]"
) -> dict[str, ScoredFile]:
    """Score systems of several runs each, name to runs, and average over these; see `score_systems`.

    A run has the name of its path, or is "run 2". Raises `UnusableInput` for a system without runs.
    """
    from zs_bench.scoring.runs import average_runs  # noqa: PLC0415  (most systems have one run)

    by_system = {name: _named(runs) for name, runs in systems.items()}
    each = {(name, run): inputs for name, runs in by_system.items() for run, inputs in runs.items()}
    scored = score_systems({str(place): inputs for place, inputs in enumerate(each.values())}, references, **options)
    found: dict[str, dict[str, ScoredFile]] = {name: {} for name in systems}
    for (name, run), of_run in zip(each, scored.values(), strict=True):
        found[name][run] = of_run
    return {name: average_runs(runs, partial=options.get("partial", False)) for name, runs in found.items()}


def _named(runs: Iterable[Inputs]) -> dict[str, Inputs]:
    """The runs by name."""
    each: list[Any] = [runs] if isinstance(runs, str | Path | Mapping) else [*runs]
    paths = [str(run) for run in each if isinstance(run, str | Path)]
    names = system_names(paths) if each and len(paths) == len(each) else [f"run {i}" for i, _ in enumerate(each, 1)]
    return dict(zip(names, each, strict=True))


def score_systems(
    systems: Mapping[str, Inputs],
    references: Inputs | None = None,
    *,
    source: str | Path | None = None,
    split: str | None = None,
    revision: str | None = None,
    benchmark: str | Benchmark | None = None,
    hard_ids: Iterable[str] | None = None,
    columns: Mapping[str, str] | None = None,
    documents: str | Path | None = None,
    progress: Progress | None = None,
    **options: "Unpack[CheckedOptions]",
) -> dict[str, ScoredFile]:
    """Score several systems, name to files, ZIPs, folders or data, against the same references, read and hashed once.

    Args:
        references: reference files, ZIPs, folders or data; `None` to load the references from a source, and without one
            to take those that stand beside the predictions.
        source, split, revision: see `references_from_source`; only the tasks that have predictions are loaded. With
            `references`, the source gives the inputs (`with_documents`).
        benchmark: by default that which the files look like, else ZeroSCROLLS; a warning says so.
        hard_ids: the ids of QuALITY's hard questions in SCROLLS, which are then scored as a task.
        columns: see `read_predictions`.
        documents: a file with the `document` of each id, as for `read_labels`, or "none": none share a document.
        options: `post`, `only`, `by_order`, `partial` and `rouge_aggregation`, as for `score_loaded`.

    What is wrong with a file is in the results. A path that does not exist raises `UnusableInput`, a rule or benchmark
    that does not exist `UnknownName` or `UnknownBenchmark`, and a source what `references_from_source` raises.
    """
    given = {name: as_inputs(inputs) for name, inputs in systems.items()}
    files = None if references is None else as_inputs(references)
    sentence = ""
    opened = {name: open_inputs(paths) for name, paths in given.items()}
    if benchmark is None:
        sources = [source for of_system, _ in opened.values() for source in of_system]
        benchmark, sentence, _ = recognise([each for inputs in given.values() for each in inputs], sources)
    benchmark = find_benchmark(benchmark)
    opened_references = None if files is None else open_inputs(files)
    read = {
        name: read_predictions(*each, benchmark=benchmark, columns=columns, references=(opened_references or [()])[0])
        for name, each in opened.items()
    }
    if len(only := [*options.get("only", ())]) == 1:
        read = {name: each.of_task(only[0]) for name, each in read.items()}
    if files is None and source is None:
        read = dict(zip(read, on_same_questions([*read.values()]), strict=True))
    own = columns if files in given.values() else without_answers(columns)
    against = _references(
        read,
        opened_references,
        source,
        benchmark=benchmark,
        columns=own,
        split=split,
        revision=revision,
        progress=progress,
    )
    if hard_ids is not None:
        against = against.with_hard_questions(hard_ids, benchmark)
    if documents is not None:
        names = {} if documents == "none" else read_labels(documents, "document", against.by_task)
        against = against.with_documents(names)
    scored = {
        name: score_loaded(predictions, against, progress=part_of(progress, done, len(read)), **options)
        for done, (name, predictions) in enumerate(read.items())
    }
    if sentence:
        said = Problem("recognised", sentence, is_error=False)
        scored = {name: replace(each, problems=[*each.problems, said]) for name, each in scored.items()}
    if files is None:
        return scored
    return {name: check_swapped(each, given[name], files, score_loaded, columns) for name, each in scored.items()}


def _references(
    systems: Mapping[str, ReadPredictions],
    files: tuple[Sequence[InputFile], Sequence[Problem]] | None,
    source: str | Path | None,
    *,
    benchmark: Benchmark,
    columns: Mapping[str, str] | None,
    split: str | None,
    revision: str | None,
    progress: Progress | None,
) -> References:
    """The references in files, perhaps with the inputs of a source, or those of the source alone."""
    read, in_files = systems.values(), None
    if files is not None:
        answered = answered_in(read)
        in_files = gather_references(*files, benchmark=benchmark, columns=columns, answered=answered)
    if source is None:
        if in_files is None:
            in_files = with_own_references(References(), read, alone=True, names=[*systems])
            if not in_files.by_task:
                raise NoReferences("give what the answers are scored against: references or a source")
        return with_own_references(in_files, read)
    from zs_bench.validation import from_source  # noqa: PLC0415  (the sources of data)

    if in_files is not None:
        return from_source.with_documents(in_files, source, split, revision, benchmark=benchmark, progress=progress)
    tasks = _tasks_to_load(read, benchmark)
    return from_source.references_from_source(source, tasks, split, revision, benchmark=benchmark, progress=progress)


def _tasks_to_load(read: Iterable[ReadPredictions], benchmark: Benchmark) -> list[str]:
    """The tasks that the predictions name, or that a misspelt name means; all for a name that only the ids explain."""
    loaded: dict[str, None] = {}
    for predictions in read:
        for name in (*predictions.tasks, *(row.task for row in predictions.rows if isinstance(row.task, str))):
            if (meant := canonical_task(name, benchmark)) is None:
                return list(benchmark.tasks)
            loaded[meant] = None
    return [name for name in loaded if name in benchmark.all_tasks]


def read_references(
    inputs: Inputs, *, benchmark: str | Benchmark = DEFAULT, hard_ids: Iterable[str] | None = None
) -> References:
    """The references in files, to score prediction files against; raises `UnusableInput` for a path that is missing."""
    references = gather_references(*open_inputs(inputs), benchmark=benchmark)
    return references if hard_ids is None else references.with_hard_questions(hard_ids, find_benchmark(benchmark))


def score_loaded(
    read: ReadPredictions,
    references: References,
    *,
    post: Iterable[str] = (),
    only: Collection[str] = (),
    by_order: bool = False,
    progress: Progress | None = None,
    **options: "Unpack[ScoringOptions]",
) -> ScoredFile:
    """Check predictions against the ids of the references, and score them.

    Args:
        post: the names of rules of `zs_bench.post_processing`.
        only: the names of the tasks to score; by default all that have predictions.
        by_order: take rows without ids, of which there are as many as references, in their order.
        partial: score the ids with both prediction and reference, although others are missing or unknown.
        rouge_aggregation: see `zs_metric.score_task`.
        progress: called before every task, and with 1 at the end.
    """
    references = with_own_references(references, [read])
    validation = validate_against(read, references, by_order=by_order)
    validation = validation.only(only) if only else validation
    return score_checked(validation, references, post=post, progress=progress, **options)


def score_checked(
    validation: Validation,
    references: References,
    *,
    post: Iterable[str] = (),
    progress: Progress | None = None,
    **options: "Unpack[ScoringOptions]",
) -> ScoredFile:
    """Score checked predictions, after the rules of `post`; `options` are those of `score_predictions`."""
    rules = [find_rule(name) for name in post]
    references = with_own_references(references, [validation.read])
    scored = score_predictions(validation, references, progress=part_of(progress, 0, 2 if rules else 1), **options)
    if rules:
        processed, changed = process(validation, rules)
        effect = PostProcessed({name: task.score for name, task in scored.tasks.items()}, changed)
        scored = score_predictions(processed, references, progress=part_of(progress, 1, 2), **options)
        scored = replace(scored, post=tuple(name for name, _ in rules), processed=effect)
    if progress:
        progress(1.0, "")
    return scored


def validate_against(
    read: ReadPredictions, references: References, *, whole: bool | None = None, by_order: bool = False
) -> Validation:
    """Check predictions against the ids of the references; QuALITY's hard questions are taken from its predictions."""
    parts = (references.by_task.get(part, {}) for part in read.benchmark.parts)
    if hard := {id_ for splits in parts for by_id in splits.values() for id_ in by_id}:
        read = read.with_hard_questions(hard)
    references = with_own_references(references, [read])
    accept = {"row-order"} if by_order else None
    return validate(read, references.known_ids(read.benchmark), whole=whole, accept=accept, safe=False)


def score_predictions(
    validation: Validation,
    references: References,
    *,
    partial: bool = False,
    rouge_aggregation: str = "corpus",
    progress: Progress | None = None,
) -> ScoredFile:
    """Score every task of predictions that were checked against the ids of these references.

    A task with an error is refused: its problems are listed, and the other tasks are scored. See `score_loaded`.
    """
    benchmark, without_ids = validation.read.benchmark, validation.without_ids
    present = [benchmark.all_tasks[name] for name in validation.predictions]
    problems = list(_reported(validation, references, partial=partial))
    tasks: dict[str, ScoredTask] = {}
    for done, task in enumerate(present):
        joined = ScoredTask.joined(task, validation, references)
        predictions = validation.predictions[task.name]
        long = long_pairs(joined, predictions)
        if progress:
            progress(done / len(present), f"{task.name}: {in_words(long)} take long" if long else task.name)
        problems += on_long_pairs(joined, long)
        problems += _of_references(joined, predictions, references, partial=partial)
        wrong = [problem for problem in problems if problem.is_error and problem.task == task.name]
        if not joined.answered and not wrong:
            message = "No ID is in both files. Are the references of this split?"
            problems.append(Problem("no-overlap", message, task.name))
        may_lack = partial or task.name in without_ids
        lacks_some = not joined.answered or (joined.answered < joined.total and not may_lack)
        # Rows of a misspelt task are left out, which is an error only if ids are missing then.
        if not lacks_some and all(problem.family == "unknown-task" for problem in wrong):
            given = references.documents_are_given
            joined = _score(joined, predictions, rouge_aggregation, documents_are_given=given)
            joined = replace(joined, stops=_stops(joined, validation))
        tasks[task.name] = joined
    problems += [*equal_texts(tasks.values()), *_differ(tasks.values(), validation.checked.rows)]
    problems += chain.from_iterable(map(doubtful_texts, tasks.values()))
    problems += stopped(tasks.values())
    problems += _on_questions(tasks.values(), validation.read.rows, rouge_aggregation)
    result, ends = averages_over(tasks, benchmark)
    return ScoredFile(
        tasks,
        result,
        sorted(problems, key=lambda problem: not problem.is_error),
        validation,
        partial,
        rouge_aggregation,
        ends,
        source=references.source,
        files=validation.read.files,
        benchmark=benchmark,
        references=references,
        unanswered=[name for name in benchmark.tasks if name in references.by_task and name not in tasks],
    )


def _differ(tasks: Iterable[ScoredTask], rows: Sequence[Entry]) -> Iterator[Problem]:
    """The warnings of recorded scores that are not the official ones."""
    if any(row.recorded for row in rows):
        from zs_bench.scoring.recorded_scores import differ  # noqa: PLC0415  (few files have any)

        yield from differ(tasks, rows)


def _on_questions(tasks: Iterable[ScoredTask], rows: Sequence[Entry], rouge_aggregation: str) -> Iterator[Problem]:
    """Warnings of tasks whose rows have no ids: that questions are asked again, and that fewer are than there are."""
    for task in (task for task in tasks if task.result):
        if task.answered < task.expected:
            message = f"{task.answered:,} of the task's {task.expected:,} questions have a row. Is the run unfinished?"
            yield Problem("unfinished", message, task.task.name, is_error=False)
        if task.repeated and (repeated := _repeated(rows, task.task.name)):
            by_id = {answer.id: answer for answer in task.answers}

            def of_rows(ids: Sequence[str], by_id: Mapping[str, Answer] = by_id) -> float | None:
                answers = [by_id[id_] for id_ in ids if id_ in by_id]
                return score_of(sample_of(answers, rouge_aggregation)[0]) if len(answers) == len(ids) else None

            yield repeated.problem(of_rows)


def _repeated(rows: Sequence[Entry], task: str) -> "Repeated | None":
    from zs_bench.validation.repeated_questions import repeated_of_task  # noqa: PLC0415  (most rows have ids)

    return repeated_of_task(rows, task)


def _score(
    joined: ScoredTask, predictions: Mapping[str, str], rouge_aggregation: str, *, documents_are_given: bool
) -> ScoredTask:
    task, rows = joined.task, {id_: row for id_, row in joined.references.items() if id_ in predictions}
    ids, texts, own = [*rows], [predictions[id_] for id_ in rows], [row.texts for row in rows.values()]
    result = score_texts(
        *(task.metric, texts, own),
        rouge_aggregation=rouge_aggregation,
        score_key=task.benchmark.score_key,
        averaged=task.averaged,
    )
    documents: Sequence[str | None] = [row.document for row in rows.values()]
    if not documents_are_given:
        documents = clusters(task, ids, documents) or [None]
    if None in documents:
        documents = (
            [joined.question(id_) for id_ in ids] if any(row.question for row in rows.values()) else [None] * len(ids)
        )
    answers = [Answer(task, *row) for row in zip(ids, texts, own, result.examples, documents, strict=True)]
    ends = interval(*sample_of(answers, rouge_aggregation))
    return replace(joined, result=result, answers=answers, interval=ends, rouge_aggregation=rouge_aggregation)


def _stops(task: ScoredTask, validation: Validation) -> dict[str, set[str]]:
    """The ids of a task's answers that ended at the limit of tokens or by a filter, as their rows or the run say."""
    stops: dict[str, set[str]] = {}
    ids, last = {answer.id for answer in task.answers}, validation.checked.context.last
    for id_ in validation.predictions[task.task.name]:
        if id_ in ids and (stop := last[task.task.name, id_].stop):
            stops.setdefault(stop, set()).add(id_)
    run = validation.read.run and validation.read.run.tasks.get(task.task.name)
    if run and (at_length := ids.intersection(run.stopped_at_length)):
        stops.setdefault(LENGTH, set()).update(at_length)
    return stops


def _reported(validation: Validation, references: References, *, partial: bool) -> Iterator[Problem]:
    """The problems of the predictions and of the reading of the references.

    When scoring partially, missing, null and unknown predictions are only warnings. So are problems of the references
    of tasks without predictions; that there is no data for such a task is not reported.
    """
    for problem in (problem for problem in validation.of_scores if problem.kind != REPEATED):
        may_lack = partial or (problem.task in validation.without_ids and problem.kind in {"missing", "not-matched"})
        left_out = may_lack and (problem.kind in {"missing", "null"} or problem.family == "unknown")
        yield problem.as_warning(f"{problem.message}; not scored") if left_out else problem
    for problem in references.problems:
        parts = validation.read.benchmark.parts
        of_all = problem.kind == "hard-ids" and parts.get(problem.task or "") in validation.predictions
        if of_all or problem.task is None or problem.task in validation.predictions:
            yield problem
        elif problem.kind != "no-data":
            yield problem.as_warning()


def _of_references(
    joined: ScoredTask, predictions: Collection[str], references: References, *, partial: bool
) -> Iterator[Problem]:
    """Problems of missing references, of references of another benchmark, and of unusable ones."""
    name, split = joined.task.name, joined.split
    if name not in references.by_task:
        if not any(problem.is_error and problem.task == name for problem in references.problems):
            yield Problem("no-references", "No references for this task. Add them, or leave the task out", name)
        return
    by_id = {id_: row.texts for id_, row in joined.references.items()}
    yield from filter(
        None, [references_of_other(name, by_id, joined.task.benchmark), references_are_nulls(name, by_id)]
    )
    yield from filter(None, [references_are_lists(name, by_id)])
    for problem in references.faults(joined.task, split):
        left_out = partial and problem.id is not None and problem.id not in predictions
        yield problem.as_warning() if left_out else problem
