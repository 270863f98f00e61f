"""The typographic characters that cost an answer points, found by leaving them as they are while all others change."""

from __future__ import annotations

import unicodedata
from typing import Any

from .marks import TEXT_LIMIT
from .readings import Reading
from .typography import ascii_form, to_ascii, typographic

TRIED_LIMIT = 40
PLACES_LIMIT = 100


def offending_characters(reading: Reading) -> list[dict[str, Any]]:
    """The characters that cost points, empty when none does.

    Each is `{character, name, ascii, in_answer, in_references, places}`: its Unicode name in lowercase, its ASCII form,
    how often it occurs on either side, and the offsets of (at most 100 of) its occurrences in the answer. One offends
    if the lenient reading scores less when it alone is left as it is; if none does by itself, all are named.
    """
    if reading.lenient is None:
        return []
    in_answer, in_references = typographic(reading.prediction), typographic("".join(reading.references))
    characters = [*dict.fromkeys([*in_answer, *in_references])]
    return [
        {
            "character": character,
            "name": unicodedata.name(character, f"U+{ord(character):04X}").lower(),
            "ascii": ascii_form(character),
            "in_answer": in_answer.get(character, 0),
            "in_references": in_references.get(character, 0),
            "places": _places(reading.prediction, character),
        }
        for character in _guilty(reading, characters[:TRIED_LIMIT])
    ]


def _guilty(reading: Reading, characters: list[str]) -> list[str]:
    """Those without which the lenient reading scores less; all of them where that is none, or the texts are huge."""
    texts = [reading.prediction, *reading.references]
    if sum(map(len, texts)) > 4 * TEXT_LIMIT:
        return characters
    variants = [[to_ascii(text, keep=character) for text in texts] for character in characters]
    results = reading.task.score_all([answer for answer, *_ in variants], [texts for _, *texts in variants])
    pairs = zip(characters, results, strict=True)
    return [character for character, result in pairs if result.score < reading.kinder.score] or characters


def _places(text: str, character: str) -> list[int]:
    places: list[int] = []
    place = text.find(character)
    while place >= 0 and len(places) < PLACES_LIMIT:
        places.append(place)
        place = text.find(character, place + 1)
    return places
