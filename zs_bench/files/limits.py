"""Limits of what is read, checked before reading; a message about an input beyond a limit names the limit.

Predictions for the whole benchmark (4,378) take some 13 MB; its largest file of rows, NarrativeQA's, about 250 MB.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

# In bytes.
MAX_WHOLE = 64_000_000  # a file that is read as a whole
MAX_ZIP_BYTES = 400_000_000
MAX_DIRECTORY = 5_000_000  # the list of the files in a ZIP: some 100 for each file
MAX_LINE_BYTES = 20_000_000  # one line of JSONL or CSV
# The highest compression ratio of a member of a ZIP larger than `RATIO_FROM` bytes.
MAX_RATIO = 200
RATIO_FROM = 10_000_000
# In numbers.
MAX_MEMBERS = 1_000  # files in one folder or ZIP
MAX_VALUES = 2_000_000  # commas and brackets in a JSON text, which bound the number of its values and thus its memory
MAX_ENTRIES = 200_000  # rows of all prediction (or reference) files together, readable or not
MAX_TEXT = 2_000_000  # characters of a prediction or reference
MAX_ID = 1_000  # characters of an id


class Limits(NamedTuple):
    """The maximum sizes in bytes: of a ZIP, of all files together, and of a file that is read line by line."""

    zip_: int = MAX_ZIP_BYTES
    total: int = 1_000_000_000
    by_lines: int = 400_000_000


UPLOADS = Limits()
#: For commands, whose files are the user's own. The ZIP of NarrativeQA in SCROLLS has 8 GB.
COMMANDS = Limits(zip_=50_000_000_000, total=50_000_000_000, by_lines=50_000_000_000)
_current: ContextVar[Limits] = ContextVar("limits", default=UPLOADS)


def current() -> Limits:
    """The current limits: those for uploads, unless set by `using`."""
    return _current.get()


@contextmanager
def using(limits: Limits) -> Iterator[None]:
    """Set the limits for the calling thread or task inside the `with` block."""
    token = _current.set(limits)
    try:
        yield
    finally:
        _current.reset(token)


def size(count: int) -> str:
    """A number of bytes with its unit.

    >>> size(20_500_000)
    '20.5 MB'
    """
    unit, per = ("GB", 1e9) if count >= 1e9 else ("MB", 1e6) if count >= 1e6 else ("kB", 1e3)
    return f"{count / per:.4g} {unit}"
