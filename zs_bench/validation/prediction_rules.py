"""Rules about the id and the text of a prediction, and about several rows for one id."""

from zs_bench.files import limits
from zs_bench.files.json_text import JsonNumber, kind, written
from zs_bench.problems import short
from zs_bench.validation.known_ids import base_of_pid, plain
from zs_bench.validation.rules import DROPPED, NOTHING, Context, Finding, Row, Rule
from zs_metric.texts import is_unfinished_thinking

#: The text that the official check reads as a missing value.
OFFICIAL_NOTHING = "!@#$%^&*()"
_READ = "read it as the ID that was meant"


def _unquoted_comma(row: Row, _context: Context) -> Finding | None:
    """A prediction with unquoted commas, or semicolons in a file of these: it is everything after the id."""
    if row.fault is None or row.fault.kind != "unquoted-comma":
        return None
    return Finding("answer read to the end of the row", row._replace(fault=None), row.fault.detail, row.fault.message)


def _by_order(row: Row, context: Context) -> Finding | None:
    id_ = context.group(row).ids_in_order.get(row.number) if row.fault else None
    return Finding("IDs taken in the order of the data", row._replace(id=id_, fault=None)) if id_ else None


def _row_per_reference(row: Row, context: Context) -> Finding | None:
    """Without an ID, or with one that is not known, and with as many rows as references."""
    return Finding() if context.group(row).is_by_reference else None


def _number(row: Row, _context: Context) -> Finding | None:
    if not isinstance(row.id, JsonNumber):
        return None
    text = row.id.text
    return Finding(f"read as {text!r}", row._replace(id=text), text)


def _not_an_id(row: Row, _context: Context) -> Finding | None:
    if row.fault:
        return Finding(message=row.fault.message, detail=row.fault.detail)
    if not isinstance(row.id, str):
        return Finding(message=f"The ID is {kind(row.id)}, not a text")
    too_long = f"The ID is longer than {limits.MAX_ID:,} characters"
    return Finding(detail=row.id[:60], message=too_long) if len(row.id) > limits.MAX_ID else None


def _as_id(row: Row, id_: str | None) -> Finding | None:
    if not id_:
        return None
    return Finding(f"read as {id_!r}", row._replace(id=id_), f"did you mean {short(id_)}?")


def _pid(row: Row, context: Context) -> Finding | None:
    id_, ids = base_of_pid(row.id), context.ids[row.task]
    of_other = any(row.id in others for others in ids.others.values())
    return _as_id(row, id_) if id_ in ids and not of_other else None


def _all_differ(row: Row, context: Context) -> Finding | None:
    change = context.group(row).change
    if change is None:
        return None
    id_ = change.ids[row.id]
    detail = f"{short(row.id)!r} for {short(id_)!r}"
    return Finding("every ID written as the known one", row._replace(id=id_), detail, f"{_ALL_DIFFER}: {change.what}")


def _spelling(row: Row, context: Context) -> Finding | None:
    return _as_id(row, context.ids[row.task].by_spelling.get(plain(row.id)))


def _other_data(row: Row, context: Context) -> Finding | None:
    """The id of another task or split, or of another benchmark's task of the same name."""
    candidates, others = {row.id, base_of_pid(row.id)}, context.ids[row.task].others.items()
    names = [name for name, ids in others if not candidates.isdisjoint(ids)]
    names += [task for task, ids in context.ids.items() if row.id in ids]
    return DROPPED._replace(detail=names[0]) if names else None


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


def _doubled(row: Row, context: Context) -> Finding | None:
    last = context.last.get((row.task, row.id), row)
    return DROPPED if last is not row and last.value == row.value else None


def _conflict(row: Row, context: Context) -> Finding | None:
    last = context.last.get((row.task, row.id), row)
    return Finding("the later answer is kept") if last is not row else None


_ROW_PER_REFERENCE = "The data has a row for each reference of an example. Answer each example once, under its ID"
_ALL_DIFFER = "These IDs differ from the known ones, all in the same way"

#: Rules about what the reader found, and about the form of an id.
FORM_RULES = (
    Rule("unquoted-comma", "Unquoted commas: the row has too many cells", _unquoted_comma,
         "read all that follows the ID as the answer", safe=True, family="unreadable"),
    Rule("by-order", "The rows have no ID. Each carries the references of its place, so they are matched by order",
         _by_order, "take the IDs in the order of the data", safe=True, is_error=False, once=True),
    Rule("row-per-reference", _ROW_PER_REFERENCE,
         lambda row, context: _row_per_reference(row, context) if row.fault else None, family="unreadable", once=True),
    Rule("number-id", "The ID is a number. Write it in quotes", _number, _READ, safe=True, family="unreadable"),
    Rule("not-an-id", "The ID is not a text", _not_an_id, family="unreadable"),
)  # fmt: skip

#: Rules about an id that is not one of the task, in this order.
ID_RULES = (
    Rule("pid", "The 'pid' of a reference instead of the example's ID", _pid, _READ, safe=True, family="unknown"),
    Rule("ids-differ", _ALL_DIFFER, _all_differ, "change all IDs in one way", safe=True, once=True),
    Rule("id-spelling", "ID with other capitals, spaces or quotes, or written as a number by a spreadsheet", _spelling,
         _READ, safe=True, family="unknown"),
    Rule("other-split", "The ID is of other data", _other_data, "drop the answer", family="unknown"),
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
    Rule("doubled", "Duplicate ID with the same answer; it counts once", _doubled, "keep one", safe=True),
    Rule("conflict", "Duplicate ID with different answers. Keep one", _conflict, "keep the later answer"),
)  # fmt: skip
