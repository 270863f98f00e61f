"""Where the ids come from: lists that `zero-scrolls data --ids` exported, references, or a data source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from zs_bench.doctor.known_ids import IdList, KnownIds
from zs_bench.files import limits
from zs_bench.files.gather import References
from zs_bench.files.json_text import JsonObject, parse
from zs_bench.problems import Problem, UnusableInput, short
from zs_bench.sources.data_report import IDS_SCHEMA
from zs_bench.sources.data_sources import Loaded, SourceUnavailable, TaskData, open_task
from zs_bench.sources.embedded import SPLIT
from zs_bench.sources.hub import Progress
from zs_bench.sources.source_references import part_of
from zs_metric.tasks import find_benchmark

#: What inspection finds that makes the ids of a split those of another, or none.
_UNFIT = {"test-is-validation", "no-rows"}


def ids_of_lists(paths: Sequence[str | Path], *, benchmark: str = "zero_scrolls") -> KnownIds:
    """Exported lists: the first is what answers are checked against, the others tell where an id comes from.

    Raises:
        UnusableInput: for a file that is none.
    """
    return KnownIds([_read_list(Path(path)) for path in paths], benchmark=benchmark)


def _read_list(path: Path) -> IdList:
    if not path.is_file():
        raise UnusableInput(f"there is no file {short(str(path), 200)!r}; write one with: zero-scrolls data --ids")
    with path.open("rb") as stream:
        data = stream.read(limits.MAX_BYTES[".json"] + 1)
    try:
        value = parse(data.decode("utf-8-sig")) if len(data) <= limits.MAX_BYTES[".json"] else None
    except (UnicodeDecodeError, UnusableInput):
        value = None
    fields = dict(value) if isinstance(value, JsonObject) else {}
    tasks = dict(fields["ids"]) if isinstance(fields.get("ids"), JsonObject) else {}
    if fields.get("schema") != IDS_SCHEMA or not tasks or not all(map(_are_ids, tasks.values())):
        raise UnusableInput(f"{path.name} is no list of ids ({IDS_SCHEMA}); write one with: zero-scrolls data --ids")
    return IdList(_text(fields.get("source")) or path.name, _text(fields.get("split")), tasks)


def _are_ids(value: Any) -> bool:
    return type(value) is list and all(isinstance(key, str) for key in value)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def ids_of_references(
    references: References,
    split: str | None = None,
    source: str = "the references",
    *,
    benchmark: str = "zero_scrolls",
) -> KnownIds:
    """The ids of references, by split.

    Args:
        references: as gathered from files, or from a source.
        split: what answers are checked against; without it, of each task the split that holds most of their ids.
        source: what to call them.
        benchmark: whose tasks they are of.

    Raises:
        UnusableInput: when there is no such split.
    """
    problems = [problem for problem in references.problems if problem.refuses]
    by_split: dict[str | None, dict[str, Sequence[str]]] = {}
    for task, splits in references.tasks.items():
        for name, by_id in splits.items():
            unfit = [one for one in references.unlabelled.get((task, name), ()) if one.kind in _UNFIT]
            problems += unfit
            if not unfit:
                by_split.setdefault(name, {})[task] = list(by_id)
    if split is not None and split not in by_split:
        has = ", ".join(name for name in by_split if name) or "of no named split"
        raise UnusableInput(f"there are no references of the split {split!r}; they are {has}")
    return KnownIds(_lists(source, by_split, split), split is None, problems, benchmark)


def ids_of_source(
    source: str | Path,
    split: str | None = None,
    revision: str | None = None,
    *,
    tasks: Iterable[str] | None = None,
    benchmark: str = "zero_scrolls",
    progress: Progress | None = None,
) -> KnownIds:
    """The ids of a split of a data source; those of its other splits serve to recognise their ids.

    A task that cannot be read, or whose test split is another split over again, is among the `problems`.

    Args:
        source: see `zs_bench.sources.data_sources`.
        split: by default `test`, of the embedded examples `validation`.
        revision: for the Hub: a branch, a tag or a commit.
        tasks: which are checked; by default all of the average.
        benchmark: whose data it is.
        progress: called with the share done and a few words.

    Raises:
        SourceUnavailable: when the Hub could give nothing at all.
        ZeroScrollsError: for a source or revision that cannot be meant.
    """
    wanted = split or (SPLIT if str(source) == "embedded" else "test")
    by_split: dict[str | None, dict[str, Sequence[str]]] = {wanted: {}}
    problems: list[Problem] = []
    label, names = "", list(find_benchmark(benchmark).tasks if tasks is None else tasks)
    for done, task in enumerate(names):
        try:
            data = open_task(
                source, task, revision=revision, benchmark=benchmark, progress=part_of(progress, done, len(names))
            )
            _add(data, wanted, by_split)
        except (SourceUnavailable, UnusableInput) as error:
            if isinstance(error, SourceUnavailable) and not error.of_one_file:
                raise
            problems.append(Problem("no-ids", str(error), task))
            continue
        label, revision = label or data.source_label, data.revision or revision
    return KnownIds(_lists(label or str(source), by_split, wanted), problems=problems, benchmark=benchmark)


def _add(data: TaskData, wanted: str, by_split: dict[str | None, dict[str, Sequence[str]]]) -> None:
    """The ids of all splits of a task, the one that is wanted first: what is wrong with it is an error."""
    loaded = data.load(wanted)
    unfit = [one.message for one in loaded.findings if one.kind in _UNFIT]
    if unfit:
        raise UnusableInput(f"the ids were not checked: {unfit[0]}")
    by_split[wanted][data.task] = _ids(loaded)
    for name in data.files:
        if name != wanted:
            try:
                by_split.setdefault(name, {})[data.task] = _ids(data.load(name))
            except (SourceUnavailable, UnusableInput):  # it would only have served to recognise its ids
                continue


def _ids(loaded: Loaded) -> list[str]:
    return [example.id for example in loaded.examples]


def _lists(source: str, by_split: Mapping[str | None, Mapping[str, Sequence[str]]], first: str | None) -> list[IdList]:
    names = sorted(by_split, key=lambda name: name != first)
    return [IdList(source, name, by_split[name]) for name in names]
