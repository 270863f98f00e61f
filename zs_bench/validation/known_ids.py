"""The ids that predictions are checked against, and lists that identify ids of other splits."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from zs_bench.problems import Problem
from zs_bench.validation.spelling import base_of_pid, nearest, plain, round_off, rounded
from zs_metric.tasks import ZERO_SCROLLS, Benchmark

#: The schema of an exported list of ids: `{schema, benchmark, source, revision, split, ids: {task: [id, …]}}`.
IDS_SCHEMA = "zero-scrolls-ids/1"
#: Findings that make the ids of a split unusable.
UNFIT = frozenset({"test-is-validation", "no-rows"})


@dataclass(frozen=True, slots=True)
class IdList:
    """The ids of one split of a source.

    Attributes:
        source: a description of the source.
        split: its name; `None` if unknown.
        ids: by task, in the order of the data.
    """

    source: str
    split: str | None
    ids: Mapping[str, Sequence[str]]

    def __str__(self) -> str:
        return self.source if self.split is None else f"{self.split} split of {self.source}"


@dataclass(frozen=True, slots=True)
class KnownIds:
    """All available lists.

    Attributes:
        lists: predictions are checked against the first; the others only identify ids of other splits.
        by_overlap: check each task against the list that has most of its ids instead, for files of several splits.
        problems: problems of the lists.
        benchmark: the benchmark of the predictions.
    """

    lists: Sequence[IdList] = ()
    by_overlap: bool = False
    problems: Sequence[Problem] = ()
    benchmark: Benchmark = ZERO_SCROLLS

    @property
    def tasks(self) -> list[str]:
        """The tasks that can be checked, in the order of the lists."""
        lists = self.lists if self.by_overlap else self.lists[:1]
        return list(dict.fromkeys(task for one in lists for task in one.ids))

    def only(self, tasks: Iterable[str]) -> "KnownIds":
        """The ids of these tasks only, so that no others are missing."""
        wanted = set(tasks)
        lists = [replace(one, ids={task: ids for task, ids in one.ids.items() if task in wanted}) for one in self.lists]
        return replace(self, lists=lists, problems=[one for one in self.problems if one.task in {None, *wanted}])

    def of_tasks(self, answered: Mapping[str, Collection[str]]) -> "dict[str, TaskIds]":
        """The ids of each task, with those of the other lists; `answered`: the predicted ids by task."""
        found = {}
        for task in self.tasks:
            lists = [one for one in self.lists if task in one.ids]
            own = _fullest(task, lists, answered.get(task, ())) if self.by_overlap else lists[0]
            others = {str(one): frozenset(one.ids[task]) for one in lists if one is not own}
            found[task] = TaskIds(own.ids[task], own, others)
        return found

    def owners(self) -> dict[str, set[str]]:
        """The tasks of each id."""
        owners: dict[str, set[str]] = {}
        for one in self.lists:
            for task, ids in one.ids.items():
                for id_ in ids:
                    owners.setdefault(id_, set()).add(task)
        return owners


def _fullest(task: str, lists: Sequence[IdList], answered: Collection[str]) -> IdList:
    """The list that has most of these ids, a pid counting as its id; a list of a named split is preferred."""

    def held(one: IdList) -> tuple[int, bool]:
        ids = set(one.ids[task])
        return sum(id_ in ids or base_of_pid(id_) in ids for id_ in answered), one.split is not None

    return max(lists, key=held)


class TaskIds:
    """The ids of one task, with searches for the id that was meant.

    Attributes:
        ids: in the order of the data.
        source: their list.
        others: the ids of the task in each other list, by its name.
    """

    def __init__(self, ids: Sequence[str], source: IdList, others: Mapping[str, Collection[str]]) -> None:
        self.ids, self.source, self.others = tuple(ids), source, others
        self._set = frozenset(ids)
        self._rounded: dict[int, dict[tuple[Decimal, int, int], list[str]]] = {}

    def __contains__(self, id_: object) -> bool:
        return id_ in self._set

    def __len__(self) -> int:
        return len(self.ids)

    def spelt(self, id_: str) -> str | None:
        """The only id that differs in surrounding spaces, quotes or case alone."""
        return self._plain.get(plain(id_))

    def numbered(self, digits: str) -> str | None:
        """The only id that is this whole number, with any leading zeros."""
        return self._numbers.get(digits.lstrip("0"))

    def rounded(self, id_: str) -> list[str]:
        """The whole-number ids that are shown as this number in exponent notation."""
        form = rounded(id_)
        if form is None:
            return []
        places = form[1]
        if places not in self._rounded:
            forms = self._rounded[places] = {}
            for number in filter(None, self._numbers.values()):
                forms.setdefault(round_off(number, places), []).append(number)
        return self._rounded[places].get(form, [])

    def nearest(self, id_: str) -> list[tuple[str, float]]:
        """The most similar ids, each with its similarity from 0 to 1."""
        return nearest(id_, self.ids)

    @cached_property
    def _plain(self) -> dict[str, str | None]:
        return _unique((plain(id_), id_) for id_ in self.ids)

    @cached_property
    def _numbers(self) -> dict[str, str | None]:
        return _unique((id_.lstrip("0"), id_) for id_ in self.ids if id_.isascii() and id_.isdecimal())


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str | None]:
    """A mapping with `None` for names of several ids."""
    found: dict[str, str | None] = {}
    for name, id_ in pairs:
        found[name] = None if found.get(name, id_) != id_ else id_
    return found
