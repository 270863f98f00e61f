"""Limits of what is read, checked before reading; a message about an input beyond a limit names the limit.

Predictions for the whole benchmark (4,378) take some 13 MB; its largest file of rows, NarrativeQA's, about 250 MB.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import IO, NamedTuple

from zs_bench.errors import UnusableInput

# In bytes.
MAX_WHOLE = 64_000_000  # a file that is read as a whole
MAX_DIRECTORY = 5_000_000  # the list of the files in a ZIP: some 100 for each file
MAX_LINE_BYTES = 20_000_000  # one line of JSONL or CSV
# The highest compression ratio of a member of a ZIP larger than `RATIO_FROM` bytes.
MAX_RATIO = 200
RATIO_FROM = 10_000_000
# In numbers.
MAX_MEMBERS = 1_000  # files in one folder or ZIP
MAX_TEXT = 2_000_000  # characters of a prediction or reference
MAX_ID = 1_000  # characters of an id


class Limits(NamedTuple):
    """The maximum sizes in bytes: of a ZIP, of all files together, of a file read line by line, and of one as a whole.

    `entries` are rows of all prediction (or reference) files together, readable or not; `values` are commas and
    brackets in a JSON text, which bound the number of its values and thus its memory. `word_pairs` are the words of an
    answer times those of a reference, which ROUGE-L compares one by one: so many take its fast engine about a second.
    """

    zip_: int = 400_000_000
    total: int = 1_000_000_000
    by_lines: int = 400_000_000
    whole: int = MAX_WHOLE
    entries: int = 200_000
    values: int = 2_000_000
    word_pairs: int = 500_000_000


UPLOADS = Limits()
#: For commands, whose files are the user's own. The ZIP of NarrativeQA in SCROLLS has 8 GB.
_HUGE = 50_000_000_000
COMMANDS = Limits(
    zip_=_HUGE, total=_HUGE, by_lines=_HUGE, whole=_HUGE, entries=_HUGE, values=_HUGE, word_pairs=MAX_TEXT**2
)
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


def read_whole(stream: IO[bytes]) -> bytes:
    """All that is left in the stream; raises `UnusableInput` if this is more than the limit of a file as a whole."""
    blocks, left = [], current().whole
    while block := stream.read(1 << 20):
        blocks.append(block)
        left -= len(block)
        if left < 0:
            raise UnusableInput(f"the file is larger than {size(current().whole)}")
    return b"".join(blocks)


def size(count: int) -> str:
    """A number of bytes with its unit.

    >>> size(20_500_000)
    '20.5 MB'
    """
    unit, per = ("GB", 1e9) if count >= 1e9 else ("MB", 1e6) if count >= 1e6 else ("kB", 1e3)
    return f"{count / per:.4g} {unit}"
