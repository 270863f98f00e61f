"""The faults of a row, aspect by aspect, each with its message and its repair, and what all rows say about one.

A repair is *safe* if it cannot change the score of a valid prediction: without it the row could not be scored. Others
are made only if the user accepts their kind by name (`OFFERED`).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, wraps
from pathlib import PurePosixPath
from typing import Any, NamedTuple, TypeVar

from zs_bench.benchmarks import BENCHMARKS
from zs_bench.files import limits
from zs_bench.files.columns import name_columns
from zs_bench.files.entries import Entry, id_fault
from zs_bench.files.json_text import JsonNumber, kind, written
from zs_bench.files.names import bare_task, canonical_task, named_tasks
from zs_bench.files.rows_without_ids import match, own_ids_of, row_identity
from zs_bench.problems import counted, short
from zs_bench.validation.field_ids import READ_FROM, values_of
from zs_bench.validation.known_ids import KnownIds, TaskIds, base_of_pid, find_change, find_shift, plain
from zs_metric.errors import did_you_mean
from zs_metric.texts import clean_text
from zs_metric.thinking import is_unfinished_thinking

_T = TypeVar("_T")
# The file of a row, and its task's name as written.
_Name = tuple[str | None, str | None]


class Context:
    """What a rule can use besides its row: all other rows, and the known ids."""

    def __init__(self, rows: Sequence[Entry], known_ids: KnownIds, ids: Mapping[str, TaskIds]) -> None:
        self._rows, self.known_ids, self.ids = rows, known_ids, ids
        self.benchmark = known_ids.benchmark

    @cached_property
    def last(self) -> Mapping[tuple[Any, str], Entry]:
        """The last usable row for each task and id."""
        return {(row.task, row.id): row for row in self._rows if row.usable}

    @cached_property
    def answered(self) -> Mapping[Any, Sequence[str]]:
        """The ids of the usable rows, by task."""
        answered: dict[Any, list[str]] = {}
        for task, id_ in self.last:
            answered.setdefault(task, []).append(id_)
        return answered

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
        answered = {task: ids for task, ids in self.answered.items() if task in self.ids}
        shifts = {task: shift for task, ids in answered.items() if (shift := find_shift(ids, self.ids[task].ids))}
        for part, whole in self.benchmark.parts.items():
            if part in answered and whole in shifts:
                shifts[part] = (shifts[whole][0], {})
        return shifts

    def nearest(self, task: str, id_: str) -> str | None:
        """A question with the id that is meant, if few are unknown and few have no answer."""
        lacking, unknown = self._unpaired(task)
        return (max(len(lacking), unknown) <= _FEW and did_you_mean(id_, lacking)) or None

    @lru_cache(64)  # noqa: B019  (as long as the context)
    def _unpaired(self, task: str) -> tuple[list[str], int]:
        """The known ids of a task without an answer, and the number of the answered ids that are not known."""
        answered, ids = {*self.answered.get(task, ())}, self.ids[task]
        return [id_ for id_ in ids.ids if id_ not in answered], sum(id_ not in ids for id_ in answered)

    @cached_property
    def ids_by_references(self) -> Mapping[int, str]:
        """The id of each row without one, by its number, which the references beside it identify.

        Without known ids of the task, or if these are made of such rows too, it is made of what the row holds.
        """
        found: dict[int, str] = {}
        for task, rows in _by_task(row for row in self._rows if row.id is None).items():
            own, known = own_ids_of(rows, by=lambda row: written(row.task)), self.ids.get(task)
            if known is None or (known.are_of_rows and any(each.id in known for each in own.values())):
                found |= {number: each.id for number, each in own.items() if known is None or each.id in known}
            else:
                identities = {row.number: identity for row in rows if (identity := row_identity(row))}
                ids = match([*identities.values()], known.identities)
                found |= {number: id_ for number, id_ in zip(identities, ids, strict=True) if id_ is not None}
        return found

    @cached_property
    def tasks_by_references(self) -> Collection[str]:
        """The tasks of which the references of a row without an id identify it."""
        return {row.task for row in self._rows if row.number in self.ids_by_references}

    @cached_property
    def known_firsts(self) -> Collection[str | None]:
        """The files whose first line has a known id."""
        firsts = (row for row in self._rows if row.place.row == 1 and isinstance(row.id, str))
        return {row.place.file for row in firsts if self.tasks_of(row.id)}

    @cached_property
    def named(self) -> Collection[Any]:
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


def _by_task(rows: Iterable[Entry]) -> dict[str, list[Entry]]:
    by_task: dict[str, list[Entry]] = {}
    for row in rows:
        if isinstance(row.task, str):
            by_task.setdefault(row.task, []).append(row)
    return by_task


@dataclass(eq=False, slots=True)
class Group:
    """The rows of a file with the same name of a task. What follows from all of them stands beside the rule that asks.

    `kept`: what functions that are marked with `_once` have returned for it.
    """

    rows: Sequence[Entry]
    context: Context
    kept: dict[Callable[["Group"], Any], Any] = field(default_factory=dict)

    @property
    def known_ids(self) -> TaskIds | None:
        """The known ids of the task that the rows name."""
        task = self.rows[0].task
        return self.context.ids.get(task) if isinstance(task, str) else None


def _once(find: Callable[[Group], _T]) -> Callable[[Group], _T]:
    """The function, called once for each group, whichever of its rows asks first."""

    @wraps(find)
    def found(group: Group) -> _T:
        if find not in group.kept:
            group.kept[find] = find(group)
        result: _T = group.kept[find]
        return result

    return found


#: The repairs that are made only when their kind is accepted: what they do, by kind.
OFFERED: Mapping[str, str] = {
    "other-benchmark": "drop its answers",
    "unknown": "drop the answer",
    "other-split": "drop the answer",
    "nul": "put a space in its place",
    "nothing-word": "make it empty",
    "conflict": "keep the later answer",
    "shifted": "read every ID so much lower or higher",
    "row-order": "take the rows in the order of the references",
}
#: Those that drop no answer.
KEEPING = frozenset({"nul", "nothing-word", "conflict", "shifted", "row-order"})
#: What programs write for a missing value, in lowercase.
NOTHING = frozenset({"nan", "none", "null", "na", "<na>", "n/a", "nat", "undefined", "#n/a", "#ref!", "#value!"})
NOTHING |= {"#name?", "#div/0!", "#num!", "#null!", "(null)"}
#: The text that the official check reads as a missing value.
OFFICIAL_NOTHING = "!@#$%^&*()"
_DROPPED = "row dropped"
# The most unknown ids, and the most ids without an answer, of which one may be meant by another.
_FEW = 50
_BY_REFERENCES = "The rows have no ID; the references beside each, and its length, tell its question"
_LEFT_OUT = "The rows have no ID, and no references that are known, or that as many known ones have; they are left out"
_OTHER_REFERENCES = (
    "The rows have no ID, and none has references that are known. Give the references of these questions"
)
_BY_REFERENCE = "The data has a row for each reference of an example. Answer each example once, under its ID"
_NO_HEADER = "The table has no header; its first row has a known ID, so all are read as answers. Add id,prediction"
_BY_ROW = "The rows have no IDs, or only their numbers. There are as many as references, perhaps in the same order"
_OTHER_SPLIT = "Unknown ID, as all of the file. Are they of another split than the references?"
_SPELLING = "ID with other capitals, spaces or quotes, or written as a number by a spreadsheet"
_NAME_IT = "Name the file or its folder after one task, as in qasper.json, or add the task to each row"
_RETRIED = "Requests without an answer; other rows of these IDs have it, and are read"
_ASK_AGAIN = "Send it again, or write an empty text ('') that scores 0"
_UNFINISHED = "The answer never ends its thinking, so it is cut off; all of it is scored as the answer"


class Finding(NamedTuple):
    """One fault of a row. With a `repair`, in words, `row` is the repaired row, or `None` to drop it.

    `once`: it is reported once for all rows of a file and task. The other fields are those of a `Problem`.
    """

    kind: str
    message: str
    detail: str | None = None
    repair: str = ""
    row: Entry | None = None
    family: str = ""
    is_error: bool = True
    once: bool = False
    benchmark: str | None = None
    columns: str | None = None


def check_task(row: Entry, context: Context) -> Finding | None:
    """A task that is not one of the benchmark's, and a table whose columns are not known."""
    ours = context.benchmark
    if row.fault and row.fault.kind == "columns":
        is_read = row.place.file in context.known_firsts if row.others is None else row.task in ours.all_tasks
        if not is_read:
            return Finding("columns", row.fault.message, once=True, columns=row.fault.columns)
    if isinstance(row.task, str) and row.task in ours.all_tasks:
        meant = _others_by_ids(context.group(row)).get(written(row.id) or "") if row.task_is_from_name else None
        return _by_ids(row, meant) if meant else None
    text, task = written(row.task), canonical_task(row.task, ours)
    name = kind(row.task) if text is None else repr(short(text))
    for other in BENCHMARKS.values():
        only_there = task in other.all_tasks and task not in ours.all_tasks
        if other is not ours and (only_there or bare_task(row.task, other) != row.task):
            message = f"This is not a task of {ours.title} but of {other.title}. Score the file as {other.title}"
            return Finding("other-benchmark", message, name, _DROPPED, once=True, benchmark=other.name)
    if task:
        message, read = f"Misspelt task name. Did you mean {task}?", row._replace(task=task)
        return Finding("task-name", message, name, f"read as {task}", read, "unknown-task", once=True)
    by_ids, id_ = _tasks_by_ids(context.group(row)), written(row.id) or ""
    if id_ in by_ids:
        return _by_ids(row, by_ids[id_])
    if by_ids:
        several = ", ".join(sorted(context.tasks_of(id_)))
        message = "Several tasks have this ID. Add the task to the answer" if several else "No task has this ID"
        return Finding("unknown", message, several or None, _DROPPED)
    message = f"Unknown task. The tasks of {ours.title} are {', '.join(ours.all_tasks)}"
    if row.task_is_from_name:
        found = named_tasks(PurePosixPath(row.place.file or ""), ours)
        what = f"it names several ({', '.join(found)})" if found else "no task's name is a word of it"
        ids = "its IDs belong to no task" if context.known_ids.lists else "no known IDs decide it"
        message = f"The name of the file does not say its task: {what}, and {ids}. {_NAME_IT}"
    return Finding("unknown-task", message, name, once=True)


