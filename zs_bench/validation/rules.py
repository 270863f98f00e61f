"""The types of a validation rule: a rule finds one kind of fault in a row and, where possible, gives the repaired row.

The rules are in `task_rules` and `prediction_rules`, and listed in `zs_bench.validation.checks.RULES`. A repair
is *safe* if it cannot change the score of a valid prediction: without it the row could not be scored. Other repairs are
made only if the user accepts their kind by name.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from rapidfuzz import fuzz, process

from zs_bench.files import limits
from zs_bench.files.entries import Salvaged
from zs_bench.files.json_text import written
from zs_bench.problems import Place
from zs_bench.validation.known_ids import NAMED, KnownIds, TaskIds, base_of_pid

#: The number of unknown ids per task for which similar ids are searched.
LOOKED_UP = 200
_LONGEST = 200


class Row(NamedTuple):
    """A row of a file while it is checked.

    Attributes:
        number: its position among all rows read.
        task, id, value: as read or as repaired; any JSON value until the checks have passed.
        salvaged: the fault that the reader found, if any.
        stuck: whether its task or id is unknown, so that it cannot be checked further.
        refused: whether it cannot be scored as it was read.
        extra: whether it is the copy for `quality_hard`, which is not part of a submission.
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
        """The kind of fault that the reader found, or ""."""
        return self.salvaged.flaw if self.salvaged else ""

    @property
    def usable(self) -> bool:
        """Whether it has a task, an id and a text within the length limit."""
        texts = isinstance(self.value, str) and isinstance(self.id, str) and isinstance(self.task, str)
        return texts and not self.flaw and len(self.value) <= limits.MAX_TEXT

    @property
    def name(self) -> tuple[str | None, str | None]:
        """The file, and the task's name as written in it."""
        return self.place.file, written(self.task)


class Hit(NamedTuple):
    """A fault found by a rule.

    Attributes:
        what: the repair in words; empty if there is none.
        row: the repaired row; `None` to drop it.
        detail: what was found, or what was probably meant.
        message: replaces the rule's message.
        benchmark: the name of the other benchmark that the row belongs to.
    """

    what: str = ""
    row: Row | None = None
    detail: str | None = None
    message: str = ""
    benchmark: str | None = None


#: The repair that drops the row.
DROPPED = Hit("row dropped")


class Rule(NamedTuple):
    """One kind of fault, and its repair.

    Attributes:
        kind: its name, for programs and for `--accept`.
        message: what is wrong, the same for all faults of this kind.
        find: finds the fault in a row, `None` if it has none.
        repair: how the fault is repaired; empty if it cannot be.
        safe: whether the repair cannot change the score of a valid prediction.
        refuses: whether the fault is an error; otherwise it is a warning.
        family: the broader kind, see `zs_bench.problems.Problem`.
    """

    kind: str
    message: str
    find: "Callable[[Row, Context], Hit | None]"
    repair: str = ""
    safe: bool = False
    refuses: bool = True
    family: str | None = None


class Context:
    """What a rule can use besides its row: all other rows, and the known ids."""

    def __init__(self, rows: Sequence[Row], known: KnownIds, ids: Mapping[str, TaskIds]) -> None:
        self._rows, self.known, self.ids = rows, known, ids
        self.benchmark = known.benchmark
        self._owners: dict[tuple[str | None, str | None], str | None] = {}
        self._nearest: dict[tuple[str, str], list[tuple[str, float]]] = {}
        self._looked_up: Counter[str] = Counter()

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
    def answered(self) -> set[tuple[Any, str]]:
        """Task and id of all rows."""
        return {(row.task, row.id) for row in self._rows if isinstance(row.task, str) and isinstance(row.id, str)}

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

    def owner(self, row: Row) -> str | None:
        """The task to which most ids under the row's task name in its file belong."""
        if row.name not in self._owners:
            rows = self.groups[row.name]
            counts = Counter(task for one in rows for task in self._tasks_of(written(one.id) or ""))
            task, count = next(iter(counts.most_common(1)), (None, 0))
            self._owners[row.name] = task if 2 * count > len(rows) else None
        return self._owners[row.name]

    def nearest(self, row: Row) -> list[tuple[str, float]]:
        """The task's most similar ids, at most three, with their similarity; none beyond the first `LOOKED_UP` rows."""
        found = self._nearest.get((row.task, row.id))
        if found is None and self._looked_up[row.task] < LOOKED_UP:
            self._looked_up[row.task] += 1
            options: Any = {"scorer": fuzz.ratio, "limit": 3, "score_cutoff": 100 * NAMED}
            similar = process.extract(row.id[:_LONGEST], self.ids[row.task].ids, **options)
            found = self._nearest[row.task, row.id] = [(id_, score / 100) for id_, score, _ in similar]
        return found or []

    def _tasks_of(self, id_: str) -> set[str]:
        return self._tasks_by_id.get(id_) or self._tasks_by_id.get(base_of_pid(id_) or "") or set()

    @cached_property
    def _tasks_by_id(self) -> Mapping[str, set[str]]:
        owners: dict[str, set[str]] = {}
        for one in self.known.lists:
            for task, ids in one.ids.items():
                for id_ in ids:
                    owners.setdefault(id_, set()).add(task)
        return owners
