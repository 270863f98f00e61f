"""Answers that are no texts, or none that was meant; and answers that stand twice."""

from __future__ import annotations

from dataclasses import replace

from zs_bench.doctor.rules import Around, Hit, Row, Rule, left_out
from zs_bench.files import limits
from zs_bench.files.json_text import kind, written
from zs_bench.problems import short

#: What programs write for an answer that is not there, in small letters.
NOTHING = frozenset({"nan", "none", "null", "<na>", "n/a", "nat", "undefined"})
#: The text that the official check reads as no answer at all.
OFFICIAL_NOTHING = "!@#$%^&*()"


def null(row: Row, _around: Around) -> Hit | None:
    """Null in JSON."""
    return Hit() if row.value is None else None


def no_text(row: Row, _around: Around) -> Hit | None:
    """No text; a number, or a text alone in a list, is what is written."""
    if isinstance(row.value, str):
        return None
    alone = row.value[0] if type(row.value) is list and len(row.value) == 1 else row.value
    text, what = written(alone), kind(row.value)
    if text is None:
        return Hit(detail=what)
    return Hit(f"the answer is read as {short(text)!r}", replace(row, value=text), what)


def too_long(row: Row, _around: Around) -> Hit | None:
    """More than can be read."""
    return Hit() if len(row.value) > limits.MAX_TEXT else None


def nul(row: Row, _around: Around) -> Hit | None:
    """A character that no CSV file can hold."""
    if "\0" not in row.value:
        return None
    return Hit("a blank is put in its place", replace(row, value=row.value.replace("\0", " ")))


def nothing(row: Row, _around: Around) -> Hit | None:
    """The word that a program writes for no answer."""
    text = row.value.strip()
    if text.lower() not in NOTHING and text != OFFICIAL_NOTHING:
        return None
    return Hit("the answer is made empty", replace(row, value=""), text)


def empty(row: Row, _around: Around) -> Hit | None:
    """Nothing but blanks."""
    return None if row.value.strip() else Hit()


def doubled(row: Row, around: Around) -> Hit | None:
    """The same answer to the same id once more below."""
    last = around.last.get((row.task, row.id), row)
    return left_out() if last is not row and last.value == row.value else None


def conflict(row: Row, around: Around) -> Hit | None:
    """Another answer to the same id below."""
    return None if around.last.get((row.task, row.id), row) is row else left_out()


#: Of the text, once it is known whose it is.
TEXT_RULES = (
    Rule("null", "the answer is null, which is none", null),
    Rule(
        "not-a-text",
        "the answer is no text",
        no_text,
        "write a number, or a text alone in a list, as a text",
        safe=True,
    ),
    Rule("too-long", f"the answer is longer than {limits.MAX_TEXT:,} characters", too_long),
    Rule("nul", "the answer has a NUL character, which no CSV file can hold", nul, "put a blank in its place"),
    Rule("nothing-word", "the answer is a word that programs write for none", nothing, "make it empty", refuses=False),
    Rule("empty", "the answer is empty; it is scored, 0", empty, refuses=False),
)

#: Of rows for the same id; the last one is kept, as the official check keeps it.
TWICE_RULES = (
    Rule("doubled", "the same id stands twice with the same answer", doubled, "keep one", safe=True),
    Rule(
        "conflict",
        "the same id stands twice with different answers; the official check keeps the last",
        conflict,
        "keep the last",
    ),
)
