"""Reading prediction files into rows, which are not checked yet."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from zs_bench.benchmarks import DEFAULT, Benchmark, find_benchmark
from zs_bench.errors import UnusableInput
from zs_bench.files.entries import Entry, Identity, ReadFile
from zs_bench.files.formats import header_of, read_all
from zs_bench.files.input_files import InputFile
from zs_bench.files.names import bare_task
from zs_bench.files.paths import open_inputs
from zs_bench.files.rows_without_ids import row_identity, share_facts
from zs_bench.problems import Place, Problem, lines, short

if TYPE_CHECKING:
    from zs_bench.run_records import RunAccount

_NOT_WRITTEN = (
    "the run is not over, or was ended before it wrote all its files of answers; these answers are in its journal "
    "alone: {}. Repeat its command, zero-scrolls run with the same options, which writes them"
)
_ALONE = (
    "Not all systems have the same lengths beside the references, so these alone tell the questions: of rows with the "
    "same ones, the first is compared with the first, and so on"
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

    def without_references(self) -> "ReadPredictions":
        """The predictions without the references that stand beside them in their rows."""
        return replace(self, rows=[row._replace(references=None) for row in self.rows])

    def of_task(self, task: str) -> "ReadPredictions":
        """The predictions of a lone file as those of a task, if neither its name nor its rows say one."""
        if len(self.files) != 1 or self.tasks or not all(row.task_is_from_name for row in self.rows):
            return self
        return replace(self, rows=[row._replace(task=task) for row in self.rows], tasks=[task])

    def with_hard_questions(self, ids: Collection[str]) -> "ReadPredictions":
        """The predictions, those of these ids for `quality` also copied to `quality_hard`."""
        ((part, whole),) = self.benchmark.parts.items()
        if whole not in self.tasks:
            return self
        rows = [row for row in self.rows if row.task == whole and isinstance(row.id, str) and row.id in ids]
        copies = [row._replace(number=len(self.rows) + i, task=part) for i, row in enumerate(rows)]
        return replace(self, rows=[*self.rows, *copies], tasks=[*self.tasks, part])


def read_predictions(
    sources: Iterable[InputFile],
    problems: Iterable[Problem] = (),
    *,
    benchmark: str | Benchmark = DEFAULT,
    columns: Mapping[str, str] | None = None,
    references: Iterable[InputFile] = (),
) -> ReadPredictions:
    """Read prediction files, each once; `problems` are those of opening them.

    `columns` says what the columns of tables and the fields of rows are called that hold `id`, `prediction` and perhaps
    `references`, `task` and `score`. The column of `id` or `task` may be in some of the files alone, or in the files of
    `references` alone, which are looked at for this; then the others are read by the usual names. The files that
    `zero-scrolls run` writes beside its predictions are read as the account of the run.
    """
    benchmark, wrong = find_benchmark(benchmark), list(problems)
    sources, run = _without_run(list(sources), wrong)
    files: list[ReadFile] = []
    rows: list[Entry] = []
    tasks: dict[str, dict[str, None]] = {}  # by file, in their order
    wholes, parts = benchmark.parts, dict[tuple[str, str], Problem]()
    optional = _in_some(columns or {}, sources, references, benchmark)
    for file, item in read_all(sources, "predictions", files, columns, benchmark, optional=optional):
        in_file = tasks.setdefault(file, {})
        if isinstance(item, Problem):
            breaks_off = item.is_error and not item.task and item.place is not None and item.place.row is None
            # A file that breaks off is a problem of every task read before.
            affected = [task for task in benchmark.all_tasks if breaks_off and task in in_file]
            wrong += [replace(item, task=task) for task in affected] or [item]
            continue
        task = bare_task(item.task, benchmark)
        if isinstance(task, str) and (whole := wholes.get(task)):
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


def _in_some(
    columns: Mapping[str, str], sources: Iterable[InputFile], references: Iterable[InputFile], benchmark: Benchmark
) -> list[str]:
    """Which of `id` and `task` are named after a column that some of the files have."""
    named = {ours: columns[ours] for ours in ("id", "task") if ours in columns}
    if not named:
        return []
    headers = [header_of(source, "predictions", benchmark) for source in sources]
    if not all(theirs in header for theirs in named.values() for header in headers):
        headers += [header_of(source, "references", benchmark) for source in references]
    return [ours for ours, theirs in named.items() if any(theirs in header for header in headers)]


def on_same_questions(systems: Sequence[ReadPredictions]) -> list[ReadPredictions]:
    """The predictions of systems that are compared on the references in them.

    In a task whose rows have the same references in several systems, but not the same length, the references alone
    tell the questions of all of them, as a warning says.
    """
    identities = [_identities(read.rows) for read in systems]
    alone = {
        task
        for one, other in combinations(identities, 2)
        for task in one.keys() & other.keys()
        if not share_facts(one[task], other[task])
    }

    def by_references(row: Entry) -> Entry:
        identity = row_identity(row) if row.id is None and row.task in alone else None
        return row._replace(facts=(), identity=Identity(*[identity.references] * 2)) if identity else row

    def of(read: ReadPredictions, tasks: Iterable[str]) -> ReadPredictions:
        said = [Problem("by-references-alone", _ALONE, task, is_error=False) for task in read.tasks if task in tasks]
        return replace(read, rows=[*map(by_references, read.rows)], problems=[*read.problems, *said]) if said else read

    return [of(read, alone & tasks.keys()) for read, tasks in zip(systems, identities, strict=True)]


def _identities(rows: Iterable[Entry]) -> dict[str, list[Identity]]:
    identities: dict[str, list[Identity]] = {}
    for row in rows:
        if row.id is None and isinstance(row.task, str) and (identity := row_identity(row)):
            identities.setdefault(row.task, []).append(identity)
    return identities


def _without_run(sources: list[InputFile], problems: list[Problem]) -> "tuple[list[InputFile], RunAccount | None]":
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
