"""What the views of F1 and exact match share: the official normalisation step by step, tokens, references."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from unidecode import unidecode

from ..f1 import ARTICLE, NORMALIZATION, normalize
from .marks import first_characters, first_of
from .offenders import offending_characters
from .readings import Reading

#: The most characters whose normalisation is shown, and the most changes of one of its steps.
STEPS_LIMIT, CHANGES_LIMIT = 10_000, 100
#: The most characters of one token that are shown.
TOKEN_LIMIT = 200


def compared_view(reading: Reading, best: int, omitted: list[str]) -> dict[str, Any]:
    """The part of a view that shows the answer beside its references.

    `answer`: the text. `steps`: the normalisation of the answer, per step `{name, text, removed, replaced}`: the text
    after it, the pieces it took away, and those it wrote otherwise as `[before, after]`. `reference_steps`: the same
    for the best reference, whose index is `best_reference`. `references`: `{text, score}` each. `typography`: the
    characters that cost points (`offenders.py`), empty when none does; `lenient_score`: the score with all of them in
    ASCII on both sides.
    """
    return {
        "answer": first_characters(reading.prediction, "the answer", omitted),
        "steps": _steps(reading, reading.prediction, "the answer", omitted),
        "reference_steps": _steps(reading, reading.references[best], "the best reference", omitted),
        "best_reference": best,
        "references": _references(reading, omitted),
        "typography": offending_characters(reading),
        "lenient_score": reading.kinder.score,
    }


def tokens_of(reading: Reading, text: str) -> list[str]:
    """The tokens that the scorer compares."""
    return normalize(text, reading.task.steps).split()


def listed_tokens(tokens: Sequence[str], marks: Sequence[bool], what: str, omitted: list[str]) -> list[dict[str, Any]]:
    """The tokens as a view lists them, `{token, shared}`."""
    pairs = first_of(list(zip(tokens, marks, strict=True)), what, omitted)
    if any(len(token) > TOKEN_LIMIT for token, _ in pairs):
        omitted.append(f"of {what} longer than that only {TOKEN_LIMIT} characters are shown")
    return [{"token": token[:TOKEN_LIMIT], "shared": mark} for token, mark in pairs]


def _references(reading: Reading, omitted: list[str]) -> list[dict[str, Any]]:
    results = reading.task.score_all(
        [reading.prediction] * len(reading.references), [[reference] for reference in reading.references]
    )
    return [
        {"text": first_characters(text, f"reference {i + 1}", omitted), "score": result.score}
        for i, (text, result) in enumerate(zip(reading.references, results, strict=True))
    ]


def _steps(reading: Reading, text: str, whose: str, omitted: list[str]) -> list[dict[str, Any]]:
    text = first_characters(text, f"{whose}, step by step,", omitted, STEPS_LIMIT)
    steps = []
    for name in reading.task.steps:
        removed, replaced = CHANGES[name](text)
        text = NORMALIZATION[name](text)
        steps.append(
            {
                "name": name,
                "text": text,
                "removed": first_of(removed, f"pieces of {whose} removed ({name})", omitted, CHANGES_LIMIT),
                "replaced": first_of(replaced, f"pieces of {whose} replaced ({name})", omitted, CHANGES_LIMIT),
            }
        )
    return steps


_Changes = tuple[list[str], list[list[str]]]


def _lowercased(text: str) -> _Changes:
    return [], [[word, word.lower()] for word in text.split() if word != word.lower()]


def _without_punctuation(text: str) -> _Changes:
    return [character for character in text if character in string.punctuation], []


def _without_articles(text: str) -> _Changes:
    return ARTICLE.findall(text), []


def _squeezed(text: str) -> _Changes:
    return re.findall(r"^\s+|\s+$|\s{2,}|[^\S ]", text), []


def _transliterated(text: str) -> _Changes:
    return [], [[character, unidecode(character)] for character in text if not character.isascii()]


#: What each step of the normalisation does to a text: what it removes, and what it replaces by what.
CHANGES: Mapping[str, Callable[[str], _Changes]] = {
    "lowercase": _lowercased,
    "punctuation": _without_punctuation,
    "articles": _without_articles,
    "whitespace": _squeezed,
    "transliteration": _transliterated,
}
