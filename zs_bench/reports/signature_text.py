"""The text form of a signature (`zs_bench.reports.signature`): `benchmark|name:value|…`, written and read back.

Values are percent-encoded (RFC 3986) but for letters, digits and `-._~:/+@`; a list's are joined by commas. Two words
have a meaning of their own in a list, `all` (the tasks of the benchmark's average) and `none`; a value that is one of
them is written with its first letter encoded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote, unquote

from zs_metric.errors import ZeroScrollsError, did_you_mean

#: The fields in the order they are written; `source` alone may be missing.
FIELDS = ("tasks", "source", "data", "n", "rouge", "stem", "norm", "post", "engine", "unidecode", "v")
_ALL, _NONE = "all", "none"


class UnreadableSignature(ZeroScrollsError):
    """A text that is no signature.

    Attributes:
        why: what is wrong with it.
    """

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(f"this cannot be read as a signature: {why}; copy the whole line, such as ZS|tasks:…")


def write(
    *,
    benchmark: str,
    lists: Mapping[str, tuple[str, ...]],
    all_tasks: tuple[str, ...],
    texts: Mapping[str, str | None],
    counts: tuple[int, int],
    stemming: bool,
) -> str:
    """The signature's text from its fields by name; a text that is `None` is left out."""
    written = {
        **{name: _write_list(values, all_tasks) for name, values in lists.items()},
        **{name: _escape(text) for name, text in texts.items() if text is not None},
        "n": f"{counts[0]}/{sum(counts)}",
        "stem": "yes" if stemming else "no",
    }
    return "|".join([_escape(benchmark), *(f"{name}:{written[name]}" for name in FIELDS if name in written)])


def read_fields(text: str) -> tuple[str, dict[str, str]]:
    """The benchmark, and the fields by name, still encoded.

    Raises:
        UnreadableSignature: for a field that is not known, there twice, or lacking.
    """
    benchmark, *parts = "".join(text.split()).split("|")
    fields: dict[str, str] = {}
    for part in parts:
        name, _, value = part.partition(":")
        if name not in FIELDS:
            hint = did_you_mean(name, FIELDS) or f"the fields are {', '.join(FIELDS)}"
            raise UnreadableSignature(f"there is no field {name[:40]!r} ({hint})")
        if name in fields:
            raise UnreadableSignature(f"the field {name} is there twice")
        fields[name] = value
    lacking = [name for name in FIELDS if name not in fields and name != "source"]
    if lacking:
        raise UnreadableSignature(f"it lacks {', '.join(lacking)}")
    return read_text(benchmark), fields


def read_counts(text: str) -> tuple[int, int]:
    """How many answers there are, and how many are missing, from `470/473`."""
    match = re.fullmatch("([0-9]{1,15})/([0-9]{1,15})", text)
    if match is None or int(match[1]) > int(match[2]):
        raise UnreadableSignature(f"the field n is {text[:40]!r}, not answers/examples such as 470/473")
    return int(match[1]), int(match[2]) - int(match[1])


def read_yes_or_no(text: str) -> bool:
    """Whether the field stem says yes."""
    if text not in ("yes", "no"):
        raise UnreadableSignature(f"the field stem is {text[:40]!r}, not yes or no")
    return text == "yes"


def read_list(text: str, all_tasks: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The values of a list, of which `all` stands for all tasks.

    Raises:
        UnreadableSignature: for `all` where that is nothing, as of a benchmark that is not known.

    >>> read_list("none"), read_list("qasper,quality")
    ((), ('qasper', 'quality'))
    """
    if text == _ALL:
        if not all_tasks:
            raise UnreadableSignature("'all' stands for the tasks of no known benchmark")
        return all_tasks
    return () if text == _NONE else tuple(map(read_text, text.split(",")))


def read_text(text: str) -> str:
    """A value, decoded."""
    try:
        return unquote(text, errors="surrogatepass")
    except UnicodeDecodeError:
        raise UnreadableSignature(f"{text[:40]!r} is no percent-encoded UTF-8") from None


def _write_list(values: Sequence[str], all_tasks: Sequence[str]) -> str:
    if values and values == all_tasks:
        return _ALL
    return ",".join(_escape_item(value) for value in values) if values else _NONE


def _escape_item(value: str) -> str:
    return f"%{ord(value[0]):X}{value[1:]}" if value in (_ALL, _NONE) else _escape(value)


def _escape(text: str) -> str:
    return quote(text, safe=":/+@", errors="surrogatepass")
