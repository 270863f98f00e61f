"""Known ids from lists exported by `zero-scrolls data --ids`, and from a data source."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from zs_bench.dataset.embedded import SPLIT
from zs_bench.dataset.hub import SourceUnavailable
from zs_bench.dataset.inspection import Loaded
from zs_bench.dataset.sources import NothingOfTask, OpenedPath, TaskData, open_task, opened
from zs_bench.files import limits
from zs_bench.files.json_text import JsonObject, parse
from zs_bench.problems import Problem, UnusableInput, short
from zs_bench.progress import Progress, part_of
from zs_bench.validation.known_ids import IDS_SCHEMA, UNFIT, IdList, KnownIds
from zs_metric.tasks import Benchmark, find_benchmark


def ids_of_lists(paths: Sequence[str | Path], *, benchmark: str | Benchmark = "zero_scrolls") -> KnownIds:
    """Exported lists. Predictions are checked against the first; the others only identify ids of other data.

    Raises:
        UnusableInput: for a file that is not an exported list.
    """
    return KnownIds([_read_list(Path(path)) for path in paths], benchmark=find_benchmark(benchmark))


def _read_list(path: Path) -> IdList:
    if not path.is_file():
        raise UnusableInput(f"there is no file {short(str(path), 200)!r}; write one with: zero-scrolls data --ids")
    with path.open("rb") as stream:
        data = stream.read(limits.MAX_WHOLE + 1)
    try:
        value = parse(data.decode("utf-8-sig")) if len(data) <= limits.MAX_WHOLE else None
    except (UnicodeDecodeError, UnusableInput):
        value = None
    fields = dict(value) if isinstance(value, JsonObject) else {}
    tasks = dict(fields["ids"]) if isinstance(fields.get("ids"), JsonObject) else {}
    if fields.get("schema") != IDS_SCHEMA or not tasks or not all(map(_are_ids, tasks.values())):
        raise UnusableInput(f"{path.name} is no list of ids ({IDS_SCHEMA}); write one with: zero-scrolls data --ids")
    return IdList(_text(fields.get("source")) or path.name, _text(fields.get("split")), tasks)


def _are_ids(value: Any) -> bool:
    return type(value) is list and all(isinstance(id_, str) for id_ in value)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


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
        source: see `zs_bench.dataset.sources`.
        split: by default `test`, or `validation` if no task has a test split.
        tasks: the tasks to check, by default all of the average.
        progress: called with the share done and a few words.

    Raises:
        SourceUnavailable: if the Hub provides nothing at all.
        ZeroScrollsError: for an invalid source or revision.
    """
    of, problems, absent = find_benchmark(benchmark), list[Problem](), list[Problem]()
    origin: str | Path | OpenedPath = source
    found, names = list[TaskData](), list(of.tasks if tasks is None else tasks)
    for done, task in enumerate(names):
        try:
            origin = opened(origin)
            data = open_task(
                origin, task, revision=revision, benchmark=of.name, progress=part_of(progress, done, len(names))
            )
        except (SourceUnavailable, UnusableInput) as error:
            if isinstance(error, SourceUnavailable) and not error.of_one_file:
                raise
            is_absent = isinstance(error, NothingOfTask) and tasks is None
            (absent if is_absent else problems).append(Problem("no-ids", str(error), task))
            continue
        found.append(data)
        revision = data.revision or revision
    wanted = split or ("test" if any("test" in data.files for data in found) else SPLIT)
    by_split: dict[str | None, dict[str, Sequence[str]]] = {wanted: {}}
    for data in found:
        try:
            _add(data, wanted, by_split)
        except (SourceUnavailable, UnusableInput) as error:
            problems.append(Problem("no-ids", str(error), data.task.name))
    problems.sort(key=lambda problem: names.index(problem.task or ""))
    label = found[0].source_label if found else str(source)
    return KnownIds(_lists(label, by_split, wanted), problems=problems if found else problems + absent, benchmark=of)


def _add(data: TaskData, wanted: str, by_split: dict[str | None, dict[str, Sequence[str]]]) -> None:
    """Add the ids of all splits of a task; an unreadable split is an error only if it is the wanted one."""
    loaded = data.load(wanted)
    unfit = [one.message for one in loaded.findings if one.kind in UNFIT]
    if unfit:
        raise UnusableInput(f"The IDs were not checked: {unfit[0]}")
    by_split[wanted][data.task.name] = _ids(loaded)
    for name in data.files:
        if name != wanted:
            try:
                by_split.setdefault(name, {})[data.task.name] = _ids(data.load(name))
            except (SourceUnavailable, UnusableInput):
                continue


def _ids(loaded: Loaded) -> list[str]:
    return [example.id for example in loaded.examples]


def _lists(source: str, by_split: Mapping[str | None, Mapping[str, Sequence[str]]], first: str | None) -> list[IdList]:
    names = sorted(by_split, key=lambda name: name != first)
    return [IdList(source, name, by_split[name]) for name in names]


def read_hard_ids(path: str | Path) -> list[str]:
    """The ids of QuALITY's hard questions, which the data does not mark: a JSON list of texts, or one id per line.

    Raises:
        UnusableInput: for a file that cannot be read or has no ids.
    """
    name = short(str(path), 200)
    try:
        data = Path(path).read_bytes()[: limits.MAX_WHOLE + 1]
        text = data.decode("utf-8-sig")
        ids = parse(text) if text.lstrip()[:1] in ("[", "{") else text.split()
    except (OSError, UnicodeDecodeError, UnusableInput) as error:
        raise UnusableInput(f"{name}: the list of hard ids cannot be read ({short(str(error))})") from None
    if not isinstance(ids, list) or not ids or not all(isinstance(id_, str) for id_ in ids):
        raise UnusableInput(f"{name}: a list of hard ids is a JSON list of texts, or one id a line")
    return ids
