"""Rows, and the names of tasks: what is wrong with them and what they seem to mean."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache

from zs_bench.doctor.rules import Around, Hit, Row, Rule, as_task, left_out
from zs_bench.files.entries import TASK_NAMES, known_task, spelt_otherwise
from zs_bench.files.json_text import kind, written
from zs_bench.problems import short
from zs_metric.tasks import BENCHMARKS


def unquoted_comma(row: Row, _around: Around) -> Hit | None:
    """The answer is all that stands after the id."""
    if row.flaw != "unquoted-comma":
        return None
    return Hit("the answer is read with its commas", replace(row, flaw=""))


def spelling(row: Row, around: Around) -> Hit | None:
    """The name of one task but for capitals, blanks, hyphens; or like it, and the ids are that task's."""
    if known_task(row.task):
        return None
    task = spelt_otherwise(row.task)
    if task is None:
        near = _near(row)
        task = near if near and around.owner(row) == near else None
    return as_task(row, task, _named(row)) if task else None


def near_name(row: Row, _around: Around) -> Hit | None:
    """The name of no task, but like one, and the ids do not tell."""
    near = None if known_task(row.task) else _near(row)
    return as_task(row, near, _named(row)) if near else None


def told_by_ids(row: Row, around: Around) -> Hit | None:
    """The name of no task, and most ids are of one."""
    task = None if known_task(row.task) else around.owner(row)
    return as_task(row, task, _named(row)) if task else None


def of_other_benchmark(row: Row, around: Around) -> Hit | None:
    """A task of another benchmark that this one has not."""
    task = known_task(row.task)
    return left_out(_named(row)) if task and task not in around.benchmark.all_tasks else None


def unknown_task(row: Row, _around: Around) -> Hit | None:
    """No task at all."""
    return None if known_task(row.task) else Hit(detail=_named(row))


def _named(row: Row) -> str:
    name = written(row.task)
    return kind(row.task) if name is None else short(name)


def _near(row: Row) -> str | None:
    return _near_task((written(row.task) or "")[:80].lower())


@lru_cache(1_000)
def _near_task(name: str) -> str | None:
    return next(iter(get_close_matches(name, TASK_NAMES, n=1, cutoff=0.75)), None)


_TASKS = "; ".join(f"of {one.title} {', '.join(one.tasks)}" for one in BENCHMARKS.values())

#: Of the row as such, before anything else.
ROW_RULES = (
    Rule(
        "unquoted-comma",
        "the answer has commas and no quotes around it, so that the row has too many cells",
        unquoted_comma,
        "read all that stands after the id",
        safe=True,
    ),
)

#: Of the task's name.
TASK_RULES = (
    Rule("task-name", "the task's name is spelt otherwise", spelling, "read it as the task", safe=True),
    Rule(
        "near-task",
        "there is no such task, but one of a similar name",
        near_name,
        "read it as the task of a similar name",
    ),
    Rule(
        "task-by-ids",
        "there is no such task, but most of the ids are of one",
        told_by_ids,
        "read it as the task that has the ids",
    ),
    Rule(
        "other-benchmark",
        "this is a task of another benchmark; check the file as one of that, or leave its answers out",
        of_other_benchmark,
        "leave its answers out",
    ),
    Rule("unknown-task", f"there is no such task; the tasks are {_TASKS}", unknown_task),
)
