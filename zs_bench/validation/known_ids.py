"""The ids that predictions are checked against, lists that identify ids of other splits, and misspelt ids."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

from zs_bench.problems import Problem, short
from zs_metric.tasks import ZERO_SCROLLS, Benchmark

#: The schema of an exported list of ids: `{schema, benchmark, source, revision, split, ids: {task: [id, …]}}`.
IDS_SCHEMA = "zero-scrolls-ids/1"
#: Findings that make the ids of a split unusable.
UNFIT = frozenset({"test-is-validation", "no-rows"})
_PID = re.compile(r"(.+)_[0-9]{1,3}", re.DOTALL)
_WHOLE = re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.0+)?")
# Suffixes that have rules of their own: that of a pid, and what a spreadsheet adds to a number.
_OWN_RULE = re.compile(r"_[0-9]{1,3}|\.0+")
_FRONT = "in front"
_SEPARATORS = re.compile("[-_ ./:]+")


def plain(id_: str) -> str:
    r"""An id in lowercase, without surrounding spaces, byte order marks and quotes.

    >>> plain("\ufeff 'CRS_R46013' ")
    'crs_r46013'
    """
    return unicodedata.normalize("NFKC", id_).strip("\ufeff'\"` \t\r\n").casefold()


def base_of_pid(id_: str) -> str | None:
    """The id of a `pid`, which is the id and a number for each reference; `None` for anything else.

    >>> base_of_pid("crs_R46013_0"), base_of_pid("va-sq-11")
    ('crs_R46013', None)
    """
    match = _PID.fullmatch(id_)
    return match[1] if match else None


def whole_number(id_: str) -> str | None:
    """The digits of a whole number as a spreadsheet writes it.

    >>> whole_number("3858.0"), whole_number("182,528"), whole_number("3858.5")
    ('3858', '182528', None)
    """
    match = _WHOLE.fullmatch(id_)
    return match[1].replace(",", "") if match else None


class IdChange(NamedTuple):
    """One way in which all ids of a file differ from the known ones.

    Attributes:
        what: the difference in words; `repair` says how it is undone.
        ids: the known id by the given one.
    """

    what: str
    repair: str
    ids: Mapping[str, str]


def find_change(ids: Collection[str], known: Collection[str]) -> IdChange | None:
    """Return the one change that makes every id a known one, and each a different one; `None` if there is none.

    >>> find_change(["qasper-7f", "qasper-8a"], ["7f", "8a", "9c"]).what
    "'qasper-' in front"
    >>> find_change(["A_1", "B_1"], ["a-1", "b-1", "c-1"]).what
    'other capitals or separators'
    """
    for normalized in (str, _normalized):
        by_name = _unique((normalized(id_), id_) for id_ in known)
        names = {id_: normalized(id_) for id_ in ids}
        for what, repair, change in _changes([*names.values()], by_name):
            meant = {id_: known_id for id_, name in names.items() if (known_id := by_name.get(change(name)))}
            if len(set(meant.values())) == len(ids):
                return IdChange(what, repair, meant)
    return None


def _changes(names: Sequence[str], known: Collection[str]) -> Iterator[tuple[str, str, Callable[[str], str]]]:
    """The changes that would make the first name a known one; of a name alone, only its capitals and separators."""
    if names and names[0] in known:
        yield "other capitals or separators", "write every ID as the known one", str
    pieces: dict[tuple[str, str, bool], None] = {}
    for id_ in known if len(names) > 1 else ():
        for longer, shorter, surplus in ((names[0], id_, True), (id_, names[0], False)):
            for piece, where in ((longer.removesuffix(shorter), _FRONT), (longer.removeprefix(shorter), "at the end")):
                own_rule = surplus and where != _FRONT and _OWN_RULE.fullmatch(piece)
                if 0 < len(piece) < len(longer) and not own_rule:
                    pieces[piece, where, surplus] = None
    for piece, where, surplus in pieces:
        shown = f"{short(piece)!r}"
        if surplus:
            yield f"{shown} {where}", f"remove {shown} {where} of every ID", partial(_without, piece, where)
        else:
            yield f"{shown} is missing {where}", f"put {shown} {where} of every ID", partial(_with, piece, where)


def _without(piece: str, where: str, name: str) -> str:
    """The name without the piece, or nothing if that is not in it, or cuts through a number."""
    rest = name.removeprefix(piece) if where == _FRONT else name.removesuffix(piece)
    edges = (piece[-1:], rest[:1]) if where == _FRONT else (rest[-1:], piece[:1])
    return "" if rest == name or all(map(str.isdigit, edges)) else rest


def _with(piece: str, where: str, name: str) -> str:
    whole = piece + name if where == _FRONT else name + piece
    return whole if _without(piece, where, whole) == name else ""


def _normalized(id_: str) -> str:
    return _SEPARATORS.sub("_", plain(id_))


@dataclass(frozen=True, slots=True)
class IdList:
    """The ids of one split of a source.

    Attributes:
        split: its name; `None` if unknown.
        ids: by task, in the order of the data; where they are known, each with its references.
    """

    source: str
    split: str | None
    ids: Mapping[str, Sequence[str] | Mapping[str, Sequence[str]]]

    @property
    def is_benchmark(self) -> bool:
        """Whether these are the benchmark's own examples, of the package or the Hub."""
        return self.source.startswith(("embedded examples", "Hub, "))

    def __str__(self) -> str:
        return self.source if self.split is None else f"{self.split} split of {self.source}"


