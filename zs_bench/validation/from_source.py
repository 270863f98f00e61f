"""References and known ids from a data source, and ids from lists, as `zero-scrolls data --ids` exports them."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from zs_bench.dataset.embedded import SPLIT
from zs_bench.dataset.inspection import Loaded
from zs_bench.dataset.sources import TaskData, open_tasks
from zs_bench.errors import SourceUnavailable, TaskNotInSource, UnusableInput
from zs_bench.files import limits
from zs_bench.files.json_text import fields, parse
from zs_bench.problems import Problem, short
from zs_bench.progress import Progress
from zs_bench.prompts.dissection import document_of
from zs_bench.validation.known_ids import IDS_SCHEMA, UNFIT, IdList, KnownIds
from zs_bench.validation.references import References, id_lists
from zs_metric.tasks import Benchmark, find_benchmark, find_task

_UNREADABLE = (SourceUnavailable, UnusableInput)
_Failed = dict[str, SourceUnavailable | UnusableInput]
# Findings about a split that are shown as warnings with a score.
_WARNINGS = {"cache", "not-all"}


def references_from_source(
    source: str | Path,
    tasks: Iterable[str],
    split: str | None = None,
    revision: str | None = None,
    *,
    benchmark: str | Benchmark = "zero_scrolls",
    progress: Progress | None = None,
) -> References:
    """The references of the tasks in a source, all at the commit of the first.

    A missing or damaged file, or an unfit split, is a problem of its task alone.

    Args:
        source: see `zs_bench.dataset.sources`.
        split: `validation` or `test`, in SCROLLS also `train`; by default validation, or the split that is there.
        progress: called with the share done and a few words.

    Raises:
        SourceUnavailable: if the Hub provides nothing at all.
        ZeroScrollsError: for an invalid source or revision.
    """
    references = References(about={"source": None, "split": split, "revision": None})
    failed = _Failed()
    for loaded in _loaded(source, tasks, benchmark, failed, split, revision=revision, progress=progress):
        add_loaded(references, loaded)
    references.problems += [Problem("no-data", str(error), task) for task, error in failed.items()]
    return references


def add_loaded(references: References, loaded: Loaded) -> None:
    """Add the references of a task; findings that make the split unfit are kept in `unlabelled`."""
    read = {"source": loaded.source_label, "split": loaded.split, "revision": loaded.revision}
    references.about |= {name: references.about.get(name) or value for name, value in read.items()}
    by_id = {example.id: list(example.references) for example in loaded.examples}
    task = loaded.task.name
    references.tasks[task] = {loaded.split: by_id}
    named = ((example.id, document_of(example)) for example in loaded.examples)
    references.documents |= {(task, loaded.split, id_): name for id_, name in named if name}
    references.problems += [
        finding for finding in loaded.findings if not finding.is_error and finding.kind in _WARNINGS
    ]
    refusing = [problem for problem in loaded.findings if problem.is_error]
    message = "The example has no reference. Take a split or revision that has them"
    nulls = [Problem("null-reference", message, task, id_) for id_, texts in by_id.items() if not texts]
    if refusing or nulls:
        references.unlabelled[task, loaded.split] = refusing or nulls


def with_documents(
    references: References,
    source: str | Path,
    split: str | None = None,
    revision: str | None = None,
    *,
    benchmark: str | Benchmark = "zero_scrolls",
    progress: Progress | None = None,
) -> References:
    """References from files, with the documents of their examples from a source that has the inputs.

    Which examples share a document decides the intervals. A task without inputs in the source gets a warning. The
    other parameters and the errors are those of `references_from_source`.
    """
    failed, documents = _Failed(), dict(references.documents)
    for loaded in _loaded(source, references.tasks, benchmark, failed, split, revision=revision, progress=progress):
        task, names = loaded.task.name, {example.id: document_of(example) for example in loaded.examples}
        ids = [(known_split, id_) for known_split, by_id in references.tasks[task].items() for id_ in by_id]
        documents |= {(task, of_split, id_): name for of_split, id_ in ids if (name := names.get(id_))}
        if not any(id_ in names for _, id_ in ids):
            failed[task] = UnusableInput(f"no ID of the references is in {loaded.source_label}, {loaded.split}")
    inputs = "the inputs were not read, so examples of one document count as independent"
    warnings = [Problem("no-inputs", f"{inputs} ({error})", task, is_error=False) for task, error in failed.items()]
    return replace(references, documents=documents, problems=[*references.problems, *warnings])


def ids_of_source(
    source: str | Path,
    split: str | None = None,
    revision: str | None = None,
    *,
    tasks: Iterable[str] | None = None,
    benchmark: str | Benchmark = "zero_scrolls",
    progress: Progress | None = None,
) -> KnownIds:
    """The ids of a split of a data source, with those of its other splits to identify ids from them.

    A task that cannot be read, or whose test split repeats another split, is among the `problems`. A task that the
    source does not have is a problem only if `tasks` names it.

    Args:
        split: by default `test`, or `validation` if no task has a test split.
        tasks: the tasks to check, by default all of the average.

    The other parameters and the errors are those of `references_from_source`.
    """
    failed, ids = _Failed(), dict[str, dict[str, dict[str, list[str]]]]()
    names = list(find_benchmark(benchmark).tasks if tasks is None else tasks)
    opened = list(_opened_tasks(source, names, benchmark, failed, revision=revision, progress=progress))
    wanted = split or ("test" if any("test" in data.files for data in opened) else SPLIT)
    for data in opened:
        try:
            ids[data.task.name] = _ids_by_split(data, wanted)
        except _UNREADABLE as error:
            failed[data.task.name] = error
    if opened and tasks is None:
        failed = {task: error for task, error in failed.items() if not isinstance(error, TaskNotInSource)}
    problems = [Problem("no-ids", str(failed[task]), task) for task in names if task in failed]
    label = next((data.source_label for data in opened), str(source))
    return KnownIds(id_lists(label, ids, wanted), problems=problems, benchmark=find_benchmark(benchmark))


def _ids_by_split(data: TaskData, wanted: str) -> dict[str, dict[str, list[str]]]:
    """The references by id of all splits of a task; an unreadable split is an error only if it is the wanted one."""
    loaded = data.load(wanted)
    unfit = [finding.message for finding in loaded.findings if finding.kind in UNFIT]
    if unfit:
        raise UnusableInput(f"The IDs were not checked: {unfit[0]}")
    ids = {wanted: {example.id: example.references for example in loaded.examples}}
    for name in data.files:
        with suppress(SourceUnavailable, UnusableInput):
            if name != wanted:
                ids[name] = {example.id: example.references for example in data.load(name).examples}
    return ids


def _loaded(
    source: str | Path,
    names: Iterable[str],
    benchmark: str | Benchmark,
    failed: _Failed,
    split: str | None,
    **options: Any,
) -> Iterator[Loaded]:
    """The split of each task that can be read; the errors of the others go into `failed`."""
    for data in _opened_tasks(source, names, benchmark, failed, **options):
        try:
            yield data.load(split)
        except _UNREADABLE as error:
            failed[data.task.name] = error


def _opened_tasks(
    source: str | Path, names: Iterable[str], benchmark: str | Benchmark, failed: _Failed, **options: Any
) -> Iterator[TaskData]:
    """The tasks that can be opened; errors about one file go into `failed`."""
    for task, data in open_tasks(source, [find_task(name, benchmark=benchmark) for name in names], **options):
        if isinstance(data, TaskData):
            yield data
        elif isinstance(data, SourceUnavailable) and not data.of_one_file:
            raise data
        else:
            failed[task.name] = data


def ids_of_lists(paths: Sequence[str | Path], *, benchmark: str | Benchmark = "zero_scrolls") -> KnownIds:
    """Exported lists. Predictions are checked against the first; the others only identify ids of other data.

    Raises:
        UnusableInput: for a file that is not an exported list.
    """
    return KnownIds([_read_list(Path(path)) for path in paths], benchmark=find_benchmark(benchmark))


def _read_list(path: Path) -> IdList:
    if not path.is_file():
        raise UnusableInput(f"there is no file {short(str(path), 200)!r}; write one with: zero-scrolls data --ids")
    try:
        value = parse(_text(path))
    except (UnicodeDecodeError, UnusableInput):
        value = None
    content = fields(value)
    tasks = fields(content.get("ids"))
    if content.get("schema") != IDS_SCHEMA or not tasks or not all(map(_are_texts, tasks.values())):
        raise UnusableInput(f"{path.name} is not a list of ids ({IDS_SCHEMA}); write one with: zero-scrolls data --ids")
    source, split = (text if isinstance(text := content.get(name), str) else None for name in ("source", "split"))
    return IdList(source or path.name, split, tasks)


def _text(path: Path) -> str:
    """The text of a file, cut at the size limit."""
    with path.open("rb") as stream:
        return stream.read(limits.MAX_WHOLE).decode("utf-8-sig")


def _are_texts(value: Any) -> bool:
    return type(value) is list and all(isinstance(text, str) for text in value)


def read_hard_ids(path: str | Path) -> list[str]:
    """The ids of QuALITY's hard questions, which the data does not mark: a JSON list of texts, or one id per line.

    Raises:
        UnusableInput: for a file that cannot be read or has no ids.
    """
    name = short(str(path), 200)
    try:
        text = _text(Path(path))
        ids = parse(text) if text.lstrip()[:1] in ("[", "{") else text.split()
    except (OSError, UnicodeDecodeError, UnusableInput) as error:
        raise UnusableInput(f"{name}: the list of hard ids cannot be read ({short(str(error))})") from None
    if not ids or not _are_texts(ids):
        raise UnusableInput(f"{name}: a list of hard ids is a JSON list of texts, or one id a line")
    return ids
