"""The explanation of an F1 score: the shared tokens, the words missing and too many, where to stop.

`exact_match.py` shares the view, the tokens and the parts of a text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..f1 import normalize
from .parts import (
    QUOTES_REFERENCES,
    Part,
    first_characters,
    first_of,
    missing_and_extra,
    shared,
)
from .scored import Explainer, ScoredPrediction, TypographicCharacter

#: The most characters of one token that are shown.
TOKEN_LIMIT = 200
#: The change that leaves out all but the words of a reference.
QUOTED = "the words of a reference alone"
_NAMED = re.compile(r"\banswer(?:\s{0,3}:|\s{1,3}is\b\s{0,3}:?)\s{0,9}(?=\S)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n")
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Token(Part):
    """A token that the scorer compares, and whether the other text has it too."""

    token: str
    shared: bool


@dataclass(frozen=True, slots=True)
class ScoredReference(Part):
    """A reference and the prediction's score against it alone, in points."""

    text: str | None = field(metadata=QUOTES_REFERENCES)
    score: float


@dataclass(frozen=True, slots=True)
class WordsView(Part):
    """The prediction beside its references.

    Attributes:
        best_reference: the index of the reference it is compared with.
        typography: the typographic characters, if writing them in ASCII scores more.
        lenient_score: points, with typographic characters in ASCII on both sides.
        answer_tokens, reference_tokens: the tokens of both after the last step.
    """

    answer: str
    best_reference: int
    references: tuple[ScoredReference, ...]
    typography: tuple[TypographicCharacter, ...]
    lenient_score: float
    answer_tokens: tuple[Token, ...]
    reference_tokens: tuple[Token, ...] = field(metadata=QUOTES_REFERENCES)


@dataclass(frozen=True, slots=True)
class F1View(WordsView):
    """Adds the number of tokens shared with the best reference, and precision and recall in points."""

    shared: int
    precision: float
    recall: float

    def sentence(self, losses: Mapping[str, float]) -> str | None:
        """Return how many words of the best reference the prediction holds, and how many others it has."""
        if not self.shared or not {"words missing", "words too many"} & losses.keys() or "typography" in losses:
            return None
        extra, words = (round(self.shared / part * 100) - self.shared for part in (self.precision, self.recall))
        reference, points = f"reference {self.best_reference + 1}", sum(losses.values())
        if not words:
            others = "the other one costs" if extra == 1 else f"the {extra:,} others cost"
            held = f"all words of {reference} are in the prediction"
            return f"{held}; {others} {points:.1f} points; a short prediction would score 100"
        share = f"{self.shared:,} of the {self.shared + words:,} words of {reference}"
        has = f"{extra:,} other{'' if extra == 1 else 's'}" if extra else "no others"
        return f"{share} {'is' if self.shared == 1 else 'are'} in the prediction, which has {has}"


def _view(scored: ScoredPrediction, omitted: list[str]) -> F1View:
    """Return the view; it shows the reference that gave the score."""
    best = scored.result.best_reference or 0
    answer, reference = tokens_of(scored, scored.prediction), tokens_of(scored, scored.references[best])
    marks = shared(answer, reference)
    return F1View(
        **words_fields(scored, best, (answer, reference), marks, omitted),
        shared=sum(marks[0]),
        precision=scored.result.precision or 0.0,
        recall=scored.result.recall or 0.0,
    )


def _repairs(scored: ScoredPrediction) -> Iterator[tuple[str, str]]:
    named = named_answer(scored.prediction)
    if named is not None:
        yield "what follows “answer:” alone", named
    for reference in scored.references:
        words = re.search(rf"(?<!\w){re.escape(reference.strip(' .'))}(?!\w)", scored.prediction, re.IGNORECASE)
        if words and words.group() and words.start():  # at the start it is where to stop
            yield QUOTED, words.group()


def _split(scored: ScoredPrediction, lost: float) -> Mapping[str, float]:
    prediction = tokens_of(scored, scored.better_text(scored.prediction))
    reference = tokens_of(scored, scored.better_text(scored.references[scored.better.best_reference or 0]))
    overlap = len(prediction) * (scored.better.precision or 0.0) / 100
    return missing_and_extra([(overlap, len(prediction), len(reference))], float, lost)


def words_fields(
    scored: ScoredPrediction,
    best: int,
    tokens: tuple[Sequence[str], Sequence[str]],
    marks: tuple[Sequence[bool], Sequence[bool]],
    omitted: list[str],
) -> dict[str, Any]:
    """Return the fields of a `WordsView`.

    Args:
        best: the index of the reference to show.
        tokens: those of the prediction and of that reference.
        marks: whether each token is shared, at least for those that are listed.
    """
    sides = zip(tokens, marks, ("words of the answer", "words of the reference"), strict=True)
    answer_tokens, reference_tokens = (_listed(*side, omitted) for side in sides)
    scores = enumerate(zip(scored.references, scored.result_by_reference(), strict=True), start=1)
    return {
        "answer": first_characters(scored.prediction, "the answer", omitted),
        "best_reference": best,
        "references": tuple(
            ScoredReference(first_characters(text, f"reference {i}", omitted), result.score)
            for i, (text, result) in scores
        ),
        "typography": scored.typographic_characters(),
        "lenient_score": scored.better.score,
        "answer_tokens": answer_tokens,
        "reference_tokens": reference_tokens,
    }


def tokens_of(scored: ScoredPrediction, text: str) -> list[str]:
    """Return the tokens that the scorer compares."""
    return normalize(text, scored.task.metric.steps).split()


def named_answer(text: str) -> str | None:
    """Return what follows "answer:" or "answer is" on its line, or `None`.

    >>> named_answer("Yes. The answer is: 7 days.")
    '7 days.'
    """
    match = _NAMED.search(text)
    return text[match.end() :].partition("\n")[0].strip() if match else None


def first_sentence(text: str) -> str:
    """Return the text up to the end of its first sentence or line.

    >>> first_sentence("Entailment. The term is 2.5 years.")
    'Entailment'
    """
    return _SENTENCE_END.split(text.strip(), maxsplit=1)[0]


def _listed(tokens: Sequence[str], marks: Sequence[bool], what: str, omitted: list[str]) -> tuple[Token, ...]:
    shown = first_of(tokens, what, omitted)
    if any(len(token) > TOKEN_LIMIT for token in shown):
        omitted.append(f"only the first {TOKEN_LIMIT} characters of long {what} are shown")
    return tuple(Token(token[:TOKEN_LIMIT], mark) for token, mark in zip(shown, marks, strict=False))


EXPLAINER = Explainer(
    view=_view, repairs=_repairs, split=_split, stops=lambda text: [match.end() for match in _WORD.finditer(text)]
)
