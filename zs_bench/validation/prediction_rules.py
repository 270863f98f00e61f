"""Rules about the id and the text of a prediction, and about several rows for one id."""

from zs_bench.files import limits
from zs_bench.files.json_text import JsonNumber, kind, written
from zs_bench.problems import counted, short
from zs_bench.validation.known_ids import base_of_pid, plain, whole_number
from zs_bench.validation.rules import DROPPED, NOTHING, Context, Finding, Row, Rule
from zs_metric.texts import is_unfinished_thinking

#: The text that the official check reads as a missing value.
OFFICIAL_NOTHING = "!@#$%^&*()"
_READ = "read it as the ID that was meant"


def _as_id(row: Row, id_: str | None) -> Finding | None:
    return (
        Finding(f"read as {id_!r}", row._replace(id=id_, salvaged=None), f"did you mean {short(id_)}?") if id_ else None
    )


def _number(row: Row, _context: Context) -> Finding | None:
    """The id is the number as written."""
    hit = _as_id(row, row.id.text) if isinstance(row.id, JsonNumber) else None
    return hit and hit._replace(detail=row.id.text)


def _pid_column(row: Row, context: Context) -> Finding | None:
    """The id is part of the `pid`."""
    if row.reader_fault != "pid" or row.salvaged is None:
        return None
    task_ids = context.ids.get(row.task, ())
    for id_ in (base_of_pid(row.id), row.id) if isinstance(row.id, str) else ():
        if id_ in task_ids and (hit := _as_id(row, id_)):
            return hit._replace(message=row.salvaged.message)
    return Finding(message=row.salvaged.message, detail=row.salvaged.detail)


def _at_its_place(row: Row, context: Context) -> Row:
    return row._replace(id=context.ids[row.task].ids[context.positions[row.number]], salvaged=None)


def _by_order(row: Row, context: Context) -> Finding | None:
    if row.reader_fault != "no-id" or not context.in_order(row):
        return None
    return Finding("IDs taken in the order of the data", _at_its_place(row, context))


def _row_per_reference(row: Row, context: Context) -> Finding | None:
    """As many answers as references: the data's rows were answered, of which an example has one for each reference."""
    task_ids = context.ids.get(row.task)
    if task_ids is None or row.reader_fault == "pid":
        return None
    examples, rows = len(task_ids.ids), len(context.groups[row.name])
    if not examples < rows == task_ids.reference_count:
        return None
    return Finding(detail=f"{counted(examples, 'example')} with {rows:,} references")


def _no_id(row: Row, context: Context) -> Finding | None:
    """If there are as many rows as ids, they may be in the order of the data."""
    if row.reader_fault != "no-id" or row.salvaged is None:
        return None
    message, detail = row.salvaged.message, row.salvaged.detail
    task_ids = context.ids.get(row.task)
    if task_ids is None or len(context.groups[row.name]) != len(task_ids.ids):
        return Finding(message=message, detail=detail)
    right = _at_its_place(row, context)
    return Finding(f"read as the answer to {right.id!r}, by its position in the file", right, detail, message)


def _not_an_id(row: Row, _context: Context) -> Finding | None:
    if not isinstance(row.id, str):
        return Finding(message=f"The ID is {kind(row.id)}, not a text")
    too_long = f"The ID is longer than {limits.MAX_ID:,} characters"
    return Finding(detail=row.id[:60], message=too_long) if len(row.id) > limits.MAX_ID else None


def _all_differ(row: Row, context: Context) -> Finding | None:
    change = context.change(row)
    if change is None:
        return None
    message = f"{_ALL_DIFFER}: {change.what}"
    right = row._replace(id=change.ids[row.id])
    return Finding(change.repair, right, f"{short(row.id)!r} for {short(right.id)!r}", message)


def _pid(row: Row, context: Context) -> Finding | None:
    id_, ids = base_of_pid(row.id), context.ids[row.task]
    if id_ not in ids or any(row.id in others for others in ids.others.values()):
        return None
    return _as_id(row, id_)


def _spreadsheet(row: Row, context: Context) -> Finding | None:
    """A whole number with a decimal point, with commas, or without its leading zeros."""
    digits = whole_number(row.id)
    return _as_id(row, context.ids[row.task].by_number.get(digits.lstrip("0"))) if digits else None


def _other_split(row: Row, context: Context) -> Finding | None:
    """The id of another split, or of another benchmark's task of the same name."""
    candidates, others = {row.id, base_of_pid(row.id)}, context.ids[row.task].others.items()
    return next((DROPPED._replace(detail=name) for name, ids in others if not candidates.isdisjoint(ids)), None)


def _other_task(row: Row, context: Context) -> Finding | None:
    owners = [task for task, ids in context.ids.items() if row.id in ids]
    return Finding(f"read as {owners[0]}", row._replace(task=owners[0]), owners[0]) if len(owners) == 1 else None


def may_be_wrong(row: Row, _context: Context) -> bool:
    """Whether any rule about the text can apply: a quick test, since most rows are correct."""
    text = row.value
    if not isinstance(text, str) or len(text) > limits.MAX_TEXT or "\0" in text:
        return True
    stripped = text.strip()
    return not stripped or _is_nothing(stripped) or is_unfinished_thinking(text)


