"""The explanation of ROUGE: what a summary shares with its best references, and where it should have stopped."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from operator import or_
from typing import Any

from ..rouge import ROUGE_TYPES, geometric_mean, tokens
from .parts import (
    PAIR_LIMIT,
    QUOTES_REFERENCES,
    Marks,
    Part,
    first_characters,
    missing_and_extra,
    shared,
    shared_in_order,
)
from .scored import Explainer, ScoredPrediction, TypographicCharacter

#: The most tokens of one text that are listed with their marks.
TOKEN_LIMIT = 5_000
_KINDS = ("unigram", "bigram", "lcs")
_SENTENCE = re.compile(r".+?(?:[.!?][\"'”’)\]]*(?=\s)|$)", re.MULTILINE)
_WORD = re.compile("[a-z0-9]+")
_Tokens = list[tuple[str, int, int]]


@dataclass(frozen=True, slots=True)
class MarkedText(Part):
    """A text with its tokens.

    Attributes:
        words: the number of its tokens.
        shared: how many of them are marked, by `unigram`, `bigram`, `lcs`.
        tokens: `(start, end, unigram, bigram, lcs)`: the place of a token, then 1 or 0 for each kind of mark.
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
    """A summary beside its references. Scores, precision and recall are points; `words` counts tokens.

    Attributes:
        answer: the prediction, marked for each type against the best reference of that type.
        winners: these references.
        types: per type `precision`, `recall`, `fmeasure`, `best_reference`.
        geometric_mean: `factors`, the F-measures by type, and `value`, their mean.
        references: per reference `words` and its F-measures by type.
        lcs: the length of the longest common subsequence; `None` where the texts are too long (`lcs_omitted`).
        typography, lenient_score: as for F1.
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

    def sentence(self, losses: Mapping[str, float]) -> str | None:  # noqa: ARG002  (see `Part.sentence`)
        """Return the lengths of the prediction and of its best reference."""
        best = self.types["rouge1"]["best_reference"]
        words = self.references[best]["words"]
        share = f" ({self.answer.words / words:.0%})" if words else ""
        return f"reference {best + 1} has {words:,} words, the prediction {self.answer.words:,}{share}"


def _view(scored: ScoredPrediction, omitted: list[str]) -> RougeView:
    """Return the view; each type is marked against its best reference."""
    types = dict(scored.result.rouge or {})
    answer = tokens(scored.prediction)
    winners = {i: tokens(scored.references[i]) for i in sorted({part.best_reference for part in types.values()})}
    marks: dict[str, list[bool]] = {}
    marks_of: dict[int, dict[str, list[bool]]] = {i: {} for i in winners}
    for name, part in types.items():
        pair = _MARKS[name](_texts_of(answer), _texts_of(winners[part.best_reference]))
        if pair:
            marks[name], marks_of[part.best_reference][name] = pair
        else:
            omitted.append(f"the longest common subsequence is not marked: more than {PAIR_LIMIT:,} pairs of words")
    return RougeView(
        answer=MarkedText(**_marked(scored.prediction, answer, marks, "the answer", omitted)),
        winners=tuple(
            Winner(
                **_marked(scored.references[i], words, marks_of[i], f"reference {i + 1}", omitted),
                reference=i,
                types=tuple(name for name, part in types.items() if part.best_reference == i),
            )
            for i, words in winners.items()
        ),
        types={name: part._asdict() for name, part in types.items()},
        geometric_mean={"factors": {name: part.fmeasure for name, part in types.items()}, "value": scored.result.score},
        references=tuple(
            {"words": len(_words(text)), **{name: part.fmeasure for name, part in (result.rouge or {}).items()}}
            for text, result in zip(scored.references, scored.result_by_reference(), strict=True)
        ),
        lcs=sum(marks["rougeL"]) if "rougeL" in marks else None,
        lcs_omitted="rougeL" not in marks,
        typography=scored.typographic_characters(),
        lenient_score=scored.better.score,
    )


def _repairs(scored: ScoredPrediction) -> Iterator[tuple[str, str]]:
    heading, _, rest = scored.prediction.strip().partition("\n")
    if heading.endswith(":") and rest.strip():
        yield "without its first line", rest.strip()


def _split(scored: ScoredPrediction, lost: float) -> Mapping[str, float]:
    words = len(_words(scored.better_text(scored.prediction)))
    lengths = [len(_words(scored.better_text(text))) for text in scored.references]
    overlaps = []
    for name, part in (scored.better.rouge or {}).items():
        pairs = name == "rouge2"
        prediction, reference = (max(0, count - pairs) for count in (words, lengths[part.best_reference]))
        overlaps.append((prediction * part.precision / 100, prediction, reference))
    return missing_and_extra(overlaps, geometric_mean, lost)


def _sentence_ends(text: str) -> list[int]:
    return [match.end() for match in _SENTENCE.finditer(text)]


def _words(text: str) -> list[str]:
    """Return the tokens without their places, as the scorer finds them."""
    return _WORD.findall(text.lower())


def _texts_of(words: _Tokens) -> list[str]:
    return [token for token, _, _ in words]


def _mark_bigrams(words: list[str], others: list[str]) -> Marks:
    """Marks both words of each pair that the other text has too."""
    pairs = shared(list(pairwise(words)), list(pairwise(others)))
    mine, theirs = (list(map(or_, [False, *marks], [*marks, False])) for marks in pairs)
    return mine, theirs


_MARKS = {"rouge1": shared, "rouge2": _mark_bigrams, "rougeL": shared_in_order}


def _marked(
    text: str, words: _Tokens, marks: Mapping[str, list[bool]], what: str, omitted: list[str]
) -> dict[str, Any]:
    shown = first_characters(text, what, omitted)
    listed = [(start, end) for _, start, end in words[:TOKEN_LIMIT] if end <= len(shown)]
    if len(words) > TOKEN_LIMIT:
        omitted.append(f"only the first {TOKEN_LIMIT:,} of {len(words):,} words of {what} are marked")
    columns = [marks.get(name, [False] * len(words)) for name in ROUGE_TYPES]
    return {
        "text": shown,
        "words": len(words),
        "shared": {kind: sum(column) for kind, column in zip(_KINDS, columns, strict=True)},
        "tokens": tuple((*place, *map(int, flags)) for place, *flags in zip(listed, *columns, strict=False)),
    }


EXPLAINER = Explainer(view=_view, repairs=_repairs, split=_split, stops=_sentence_ends)
