"""Rules about ids that are not ids of the task, and the ids that were probably meant."""

from zs_bench.files import limits
from zs_bench.files.json_text import JsonNumber, kind
from zs_bench.problems import short
from zs_bench.validation.known_ids import OFFERED, base_of_pid, same_last_number, whole_number
from zs_bench.validation.rules import Context, Hit, Row, Rule, as_id, dropped


def number(row: Row, _context: Context) -> Hit | None:
    """A JSON number; the id is the number as written."""
    if not isinstance(row.id, JsonNumber):
        return None
    return as_id(row, row.id.text)._replace(detail=row.id.text)


def pid_column(row: Row, context: Context) -> Hit | None:
    """A row with a `pid` and no `id`; the id is part of the `pid`."""
    if row.flaw != "pid" or row.salvaged is None:
        return None
    known = context.ids.get(row.task, ())
    for id_ in (base_of_pid(row.id), row.id) if isinstance(row.id, str) else ():
        if id_ in known:
            return as_id(row, str(id_))._replace(message=row.salvaged.message)
    return Hit(message=row.salvaged.message, detail=row.salvaged.detail)


def no_id(row: Row, context: Context) -> Hit | None:
    """A row without an id. If there are as many rows as ids, they may be in the order of the data."""
    if row.flaw != "no-id" or row.salvaged is None:
        return None
    message, detail = row.salvaged.message, row.salvaged.detail
    known = context.ids.get(row.task)
    if known is None or len(context.groups[row.name]) != len(known):
        return Hit(message=message, detail=detail)
    id_ = known.ids[context.positions[row.number]]
    right = row._replace(id=id_, salvaged=None)
    return Hit(f"read as the answer to {id_!r}, by its position in the file", right, detail, message)


def not_an_id(row: Row, _context: Context) -> Hit | None:
    """A value that cannot be an id."""
    if not isinstance(row.id, str):
        return Hit(message=f"The ID is {kind(row.id)}, not a text")
    too_long = f"The ID is longer than {limits.MAX_ID:,} characters"
    return Hit(detail=row.id[:60], message=too_long) if len(row.id) > limits.MAX_ID else None


def spelling(row: Row, context: Context) -> Hit | None:
    """An id with other spaces, quotes or case."""
    id_ = context.ids[row.task].spelt(row.id)
    return as_id(row, id_) if id_ else None


def pid(row: Row, context: Context) -> Hit | None:
    """The `pid` of a reference instead of the id."""
    id_, ids = base_of_pid(row.id), context.ids[row.task]
    if id_ is None or id_ not in ids or any(row.id in others for others in ids.others.values()):
        return None
    return as_id(row, id_)


def spreadsheet(row: Row, context: Context) -> Hit | None:
    """A whole number with a decimal point, with commas, or without its leading zeros."""
    digits = whole_number(row.id)
    id_ = digits and context.ids[row.task].numbered(digits)
    return as_id(row, id_) if id_ else None


def other_split(row: Row, context: Context) -> Hit | None:
    """The id of another split, or of another benchmark's task of the same name."""
    candidates, others = {row.id, base_of_pid(row.id)}, context.ids[row.task].others.items()
    return next((dropped(name) for name, ids in others if not candidates.isdisjoint(ids)), None)


def other_task(row: Row, context: Context) -> Hit | None:
    """The id of another task."""
    owners = [task for task, ids in context.ids.items() if row.id in ids]
    return Hit(f"read as {owners[0]}", row._replace(task=owners[0]), owners[0]) if len(owners) == 1 else None


def near(row: Row, context: Context) -> Hit | None:
    """An id very similar to the only such id without a prediction, with the same last number."""
    candidates = [id_ for id_, like in context.nearest(row) if like >= OFFERED and same_last_number(row.id, id_)]
    return _only_free(row, context, candidates)


def unknown(row: Row, context: Context) -> Hit | None:
    """Any other id that is not one of the task."""
    likely = [short(id_) for id_, _ in context.nearest(row)]
    return dropped(f"similar to {', '.join(likely)}" if likely else None)


def _only_free(row: Row, context: Context, candidates: list[str]) -> Hit | None:
    free = {id_ for id_ in candidates if context.free(row.task, id_)}
    return as_id(row, free.pop()) if len(free) == 1 else None


_READ = "read it as the ID that was meant"

#: Rules about the form of an id.
FORM_RULES = (
    Rule("number-id", "The ID is a number. Write it in quotes", number, _READ, safe=True, family="unreadable"),
    Rule("pid-column", "The row has a 'pid' but no 'id'", pid_column, _READ, safe=True, family="unreadable"),
    Rule("no-id", "The row has no 'id'", no_id, "take the IDs in the order of the data", family="unreadable"),
    Rule("not-an-id", "The ID is not a text", not_an_id, family="unreadable"),
)

#: Rules about an id that is not one of the task, in this order.
ID_RULES = (
    Rule("id-spelling", "ID with other capitals, spaces or quotes", spelling, _READ, safe=True, family="unknown"),
    Rule("pid", "The 'pid' of a reference instead of the example's ID", pid, _READ, safe=True, family="unknown"),
    Rule("spreadsheet-id", "ID written as a number by a spreadsheet", spreadsheet, _READ, safe=True, family="unknown"),
    Rule("other-split", "The ID is of other data", other_split, "drop the answer", family="unknown"),
    Rule("other-task", "The ID is of another task", other_task, "count it for that task", family="unknown"),
    Rule(
        "near-id", "Unknown ID, similar to one without an answer", near, "read it as the similar ID", family="unknown"
    ),
    Rule("unknown", "Unknown ID", unknown, "drop the answer"),
)