@_once
def _others_by_ids(group: Group) -> Mapping[str, str]:
    """The task of each id, where most of those that are known are not of the task that the file names.

    Without known ids of the named task, equal ids, such as plain numbers, are no sign of a task that another name says.
    """
    context, task = group.context, group.rows[0].task
    ids = dict.fromkeys(written(row.id) or "" for row in group.rows)
    known = [tasks for id_ in ids if (tasks := context.tasks_of(id_))]
    are_own = 2 * sum(task in tasks for tasks in known) >= len(known)
    if are_own or task not in context.benchmark.tasks:
        return {}
    is_known = any(task in id_list.ids for id_list in context.known_ids.lists)
    return {id_: other for id_, other in _tasks_by_ids(group).items() if is_known or other not in context.named}


@_once
def _tasks_by_ids(group: Group) -> Mapping[str, str]:
    """The task of each id; empty if most of them are of none.

    If the ids belong to one task, the unknown ones are taken for this task's too.
    """
    tasks = {id_: group.context.tasks_of(id_) for id_ in {written(row.id) or "" for row in group.rows}}
    certain = {id_: min(names) for id_, names in tasks.items() if len(names) == 1}
    if 2 * len(certain) <= len(tasks):
        shared = set.intersection(*tasks.values())
        return dict.fromkeys(tasks, min(shared)) if len(shared) == 1 else {}
    return dict.fromkeys(tasks, min(certain.values())) if len(set(certain.values())) == 1 else certain


