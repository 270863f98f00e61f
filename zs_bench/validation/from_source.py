"""References and known ids from a data source, and ids from lists, as `zero-scrolls data --ids` exports them."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, get_args

from zs_bench.benchmarks import DEFAULT, Benchmark, Task, find_benchmark, find_task
from zs_bench.dataset.inspection import Loaded
from zs_bench.dataset.rows import SPLIT
from zs_bench.dataset.source import EXAMPLES, Kind, Source
from zs_bench.dataset.sources import TaskData, kind_of, open_tasks
from zs_bench.errors import SourceUnavailable, TaskNotInSource, UnusableInput
from zs_bench.files import limits
from zs_bench.files.formats import read_plain
from zs_bench.files.input_files import InputFile, reason_of
from zs_bench.files.json_text import decode, fields, parse
from zs_bench.files.reference_texts import IS_NULL, Reference
from zs_bench.problems import Problem, short
from zs_bench.progress import Progress
from zs_bench.validation.known_ids import IDS_SCHEMA, IdList, KnownIds
from zs_bench.validation.references import References, id_lists
from zs_metric.texts import row_of, with_row

_UNREADABLE = (SourceUnavailable, UnusableInput)
# Findings about a split that are shown as warnings with a score, and those that make its ids unusable.
_WARNINGS = {"cache", "not-all"}
_UNFIT = {"test-is-validation", "no-rows"}
_LIST = f"list of ids ({IDS_SCHEMA}), as written by: zero-scrolls data --ids"
_HARD = "list of hard ids: a JSON list of texts, one id a line, or a file of QuALITY's own data"


def references_from_source(
    source: str | Path,
    tasks: Iterable[str],
    split: str | None = None,
    revision: str | None = None,
    *,
    benchmark: str | Benchmark = DEFAULT,
    progress: Progress | None = None,
) -> References:
    """The references of the tasks in a source, all at the commit of the first.

    A missing or damaged file, or an unfit split, is a problem of its task alone. The arguments are those of
    `zs_bench.dataset.sources.load_examples`.

    Raises:
        SourceUnavailable: if the Hub provides nothing at all.
        ZeroScrollsError: for an invalid source or revision.
    """
    references = References(source=Source(kind_of(str(source)), split=split))
    opened = _opened(source, tasks, benchmark, revision=revision, progress=progress)
    failed = _for_tasks(lambda data: add_loaded(references, data.load(split)), opened)
    for task, error in failed.items():
        of_rows = error.problems if isinstance(error, UnusableInput) else ()
        references.problems += of_rows or [Problem("no-data", str(error), task)]
    return references


def add_loaded(references: References, loaded: Loaded) -> None:
    """Add the references of a task; a finding that makes the split unfit is the fault of each."""
    task, is_embedded = loaded.task.name, loaded.source.kind == "embedded"
    split, before = EXAMPLES if is_embedded else loaded.split, references.source
    if before is None or not before.label:
        asked = before.split if before and not is_embedded else None
        references.source = replace(loaded.source, split=asked or split)
    unfit = next((finding for finding in loaded.findings if finding.is_error), None)
    by_id = references.by_task.setdefault(task, {})[split] = {}
    for example in loaded.examples:
        without = None if example.references else Problem("null-reference", IS_NULL, task, example.id)
        texts = with_row(example.references, row_of(example.references))
        by_id[example.id] = Reference(texts, document=example.document_name, fault=unfit or without)
    references.problems += [each for each in loaded.findings if not each.is_error and each.kind in _WARNINGS]
    if unfit and not by_id:
        references.problems.append(unfit)


def with_documents(
    references: References,
    source: str | Path,
    split: str | None = None,
    revision: str | None = None,
    *,
    benchmark: str | Benchmark = DEFAULT,
    progress: Progress | None = None,
) -> References:
    """References from files, with the documents of their examples, which decide the intervals, from a source.

    A task without inputs in the source gets a warning. Otherwise as `references_from_source`.
    """
    read = references_from_source(source, references.by_task, split, revision, benchmark=benchmark, progress=progress)
    failed = {problem.task: problem.message for problem in read.problems if problem.is_error}
    names: dict[str, dict[str, str]] = {}
    for task, splits in read.by_task.items():
        ((loaded, by_id),) = splits.items()
        names[task] = {id_: each.document for id_, each in by_id.items() if each.document}
        if not any(by_id.keys() & ids.keys() for ids in references.by_task[task].values()):
            split_read = "" if loaded == EXAMPLES else f", {loaded}"
            failed[task] = f"no ID of the references is in {read.source.label if read.source else source}{split_read}"
    inputs = "the inputs were not read, so examples of one document count as independent"
    warnings = [Problem("no-inputs", f"{inputs} ({error})", task, is_error=False) for task, error in failed.items()]
    references = references.with_documents(names, are_all=False)
    return replace(references, problems=[*references.problems, *warnings])


def ids_of_source(
    source: str | Path,
    split: str | None = None,
    revision: str | None = None,
    *,
    tasks: Iterable[str] | None = None,
    benchmark: str | Benchmark = DEFAULT,
    progress: Progress | None = None,
) -> KnownIds:
    """The ids of a split of a source, by default `test` if any task has one, with those of its other splits.

    A task that cannot be read, or whose test split repeats another split, is among the `problems`; one that the source
    does not have only if `tasks` names it. Otherwise as `references_from_source`.
    """
    benchmark = find_benchmark(benchmark)
    names = list(benchmark.tasks if tasks is None else tasks)
    opened: list[TaskData] = []
    found = _opened(source, names, benchmark, revision=revision, progress=progress)
    failed = _for_tasks(opened.append, found)
    wanted = split or ("test" if any("test" in data.files for data in opened) else SPLIT)
    ids: dict[str, dict[str, dict[str, list[str]]]] = {}
    for data in opened:
        try:
            loaded = data.load(wanted)
            if unfit := [finding.message for finding in loaded.findings if finding.kind in _UNFIT]:
                raise UnusableInput(f"The IDs were not checked: {unfit[0]}")
        except _UNREADABLE as error:
            failed[data.task.name] = error.with_traceback(None)  # which would keep the files open
            continue
        splits = ids[data.task.name] = {wanted: {example.id: example.references for example in loaded.examples}}
        for name in (name for name in data.files if name != wanted):
            with suppress(*_UNREADABLE):
                splits[name] = {example.id: example.references for example in data.load(name).examples}
    if opened and tasks is None:
        failed = {task: error for task, error in failed.items() if not isinstance(error, TaskNotInSource)}
    problems = [Problem("no-ids", str(failed[task]), task) for task in names if task in failed]
    of = opened[0].source if opened else Source(kind_of(str(source)), label=str(source))
    return KnownIds(id_lists(of, ids, wanted), problems=problems, benchmark=benchmark)


_Opened = Iterable[tuple[Task, TaskData | SourceUnavailable | UnusableInput]]


def _opened(
    source: str | Path,
    names: Iterable[str],
    benchmark: str | Benchmark,
    *,
    revision: str | None,
    progress: Progress | None,
) -> _Opened:
    tasks = [find_task(name, benchmark=benchmark) for name in names]
    return open_tasks(source, tasks, revision=revision, progress=progress)


def _for_tasks(use: Callable[[TaskData], None], opened: _Opened) -> dict[str, SourceUnavailable | UnusableInput]:
    """Call `use` with each task of a source; returns the errors about one file, by task."""
    failed: dict[str, SourceUnavailable | UnusableInput] = {}
    for task, data in opened:
        if isinstance(data, SourceUnavailable) and not data.of_one_file:
            raise data
        try:
            if not isinstance(data, TaskData):
                raise data
            use(data)
        except _UNREADABLE as error:
            failed[task.name] = error.with_traceback(None)
    return failed


def ids_of_lists(paths: Sequence[str | Path], *, benchmark: str | Benchmark = DEFAULT) -> KnownIds:
    """The ids of exported lists, of which the first is checked against; `UnusableInput` for any other file."""
    lists: list[IdList] = []
    for path in map(Path, paths):
        content = fields(_read(path, _LIST, parse))
        ids, source, split = fields(content.get("ids")), content.get("source"), content.get("split")
        if content.get("schema") != IDS_SCHEMA or not ids or not all(map(_are_texts, ids.values())):
            raise UnusableInput(f"{path.name} is not a {_LIST}")
        kind: Kind = next((each for each in get_args(Kind) if each == content.get("kind")), "files")
        label = source if isinstance(source, str) else path.name
        lists.append(IdList(Source(kind, label=label), split if isinstance(split, str) else None, ids))
    return KnownIds(lists, benchmark=find_benchmark(benchmark))


def read_hard_ids(path: str | Path) -> list[str]:
    """The ids of QuALITY's hard questions; `UnusableInput` for a file without any.

    The file is a JSON list of texts, one id per line, or QuALITY's own: an article a line, whose `questions` have a
    `question_unique_id` and are `difficult`, 1 or 0.
    """
    ids = _read(Path(path), _HARD, partial(_hard_ids, Path(path).name))
    if not ids or not _are_texts(ids):
        raise UnusableInput(f"{short(str(path), 200)} is not a {_HARD}")
    return list(ids)


def _hard_ids(name: str, text: str) -> Any:
    if text.lstrip()[:1] == "[":
        return parse(text)
    if text.lstrip()[:1] != "{":
        return text.split()
    articles = read_plain(InputFile.in_memory("articles.jsonl", text.encode(), name))
    asked = (article.get("questions") for _, article in articles)
    of_articles = (questions for questions in asked if isinstance(questions, list))
    questions = (question for of_article in of_articles for question in of_article if isinstance(question, dict))
    return [each.get("question_unique_id") for each in questions if str(each.get("difficult")) == "1"]


def _read(path: Path, what: str, read: Callable[[str], Any]) -> Any:
    try:
        with path.open("rb") as stream:
            return read(decode(limits.read_whole(stream)))
    except (OSError, UnusableInput) as error:
        raise UnusableInput(f"{short(str(path), 200)} cannot be read ({reason_of(error)}); give a {what}") from None


def _are_texts(value: Any) -> bool:
    return type(value) is list and all(isinstance(text, str) for text in value)
