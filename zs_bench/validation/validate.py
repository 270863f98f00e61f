"""Files of predictions: read, checked by all rules against the known ids, and repaired on request.

`score` takes the predictions that nothing is wrong with; `verify` shows the same problems and writes what the repairs
leave. A score is always that of the file as it is: not even a safe repair is made unless it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zs_bench.files.paths import open_inputs
from zs_bench.problems import Place, Problem
from zs_bench.validation.checks import OFFERED, Checked, check, fill, for_scoring, missing
from zs_bench.validation.known_ids import KnownIds
from zs_bench.validation.predictions import ReadPredictions, read_predictions
from zs_bench.validation.submission import Count, SubmittedAnswer, check_file, count, in_order, verdict
from zs_metric.errors import ZeroScrollsError, did_you_mean
from zs_metric.version import VERSION

SCHEMA = "zero-scrolls-verify/1"
#: How many problems are listed as JSON; the rest is counted.
MAX_PROBLEMS = 10_000


@dataclass(frozen=True, slots=True)
class Prediction:
    """The text of a prediction, and where it was read."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Validation:
    """Predictions, and everything that is wrong with them.

    Attributes:
        read: what was read.
        known: the ids they were checked against.
        splits: the split that each task was checked against, of the tasks whose ids are known.
        predictions: those that can be scored, by task and id; every task that the files name is there.
        problems: everything that is wrong (after repairs: that is still wrong), what refuses something first.
        changes: the repairs that were made, a sentence each.
        checked: the rows as the safe repairs leave them, and what they were checked against.
        counts: the tasks in numbers, in the benchmark's order: those that are answered or whose ids are known.
        whole: whether tasks without any answer were reported as missing.
        ready: whether the files (after repairs: the answers) can be submitted.
        verdict: `ready to submit`, or `not ready: ` and why.
    """

    read: ReadPredictions = field(repr=False)
    known: KnownIds
    splits: Mapping[str, str | None]
    predictions: Mapping[str, Mapping[str, Prediction]] = field(repr=False)
    problems: Sequence[Problem]
    changes: Sequence[str]
    checked: Checked = field(repr=False, compare=False)
    counts: Mapping[str, Count]
    whole: bool
    ready: bool
    verdict: str

    @property
    def answers(self) -> list[SubmittedAnswer]:
        """The rows of the submission, in the order of tasks and ids, as the safe repairs leave them."""
        return in_order(self.checked.rows, self.checked.context)

    @property
    def wrong(self) -> bool:
        """Whether anything is wrong, warnings apart."""
        return any(problem.refuses for problem in self.problems)

    @property
    def of_scores(self) -> list[Problem]:
        """The problems that matter for a score; those of a submission only are left out."""
        return for_scoring(self.problems)

    @property
    def offers(self) -> dict[str, int]:
        """The kinds of repairs that are made only when accepted, with the number of their problems."""
        found: dict[str, int] = {}
        for problem in self.problems:
            if problem.repair and not problem.repair.safe:
                found[problem.kind] = found.get(problem.kind, 0) + 1
        return found

    def as_dict(self) -> dict[str, Any]:
        """What was found as JSON-able data."""
        return {
            "schema": SCHEMA,
            "version": VERSION,
            "ids": [{"source": one.source, "split": one.split} for one in self.known.lists],
            "files": [file.as_dict() for file in self.read.files],
            **self._in_numbers(),
            "problems": [_as_dict(problem) for problem in self.problems[:MAX_PROBLEMS]],
            "problems_left_out": max(0, len(self.problems) - MAX_PROBLEMS),
        }

    def repairs_as_dict(self) -> dict[str, Any]:
        """What was repaired, and what is left, as JSON-able data."""
        left = [_as_dict(problem) for problem in self.problems[:MAX_PROBLEMS]]
        return {**self._in_numbers(), "changes": list(self.changes), "left": left}

    def _in_numbers(self) -> dict[str, Any]:
        tasks = {task: count._asdict() for task, count in self.counts.items()}
        return {"ready": self.ready, "verdict": self.verdict, "tasks": tasks}


