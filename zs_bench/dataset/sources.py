"""The sources of examples: this package, the Hub, or a folder or ZIP. The main function is `load_examples`.

| source | meaning |
|---|---|
| `embedded` | the examples in the package; no network |
| `hub` | the benchmark's dataset repo |
| `hub:<owner/name>` | another repo of the same layout |
| `hub:<owner/name>@<revision>` | at a branch, a tag or a commit |
| anything else | a path: a folder or a ZIP with `<task>/<split>.jsonl`, a folder of `<task>.zip`, or a JSONL file |

Rows are read one by one from packed files: the test split of NarrativeQA alone has over a hundred megabytes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from zs_bench.benchmarks import DEFAULT, Benchmark, Task, find_task
from zs_bench.dataset.hub import fetch
from zs_bench.dataset.inspection import Loaded, count, findings
from zs_bench.dataset.rows import SPLIT, embedded_file, read_examples, require_data
from zs_bench.dataset.source import Kind, Source
from zs_bench.errors import SourceUnavailable, TaskNotInSource, UnusableInput
from zs_bench.files.input_files import InputFile
from zs_bench.files.names import SPLITS, name_split, name_task
from zs_bench.files.paths import open_inputs
from zs_bench.problems import Problem, lines, short
from zs_bench.progress import Progress, part_of
from zs_metric.errors import ZeroScrollsError, did_you_mean


@dataclass(frozen=True, slots=True)
class TaskData:
    """The splits of a task, not read yet, and their source."""

    task: Task
    files: Mapping[str, InputFile]
    source: Source
    notes: tuple[Problem, ...] = ()

    def load(self, split: str | None = None) -> Loaded:
        """Read and inspect a split, by default validation, or the first; the errors are those of `load_examples`."""
        split = split or (SPLIT if SPLIT in self.files else next(iter(self.files)))
        if split not in self.files:
            has = ", ".join(self.files)
            unread = "".join(f"; {line}" for line in lines(note for note in self.notes if note.kind == "not-read"))
            raise UnusableInput(f"{self.source.label}: {self.task} has no split {split!r}; it has {has}{unread}")
        try:
            examples, warnings = read_examples(self.files[split], self.task)
            with_validation = split == "test" and "validation" in self.files
            validation = read_examples(self.files["validation"], self.task)[0] if with_validation else None
        except UnusableInput as error:
            if self.source.kind != "hub":
                raise
            raise _damaged(error) from error
        found = findings(self.task, split, examples, validation, sample=self.source.kind == "embedded")
        return Loaded(self.task, split, examples, self.source, count(examples), [*found, *self.notes, *warnings])


def load_examples(
    source: str | Path,
    task: str | Task,
    split: str | None = None,
    *,
    revision: str | None = None,
    benchmark: str | Benchmark = DEFAULT,
    progress: Progress | None = None,
) -> Loaded:
    """The examples of a split of a task, inspected.

    Args:
        source: see the table above.
        split: by default validation, or the only split.
        revision: for the Hub, a branch, tag or commit; `main` by default.
        progress: called during a download from the Hub, in the calling thread.

    Raises:
        UnusableInput: for a path, file, row or split that cannot be read, or a task without data (QuALITY's hard
            questions).
        SourceUnavailable: if the Hub cannot provide it.
        ZeroScrollsError: for an unknown task or benchmark, or an invalid source or revision.
    """
    tasks = [find_task(task, benchmark=benchmark)]
    ((_, data),) = open_tasks(source, tasks, revision=revision, progress=progress)
    if not isinstance(data, TaskData):
        raise data
    return data.load(split)


def open_tasks(
    source: str | Path, tasks: Sequence[Task], *, revision: str | None = None, progress: Progress | None = None
) -> Iterator[tuple[Task, TaskData | SourceUnavailable | UnusableInput]]:
    """Each task with its data, all at the commit of the first, or with the error if it is missing or damaged.

    After an error of the Hub that is not about one file, no further task is tried.
    """
    source = str(source)
    path, files = Path(source), None
    if is_path(source):
        if not path.exists() and (near := did_you_mean(source, ("embedded", "hub"))):
            raise UnusableInput(f"there is no file or folder {short(source, 200)!r}; {near}")
        files = open_inputs([source])
    if revision is not None and not _is_hub(source):
        raise ZeroScrollsError(f"the source {source!r} has no revisions; leave it out, or take the source 'hub'")
    for done, task in enumerate(tasks):
        try:
            require_data(task)
            if files:
                splits, unread = _splits_of(path.name or source, *files, task)
                label = f"your {'folder' if path.is_dir() else 'file'} {path.name or path.resolve().name}"
                data = TaskData(task, splits, Source("files", label=label), unread)
            elif _is_hub(source):
                data = _from_hub(source, revision, task, part_of(progress, done, len(tasks)))
                revision = data.source.commit
            else:
                embedded = Source("embedded", label="embedded examples")
                data = TaskData(task, {SPLIT: embedded_file(task)}, embedded)
        except (SourceUnavailable, UnusableInput) as error:
            yield task, error
            if isinstance(error, SourceUnavailable) and not error.of_one_file:
                return
        else:
            yield task, data


def tasks_of_source(source: str, benchmark: Benchmark) -> list[str]:
    """The tasks that a source has: those of a path that has a file for them, or all tasks with data."""
    if is_path(source):
        opened = open_tasks(source, list(benchmark.tasks.values()))
        return [task.name for task, data in opened if isinstance(data, TaskData)]
    return [name for name, task in benchmark.tasks.items() if task.no_data is None]


def kind_of(source: str) -> Kind:
    """The kind of a source as the user names it."""
    return "embedded" if source == "embedded" else "hub" if _is_hub(source) else "files"


def is_path(source: str) -> bool:
    return kind_of(source) == "files"


def _is_hub(source: str) -> bool:
    return source == "hub" or source.startswith("hub:")


def _from_hub(source: str, revision: str | None, task: Task, progress: Progress | None) -> TaskData:
    if source == "hub" and not task.benchmark.repo:
        raise UnusableInput(f"{task.benchmark.title} names no dataset on the Hub; take a folder or ZIP as the source")
    repo, _, named = source.removeprefix("hub").removeprefix(":").partition("@")
    if named and revision and named != revision:
        raise ZeroScrollsError(f"two revisions, {named!r} in the source and {revision!r}; give one")
    repo = repo or task.benchmark.repo
    file = task.benchmark.hub_file.format(task=task)
    fetched = fetch(file, repo=repo, revision=named or revision, progress=progress)
    label, cached = f"Hub, {repo} at {fetched.commit[:7]}", []
    if fetched.note is not None:
        label += ", from the cache"
        cached = [Problem("cache", fetched.note, task.name, is_error=False)]
    try:
        name = fetched.path.name
        splits, unread = _splits_of(name, *open_inputs([fetched.path], [name]), task)
    except UnusableInput as error:
        raise _damaged(error) from error
    return TaskData(task, splits, Source("hub", repo, fetched.commit, label=label), (*unread, *cached))


def _damaged(error: UnusableInput) -> SourceUnavailable:
    step = "take another revision, or clear it from the cache and fetch it again"
    return SourceUnavailable(f"the Hub's file is damaged ({error}); {step}", of_one_file=True)


def _splits_of(
    here: str, sources: Sequence[InputFile], problems: Sequence[Problem], task: Task
) -> tuple[dict[str, InputFile], tuple[Problem, ...]]:
    """The task's splits among the files, in the order train, validation, test; and the splits that were not read."""
    splits: dict[str, InputFile] = {}
    for source in sources:
        split = _split_of(source.path, task)
        if split in splits:
            raise UnusableInput(f"{splits[split].name} and {source.name} are both {task}'s {split} split; keep one")
        if split:
            splits[split] = source
    if not splits:
        if wrong := lines(row for row in problems if row.is_error and row.task in (None, task.name)):
            raise UnusableInput(f"{here}: {'; '.join(wrong)}")
        file = f"{task}.jsonl" if len(task.benchmark.splits) == 1 else f"{task}/validation.jsonl"
        step = f"it should have {file} or {task}.zip in it"
        raise TaskNotInSource(f"{here} has no data of {task}; {step}")
    # Warnings, since the other splits of the task can be read.
    unread = tuple(
        replace(problem, task=task.name, is_error=False)
        for problem in problems
        if problem.kind == "not-read" and problem.is_error and problem.place is not None
        if _split_of(PurePosixPath(problem.place.file or ""), task)
    )
    return {split: splits[split] for split in SPLITS if split in splits}, unread


def _split_of(path: PurePosixPath, task: Task) -> str | None:
    if name_task(path, task.benchmark) != task.name:
        return None
    splits = task.benchmark.splits
    return name_split(path) or (splits[0] if len(splits) == 1 else None)
