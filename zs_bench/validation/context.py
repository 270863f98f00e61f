"""What all rows of the files, and the known ids, tell about one row."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from zs_bench.files.entries import Entry
from zs_bench.files.json_text import written
from zs_bench.problems import counted
from zs_bench.validation.known_ids import KnownIds, TaskIds, base_of_pid, find_change, find_shift
from zs_metric.texts import clean_text

# The file of a row, and its task's name as written.
_Name = tuple[str | None, str | None]


class Context:
    """What a rule can use besides its row: all other rows, and the known ids."""

    def __init__(self, rows: Sequence[Entry], known_ids: KnownIds, ids: Mapping[str, TaskIds]) -> None:
        self._rows, self.known_ids, self.ids = rows, known_ids, ids
        self.benchmark = known_ids.benchmark
        self.tasks = frozenset(known_ids.benchmark.all_tasks)

    @cached_property
    def last(self) -> Mapping[tuple[Any, str], Entry]:
        """The last usable row for each task and id."""
        return {(row.task, row.id): row for row in self._rows if row.usable}

    @cached_property
    def repeated(self) -> Collection[int]:
        """The numbers of the usable rows that are followed by another one for the same id."""
        if len(self.last) == len(self._rows):
            return ()
        return {row.number for row in self._rows if row.usable and self.last[row.task, row.id] is not row}

    def group(self, row: Entry) -> "Group":
        """All rows of the row's file with the same name of a task."""
        return self._groups[row.name]

    @cached_property
    def _groups(self) -> "Mapping[_Name, Group]":
        rows: dict[_Name, list[Entry]] = {}
        for row in self._rows:
            rows.setdefault(row.name, []).append(row)
        return {name: Group(of_name, self) for name, of_name in rows.items()}

    @cached_property
    def shifts(self) -> Mapping[str, tuple[int, Mapping[str, str]]]:
        """The shift (`find_shift`) of the ids of each task that has one; hard questions have that of all questions."""
        ids: dict[str, dict[str, None]] = {}
        for row in self._rows:
            if row.usable and row.task in self.ids:
                ids.setdefault(row.task, {})[row.id] = None
        found = {task: find_shift(names, self.ids[task].ids) for task, names in ids.items()}
        shifts = {task: shift for task, shift in found.items() if shift}
        for task in ids:
            whole = self.benchmark.all_tasks[task].part_of
            if whole in shifts:
                shifts[task] = (shifts[whole][0], {})
        return shifts

    @cached_property
    def known_firsts(self) -> Collection[str | None]:
        """The files whose first line has a known id."""
        firsts = (row for row in self._rows if row.place.row == 1 and isinstance(row.id, str))
        return {row.place.file for row in firsts if self.tasks_of(row.id)}

    @cached_property
    def named(self) -> Collection[Any]:
        """The tasks that the rows and files name."""
        return {row.task for row in self._rows if isinstance(row.task, str)}

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

    def __init__(self, rows: Sequence[Entry], context: Context) -> None:
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
    def others_by_ids(self) -> Mapping[str, str]:
        """The task that each id tells, where most of those that are known are not of the task that the file names.

        Without known ids of the named task, equal ids, such as plain numbers, tell nothing of a task that another name
        says.
        """
        context, task = self._context, self._rows[0].task
        ids = dict.fromkeys(written(row.id) or "" for row in self._rows)
        told = [tasks for id_ in ids if (tasks := context.tasks_of(id_))]
        are_own = 2 * sum(task in tasks for tasks in told) >= len(told)
        if are_own or task not in context.benchmark.tasks:
            return {}
        is_known = any(task in id_list.ids for id_list in context.known_ids.lists)
        return {id_: other for id_, other in self.tasks_by_ids.items() if is_known or other not in context.named}

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

    @property
    def size(self) -> str:
        """The number of its rows and of the task's references, in words."""
        references = counted(len(self._known_ids.ids) if self._known_ids else 0, "known ID")
        return f"{counted(len(self._rows), 'row')} for {references}"

    @cached_property
    def none_is_known(self) -> bool:
        """Whether several rows have ids, and none of them is known."""
        ids = {written(row.id) for row in self._rows} - {None}
        return self._known_ids is not None and len(ids) > 1 and ids.isdisjoint(self._known_ids.ids)

    @cached_property
    def ids_by_row(self) -> Mapping[int, str]:
        """The known id of each row, by its number, if rows without ids, or numbered in order, are as many as these."""
        known_ids, names = self._known_ids, [written(row.id) for row in self._rows]
        if known_ids is None or len(names) != len(known_ids.ids):
            return {}
        is_numbered = any(names == [str(n + start) for n in range(len(names))] for start in (0, 1))
        carry_references = any(row.references is not None for row in self._rows)
        if not known_ids.ids or carry_references or not (set(names) == {None} or (is_numbered and self.none_is_known)):
            return {}
        return {row.number: id_ for row, id_ in zip(self._rows, known_ids.ids, strict=True)}

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
