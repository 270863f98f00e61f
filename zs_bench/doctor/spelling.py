"""Ids and numbers as they are misspelt, and as programs for tables leave them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal

_PID = re.compile(r"(.+)_[0-9]{1,3}", re.DOTALL)
_WHOLE = re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.0+)?")
_ROUNDED = re.compile(r"([0-9])(?:[.,]([0-9]{1,14}))?[eE]\+?([0-9]{1,3})")
_TIME = re.compile(r"[ T]0{1,2}:00(:00)?(\.0+)?$")
_DATES = ("%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%b-%Y", "%d-%b-%y", "%m/%d/%y", "%d/%m/%y")
# Day 60 of the spreadsheets' calendar, 29 February 1900, never was; from then on they count from here.
_DAY_0 = date(1899, 12, 30)


def plain(key: str) -> str:
    r"""What is left of an id without blanks, marks and quotes around it and without capitals.

    >>> plain("\ufeff 'CRS_R46013' ")
    'crs_r46013'
    """
    return unicodedata.normalize("NFKC", key).strip("\ufeff'\"` \t\r\n").casefold()


def base_of_pid(key: str) -> str | None:
    """The id that a `pid` belongs to, if it is one: the data counts an example's references after its id.

    >>> base_of_pid("crs_R46013_0"), base_of_pid("va-sq-11")
    ('crs_R46013', None)
    """
    match = _PID.fullmatch(key)
    return match[1] if match else None


def whole_number(key: str) -> str | None:
    """The digits of a whole number as a table program writes it.

    >>> whole_number("3858.0"), whole_number("182,528"), whole_number("3858.5")
    ('3858', '182528', None)
    """
    match = _WHOLE.fullmatch(key)
    return match[1].replace(",", "") if match else None


def rounded_from(key: str, numbers: Iterable[str]) -> list[str]:
    """Which of these whole numbers a number in exponent notation may stand for.

    >>> rounded_from("1.83E+05", ["182528", "182600", "18253"])
    ['182528', '182600']
    """
    match = _ROUNDED.fullmatch(key)
    if match is None:
        return []
    digits = Decimal((0, tuple(map(int, match[1] + (match[2] or ""))), 0))
    return [number for number in numbers if _rounded(number, len(match[2] or "")) == (digits, int(match[3]))]


def _rounded(number: str, places: int) -> tuple[Decimal, int]:
    """The number's digits, rounded to so many behind the first, and its exponent."""
    value = Decimal(number)
    step = Decimal((0, (1,), value.adjusted() - places))
    rounded = (value / step).quantize(Decimal(1), ROUND_HALF_UP)
    carried = rounded.adjusted() - places
    return (rounded / 10 if carried else rounded), value.adjusted() + carried


def days(key: str) -> Iterator[str]:
    """The whole numbers that a table program shows as this date, as its calendar counts the days.

    >>> set(days("1910-07-24")), set(days("24-Jul-1910")), list(days("July"))
    ({'3858'}, {'3858'}, [])
    """
    text = _TIME.sub("", key)
    for form in _DATES:
        try:
            day = datetime.strptime(text, form).date()  # noqa: DTZ007  (a calendar day has no time zone)
        except ValueError:
            continue
        yield str((day - _DAY_0).days)
