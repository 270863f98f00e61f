"""The faults of a row, aspect by aspect, each with its message and its repair.

A repair is *safe* if it cannot change the score of a valid prediction: without it the row could not be scored. Others
are made only if the user accepts their kind by name (`OFFERED`).
"""

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from zs_bench.benchmarks import BENCHMARKS
from zs_bench.files import limits
from zs_bench.files.entries import Entry, bare_task, canonical_task, named_tasks
from zs_bench.files.json_text import JsonNumber, kind, written
from zs_bench.problems import short
from zs_bench.validation.context import Context
from zs_bench.validation.known_ids import base_of_pid, plain
from zs_metric.thinking import is_unfinished_thinking

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
NOTHING = frozenset({"nan", "none", "null", "<na>", "n/a", "nat", "undefined"})
#: The text that the official check reads as a missing value.
OFFICIAL_NOTHING = "!@#$%^&*()"
_DROPPED = "row dropped"
_BY_ORDER = "The rows have no ID. Each carries the references of its place, so they are matched by order"
_BY_REFERENCE = "The data has a row for each reference of an example. Answer each example once, under its ID"
_NO_HEADER = "The table has no header; its first row has a known ID, so all are read as answers. Add id,prediction"
_BY_ROW = "The rows have no IDs, or only their numbers. There are as many as references, perhaps in the same order"
_OTHER_SPLIT = "Unknown ID, as all of the file. Are they of another split than the references?"
_NAN = "The answer is NaN, written for a missing one. Write a text; an empty one ('') scores 0"
_SPELLING = "ID with other capitals, spaces or quotes, or written as a number by a spreadsheet"
_NAME_IT = "Name the file or its folder after one task, as in qasper.json, or add the task to each row"
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


def check_task(row: Entry, context: Context) -> Finding | None:
    """A task that is not one of the benchmark's, and a table whose columns are not known."""
    if row.fault and row.fault.kind == "columns" and row.place.file not in context.known_firsts:
        return Finding("columns", row.fault.message, once=True)
    if isinstance(row.task, str) and row.task in context.tasks:
        told = context.group(row).others_by_ids.get(written(row.id) or "") if row.task_is_from_name else None
        return _by_ids(row, told) if told else None
    text, task, ours = written(row.task), canonical_task(row.task, context.benchmark), context.benchmark
    name = kind(row.task) if text is None else repr(short(text))
    for other in BENCHMARKS.values():
        only_there = task in other.all_tasks and task not in context.tasks
        if other is not ours and (only_there or bare_task(row.task, other) != row.task):
            message = f"This is not a task of {ours.title} but of {other.title}. Score the file as {other.title}"
            return Finding("other-benchmark", message, name, _DROPPED, once=True, benchmark=other.name)
    if task:
        message, read = f"Misspelt task name. Did you mean {task}?", row._replace(task=task)
        return Finding("task-name", message, name, f"read as {task}", read, "unknown-task", once=True)
    by_ids, id_ = context.group(row).tasks_by_ids, written(row.id) or ""
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


def _by_ids(row: Entry, task: str) -> Finding:
    message, read = (
        "The task is taken from the IDs, not from the name",
        row._replace(task=task, task_is_from_name=False),
    )
    name = repr(short(row.task if row.task_is_from_name else written(row.task) or ""))
    return Finding("task-by-ids", message, name, "read as the task that has the IDs", read, is_error=False, once=True)


def check_form(row: Entry, context: Context) -> Finding | None:
    """What the reader found, and an id that is not a text."""
    fault, id_ = row.fault, row.id
    if fault is None and isinstance(id_, str) and len(id_) <= limits.MAX_ID:
        return None
    if fault is not None:
        if fault.kind == "columns":
            read = row._replace(fault=None)
            return Finding("no-header", _NO_HEADER, None, "read as rows of answers", read, is_error=False, once=True)
        if fault.kind == "unquoted-comma":
            repair, read = "answer read to the end of the row", row._replace(fault=None)
            return Finding(fault.kind, fault.message, fault.detail, repair, read, "unreadable")
        group = context.group(row)
        if row.number in group.ids_in_order:
            repair, read = "IDs taken in the order of the data", row._replace(id=group.ids_in_order[row.number])
            return Finding("by-order", _BY_ORDER, None, repair, read._replace(fault=None), is_error=False, once=True)
        if group.is_by_reference:
            return Finding("row-per-reference", _BY_REFERENCE, family="unreadable", once=True)
    if by_row := _by_row(row, context):
        return by_row
    if isinstance(id_, JsonNumber):
        repair, read = f"read as {id_.text!r}", row._replace(id=id_.text)
        return Finding("number-id", "The ID is a number. Write it in quotes", id_.text, repair, read, "unreadable")
    if fault is not None:
        message = f"{fault.message} ({context.group(row).size})" if row.task in context.ids else fault.message
        return Finding("not-an-id", message, fault.detail, family="unreadable", once=True)
    if not isinstance(id_, str):
        return Finding("not-an-id", f"The ID is {kind(id_)}, not a text", family="unreadable")
    return Finding("not-an-id", f"The ID is longer than {limits.MAX_ID:,} characters", id_[:60], family="unreadable")


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
    if group.change:
        what, meant = group.change
        id_ = meant[row.id]
        message = f"These IDs differ from the known ones, all in the same way: {what}"
        detail, repair = f"{short(row.id)!r} for {short(id_)!r}", "all IDs read as the known IDs"
        return Finding("ids-differ", message, detail, repair, row._replace(id=id_), once=True)
    if spelt := ids.by_spelling.get(plain(row.id)):
        return _read_as("id-spelling", _SPELLING, row, spelt)
    names = [name for name, others in ids.others.items() if not others.isdisjoint({row.id, base})]
    names += [task for task, task_ids in context.ids.items() if row.id in task_ids]
    if names:
        return Finding("other-split", "The ID is of other data", names[0], _DROPPED, family="unknown")
    if group.is_by_reference:
        return Finding("row-per-reference", _BY_REFERENCE, family="unknown", once=True)
    if by_row := _by_row(row, context):
        return by_row
    return Finding("unknown", _OTHER_SPLIT if group.none_is_known else "Unknown ID", None, _DROPPED)


def _by_row(row: Entry, context: Context) -> Finding | None:
    """A row without an id, or whose id is the number of the row, in a file with as many rows as there are known ids."""
    ids = context.group(row).ids_by_row
    if row.number not in ids:
        return None
    read = row._replace(id=ids[row.number], fault=None)
    return Finding(
        "row-order", _BY_ROW, None, "rows taken in the order of the references", read, "unreadable", once=True
    )


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


def check_text(row: Entry, _context: Context) -> Finding | None:
    """A prediction that is not a text, or not an answer."""
    if isinstance(row.value, JsonNumber) and row.value.text == "NaN":
        return Finding("null", _NAN)
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
    return None if text else Finding("empty", "Empty answer (scores 0)", is_error=False)


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
