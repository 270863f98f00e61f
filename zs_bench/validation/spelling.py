"""Misspelt ids, ids changed by spreadsheets, and the search for similar ids."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from rapidfuzz import fuzz, process

#: The similarity (0 to 1) from which an id is suggested, and from which it is offered as a repair.
NAMED, OFFERED = 0.7, 0.9
_LONGEST = 200
_LAST_NUMBER = re.compile("[0-9]+(?=[^0-9]*$)")
_HASH = re.compile("[0-9a-f]{30,}")

_PID = re.compile(r"(.+)_[0-9]{1,3}", re.DOTALL)
_WHOLE = re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.0+)?")
_ROUNDED = re.compile(r"([0-9])(?:[.,]([0-9]{1,14}))?[eE]\+?([0-9]{1,3})")
_TIME = r"(?:[ T]0{1,2}:00(?::00)?(?:\.0+)?)?"
_YEAR_FIRST = re.compile(rf"([0-9]{{4}})[-/]([0-9]{{1,2}})[-/]([0-9]{{1,2}}){_TIME}")
_YEAR_LAST = re.compile(rf"([0-9]{{1,2}})[-/.]([0-9]{{1,2}}|[A-Za-z]{{3}})[-/.]([0-9]{{4}}|[0-9]{{2}}){_TIME}")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# Day 0 of spreadsheets, for dates after their day 60, 29 February 1900, which did not exist.
_DAY_0 = date(1899, 12, 30)


def nearest(id_: str, ids: Sequence[str], count: int = 3) -> list[tuple[str, float]]:
    """The most similar of these ids, at most so many, each with its similarity from 0 to 1.

    >>> [id_ for id_, _ in nearest("va_sq-11", ["va-sq-11", "va-sq-12", "tr-gq-7"])]
    ['va-sq-11', 'va-sq-12']
    """
    found = process.extract(id_[:_LONGEST], ids, scorer=fuzz.ratio, limit=count, score_cutoff=100 * NAMED)
    return [(one, score / 100) for one, score, _ in found]


def same_last_number(first: str, second: str) -> bool:
    """Whether the last number in two ids is the same; otherwise they are different questions. A hash has none.

    >>> same_last_number("62139_J05FWZR6_1", "62139_J05FWZR_1"), same_last_number("a_1", "a_2")
    (True, False)
    """
    if all(map(_HASH.fullmatch, (first, second))):
        return True
    ends = [_LAST_NUMBER.search(id_) for id_ in (first, second)]
    return len({end and end[0] for end in ends}) == 1


def plain(id_: str) -> str:
    r"""An id in lowercase, without surrounding spaces, byte order marks and quotes.

    >>> plain("\ufeff 'CRS_R46013' ")
    'crs_r46013'
    """
    return unicodedata.normalize("NFKC", id_).strip("\ufeff'\"` \t\r\n").casefold()


def base_of_pid(id_: str) -> str | None:
    """The id of a `pid`, which is the id and a number for each reference; `None` for anything else.

    >>> base_of_pid("crs_R46013_0"), base_of_pid("va-sq-11")
    ('crs_R46013', None)
    """
    match = _PID.fullmatch(id_)
    return match[1] if match else None


def whole_number(id_: str) -> str | None:
    """The digits of a whole number as a spreadsheet writes it.

    >>> whole_number("3858.0"), whole_number("182,528"), whole_number("3858.5")
    ('3858', '182528', None)
    """
    match = _WHOLE.fullmatch(id_)
    return match[1].replace(",", "") if match else None


def rounded(id_: str) -> tuple[Decimal, int, int] | None:
    """A number in exponent notation: its digits as a whole number, the number of decimals, the exponent.

    >>> rounded("1.83E+05"), rounded("183000")
    ((Decimal('183'), 2, 5), None)
    """
    match = _ROUNDED.fullmatch(id_)
    if match is None:
        return None
    places = match[2] or ""
    return Decimal(match[1] + places), len(places), int(match[3])


def round_off(number: str, places: int) -> tuple[Decimal, int, int]:
    """A whole number as a spreadsheet shows it with that many decimals, in the form of `rounded`.

    >>> round_off("182528", 2), round_off("999600", 2)
    ((Decimal('183'), 2, 5), (Decimal('100'), 2, 6))
    """
    value = Decimal(number)
    exponent = value.adjusted()
    digits = value.scaleb(places - exponent).quantize(Decimal(1), ROUND_HALF_UP)
    carried = digits.adjusted() - places if digits else 0
    return (digits.scaleb(-carried).quantize(Decimal(1)), places, exponent + carried)


def days(id_: str) -> Iterator[str]:
    """The whole numbers that a spreadsheet shows as this date.

    >>> set(days("1910-07-24")), set(days("24-Jul-10")), list(days("July"))
    ({'3858'}, {'40383'}, [])
    """
    for year, month, day in _dates(id_):
        try:
            yield str((date(year, month, day) - _DAY_0).days)
        except ValueError:
            continue


def _dates(id_: str) -> Iterator[tuple[int, int, int]]:
    if match := _YEAR_FIRST.fullmatch(id_):
        yield int(match[1]), int(match[2]), int(match[3])
    elif match := _YEAR_LAST.fullmatch(id_):
        first, second = int(match[1]), match[2].lower()
        # Spreadsheets read two-digit years below 30 as 20xx.
        year = int(match[3]) + (0 if len(match[3]) == 4 else 2000 if int(match[3]) < 30 else 1900)
        if second.isdecimal():
            yield year, int(second), first
            yield year, first, int(second)
        elif second in _MONTHS:
            yield year, _MONTHS.index(second) + 1, first