def _by_ids(row: Entry, task: str) -> Finding:
    message, repair = "The task is taken from the IDs, not from the name", "read as the task that has the IDs"
    name, read = repr(short(written(row.task) or "")), row._replace(task=task, task_is_from_name=False)
    return Finding("task-by-ids", message, name, repair, read, is_error=False, once=True)


def check_form(row: Entry, context: Context) -> Finding | None:
    """What the reader found, and an id that is not a text."""
    fault = row.fault or id_fault(row)
    if fault is None:
        return None
    if row.id is None and row.fault is None and row_identity(row):
        return _by_field(row, context) or _by_references(row, context)
    if row.fault is not None:
        if fault.kind == "columns" and row.others is None:
            read = row._replace(fault=None)
            return Finding("no-header", _NO_HEADER, None, "read as rows of answers", read, is_error=False, once=True)
        if fault.kind == "unquoted-comma":
            repair, read = "answer read to the end of the row", row._replace(fault=None)
            return Finding(fault.kind, fault.message, fault.detail, repair, read, "unreadable")
        if _is_by_reference(context.group(row)):
            return Finding("row-per-reference", _BY_REFERENCE, family="unreadable", once=True)
    if found := _by_field(row, context) or _by_row(row, context):
        return found
    if fault.kind == "columns":
        return Finding("columns", fault.message, once=True, columns=fault.columns)
    if row.fault is not None:
        message = f"{fault.message} ({_size(context.group(row))})" if row.task in context.ids else fault.message
        return Finding("not-an-id", message, fault.detail, family="unreadable", once=True)
    read_as = row._replace(id=fault.detail) if fault.kind == "number-id" else None
    repair = f"read as {fault.detail!r}" if read_as else ""
    return Finding(fault.kind, fault.message, fault.detail, repair, read_as, fault.family)


