"""Prediction files read, checked against the known ids, and repaired on request.

Rows are checked aspect by aspect, each after the safe repairs of the earlier ones, so that a file with a misspelt task
is not also reported as lacking all its predictions. `score` scores the predictions without problems; `verify` reports
the same problems and can write a repaired file. A score is always that of the files as they are: no repair is made
unless the user asks for it.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from zs_bench.files.entries import Entry
from zs_bench.files.names import known_task
from zs_bench.problems import MAX_PROBLEMS, Place, Problem, Repair, counted
from zs_bench.validation.known_ids import KnownIds
from zs_bench.validation.predictions import ReadPredictions
from zs_bench.validation.rules import CHECKS, OFFERED, Context, Finding
from zs_bench.validation.submission import Count, check_header, count, in_order, verdict
from zs_metric.errors import ZeroScrollsError, did_you_mean
from zs_metric.version import VERSION

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
    aspects: Iterable[str] = CHECKS,
) -> Checked:
    """Check all rows, make the repairs of the accepted kinds, and the safe ones unless `safe` is false.

    If `accept` is `None`, every problem is reported, and later aspects see each row as its safe repairs would leave it.
    """
    checked = Checked(list(rows), [], [], Context(rows, known_ids, {}))
    for aspect in aspects:
        checked = _check_aspect(aspect, checked, accept, safe=safe)
    return checked


def _check_aspect(aspect: str, before: Checked, accept: Collection[str] | None, *, safe: bool) -> Checked:
    context, find = before.context, CHECKS[aspect]
    reports: dict[tuple[bool, str, object], list[tuple[Entry, Finding]]] = {}
    rows: list[Entry] = []
    for row in before.rows:
        kept: Entry | None = row
        while kept and not kept.unresolvable and (finding := find(kept, context)):
            repairs = bool(finding.repair) and (finding.kind not in OFFERED or finding.kind in (accept or ()))
            made = repairs and accept is not None and (safe or finding.kind in accept)
            alike = (made, finding.kind, kept.name if finding.once else kept.number)
            reports.setdefault(alike, []).append((kept, finding))
            refused = kept.refused or (finding.is_error and not made and finding.kind not in HARMLESS_IN_SCORES)
            if not repairs:
                # A row whose task or id is unknown is not checked further.
                kept = kept._replace(unresolvable=aspect in ("task", "form"), refused=refused)
                break
            kept = finding.row and finding.row._replace(refused=refused)
        if kept:
            rows.append(kept)
    problems, repaired = list(before.problems), list(before.made)
    for (made, *_), found in reports.items():
        (repaired if made else problems).append(_problem(found, aspect, context))
    if aspect == "task":
        named = (row for row in rows if isinstance(row.id, str) and known_task(row.task, context.benchmark))
        ids = context.known_ids.by_task((row.task, row.id) for row in named)
        context = Context(rows, context.known_ids, ids)
    elif rows != before.rows:
        context = Context(rows, context.known_ids, context.ids)
    return Checked(rows, problems, repaired, context)


def _problem(found: Sequence[tuple[Entry, Finding]], aspect: str, context: Context) -> Problem:
    """The problem of a row, or of all rows of a file and task, with their number."""
    row, finding = found[0]
    safe, id_, place, detail, becomes = finding.kind not in OFFERED, row.id, row.place, finding.detail, None
    if finding.once:
        id_, place = None, Place(place.file) if aspect != "task" or row.task_is_from_name else place
        detail = ", ".join(filter(None, (detail, counted(len(found), "answer"))))
    elif finding.row:
        changes = {"task": (row.task, finding.row.task), "id": (row.id, finding.row.id)}
        changes["prediction"] = (row.value, finding.row.value)
        becomes = {name: new for name, (old, new) in changes.items() if new != old}
    named = ((each.row if safe else None) or row for row, each in found)
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
        columns=finding.columns,
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
    in_order = {problem.task for problem in wrong if problem.kind == "row-order" and problem.task}
    named = {(problem.task, problem.id) for problem in wrong if problem.id is not None}
    broken = {problem.task for problem in wrong if problem.place is not None and problem.id is None}
    order = [*context.benchmark.all_tasks, *context.ids]
    missing_ids: list[Problem] = []
    for task in sorted(context.ids.keys() - context.shifts.keys() - in_order, key=order.index):
        ids = context.ids[task].ids
        answered = context.answered.get(task, ())
        if task in present and (answered or task not in broken):
            questions = {context.ids[task].question(id_) for id_ in answered}
            ids = tuple(id_ for id_ in ids if context.ids[task].question(id_) == id_)
            lacking = [id_ for id_ in ids if id_ not in questions and (task, id_) not in named]
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


SCHEMA = "zero-scrolls-verify/2"


@dataclass(frozen=True)
class Validation:
    """Checked predictions and their problems; after a repair, those that remain, errors before warnings.

    Attributes:
        predictions: the texts that can be scored, by task and id, with every task that the files name.
        whole: whether tasks without any prediction were reported as missing.
        ready, verdict: whether the predictions can be submitted, and if not, why.
    """

    read: ReadPredictions = field(repr=False)
    checked: Checked = field(repr=False, compare=False)
    predictions: Mapping[str, Mapping[str, str]] = field(repr=False)
    problems: Sequence[Problem]
    counts: Mapping[str, Count]
    whole: bool
    ready: bool
    verdict: str

    @property
    def known_ids(self) -> KnownIds:
        return self.checked.context.known_ids

    @property
    def splits(self) -> dict[str, str | None]:
        """The split that each task with known ids was checked against."""
        return {task: ids.source.split for task, ids in self.checked.context.ids.items()}

    @cached_property
    def without_ids(self) -> frozenset[str]:
        """The tasks of which rows without ids were matched by the references beside them."""
        return frozenset(row.task for row in self.checked.rows if row.is_by_references)

    @property
    def changes(self) -> list[str]:
        return [problem.change for problem in self.checked.made]

    @property
    def answers(self) -> list[tuple[str, str, str]]:
        """The rows of the submission (task, id, text) with the safe repairs made, in the order of tasks and ids."""
        return in_order(self.checked.rows, self.checked.context)

    @property
    def of_scores(self) -> list[Problem]:
        """The problems that matter for a score; those of a submission only are left out.

        Of equal warnings about one id, as of answers that are in two files, the last is kept, which is of the answer
        that counts; each further answer has its own warning, that it counts once.
        """
        left = [problem for problem in self.problems if problem.kind not in SUBMISSION_ONLY]
        last = {_of_answer(problem): place for place, problem in enumerate(left)}
        left = [problem for place, problem in enumerate(left) if last[_of_answer(problem)] == place or _each(problem)]
        return [problem.as_warning() if problem.kind in HARMLESS_IN_SCORES else problem for problem in left]

    @property
    def offers(self) -> dict[str, int]:
        """The kinds of repairs that are made only when accepted, with the number of their problems."""
        return dict(Counter(each.kind for each in self.problems if each.repair and not each.repair.safe))

    def only(self, tasks: Collection[str]) -> "Validation":
        """The predictions and problems of these tasks; one without any prediction is an error."""
        predictions = {task: texts for task, texts in self.predictions.items() if task in tasks}
        absent = "No answers for the task, which was asked for"
        problems = [Problem("not-answered", absent, task) for task in tasks if task not in predictions]
        problems += [problem for problem in self.problems if problem.task is None or problem.task in tasks]
        return replace(self, predictions=predictions, problems=problems)

    def as_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": VERSION,
            "ids": [{"source": id_list.source.label, "split": id_list.split} for id_list in self.known_ids.lists],
            "files": [file.as_dict() for file in self.read.files],
            **self._in_numbers(),
            "problems": self._listed(),
            "problems_left_out": max(0, len(self.problems) - MAX_PROBLEMS),
        }

    def repairs_as_dict(self) -> dict[str, Any]:
        """What was repaired, and what is left, as JSON-able data."""
        return {**self._in_numbers(), "changes": self.changes, "left": self._listed()}

    def _in_numbers(self) -> dict[str, Any]:
        tasks = {task: numbers._asdict() for task, numbers in self.counts.items()}
        return {"ready": self.ready, "verdict": self.verdict, "tasks": tasks}

    def _listed(self) -> list[dict[str, Any]]:
        return [{"repair": None, **problem.as_dict()} for problem in self.problems[:MAX_PROBLEMS]]


def _of_answer(problem: Problem) -> tuple[str, str | None, str | None, str]:
    return problem.kind, problem.task, problem.id, problem.message


def _each(problem: Problem) -> bool:
    """Whether a problem counts also where there is an equal one of the same id."""
    return problem.is_error or problem.id is None


def repair(validation: Validation, accept: Iterable[str] = (), *, fill_missing: bool = False) -> Validation:
    """Make the safe repairs and those of the accepted kinds, keys of `zs_bench.validation.rules.OFFERED`.

    With `fill_missing`, add an empty prediction, which scores 0, for every missing one. For an unknown kind,
    `ZeroScrollsError` names the most similar one.
    """
    kinds = frozenset(accept)
    for kind in sorted(kinds - OFFERED.keys()):
        raise ZeroScrollsError(f"no repair {kind!r}; {did_you_mean(kind, OFFERED) or 'they are ' + ', '.join(OFFERED)}")
    whole = validation.whole
    return validate(validation.read, validation.known_ids, whole=whole, accept=kinds, fill_missing=fill_missing)


def validate(
    read: ReadPredictions,
    known_ids: KnownIds,
    *,
    whole: bool | None = True,
    accept: Collection[str] | None = None,
    safe: bool = True,
    fill_missing: bool = False,
) -> Validation:
    """Check predictions against the ids; without any, ids are not checked.

    Args:
        whole: whether tasks without any prediction are missing; `None`: only if most tasks have some.
        accept: the kinds of repairs to make beside the `safe` ones; by default nothing is repaired.
        fill_missing: as for `repair`.
    """
    checked = check(read.rows, known_ids, accept, safe=safe)
    if fill_missing:
        checked = fill(checked, _present(read, checked), whole=bool(whole))
    problems = [*known_ids.problems, *read.problems]
    if not read.rows and not read.tasks and not any(problem.is_error for problem in problems):
        formats = "No answers found in the files. Check that they are in one of the formats"
        problems.append(Problem("nothing", "The run has no answer yet" if read.run else formats))
    headers = [problem for file in read.files if (problem := check_header(file))]
    if accept is None or not safe:
        problems += headers
    else:
        checked = checked._replace(made=[*headers, *checked.made])
    problems += checked.problems
    context, benchmark = checked.context, checked.context.benchmark
    problems += _ties(context)
    present = _present(read, checked) | {problem.task for problem in problems if problem.is_error and problem.task}
    if whole is None:
        whole = len(present & benchmark.tasks.keys()) > len(benchmark.tasks) // 2
    problems += _repeated(read, checked)
    problems += missing(context, problems, present=present, whole=whole)
    problems.sort(key=lambda problem: not problem.is_error)
    predictions: dict[str, dict[str, str]] = {task: {} for task in benchmark.all_tasks if task in present}
    for row in checked.rows:
        if not row.refused and row.usable and row.task in predictions:
            predictions[row.task][row.id] = row.value
    counts = {task: numbers for task, numbers in count(context).items() if whole or task in present}
    decided = verdict(problems, counts, context, read.files)
    return Validation(read, checked, predictions, problems, counts, whole, *decided)


def _repeated(read: ReadPredictions, checked: Checked) -> list[Problem]:
    """The warning of each task whose rows without ids answer questions several times."""
    if not (tasks := {row.task: None for row in checked.rows if row.is_by_references}):
        return []
    from zs_bench.validation.repeated_questions import repeated_of_task  # noqa: PLC0415  (most rows have ids)

    found = (repeated_of_task(read.rows, task) for task in tasks)
    return [repeated.problem() for repeated in found if repeated]


def _ties(context: Context) -> Iterator[Problem]:
    """The problem of each task whose answered ids are in several splits of the references alike."""
    for task, ids in context.ids.items():
        if ids.tied:
            names = [f"{each.split or 'no'} split" for each in (ids.source, *ids.tied)]
            message = f"The IDs are in the references of {' and of '.join(names)} alike. Give one of them"
            yield Problem("split-tie", message, task)


def _present(read: ReadPredictions, checked: Checked) -> set[str]:
    """The tasks that the files name, with or without a prediction, unless the ids tell another one."""
    tasks = {row.number: row.task for row in checked.rows if isinstance(row.task, str)}
    named = (row for row in read.rows if row.task_is_from_name)
    renamed = {row.task for row in named if tasks.get(row.number, row.task) != row.task}
    return {*read.tasks} - renamed | {*tasks.values()}
