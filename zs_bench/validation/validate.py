"""Prediction files read, checked against the known ids, and repaired on request.

`score` scores the predictions without problems; `verify` reports the same problems and can write a repaired file. A
score is always that of the files as they are: no repair is made unless the user asks for it.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from zs_bench.problems import Place, Problem
from zs_bench.validation.checks import HARMLESS_IN_SCORES, SUBMISSION_ONLY, Checked, check, fill, missing
from zs_bench.validation.known_ids import KnownIds
from zs_bench.validation.predictions import ReadPredictions
from zs_bench.validation.rules import OFFERED
from zs_bench.validation.submission import Count, SubmissionRow, check_header, count, in_order, verdict
from zs_metric.errors import ZeroScrollsError, did_you_mean
from zs_metric.version import VERSION

SCHEMA = "zero-scrolls-verify/2"
#: The most problems listed in the JSON; the others are only counted.
MAX_PROBLEMS = 10_000


@dataclass(frozen=True, slots=True)
class Prediction:
    """The text of a prediction, and its place in the files."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Validation:
    """Checked predictions and their problems; after a repair, those that remain, errors before warnings.

    Attributes:
        predictions: those that can be scored, by task and id, with every task that the files name.
        whole: whether tasks without any prediction were reported as missing.
        ready, verdict: whether the predictions can be submitted, and if not, why.
    """

    read: ReadPredictions = field(repr=False)
    checked: Checked = field(repr=False, compare=False)
    predictions: Mapping[str, Mapping[str, Prediction]] = field(repr=False)
    problems: Sequence[Problem]
    counts: Mapping[str, Count]
    whole: bool
    ready: bool
    verdict: str

    @property
    def known_ids(self) -> KnownIds:
        """The ids that were checked against."""
        return self.checked.context.known_ids

    @property
    def splits(self) -> dict[str, str | None]:
        """The split that each task with known ids was checked against."""
        return {task: ids.source.split for task, ids in self.checked.context.ids.items()}

    @property
    def changes(self) -> list[str]:
        """The repairs that were made, a sentence each."""
        return [problem.change for problem in self.checked.made]

    @property
    def answers(self) -> list[SubmissionRow]:
        """The rows of the submission with the safe repairs made, in the order of tasks and ids."""
        return in_order(self.checked.rows, self.checked.context)

    @property
    def of_scores(self) -> list[Problem]:
        """The problems that matter for a score; those of a submission only are left out."""
        left = (problem for problem in self.problems if problem.kind not in SUBMISSION_ONLY)
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
        """The files and their problems as JSON-able data."""
        return {
            "schema": SCHEMA,
            "version": VERSION,
            "ids": [{"source": id_list.source, "split": id_list.split} for id_list in self.known_ids.lists],
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
    present = _present(read, checked) | {problem.task for problem in problems if problem.is_error and problem.task}
    if whole is None:
        whole = len(present & benchmark.tasks.keys()) > len(benchmark.tasks) // 2
    problems += missing(context, problems, present=present, whole=whole)
    problems.sort(key=lambda problem: not problem.is_error)
    predictions: dict[str, dict[str, Prediction]] = {task: {} for task in benchmark.all_tasks if task in present}
    for row in checked.rows:
        if not row.refused and row.usable and row.task in predictions:
            predictions[row.task][row.id] = Prediction(row.value, row.place)
    counts = {task: numbers for task, numbers in count(context).items() if whole or task in present}
    return Validation(read, checked, predictions, problems, counts, whole, *verdict(problems, counts, context))


def _present(read: ReadPredictions, checked: Checked) -> set[str]:
    """The tasks that the files name, with or without a prediction, unless the ids tell another one."""
    tasks = {row.number: row.task for row in checked.rows if isinstance(row.task, str)}
    named = (row for row in read.rows if row.task_is_from_name)
    renamed = {row.task for row in named if tasks.get(row.number, row.task) != row.task}
    return {*read.tasks} - renamed | {*tasks.values()}
