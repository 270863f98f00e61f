"""The ids that predictions are checked against, lists that identify ids of other splits, and misspelt ids."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from operator import itemgetter, methodcaller
from typing import TypeVar

from zs_bench.benchmarks import Benchmark
from zs_bench.benchmarks.zero_scrolls import BENCHMARK as ZERO_SCROLLS
from zs_bench.dataset.source import EXAMPLES, Source
from zs_bench.files.entries import Identity
from zs_bench.files.reference_texts import Reference, is_blank
from zs_bench.files.rows_without_ids import identity_of
from zs_bench.problems import Problem, short

#: The schema of an exported list of ids: `{schema, benchmark, kind, source, revision, split, ids: {task: [id, …]}}`.
IDS_SCHEMA = "zero-scrolls-ids/1"
_Name = TypeVar("_Name")
_PID = re.compile(r"(.+)_[0-9]{1,3}", re.DOTALL)
# A whole number as a spreadsheet writes it.
_WHOLE = re.compile(r"0*((?:[1-9][0-9]{0,2}|0)(?:,[0-9]{3})+|[1-9][0-9]*|0)(?:\.0+)?")
_SEPARATORS = re.compile("[-_ ./:]+")
_NUMBERED = re.compile("(.*?)([0-9]{1,18})([^0-9]*)", re.DOTALL)


def plain(id_: str) -> str:
    r"""An id in lowercase, without spaces and quotes around it; a number without what spreadsheets do to numbers.

    >>> [plain(id_) for id_ in ("\ufeff 'CRS_R46013' ", "3858.0", "182,528", "007", "3858.5")]
    ['crs_r46013', '3858', '182528', '7', '3858.5']
    """
    name = unicodedata.normalize("NFKC", id_).strip("\ufeff'\"` \t\r\n").casefold()
    number = _WHOLE.fullmatch(name)
    return number[1].replace(",", "") if number else name


def base_of_pid(id_: str) -> str | None:
    """The id of a `pid`, which is the id and a number for each reference; `None` for anything else.

    >>> base_of_pid("crs_R46013_0"), base_of_pid("va-sq-11")
    ('crs_R46013', None)
    """
    match = _PID.fullmatch(id_)
    return match[1] if match else None


def find_change(ids: Collection[str], known_ids: Collection[str]) -> tuple[str, Mapping[str, str]] | None:
    """The one change that makes each id a known one, all of them different: in words, and the known id by each.

    >>> find_change(["qasper-7f", "qasper-8a"], ["7f", "8a", "9c"])
    ("'qasper-' in front", {'qasper-7f': '7f', 'qasper-8a': '8a'})
    """
    for normalized in (str, lambda id_: _SEPARATORS.sub("_", plain(id_))):
        by_name = _unique((normalized(id_), id_) for id_ in known_ids)
        names = {id_: normalized(id_) for id_ in ids}
        first = next(iter(names.values()), "")
        changes: list[tuple[str, Callable[[str], str]]] = []
        if first in by_name:
            changes.append(("other capitals, separators or number format", str))
        for name in by_name if len(names) > 1 else ():  # of one id alone, any piece could be too much
            changes += _changes(first, name)
        for what, change in changes:
            meant = {id_: known_id for id_, name in names.items() if (known_id := by_name.get(change(name)))}
            if len(set(meant.values())) == len(ids):
                return what, meant
    return None


def _changes(name: str, known_name: str) -> Iterator[tuple[str, Callable[[str], str]]]:
    """What a name has too much or too little at one end, in words, and its repair; no number is cut in two."""
    is_missing = len(name) < len(known_name)
    longer, shorter = (known_name, name) if is_missing else (name, known_name)
    verb = "is missing " if is_missing else ""
    front, end = longer.removesuffix(shorter), longer.removeprefix(shorter)
    if 0 < len(front) < len(longer) and not (front[-1] + shorter[0]).isdigit():
        yield f"{short(front)!r} {verb}in front", front.__add__ if is_missing else methodcaller("removeprefix", front)
    if 0 < len(end) < len(longer) and not (shorter[-1] + end[0]).isdigit():
        yield f"{short(end)!r} {verb}at the end", methodcaller("__add__" if is_missing else "removesuffix", end)


def find_shift(ids: Collection[str], known_ids: Collection[str]) -> tuple[int, Mapping[str, str]] | None:
    """How much too high the numbers in all ids are, and the known id that each then means; `None` without such a shift.

    All must be known with the same shift, and some unknown without it; zeros in front count for nothing. A shift by
    more than one could also be another part of the data, so most ids must be known without it. Of several shifts of a
    small part of the ids, none is meant.

    >>> find_shift(["q-1", "q-2", "q-3"], ["q-0", "q-1", "q-2"])
    (1, {'q-1': 'q-0', 'q-2': 'q-1', 'q-3': 'q-2'})
    """
    unknown = set(ids).difference(known_ids)
    if not unknown:
        return None
    names, by_number = {id_: _numbered(id_) for id_ in ids}, _unique((_numbered(id_), id_) for id_ in known_ids)
    if len(names) < 2 or None in names.values() or all(map(by_number.get, names.values())):
        return None
    front, number, end = names[min(unknown)] or ("", 0, "")
    shifts = [number - each[1] for each in by_number if each and (each[0], each[2]) == (front, end)]
    fits = []
    for shift in sorted(shifts, key=abs):
        if abs(shift) == 1 or 2 * len(unknown) < len(names):
            moved = ((id_, by_number.get((name[0], name[1] - shift, name[2]))) for id_, name in names.items() if name)
            meant = {id_: known for id_, known in takewhile(itemgetter(1), moved) if known}
            fits += [(shift, meant)] * (len(set(meant.values())) == len(names))
    return fits[0] if fits and (len(fits) == 1 or 2 * len(names) > len(known_ids)) else None


def _numbered(id_: str) -> tuple[str, int, str] | None:
    """The last number in an id, and what is before and behind it."""
    match = _NUMBERED.fullmatch(id_)
    return match and (match[1], int(match[2]), match[3])


def _unique(pairs: Iterable[tuple[_Name, str]]) -> dict[_Name, str | None]:
    """The ids by name, `None` for a name of several ids."""
    ids: dict[_Name, str | None] = {}
    for name, id_ in pairs:
        ids[name] = None if ids.get(name, id_) != id_ else id_
    return ids


@dataclass(frozen=True, slots=True)
class IdList:
    """The ids of one split of a source by task, in the order of the data, perhaps each with its references."""

    source: Source
    split: str | None
    ids: Mapping[str, Sequence[str] | Mapping[str, Sequence[str] | Reference]]

    def __str__(self) -> str:
        if self.named_split == EXAMPLES:
            return f"{self.source.label}, written for this package"
        return self.source.label if self.split is None else f"{self.split} split of {self.source.label}"

    @property
    def named_split(self) -> str | None:
        """The split as reports name it: `EXAMPLES` for those of this package, which are of none."""
        return EXAMPLES if self.source.kind == "embedded" else self.split


@dataclass(frozen=True, slots=True)
class KnownIds:
    """All available lists: predictions are checked against the first, the others only identify ids of other splits.

    With `by_overlap`, each task is checked against the list that has most of its predictions.
    """

    lists: Sequence[IdList] = ()
    by_overlap: bool = False
    problems: Sequence[Problem] = ()
    benchmark: Benchmark = ZERO_SCROLLS

    def only(self, tasks: Iterable[str]) -> "KnownIds":
        """The ids of these tasks only, so that no others are missing."""
        wanted = set(tasks)
        lists = [
            replace(each, ids={task: each.ids[task] for task in each.ids if task in wanted}) for each in self.lists
        ]
        problems = [problem for problem in self.problems if problem.task in {None, *wanted}]
        return replace(self, lists=lists, problems=problems)

    def without_references(self) -> "KnownIds":
        """The ids alone: of private references, so that no check of predictions depends on them."""
        lists = [replace(each, ids={task: tuple(ids) for task, ids in each.ids.items()}) for each in self.lists]
        return replace(self, lists=lists)

    def by_task(self, predictions: Iterable[tuple[str, str]]) -> "dict[str, TaskIds]":
        """The ids of each task, with those of the other lists, for predictions given by task and id."""
        answered: dict[str, set[str]] = {}
        for task, id_ in predictions if self.by_overlap and len(self.lists) > 1 else ():
            answered.setdefault(task, set()).add(id_)
        tasks = dict.fromkeys(task for each in self.lists[: None if self.by_overlap else 1] for task in each.ids)
        ids = {}
        for task in tasks:
            lists = [each for each in self.lists if task in each.ids]
            own, *tied = _fullest(task, lists, answered.get(task, ())) if self.by_overlap else lists[:1]
            others = {str(each): frozenset(each.ids[task]) for each in lists if each is not own}
            ids[task] = TaskIds(task, own, others, tied)
        return ids


def _fullest(task: str, lists: Sequence[IdList], answered: Collection[str]) -> list[IdList]:
    """The lists that have most of these ids, a pid counting as its id, or only the first if none has any.

    Lists of a named split come first. One that has references is preferred to those without.
    """

    def overlap(id_list: IdList) -> tuple[int, bool]:
        ids = id_list.ids[task]
        is_labelled = isinstance(ids, Mapping) and not all(
            is_blank(each.texts if isinstance(each, Reference) else each) for each in ids.values()
        )
        return sum(id_ in ids or base_of_pid(id_) in ids for id_ in answered), is_labelled

    lists = sorted(lists, key=lambda id_list: id_list.split is None)
    overlaps = [overlap(id_list) for id_list in lists]
    most = max(overlaps)
    fullest = [id_list for id_list, number in zip(lists, overlaps, strict=True) if number == most]
    return fullest if most[0] else fullest[:1]


class TaskIds:
    """The ids of one task in the order of the data; `others` has those in each other list, by its name.

    The lists that are `tied` with that one have as many of the predictions' ids.
    """

    def __init__(
        self, task: str, source: IdList, others: Mapping[str, frozenset[str]], tied: Sequence[IdList] = ()
    ) -> None:
        self.source, self.others, self.tied, ids = source, others, tied, source.ids[task]
        self.ids = tuple(ids)
        known = ids.items() if isinstance(ids, Mapping) else ()
        #: What is known of the example of each id; empty where the ids alone are known.
        self.examples = {id_: each if isinstance(each, Reference) else Reference([*each]) for id_, each in known}
        self._set = frozenset(self.ids)

    def __contains__(self, id_: object) -> bool:
        return id_ in self._set

    @cached_property
    def identities(self) -> Mapping[str, Identity]:
        """What identifies the question of each id whose references are known."""
        found = ((id_, identity_of(each.texts, each.facts)) for id_, each in self.examples.items())
        return {id_: identity for id_, identity in found if identity}

    def question(self, id_: str) -> str:
        """The id of the question that an id stands for; most are their own."""
        return (self.examples[id_].question if id_ in self.examples else None) or id_

    @cached_property
    def are_of_rows(self) -> bool:
        """Whether the ids are made of what rows without ids hold."""
        return any(each.is_of_row for each in self.examples.values())

    @cached_property
    def by_spelling(self) -> Mapping[str, str | None]:
        """The ids by their `plain` spelling; `None` where several share it."""
        return _unique((plain(id_), id_) for id_ in self.ids)

    @cached_property
    def _by_number(self) -> Mapping[tuple[str, int, str] | None, str | None]:
        return _unique((_numbered(plain(id_)), id_) for id_ in self.ids)

    def by_number(self, id_: str) -> str | None:
        """The id that differs only in its spelling and in the zeros in front of its last number, if it is one."""
        name = _numbered(plain(id_))
        return name and self._by_number.get(name)
