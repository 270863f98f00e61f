"""Rules about the name of a row's task, and about files of the other benchmark.

ZeroSCROLLS and SCROLLS share six tasks, whose ids look alike. A file belongs to one of them if it names a task that
only this one has, or by its references of QuALITY: the letter of the right option in ZeroSCROLLS, its text in SCROLLS.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from zs_bench.files.entries import canonical_task, name_task
from zs_bench.files.json_text import kind, written
from zs_bench.problems import Problem, short
from zs_bench.tasks import info
from zs_bench.validation.rules import DROPPED, NOTHING, Context, Finding, Row, Rule
from zs_metric.accuracy import read_letter
from zs_metric.tasks import BENCHMARKS, Benchmark

# A bare letter, or one that marks an option: `B`, `(B) text`, `B. text`.
_LETTER = re.compile(r"\W*[A-D]([).:].*|\W*)", re.DOTALL)


def bare_task(task: Any, benchmark: Benchmark) -> Any:
    """The task's name without the benchmark's, as lm-evaluation-harness writes it: `scrolls_qasper` in SCROLLS."""
    prefix = f"{benchmark.name}_"
    if not isinstance(task, str) or not task.startswith(prefix):
        return task
    bare = task.removeprefix(prefix)
    return bare if bare in benchmark.all_tasks else task


def names_file(row: Row) -> bool:
    """Return whether the row's task is only the name of its file."""
    return isinstance(row.task, str) and row.task == name_task(PurePosixPath(row.place.file or ""))


def _of_other_benchmark(row: Row, context: Context) -> Finding | None:
    """A task that only another benchmark has, in any spelling, or a task with another benchmark's name in front."""
    ours, name = context.benchmark, canonical_task(row.task)
    for other in BENCHMARKS.values():
        only_there = name in other.all_tasks and name not in ours.all_tasks
        if other.name != ours.name and (only_there or bare_task(row.task, other) != row.task):
            message = f"This is not a task of {ours.title} but of {other.title}. Score the file as {other.title}"
            return DROPPED._replace(detail=_name(row), message=message, benchmark=other.name)
    return None


def _spelling(row: Row, _context: Context) -> Finding | None:
    task = canonical_task(row.task)
    message = f"Misspelt task name. Did you mean {task}?"
    return Finding(f"read as {task}", row._replace(task=task), _name(row), message) if task else None


def _by_ids(row: Row, context: Context) -> Finding | None:
    task = context.group(row).tasks_by_ids.get(written(row.id) or "")
    return Finding("read as the task that has the IDs", row._replace(task=task), _name(row)) if task else None


def _id_of_no_task(row: Row, context: Context) -> Finding | None:
    """An id that tells no task, or several, where others do."""
    if not context.group(row).tasks_by_ids:
        return None
    several = ", ".join(sorted(context.tasks_of(written(row.id) or "")))
    message = "Several tasks have this ID. Add the task to the answer" if several else ""
    return DROPPED._replace(message=message, detail=several or None)


def _unknown_task(row: Row, context: Context) -> Finding:
    if not names_file(row):
        message = f"Unknown task. The tasks of {context.benchmark.title} are {', '.join(context.benchmark.all_tasks)}"
        return Finding(detail=_name(row), message=message)
    why = "Neither the file's name nor its IDs say which task it is for"
    if not context.known.lists:
        why = "The file's name does not say which task it is for, and there are no known IDs to tell it by"
    example = f"preds_qasper{PurePosixPath(row.place.file or '').suffix}"
    message = f"{why}. Name the file after its task, as in {example}, or add the task to each answer"
    return Finding(detail=_name(row), message=message)


def _name(row: Row) -> str:
    name = written(row.task)
    return kind(row.task) if name is None else repr(short(name))


#: Rules about the task's name, which is not one of the benchmark's.
TASK_RULES = (
    Rule("other-benchmark", "This is a task of another benchmark", _of_other_benchmark, "drop its answers", once=True),
    Rule("task-name", "Misspelt task name", _spelling, "correct the name", safe=True, family="unknown-task", once=True),
    Rule("task-by-ids", "No task has this name, but its IDs tell the task", _by_ids,
         "read it as the task that has the IDs", safe=True, is_error=False, once=True),
    Rule("unknown", "No task has this ID", _id_of_no_task, "drop the answer"),
    Rule("unknown-task", "Unknown task", _unknown_task, once=True),
)  # fmt: skip


def references_of_other(task: str, by_id: Mapping[str, Sequence[str]], benchmark: Benchmark) -> Problem | None:
    """The problem if most references of QuALITY are those of the other benchmark, else `None`.

    Letters in SCROLLS are an error. Texts in ZeroSCROLLS are a warning, since texts without a letter are refused as
    unreadable anyway; an article at the start is not a letter.

    >>> references_of_other("quality", {"1_x": ["B"], "2_y": ["(C) a boat"]}, BENCHMARKS["zero_scrolls"]) is None
    True
    """
    known_task = benchmark.all_tasks.get(task)
    if known_task is None or not info(known_task).options:
        return None
    texts = [text for references in by_id.values() for text in references]
    in_scrolls = known_task.metric.name != "accuracy"
    if in_scrolls:
        name, what = "zero_scrolls", "letters"
        others = sum(_LETTER.fullmatch(text) is not None for text in texts)
    else:
        name, what = "scrolls", "the texts of options"
        others = sum(read_letter(text.removeprefix("A ")) is None for text in texts)
    if 2 * others <= len(texts):
        return None
    other = BENCHMARKS[name].title
    message = f"The references are {what}, as in {other}. Score the file as {other}, or use the references of "
    return Problem("other-benchmark", message + benchmark.title, task, is_error=in_scrolls, benchmark=name)


def references_are_nulls(task: str, by_id: Mapping[str, Sequence[str]]) -> Problem | None:
    """The problem if every reference is a word for a missing value, as programs write the test split's nulls."""
    texts = [text for references in by_id.values() for text in references]
    if len(texts) < 2 or not all(text.strip().lower() in NOTHING for text in texts):
        return None
    message = f"Every reference is {texts[0].strip()!r}, written for a missing one. Take a split that has them"
    return Problem("null-reference", message, task)