@_once
def _is_by_reference(group: Group) -> bool:
    """Whether there is a row for each reference, as in the data, where examples have several."""
    known_ids, rows = group.known_ids, len(group.rows)
    if known_ids is None or len(known_ids.ids) >= rows:
        return False
    return rows == sum(len(each.texts) for each in known_ids.examples.values())


def _size(group: Group) -> str:
    """The number of its rows and of the task's references, in words."""
    references = counted(len(group.known_ids.ids) if group.known_ids else 0, "known ID")
    return f"{counted(len(group.rows), 'row')} for {references}"


def check_id(row: Entry, context: Context) -> Finding | None:
    """An id that is not one of the task's."""
    ids, shift = context.ids.get(row.task), context.shifts.get(row.task)
    if shift and not row.moved:
        return _shifted(row, *shift)
    if ids is None or row.id in ids:
        return None
    base, group = base_of_pid(row.id), context.group(row)
    if base is not None and base in ids and not any(row.id in others for others in ids.others.values()):
        return _read_as("pid", "The 'pid' of a reference instead of the example's ID", row, base)
    if change := _change(group):
        what, meant = change
        id_ = meant[row.id]
        message = f"These IDs differ from the known ones, all in the same way: {what}"
        detail, repair = f"{short(row.id)!r} for {short(id_)!r}", "all IDs read as the known IDs"
        return Finding("ids-differ", message, detail, repair, row._replace(id=id_), once=True)
    if spelt := ids.by_spelling.get(plain(row.id)) or ids.by_number(row.id):
        return _read_as("id-spelling", _SPELLING, row, spelt)
    names = [name for name, others in ids.others.items() if not others.isdisjoint({row.id, base})]
    names += [task for task, task_ids in context.ids.items() if row.id in task_ids]
    if names:
        return Finding("other-split", "The ID is of other data", names[0], _DROPPED, family="unknown")
    if _is_by_reference(group):
        return Finding("row-per-reference", _BY_REFERENCE, family="unknown", once=True)
    if found := _by_field(row, context) or _by_row(row, context):
        return found
    if _none_is_known(group):
        return Finding("unknown", _OTHER_SPLIT, None, _DROPPED)
    return Finding("unknown", "Unknown ID", context.nearest(row.task, row.id), _DROPPED)


