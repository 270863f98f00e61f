"""The view of an F1 answer: the official normalisation step by step, and the tokens that answer and reference share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from .marks import shared
from .normalized import compared_view, listed_tokens, tokens_of
from .pieces import first_sentence, named_answer
from .readings import Reading


def view(reading: Reading) -> dict[str, Any]:
    """The data of the view. Scores, precision and recall are points.

    `answer`, `steps`, `reference_steps`, `best_reference`, `references`, `typography`, `lenient_score`: see
    `normalized.py`. `answer_tokens`, `reference_tokens`: `{token, shared}`. `shared`: the number of tokens shared.
    `precision`, `recall`. `omitted`: sentences.
    """
    omitted: list[str] = []
    best = reading.result.best_reference or 0
    answer, reference = tokens_of(reading, reading.prediction), tokens_of(reading, reading.references[best])
    return {
        **compared_view(reading, best, omitted),
        "answer_tokens": listed_tokens(answer, shared(answer, reference), "tokens of the answer", omitted),
        "reference_tokens": listed_tokens(reference, shared(reference, answer), "tokens of the reference", omitted),
        "shared": (Counter(answer) & Counter(reference)).total(),
        "precision": reading.result.precision,
        "recall": reading.result.recall,
        "omitted": omitted,
    }


def repairs(reading: Reading) -> Iterator[tuple[str, str]]:
    """What could have been written instead: (the change, the answer)."""
    named = named_answer(reading.prediction)
    if named is not None:
        yield "what follows “answer:” alone", named
    yield "the first sentence alone", first_sentence(reading.prediction)
    yield "cut to the reference's length, no shared word lost", _cut(reading)


def _cut(reading: Reading) -> str:
    """The answer without its last words that are not shared, as many as it is longer than the reference."""
    left = Counter(tokens_of(reading, reading.references[reading.result.best_reference or 0]))
    room = left.total()
    words = [(word, tokens_of(reading, word)) for word in reading.prediction.split()]
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
