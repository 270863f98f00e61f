"""Rules about the text of a prediction, and about several rows for one id."""

from zs_bench.files import limits
from zs_bench.files.json_text import kind, written
from zs_bench.problems import short
from zs_bench.validation.rules import Context, Hit, Row, Rule, dropped

#: What programs write for a missing value, in lowercase.
NOTHING = frozenset({"nan", "none", "null", "<na>", "n/a", "nat", "undefined"})
#: The text that the official check reads as a missing value.
OFFICIAL_NOTHING = "!@#$%^&*()"


def may_be_wrong(row: Row, _context: Context) -> bool:
    """Whether any rule about the text can apply: a quick test, since most rows are correct."""
    text = row.value
    if not isinstance(text, str) or len(text) > limits.MAX_TEXT or "\0" in text:
        return True
    stripped = text.strip()
    return not stripped or _is_nothing(stripped)


def _is_nothing(text: str) -> bool:
    return len(text) <= len(OFFICIAL_NOTHING) and (text.lower() in NOTHING or text == OFFICIAL_NOTHING)


def null(row: Row, _context: Context) -> Hit | None:
    """Null in JSON."""
    return Hit() if row.value is None else None


def not_a_text(row: Row, _context: Context) -> Hit | None:
    """A value that is not a text. A number, or a list of one text, can be read as a text."""
    if isinstance(row.value, str):
        return None
    alone = row.value[0] if type(row.value) is list and len(row.value) == 1 else row.value
    text, message = written(alone), f"The answer is {kind(row.value)}, not a text"
    if text is None:
        return Hit(message=message)
    return Hit(f"answer read as {short(text)!r}", row._replace(value=text), text, message)


def too_long(row: Row, _context: Context) -> Hit | None:
    """A text beyond the length limit."""
    return Hit() if len(row.value) > limits.MAX_TEXT else None


def nul(row: Row, _context: Context) -> Hit | None:
    """A NUL character, which a CSV file cannot hold."""
    if "\0" not in row.value:
        return None
    return Hit("NUL replaced by a space", row._replace(value=row.value.replace("\0", " ")))


def nothing(row: Row, _context: Context) -> Hit | None:
    """A word that programs write for a missing value."""
    text = row.value.strip()
    return Hit("answer made empty", row._replace(value=""), text) if _is_nothing(text) else None


def empty(row: Row, _context: Context) -> Hit | None:
    """Only white space."""
    return None if row.value.strip() else Hit()


def doubled(row: Row, context: Context) -> Hit | None:
    """The same prediction for the same id in a later row."""
    last = context.last.get((row.task, row.id), row)
    return dropped() if last is not row and last.value == row.value else None


def conflict(row: Row, context: Context) -> Hit | None:
    """Another prediction for the same id in a later row."""
    return None if context.last.get((row.task, row.id), row) is row else dropped()


#: Rules about the text.
TEXT_RULES = (
    Rule("null", "The answer is null. Write a text; an empty one ('') scores 0", null),
    Rule("not-a-text", "The answer is not a text", not_a_text, "read a number, or one text in a list, as it is written",
         safe=True),
    Rule("too-long", f"The answer is longer than {limits.MAX_TEXT:,} characters. Shorten it", too_long),
    Rule("nul", "The answer has a NUL character, which a CSV file cannot hold", nul, "put a space in its place"),
    Rule("nothing-word", "The answer is a word that programs write for a missing value", nothing, "make it empty",
         refuses=False),
    Rule("empty", "Empty answer (scores 0)", empty, refuses=False),
)  # fmt: skip

#: Rules about rows for the same id; the last one is kept, as in the official check.
TWICE_RULES = (
    Rule("doubled", "Duplicate ID with the same answer; it counts once", doubled, "keep one", safe=True),
    Rule("conflict", "Duplicate ID with different answers. Keep one", conflict, "keep the later answer"),
)
