"""Reading prediction files into rows, which are not checked yet."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from zs_bench.errors import UnusableInput
from zs_bench.files.entries import TASK_NAMES, Entry, ReadFile
from zs_bench.files.formats import read_all
from zs_bench.files.opened_file import Source
from zs_bench.problems import Place, Problem
from zs_bench.validation.references import ALL, HARD
from zs_bench.validation.rows import Row, bare_task
from zs_metric.tasks import Benchmark, find_benchmark

if TYPE_CHECKING:
    from zs_bench.run_records.account import RunAccount


@dataclass(frozen=True, slots=True)
class ReadPredictions:
    """The unchecked content of prediction files: the tasks that they name, perhaps without predictions, and the run."""

    rows: Sequence[Row]
    files: Sequence[ReadFile]
    problems: Sequence[Problem]
    tasks: Sequence[str]
    benchmark: Benchmark
    run: "RunAccount | None" = None

    def with_hard_questions(self, ids: Collection[str]) -> "ReadPredictions":
        """The predictions, those of these ids for `quality` also copied to `quality_hard`, unless it has its own."""
        if HARD in self.tasks or ALL not in self.tasks:
            return self
        rows = [row for row in self.rows if row.task == ALL and isinstance(row.id, str) and row.id in ids]
        copies = [row._replace(number=len(self.rows) + i, task=HARD, is_hard_copy=True) for i, row in enumerate(rows)]
        return replace(self, rows=[*self.rows, *copies], tasks=[*self.tasks, HARD])


def read_predictions(
    sources: Iterable[Source],
    problems: Iterable[Problem] = (),
    *,
    benchmark: str | Benchmark = "zero_scrolls",
    columns: Mapping[str, str] | None = None,
) -> ReadPredictions:
    """Read prediction files, each once; `problems` are those of opening them.

    `columns` says what the columns of tables and the fields of rows are called that hold `id`, `prediction` and perhaps
    `task`. The files that `zero-scrolls run` writes beside its predictions are read as the account of the run.
    """
    benchmark, wrong = find_benchmark(benchmark), list(problems)
    sources, run = _without_run(list(sources), wrong)
    files: list[ReadFile] = []
    rows: list[Row] = []
    tasks_of_files: dict[str, dict[str, None]] = {}
    for source, item in read_all(sources, "predictions", files, columns):
        tasks = tasks_of_files.setdefault(source.name, {})
        if isinstance(item, Problem):
            wrong += _for_each_task(item, tasks)
            continue
        task = bare_task(item.task, benchmark)
        if isinstance(item, Entry):
            rows.append(Row.of_entry(len(rows), item, task))
        if isinstance(task, str) and task not in tasks and task in benchmark.all_tasks:
            tasks[task] = None
    if run is not None:
        wrong += _not_written(run, rows)
    named = dict.fromkeys(task for tasks in tasks_of_files.values() for task in tasks)
    return ReadPredictions(rows, files, wrong, list(named), benchmark, run)


def _for_each_task(problem: Problem, tasks: Collection[str]) -> list[Problem]:
    """The problem; that of a file that breaks off once for every task read before the end."""
    if problem.task or not problem.is_error or not problem.place or problem.place.row is not None:
        return [problem]
    return [replace(problem, task=task) for task in TASK_NAMES if task in tasks] or [problem]


def _without_run(sources: list[Source], problems: list[Problem]) -> "tuple[list[Source], RunAccount | None]":
    """The files of answers, and the account of the run; a warning if it cannot be read, since no answer is in it."""
    if not any(source.path.name == "run.json" for source in sources):
        return sources, None
    from zs_bench.run_records.folder import read_account, split_run_files  # noqa: PLC0415  (for folders of runs alone)

    sources, of_run = split_run_files(sources)
    try:
        return sources, read_account(of_run)
    except UnusableInput as error:
        message = f"the account of the run was not read ({error.message})"
        problems.append(Problem("not-read", message, place=Place(of_run[0].name), is_error=False))
        return sources, None


def _not_written(run: "RunAccount", rows: Sequence[Row]) -> Iterator[Problem]:
    """The problem that answers are in the journal alone, because the run ended before it wrote its files."""
    written = Counter(row.task for row in rows)
    counts = {name: account.answered - written[name] for name, account in run.tasks.items()}
    if absent := ", ".join(f"{task} {count:,}" for task, count in counts.items() if count > 0):
        message = (
            "the run is not over, or was ended before it wrote all its files of answers; these answers are in its "
            f"journal alone: {absent}. Repeat its command, zero-scrolls run with the same options, which writes them"
        )
        yield Problem("not-written", message, is_error=not rows)
