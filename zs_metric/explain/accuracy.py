"""The view of a multiple-choice answer: which letters stand in it, which one was read, which one was meant."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from ..accuracy import LETTER, is_article, read_letter
from .marks import TEXT_LIMIT, first_characters, first_of
from .readings import Reading

# "the answer is (B)", "Answer: B", "the correct option would be B"; an A before a lowercase word may be the article.
_NAMED = re.compile(
    r"\b(?i:answer|option|choice)\s{0,3}(?:\b(?:is|would be|must be)\b|[:=])\W{0,4}([B-D]\b|A\b(?! [a-z]))"
)
# What a reader takes for an option letter where the evaluator finds none. In this order.
_MEANT = (
    ("a full-width letter", re.compile(r"(?<!\w)[Ａ-Ｄ](?!\w)")),
    ("a letter glued to another character", re.compile(r"(?<![A-Za-z0-9À-ɏ])[A-D](?![A-Za-z0-9À-ɏ])")),
    ("a lowercase letter", re.compile(r"(?<![\w'’])(?:[b-d]|a(?=[).:]|\s*$))(?![\w'’])")),
)


def view(reading: Reading) -> dict[str, Any]:
    """The data of the view.

    `answer`: the text. `letters`: the candidates, each `{start, end, letter, first}`; the first one is read.
    `article_trap`: whether that is the article "A". `named_letter`: the letter the answer names as its answer ("the
    answer is B"), or None. `reference_letters`. `would_be`: for an answer without a readable letter
    `{letter, start, end, how, answer, score}`, what a reader would have read, or None. `omitted`: sentences.
    """
    omitted: list[str] = []
    answer = first_characters(reading.prediction, "the answer", omitted)
    letters = [
        {"start": match.start(), "end": match.end(), "letter": match.group(), "first": not i}
        for i, match in enumerate(LETTER.finditer(answer))
    ]
    return {
        "answer": answer,
        "letters": first_of(letters, "letters", omitted, 200),
        "article_trap": is_article(reading.prediction),
        "named_letter": named_letter(reading.prediction),
        "reference_letters": _truths(reading),
        "would_be": _scored(reading, _would_be(answer)) if reading.result.parsed is None else None,
        "omitted": omitted,
    }


def is_misread(reading: Reading) -> bool:
    """Whether the letter read is the article "A", or not the right one that the answer names as its answer."""
    return is_article(reading.prediction) or named_letter(reading.prediction) in _truths(reading)


def named_letter(text: str) -> str | None:
    """The letter that the answer itself names as its answer.

    >>> named_letter("A is tempting, but the answer is B"), named_letter("I'd choose D")
    ('B', None)
    """
    match = _NAMED.search(text[:TEXT_LIMIT])
    return match.group(1) if match else None


def repairs(reading: Reading) -> Iterator[tuple[str, str]]:
    """What could have been written instead: (the change, the answer)."""
    text = reading.prediction
    named, meant, first = named_letter(text), _would_be(text), LETTER.search(text)
    if named:
        yield "the letter that the answer names, alone", named
    if first is None and meant:
        yield f"{meant['how']} written as a plain capital", meant["letter"]
    if first and is_article(text):
        after = read_letter(text[first.end() :])
        if after:
            yield "the letter after the article “A”, alone", after


def _truths(reading: Reading) -> list[str | None]:
    return [read_letter(text) for text in reading.references]


def _scored(reading: Reading, meant: dict[str, Any] | None) -> dict[str, Any] | None:
    return meant and {**meant, "answer": meant["letter"], "score": reading.score_answers([meant["letter"]])[0]}


def _would_be(text: str) -> dict[str, Any] | None:
    for how, pattern in _MEANT:
        match = pattern.search(text)
        if match:
            letter = unicodedata.normalize("NFKC", match.group()).upper()
            return {"letter": letter, "start": match.start(), "end": match.end(), "how": how}
    return None
