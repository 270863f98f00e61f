r"""From files to scores: each file is opened, read and checked once, and each of its tasks is scored or refused.

On request predictions are processed by rules first, which the report names:

| rule | what it keeps of a prediction |
|---|---|
| `after:<mark>` | the text after the last mark, such as `Final answer:`, capitals or not; without one all |
| `cut-at:<stop string>` | the text before the first stop string |
| `cut-at-tag` | the text before the closing tag of the paper's Claude prompts; summaries have none |
| `drop-think` | the text without thinking (`zs_metric.thinking`); after an end without a beginning only the rest |
| `strip` | the text without surrounding white space |

`after:<answer>` and `cut-at:</answer>` keep what stands in a tag, `after:\boxed{` and `cut-at:}` what stands in a box.
In a stop string or mark `\n`, `\t` and `\\` are a line break, a tab and a `\`. Rules are applied in the order given.
`drop-think` is `drop-think:2` in signatures, since the first one knew `<think>` only.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from zs_bench.answers import Answer
from zs_bench.benchmarks import Benchmark, Task, find_benchmark
from zs_bench.errors import UnknownName, UnusableInput
from zs_bench.files import limits
from zs_bench.files.entries import canonical_task
from zs_bench.files.paths import Inputs, as_inputs, open_inputs
from zs_bench.problems import Problem
from zs_bench.progress import Progress, part_of
from zs_bench.scoring.scored import PostProcessed, ScoredFile, ScoredTask, differ, sample_of
from zs_bench.scoring.swapped import check_swapped
from zs_bench.statistics.intervals import benchmark_interval, clusters, interval
from zs_bench.validation.predictions import ReadPredictions, ids_by_task, read_labels, read_predictions
from zs_bench.validation.references import References, gather_references, references_are_nulls, references_of_other
from zs_bench.validation.validate import Validation, validate
from zs_metric.errors import did_you_mean
from zs_metric.scoring import average, score_task
from zs_metric.thinking import without_thinking

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: A rule: its name with the argument, and its function of a prediction and the task.
PostRule = tuple[str, Callable[[str, Task], str]]

_ESCAPES = {r"\n": "\n", r"\t": "\t", r"\\": "\\"}
_ALL = "the rules are after:<mark>, cut-at:<stop string>, cut-at-tag, drop-think, strip"
_NOTHING_LEFT = "Post-processing leaves nothing of the answer (scores 0)"
_UNFINISHED = "The answer never ends its thinking, so drop-think leaves it as it is; all of it is scored as the answer"


def find_rule(name: str) -> PostRule:
    """The rule of that name; raises `UnknownName` with the most similar one."""
    name = DROP_THINK if name == "drop-think" else name
    kind, _, argument = name.partition(":")
    if kind in _WITH_TEXT:
        text, change = re.sub(r"\\[nt\\]", lambda escape: _ESCAPES[escape[0]], argument), _WITH_TEXT[kind]
        if not text:
            raise UnknownName(f"{kind} needs a text; {_ALL}")
        return name, lambda answer, _: change(answer, text)
    if name not in _RULES:
        raise UnknownName(f"no rule {name!r} for answers; {did_you_mean(kind, (*_WITH_TEXT, *_RULES)) or _ALL}")
    return name, _RULES[name]


DROP_THINK = "drop-think:2"
_WITH_TEXT: Mapping[str, Callable[[str, str], str]] = {
    "after": lambda answer, text: re.split(re.escape(text), answer, flags=re.IGNORECASE)[-1],
    "cut-at": lambda answer, text: answer.partition(text)[0],
}


def _cut_at_tag(answer: str, task: Task) -> str:
    from zs_bench.prompts import cut_at_tag  # noqa: PLC0415  (the prompts, for this rule alone)

    return cut_at_tag(answer, task)


_RULES: Mapping[str, Callable[[str, Task], str]] = {
    "cut-at-tag": _cut_at_tag,
    DROP_THINK: lambda answer, _: without_thinking(answer),
    "strip": lambda answer, _: answer.strip(),
}


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
    benchmark: str | Benchmark
    hard_ids: Iterable[str] | None
    columns: Mapping[str, str] | None
    documents: str | Path | None
    progress: Progress | None


def score(predictions: Inputs, references: Inputs | None = None, **options: "Unpack[FileOptions]") -> ScoredFile:
    """Score predictions of one system against references: paths, dictionaries `{task: {id: text}}` or rows.

    Instead of the references, their `source` can be named; options and errors are those of `score_systems`. Raises
    `UnusableInput`, with the reasons, where no task could be scored. Of others, `refused` has the reasons.
    """
    with limits.using(limits.COMMANDS):
        scored = score_files(predictions, references, **options)
    if not scored.scored:
        raise UnusableInput(f"no task could be scored: {'; '.join(scored.refused.values())}")
    return scored


def score_files(predictions: Inputs, references: Inputs | None = None, **options: "Unpack[FileOptions]") -> ScoredFile:
    """Score the predictions of one system; `options` and errors are those of `score_systems`."""
    return score_systems({"": predictions}, references, **options)[""]


def score_systems(
    systems: Mapping[str, Inputs],
    references: Inputs | None = None,
    *,
    source: str | Path | None = None,
    split: str | None = None,
    revision: str | None = None,
    benchmark: str | Benchmark = "zero_scrolls",
    hard_ids: Iterable[str] | None = None,
    columns: Mapping[str, str] | None = None,
    documents: str | Path | None = None,
    progress: Progress | None = None,
    **options: "Unpack[CheckedOptions]",
) -> dict[str, ScoredFile]:
    """Score several systems, name to files, ZIPs, folders or data, against the same references, read and hashed once.

    Args:
        references: reference files, ZIPs, folders or data; `None` to load the references from a source.
        source, split, revision: see `references_from_source`; only the tasks that have predictions are loaded. With
            `references`, the source gives the inputs (`with_documents`).
        hard_ids: the ids of QuALITY's hard questions in SCROLLS, which are then scored as a task.
        columns: see `read_predictions`.
        documents: a file with the `document` of each id, as for `read_labels`, or "none": none share a document.
        options: `post`, `only`, `by_order`, `partial` and `rouge_aggregation`, as for `score_loaded`.

    What is wrong with a file is in the results. A path that does not exist raises `UnusableInput`, a rule or benchmark
    that does not exist `UnknownName` or `UnknownBenchmark`, and a source what `references_from_source` raises.
    """
    benchmark = find_benchmark(benchmark)
    given = {name: as_inputs(inputs) for name, inputs in systems.items()}
    files = None if references is None else as_inputs(references)
    read = {
        name: read_predictions(*open_inputs(paths), benchmark=benchmark, columns=columns)
        for name, paths in given.items()
    }
    own = columns if files in given.values() else None  # the predictions' own files are read as the user said
    place: Any = {"split": split, "revision": revision, "benchmark": benchmark, "progress": progress}
    against = _references(read.values(), files, own, source, **place)
    if hard_ids is not None:
        against = against.with_hard_questions(hard_ids, benchmark)
    if documents is not None:
        names = {} if documents == "none" else read_labels(documents, "document", against.by_task)
        against = against.with_documents(names)
    scored = {
        name: score_loaded(predictions, against, progress=part_of(progress, done, len(read)), **options)
        for done, (name, predictions) in enumerate(read.items())
    }
    if files is None:
        return scored
    return {name: check_swapped(each, given[name], files, columns) for name, each in scored.items()}


def _references(
    read: Collection[ReadPredictions],
    files: Inputs | None,
    columns: Mapping[str, str] | None,
    source: str | Path | None,
    **place: Any,
) -> References:
    """The references in files, perhaps with the inputs of a source, or those of the source alone."""
    in_files = None
    if files is not None:
        how: Any = {"benchmark": place["benchmark"], "columns": columns, "answered": ids_by_task(read)}
        in_files = gather_references(*open_inputs(files), **how)
    if source is None:
        if in_files is None:
            raise UnusableInput("give what the answers are scored against: references or a source")
        return in_files
    from zs_bench.validation import from_source  # noqa: PLC0415  (the sources of data)

    if in_files is None:
        return from_source.references_from_source(source, _tasks_to_load(read, place["benchmark"]), **place)
    return from_source.with_documents(in_files, source, **place)


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
    inputs: Inputs, *, benchmark: str | Benchmark = "zero_scrolls", hard_ids: Iterable[str] | None = None
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
        post: the names of post-processing rules (`zs_bench.scoring.score_files`).
        only: the names of the tasks to score; by default all that have predictions.
        by_order: take rows without ids, of which there are as many as references, in their order.
        partial: score the ids with both prediction and reference, although others are missing or unknown.
        rouge_aggregation: see `zs_metric.score_task`.
        progress: called before every task, and with 1 at the end.
    """
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
    benchmark = validation.read.benchmark
    present = [benchmark.all_tasks[name] for name in validation.predictions]
    problems = list(_reported(validation, references, partial=partial))
    tasks: dict[str, ScoredTask] = {}
    for done, task in enumerate(present):
        if progress:
            progress(done / len(present), task.name)
        joined = ScoredTask.joined(task, validation, references)
        predictions = validation.predictions[task.name]
        problems += _of_references(joined, predictions, references, partial=partial)
        wrong = [problem for problem in problems if problem.is_error and problem.task == task.name]
        if not joined.answered and not wrong:
            message = "No ID is in both files. Are the references of this split?"
            problems.append(Problem("no-overlap", message, task.name))
        lacks_some = not joined.answered or (joined.answered < joined.total and not partial)
        # Rows of a misspelt task are left out, which is an error only if ids are missing then.
        if not lacks_some and all(problem.family == "unknown-task" for problem in wrong):
            given = references.documents_are_given
            joined = _score(joined, predictions, rouge_aggregation, documents_are_given=given)
        tasks[task.name] = joined
    problems += [*_equal_to_references(tasks.values()), *differ(tasks.values(), validation.checked.rows)]
    results = {name: task.result for name, task in tasks.items() if task.result is not None}
    in_mean = [task for task in tasks.values() if task.result and task.task.averaged]
    averaged = {task.task.name: sample_of(task.answers, rouge_aggregation) for task in in_mean}
    return ScoredFile(
        tasks,
        average(results, benchmark=benchmark) if averaged else None,
        sorted(problems, key=lambda problem: not problem.is_error),
        validation,
        partial,
        rouge_aggregation,
        benchmark_interval(averaged) if averaged else None,
        source=references.about or None,
        files=validation.read.files,
        benchmark=benchmark,
        references=references,
        unanswered=[name for name in benchmark.tasks if name in references.by_task and name not in tasks],
    )


