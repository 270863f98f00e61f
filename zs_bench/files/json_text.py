"""JSON as written: duplicate keys are kept, numbers are texts, errors have a position."""

import json
from typing import Any, NamedTuple

from zs_bench.errors import UnusableInput
from zs_bench.files import limits

#: The message about an empty file.
EMPTY = "the file is empty; write it again, or leave it out"
# How files begin that are no text.
_NOT_TEXT = {
    b"PK\x03\x04": "a ZIP or an Excel workbook, whatever its name says; name a ZIP .zip, and save a workbook as CSV",
    b"\xd0\xcf\x11\xe0": "an Excel or Word file, not text; save it as CSV",
    b"%PDF": "a PDF, not text; give the file that holds the texts",
    b"\x1f\x8b": "packed with gzip; let its name end in .gz, or unpack it",
    b"\x89PNG": "an image",
    b"\xff\xd8\xff": "an image",
}


class JsonObject(list[tuple[str, Any]]):
    """A JSON object as pairs of key and value, duplicate keys included."""

    __slots__ = ()


class JsonNumber(NamedTuple):
    """A number as written: no field takes a number, and converting one of a million digits takes minutes."""

    text: str


_KINDS = {JsonObject: "an object", list: "a list", str: "a text", bool: "true or false"}
_KINDS |= {JsonNumber: "a number", int: "a number"}


def decode(data: bytes) -> str:
    """The text, without a byte order mark; raises `UnusableInput` when it is not UTF-8."""
    refuse_binary(data)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where, line = f"byte {data[error.start]:#04x}", data.count(b"\n", 0, error.start) + 1
        where += f" of line {line}" if b"\n" in data.rstrip() else ""
        raise UnusableInput("the text is not UTF-8; save the file as UTF-8", where) from None


def refuse_binary(data: bytes) -> None:
    """Raise `UnusableInput` for the beginning of a file that is no text in UTF-8."""
    if kinds := [name for start, name in _NOT_TEXT.items() if data.startswith(start)]:
        raise UnusableInput(f"the file is {kinds[0]}")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or 0 in data[:2]:
        raise UnusableInput("the file is UTF-16, or no text; save it as UTF-8")


def parse(text: str) -> Any:
    """The JSON value; objects as `JsonObject`, numbers (NaN and Infinity too) as `JsonNumber`.

    Raises `UnusableInput` if it is not JSON, or has too many values or levels.
    """
    if sum(map(text.count, "[{,")) > limits.current().values:
        raise UnusableInput(f"the JSON has more than {limits.current().values:,} commas and brackets")
    try:
        return json.loads(
            text, object_pairs_hook=JsonObject, parse_int=JsonNumber, parse_float=JsonNumber, parse_constant=JsonNumber
        )
    except json.JSONDecodeError as error:
        if error.msg.startswith("Unterminated") or not text[error.pos :].strip():
            raise UnusableInput("the JSON ends too early; is the file complete?") from None
        where = f"line {error.lineno}, column {error.colno}" if "\n" in text else f"column {error.colno}"
        raise UnusableInput("the JSON cannot be read", f"{error.msg.strip().removesuffix(' at')} at {where}") from None
    except RecursionError:
        raise UnusableInput("the JSON is nested too deeply") from None


def with_whole_numbers(value: Any) -> Any:
    """The value with the whole numbers in it, or in a list, as numbers."""
    if isinstance(value, JsonNumber) and value.text.isdecimal() and len(value.text) < 19:
        return int(value.text)
    return list(map(with_whole_numbers, value)) if type(value) is list else value


def plain(value: Any) -> Any:
    """The value as Python's own JSON reader gives it: objects as dictionaries, numbers as numbers.

    >>> plain(parse('[{"a": 1, "b": [0.5]}, null]'))
    [{'a': 1, 'b': [0.5]}, None]
    """
    if isinstance(value, JsonObject):
        return {name: plain(inner) for name, inner in value}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    if not isinstance(value, JsonNumber):
        return value
    try:
        return json.loads(value.text)
    except ValueError:  # Python converts whole numbers of at most 4,300 digits
        return float(value.text)


def fields(value: object) -> dict[str, Any]:
    """The fields of an object, the last of duplicates; empty for any other value."""
    return dict(value) if isinstance(value, JsonObject) else {}


def first(values: object) -> dict[str, Any]:
    """The fields of the first of several objects."""
    return fields(values[0]) if isinstance(values, list) and values else {}


def kind(value: object) -> str:
    """What kind of JSON value it is, in words."""
    if isinstance(value, list) and not value:
        return "an empty object" if isinstance(value, JsonObject) else "an empty list"
    return _KINDS.get(type(value), "null")


def written(value: object) -> str | None:
    """A text or number as written, for messages; `None` for anything else."""
    return value.text if isinstance(value, JsonNumber) else value if isinstance(value, str) else None
