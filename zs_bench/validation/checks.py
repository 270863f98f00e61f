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
from zs_bench.validation.task_rules import ROW_RULES, TASK_RULES, names_file

#: The rules by aspect, in the order in which a row is checked.
RULES: Mapping[str, tuple[Rule, ...]] = {
    "row": ROW_RULES,
    "task": TASK_RULES,
    "form": FORM_RULES,
    "id": ID_RULES,
    "text": TEXT_RULES,
    "twice": TWICE_RULES,
}
#: The repairs that are made only when their kind is accepted: what they do, by kind.
OFFERED: Mapping[str, str] = {
    rule.kind: rule.repair for rules in RULES.values() for rule in rules if rule.repair and not rule.safe
}
#: Kinds that concern a submission only and affect no score.
SUBMISSION_ONLY = frozenset({"bom", "crlf", "header", "nul", "nothing-word", "missing-task"})
#: Kinds that prevent submission but not scoring.
_HARMLESS_IN_SCORES = SUBMISSION_ONLY | {"doubled"}
# A row with an unrepaired fault of these aspects is not checked further.
_FIRST = ("row", "task", "form")
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
    """Check all rows.

    Args:
        rows: the rows as read.
        accept: make the safe repairs and the repairs of these kinds. If `None`, every problem is reported, and later
            aspects see each row as its safe repairs would leave it.
    """
    problems: list[Problem] = []
    made: list[Problem] = []
    context = Context(rows, known, {})
    for aspect in (aspect for aspect in RULES if aspect in aspects):
        pass_, applies = _Pass(aspect, context, accept), _APPLIES[aspect]
        passed = (pass_.check_row(row) if not row.unresolvable and applies(row, context) else row for row in rows)
        left = [row for row in passed if row is not None]
        problems += pass_.counted(pass_.problems)
        made += pass_.counted(pass_.made)
        if aspect == "task":
            predicted = ((row.task, row.id) for row in left if isinstance(row.id, str) and known_task(row.task))
            context = Context(left, known, known.of_tasks(predicted))
        elif len(left) != len(rows) or not all(map(is_, left, rows)):
            context = Context(left, known, context.ids)
        rows = left
    return Checked(list(rows), problems, made, context)


def for_scoring(problems: Sequence[Problem]) -> list[Problem]:
    """The problems that affect a score."""
    kept = (problem for problem in problems if problem.kind not in SUBMISSION_ONLY)
    return [one.as_warning() if one.kind in _HARMLESS_IN_SCORES else one for one in kept]


#: By aspect, a quick test whether any rule can apply to a row: there may be 200,000 rows, most of them correct.
_APPLIES: Mapping[str, Callable[[Row, Context], bool]] = {
    "row": lambda row, _: row.salvaged is not None,
    "task": lambda row, context: not isinstance(row.task, str) or row.task not in context.tasks,
    "form": lambda row, _: bool(row.reader_fault) or not isinstance(row.id, str) or len(row.id) > limits.MAX_ID,
    "id": lambda row, context: row.task in context.ids and row.id not in context.ids[row.task],
    "text": may_be_wrong,
    "twice": lambda row, context: row.number in context.repeated,
}


# Kind, file, and task as written of a problem that is reported once for all of them.
_Once = tuple[str, str | None, str | None]


