"""Files of predictions, read into rows: each file is opened once, and nothing is checked yet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from zs_bench.files.entries import TASK_NAMES, Entry, Nothing, ReadFile, Salvaged
from zs_bench.files.formats import read_all
from zs_bench.files.opened_file import Source
from zs_bench.problems import Place, Problem, UnusableInput
from zs_bench.runs.run_files import RunAccount, read_account, split_run_files
from zs_bench.validation.references import ALL, HARD
from zs_bench.validation.rules import Row
from zs_bench.validation.task_rules import bare_task
from zs_metric.tasks import Benchmark, find_benchmark
from zs_metric.texts import clean_text


@dataclass(frozen=True, slots=True)
class ReadPredictions:
    """What was read in files of predictions, not yet checked.

    Attributes:
        rows: in the order of the files.
        files: what each file was.
        problems: of opening and reading them.
        tasks: those that the files name, also without an answer.
        benchmark: whose tasks the predictions are for.
        run: what the folder of a run says of it; `None` for other files.
    """

    rows: Sequence[Row]
    files: Sequence[ReadFile]
    problems: Sequence[Problem]
    tasks: Sequence[str]
    benchmark: Benchmark
    run: RunAccount | None = None

    def with_hard_questions(self, ids: Collection[str]) -> ReadPredictions:
        """The same; the answers to `quality` with these ids count for `quality_hard` too, if that has none itself."""
        rows = [row for row in self.rows if row.task == ALL and isinstance(row.id, str) and row.id in ids]
        if HARD in self.tasks or ALL not in self.tasks:
            return self
        more = [row._replace(number=len(self.rows) + i, task=HARD, extra=True) for i, row in enumerate(rows)]
        return replace(self, rows=[*self.rows, *more], tasks=[*self.tasks, HARD])


def read_predictions(
    sources: Iterable[Source], problems: Iterable[Problem] = (), *, benchmark: str | Benchmark = "zero_scrolls"
) -> ReadPredictions:
    """Read files of predictions, each opened once; the problems of opening them come first.

    What `zero-scrolls run` keeps beside its answers is read as the account of the run.
    """
    sources, of_run = split_run_files(sources)
    of, wrong = find_benchmark(benchmark), list(problems)
    files: list[ReadFile] = []
    rows: list[Row] = []
    held: dict[str, dict[str, None]] = {}
    for source, found in read_all(sources, "predictions", files):
        tasks = held.setdefault(source.name, {})
        entry = found.entry if isinstance(found, Salvaged) else found
        if isinstance(entry, Entry):
            task = bare_task(entry.task, of)
            rows.append(_row(entry, task, len(rows), found if isinstance(found, Salvaged) else None))
            if isinstance(task, str) and task not in tasks and task in of.all_tasks:
                tasks[task] = None
        elif isinstance(found, Nothing):
            if bare_task(found.task, of) in of.all_tasks:
                tasks[bare_task(found.task, of)] = None
        elif isinstance(found, Problem):
            wrong += _of_tasks(found, tasks)
    named = list(dict.fromkeys(task for tasks in held.values() for task in tasks))
    return ReadPredictions(rows, files, wrong, named, of, _account(of_run, wrong))


def _account(of_run: Sequence[Source], problems: list[Problem]) -> RunAccount | None:
    """What the folder of a run says; a warning when it cannot be read, since the answers do not depend on it."""
    try:
        return read_account(of_run)
    except UnusableInput as error:
        message = f"the account of the run was not read ({error.message})"
        problems.append(Problem("not-read", message, place=Place(of_run[0].name), refuses=False))
        return None


def _row(entry: Entry, task: Any, number: int, salvaged: Salvaged | None) -> Row:
    return Row(number, task, _clean(entry.id), _clean(entry.value), entry.place, salvaged)


def _clean(value: Any) -> Any:
    return clean_text(value, "row") if isinstance(value, str) else value


def _of_tasks(problem: Problem, tasks: Collection[str]) -> list[Problem]:
    """A file that breaks off is a problem of every task it held up to there."""
    if problem.task or not problem.refuses or not problem.place or problem.place.row is not None:
        return [problem]
    return [replace(problem, task=task) for task in TASK_NAMES if task in tasks] or [problem]
