"""Reading prediction files into rows, which are not checked yet."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from zs_bench.errors import UnusableInput
from zs_bench.files.entries import TASK_NAMES, Entry, Nothing, ReadFile, Salvaged
from zs_bench.files.formats import read_all
from zs_bench.files.opened_file import Source
from zs_bench.problems import Place, Problem
from zs_bench.validation.references import ALL, HARD
from zs_bench.validation.rules import Row
from zs_bench.validation.task_rules import bare_task
from zs_metric.tasks import Benchmark, find_benchmark
from zs_metric.texts import clean_text

if TYPE_CHECKING:
    from zs_bench.run_records.account import RunAccount


@dataclass(frozen=True, slots=True)
class ReadPredictions:
    """The unchecked content of prediction files.

    Attributes:
        rows: in the order of the files.
        tasks: the tasks that the files name, also those without predictions.
        run: the account of the run, if the files are the folder of a run.
    """

    rows: Sequence[Row]
    files: Sequence[ReadFile]
    problems: Sequence[Problem]
    tasks: Sequence[str]
    benchmark: Benchmark
    run: "RunAccount | None" = None

    def with_hard_questions(self, ids: Collection[str]) -> "ReadPredictions":
        """The predictions, those of these ids for `quality` also copied to `quality_hard`, unless it has its own."""
        rows = [row for row in self.rows if row.task == ALL and isinstance(row.id, str) and row.id in ids]
        if HARD in self.tasks or ALL not in self.tasks:
            return self
        more = [row._replace(number=len(self.rows) + i, task=HARD, is_hard_copy=True) for i, row in enumerate(rows)]
        return replace(self, rows=[*self.rows, *more], tasks=[*self.tasks, HARD])


def read_predictions(
    sources: Iterable[Source],
    problems: Iterable[Problem] = (),
    *,
    benchmark: str | Benchmark = "zero_scrolls",
    columns: Mapping[str, str] | None = None,
) -> ReadPredictions:
    """Read prediction files, each once.

    Args:
        problems: those of opening them.
        columns: what the columns of tables and the fields of rows are called that hold `id`, `prediction` and perhaps
            `task`, for files with other names (`zs_bench.files.read_csv.guess_columns`).

    The files that `zero-scrolls run` writes beside its predictions are read as the account of the run.
    """
    benchmark, wrong = find_benchmark(benchmark), list(problems)
    sources, run = _without_run(list(sources), wrong)
    files: list[ReadFile] = []
    rows: list[Row] = []
    held: dict[str, dict[str, None]] = {}
    for source, item in read_all(sources, "predictions", files, columns):
        tasks = held.setdefault(source.name, {})
        salvaged = item if isinstance(item, Salvaged) else None
        entry = salvaged.entry if salvaged else item
        if not isinstance(entry, (Entry, Nothing)):
            wrong += _of_tasks(item, tasks) if isinstance(item, Problem) else []
            continue
        task = bare_task(entry.task, benchmark)
        if isinstance(entry, Entry):
            rows.append(Row(len(rows), task, _clean(entry.id), _clean(entry.value), entry.place, salvaged))
        if isinstance(task, str) and task not in tasks and task in benchmark.all_tasks:
            tasks[task] = None
    named = list(dict.fromkeys(task for tasks in held.values() for task in tasks))
    if run is not None:
        wrong += _not_written(run, rows)
    return ReadPredictions(rows, files, wrong, named, benchmark, run)


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
    absent = {
        name: account.answered - written[name]
        for name, account in run.tasks.items()
        if account.answered > written[name]
    }
    if absent:
        which = ", ".join(f"{task} {count:,}" for task, count in absent.items())
        message = (
            "the run is not over, or was ended before it wrote all its files of answers; these answers are in its "
            f"journal alone: {which}. Repeat its command, zero-scrolls run with the same options, which writes them"
        )
        yield Problem("not-written", message, is_error=not rows)


def _clean(value: Any) -> Any:
    return clean_text(value, "row") if isinstance(value, str) and not value.isascii() else value


def _of_tasks(problem: Problem, tasks: Collection[str]) -> list[Problem]:
    """The problem of a truncated file, once for every task read before the end."""
    if problem.task or not problem.is_error or not problem.place or problem.place.row is not None:
        return [problem]
    return [replace(problem, task=task) for task in TASK_NAMES if task in tasks] or [problem]
