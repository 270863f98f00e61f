"""Input checks: every text is a string, and lone surrogates are replaced.

A lone surrogate (JSON can contain one) is not a character. Every public function replaces it by U+FFFD, which
changes no score.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeGuard, TypeVar

from .errors import EmptyInput, LengthMismatch, NotAText, UnreadableReference

T = TypeVar("T")
_SURROGATE = re.compile("[\ud800-\udfff]")


def clean_text(value: object, place: str) -> str:
    """Return the text, its lone surrogates replaced; `NotAText`, which names the place, for anything but a string."""
    if not isinstance(value, str):
        raise NotAText(value, place)
    return value if value.isascii() else _SURROGATE.sub("\ufffd", value)


def clean_references(value: object, example: int | None = None) -> list[str]:
    """Return one prediction's references as a list; a string is one. NotAText, or UnreadableReference without any."""
    place = "references" if example is None else f"references[{example}]"
    if isinstance(value, str):
        return [clean_text(value, place)]
    if not _holds_texts(value):
        raise NotAText(value, place, "not a text or a list of texts; give a list of strings")
    references = _clean_all(list(value), place)
    if not references:
        raise UnreadableReference("", None, example=example)
    return references


def read_references(read: Callable[[str], T | None], references: Sequence[str], fault: str) -> list[T]:
    """Return what `read` finds in each reference; `UnreadableReference` with this fault if it finds nothing."""
    values = []
    for i, text in enumerate(references):
        value = read(text)
        if value is None:
            raise UnreadableReference(fault, text, i)
        values.append(value)
    return values


def clean_columns(predictions: object, references: object) -> tuple[list[str], list[list[str]]]:
    """Return a task's predictions and references, all checked.

    NotAText, LengthMismatch, EmptyInput or UnreadableReference, with the position.
    """
    prediction_list, reference_list = as_list(predictions, "predictions"), as_list(references, "references")
    if len(prediction_list) != len(reference_list):
        raise LengthMismatch(predictions=len(prediction_list), references=len(reference_list))
    if not prediction_list:
        raise EmptyInput
    texts = _clean_all(prediction_list, "predictions")
    return texts, [clean_references(value, i) for i, value in enumerate(reference_list)]


def _clean_all(texts: Sequence[object], place: str) -> list[str]:
    """Return the texts, each as `clean_text` does; ASCII needs no change, and none of their names."""
    clean = [text for text in texts if isinstance(text, str) and text.isascii()]
    return clean if len(clean) == len(texts) else [clean_text(text, f"{place}[{i}]") for i, text in enumerate(texts)]


def as_list(column: object, name: str) -> Sequence[object]:
    """Return the column as a list; `NotAText` for a string, a mapping, a set (it has no order) or a table."""
    if not _holds_texts(column) or isinstance(column, (set, frozenset)):
        raise NotAText(column, name, "not a list of texts; give a list with one entry per prediction")
    return list(column)


def _holds_texts(value: object) -> TypeGuard[Iterable[object]]:
    """Return whether iterating gives the entries, and not characters or the keys of a mapping or pandas table."""
    if type(value) is list:
        return True
    if isinstance(value, (str, bytes, Mapping)) or hasattr(value, "columns"):
        return False
    return isinstance(value, Iterable) and getattr(value, "ndim", 1) > 0
