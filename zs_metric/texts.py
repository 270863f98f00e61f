"""Texts as they enter: checked for being texts, and freed of lone surrogates.

A lone surrogate (JSON can carry one) is no character; it is replaced by U+FFFD by every door. No score changes by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

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
    if not isinstance(value, Iterable) or isinstance(value, (bytes, dict)):
        raise NotAText(value, place)
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
        NotAText: for one string, a mapping or no collection at all, where a list of texts belongs.
    """
    if isinstance(column, (str, bytes, dict)) or not isinstance(column, Iterable):
        raise NotAText(column, f"{name} (a list is needed)")
    return list(column)
