"""What all explanations use: the base of their dataclasses, limits, marks on shared words, typographic characters.

At most `TEXT_LIMIT` characters of a text and `LIST_LIMIT` entries of a list are kept, for some fields fewer. Each cut
is reported by a sentence in the explanation's `omitted`. Scores are always those of the full texts.

Typographic characters are written in ASCII for diagnosis only: punctuation marks (curly quotes, dashes, the ellipsis,
…), Latin letters with accents, ligatures, full-width and other compatibility forms of ASCII letters and digits.
Combining accents and invisible joiners are dropped. Other characters stay, so that no word of another script turns into
a Latin one.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any

from unidecode import unidecode

TEXT_LIMIT = 50_000
LIST_LIMIT = 2_000
#: The most pairs of words for which a longest common subsequence is marked.
PAIR_LIMIT = 4_000_000
#: The most different typographic characters that are listed.
CHARACTERS_LIMIT = 40
#: Metadata of a field that quotes the references.
QUOTES_REFERENCES = {"quotes_references": True}
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_SIGNS = {"−": "-", "ʼ": "'", "´": "'"}  # typed for a hyphen and an apostrophe, but not punctuation in Unicode
_DROPPED = re.compile("[\u0300-\u036f\u00ad\u200c\u200d\u2060\ufeff]")

# Whether each item of two sequences is marked.
Marks = tuple[list[bool], list[bool]]


@dataclass(frozen=True, slots=True)
class Part:
    """The base of the dataclasses of an explanation."""

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as JSON-able data."""
        return {part_field.name: plain(getattr(self, part_field.name)) for part_field in fields(self)}

    def without_references(self) -> "Part":
        """Return a copy in which the fields that quote the references (`QUOTES_REFERENCES`) are empty or `None`."""
        values: dict[str, Any] = {}
        for part_field in fields(self):
            value = getattr(self, part_field.name)
            empty = () if isinstance(value, tuple) else None
            values[part_field.name] = empty if part_field.metadata == QUOTES_REFERENCES else _own(value)
        return replace(self, **values)


@dataclass(frozen=True, slots=True)
class HumanReading(Part):
    """What a reader would have understood where the evaluator did not; `score` is that of `answer`, in points."""

    how: str
    answer: str
    score: float = field(default=0.0, kw_only=True)


@dataclass(frozen=True, slots=True)
class TypographicCharacter(Part):
    """A typographic character: its Unicode name in lowercase, its ASCII form, and how often it occurs on each side."""

    character: str
    name: str
    ascii: str
    in_answer: int
    in_references: int


def plain(value: Any) -> Any:
    """Return the value as JSON-able data: parts become dicts, tuples lists."""
    if isinstance(value, Part):
        return value.as_dict()
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, tuple) else value


def _own(value: Any) -> Any:
    """Return the value without what quotes the references, such as the characters that only they have."""
    if isinstance(value, tuple):
        return tuple(_own(item) for item in value if not isinstance(item, TypographicCharacter) or item.in_answer)
    return value.without_references() if isinstance(value, Part) else value


def shared(items: Sequence[Hashable], others: Sequence[Hashable]) -> Marks:
    """Marks what both sequences have, as often as both have it; of equal items the first ones are marked.

    >>> shared(["ha", "ha", "yes"], ["yes", "ha"])
    ([True, False, True], [True, True])
    """
    marks: Marks = [], []
    for sequence, other, marked in ((items, others, marks[0]), (others, items, marks[1])):
        left = Counter(other)
        for item in sequence:
            is_left = left.get(item, 0) > 0  # left[item] is slow for missing keys
            if is_left:
                left[item] -= 1
            marked.append(is_left)
    return marks


def shared_in_order(items: Sequence[Hashable], others: Sequence[Hashable]) -> Marks | None:
    """Marks a longest common subsequence in both sequences; `None` above `PAIR_LIMIT`.

    >>> shared_in_order("police killed the gunman".split(), "police kill the".split())
    ([True, False, True, False], [True, False, True])
    """
    if len(items) * len(others) > PAIR_LIMIT:
        return None
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415  (slow to import, and for summaries alone)

    mine, theirs = [False] * len(items), [False] * len(others)
    for block in LCSseq.opcodes(items, others).as_matching_blocks():
        mine[block.a : block.a + block.size] = [True] * block.size
        theirs[block.b : block.b + block.size] = [True] * block.size
    return mine, theirs


def to_ascii(text: str) -> str:
    """Return the text with its typographic characters in ASCII.

    >>> to_ascii("“Ｐａｒｉｓ” – a café…")
    '"Paris" - a cafe...'
    """
    return text if text.isascii() else _NOT_ASCII.sub(lambda match: _ascii_form(match.group()), text)


@lru_cache(maxsize=4096)
def _ascii_form(character: str) -> str:
    if character in _SIGNS:
        return _SIGNS[character]
    if _DROPPED.match(character):
        return ""
    if unicodedata.category(character)[0] == "P" or unicodedata.name(character, "").startswith("LATIN "):
        return unidecode(character) or character
    form = unicodedata.normalize("NFKC", character)
    written_wide = unicodedata.category(character)[0] in "LN" or "\uff01" <= character <= "\uff5e"
    return form if form.isascii() and written_wide else character


def typographic_characters(prediction: str, references: Iterable[str]) -> tuple[TypographicCharacter, ...]:
    """Return the different typographic characters of both sides, up to `CHARACTERS_LIMIT`, in order of appearance."""
    mine, theirs = (Counter(_NOT_ASCII.findall(text)) for text in (prediction, "".join(references)))
    listed = [c for c in dict.fromkeys([*mine, *theirs]) if _ascii_form(c) != c][:CHARACTERS_LIMIT]
    names = [unicodedata.name(c, f"U+{ord(c):04X}").lower() for c in listed]
    rows = zip(listed, names, strict=True)
    return tuple(TypographicCharacter(c, name, _ascii_form(c), mine[c], theirs[c]) for c, name in rows)
