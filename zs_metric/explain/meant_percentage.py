"""The percentage that a reader would take from an answer where the evaluator finds none. For diagnosis only.

Tried in this order, the first that is there: the number whose tail was read (`87.0.0%`, `40,5%`); a number with another
percent sign (`40 %`, `40 percent`, `40％`); a number word with one (`sixty percent`); a part of a whole (`17 of 50`,
`17/50`, `of the 50 reviews, 17`, `17 positive and 33 negative`); a fraction of one (`0.4`); a number that stands alone
(`40`). The last two only when the answer holds one number.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from ..exp_similarity import cut_at

READ_LIMIT = 20_000
# A number written out; of the digits of a number only all of them match.
_NUMBER = r"(?<![\d.,])(\d{1,9}(?:[.,]\d{1,9})?)(?!\d)"
_COUNT = r"(?<![\d.,/])(\d{1,9})(?![\d/])"
_PERCENT = r"(?:%|[％٪﹪]|per\s?cent\b|pct\b|percentage points\b)"
_OF = r"of (?:the |all |these )*"
_UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_TENS = {word: 10 * i for i, word in enumerate(("twenty", "thirty", "forty", "fifty", "sixty"), start=2)}
_TENS |= {"seventy": 70, "eighty": 80, "ninety": 90}
_WORDS = {word: i for i, word in enumerate(_UNITS + _TEENS)} | _TENS | {"a hundred": 100, "one hundred": 100}
_WORD = rf"\b((?:{'|'.join(_TENS)})[\s-](?:{'|'.join(_UNITS[1:10])})|(?:a|one) hundred|{'|'.join(_WORDS)})"


class MeantPercentage(NamedTuple):
    """What was meant: the value in points, where it stands, how it was written, and the answer to write instead."""

    value: float
    start: int
    end: int
    how: str
    answer: str


def _number(text: str) -> float:
    """`40,5` is 40.5 and `1,050` is 1050."""
    return float(text.replace(",", "" if re.search(r",\d{3}$", text) else "."))


def _word(match: re.Match[str]) -> float:
    text = match.group(1).lower()
    return sum(_WORDS[part] for part in ([text] if text in _WORDS else re.split(r"[\s-]", text)))


def _share(part: int, whole: int) -> float | None:
    return 100 * part / whole if part <= whole != 0 else None


def _positive_share(match: re.Match[str]) -> float | None:
    positive, negative = map(int, match.groups())
    return _share(positive, positive + negative)


# How a percentage is written otherwise, and its value in points. In this order.
_WAYS: tuple[tuple[str, str, Callable[[re.Match[str]], float | None]], ...] = (
    (
        "a percentage in another writing",
        rf"{_NUMBER}[\s\u200b\u2060]{{0,3}}{_PERCENT}",
        lambda match: _number(match.group(1)),
    ),
    ("a percentage in words", rf"{_WORD}[\s-]{_PERCENT}", _word),
    (
        "a part of a whole",
        rf"(?<![\d.,/])(\d{{1,9}})(?: ?/ ?| (?:out )?{_OF})(\d{{1,9}})(?![\d/])",
        lambda match: _share(int(match.group(1)), int(match.group(2))),
    ),
    (
        "a part of a whole",
        rf"\b{_OF}{_COUNT}\b[^\d%]{{1,60}}{_COUNT}",
        lambda match: _share(int(match.group(2)), int(match.group(1))),
    ),
    (
        "a part of a whole",
        rf"{_COUNT} (?:reviews )?(?:are |were )?positive\b[^\d%]{{1,60}}{_COUNT}\b[^\d%]{{1,30}}?negative\b",
        _positive_share,
    ),
)
_ANY_NUMBER = re.compile(r"\d[\d.,]*|\.\d+")
_FRACTION = re.compile(r"0?\.\d{1,9}|[01]\.0{1,9}")


def meant_percentage(text: str) -> MeantPercentage | None:
    """What a reader would have read, or `None`.

    >>> meant_percentage("about 40 percent").answer, meant_percentage("17 out of the 50 reviews").answer
    ('40%', '34%')
    >>> meant_percentage("0.4").answer, meant_percentage("I'd say 40.").value, meant_percentage("between 40 and 50")
    ('40%', 40.0, None)
    """
    text = text[:READ_LIMIT]
    if cut_at(text):
        return _whole_number(text)
    for how, pattern, value_of in _WAYS:
        for match in re.finditer(pattern, text, re.IGNORECASE):
            value = value_of(match)
            if value is not None:
                return _meant(value, match.span(), how)
    return _lone_number(text)


def _whole_number(text: str) -> MeantPercentage | None:
    """The number whose tail was read, as far as it is one."""
    match = re.search(r"(?<![\d.,])(\d{1,9}(?:[.,]\d{1,9})?)(?:[.,]\d*)*%", text)
    return _meant(_number(match.group(1)), match.span(), "a number read from its middle") if match else None


def _lone_number(text: str) -> MeantPercentage | None:
    matches = list(_ANY_NUMBER.finditer(text))
    if len(matches) != 1:
        return None
    number, start = matches[0].group().rstrip(".,"), matches[0].start()
    span = (start, start + len(number))
    if _FRACTION.fullmatch(number):
        return _meant(100 * float(number), span, "a fraction of one")
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{1,9})?", number) and _number(number) <= 100:
        return _meant(_number(number), span, "a number without the percent sign")
    return None


def _meant(value: float, span: tuple[int, int], how: str) -> MeantPercentage:
    written = f"{value:.4f}".rstrip("0").rstrip(".")
    return MeantPercentage(float(written), *span, how, f"{written}%")
