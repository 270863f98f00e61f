"""Ids and numbers as they are misspelt, and as programs for tables leave them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

_PID = re.compile(r"(.+)_[0-9]{1,3}", re.DOTALL)
_WHOLE = re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.0+)?")
_ROUNDED = re.compile(r"([0-9])(?:[.,]([0-9]{1,14}))?[eE]\+?([0-9]{1,3})")
_TIME = r"(?:[ T]0{1,2}:00(?::00)?(?:\.0+)?)?"
_YEAR_FIRST = re.compile(rf"([0-9]{{4}})[-/]([0-9]{{1,2}})[-/]([0-9]{{1,2}}){_TIME}")
_YEAR_LAST = re.compile(rf"([0-9]{{1,2}})[-/.]([0-9]{{1,2}}|[A-Za-z]{{3}})[-/.]([0-9]{{4}}|[0-9]{{2}}){_TIME}")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
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


def rounded(key: str) -> tuple[Decimal, int, int] | None:
    """A number in exponent notation: its digits as a whole number, how many stand behind the point, the exponent.

    >>> rounded("1.83E+05"), rounded("183000")
    ((Decimal('183'), 2, 5), None)
    """
    match = _ROUNDED.fullmatch(key)
    if match is None:
        return None
    places = match[2] or ""
    return Decimal(match[1] + places), len(places), int(match[3])


def round_off(number: str, places: int) -> tuple[Decimal, int, int]:
    """A whole number as a table program shows it with so many places: see `rounded`.

    >>> round_off("182528", 2), round_off("999600", 2)
    ((Decimal('183'), 2, 5), (Decimal('100'), 2, 6))
    """
    value = Decimal(number)
    exponent = value.adjusted()
    digits = value.scaleb(places - exponent).quantize(Decimal(1), ROUND_HALF_UP)
    carried = digits.adjusted() - places if digits else 0
    return (digits.scaleb(-carried).quantize(Decimal(1)), places, exponent + carried)


def days(key: str) -> Iterator[str]:
    """The whole numbers that a table program shows as this date, as its calendar counts the days.

    >>> set(days("1910-07-24")), set(days("24-Jul-10")), list(days("July"))
    ({'3858'}, {'40383'}, [])
    """
    for year, month, day in _dates(key):
        try:
            yield str((date(year, month, day) - _DAY_0).days)
        except ValueError:
            continue


def _dates(key: str) -> Iterator[tuple[int, int, int]]:
    if match := _YEAR_FIRST.fullmatch(key):
        yield int(match[1]), int(match[2]), int(match[3])
    elif match := _YEAR_LAST.fullmatch(key):
        first, second = int(match[1]), match[2].lower()
        # Of two digits those before 30 are of this century, as table programs have it.
        year = int(match[3]) + (0 if len(match[3]) == 4 else 2000 if int(match[3]) < 30 else 1900)
        if second.isdecimal():
            yield year, int(second), first
            yield year, first, int(second)
        elif second in _MONTHS:
            yield year, _MONTHS.index(second) + 1, first
