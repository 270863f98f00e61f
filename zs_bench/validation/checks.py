"""All rows checked and repaired, and the predictions that are missing.

Rows are checked aspect by aspect, each after the safe repairs of the earlier ones, so that a file with a misspelt task
is not also reported as lacking all its predictions.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from zs_bench.files.entries import Entry, known_task
from zs_bench.problems import Place, Problem, Repair, counted
from zs_bench.validation.context import Context
from zs_bench.validation.known_ids import KnownIds
from zs_bench.validation.rules import CHECKS, OFFERED, Finding

#: Kinds that concern a submission only and affect no score.
SUBMISSION_ONLY = frozenset({"header", "nul", "nothing-word", "missing-task"})
#: Kinds that prevent submission but not scoring.
HARMLESS_IN_SCORES = SUBMISSION_ONLY | {"doubled"}
_FILLED = Repair("filled with an empty answer, which scores 0", safe=False, becomes={"prediction": ""})


class Checked(NamedTuple):
    """The rows after repair, the remaining problems, the repaired problems, and the final context."""

    rows: list[Entry]
    problems: list[Problem]
    made: list[Problem]
    context: Context


def check(
    rows: Sequence[Entry],
    known_ids: KnownIds,
    accept: Collection[str] | None = None,
    *,
    safe: bool = True,
    aspects: Collection[str] = CHECKS,
) -> Checked:
    """Check all rows, make the repairs of the accepted kinds, and the safe ones unless `safe` is false.

    If `accept` is `None`, every problem is reported, and later aspects see each row as its safe repairs would leave it.
    """
    checked = Checked(list(rows), [], [], Context(rows, known_ids, {}))
    for aspect in (aspect for aspect in CHECKS if aspect in aspects):
        checked = _check_aspect(aspect, checked, accept, safe=safe)
    return checked


class _Report(NamedTuple):
    row: Entry
    finding: Finding
    made: bool


def _check_aspect(aspect: str, before: Checked, accept: Collection[str] | None, *, safe: bool) -> Checked:
    context, find = before.context, CHECKS[aspect]
    reports: dict[tuple[object, ...], list[_Report]] = {}
    rows: list[Entry] = []
    for row in before.rows:
        kept: Entry | None = row
        while kept and not kept.unresolvable and (finding := find(kept, context)):
            repairs = bool(finding.repair) and (finding.kind not in OFFERED or finding.kind in (accept or ()))
            made = repairs and accept is not None and (safe or finding.kind in accept)
            alike = (finding.kind, *(kept.name if finding.once else (kept.number,)))
            reports.setdefault(alike, []).append(_Report(kept, finding, made))
            refused = kept.refused or (finding.is_error and not made and finding.kind not in HARMLESS_IN_SCORES)
            if not repairs:
                # A row whose task or id is unknown is not checked further.
                kept = kept._replace(unresolvable=aspect in ("task", "form"), refused=refused)
                break
            kept = finding.row and finding.row._replace(refused=refused)
        if kept:
            rows.append(kept)
    problems: dict[bool, list[Problem]] = {False: list(before.problems), True: list(before.made)}
    for alike_reports in reports.values():
        problems[alike_reports[0].made].append(_problem(alike_reports, aspect, context))
    if aspect == "task":
        predictions = (
            (row.task, row.id) for row in rows if isinstance(row.id, str) and known_task(row.task, context.benchmark)
        )
        context = Context(rows, context.known_ids, context.known_ids.by_task(predictions))
    elif rows != before.rows:
        context = Context(rows, context.known_ids, context.ids)
    return Checked(rows, problems[False], problems[True], context)


def _problem(reports: Sequence[_Report], aspect: str, context: Context) -> Problem:
    """The problem of a row, or of all rows of a file and task, with their number."""
    row, finding, _ = reports[0]
    safe, id_, place, detail, becomes = finding.kind not in OFFERED, row.id, row.place, finding.detail, None
    if finding.once:
        id_, place = None, Place(place.file) if aspect != "task" or row.task_is_from_name else place
        detail = ", ".join(filter(None, (detail, counted(len(reports), "answer"))))
    elif finding.row:
        changes = {"task": (row.task, finding.row.task), "id": (row.id, finding.row.id)}
        changes["prediction"] = (row.value, finding.row.value)
        becomes = {name: new for name, (old, new) in changes.items() if new != old}
    named = ((report.finding.row if safe else None) or report.row for report in reports)
    tasks = {known_task(each.task, context.benchmark) for each in named}
    return Problem(
        finding.kind,
        finding.message,
        tasks.pop() if len(tasks) == 1 else None,
        id_ if isinstance(id_, str) else None,
        place,
        context.last[row.task, row.id].place if aspect == "repeats" else None,
        is_error=finding.is_error,
        detail=detail,
        family=finding.family,
        benchmark=finding.benchmark,
        repair=Repair(finding.repair, safe, becomes) if finding.repair else None,
    )


def missing(
    context: Context, problems: Sequence[Problem] = (), *, present: Collection[str] = (), whole: bool = True
) -> list[Problem]:
    """A problem for every id without a prediction, or, if `whole`, one for a task that is not `present` in the files.

    An id with a problem so far is not reported again, nor the ids of a task that are shifted, nor all ids of a task
    whose file could not be read.
    """
    wrong = [problem for problem in problems if problem.is_error]
    in_order = {problem.task for problem in wrong if problem.kind == "row-order"}
    named = {(problem.task, problem.id) for problem in wrong if problem.id is not None}
    broken = {problem.task for problem in wrong if problem.place is not None and problem.id is None}
    order = [*context.benchmark.all_tasks, *context.ids]
    missing_ids: list[Problem] = []
    for task in sorted(context.ids, key=order.index):
        ids = context.ids[task].ids
        answered = {id_ for name, id_ in context.last if name == task}
        if task in context.shifts or task in in_order:
            continue
        if task in present and (answered or task not in broken):
            lacking = [id_ for id_ in ids if id_ not in answered and (task, id_) not in named]
            message = f"{len(lacking):,} of {len(ids):,} answers {'is' if len(lacking) == 1 else 'are'} missing"
            missing_ids += [Problem("missing", message, task, id_, repair=_FILLED) for id_ in lacking]
        elif task not in present and whole:
            detail = counted(len(ids), "missing answer")
            missing_ids.append(Problem("missing-task", "No answers for the task", task, detail=detail, repair=_FILLED))
    return missing_ids


def fill(checked: Checked, present: Collection[str], *, whole: bool) -> Checked:
    """Add an empty prediction for every id without one; `present` and `whole` as in `missing`."""
    rows, context = list(checked.rows), checked.context
    lacking = missing(context, present=present, whole=whole)
    for problem in lacking:
        for id_ in context.ids[problem.task or ""].ids if problem.id is None else [problem.id]:
            rows.append(Entry(problem.task, id_, "", Place(None), number=len(rows)))
    filled = {("null", problem.task, problem.id) for problem in lacking}
    left = [problem for problem in checked.problems if (problem.kind, problem.task, problem.id) not in filled]
    return Checked(rows, left, [*checked.made, *lacking], Context(rows, context.known_ids, context.ids))
