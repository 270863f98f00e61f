"""The view of an F1 answer: the official normalisation step by step, and the tokens that answer and reference share."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from unidecode import unidecode

from ..f1 import ARTICLE, NORMALIZATION, normalize
from .marks import first_characters, first_of, shared
from .offenders import offending_characters
from .readings import Reading

#: The most characters whose normalisation is shown, and the most changes of one of its steps.
STEPS_LIMIT, CHANGES_LIMIT = 10_000, 100
#: The most characters of one token that are shown.
TOKEN_LIMIT = 200
_NAMED = re.compile(r"\banswer(?:\s{0,3}:|\s{1,3}is\b\s{0,3}:?)\s{0,9}(?=\S)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n")


def view(reading: Reading) -> dict[str, Any]:
    """The data of the view. Scores, precision and recall are points.

    `answer`: the text. `steps`: the normalisation of the answer, per step `{name, text, removed, replaced}`: the text
    after it, the pieces it took away, and those it wrote otherwise as `[before, after]`. `reference_steps`: the same
    for the best reference, whose index is `best_reference`. `answer_tokens`, `reference_tokens`: `{token, shared}`.
    `shared`: the number of tokens shared. `precision`, `recall`. `references`: `{text, score}` each. `typography`: the
    characters that cost points (`offenders.py`), empty when none does; `lenient_score`: the score with all of them in
    ASCII on both sides. `omitted`: sentences.
    """
    omitted: list[str] = []
    best = reading.references[reading.result.best_reference or 0]
    answer, reference = normalize(reading.prediction).split(), normalize(best).split()
    return {
        "answer": first_characters(reading.prediction, "the answer", omitted),
        "steps": _steps(reading.prediction, "the answer", omitted),
        "reference_steps": _steps(best, "the best reference", omitted),
        "answer_tokens": _tokens(answer, reference, "tokens of the answer", omitted),
        "reference_tokens": _tokens(reference, answer, "tokens of the reference", omitted),
        "shared": (Counter(answer) & Counter(reference)).total(),
        "precision": reading.result.precision,
        "recall": reading.result.recall,
        "best_reference": reading.result.best_reference,
        "references": _references(reading, omitted),
        "typography": offending_characters(reading),
        "lenient_score": reading.kinder.score,
        "omitted": omitted,
    }


def repairs(reading: Reading) -> Iterator[tuple[str, str]]:
    """What could have been written instead: (the change, the answer)."""
    text = reading.prediction
    named = _NAMED.search(text)
    if named:
        yield "what follows “answer:” alone", text[named.end() :].partition("\n")[0].strip()
    yield "the first sentence alone", _SENTENCE_END.split(text.strip(), maxsplit=1)[0]
    yield "cut to the reference's length, no shared word lost", _cut(text, _best_reference(reading))


def _best_reference(reading: Reading) -> str:
    return reading.references[reading.result.best_reference or 0]


def _cut(text: str, reference: str) -> str:
    """The answer without its last words that are not shared, as many as it is longer than the reference."""
    left = Counter(normalize(reference).split())
    room = left.total()
    words = [(word, normalize(word).split()) for word in text.split()]
    kept = set()
    for i, (_, tokens) in enumerate(words):
        if any(left[token] > 0 for token in tokens):
            left.subtract(tokens)
            room -= len(tokens)
            kept.add(i)
    for i, (_, tokens) in enumerate(words):
        if i not in kept and 0 < len(tokens) <= room:
            room -= len(tokens)
            kept.add(i)
    return " ".join(words[i][0] for i in sorted(kept))


def _tokens(tokens: Sequence[str], others: Sequence[str], what: str, omitted: list[str]) -> list[dict[str, Any]]:
    pairs = first_of(list(zip(tokens, shared(tokens, others), strict=True)), what, omitted)
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


def _steps(text: str, whose: str, omitted: list[str]) -> list[dict[str, Any]]:
    text = first_characters(text, f"{whose}, step by step,", omitted, STEPS_LIMIT)
    steps = []
    for name, step in NORMALIZATION.items():
        removed, replaced = _CHANGES[name](text)
        text = step(text)
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


# What each step of the normalisation does to a text: what it removes, and what it replaces by what.
_CHANGES: Mapping[str, Callable[[str], _Changes]] = {
    "lowercase": _lowercased,
    "punctuation": _without_punctuation,
    "articles": _without_articles,
    "whitespace": _squeezed,
    "transliteration": _transliterated,
}
