"""The types of a validation rule: a rule finds one kind of fault in a row and, where possible, gives the repaired row.

The rules are in `task_rules` and `prediction_rules`, and listed in `zs_bench.validation.checks.RULES`. A repair
is *safe* if it cannot change the score of a valid prediction: without it the row could not be scored. Other repairs are
made only if the user accepts their kind by name.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from zs_bench.files import limits
from zs_bench.files.entries import Entry, Salvaged
from zs_bench.files.json_text import written
from zs_bench.problems import Place
from zs_bench.validation.known_ids import IdChange, KnownIds, TaskIds, base_of_pid, find_change
from zs_metric.texts import clean_text

#: What programs write for a missing value, in lowercase.
NOTHING = frozenset({"nan", "none", "null", "<na>", "n/a", "nat", "undefined"})


class Row(NamedTuple):
    """A row of a file while it is checked.

    Attributes:
        number: its position among all rows read.
        task, id, value: as read or as repaired; any JSON value until the checks have passed.
        salvaged: the fault that the reader found, if any.
        unresolvable: whether its task or id is unknown, so that it cannot be checked further.
        refused: whether it cannot be scored as it was read.
        is_hard_copy: whether it is the copy for `quality_hard`, which is not part of a submission.
    """

    number: int
    task: Any
    id: Any
    value: Any
    place: Place
    salvaged: Salvaged | None = None
    unresolvable: bool = False
    refused: bool = False
    is_hard_copy: bool = False

    @property
    def reader_fault(self) -> str:
        """The kind of fault that the reader found, or ""."""
        return self.salvaged.fault if self.salvaged else ""

    @property
    def usable(self) -> bool:
        """Whether it has a task, an id and a text within the length limit."""
        texts = isinstance(self.value, str) and isinstance(self.id, str) and isinstance(self.task, str)
        return texts and not self.reader_fault and len(self.value) <= limits.MAX_TEXT

    @property
    def name(self) -> tuple[str | None, str | None]:
        """The file, and the task's name as written in it."""
        return self.place.file, written(self.task)


class Finding(NamedTuple):
    """A fault found by a rule.

    Attributes:
        repair_text: the repair in words; empty if there is none.
        row: the repaired row; `None` to drop it.
        detail: what was found, or what was probably meant.
        message: replaces the rule's message.
        benchmark: the name of the other benchmark that the row belongs to.
    """

    repair_text: str = ""
    row: Row | None = None
    detail: str | None = None
    message: str = ""
    benchmark: str | None = None


#: The repair that drops the row.
DROPPED = Finding("row dropped")


class Rule(NamedTuple):
    """One kind of fault, and its repair.

    Attributes:
        kind: its name, for programs and for `--accept`.
        message: what is wrong, the same for all faults of this kind.
        find: finds the fault in a row, `None` if it has none.
        repair: how the fault is repaired; empty if it cannot be.
        safe: whether the repair cannot change the score of a valid prediction.
        is_error: whether the fault is an error; otherwise it is a warning.
        family: the broader kind, see `zs_bench.problems.Problem`.
        once: whether it is reported once for all rows of a file and task.
    """

    kind: str
    message: str
    find: "Callable[[Row, Context], Finding | None]"
    repair: str = ""
    safe: bool = False
    is_error: bool = True
    family: str | None = None
    once: bool = False


class Context:
    """What a rule can use besides its row: all other rows, and the known ids."""

    def __init__(self, rows: Sequence[Row], known: KnownIds, ids: Mapping[str, TaskIds]) -> None:
        self._rows, self.known, self.ids = rows, known, ids
        self.benchmark = known.benchmark
        self._tasks_by_ids: dict[tuple[str | None, str | None], Mapping[str, str]] = {}
        self._changes: dict[tuple[str | None, str | None], IdChange | None] = {}
        self._in_order: dict[tuple[str | None, str | None], bool] = {}

    @cached_property
    def tasks(self) -> Collection[str]:
        """The names of the benchmark's tasks."""
        return self.benchmark.all_tasks.keys()

    @cached_property
    def groups(self) -> Mapping[tuple[str | None, str | None], list[Row]]:
        """The rows by file and task name."""
        groups: dict[tuple[str | None, str | None], list[Row]] = {}
        for row in self._rows:
            groups.setdefault(row.name, []).append(row)
        return groups

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

    @cached_property
    def positions(self) -> Mapping[int, int]:
        """The position of each row, by its number, among those of its file and task."""
        return {row.number: position for rows in self.groups.values() for position, row in enumerate(rows)}

    def tasks_by_ids(self, row: Row) -> Mapping[str, str]:
        """Return the task that each id under the row's task name in its file tells; empty if most of them tell none.

        If the IDs of a file belong to one task, its unknown IDs are taken for this task's too.
        """
        if row.name not in self._tasks_by_ids:
            tasks = {id_: self.tasks_of(id_) for id_ in {written(each.id) or "" for each in self.groups[row.name]}}
            shared = set.intersection(*tasks.values())
            told = {id_: min(names) for id_, names in tasks.items() if len(names) == 1}
            if 2 * len(told) > len(tasks) and len(set(told.values())) == 1:
                shared = set(told.values())
            if len(shared) == 1:
                told = dict.fromkeys(tasks, min(shared))
            self._tasks_by_ids[row.name] = told if 2 * len(told) > len(tasks) else {}
        return self._tasks_by_ids[row.name]

    def change(self, row: Row) -> IdChange | None:
        """The one way in which all ids of the row's file and task differ from the known ones."""
        if row.name not in self._changes:
            task_ids, ids = self.ids[row.task], {each.id for each in self.groups[row.name] if isinstance(each.id, str)}
            foreign = any(id_ in task_ids or any(id_ in other for other in task_ids.others.values()) for id_ in ids)
            self._changes[row.name] = None if foreign else find_change(ids, task_ids.ids)
        return self._changes[row.name]

    def in_order(self, row: Row) -> bool:
        """Whether the rows of its file and task carry, instead of ids, the references of the known ids in order."""
        if row.name not in self._in_order:
            task_ids = self.ids.get(row.task)
            carried = [_texts(each.salvaged.entry if each.salvaged else None) for each in self.groups[row.name]]
            self._in_order[row.name] = task_ids is not None and carried == [
                list(texts) for texts in task_ids.references
            ]
        return self._in_order[row.name]

    def tasks_of(self, id_: str) -> set[str]:
        """Return the tasks that have an example of this id or `pid`."""
        return self._owners.get(id_) or self._owners.get(base_of_pid(id_) or "") or set()

    @cached_property
    def _owners(self) -> Mapping[str, set[str]]:
        owners: dict[str, set[str]] = {}
        for id_list in self.known.lists:
            for task in id_list.ids.keys() & self.benchmark.tasks.keys():  # hard questions are also of their whole task
                for id_ in id_list.ids[task]:
                    owners.setdefault(id_, set()).add(task)
        return owners


def _texts(entry: Entry | None) -> list[str] | None:
    """The references that a row carries, as texts."""
    if entry is None or entry.references is None:
        return None
    texts = entry.references if type(entry.references) is list else [entry.references]
    return [clean_text(text, "reference") for text in texts if isinstance(text, str)]
