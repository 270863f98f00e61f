"""The view of an answer that must equal a reference: both normalised, and the words in which they differ."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from ..accuracy import is_letter_alone
from ..f1 import score_f1
from .lcs import lcs_places
from .marks import LIST_LIMIT, TEXT_LIMIT
from .normalized import compared_view, listed_tokens, tokens_of
from .pieces import first_sentence, named_answer
from .readings import Reading
from .typography import to_ascii

_LETTER_BEFORE = re.compile(r"\W{0,4}[A-D]\s?[).:\]]\W{0,4}(?=\w)")
_CLAUSE_END = re.compile(r"[,;:(\[]|\s[-–—]+\s|—")


def view(reading: Reading) -> dict[str, Any]:
    """The data of the view. Scores are points.

    `answer`, `steps`, `reference_steps`, `best_reference`, `references`, `typography`, `lenient_score`: see
    `normalized.py`; where no reference is equal to the answer, the best one is the nearest by F1. `answer_tokens`,
    `reference_tokens`: the words of both after the last step, in order, `{token, shared}`; those that are not shared
    are the difference: the others are a longest common subsequence. `omitted`: sentences.
    """
    omitted: list[str] = []
    best = _nearest_reference(reading)
    answer, reference = tokens_of(reading, reading.prediction), tokens_of(reading, reading.references[best])
    places = lcs_places(answer[:LIST_LIMIT], reference[:LIST_LIMIT]) or []
    mine, theirs = _marks(answer, {i for i, _ in places}), _marks(reference, {j for _, j in places})
    return {
        **compared_view(reading, best, omitted),
        "answer_tokens": listed_tokens(answer, mine, "words of the answer", omitted),
        "reference_tokens": listed_tokens(reference, theirs, "words of the reference", omitted),
        "omitted": omitted,
    }


def is_misread(reading: Reading) -> bool:
    """Whether the answer is an option's letter, or a piece of it that may be all that was meant is right."""
    return is_letter_alone(reading.prediction) or 100 in reading.score_answers([piece for _, piece in repairs(reading)])


def repairs(reading: Reading) -> Iterator[tuple[str, str]]:
    """What could have been written instead: (the change, the answer).

    Pieces of the answer, also with its typographic characters in ASCII; none that is all of it, and none that is empty.
    """
    text = reading.prediction[:TEXT_LIMIT]
    for whole in dict.fromkeys((text, to_ascii(text))):
        for change, piece in _pieces(whole):
            if tokens_of(reading, piece) not in ([], tokens_of(reading, whole)):
                yield change, piece.strip()


def _marks(words: Sequence[str], places: Collection[int]) -> list[bool]:
    return [i in places for i in range(len(words))]


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """The pieces, from every beginning to three ends."""
    for which, words in _beginnings(text):
        yield which, words
        yield f"the first sentence of {which}", first_sentence(words)
        yield f"the first clause of {which}", _CLAUSE_END.split(first_sentence(words), maxsplit=1)[0]


def _beginnings(text: str) -> Iterator[tuple[str, str]]:
    for which, words in (("the answer", text), ("what follows “answer:”", named_answer(text) or "")):
        yield which, words
        letter = _LETTER_BEFORE.match(words)
        if letter:
            yield f"{which} without the option's letter", words[letter.end() :]


def _nearest_reference(reading: Reading) -> int:
    """The one that the answer equals; where there is none, the first with the highest F1."""
    if reading.result.score:
        return reading.result.best_reference or 0
    return score_f1(reading.prediction, reading.references, steps=reading.task.steps).best_reference or 0
