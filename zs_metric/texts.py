"""Texts as they enter: checked for being texts, and freed of lone surrogates.

A lone surrogate (JSON can carry one) is no character; it is replaced by U+FFFD by every door. No score changes by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeGuard

from .errors import EmptyInput, LengthMismatch, NotAText, UnreadableReference

_SURROGATE = re.compile("[\ud800-\udfff]")


def clean_text(value: object, place: str) -> str:
    """The text without lone surrogates.

    Raises:
        NotAText: when `value` is no string; `place` says where it stands.
    """
    if not isinstance(value, str):
        raise NotAText(value, place)
    return value if value.isascii() else _SURROGATE.sub("\ufffd", value)


def clean_references(value: object, example: int | None = None) -> list[str]:
    """One answer's references as a list; a lone string is a list of one. `example` is the position, for the errors.

    Raises:
        NotAText: for anything that is neither a text nor a list of texts.
        UnreadableReference: for an empty list.
    """
    place = "references" if example is None else f"references[{example}]"
    if isinstance(value, str):
        return [clean_text(value, place)]
    if not _holds_texts(value):
        raise NotAText(value, place, "not a text or a list of texts; give a list of strings")
    references = [clean_text(text, f"{place}[{i}]") for i, text in enumerate(value)]
    if not references:
        raise UnreadableReference("the list is empty", None, example=example)
    return references


def clean_columns(predictions: object, references: object) -> tuple[list[str], list[list[str]]]:
    """A whole task's texts, checked at every position.

    Raises:
        NotAText, LengthMismatch, EmptyInput, UnreadableReference: with the position.
    """
    prediction_list, reference_list = as_list(predictions, "predictions"), as_list(references, "references")
    if len(prediction_list) != len(reference_list):
        raise LengthMismatch(predictions=len(prediction_list), references=len(reference_list))
    if not prediction_list:
        raise EmptyInput
    return (
        [clean_text(text, f"predictions[{i}]") for i, text in enumerate(prediction_list)],
        [clean_references(texts, i) for i, texts in enumerate(reference_list)],
    )


def as_list(column: object, name: str) -> Sequence[object]:
    """The column as a list.

    Raises:
        NotAText: for one string, a mapping, a set (it has no order), a whole table or no collection at all.
    """
    if not _holds_texts(column) or isinstance(column, (set, frozenset)):
        raise NotAText(column, name, "not a list of texts; give a list with one entry per answer")
    return list(column)


def _holds_texts(value: object) -> TypeGuard[Iterable[object]]:
    """Whether iterating gives the entries: not a string's characters, a mapping's or a pandas table's column names."""
    if isinstance(value, (str, bytes, Mapping)) or hasattr(value, "columns"):
        return False
    return isinstance(value, Iterable) and getattr(value, "ndim", 1) > 0
