"""Rules about a row as a whole, about its task's name, and about files of the other benchmark.

ZeroSCROLLS and SCROLLS share six tasks, whose ids look alike. A file belongs to one of them if it names a task that
only this one has, or by its references of QuALITY: the letter of the right option in ZeroSCROLLS, its text in SCROLLS.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from rapidfuzz import fuzz, process

from zs_bench.files.entries import TASK_NAMES, known_task, name_task, spelt_otherwise
from zs_bench.files.json_text import kind, written
from zs_bench.problems import Problem, short
from zs_bench.tasks import info
from zs_bench.validation.rules import Context, Hit, Row, Rule, as_task
from zs_metric.accuracy import read_letter
from zs_metric.tasks import BENCHMARKS, Benchmark

#: The similarity (0 to 100) from which a name is taken for a task's.
SIMILAR = 78.0
# A bare letter, or one that marks an option: `B`, `(B) text`, `B. text`.
_LETTER = re.compile(r"\W*[A-D]([).:].*|\W*)", re.DOTALL)


def bare_task(task: Any, benchmark: Benchmark) -> Any:
    """The task's name without the benchmark's, as lm-evaluation-harness writes it: `scrolls_qasper` in SCROLLS."""
    if isinstance(task, str) and not task.startswith(benchmark.name):
        return task
    bare = task.removeprefix(f"{benchmark.name}_") if isinstance(task, str) else ""
    return bare if bare in benchmark.all_tasks else task


def unquoted_comma(row: Row, _context: Context) -> Hit | None:
    """A prediction with unquoted commas, or semicolons in a file of these: it is everything after the id."""
    if row.flaw != "unquoted-comma" or row.salvaged is None:
        return None
    right = row._replace(salvaged=None)
    return Hit("answer read to the end of the row", right, row.salvaged.detail, row.salvaged.message)


def of_other_benchmark(row: Row, context: Context) -> Hit | None:
    """A task that only another benchmark has, in any spelling, or a task with another benchmark's name in front."""
    ours = context.benchmark
    name = known_task(row.task) or (spelt_otherwise(row.task) if isinstance(row.task, str) else None)
    if name in ours.all_tasks and name == row.task:
        return None
    others = [one for one in BENCHMARKS.values() if one.name != ours.name]
    other = next((one for one in others if _is_of(row.task, name, one, ours)), None)
    if other is None:
        return None
    message = f"This is not a task of {ours.title} but of {other.title}. Score the file as {other.title}"
    return Hit("row dropped", None, _named(row), message, other.name)


def _is_of(written_task: Any, name: str | None, other: Benchmark, ours: Benchmark) -> bool:
    named = isinstance(written_task, str) and written_task.startswith(f"{other.name}_")
    if named and written_task.removeprefix(f"{other.name}_") in other.all_tasks:
        return True
    return name in other.all_tasks and name not in ours.all_tasks


def spelling(row: Row, context: Context) -> Hit | None:
    """A task's name with other case, spaces or hyphens; or a similar name, if the ids are that task's."""
    if known_task(row.task):
        return None
    task = spelt_otherwise(row.task)
    if task is None:
        near = _near(row)
        task = near if near and context.owner(row) == near else None
    return as_task(row, task, _named(row)) if task else None


def near_name(row: Row, _context: Context) -> Hit | None:
    """A name similar to a task's, if the ids do not decide."""
    near = None if known_task(row.task) else _near(row)
    return as_task(row, near, _named(row)) if near else None


def task_by_ids(row: Row, context: Context) -> Hit | None:
    """An unknown name, if most ids are of one task."""
    task = None if known_task(row.task) else context.owner(row)
    return as_task(row, task, _named(row)) if task else None


def unknown_task(row: Row, context: Context) -> Hit | None:
    """Any other unknown name."""
    if known_task(row.task):
        return None
    if isinstance(row.task, str) and row.task == name_task(PurePosixPath(row.place.file or "")):
        message = "The file's name does not say which task it is for. Name it preds_<task>.json, or add the task to it"
    else:
        message = f"Unknown task. The tasks of {context.benchmark.title} are {', '.join(context.benchmark.all_tasks)}"
    return Hit(detail=_named(row), message=message)


def _named(row: Row) -> str:
    name = written(row.task)
    return kind(row.task) if name is None else repr(short(name))


def _near(row: Row) -> str | None:
    return _near_task((written(row.task) or "")[:80].lower())


@lru_cache(1_000)
def _near_task(name: str) -> str | None:
    found = process.extractOne(name, TASK_NAMES, scorer=fuzz.ratio, score_cutoff=SIMILAR)
    return found[0] if found else None


def references_of_other(task: str, by_id: Mapping[str, Sequence[str]], benchmark: Benchmark) -> Problem | None:
    """The problem if the references of QuALITY are those of the other benchmark, else `None`.

    Letters in SCROLLS are an error. Texts in ZeroSCROLLS are a warning, since texts without a letter are refused as
    unreadable anyway.

    >>> references_of_other("quality", {"1_x": ["B"], "2_y": ["(C) a boat"]}, BENCHMARKS["zero_scrolls"]) is None
    True
    """
    known = benchmark.all_tasks.get(task)
    if known is None or not info(known).options:
        return None
    in_scrolls = known.metric.name != "accuracy"
    if not _most((text for texts in by_id.values() for text in texts), letters=in_scrolls):
        return None
    other = BENCHMARKS["zero_scrolls" if in_scrolls else "scrolls"]
    what = "letters" if in_scrolls else "the texts of options"
    message = f"The references are {what}, as in {other.title}. Score the file as {other.title}, or use the references"
    about = {"refuses": in_scrolls, "benchmark": other.name}
    return Problem("other-benchmark", f"{message} of {benchmark.title}", task, **about)  # type: ignore[arg-type]


def _most(references: Iterable[str], *, letters: bool) -> bool:
    """Whether most references are letters, or else texts without one; an article at the start is not a letter."""
    found = [
        _LETTER.fullmatch(text) is not None if letters else read_letter(text.removeprefix("A ")) is None
        for text in references
    ]
    return 2 * sum(found) > len(found)


#: Rules about a row as a whole, checked first.
ROW_RULES = (
    Rule(
        "unquoted-comma",
        "Unquoted commas: the row has too many cells",
        unquoted_comma,
        "read all that follows the ID as the answer",
        safe=True,
        family="unreadable",
    ),
)

#: Rules about the task's name.
TASK_RULES = (
    Rule("other-benchmark", "This is a task of another benchmark", of_other_benchmark, "drop its answers"),
    Rule("task-name", "Misspelt task name", spelling, "correct the name", safe=True, family="unknown-task"),
    Rule(
        "near-task",
        "Unknown task, similar to a known one",
        near_name,
        "read it as the task of a similar name",
        family="unknown-task",
    ),
    Rule(
        "task-by-ids",
        "Unknown task, but most of the IDs are of one task",
        task_by_ids,
        "read it as the task that has the IDs",
        family="unknown-task",
    ),
    Rule("unknown-task", "Unknown task", unknown_task),
)
