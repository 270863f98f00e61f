"""What a rule is: it sees that something is wrong with a row, and how the row is right, where that can be known.

The rules are the functions of `task_rules`, `id_rules` and `text_rules`, walked by aspect in `RULES` of
`zs_bench.doctor.table`. A repair is *safe* when it cannot change a score of what is right: what it changes would not
be scored as it stands. The others are made only where their kind is accepted by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from zs_bench.doctor.known_ids import KnownIds, TaskIds
from zs_bench.doctor.spelling import base_of_pid
from zs_bench.files import limits
from zs_bench.files.json_text import written
from zs_bench.problems import Place
from zs_metric.tasks import Benchmark, find_benchmark

#: For how many unknown ids of a task the likely ones are looked up.
LOOKED_UP = 200


@dataclass(frozen=True, slots=True)
class Row:
    """One answer on its way from what stands in a file to what can be submitted.

    Attributes:
        number: its position among all that was read.
        task, id, value: as they stand, or repaired; texts in the end.
        place: file and row.
        flaw: what the reader saw is wrong with the row; empty for nothing.
        stuck: whether so much is wrong with it that nothing more can be said.
    """

    number: int
    task: Any
    id: Any
    value: Any
    place: Place
    flaw: str = ""
    stuck: bool = False

    @property
    def usable(self) -> bool:
        """Whether the row is an answer: nothing is wrong with the row as such, and the id and the answer are texts."""
        texts = isinstance(self.task, str) and isinstance(self.id, str) and isinstance(self.value, str)
        return texts and not self.flaw and len(self.value) <= limits.MAX_TEXT

    @property
    def name(self) -> tuple[str | None, str | None]:
        """The file, and the task's name as written there."""
        return self.place.file, written(self.task)


class Hit(NamedTuple):
    """What a rule found.

    Attributes:
        what: the repair in words; empty for none.
        row: the row as it is right; `None` to leave it out.
        detail: what stands there, or where it belongs.
    """

    what: str = ""
    row: Row | None = None
    detail: str | None = None


class Rule(NamedTuple):
    """One kind of thing that is wrong, and its repair.

    Attributes:
        kind: its name for programs and for `--accept`.
        message: what is wrong, for people, the same for all that are alike.
        find: what is wrong with this row, `None` for nothing.
        repair: what is done about it, in general; empty where nothing can be.
        safe: whether the repair cannot change a score of what is right.
        refuses: whether it must be repaired; otherwise it is a warning.
    """

    kind: str
    message: str
    find: Callable[[Row, Around], Hit | None]
    repair: str = ""
    safe: bool = False
    refuses: bool = True


class Around:
    """What a rule may look at besides its row: all other rows, and the ids that are known.

    Attributes:
        ids: by task the ids, of the tasks that can be checked.
    """

    def __init__(self, rows: Sequence[Row], known: KnownIds, ids: Mapping[str, TaskIds]) -> None:
        self._rows, self._known, self.ids = rows, known, ids
        self._owners: dict[tuple[str | None, str | None], str | None] = {}
        self._nearest: dict[tuple[str, str], list[str]] = {}
        self._looked_up: Counter[str] = Counter()

    @property
    def benchmark(self) -> Benchmark:
        """Whose tasks the answers are to."""
        return find_benchmark(self._known.benchmark)

    @cached_property
    def groups(self) -> Mapping[tuple[str | None, str | None], list[str]]:
        """By file and task name the ids of the rows."""
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
        """The last answer of each task and id."""
        return {(row.task, row.id): row for row in self._rows if row.usable}

    @cached_property
    def positions(self) -> Mapping[int, int]:
        """By the number of a row its position among those of its file and task."""
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
        """The task that has most of the ids that stand under the same task name in the same file."""
        if row.name not in self._owners:
            counts = Counter(task for key in self.groups[row.name] for task in self._tasks_of(key))
            task, count = next(iter(counts.most_common(1)), (None, 0))
            self._owners[row.name] = task if 2 * count > len(self.groups[row.name]) else None
        return self._owners[row.name]

    def nearest(self, row: Row) -> list[str]:
        """The ids of the task most like the row's; of many unknown ids only the first are looked up."""
        if (row.task, row.id) not in self._nearest:
            self._looked_up[row.task] += 1
            many = self._looked_up[row.task] > LOOKED_UP
            self._nearest[row.task, row.id] = [] if many else self.ids[row.task].nearest(row.id)
        return self._nearest[row.task, row.id]

    def _tasks_of(self, key: str) -> set[str]:
        return self._tasks_by_id.get(key) or self._tasks_by_id.get(base_of_pid(key) or "") or set()

    @cached_property
    def _tasks_by_id(self) -> Mapping[str, set[str]]:
        return self._known.owners()


def as_task(row: Row, task: str, detail: str | None = None) -> Hit:
    """The row counts as one of that task."""
    return Hit(f"read as {task}", replace(row, task=task), detail)


def as_id(row: Row, key: str) -> Hit:
    """The row's id is that one."""
    return Hit(f"the id is read as {key!r}", replace(row, id=key, flaw=""), key)


def left_out(detail: str | None = None) -> Hit:
    """The row is none of what is asked for."""
    return Hit("the row is left out", None, detail)
