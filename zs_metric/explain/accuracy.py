"""The explanation of a multiple-choice answer: its letters, which of them was read, and what a reader would read."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ..accuracy import LETTER, is_article, is_letter_alone, read_letter
from .explanation import Explanation
from .parts import QUOTES_REFERENCES, TEXT_LIMIT, HumanReading, Part

# "the answer is (B)", "Answer: B", "the correct option would be B"; an A before a lowercase word may be the article.
_NAMED = re.compile(
    r"\b(?i:answer|option|choice)\s{0,3}(?:\b(?:is|would be|must be)\b|[:=])\W{0,4}([B-D]\b|A\b(?! [a-z]))"
)
_NOT_BUT = re.compile(r"\bnot\W{1,4}[A-D]\b\W{1,4}but\W{1,4}([A-D])\b")
# What a reader takes for an option letter where the evaluator finds none, in the order in which they are tried.
_MEANT = (
    ("a full-width letter", re.compile(r"(?<!\w)[Ａ-Ｄ](?!\w)")),
    ("a letter glued to another character", re.compile(r"(?<![A-Za-z0-9À-ɏ])[A-D](?![A-Za-z0-9À-ɏ])")),
    ("a lowercase letter", re.compile(r"(?<![\w'’])(?:[b-d]|a(?=[).:]|\s*$))(?![\w'’])")),
)


@dataclass(frozen=True, slots=True)
class Letter(Part):
    """A capital that stands alone, and its place; the evaluator reads the first one."""

    start: int
    end: int
    letter: str
    first: bool


@dataclass(frozen=True, slots=True)
class MeantLetter(HumanReading):
    """The letter that a reader would have seen, and its place."""

    letter: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AccuracyView(Part):
    """A multiple-choice answer: the capitals A to D that stand alone, and how it may be understood.

    `article_trap` is true if the letter read is the article "A"; `named_letter` is the letter that the text says it
    chooses; `would_be` what a reader would have seen if no letter could be read.
    """

    answer: str
    letters: tuple[Letter, ...]
    article_trap: bool
    named_letter: str | None
    reference_letters: tuple[str | None, ...] = field(metadata=QUOTES_REFERENCES)
    would_be: MeantLetter | None


def named_letter(text: str) -> str | None:
    """Return the letter that the prediction names as its answer.

    >>> named_letter("A is tempting, but the answer is B"), named_letter("not A but C"), named_letter("I'd choose D")
    ('B', 'C', None)
    """
    match = _NOT_BUT.search(text[:TEXT_LIMIT]) or _NAMED.search(text[:TEXT_LIMIT])
    return match.group(1) if match else None


def offered_letters(text: str) -> list[str]:
    """Return the different letters that the text offers as its answer: the one it names, or else all but an article.

    >>> offered_letters("A or C"), offered_letters("not A but C"), offered_letters("A good answer is B, B!")
    (['A', 'C'], ['C'], ['B'])
    """
    named = named_letter(text)
    letters = (match.group() for match in LETTER.finditer(text) if not is_article(text[match.start() :]))
    return [named] if named else [*dict.fromkeys(letters)]


class _ScoredChoice(Explanation):
    form = "a bare letter"
    reason_quotes_after = ", not "

    @cached_property
    def meant(self) -> MeantLetter | None:
        for how, pattern in _MEANT if self.result.parsed is None else ():
            match = pattern.search(self.prediction[:TEXT_LIMIT])
            if match:
                letter = unicodedata.normalize("NFKC", match.group()).upper()
                return self.with_score(MeantLetter(how, letter, letter, *match.span()))
        return None

    def details(self) -> AccuracyView:
        answer = self.shown(self.prediction, "the answer")
        matches = enumerate(LETTER.finditer(answer))
        letters = [Letter(*match.span(), match.group(), first=not i) for i, match in matches]
        return AccuracyView(
            answer=answer,
            letters=self.listed(letters, "letters", 200),
            article_trap=is_article(self.prediction),
            named_letter=named_letter(self.prediction),
            reference_letters=tuple(map(read_letter, self.references)),
            would_be=self.meant,
        )

    def repairs(self) -> Iterator[tuple[str, str]]:
        named, first = named_letter(self.prediction), LETTER.search(self.prediction)
        if named:
            yield "the letter that the answer names, alone", named
        if self.meant:
            yield f"{self.meant.how} written as a plain capital", self.meant.answer
        after = read_letter(self.prediction[first.end() :]) if first and is_article(self.prediction) else None
        if after:
            yield "the letter after the article “A”, alone", after

    def cause(self) -> str | None:
        if self.result.parsed is None:
            return "misread" if self.meant else None
        named = named_letter(self.prediction)
        return "misread" if is_article(self.prediction) or named in map(read_letter, self.references) else None

    def split(self, lost: float) -> dict[str, float]:
        return {"two options" if len(offered_letters(self.prediction)) > 1 else "wrong option": lost}

    @property
    def in_format(self) -> bool:
        return is_letter_alone(self.prediction) and self.result.parsed is not None


EXPLANATION = _ScoredChoice