def _equal_to_references(tasks: Iterable[ScoredTask]) -> Iterator[Problem]:
    """A warning where every prediction is a reference, letters aside: these may be the references."""
    answers = [answer for task in tasks for answer in task.answers if task.task.metric.name != "accuracy"]
    if len(answers) > 1 and all(answer.text in answer.references for answer in answers):
        message = "Every answer equals a reference, word for word. Are these the answers of a model?"
        yield Problem("equal-to-references", message, is_error=False)


def _score(
    joined: ScoredTask, predictions: Mapping[str, str], rouge_aggregation: str, *, documents_are_given: bool
) -> ScoredTask:
    task, rows = joined.task, {id_: row for id_, row in joined.references.items() if id_ in predictions}
    ids, texts, own = [*rows], [predictions[id_] for id_ in rows], [row.texts for row in rows.values()]
    result = score_task(task, texts, own, rouge_aggregation=rouge_aggregation)
    documents: Sequence[str | None] = [row.document for row in rows.values()]
    if not documents_are_given:
        documents = clusters(task, ids, documents) or [None]
    if None in documents:
        documents = [None] * len(ids)
    answers = [Answer(task, *row) for row in zip(ids, texts, own, result.examples, documents, strict=True)]
    ends = interval(*sample_of(answers, rouge_aggregation))
    return replace(joined, result=result, answers=answers, interval=ends)


def _reported(validation: Validation, references: References, *, partial: bool) -> Iterator[Problem]:
    """The problems of the predictions and of the reading of the references.

    When scoring partially, missing, null and unknown predictions are only warnings. So are problems of the references
    of tasks without predictions; that there is no data for such a task is not reported.
    """
    for problem in validation.of_scores:
        left_out = partial and (problem.kind in {"missing", "null"} or problem.family == "unknown")
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
    wrong = references_of_other(name, by_id, joined.task.benchmark), references_are_nulls(name, by_id)
    yield from filter(None, wrong)
    for problem in references.faults(joined.task, split):
        left_out = partial and problem.id is not None and problem.id not in predictions
        yield problem.as_warning() if left_out else problem
