"""What is not there, and the task in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zs_bench.catalog import SIZES
from zs_bench.doctor.diagnosis import Count, Finding, Repair
from zs_bench.doctor.rules import Around, Row
from zs_bench.problems import Place, Problem

_FILLED = Repair("filled with an empty text, which scores 0", safe=False, becomes={"prediction": ""})


def missing(rows: Sequence[Row], around: Around) -> list[Finding]:
    """Every id without an answer; of a task without any answer the task as a whole."""
    return [Finding(problem, _FILLED) for task in around.ids for problem in _missing(task, rows, around)]


def _missing(task: str, rows: Sequence[Row], around: Around) -> Iterator[Problem]:
    ids, answered = around.ids[task].ids, {key for name, key in around.last if name == task}
    if not answered and not any(row.task == task for row in rows):
        yield Problem(
            "missing-task", "the task is not there; add its answers, all of them", task, detail=f"{len(ids):,} answers"
        )
        return
    lacking = [key for key in ids if key not in answered]
    message = f"{len(lacking):,} of {len(ids):,} answers are missing; add them"
    for key in lacking:
        yield Problem("missing", message, task, key)


def fill(rows: Sequence[Row], lacking: Sequence[Finding], around: Around) -> list[Row]:
    """The rows, and an empty answer for every id that is missing."""
    filled = list(rows)
    for one in lacking:
        task = one.problem.task or ""
        for key in around.ids[task].ids if one.problem.id is None else [one.problem.id]:
            filled.append(Row(len(filled), task, key, "", Place(None)))
    return filled


def count(rows: Sequence[Row], around: Around) -> dict[str, Count]:
    """The tasks in numbers: those that are answered and those whose ids are known."""
    answered: dict[str, set[str]] = {}
    for row in rows:
        if row.usable and row.id in around.ids.get(row.task, (row.id,)):
            answered.setdefault(row.task, set()).add(row.id)
    return {
        task: Count(len(answered.get(task, ())), len(around.ids[task]) if task in around.ids else None, size.test)
        for task, size in SIZES[around.benchmark.name].items()
        if task in answered or task in around.ids
    }
