"""What an example is scored against, as rows have it: for files and for sources of data."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from zs_bench.files import limits
from zs_bench.files.entries import Entry
from zs_bench.files.json_text import kind, written
from zs_bench.problems import Place, Problem
from zs_metric.texts import clean_text

_STEP = "Take references of a split that has them"
#: The message about an example without a reference.
IS_NULL = f"The reference is null, not a text. {_STEP}"
IS_EMPTY = f"The reference is empty, as where a split has none. {_STEP}"


def is_blank(texts: Iterable[str]) -> bool:
    """Whether none of the texts has a letter: a task's unlabelled split is often written so."""
    return not any(text.strip() for text in texts)


@dataclass(slots=True)
class Reference:
    """What one example is scored against.

    Attributes:
        texts: the references, of all rows of the example.
        places: where each text is, if they are from files.
        document: the name of the example's document, where known.
        facts: what else the row says of the example, as `Entry.facts`.
        is_of_row: whether the row had no id, so that its id was made of what it holds.
        question: for a row that answers the question of another one again, the id of that one.
        fault: why the example cannot be scored against, which matters if its split is.
        place: of its first row, if it is from a file.
    """

    texts: list[str] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    document: str | None = None
    facts: tuple[str, ...] = ()
    is_of_row: bool = False
    question: str | None = None
    fault: Problem | None = None
    place: Place | None = None


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