class _Pass:
    def __init__(self, aspect: str, context: Context, accept: Collection[str] | None) -> None:
        self._aspect, self._context, self._accept = aspect, context, accept
        self._applies = _APPLIES[aspect]
        self._answers: dict[_Once, Counter[str | None]] = {}
        self.problems: list[tuple[Problem, _Once | None]] = []
        self.made: list[tuple[Problem, _Once | None]] = []

    def check_row(self, row: Row) -> Row | None:
        """The row after the check, repaired where possible; `None` if it is dropped."""
        for rule in RULES[self._aspect]:
            finding = rule.find(row, self._context)
            if finding is None:
                continue
            goes_on = bool(finding.repair_text) and (rule.safe or rule.kind in (self._accept or ()))
            made = goes_on and self._accept is not None
            self._report(row, rule, finding, made=made)
            refused = row.refused or (rule.is_error and not made and rule.kind not in _HARMLESS_IN_SCORES)
            if not goes_on:
                return row._replace(unresolvable=self._aspect in _FIRST, refused=refused)
            if finding.row is None:
                return None
            row = finding.row._replace(refused=refused)
            if not self._applies(row, self._context):
                break
        return row

    def _report(self, row: Row, rule: Rule, finding: Finding, *, made: bool) -> None:
        """Record a problem, some kinds once for all rows of a file and task."""
        task = known_task(finding.row.task if finding.row and rule.safe else row.task)
        once = (rule.kind, *row.name) if rule.once else None
        if once:
            answers = self._answers.setdefault(once, Counter())
            answers[task] += 1
            if answers.total() > 1:
                return
        problem = Problem(
            rule.kind,
            finding.message or rule.message,
            task,
            row.id if isinstance(row.id, str) and not rule.once else None,
            Place(row.place.file) if rule.once and (self._aspect != "task" or names_file(row)) else row.place,
            self._context.last[row.task, row.id].place if self._aspect == "twice" else None,
            is_error=rule.is_error,
            detail=finding.detail,
            family=rule.family,
            benchmark=finding.benchmark,
            repair=_repair(finding, rule, row),
        )
        (self.made if made else self.problems).append((problem, once))

    def counted(self, reported: Sequence[tuple[Problem, _Once | None]]) -> list[Problem]:
        """Return the problems; those reported once say for how many answers, and the task if it is the same for all."""

        def whole(problem: Problem, answers: Counter[str | None]) -> Problem:
            detail = ", ".join(filter(None, (problem.detail, counted(answers.total(), "answer"))))
            return replace(problem, task=problem.task if len(answers) == 1 else None, detail=detail)

        return [whole(problem, self._answers[once]) if once else problem for problem, once in reported]


def _repair(finding: Finding, rule: Rule, row: Row) -> Repair | None:
    if not finding.repair_text or finding.row is None or rule.once:
        return Repair(finding.repair_text, rule.safe) if finding.repair_text else None
    after = {"task": finding.row.task, "id": finding.row.id, "prediction": finding.row.value}
    before = {"task": row.task, "id": row.id, "prediction": row.value}
    return Repair(finding.repair_text, rule.safe, {name: text for name, text in after.items() if text != before[name]})


def missing(
    context: Context, problems: Sequence[Problem] = (), *, present: Collection[str] = (), whole: bool = True
) -> list[Problem]:
    """Return a problem for every id without a prediction, or one for a task that is not `present` in the files.

    An id with a problem so far is not reported again, nor all ids of a task whose file could not be read. Tasks that
    are not present are reported if `whole`.
    """
    wrong = [problem for problem in problems if problem.is_error]
    named = {(problem.task, problem.id) for problem in wrong if problem.id is not None}
    broken = {problem.task for problem in wrong if problem.place is not None and problem.id is None}
    found: list[Problem] = []
    order = [*context.benchmark.all_tasks, *context.ids]
    for task in sorted(context.ids, key=order.index):
        task_ids = context.ids[task]
        answered = {id_ for name, id_ in context.last if name == task}
        if task not in present:
            detail = counted(len(task_ids.ids), "missing answer")
            absent = Problem("missing-task", "No answers for the task", task, detail=detail, repair=_FILLED)
            found += [absent] if whole else []
        elif answered or task not in broken:
            lacking = [id_ for id_ in task_ids.ids if id_ not in answered and (task, id_) not in named]
            message = (
                f"{len(lacking):,} of {len(task_ids.ids):,} answers {'is' if len(lacking) == 1 else 'are'} missing"
            )
            found += [Problem("missing", message, task, id_, repair=_FILLED) for id_ in lacking]
    return found


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