def _is_nothing(text: str) -> bool:
    return len(text) <= len(OFFICIAL_NOTHING) and (text.lower() in NOTHING or text == OFFICIAL_NOTHING)


def _not_a_text(row: Row, _context: Context) -> Finding | None:
    """A number, or a list of one text, can be read as a text."""
    if isinstance(row.value, str):
        return None
    alone = row.value[0] if type(row.value) is list and len(row.value) == 1 else row.value
    text, message = written(alone), f"The answer is {kind(row.value)}, not a text"
    if text is None:
        return Finding(message=message)
    return Finding(f"answer read as {short(text)!r}", row._replace(value=text), text, message)


def _nul(row: Row, _context: Context) -> Finding | None:
    if "\0" not in row.value:
        return None
    return Finding("NUL replaced by a space", row._replace(value=row.value.replace("\0", " ")))


def _nothing(row: Row, _context: Context) -> Finding | None:
    text = row.value.strip()
    return Finding("answer made empty", row._replace(value=""), text) if _is_nothing(text) else None


def _again(row: Row, context: Context, *, same: bool) -> Finding | None:
    """A hit if a later row has the same id, and with `same` also the same prediction."""
    last = context.last.get((row.task, row.id), row)
    if last is row or (same and last.value != row.value):
        return None
    if same:
        return DROPPED
    message = f"Duplicate ID with different answers. {_ROW_PER_REFERENCE}" if _row_per_reference(row, context) else ""
    return Finding("the later answer is kept", message=message)


_ALL_DIFFER = "These IDs differ from the known ones, all in the same way"
_ROW_PER_REFERENCE = "The data has a row for each reference of an example. Answer each example once, under its ID"

#: Rules about the form of an id.
FORM_RULES = (
    Rule("by-order", "The rows have no ID. Each carries the references of its place, so they are matched by order",
         _by_order, "take the IDs in the order of the data", safe=True, is_error=False, once=True),
    Rule("number-id", "The ID is a number. Write it in quotes", _number, _READ, safe=True, family="unreadable"),
    Rule("pid-column", "The row has a 'pid' but no 'id'", _pid_column, _READ, safe=True, family="unreadable"),
    Rule("row-per-reference", _ROW_PER_REFERENCE,
         lambda row, context: _row_per_reference(row, context) if row.reader_fault == "no-id" else None,
         family="unreadable", once=True),
    Rule("no-id", "The row has no 'id'", _no_id, "take the IDs in the order of the data", family="unreadable"),
    Rule("not-an-id", "The ID is not a text", _not_an_id, family="unreadable"),
)  # fmt: skip

#: Rules about an id that is not one of the task, in this order.
ID_RULES = (
    Rule("ids-differ", _ALL_DIFFER, _all_differ, "change all IDs in one way", safe=True, once=True),
    Rule("id-spelling", "ID with other capitals, spaces or quotes",
         lambda row, context: _as_id(row, context.ids[row.task].by_spelling.get(plain(row.id))), _READ,
         safe=True, family="unknown"),
    Rule("pid", "The 'pid' of a reference instead of the example's ID", _pid, _READ, safe=True, family="unknown"),
    Rule("spreadsheet-id", "ID written as a number by a spreadsheet", _spreadsheet, _READ, safe=True, family="unknown"),
    Rule("other-split", "The ID is of other data", _other_split, "drop the answer", family="unknown"),
    Rule("other-task", "The ID is of another task", _other_task, "count it for that task", family="unknown"),
    Rule("row-per-reference", _ROW_PER_REFERENCE, _row_per_reference, family="unknown", once=True),
    Rule("unknown", "Unknown ID", lambda _row, _context: DROPPED, "drop the answer"),
)  # fmt: skip

#: Rules about the text.
TEXT_RULES = (
    Rule("null", "The answer is null. Write a text; an empty one ('') scores 0",
         lambda row, _: Finding() if row.value is None else None),
    Rule("not-a-text", "The answer is not a text", _not_a_text,
         "read a number, or one text in a list, as it is written", safe=True),
    Rule("too-long", f"The answer is longer than {limits.MAX_TEXT:,} characters. Shorten it",
         lambda row, _: Finding() if len(row.value) > limits.MAX_TEXT else None),
    Rule("nul", "The answer has a NUL character, which a CSV file cannot hold", _nul, "put a space in its place"),
    Rule("nothing-word", "The answer is a word that programs write for a missing value", _nothing, "make it empty",
         is_error=False),
    Rule("unfinished-think", "The answer never leaves <think>, so it is cut off; all of it is scored as the answer",
         lambda row, _: Finding() if is_unfinished_thinking(row.value) else None, is_error=False),
    Rule("empty", "Empty answer (scores 0)", lambda row, _: None if row.value.strip() else Finding(), is_error=False),
)  # fmt: skip

#: Rules about rows for the same id; the last one is kept, as in the official check.
TWICE_RULES = (
    Rule("doubled", "Duplicate ID with the same answer; it counts once",
         lambda row, context: _again(row, context, same=True), "keep one", safe=True),
    Rule("conflict", "Duplicate ID with different answers. Keep one",
         lambda row, context: _again(row, context, same=False), "keep the later answer"),
)  # fmt: skip
