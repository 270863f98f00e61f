"""How much is read, decided before reading it. What goes beyond a limit is refused with the limit in the message.

The whole benchmark is 4,378 answers, some 13 MB; its largest file of rows, NarrativeQA's, is about 250 MB.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

#: A file that is read as a whole, and one that is read line by line, in bytes.
MAX_WHOLE = 64_000_000
MAX_BY_LINES = 400_000_000
MAX_ZIP_BYTES = 400_000_000
MAX_TOTAL_BYTES = 1_000_000_000
#: Files in one folder or ZIP.
MAX_MEMBERS = 1_000
#: How many times its packed size a member of a ZIP may have, beyond the first `RATIO_FROM` bytes.
MAX_RATIO = 200
RATIO_FROM = 10_000_000
#: One line of JSONL or CSV.
MAX_LINE_BYTES = 20_000_000
#: Commas and brackets in a JSON text: they bound its number of values, each of which takes much more than its bytes.
MAX_VALUES = 2_000_000
#: Rows of all files of one side together, readable or not.
MAX_ENTRIES = 200_000
#: Characters of one answer or reference, and of an id.
MAX_TEXT = 2_000_000
MAX_ID = 1_000


@dataclass(frozen=True, slots=True)
class Limits:
    """How large files may be, in bytes, where that depends on who chose them.

    Attributes:
        zip_: of a ZIP.
        total: of all files of one side together.
        by_lines: of a file that is read line by line.
    """

    zip_: int = MAX_ZIP_BYTES
    total: int = MAX_TOTAL_BYTES
    by_lines: int = MAX_BY_LINES


#: For files that a visitor uploads.
UPLOADS = Limits()
#: For a command: its caller has chosen the files. The ZIP of NarrativeQA in SCROLLS is 8 GB.
COMMANDS = Limits(zip_=50_000_000_000, total=50_000_000_000, by_lines=50_000_000_000)
_current: ContextVar[Limits] = ContextVar("limits", default=UPLOADS)


def current() -> Limits:
    """The limits that hold here: those for uploads, unless `using` others."""
    return _current.get()


@contextmanager
def using(limits: Limits) -> Iterator[None]:
    """Read within other limits; only the calling thread or task does, never the whole process."""
    token = _current.set(limits)
    try:
        yield
    finally:
        _current.reset(token)


def size(count: int) -> str:
    """A number of bytes for people.

    >>> size(20_500_000)
    '20.5 MB'
    """
    unit, per = ("GB", 1e9) if count >= 1e9 else ("MB", 1e6) if count >= 1e6 else ("kB", 1e3)
    return f"{count / per:.4g} {unit}"
