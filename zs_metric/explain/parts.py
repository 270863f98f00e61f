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
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

from rapidfuzz.distance import LCSseq
from unidecode import unidecode

TEXT_LIMIT = 50_000
LIST_LIMIT = 2_000
#: The most pairs of words for which a longest common subsequence is marked.
PAIR_LIMIT = 4_000_000
#: Metadata of a field that quotes the references.
QUOTES_REFERENCES = {"quotes_references": True}
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_SIGNS = {"−": "-", "ʼ": "'", "´": "'"}  # typed for a hyphen and an apostrophe, but not punctuation in Unicode
_DROPPED = re.compile("[\u0300-\u036f\u00ad\u200c\u200d\u2060\ufeff]")

# Whether each item of two sequences is marked.
Marks = tuple[list[bool], list[bool]]

T = TypeVar("T")
M = TypeVar("M", bound="HumanReading")


@dataclass(frozen=True, slots=True)
class Part:
    """The base of the dataclasses of an explanation.

    Attributes:
        OWN_REPAIRS: for a metric's view: whether its repairs are made from the prediction alone.
        REASON_QUOTES_AFTER: for a metric's view: after this text a reason quotes the references.
    """

    OWN_REPAIRS: ClassVar[bool] = False
    REASON_QUOTES_AFTER: ClassVar[str | None] = None

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

    def sentence(self, losses: Mapping[str, float]) -> str | None:  # noqa: ARG002  (some views need the losses)
        """For a metric's view: what of the best reference the prediction holds, in a sentence; or `None`."""
        return None

    @property
    def only_in_references(self) -> bool:
        """Whether the whole part quotes the references: `without_references` drops it from lists."""
        return False


@dataclass(frozen=True, slots=True)
class HumanReading(Part):
    """What a reader would have understood where the evaluator did not; `score` is that of `answer`, in points."""

    how: str
    answer: str
    score: float = field(default=0.0, kw_only=True)


def plain(value: Any) -> Any:
    """Return the value as JSON-able data: parts become dicts, tuples lists."""
    if isinstance(value, Part):
        return value.as_dict()
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, tuple) else value


def _own(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_own(item) for item in value if not (isinstance(item, Part) and item.only_in_references))
    return value.without_references() if isinstance(value, Part) else value


def shared(items: Sequence[Hashable], others: Sequence[Hashable]) -> Marks:
    """Marks what both sequences have, as often as both have it; of equal items the first ones are marked.

    >>> shared(["ha", "ha", "yes"], ["yes", "ha"])
    ([True, False, True], [True, True])
    """
    return _marks_of(items, Counter(others)), _marks_of(others, Counter(items))


def _marks_of(items: Iterable[Hashable], left: Counter[Hashable]) -> list[bool]:
    """Return for each item, whether `left` still has it; each of its occurrences is used once."""
    marks = []
    for item in items:
        is_left = left.get(item, 0) > 0  # left[item] is slow for missing keys
        if is_left:
            left[item] -= 1
        marks.append(is_left)
    return marks


def missing_and_extra(
    overlaps: Sequence[tuple[float, int, int]], mean: Callable[..., float], lost: float
) -> dict[str, float]:
    """Return the lost points as those of the missing and of the superfluous words (`loss_breakdown.py`).

    Args:
        overlaps: per F-measure of the score the number of shared words, of words in the prediction, in the reference.
        mean: the score in points from the F-measures in points.

    >>> missing_and_extra([(1, 3, 1)], float, 50)
    {'words missing': 0.0, 'words too many': 50.0}
    """
    if not all(words for _, _, words in overlaps):
        return {"not explained": lost}
    completed = mean(*(200 * m / (n + 2 * m - o) for o, n, m in overlaps))
    shortened = mean(*(200 * o / (o + m) for o, n, m in overlaps))
    missing = min(max((completed - (100 - lost) + 100 - shortened) / 2, 0.0), lost)
    return {"words missing": missing, "words too many": lost - missing}


def shared_in_order(items: Sequence[Hashable], others: Sequence[Hashable]) -> Marks | None:
    """Marks a longest common subsequence in both sequences; `None` above `PAIR_LIMIT`.

    >>> shared_in_order("police killed the gunman".split(), "police kill the".split())
    ([True, False, True, False], [True, False, True])
    """
    if len(items) * len(others) > PAIR_LIMIT:
        return None
    mine, theirs = [False] * len(items), [False] * len(others)
    for block in LCSseq.opcodes(items, others).as_matching_blocks():
        mine[block.a : block.a + block.size] = [True] * block.size
        theirs[block.b : block.b + block.size] = [True] * block.size
    return mine, theirs


def first_characters(text: str, what: str, omitted: list[str], limit: int = TEXT_LIMIT) -> str:
    """Return the text, cut at the limit; a cut is noted in `omitted`."""
    if len(text) > limit:
        omitted.append(f"only the first {limit:,} of {len(text):,} characters of {what} are shown")
    return text[:limit]


def first_of(items: Sequence[T], what: str, omitted: list[str], limit: int = LIST_LIMIT) -> tuple[T, ...]:
    """Return the items, cut at the limit; a cut is noted in `omitted`."""
    if len(items) > limit:
        omitted.append(f"only the first {limit:,} of {len(items):,} {what} are listed")
    return tuple(items[:limit])


def to_ascii(text: str) -> str:
    """Return the text with its typographic characters in ASCII.

    >>> to_ascii("“Ｐａｒｉｓ” – a café…")
    '"Paris" - a cafe...'
    """
    if text.isascii():
        return text
    return _NOT_ASCII.sub(lambda match: ascii_form(match.group()), text)


@lru_cache(maxsize=4096)
def ascii_form(character: str) -> str:
    """Return the ASCII form of a typographic character; any other character unchanged."""
    if character in _SIGNS:
        return _SIGNS[character]
    if _DROPPED.match(character):
        return ""
    if unicodedata.category(character)[0] == "P" or unicodedata.name(character, "").startswith("LATIN "):
        return unidecode(character) or character
    form = unicodedata.normalize("NFKC", character)
    written_wide = unicodedata.category(character)[0] in "LN" or "\uff01" <= character <= "\uff5e"
    return form if form.isascii() and written_wide else character


def typographic(text: str) -> Counter[str]:
    """Return the typographic characters of a text with their counts, in order of appearance."""
    return Counter(character for character in _NOT_ASCII.findall(text) if ascii_form(character) != character)
