"""The explanation of a percentage: where it was read, how far off it is, what a reader would have read instead.

What a reader would have read is the first found of: the number whose tail was read (`87.0.0%`, `40,5%`); a
number with another percent sign (`40 %`, `40 percent`, `40％`); a number word with one (`sixty percent`); a part of a
whole (`17 of 50`, `17/50`, `of the 50 reviews, 17`, `17 positive and 33 negative`); a fraction of one (`0.4`); a number
that stands alone (`40`). The last two only when the prediction contains a single number.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ..exp_similarity import PERCENTAGE, cut_at, read_percentage
from ..results import finite
from .explanation import Explanation
from .parts import QUOTES_REFERENCES, HumanReading, Part

#: Points of distance that halve the score.
HALF_WIDTH = 10
#: How many characters are searched for a percentage that the evaluator did not read.
READ_LIMIT = 20_000
# A number in digits, matched whole or not at all.
_NUMBER = r"(?<![\d.,])(\d{1,9}(?:[.,]\d{1,9})?)"
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
    """The percentage read and its place, and the references with the best one. Percentages are in points.

    The score is `100 * 2 ** (-abs(value - truth) / half_width)`. `would_be` is what a reader would have read if nothing
    could be read, or only the tail of a number.
    """

    answer: str
    span: tuple[int, int] | None
    value: float | None
    truths: tuple[float | None, ...] = field(metadata=QUOTES_REFERENCES)
    truth: float | None = field(metadata=QUOTES_REFERENCES)
    half_width: int
    would_be: MeantPercentage | None


class _ScoredPercentage(Explanation):
    form = "a bare percentage"
    reason_quotes_after = "; the reference is "

    @cached_property
    def meant(self) -> MeantPercentage | None:
        """What a reader would have read, if the evaluator read nothing or only the tail of a number."""
        unread = self.result.parsed is None or cut_at(self.prediction)
        return self.with_score(meant_percentage(self.prediction)) if unread else None

    def details(self) -> ExpSimilarityView:
        answer = self.shown(self.prediction, "the answer")
        match = PERCENTAGE.search(answer)
        truths = tuple(finite(read_percentage(text)) for text in self.references)
        return ExpSimilarityView(
            answer=answer,
            span=match.span() if match else None,
            value=finite(self.result.parsed),
            truths=truths,
            truth=truths[self.best()],
            half_width=HALF_WIDTH,
            would_be=self.meant,
        )

    def repairs(self) -> Iterator[tuple[str, str]]:
        if self.meant:
            yield f"{self.meant.how}, written as the evaluator reads it", self.meant.answer

    def cause(self) -> str | None:
        is_misread = self.meant and (self.result.parsed is None or self.meant.score > self.result.score)
        return "misread" if is_misread else None

    def split(self, lost: float) -> dict[str, float]:
        truth = read_percentage(self.better_text(self.references[self.better.best_reference or 0]))
        return {"too high" if self.better.parsed > (truth or 0.0) else "too low": lost}

    @property
    def in_format(self) -> bool:
        return _ALONE.fullmatch(self.prediction) is not None and cut_at(self.prediction) is None


def meant_percentage(text: str) -> MeantPercentage | None:
    """Return what a reader would have read, or `None`.

    >>> meant_percentage("about 40 percent").answer, meant_percentage("17 out of the 50 reviews").answer
    ('40%', '34%')
    >>> meant_percentage("0.4").answer, meant_percentage("I'd say 40.").value, meant_percentage("between 40 and 50")
    ('40%', 40.0, None)
    """
    text = text[:READ_LIMIT]
    if cut_at(text):
        match = re.search(rf"{_NUMBER}(?:[.,]\d*)*%", text)
        return _written(_number(match.group(1)), match.span(), "a number read from its middle") if match else None
    for how, pattern, value_of in _NOTATIONS:
        for match in re.finditer(pattern, text, re.IGNORECASE):
            value = value_of(*match.groups())
            if value is not None:
                return _written(value, match.span(), how)
    matches = list(_ANY_NUMBER.finditer(text))
    if len(matches) != 1:
        return None
    number, start = matches[0].group().rstrip(".,"), matches[0].start()
    span = start, start + len(number)
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
    ("a percentage in another notation", rf"{_NUMBER}(?!\d)[\s\u200b\u2060]{{0,3}}{_PERCENT}", _number),
    ("a percentage in words", rf"{_WORD}[\s-]{_PERCENT}", _word),
    ("a part of a whole", rf"(?<![\d.,/])(\d{{1,9}})(?: ?/ ?| (?:out )?{_OF})(\d{{1,9}})(?![\d/])", _share),
    ("a part of a whole", rf"\b{_OF}{_COUNT}\b[^\d%]{{1,60}}{_COUNT}", lambda whole, part: _share(part, whole)),
    (
        "a part of a whole",
        rf"{_COUNT} (?:reviews )?(?:are |were )?positive\b[^\d%]{{1,60}}{_COUNT}\b[^\d%]{{1,30}}?negative\b",
        lambda positive, negative: _share(positive, str(int(positive) + int(negative))),
    ),
)

EXPLANATION = _ScoredPercentage