@_once
def _change(group: Group) -> tuple[str, Mapping[str, str]] | None:
    """The one way in which all ids differ from the known ones, and the known id by each."""
    known_ids, ids = group.known_ids, dict.fromkeys(row.id for row in group.rows if isinstance(row.id, str)).keys()
    if known_ids is None or not all(map(ids.isdisjoint, (known_ids.ids, *known_ids.others.values()))):
        return None
    return find_change(ids, known_ids.ids)


@_once
def _none_is_known(group: Group) -> bool:
    """Whether several rows have ids, and none of them is known."""
    ids = {written(row.id) for row in group.rows} - {None}
    return group.known_ids is not None and len(ids) > 1 and ids.isdisjoint(group.known_ids.ids)


def _by_field(row: Entry, context: Context) -> Finding | None:
    """A row without an id of its own, in a file where another field has known ids, perhaps all of them."""
    names, are_all = _id_fields(context.group(row))
    if not names or row.others is None:
        return None
    column = " and of ".join(
        repr(short(clean_text(name, "header"))) if name else "the unnamed column" for name in names[:2]
    )
    if not are_all or len(names) > 1:
        which = "which" if len(names) > 1 else "that it"
        message = f"All values of {column} are known IDs. Say {which} holds the IDs"
        return Finding("columns", message, once=True, columns=name_columns(id=names[0]))
    message = READ_FROM.format(column)
    read = row._replace(id=row.others[names[0]], fault=None, others=None)
    return Finding("id-field", message, None, "IDs taken from that field", read, is_error=False, once=True)


@_once
def _id_fields(group: Group) -> tuple[list[str], bool]:
    """The fields whose values are known ids, one of those with the same values; whether they have all of them."""
    known_ids, values = group.known_ids, values_of([row.others or {} for row in group.rows])
    if known_ids is None or not known_ids.ids:
        return [], False
    fit = {name: of_name for name, of_name in values.items() if all(text in known_ids for text in of_name)}
    whole = {name: of_name for name, of_name in fit.items() if len({*of_name}) == len(known_ids.ids)}
    chosen = whole or {name: of_name for name, of_name in fit.items() if len({*of_name}) == len(of_name) > 1}
    return [*chosen], bool(whole)


def _by_references(row: Entry, context: Context) -> Finding:
    """A row without an id, whose references identify its question, or that is left out."""
    if id_ := context.ids_by_references.get(row.number):
        repair, read = "IDs taken from the references of the rows", row._replace(id=id_, is_by_references=True)
        return Finding("by-references", _BY_REFERENCES, None, repair, read, is_error=False, once=True)
    message = _LEFT_OUT if row.task in context.tasks_by_references else _OTHER_REFERENCES
    return Finding("not-matched", message, None, family="unknown", once=True)


def _by_row(row: Entry, context: Context) -> Finding | None:
    """A row without an id, or whose id is the number of the row, in a file with as many rows as there are known ids."""
    ids = _ids_by_row(context.group(row))
    if row.number not in ids:
        return None
    read, repair = row._replace(id=ids[row.number], fault=None), "rows taken in the order of the references"
    return Finding("row-order", _BY_ROW, None, repair, read, "unreadable", once=True)


@_once
def _ids_by_row(group: Group) -> Mapping[int, str]:
    """The known id of each row, by its number, if rows without ids, or numbered in order, are as many as these."""
    known_ids, names = group.known_ids, [written(row.id) for row in group.rows]
    if known_ids is None or len(names) != len(known_ids.ids):
        return {}
    is_numbered = any(names == [str(n + start) for n in range(len(names))] for start in (0, 1))
    carry_references = any(row_identity(row) for row in group.rows if row.references is not None)
    if not known_ids.ids or carry_references or not (set(names) == {None} or (is_numbered and _none_is_known(group))):
        return {}
    return {row.number: id_ for row, id_ in zip(group.rows, known_ids.ids, strict=True)}


