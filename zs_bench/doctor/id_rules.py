"""Ids that are not those of the task: what is wrong with them and which were meant."""

from __future__ import annotations

from dataclasses import replace

from zs_bench.doctor.nearest import OFFERED, likeness, same_last_number
from zs_bench.doctor.rules import Around, Hit, Row, Rule, as_id, as_task, left_out
from zs_bench.doctor.spelling import base_of_pid, days, whole_number
from zs_bench.files import limits
from zs_bench.files.json_text import JsonNumber, kind


def number(row: Row, _around: Around) -> Hit | None:
    """A number in JSON: the id is what is written."""
    return as_id(row, row.id.text) if isinstance(row.id, JsonNumber) else None


def pid_column(row: Row, around: Around) -> Hit | None:
    """A row that has a `pid` and no `id`: the id is in it."""
    if row.flaw != "pid":
        return None
    known = around.ids.get(row.task, ())
    for key in (base_of_pid(row.id), row.id) if isinstance(row.id, str) else ():
        if key in known:
            return as_id(row, str(key))
    return Hit()


def no_id(row: Row, around: Around) -> Hit | None:
    """A row without an id: where there are as many rows as ids, they may stand in the order of the data."""
    if row.flaw != "no-id":
        return None
    known = around.ids.get(row.task)
    if known is None or len(around.groups[row.name]) != len(known):
        return Hit()
    key = known.ids[around.positions[row.number]]
    return Hit(f"by its position in the file it is the answer to {key!r}", replace(row, id=key, flaw=""), key)


def no_text(row: Row, _around: Around) -> Hit | None:
    """Something that can be no id."""
    if not isinstance(row.id, str):
        return Hit(detail=kind(row.id))
    return Hit(detail=row.id[:60]) if len(row.id) > limits.MAX_ID else None


def spelling(row: Row, around: Around) -> Hit | None:
    """An id but for blanks, quotes and capitals."""
    key = around.ids[row.task].spelt(row.id)
    return as_id(row, key) if key else None


def pid(row: Row, around: Around) -> Hit | None:
    """The `pid` of one of its references in the place of the id."""
    key, ids = base_of_pid(row.id), around.ids[row.task]
    if key is None or key not in ids or any(row.id in others for others in ids.others.values()):
        return None
    return as_id(row, key)


def spreadsheet(row: Row, around: Around) -> Hit | None:
    """A whole number with a decimal point, with commas, or without the zeros before it."""
    digits = whole_number(row.id)
    key = digits and around.ids[row.task].numbered(digits)
    return as_id(row, key) if key else None


def other_split(row: Row, around: Around) -> Hit | None:
    """The id of another split, or of another benchmark's task of the same name."""
    keys, others = {row.id, base_of_pid(row.id)}, around.ids[row.task].others.items()
    return next((left_out(name) for name, ids in others if not keys.isdisjoint(ids)), None)


def other_task(row: Row, around: Around) -> Hit | None:
    """The id of another task."""
    owners = [task for task, ids in around.ids.items() if row.id in ids]
    return as_task(row, owners[0], owners[0]) if len(owners) == 1 else None


def rounded(row: Row, around: Around) -> Hit | None:
    """A number whose last digits a spreadsheet took: the one that is not answered yet."""
    return _only_free(row, around, around.ids[row.task].rounded(row.id))


def dated(row: Row, around: Around) -> Hit | None:
    """A number that a spreadsheet took for a day."""
    keys = (around.ids[row.task].numbered(digits) for digits in days(row.id))
    return _only_free(row, around, [key for key in keys if key])


def near(row: Row, around: Around) -> Hit | None:
    """Very like one id that is not answered, and not different in its last number."""
    keys = [key for key in around.nearest(row) if likeness(row.id, key) >= OFFERED and same_last_number(row.id, key)]
    return _only_free(row, around, keys)


def unknown(row: Row, around: Around) -> Hit | None:
    """No id of this task."""
    likely = around.nearest(row)
    return left_out(f"like {', '.join(likely)}" if likely else None)


def _only_free(row: Row, around: Around, keys: list[str]) -> Hit | None:
    """The only one of these ids that no row answers."""
    free = {key for key in keys if around.free(row.task, key)}
    return as_id(row, free.pop()) if len(free) == 1 else None


#: Of the form of an id, whatever the ids of the task are.
FORM_RULES = (
    Rule("number-id", "an id is a number, not a text", number, "read it as written", safe=True),
    Rule(
        "pid-column",
        "the row has no 'id' but a 'pid', which counts the references of one",
        pid_column,
        "take the id out of it",
        safe=True,
    ),
    Rule("no-id", "the row has no id", no_id, "take the ids in the order of the data"),
    Rule("not-an-id", "this can be no id", no_text),
)

#: Of an id that is not one of the task's, in this order.
ID_RULES = (
    Rule(
        "id-spelling",
        "the id has other capitals, or blanks or quotes around it",
        spelling,
        "read it as the id",
        safe=True,
    ),
    Rule(
        "pid",
        "this is the 'pid' of one reference; the id is without the number at its end",
        pid,
        "leave the number at its end out",
        safe=True,
    ),
    Rule(
        "spreadsheet-id", "the id was written by a spreadsheet as a number", spreadsheet, "read it as the id", safe=True
    ),
    Rule("other-split", "the id is of other data", other_split, "leave the answer out"),
    Rule("other-task", "the id is of another task", other_task, "count the answer to that task"),
    Rule(
        "rounded-id",
        "a spreadsheet took the last digits of the id",
        rounded,
        "read it as the only id not answered that it can be",
    ),
    Rule("date-id", "a spreadsheet took the id for a day", dated, "read it as the only id not answered that it can be"),
    Rule("near-id", "there is no such id, but one very like it that is not answered", near, "read it as that id"),
    Rule("unknown", "the task has no such id", unknown, "leave the answer out"),
)
