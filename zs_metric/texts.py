"""Input checks: every text is a string, and lone surrogates are replaced.

A lone surrogate (JSON can contain one) is not a character. Every public function replaces it by U+FFFD, which
changes no score.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeGuard, TypeVar

from .errors import EmptyInput, LengthMismatch, NotAText, UnreadableReference

T = TypeVar("T")
_SURROGATE = re.compile("[\ud800-\udfff]")


class RowReferences(list[str]):
    """The references of an example, with the fields of its row that its metric asks for (`Metric.fields`).

    They are a list of texts wherever the fields do not matter.
    """

    def __init__(self, texts: Iterable[str], row: Mapping[str, Any]) -> None:
        super().__init__(texts)
        self.row = row


def with_row(texts: Iterable[str], row: Mapping[str, Any] | None) -> list[str]:
    """Return references as a new list, with the fields of their row if there are any."""
    return RowReferences(texts, row) if row else list(texts)


def row_of(references: Sequence[str]) -> Mapping[str, Any]:
    """Return the fields of the row that come with references; none where they are a plain list."""
    return references.row if isinstance(references, RowReferences) else {}


def clean_text(value: object, place: str) -> str:
    """Return the text, its lone surrogates replaced; `NotAText`, which names the place, for anything but a string."""
    if not isinstance(value, str):
        raise NotAText(value, place)
    return _SURROGATE.sub("\ufffd", value) if not value.isascii() and _has_surrogate(value) else value


def _has_surrogate(text: str) -> bool:
    """Return whether the text has a lone surrogate, which no encoding of Unicode has."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


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
    return with_row(references, value.row) if isinstance(value, RowReferences) else references


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
    """Return the texts, each as `clean_text` does; most need no change, and none of their names."""
    clean = [text for text in texts if isinstance(text, str) and (text.isascii() or not _has_surrogate(text))]
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