def _as_dict(problem: Problem) -> dict[str, Any]:
    """With the narrow kind, by which a repair is accepted."""
    return {"repair": None, **problem.as_dict(), "kind": problem.kind}


def validate_files(
    paths: Iterable[str | Path], known: KnownIds | None = None, *, names: Iterable[str] | None = None
) -> Validation:
    """Everything that is wrong with the predictions in these files, ZIPs and folders.

    Args:
        paths: files, ZIPs, folders.
        known: the ids they are checked against; without any, only what needs none is checked.
        names: what to call the files in messages, when not by their own names.

    Raises:
        UnusableInput: for a path that does not exist.
    """
    ids = known or KnownIds()
    return validate(read_predictions(*open_inputs(paths, names), benchmark=ids.benchmark), ids)


def validate(read: ReadPredictions, known: KnownIds, *, whole: bool | None = True) -> Validation:
    """Check what was read.

    Args:
        read: from `read_predictions`.
        known: the ids they are checked against.
        whole: whether tasks without any answer are missing; `None` when most tasks of the benchmark are answered.
    """
    checked = check(read.rows, known)
    unread = [*known.problems, *read.problems, *(one for file in read.files for one in check_file(file))]
    found = [*unread, *checked.problems]
    if not read.rows and not read.tasks and not any(problem.refuses for problem in unread):
        found.append(Problem("nothing", "No answers found in the files. Check that they are in one of the formats"))
    return _validation(read, known, checked, found, whole=whole)


def repair(validation: Validation, accept: Iterable[str] = (), *, fill_missing: bool = False) -> Validation:
    """Make the safe repairs, and those of the kinds that are accepted.

    Args:
        validation: from `validate`.
        accept: kinds of repairs that are not safe, of `zs_bench.validation.checks.OFFERED`.
        fill_missing: put an empty answer, which scores 0, in the place of every missing one.

    Raises:
        ZeroScrollsError: for a kind that is not offered, with the likely name.
    """
    kinds = frozenset(accept)
    for kind in sorted(kinds - OFFERED.keys()):
        raise ZeroScrollsError(f"no repair {kind!r}; {did_you_mean(kind, OFFERED) or 'they are ' + ', '.join(OFFERED)}")
    read, known = validation.read, validation.known
    checked = check(read.rows, known, kinds)
    checked = fill(checked, _present(read, checked), whole=validation.whole) if fill_missing else checked
    of_files = [one for file in read.files for one in check_file(file)]
    checked = checked._replace(made=[*of_files, *checked.made])
    nothing = [problem for problem in validation.problems if problem.kind == "nothing"]
    left = [*known.problems, *read.problems, *nothing, *checked.problems]
    return _validation(read, known, checked, left, whole=validation.whole)


def _validation(
    read: ReadPredictions, known: KnownIds, checked: Checked, found: list[Problem], *, whole: bool | None
) -> Validation:
    rows, context = checked.rows, checked.context
    tasks = context.benchmark.all_tasks
    present = _present(read, checked) | {problem.task for problem in found if problem.refuses and problem.task}
    if whole is None:
        whole = len(present & context.benchmark.tasks.keys()) > len(context.benchmark.tasks) // 2
    found = [*found, *missing(context, found, present=present, whole=whole)]
    problems = sorted(found, key=lambda problem: not problem.refuses)
    predictions: dict[str, dict[str, Prediction]] = {task: {} for task in tasks if task in present}
    for row in rows:
        if row.usable and not row.refused and row.task in tasks:
            predictions[row.task][row.id] = Prediction(row.value, row.place)
    counts = {task: one for task, one in count(rows, context).items() if whole or task in present}
    changes = [problem.change for problem in checked.made]
    result = verdict(problems, counts, context)
    splits = {task: ids.source.split for task, ids in context.ids.items()}
    return Validation(read, known, splits, predictions, problems, changes, checked, counts, whole, *result)


def _present(read: ReadPredictions, checked: Checked) -> set[str]:
    """The tasks that the files name, with or without a prediction."""
    return {*read.tasks, *(row.task for row in checked.rows if isinstance(row.task, str))}
