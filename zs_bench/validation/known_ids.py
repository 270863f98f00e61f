"""The ids that predictions are checked against: lists of one split each, and lists that say where others are from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from zs_bench.problems import Problem
from zs_bench.validation.spelling import base_of_pid, nearest, plain, round_off, rounded
from zs_metric.tasks import ZERO_SCROLLS, Benchmark

#: The form of an exported list of ids: `{schema, benchmark, source, revision, split, ids: {task: [id, …]}}`.
IDS_SCHEMA = "zero-scrolls-ids/1"
#: What inspection of data finds that makes the ids of a split those of another, or none.
UNFIT = frozenset({"test-is-validation", "no-rows"})


@dataclass(frozen=True, slots=True)
class IdList:
    """The ids of one split of a source.

    Attributes:
        source: where they are from, in words.
        split: its name, `None` where it is not known.
        ids: by task, in the order of the data.
    """

    source: str
    split: str | None
    ids: Mapping[str, Sequence[str]]

    def __str__(self) -> str:
        return self.source if self.split is None else f"{self.split} split of {self.source}"


@dataclass(frozen=True, slots=True)
class KnownIds:
    """All lists at hand.

    Attributes:
        lists: predictions are checked against the first; the others only say where an unknown id comes from.
        by_overlap: check each task against the list that has most of its ids instead: for files of several splits.
        problems: what is wrong with the lists themselves.
        benchmark: whose tasks the predictions are for.
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

    def only(self, tasks: Iterable[str]) -> KnownIds:
        """The same without the other tasks, so that these are not missing."""
        wanted = set(tasks)
        lists = [replace(one, ids={task: ids for task, ids in one.ids.items() if task in wanted}) for one in self.lists]
        return replace(self, lists=lists, problems=[one for one in self.problems if one.task in {None, *wanted}])

    def of_tasks(self, answered: Mapping[str, Collection[str]]) -> dict[str, TaskIds]:
        """The ids of each task, with what the other lists have of it. `answered`: the ids in the files by task."""
        found = {}
        for task in self.tasks:
            lists = [one for one in self.lists if task in one.ids]
            own = _fullest(task, lists, answered.get(task, ())) if self.by_overlap else lists[0]
            others = {str(one): frozenset(one.ids[task]) for one in lists if one is not own}
            found[task] = TaskIds(own.ids[task], own, others)
        return found

    def owners(self) -> dict[str, set[str]]:
        """By id the tasks that have it."""
        owners: dict[str, set[str]] = {}
        for one in self.lists:
            for task, ids in one.ids.items():
                for key in ids:
                    owners.setdefault(key, set()).add(task)
        return owners


def _fullest(task: str, lists: Sequence[IdList], answered: Collection[str]) -> IdList:
    """The list that has most of these ids, a pid counting as its id; of equal ones one of a named split."""

    def held(one: IdList) -> tuple[int, bool]:
        ids = set(one.ids[task])
        return sum(key in ids or base_of_pid(key) in ids for key in answered), one.split is not None

    return max(lists, key=held)


class TaskIds:
    """The ids of one task, and ways to find the one that was meant.

    Attributes:
        ids: in the order of the data.
        source: the list they are of.
        others: for each other list of the task, its name and ids.
    """

    def __init__(self, ids: Sequence[str], source: IdList, others: Mapping[str, Collection[str]]) -> None:
        self.ids, self.source, self.others = tuple(ids), source, others
        self._set = frozenset(ids)
        self._rounded: dict[int, dict[tuple[Decimal, int, int], list[str]]] = {}

    def __contains__(self, key: object) -> bool:
        return key in self._set

    def __len__(self) -> int:
        return len(self.ids)

    def spelt(self, key: str) -> str | None:
        """The one id that this is but for blanks around it, quotes, or capitals."""
        return self._plain.get(plain(key))

    def numbered(self, digits: str) -> str | None:
        """The one id that is this whole number, whatever zeros stand before it."""
        return self._numbers.get(digits.lstrip("0"))

    def rounded(self, key: str) -> list[str]:
        """The ids that are whole numbers and may be shown as this number in exponent notation."""
        form = rounded(key)
        if form is None:
            return []
        places = form[1]
        if places not in self._rounded:
            forms = self._rounded[places] = {}
            for number in filter(None, self._numbers.values()):
                forms.setdefault(round_off(number, places), []).append(number)
        return self._rounded[places].get(form, [])

    def nearest(self, key: str) -> list[tuple[str, float]]:
        """The most similar ids, each with its similarity from 0 to 1."""
        return nearest(key, self.ids)

    @cached_property
    def _plain(self) -> dict[str, str | None]:
        return _unique((plain(key), key) for key in self.ids)

    @cached_property
    def _numbers(self) -> dict[str, str | None]:
        return _unique((key.lstrip("0"), key) for key in self.ids if key.isascii() and key.isdecimal())


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str | None]:
    """A mapping that knows nothing of what means several."""
    found: dict[str, str | None] = {}
    for name, key in pairs:
        found[name] = None if found.get(name, key) != key else key
    return found