@dataclass(frozen=True, slots=True)
class KnownIds:
    """All available lists: predictions are checked against the first, the others only identify ids of other splits.

    With `by_overlap`, each task is checked against the list that has most of its ids, for files of several splits.
    """

    lists: Sequence[IdList] = ()
    by_overlap: bool = False
    problems: Sequence[Problem] = ()
    benchmark: Benchmark = ZERO_SCROLLS

    @property
    def tasks(self) -> list[str]:
        """The tasks that can be checked, in the order of the lists."""
        lists = self.lists if self.by_overlap else self.lists[:1]
        return list(dict.fromkeys(task for id_list in lists for task in id_list.ids))

    def only(self, tasks: Iterable[str]) -> "KnownIds":
        """The ids of these tasks only, so that no others are missing."""
        wanted = set(tasks)
        lists = [
            replace(id_list, ids={task: ids for task, ids in id_list.ids.items() if task in wanted})
            for id_list in self.lists
        ]
        problems = [problem for problem in self.problems if problem.task in {None, *wanted}]
        return replace(self, lists=lists, problems=problems)

    def of_tasks(self, predicted: Iterable[tuple[str, str]]) -> "dict[str, TaskIds]":
        """Return the ids of each task, with those of the other lists, for these predictions: task and id."""
        answered: dict[str, set[str]] = {}
        for task, id_ in predicted if self.by_overlap and len(self.lists) > 1 else ():
            answered.setdefault(task, set()).add(id_)
        ids = {}
        for task in self.tasks:
            lists = [id_list for id_list in self.lists if task in id_list.ids]
            own = _fullest(task, lists, answered.get(task, ())) if self.by_overlap else lists[0]
            others = {str(id_list): frozenset(id_list.ids[task]) for id_list in lists if id_list is not own}
            ids[task] = TaskIds(task, own, others)
        return ids


def _fullest(task: str, lists: Sequence[IdList], answered: Collection[str]) -> IdList:
    """The list that has most of these ids, a pid counting as its id; a list of a named split is preferred."""

    def overlap(id_list: IdList) -> tuple[int, bool]:
        ids = set(id_list.ids[task])
        return sum(id_ in ids or base_of_pid(id_) in ids for id_ in answered), id_list.split is not None

    return max(lists, key=overlap)


class TaskIds:
    """The ids of one task, with indexes that find the id that was meant.

    Attributes:
        ids: in the order of the data.
        references: of each id, in the same order; empty where they are not known.
        others: the ids of the task in each other list, by its name.
    """

    def __init__(self, task: str, source: IdList, others: Mapping[str, Collection[str]]) -> None:
        ids = source.ids[task]
        self.ids, self.source, self.others = tuple(ids), source, others
        self.references = list(ids.values()) if isinstance(ids, Mapping) else []
        self._set = frozenset(self.ids)

    def __contains__(self, id_: object) -> bool:
        return id_ in self._set

    @cached_property
    def reference_count(self) -> int:
        """The number of all references; 0 where they are not known."""
        return sum(map(len, self.references))

    @cached_property
    def by_spelling(self) -> Mapping[str, str | None]:
        """The ids by their `plain` spelling; `None` where several share it."""
        return _unique((plain(id_), id_) for id_ in self.ids)

    @cached_property
    def by_number(self) -> Mapping[str, str | None]:
        """The ids that are whole numbers, by the number without leading zeros; `None` where several share it."""
        return _unique((id_.lstrip("0"), id_) for id_ in self.ids if id_.isascii() and id_.isdecimal())


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str | None]:
    """The pairs as a mapping, with `None` for a name of several ids."""
    ids: dict[str, str | None] = {}
    for name, id_ in pairs:
        ids[name] = None if ids.get(name, id_) != id_ else id_
    return ids
