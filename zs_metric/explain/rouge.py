"""The explanation of ROUGE: what a summary shares with its best references, and where it should have stopped."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from operator import or_
from typing import Any

from ..results import RougeType
from ..rouge import ROUGE_TYPES, geometric_mean, tokens
from .explanation import Explanation
from .loss_breakdown import Losses, missing_and_extra
from .parts import (
    PAIR_LIMIT,
    QUOTES_REFERENCES,
    Marks,
    Part,
    TypographicCharacter,
    shared,
    shared_in_order,
    typographic_characters,
)

#: The most tokens of one text that are listed with their marks.
TOKEN_LIMIT = 5_000
_KINDS = ("unigram", "bigram", "lcs")
_WORD = re.compile("[a-z0-9]+")
# Spaces in place of the bytes that are not in a word.
_SPACED = bytes(byte if _WORD.match(chr(byte)) else 32 for byte in range(256))


@dataclass(frozen=True, slots=True)
class MarkedText(Part):
    """A text with the number of its words, and how many of them are marked, by `unigram`, `bigram`, `lcs`.

    A token is `(start, end, unigram, bigram, lcs)`: its place, then 1 or 0 for each kind of mark.
    """

    text: str | None
    words: int
    shared: Mapping[str, int]
    tokens: tuple[tuple[int, int, int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Winner(MarkedText):
    """The reference, by its index, with the highest F-measure of some ROUGE types, marked for these types."""

    text: str | None = field(metadata=QUOTES_REFERENCES)
    tokens: tuple[tuple[int, int, int, int, int], ...] = field(metadata=QUOTES_REFERENCES)
    reference: int
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RougeView(Part):
    """A summary, marked for each ROUGE type against the best reference of that type, and these references (`winners`).

    `geometric_mean` has `factors`, the F-measures by type, and `value`; `references` have their F-measures and `words`;
    `lcs` is the length of the longest common subsequence, `None` where the texts are too long (`lcs_omitted`).
    """

    answer: MarkedText
    winners: tuple[Winner, ...]
    types: Mapping[str, Mapping[str, Any]]
    geometric_mean: Mapping[str, Any]
    references: tuple[Mapping[str, float], ...]
    lcs: int | None
    lcs_omitted: bool
    typography: tuple[TypographicCharacter, ...]
    lenient_score: float


class _ScoredSummary(Explanation):
    pieces = re.compile(r".+?(?:[.!?][\"'”’)\]]*(?=\s)|$)", re.MULTILINE)

    @cached_property
    def types(self) -> Mapping[str, RougeType]:
        return self.result.rouge or {}

    @cached_property
    def sentence(self) -> str | None:
        best = self.types["rouge1"].best_reference
        words, others = _count(self.prediction), _count(self.references[best])
        share = f" ({words / others:.0%})" if words < 10 * others else ""
        lengths = f"reference {best + 1} has {_times(others, 'word')}, the prediction {words:,}{share}"
        shares = [part.precision / 100 for part in self.types.values()]
        shared = [round(n * share) for n, share in zip((words, words - 1, words), shares, strict=True)]
        pairs = _times(shared[1], "pair")
        in_order = f"{_times(shared[0], 'word')}, {pairs} of neighbours, {_times(shared[2], 'word')} in the same order"
        return f"{lengths}; shared are {in_order}" if shared[0] else lengths

    def details(self) -> RougeView:
        answer = tokens(self.prediction)
        winners = {i: tokens(self.references[i]) for i in sorted({part.best_reference for part in self.types.values()})}
        marks: dict[str, list[bool]] = {}
        marks_of: dict[int, dict[str, list[bool]]] = {i: {} for i in winners}
        for name, part in self.types.items():
            sides = answer, winners[part.best_reference]
            both = _MARKS[name](*([token for token, _, _ in side] for side in sides))
            if both:
                marks[name], marks_of[part.best_reference][name] = both
            else:
                self.note(f"the longest common subsequence is not marked: more than {PAIR_LIMIT:,} pairs of words")
        return RougeView(
            answer=MarkedText(**self._marked(self.prediction, answer, marks, "the answer")),
            winners=tuple(
                Winner(
                    **self._marked(self.references[i], words, marks_of[i], f"reference {i + 1}"),
                    reference=i,
                    types=tuple(name for name, part in self.types.items() if part.best_reference == i),
                )
                for i, words in winners.items()
            ),
            types={name: part._asdict() for name, part in self.types.items()},
            geometric_mean={"factors": _fmeasures(self.types), "value": self.result.score},
            references=tuple(
                {"words": _count(text), **_fmeasures(result.rouge or {})}
                for text, result in zip(self.references, self.result_by_reference(), strict=True)
            ),
            lcs=sum(marks["rougeL"]) if "rougeL" in marks else None,
            lcs_omitted="rougeL" not in marks,
            typography=typographic_characters(self.prediction, self.references) if self.is_lenient else (),
            lenient_score=self.better.score,
        )

    def _marked(
        self, text: str, words: Sequence[tuple[str, int, int]], marks: Mapping[str, list[bool]], what: str
    ) -> dict[str, Any]:
        """Return the fields of a `MarkedText`; `marks` are by ROUGE type."""
        shown = self.shown(text, what)
        if len(words) > TOKEN_LIMIT:
            self.note(f"only the first {TOKEN_LIMIT:,} of {len(words):,} words of {what} are marked")
        places = [(start, end) for _, start, end in words[:TOKEN_LIMIT] if end <= len(shown)]
        columns = [marks.get(name, [False] * len(words)) for name in ROUGE_TYPES]
        return {
            "text": shown,
            "words": len(words),
            "shared": {kind: sum(column) for kind, column in zip(_KINDS, columns, strict=True)},
            "tokens": tuple((*place, *map(int, flags)) for place, *flags in zip(places, *columns, strict=False)),
        }

    def repairs(self) -> Iterator[tuple[str, str]]:
        heading, _, rest = self.prediction.strip().partition("\n")
        if heading.endswith(":") and rest.strip():
            yield "without its first line", rest.strip()

    def split(self, lost: float) -> Losses:
        words, *lengths = (_count(self.better_text(text)) for text in (self.prediction, *self.references))
        overlaps = []
        for name, part in (self.better.rouge or {}).items():
            less = name == "rouge2"  # n words have n - 1 pairs
            prediction, *references = (max(0, count - less) for count in (words, *lengths))
            reference = references[part.best_reference] or max(references)
            overlaps.append((prediction * part.precision / 100, prediction, reference))
        return missing_and_extra(overlaps, geometric_mean, lost)


def _fmeasures(types: Mapping[str, RougeType]) -> dict[str, float]:
    return {name: part.fmeasure for name, part in types.items()}


def _times(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _count(text: str) -> int:
    """Count the tokens, as the scorer finds them."""
    return len(text.lower().encode("ascii", "replace").translate(_SPACED).split())


def _mark_pairs(words: list[str], others: list[str]) -> Marks:
    """Marks both words of each pair that the other text has too."""
    pairs = shared(list(pairwise(words)), list(pairwise(others)))
    mine, theirs = (list(map(or_, [False, *marks], [*marks, False])) for marks in pairs)
    return mine, theirs


_MARKS = {"rouge1": shared, "rouge2": _mark_pairs, "rougeL": shared_in_order}
EXPLANATION = _ScoredSummary
