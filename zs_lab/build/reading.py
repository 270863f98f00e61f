"""Records from the user's own files: CSV and its kin, JSON, JSON Lines, Parquet, or a folder of texts; their dates."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

from zs_bench.errors import UnusableInput
from zs_bench.files import limits
from zs_bench.files.formats import read_plain
from zs_bench.files.input_files import InputFile
from zs_bench.files.paths import open_inputs
from zs_bench.problems import lines, short

Record = Mapping[str, Any]
_SUFFIXES = (".csv", ".tsv", ".json", ".jsonl", ".parquet")
_SLASHED = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4})")
_DATES = (
    *("%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%Y-%m", "%Y/%m", "%d.%m.%Y"),
    *("%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y", "%B %Y", "%b %Y"),
)


class Origin(NamedTuple):
    """A file: its name, 16 digits of the SHA-256 of its content, how many records it has, its encoding if not UTF-8."""

    name: str
    sha256: str
    records: int
    encoding: str | None = None


def read_records(path: str | Path) -> tuple[list[Record], list[Origin]]:
    """Return the records of a file, or of all files of a folder in the order of their names.

    A folder of folders with `.txt` files has a record `{book, summaries}` for each folder, in the order of their names.
    Raises `UnusableInput` for a path that does not exist, a file of another kind, or one that cannot be read.
    """
    place, records, origins = Path(path), list[Record](), list[Origin]()
    if not place.exists():
        raise UnusableInput(f"there is no file or folder {short(str(path), 200)!r}")
    if place.is_dir() and any(place.glob("*/*.txt")):
        for folder in sorted({file.parent for file in place.glob("*/*.txt")}):
            texts = [_decode(file.read_bytes())[0].strip() for file in sorted(folder.glob("*.txt"), key=_by_numbers)]
            records.append({"book": folder.name, "summaries": texts})
            origins.append(Origin(f"{folder.name}/", _digest("\0".join(texts).encode()), len(texts)))
        return records, origins
    files = sorted(file for file in place.iterdir() if _kind(file) in _SUFFIXES) if place.is_dir() else [place]
    if not files:
        raise UnusableInput(f"the folder {short(str(path), 200)!r} has no file ending in {', '.join(_SUFFIXES)}")
    with limits.using(limits.COMMANDS):
        for file in files:
            rows, encoding = _read(file)
            records += rows
            origins.append(Origin(file.name, _digest(file.read_bytes()), len(rows), encoding))
    return records, origins


def _by_numbers(file: Path) -> list[int | str]:
    """Return the file's name as parts that compare as numbers, so that chapter 10 follows chapter 9."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", file.stem)]


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _kind(file: Path) -> str:
    """Return the suffix of the file, without that of gzip."""
    return (Path(file.stem) if file.suffix == ".gz" else file).suffix.lower()


def _read(file: Path) -> tuple[list[Record], str | None]:
    """Return the records of a file, and its encoding if it is not UTF-8."""
    if _kind(file) not in _SUFFIXES:
        kinds = ", ".join(_SUFFIXES)
        raise UnusableInput(f"{short(file.name)} is not one of {kinds}, or of these with .gz; convert it")
    source, encoding = open_file(file), None
    try:
        content = b"".join(source.blocks()) if _kind(file) != ".parquet" else b"\0"
    except UnusableInput as error:
        raise UnusableInput(f"{short(file.name)}: {error}") from None
    if b"\0" not in content:  # with one it is no text in Windows-1252, and the reader says what it is
        text, encoding = _decode(content)
        source = InputFile.in_memory(str(source.path), text.encode(), source.name)
    return [row for _, row in read_plain(source)], encoding


def open_file(file: Path) -> InputFile:
    """Return the file to be read; raises `UnusableInput` for one that cannot be opened."""
    sources, problems = open_inputs(file)
    if problems:
        raise UnusableInput("; ".join(lines(problems)), problems=problems)
    return sources[0]


def _decode(content: bytes) -> tuple[str, str | None]:
    """Return the text, and its encoding if it is not UTF-8: it is then read as Windows-1252."""
    try:
        return content.decode("utf-8-sig"), None
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace"), "Windows-1252"


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
    for pattern in filter(None, (*_DATES, slashed)):
        with suppress(ValueError):
            return datetime.strptime(text, pattern).date()  # noqa: DTZ007  (the day that is written)
    return None
