"""The rows that are checked, and what all rows tell about one of them."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from zs_bench.files import limits
from zs_bench.files.entries import Entry, name_task
from zs_bench.files.json_text import written
from zs_bench.problems import Place, Problem
from zs_bench.validation.known_ids import KnownIds, TaskIds, base_of_pid, find_change
from zs_metric.tasks import Benchmark
from zs_metric.texts import clean_text

# The file of a row, and its task's name as written.
_Name = tuple[str | None, str | None]


class Row(NamedTuple):
    """An entry while it is checked, with its position among all rows; any JSON values until the checks have passed.

    One that is `unresolvable` has no known task or id, so that it is not checked further. One that is `refused` cannot
    be scored as it was read. A hard copy, for `quality_hard`, is not part of a submission.
    """

    number: int
    task: Any
    id: Any
    value: Any
    place: Place
    fault: Problem | None = None
    references: Any = None
    unresolvable: bool = False
    refused: bool = False
    is_hard_copy: bool = False

    @classmethod
    def of_entry(cls, number: int, entry: Entry, task: Any) -> "Row":
        """The row of an entry, whose task may be called otherwise, with the lone surrogates in its texts replaced."""
        return cls(number, task, _clean(entry.id), _clean(entry.value), entry.place, entry.fault, entry.references)

    @property
    def usable(self) -> bool:
        """Whether it has a task, an id and a text within the length limit."""
        texts = isinstance(self.value, str) and isinstance(self.id, str) and isinstance(self.task, str)
        return texts and self.fault is None and len(self.value) <= limits.MAX_TEXT

    @property
    def name(self) -> _Name:
        """The file, and the task's name as written in it."""
        return self.place.file, written(self.task)

    @property
    def task_is_from_file(self) -> bool:
        """Whether the task is only the name of the file."""
        return isinstance(self.task, str) and self.task == name_task(PurePosixPath(self.place.file or ""))


def _clean(value: Any) -> Any:
    return clean_text(value, "row") if isinstance(value, str) and not value.isascii() else value


def bare_task(task: Any, benchmark: Benchmark) -> Any:
    """The task's name without the benchmark's, as lm-evaluation-harness writes it: `scrolls_qasper` in SCROLLS."""
    bare = task.removeprefix(f"{benchmark.name}_") if isinstance(task, str) else task
    return bare if isinstance(task, str) and bare in benchmark.all_tasks else task


class Context:
    """What a rule can use besides its row: all other rows, and the known ids."""

    def __init__(self, rows: Sequence[Row], known_ids: KnownIds, ids: Mapping[str, TaskIds]) -> None:
        self._rows, self.known_ids, self.ids = rows, known_ids, ids
        self.benchmark = known_ids.benchmark
        self.tasks = frozenset(known_ids.benchmark.all_tasks)

    @cached_property
    def last(self) -> Mapping[tuple[Any, str], Row]:
        """The last usable row for each task and id."""
        return {(row.task, row.id): row for row in self._rows if row.usable}

    @cached_property
    def repeated(self) -> Collection[int]:
        """The numbers of the usable rows that are followed by another one for the same id."""
        if len(self.last) == len(self._rows):
            return ()
        return {row.number for row in self._rows if row.usable and self.last[row.task, row.id] is not row}

    def group(self, row: Row) -> "Group":
        """All rows of the row's file with the same name of a task."""
        return self._groups[row.name]

    @cached_property
    def _groups(self) -> "Mapping[_Name, Group]":
        rows: dict[_Name, list[Row]] = {}
        for row in self._rows:
            rows.setdefault(row.name, []).append(row)
        return {name: Group(of_name, self) for name, of_name in rows.items()}

    def tasks_of(self, id_: str) -> set[str]:
        """The tasks that have an example of this id or `pid`."""
        return self._tasks_by_id.get(id_) or self._tasks_by_id.get(base_of_pid(id_) or "") or set()

    @cached_property
    def _tasks_by_id(self) -> Mapping[str, set[str]]:
        tasks: dict[str, set[str]] = {}
        for id_list in self.known_ids.lists:
            for task in id_list.ids.keys() & self.benchmark.tasks.keys():  # hard questions are also of their whole task
                for id_ in id_list.ids[task]:
                    tasks.setdefault(id_, set()).add(task)
        return tasks


class Group:
    """The rows of a file with the same name of a task, and what they tell together."""

    def __init__(self, rows: Sequence[Row], context: Context) -> None:
        self._rows, self._context = rows, context
        self._known_ids = context.ids.get(rows[0].task) if isinstance(rows[0].task, str) else None

    @cached_property
    def tasks_by_ids(self) -> Mapping[str, str]:
        """The task that each id tells; empty if most of them tell none.

        If the ids belong to one task, the unknown ones are taken for this task's too.
        """
        tasks = {id_: self._context.tasks_of(id_) for id_ in {written(row.id) or "" for row in self._rows}}
        certain = {id_: min(names) for id_, names in tasks.items() if len(names) == 1}
        if 2 * len(certain) <= len(tasks):
            shared = set.intersection(*tasks.values())
            return dict.fromkeys(tasks, min(shared)) if len(shared) == 1 else {}
        return dict.fromkeys(tasks, min(certain.values())) if len(set(certain.values())) == 1 else certain

    @cached_property
    def change(self) -> tuple[str, Mapping[str, str]] | None:
        """The one way in which all ids differ from the known ones, and the known id by each."""
        known_ids, ids = self._known_ids, dict.fromkeys(row.id for row in self._rows if isinstance(row.id, str)).keys()
        if known_ids is None or not all(map(ids.isdisjoint, (known_ids.ids, *known_ids.others.values()))):
            return None
        return find_change(ids, known_ids.ids)

    @cached_property
    def is_by_reference(self) -> bool:
        """Whether there is a row for each reference, as in the data, where examples have several."""
        known_ids, rows = self._known_ids, len(self._rows)
        return known_ids is not None and len(known_ids.ids) < rows == sum(map(len, known_ids.references or ()))

    @cached_property
    def ids_in_order(self) -> Mapping[int, str]:
        """The known id of each row, by its number, if the rows carry the references of the known ids in their order."""
        if self._known_ids is None or [_texts(row.references) for row in self._rows] != self._known_ids.references:
            return {}
        return {row.number: id_ for row, id_ in zip(self._rows, self._known_ids.ids, strict=True)}


def _texts(references: Any) -> list[str] | None:
    """The references that a row carries, as texts."""
    if references is None:
        return None
    texts = references if type(references) is list else [references]
    return [clean_text(text, "reference") for text in texts if isinstance(text, str)]
