"""Reading prediction files into rows, which are not checked yet."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from zs_bench.benchmarks import Benchmark, find_benchmark
from zs_bench.errors import UnusableInput
from zs_bench.files.entries import Entry, ReadFile, Source, bare_task
from zs_bench.files.formats import read_all
from zs_bench.files.paths import open_inputs
from zs_bench.problems import Place, Problem, lines, short

if TYPE_CHECKING:
    from zs_bench.run_records import RunAccount

_NOT_WRITTEN = (
    "the run is not over, or was ended before it wrote all its files of answers; these answers are in its journal "
    "alone: {}. Repeat its command, zero-scrolls run with the same options, which writes them"
)


@dataclass(frozen=True, slots=True)
class ReadPredictions:
    """The unchecked content of prediction files: the tasks that they name, perhaps without predictions, and the run."""

    rows: Sequence[Entry]
    files: Sequence[ReadFile]
    problems: Sequence[Problem]
    tasks: Sequence[str]
    benchmark: Benchmark
    run: "RunAccount | None" = None

    def with_hard_questions(self, ids: Collection[str]) -> "ReadPredictions":
        """The predictions, those of these ids for `quality` also copied to `quality_hard`."""
        ((part, whole),) = self.benchmark.parts.items()
        if whole not in self.tasks:
            return self
        rows = [row for row in self.rows if row.task == whole and isinstance(row.id, str) and row.id in ids]
        copies = [row._replace(number=len(self.rows) + i, task=part) for i, row in enumerate(rows)]
        return replace(self, rows=[*self.rows, *copies], tasks=[*self.tasks, part])


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
    rows: list[Entry] = []
    tasks: dict[str, dict[str, None]] = {}  # by file, in their order
    parts: dict[tuple[str, str], Problem] = {}
    for file, item in read_all(sources, "predictions", files, columns, benchmark):
        in_file = tasks.setdefault(file, {})
        if isinstance(item, Problem):
            breaks_off = item.is_error and not item.task and item.place is not None and item.place.row is None
            # A file that breaks off is a problem of every task read before.
            affected = [task for task in benchmark.all_tasks if breaks_off and task in in_file]
            wrong += [replace(item, task=task) for task in affected] or [item]
            continue
        task = bare_task(item.task, benchmark)
        if isinstance(task, str) and (whole := benchmark.parts.get(task)):
            place = Place(item.place.file) if isinstance(item, Entry) else None
            message = f"{task} is scored from the answers of {whole}. Leave its own answers out"
            parts[file, task] = Problem("part", message, task, place=place)
            continue
        if isinstance(item, Entry):
            rows.append(item.numbered(len(rows), task))
        if isinstance(task, str) and task not in in_file and task in benchmark.all_tasks:
            in_file[task] = None
    if run is not None:
        answers = Counter(row.task for row in rows)
        counts = {name: account.answered - answers[name] for name, account in run.tasks.items()}
        if absent := ", ".join(f"{task} {count:,}" for task, count in counts.items() if count > 0):
            wrong.append(Problem("not-written", _NOT_WRITTEN.format(absent), is_error=not rows))
    wrong += parts.values()
    named = dict.fromkeys(task for in_file in tasks.values() for task in in_file)
    return ReadPredictions(rows, files, wrong, list(named), benchmark, run)


def _without_run(sources: list[Source], problems: list[Problem]) -> "tuple[list[Source], RunAccount | None]":
    """The files of answers, and the account of the run; a warning if it cannot be read, since no answer is in it."""
    if not any(source.path.name == "run.json" for source in sources):
        return sources, None
    from zs_bench.run_records import read_account, split_run_files  # noqa: PLC0415  (for folders of runs alone)

    sources, of_run = split_run_files(sources)
    try:
        return sources, read_account(of_run)
    except UnusableInput as error:
        message = f"the account of the run was not read ({error.message})"
        problems.append(Problem("not-read", message, place=Place(of_run[0].name), is_error=False))
        return sources, None


def ids_by_task(read: Iterable[ReadPredictions]) -> dict[str, list[str]]:
    """The ids of predictions by the tasks that their rows or files name."""
    ids: dict[str, dict[str, None]] = {}
    for predictions in read:
        for row in predictions.rows:
            if row.task in predictions.benchmark.all_tasks and isinstance(row.id, str):
                ids.setdefault(row.task, {})[row.id] = None
    return {task: list(of_task) for task, of_task in ids.items()}


def read_labels(path: str | Path, column: str, tasks: Iterable[str]) -> dict[str, dict[str, str]]:
    """What a file says of examples in its column (or field) of that name, by task and id.

    It is read as predictions are. A row that names no task is one of all `tasks`. Raises `UnusableInput`.
    """
    read = read_predictions(*open_inputs([path]), columns={"prediction": column})
    wrong = [*read.problems, *(row.fault for row in read.rows if row.fault)]
    lacking = (row.place for row in read.rows if not row.id or not isinstance(row.value, str))
    wrong += [Problem("not-a-text", f"the row has no id or no {column}", place=place) for place in lacking]
    if wrong or not read.rows:
        why = lines(wrong)[0] if wrong else "it holds nothing"
        raise UnusableInput(f"{short(str(path), 200)}: {why}; give a table with the columns id and {column}")
    labels: dict[str, dict[str, str]] = {task: {} for task in tasks}
    for row in read.rows:
        is_of_all = row.task_is_from_name or row.task not in labels
        for task in labels if is_of_all else [row.task]:
            labels[task][row.id] = row.value
    return labels
