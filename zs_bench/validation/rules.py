"""What a rule is: it finds one kind of fault in a row and says how the row would be right, where that can be known.

The rules themselves are in `task_rules`, `id_rules` and `text_rules`, listed in `zs_bench.validation.checks.RULES`. A
repair is *safe* when it cannot change the score of anything that is right: the row could not be scored as it is. The
other repairs are made only when their kind is accepted by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from zs_bench.files import limits
from zs_bench.files.entries import Salvaged
from zs_bench.files.json_text import written
from zs_bench.problems import Place, short
from zs_bench.validation.known_ids import KnownIds, TaskIds
from zs_bench.validation.spelling import base_of_pid
from zs_metric.tasks import Benchmark

#: For how many unknown ids of a task similar ones are looked up.
LOOKED_UP = 200


class Row(NamedTuple):
    """One row of a file on its way from what was read to a prediction.

    Attributes:
        number: its position among all that was read.
        task, id, value: as read, or repaired; texts in the end.
        place: file and row.
        salvaged: what the reader found wrong with the row.
        stuck: whether its task or id cannot be known, so that nothing more can be checked.
        refused: whether it cannot be scored as it was read.
        extra: whether it is a second time there, for `quality_hard`, which is no part of a submission.
    """

    number: int
    task: Any
    id: Any
    value: Any
    place: Place
    salvaged: Salvaged | None = None
    stuck: bool = False
    refused: bool = False
    extra: bool = False

    @property
    def flaw(self) -> str:
        """The kind of what the reader found wrong; empty for nothing."""
        return self.salvaged.flaw if self.salvaged else ""

    @property
    def usable(self) -> bool:
        """Whether it has a task, an id and a text of bearable length."""
        texts = isinstance(self.value, str) and isinstance(self.id, str) and isinstance(self.task, str)
        return texts and not self.flaw and len(self.value) <= limits.MAX_TEXT

    @property
    def name(self) -> tuple[str | None, str | None]:
        """The file, and the task's name as written there."""
        return self.place.file, written(self.task)


class Hit(NamedTuple):
    """What a rule found.

    Attributes:
        what: the repair in words; empty for none.
        row: the row as it is right; `None` to drop it.
        detail: what was found, or what was probably meant.
        message: instead of the rule's own.
        benchmark: the name of another benchmark that the row is for.
    """

    what: str = ""
    row: Row | None = None
    detail: str | None = None
    message: str = ""
    benchmark: str | None = None


class Rule(NamedTuple):
    """One kind of fault, and its repair.

    Attributes:
        kind: its name for programs and for `--accept`.
        message: what is wrong, for people, the same for all that are alike.
        find: what is wrong with this row, `None` for nothing.
        repair: what is done about it, in general; empty where nothing can be.
        safe: whether the repair cannot change the score of anything that is right.
        refuses: whether it must be repaired; otherwise it is a warning.
        family: the wider kind, see `zs_bench.problems.Problem`.
    """

    kind: str
    message: str
    find: Callable[[Row, Context], Hit | None]
    repair: str = ""
    safe: bool = False
    refuses: bool = True
    family: str | None = None


class Context:
    """What a rule may look at besides its row: all other rows, and the known ids.

    Attributes:
        ids: the ids by task, of the tasks that can be checked.
    """

    def __init__(self, rows: Sequence[Row], known: KnownIds, ids: Mapping[str, TaskIds]) -> None:
        self._rows, self._known, self.ids = rows, known, ids
        self._owners: dict[tuple[str | None, str | None], str | None] = {}
        self._nearest: dict[tuple[str, str], list[tuple[str, float]]] = {}
        self._looked_up: Counter[str] = Counter()

    def of_rows(self, rows: Sequence[Row]) -> Context:
        """The same with other rows."""
        return Context(rows, self._known, self.ids)

    @property
    def benchmark(self) -> Benchmark:
        """Whose tasks the predictions are for."""
        return self._known.benchmark

    @cached_property
    def tasks(self) -> Collection[str]:
        """The names of the benchmark's tasks."""
        return self.benchmark.all_tasks.keys()

    @cached_property
    def groups(self) -> Mapping[tuple[str | None, str | None], list[str]]:
        """The ids of the rows, by file and task name."""
        groups: dict[tuple[str | None, str | None], list[str]] = {}
        for row in self._rows:
            groups.setdefault(row.name, []).append(written(row.id) or "")
        return groups

    @cached_property
    def answered(self) -> set[tuple[Any, str]]:
        """Task and id of all rows."""
        return {(row.task, row.id) for row in self._rows if isinstance(row.task, str) and isinstance(row.id, str)}

    @cached_property
    def last(self) -> Mapping[tuple[Any, str], Row]:
        """The last prediction for each task and id."""
        return {(row.task, row.id): row for row in self._rows if row.usable}

    @cached_property
    def positions(self) -> Mapping[int, int]:
        """The position of each row, by its number, among those of its file and task."""
        seen: Counter[tuple[str | None, str | None]] = Counter()
        found = {}
        for row in self._rows:
            found[row.number] = seen[row.name]
            seen[row.name] += 1
        return found

    def free(self, task: str, key: str) -> bool:
        """Whether the task has that id and no row answers it."""
        return key in self.ids[task] and (task, key) not in self.answered

    def owner(self, row: Row) -> str | None:
        """The task that has most of the ids under the row's task name in its file."""
        if row.name not in self._owners:
            counts = Counter(task for key in self.groups[row.name] for task in self._tasks_of(key))
            task, count = next(iter(counts.most_common(1)), (None, 0))
            self._owners[row.name] = task if 2 * count > len(self.groups[row.name]) else None
        return self._owners[row.name]

    def nearest(self, row: Row) -> list[tuple[str, float]]:
        """The task's ids most similar to the row's, each with its similarity; looked up for the first unknown ids."""
        found = self._nearest.get((row.task, row.id))
        if found is None and self._looked_up.get(row.task, 0) < LOOKED_UP:
            self._looked_up[row.task] += 1
            found = self._nearest[row.task, row.id] = self.ids[row.task].nearest(row.id)
        return found or []

    def _tasks_of(self, key: str) -> set[str]:
        return self._tasks_by_id.get(key) or self._tasks_by_id.get(base_of_pid(key) or "") or set()

    @cached_property
    def _tasks_by_id(self) -> Mapping[str, set[str]]:
        return self._known.owners()


def as_task(row: Row, task: str, detail: str) -> Hit:
    """The row counts for that task."""
    return Hit(f"read as {task}", row._replace(task=task), detail)


def as_id(row: Row, key: str) -> Hit:
    """The row's id is that one."""
    return Hit(f"read as {key!r}", row._replace(id=key, salvaged=None), f"did you mean {short(key)}?")


def dropped(detail: str | None = None) -> Hit:
    """The row does not belong here."""
    return Hit("row dropped", None, detail)
