"""References as rows have them, and what is wrong with a row, in the same words for files and sources of data."""

from dataclasses import dataclass, field

from zs_bench.files import limits
from zs_bench.files.entries import Entry
from zs_bench.files.json_text import JsonNumber, kind, written
from zs_bench.problems import Place, Problem
from zs_metric.texts import clean_text

_STEP = "Take references of a split that has them"
#: The message about an example without a reference.
IS_NULL = f"The reference is null, not a text. {_STEP}"


@dataclass(slots=True)
class Reference:
    """What one example is scored against.

    Attributes:
        texts: the references, of all rows of the example.
        places: where each text is, if they are from files.
        document: the name of the example's document, where known.
        fault: why the example cannot be scored against, which matters if its split is.
    """

    texts: list[str] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    document: str | None = None
    fault: Problem | None = None


def id_fault(row: Entry) -> Problem | None:
    """The problem of a row whose id is not a text, or too long."""
    if isinstance(row.id, JsonNumber):
        kind_, message, detail = "number-id", "The ID is a number. Write it in quotes", row.id.text
    elif not isinstance(row.id, str):
        kind_, message, detail = "not-an-id", f"The ID is {kind(row.id)}, not a text", None
    elif len(row.id) > limits.MAX_ID:
        kind_, message, detail = "not-an-id", f"The ID is longer than {limits.MAX_ID:,} characters", row.id[:60]
    else:
        return None
    id_ = row.id if isinstance(row.id, str) else None
    return Problem(kind_, message, row.task, id_, row.place, detail=detail, family="unreadable")


def texts_of(row: Entry) -> list[str] | Problem:
    """The references of a row, or the problem of one that is not a text or too long."""
    values = row.value if type(row.value) is list and row.value else [row.value]
    for value in values:
        if not isinstance(value, str):
            kind_, detail = "null-reference" if value is None else "not-a-text", written(value)
            message = IS_NULL if value is None else f"The reference is {kind(value)}, not a text. {_STEP}"
        elif len(value) > limits.MAX_TEXT:
            kind_, detail = "too-long", None
            message = f"The reference is longer than {limits.MAX_TEXT:,} characters. Shorten it"
        else:
            continue
        return Problem(kind_, message, row.task, row.id, row.place, detail=detail)
    return [clean_text(value, "reference") for value in values]
