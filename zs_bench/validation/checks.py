"""The table of all rules, and the check of every row against them.

Rows are checked aspect by aspect, each after the safe repairs of the earlier ones, so that a file with a misspelt task
is not also reported as lacking all its predictions. Missing predictions are counted last.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from operator import is_
from typing import NamedTuple

from zs_bench.files import limits
from zs_bench.files.entries import known_task
from zs_bench.problems import Place, Problem, Repair, counted
from zs_bench.validation.known_ids import KnownIds
from zs_bench.validation.prediction_rules import FORM_RULES, ID_RULES, TEXT_RULES, TWICE_RULES, may_be_wrong
from zs_bench.validation.rules import Context, Finding, Row, Rule
from zs_bench.validation.task_rules import TASK_RULES, names_file

#: The rules by aspect, in the order in which a row is checked.
RULES: Mapping[str, tuple[Rule, ...]] = {
    "task": TASK_RULES,
    "form": FORM_RULES,
    "id": ID_RULES,
    "text": TEXT_RULES,
    "twice": TWICE_RULES,
}
#: By aspect, a quick test whether any rule can apply to a row: there may be 200,000 rows, most of them correct.
_APPLIES: Mapping[str, Callable[[Row, Context], bool]] = {
    "task": lambda row, context: not isinstance(row.task, str) or row.task not in context.tasks,
    "form": lambda row, _: row.fault is not None or not isinstance(row.id, str) or len(row.id) > limits.MAX_ID,
    "id": lambda row, context: row.task in context.ids and row.id not in context.ids[row.task],
    "text": may_be_wrong,
    "twice": lambda row, context: row.number in context.repeated,
}
#: The repairs that are made only when their kind is accepted: what they do, by kind.
OFFERED: Mapping[str, str] = {
    rule.kind: rule.repair for rules in RULES.values() for rule in rules if rule.repair and not rule.safe
}
#: Kinds that concern a submission only and affect no score.
SUBMISSION_ONLY = frozenset({"header", "nul", "nothing-word", "missing-task"})
#: Kinds that prevent submission but not scoring.
HARMLESS_IN_SCORES = SUBMISSION_ONLY | {"doubled"}
_FILLED = Repair("filled with an empty answer, which scores 0", safe=False, becomes={"prediction": ""})


class Checked(NamedTuple):
    """The rows after repair, the remaining problems, the repaired problems, and the final context."""

    rows: list[Row]
    problems: list[Problem]
    made: list[Problem]
    context: Context


def check(
    rows: Sequence[Row], known: KnownIds, accept: Collection[str] | None = None, *, aspects: Collection[str] = RULES
) -> Checked:
    """Check all rows, make the safe repairs, and those of the accepted kinds.

    If `accept` is `None`, every problem is reported, and later aspects see each row as its safe repairs would leave it.
    """
    checked = Checked(list(rows), [], [], Context(rows, known, {}))
    for aspect in (aspect for aspect in RULES if aspect in aspects):
        checked = _check_aspect(aspect, checked, accept)
    return checked


def _check_aspect(aspect: str, before: Checked, accept: Collection[str] | None) -> Checked:
    context, applies, reports = before.context, _APPLIES[aspect], _Reports(aspect, before.context)
    checked = (
        _check_row(row, reports, accept) if not row.unresolvable and applies(row, context) else row
        for row in before.rows
    )
    rows = [row for row in checked if row is not None]
    if aspect == "task":
        predicted = ((row.task, row.id) for row in rows if isinstance(row.id, str) and known_task(row.task))
        context = Context(rows, context.known, context.known.of_tasks(predicted))
    elif len(rows) != len(before.rows) or not all(map(is_, rows, before.rows)):
        context = Context(rows, context.known, context.ids)
    problems, made = reports.all(made=False), reports.all(made=True)
    return Checked(rows, before.problems + problems, before.made + made, context)


def _check_row(row: Row, reports: "_Reports", accept: Collection[str] | None) -> Row | None:
    """The row after the check, repaired where possible; `None` if it is dropped."""
    for rule in RULES[reports.aspect]:
        finding = rule.find(row, reports.context)
        if finding is None:
            continue
        repairs = bool(finding.repair) and (rule.safe or rule.kind in (accept or ()))
        made = repairs and accept is not None
        reports.add(row, rule, finding, made=made)
        refused = row.refused or (rule.is_error and not made and rule.kind not in HARMLESS_IN_SCORES)
        if not repairs:
            # A row whose task or id is unknown is not checked further.
            return row._replace(unresolvable=reports.aspect in ("task", "form"), refused=refused)
        if finding.row is None:
            return None
        row = finding.row._replace(refused=refused)
        if not _APPLIES[reports.aspect](row, reports.context):
            break
    return row


class _Reports:
    """The problems found in one pass; those of some kinds once for all rows of a file and task."""

    def __init__(self, aspect: str, context: Context) -> None:
        self.aspect, self.context = aspect, context
        self._reports: list[tuple[Problem, bool, Counter[str | None] | None]] = []
        self._answers: dict[tuple[str | None, ...], Counter[str | None]] = {}

    def add(self, row: Row, rule: Rule, finding: Finding, *, made: bool) -> None:
        """Record a problem, and whether it was repaired."""
        task, answers, place = known_task(finding.row.task if finding.row and rule.safe else row.task), None, row.place
        if rule.once:
            answers = self._answers.setdefault((rule.kind, *row.name), Counter())
            answers[task] += 1
            if answers.total() > 1:
                return
            place = Place(place.file) if self.aspect != "task" or names_file(row) else place
        problem = Problem(
            rule.kind,
            finding.message or rule.message,
            task,
            row.id if isinstance(row.id, str) and not rule.once else None,
            place,
            self.context.last[row.task, row.id].place if self.aspect == "twice" else None,
            is_error=rule.is_error,
            detail=finding.detail,
            family=rule.family,
            benchmark=finding.benchmark,
            repair=_repair(finding, rule, row),
        )
        self._reports.append((problem, made, answers))

    def all(self, *, made: bool) -> list[Problem]:
        """The problems that were, or were not, repaired."""
        return [_whole(problem, answers) for problem, repaired, answers in self._reports if repaired == made]


def _whole(problem: Problem, answers: Counter[str | None] | None) -> Problem:
    """The problem, one that is reported once with the number of answers, and the task if it is the same for all."""
    if answers is None:
        return problem
    detail = ", ".join(filter(None, (problem.detail, counted(answers.total(), "answer"))))
    return replace(problem, task=problem.task if len(answers) == 1 else None, detail=detail)


def _repair(finding: Finding, rule: Rule, row: Row) -> Repair | None:
    if not finding.repair or finding.row is None or rule.once:
        return Repair(finding.repair, rule.safe) if finding.repair else None
    changes = {"task": (row.task, finding.row.task), "id": (row.id, finding.row.id)}
    changes["prediction"] = (row.value, finding.row.value)
    return Repair(finding.repair, rule.safe, {name: new for name, (old, new) in changes.items() if new != old})


def missing(
    context: Context, problems: Sequence[Problem] = (), *, present: Collection[str] = (), whole: bool = True
) -> list[Problem]:
    """A problem for every id without a prediction, or, if `whole`, one for a task that is not `present` in the files.

    An id with a problem so far is not reported again, nor all ids of a task whose file could not be read.
    """
    wrong = [problem for problem in problems if problem.is_error]
    named = {(problem.task, problem.id) for problem in wrong if problem.id is not None}
    broken = {problem.task for problem in wrong if problem.place is not None and problem.id is None}
    order = [*context.benchmark.all_tasks, *context.ids]
    missing_ids: list[Problem] = []
    for task in sorted(context.ids, key=order.index):
        ids = context.ids[task].ids
        answered = {id_ for name, id_ in context.last if name == task}
        if task not in present:
            detail = counted(len(ids), "missing answer")
            absent = Problem("missing-task", "No answers for the task", task, detail=detail, repair=_FILLED)
            missing_ids += [absent] if whole else []
        elif answered or task not in broken:
            lacking = [id_ for id_ in ids if id_ not in answered and (task, id_) not in named]
            message = f"{len(lacking):,} of {len(ids):,} answers {'is' if len(lacking) == 1 else 'are'} missing"
            missing_ids += [Problem("missing", message, task, id_, repair=_FILLED) for id_ in lacking]
    return missing_ids


def fill(checked: Checked, present: Collection[str], *, whole: bool) -> Checked:
    """Add an empty prediction for every id without one; `present` and `whole` as in `missing`."""
    rows, context = list(checked.rows), checked.context
    lacking = missing(context, present=present, whole=whole)
    for problem in lacking:
        for id_ in context.ids[problem.task or ""].ids if problem.id is None else [problem.id]:
            rows.append(Row(len(rows), problem.task, id_, "", Place(None)))
    filled = {(problem.task, problem.id) for problem in lacking}
    left = [
        problem for problem in checked.problems if problem.kind != "null" or (problem.task, problem.id) not in filled
    ]
    return Checked(rows, left, [*checked.made, *lacking], Context(rows, context.known, context.ids))
