"""Rules about a row as a whole, about its task's name, and about files of the other benchmark.

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


def _unquoted_comma(row: Row, _context: Context) -> Finding | None:
    """A prediction with unquoted commas, or semicolons in a file of these: it is everything after the id."""
    if row.reader_fault != "unquoted-comma" or row.salvaged is None:
        return None
    right = row._replace(salvaged=None)
    return Finding("answer read to the end of the row", right, row.salvaged.detail, row.salvaged.message)


def _of_other_benchmark(row: Row, context: Context) -> Finding | None:
    """A task that only another benchmark has, in any spelling, or a task with another benchmark's name in front."""
    ours, name = context.benchmark, canonical_task(row.task)
    for other in BENCHMARKS.values():
        only_there = name in other.all_tasks and name not in ours.all_tasks
        if other.name != ours.name and (only_there or bare_task(row.task, other) != row.task):
            message = f"This is not a task of {ours.title} but of {other.title}. Score the file as {other.title}"
            return DROPPED._replace(detail=_named(row), message=message, benchmark=other.name)
    return None


def _as_task(row: Row, task: str | None, message: str) -> Finding | None:
    return Finding(f"read as {task}", row._replace(task=task), _named(row), message.format(task)) if task else None


def _spelling(row: Row, _context: Context) -> Finding | None:
    return _as_task(row, canonical_task(row.task), "Misspelt task name. Did you mean {0}?")


def _by_ids(row: Row, context: Context) -> Finding | None:
    hit = _as_task(row, context.tasks_by_ids(row).get(written(row.id) or ""), _TASK_BY_IDS)
    return hit and hit._replace(repair_text="read as the task that has the IDs")


def _id_of_no_task(row: Row, context: Context) -> Finding | None:
    """An id that tells no task, or several, where others do."""
    if not context.tasks_by_ids(row):
        return None
    several = context.tasks_of(written(row.id) or "")
    message = "Several tasks have this ID. Add the task to the answer" if several else ""
    return DROPPED._replace(message=message, detail=", ".join(sorted(several)) or None)


def _unknown_task(row: Row, context: Context) -> Finding:
    if names_file(row):
        why = "Neither the file's name nor its IDs say which task it is for"
        if not context.known.lists:
            why = "The file's name does not say which task it is for, and there are no known IDs to tell it by"
        suffix = PurePosixPath(row.place.file or "").suffix
        message = f"{why}. Name the file after its task, as in preds_qasper{suffix}, or add the task to each answer"
    else:
        message = f"Unknown task. The tasks of {context.benchmark.title} are {', '.join(context.benchmark.all_tasks)}"
    return Finding(detail=_named(row), message=message)


def names_file(row: Row) -> bool:
    """Return whether the row's task is only the name of its file."""
    return isinstance(row.task, str) and row.task == name_task(PurePosixPath(row.place.file or ""))


def _named(row: Row) -> str:
    name = written(row.task)
    return kind(row.task) if name is None else repr(short(name))


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
    in_scrolls = known_task.metric.name != "accuracy"
    texts = [text for references in by_id.values() for text in references]
    if in_scrolls:
        others = sum(_LETTER.fullmatch(text) is not None for text in texts)
    else:
        others = sum(read_letter(text.removeprefix("A ")) is None for text in texts)
    if 2 * others <= len(texts):
        return None
    other = BENCHMARKS["zero_scrolls" if in_scrolls else "scrolls"]
    what = "letters" if in_scrolls else "the texts of options"
    message = f"The references are {what}, as in {other.title}. Score the file as {other.title}, or use the references"
    return Problem(
        "other-benchmark", f"{message} of {benchmark.title}", task, is_error=in_scrolls, benchmark=other.name
    )


_TASK_BY_IDS = "No task has this name, but its IDs tell the task"


def references_are_nulls(task: str, by_id: Mapping[str, Sequence[str]]) -> Problem | None:
    """The problem if every reference is a word for a missing value, as programs write the test split's nulls."""
    texts = [text for references in by_id.values() for text in references]
    if len(texts) < 2 or not all(text.strip().lower() in NOTHING for text in texts):
        return None
    message = f"Every reference is {texts[0].strip()!r}, written for a missing one. Take a split that has them"
    return Problem("null-reference", message, task)


#: Rules about a row as a whole, checked first.
ROW_RULES = (
    Rule("unquoted-comma", "Unquoted commas: the row has too many cells", _unquoted_comma,
         "read all that follows the ID as the answer", safe=True, family="unreadable"),
)  # fmt: skip

#: Rules about the task's name, which is not one of the benchmark's.
TASK_RULES = (
    Rule("other-benchmark", "This is a task of another benchmark", _of_other_benchmark, "drop its answers", once=True),
    Rule("task-name", "Misspelt task name", _spelling, "correct the name", safe=True, family="unknown-task", once=True),
    Rule("task-by-ids", _TASK_BY_IDS, _by_ids, "read it as the task that has the IDs", safe=True, is_error=False,
         once=True),
    Rule("unknown", "No task has this ID", _id_of_no_task, "drop the answer"),
    Rule("unknown-task", "Unknown task", _unknown_task, once=True),
)  # fmt: skip
