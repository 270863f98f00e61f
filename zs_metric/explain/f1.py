"""The explanation of an F1 score: the shared tokens, the words missing and too many, where to stop.

`exact_match.py` shares the view, the tokens and the parts of a text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..f1 import normalize
from .explanation import QUOTED, Explanation
from .loss_breakdown import Losses, missing_and_extra
from .parts import QUOTES_REFERENCES, Part, TypographicCharacter, shared, typographic_characters

#: The most characters of one token that are shown.
TOKEN_LIMIT = 200
_NAMED = re.compile(r"\banswer(?:\s{0,3}:|\s{1,3}is\b\s{0,3}:?)\s{0,9}(?=\S)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n")


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
    """The prediction beside its references; the tokens are those of the prediction and of the best reference.

    With its typographic characters in ASCII on both sides it has `lenient_score` points; they are listed if that is
    more than its score.
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


class ScoredWords(Explanation):
    """A prediction that is compared word by word after the normalisation."""

    def tokens(self, text: str) -> list[str]:
        """Return the tokens that the scorer compares."""
        return normalize(text, self.task.metric.steps).split()

    @cached_property
    def sides(self) -> tuple[list[str], list[str]]:
        """The tokens of the prediction and of the reference to compare with."""
        return self.tokens(self.prediction), self.tokens(self.references[self.best()])

    def fields(self, marks: tuple[Sequence[bool], Sequence[bool]]) -> dict[str, Any]:
        """Return the fields of a `WordsView`; `marks` are whether each token of both sides is shared."""
        both = []
        for tokens, marked, what in zip(self.sides, marks, ("answer", "reference"), strict=True):
            listed = self.listed(tokens, f"words of the {what}")
            if any(len(token) > TOKEN_LIMIT for token in listed):
                self.note(f"only the first {TOKEN_LIMIT} characters of long words of the {what} are shown")
            both.append(tuple(Token(token[:TOKEN_LIMIT], mark) for token, mark in zip(listed, marked, strict=False)))
        scores = enumerate(zip(self.references, self.result_by_reference(), strict=True), start=1)
        return {
            "answer": self.shown(self.prediction, "the answer"),
            "best_reference": self.best(),
            "references": tuple(
                ScoredReference(self.shown(text, f"reference {i}"), result.score) for i, (text, result) in scores
            ),
            "typography": typographic_characters(self.prediction, self.references) if self.is_lenient else (),
            "lenient_score": self.better.score,
            "answer_tokens": both[0],
            "reference_tokens": both[1],
        }


class _ScoredF1(ScoredWords):
    pieces = re.compile(r"\S+")

    @cached_property
    def sentence(self) -> str | None:
        words, others = map(len, self.sides)
        held = round(words * (self.result.precision or 0.0) / 100)
        extra, missing = words - held, others - held
        if not held or "typography" in self.losses or not {"words missing", "words too many"} & self.losses.keys():
            return None
        reference = f"reference {self.best() + 1}"
        if not missing:
            cost = "the other one costs" if extra == 1 else f"the {extra:,} others cost"
            points = f"{cost} {100 - self.score:.1f} points; these words alone would score 100"
            return f"all words of {reference} are in the prediction; {points}"
        share = f"{held:,} of the {others:,} words of {reference} {'is' if held == 1 else 'are'} in the prediction"
        more = f"{extra:,} other{'' if extra == 1 else 's'}" if extra else "no others"
        return f"{share}, which has {more}"

    def details(self) -> F1View:
        marks, result = shared(*self.sides), self.result
        precision, recall = result.precision or 0.0, result.recall or 0.0
        return F1View(**self.fields(marks), shared=sum(marks[0]), precision=precision, recall=recall)

    def repairs(self) -> Iterator[tuple[str, str]]:
        named = named_answer(self.prediction)
        if named is not None:
            yield "what follows “answer:” alone", named
        for reference in self.references:
            words = re.search(rf"(?<!\w){re.escape(reference.strip(' .'))}(?!\w)", self.prediction, re.IGNORECASE)
            if words and words.group() and words.start():  # at the start it is where to stop
                yield QUOTED, words.group()

    def split(self, lost: float) -> Losses:
        words, precision, recall = len((self.better.parsed or "").split()), self.better.precision, self.better.recall
        if precision and recall:
            others = round(words * precision / recall)
        else:  # the first reference, or where it has no words the longest
            first, *rest = (len(self.tokens(self.better_text(text))) for text in self.references)
            others = first or max(rest, default=0)
        return missing_and_extra([(words * (precision or 0.0) / 100, words, others)], float, lost)


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


EXPLANATION = _ScoredF1
