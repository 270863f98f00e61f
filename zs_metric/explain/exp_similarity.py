"""The explanation of a percentage: where it was read, how far off it is, what a reader would have read instead.

What a reader would have read is the first found of: the number whose tail was read (`87.0.0%`, `40,5%`); a
number with another percent sign (`40 %`, `40 percent`, `40％`); a number word with one (`sixty percent`); a part of a
whole (`17 of 50`, `17/50`, `of the 50 reviews, 17`, `17 positive and 33 negative`); a fraction of one (`0.4`); a number
that stands alone (`40`). The last two only when the prediction contains a single number.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from ..exp_similarity import PERCENTAGE, cut_at, read_percentage
from ..results import finite
from .parts import QUOTES_REFERENCES, HumanReading, Part, first_characters
from .scored import Explainer, ScoredPrediction

#: Points of distance that halve the score.
HALF_WIDTH = 10
#: How many characters are searched for a percentage that the evaluator did not read.
READ_LIMIT = 20_000
# A number in digits, matched whole or not at all.
_NUMBER = r"(?<![\d.,])(\d{1,9}(?:[.,]\d{1,9})?)(?!\d)"
_COUNT = r"(?<![\d.,/])(\d{1,9})(?![\d/])"
_PERCENT = r"(?:%|[％٪﹪]|per\s?cent\b|pct\b|percentage points\b)"
_OF = r"of (?:the |all |these )*"
_UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {word: i for i, word in enumerate(_UNITS + _TEENS)} | {word: 10 * i for i, word in enumerate(_TENS, start=2)}
_WORDS |= {"a hundred": 100, "one hundred": 100}
_WORD = rf"\b((?:{'|'.join(_TENS)})[\s-](?:{'|'.join(_UNITS[1:10])})|(?:a|one) hundred|{'|'.join(_WORDS)})"
_ALONE = re.compile(rf"[^\w%]*{PERCENTAGE.pattern}[\W_]*")
_ANY_NUMBER = re.compile(r"\d[\d.,]*|\.\d+")
_FRACTION = re.compile(r"0?\.\d{1,9}|[01]\.0{1,9}")


@dataclass(frozen=True, slots=True)
class MeantPercentage(HumanReading):
    """The percentage that a reader would have read, in points, and its place."""

    value: float
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ExpSimilarityView(Part):
    """A percentage. Percentages are in points.

    Attributes:
        answer: the prediction.
        span: the start and the end of the percentage read, or `None`.
        value: the percentage read, or `None`.
        truth: the reference that gave the score.
        half_width: the score is `100 * 2 ** (-abs(value - truth) / half_width)`.
        would_be: what a reader would have read if nothing could be read, or only the tail of a number; or `None`.
    """

    OWN_REPAIRS: ClassVar = True
    REASON_QUOTES_AFTER: ClassVar = "; the reference is "

    answer: str
    span: tuple[int, int] | None
    value: float | None
    truths: tuple[float | None, ...] = field(metadata=QUOTES_REFERENCES)
    truth: float | None = field(metadata=QUOTES_REFERENCES)
    half_width: int
    would_be: MeantPercentage | None


def _view(scored: ScoredPrediction, omitted: list[str]) -> ExpSimilarityView:
    answer = first_characters(scored.prediction, "the answer", omitted)
    match, meant = PERCENTAGE.search(answer), _meant(scored)
    truths = tuple(finite(read_percentage(text)) for text in scored.references)
    return ExpSimilarityView(
        answer=answer,
        span=match.span() if match else None,
        value=finite(scored.result.parsed),
        truths=truths,
        truth=truths[scored.result.best_reference or 0],
        half_width=HALF_WIDTH,
        would_be=meant and scored.with_score(meant),
    )


def _cause(scored: ScoredPrediction) -> str | None:
    meant = _meant(scored)
    if scored.result.parsed is None:
        return "misread" if meant else "nothing read"
    return "misread" if meant and scored.with_score(meant).score > scored.result.score else None


def _split(scored: ScoredPrediction, lost: float) -> dict[str, float]:
    reference = scored.better_text(scored.references[scored.better.best_reference or 0])
    return {"too high" if scored.better.parsed > (read_percentage(reference) or 0.0) else "too low": lost}


def is_in_form(prediction: str) -> bool:
    """Return whether the text is a percentage and nothing else, as the prompt asks.

    >>> is_in_form("~89%."), is_in_form("89% are positive"), is_in_form("1,050%")
    (True, False, False)
    """
    return _ALONE.fullmatch(prediction) is not None and cut_at(prediction) is None


def _repairs(scored: ScoredPrediction) -> Iterator[tuple[str, str]]:
    meant = _meant(scored)
    if meant:
        yield f"{meant.how}, written as the evaluator reads it", meant.answer


def meant_percentage(text: str) -> MeantPercentage | None:
    """Return what a reader would have read, or `None`.

    >>> meant_percentage("about 40 percent").answer, meant_percentage("17 out of the 50 reviews").answer
    ('40%', '34%')
    >>> meant_percentage("0.4").answer, meant_percentage("I'd say 40.").value, meant_percentage("between 40 and 50")
    ('40%', 40.0, None)
    """
    text = text[:READ_LIMIT]
    if cut_at(text):
        match = re.search(r"(?<![\d.,])(\d{1,9}(?:[.,]\d{1,9})?)(?:[.,]\d*)*%", text)
        return _written(_number(match.group(1)), match.span(), "a number read from its middle") if match else None
    for how, pattern, value_of in _NOTATIONS:
        for match in re.finditer(pattern, text, re.IGNORECASE):
            value = value_of(*match.groups())
            if value is not None:
                return _written(value, match.span(), how)
    return _lone_number(text)


def _meant(scored: ScoredPrediction) -> MeantPercentage | None:
    """Return what a reader would have read, if the evaluator read nothing or only the tail of a number."""
    unread = scored.result.parsed is None or cut_at(scored.prediction)
    return meant_percentage(scored.prediction) if unread else None


def _lone_number(text: str) -> MeantPercentage | None:
    matches = list(_ANY_NUMBER.finditer(text))
    if len(matches) != 1:
        return None
    number, start = matches[0].group().rstrip(".,"), matches[0].start()
    span = (start, start + len(number))
    if _FRACTION.fullmatch(number):
        return _written(100 * float(number), span, "a fraction of one")
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{1,9})?", number) and _number(number) <= 100:
        return _written(_number(number), span, "a number without the percent sign")
    return None


def _written(value: float, span: tuple[int, int], how: str) -> MeantPercentage:
    number = f"{value:.4f}".rstrip("0").rstrip(".")
    return MeantPercentage(how, f"{number}%", float(number), *span)


def _number(text: str) -> float:
    """`40,5` is 40.5 and `1,050` is 1050."""
    return float(text.replace(",", "" if re.search(r",\d{3}$", text) else "."))


def _word(text: str) -> float:
    words = [text.lower()] if text.lower() in _WORDS else re.split(r"[\s-]", text.lower())
    return sum(_WORDS[word] for word in words)


def _share(part: str, whole: str) -> float | None:
    return 100 * int(part) / int(whole) if int(part) <= int(whole) != 0 else None


# Other notations of a percentage: what each is called, its pattern, and the value in points of the pattern's groups.
_NOTATIONS: tuple[tuple[str, str, Callable[..., float | None]], ...] = (
    ("a percentage in another notation", rf"{_NUMBER}[\s\u200b\u2060]{{0,3}}{_PERCENT}", _number),
    ("a percentage in words", rf"{_WORD}[\s-]{_PERCENT}", _word),
    ("a part of a whole", rf"(?<![\d.,/])(\d{{1,9}})(?: ?/ ?| (?:out )?{_OF})(\d{{1,9}})(?![\d/])", _share),
    ("a part of a whole", rf"\b{_OF}{_COUNT}\b[^\d%]{{1,60}}{_COUNT}", lambda whole, part: _share(part, whole)),
    (
        "a part of a whole",
        rf"{_COUNT} (?:reviews )?(?:are |were )?positive\b[^\d%]{{1,60}}{_COUNT}\b[^\d%]{{1,30}}?negative\b",
        lambda positive, negative: _share(positive, str(int(positive) + int(negative))),
    ),
)

EXPLAINER = Explainer(_view, _repairs, _cause, _split, "a bare percentage", is_in_form)
