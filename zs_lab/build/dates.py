"""Dates as people write them, read for the option `--since`."""

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import date, datetime, timezone

_FORMATS = (
    *("%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%Y-%m", "%Y/%m", "%d.%m.%Y"),
    *("%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y", "%B %Y", "%b %Y"),
)
_SLASHED = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4})")


def read_dates(values: Iterable[object]) -> list[date | None]:
    """Return the date of each value of a column, `None` where it cannot be read.

    A month stands for its first day. `05/12/2026` is read only when other values of the column show whether the day or
    the month comes first. Numbers of nine digits or more are seconds or milliseconds since 1970.

    >>> [str(day) for day in read_dates(["2026-03-01T10:00", "Sept 5th, 2026", "Jan 2026", 1767225600, "spring"])]
    ['2026-03-01', '2026-09-05', '2026-01-01', '2026-01-01', 'None']
    >>> [str(day) for day in read_dates(["05/12/2026", "12/25/2026"])], read_dates(["05/12/2026"])
    (['2026-05-12', '2026-12-25'], [None])
    """
    texts = [" ".join(str(value).replace(",", " ").split()) for value in values]
    pairs = [(int(match[1]), int(match[2])) for text in texts if (match := _SLASHED.match(text))]
    day_first, month_first = any(first > 12 for first, _ in pairs), any(second > 12 for _, second in pairs)
    slashed = "%d/%m/%Y" if day_first and not month_first else "%m/%d/%Y" if month_first and not day_first else None
    return [_date(text, slashed) for text in texts]


def _date(text: str, slashed: str | None) -> date | None:
    if match := _SLASHED.match(text):
        text = "/".join(match.groups())
    elif re.fullmatch(r"\d{9,10}(\.\d+)?|\d{12,13}", text):
        seconds = float(text) / (1000 if text.isdecimal() and len(text) > 10 else 1)
        return datetime.fromtimestamp(seconds, timezone.utc).date()
    else:
        with suppress(ValueError):
            return date.fromisoformat(text[:10])
        text = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", text).replace("Sept ", "Sep ")
    for pattern in filter(None, (*_FORMATS, slashed)):
        with suppress(ValueError):
            return datetime.strptime(text, pattern).date()  # noqa: DTZ007  (the day that is written)
    return None