def _shifted(row: Entry, shift: int, meant: Mapping[str, str]) -> Finding:
    """An id of a series whose numbers are all too high or too low; copies for hard questions are dropped."""
    number = "one" if abs(shift) == 1 else f"{abs(shift):,}"
    too, back = ("high", "lower") if shift > 0 else ("low", "higher")
    message = f"The IDs look shifted: all are {number} too {too}, so answers stand under the IDs of other questions"
    known_id = meant.get(row.id)
    detail = known_id and f"{short(row.id)!r} for {short(known_id)!r}"
    moved = known_id and row._replace(id=known_id, moved=True)
    return Finding("shifted", message, detail, f"all IDs read {number} {back}", moved or None, once=True)


def _read_as(name: str, message: str, row: Entry, id_: str) -> Finding:
    detail = f"did you mean {short(id_)}?"
    return Finding(name, message, detail, f"read as {id_!r}", row._replace(id=id_), "unknown")


def check_text(row: Entry, context: Context) -> Finding | None:
    """A prediction that is not a text, or not an answer."""
    if isinstance(row.value, JsonNumber) and row.value.text == "NaN":
        return Finding("null", "The answer is NaN, written for a missing one. Write a text; an empty one ('') scores 0")
    if row.value is None and row.failed:
        if isinstance(row.id, str) and (row.task, row.id) in context.last:
            return Finding("retried", _RETRIED, is_error=False, once=True)
        code, _, more = row.failed.partition(": ")
        return Finding("null", f"The request has no answer ({short(code, 80)}). {_ASK_AGAIN}", short(more, 80) or None)
    if row.value is None:
        return Finding("null", "The answer is null. Write a text; an empty one ('') scores 0")
    if not isinstance(row.value, str):
        message = f"The answer is {kind(row.value)}, not a text"
        text = written(row.value[0] if type(row.value) is list and len(row.value) == 1 else row.value)
        if text is None:
            return Finding("not-a-text", message)
        return Finding("not-a-text", message, text, f"answer read as {short(text)!r}", row._replace(value=text))
    if len(row.value) > limits.MAX_TEXT:
        return Finding("too-long", f"The answer is longer than {limits.MAX_TEXT:,} characters. Shorten it")
    if "\0" in row.value:
        message, spaced = "The answer has a NUL character, which a CSV file cannot hold", row.value.replace("\0", " ")
        return Finding("nul", message, None, "NUL replaced by a space", row._replace(value=spaced))
    text = row.value.strip()
    if len(text) <= len(OFFICIAL_NOTHING) and (text.lower() in NOTHING or text == OFFICIAL_NOTHING):
        message, empty = "The answer is a word that programs write for a missing value", row._replace(value="")
        return Finding("nothing-word", message, text, "answer made empty", empty, is_error=False)
    if is_unfinished_thinking(row.value):
        return Finding("unfinished-think", _UNFINISHED, is_error=False)
    if text:
        return None
    # Of white space, the similarity of code may be more than 0.
    message = "Empty answer, white space alone" if row.value.strip("\n") else "Empty answer (scores 0)"
    return Finding("empty", message, is_error=False)


def check_repeats(row: Entry, context: Context) -> Finding | None:
    """A row that another one for the same id follows: the last one is kept, as in the official check."""
    if row.number not in context.repeated:
        return None
    if context.last[row.task, row.id].value == row.value:
        return Finding("doubled", "Duplicate ID with the same answer; it counts once", None, _DROPPED)
    return Finding("conflict", "Duplicate ID with different answers. Keep one", None, "the later answer is kept")


#: The aspects in the order in which a row is checked. Each check returns the first fault that the row still has.
CHECKS: Mapping[str, Callable[[Entry, Context], Finding | None]] = {
    "task": check_task,
    "form": check_form,
    "id": check_id,
    "text": check_text,
    "repeats": check_repeats,
}
