"""How much is read, decided before reading it. A file beyond a limit is refused with the limit in the message."""

from __future__ import annotations

MAX_FILE_BYTES = 200_000_000
MAX_TOTAL_BYTES = 400_000_000
MAX_MEMBERS = 200
MAX_RATIO = 200
MAX_ENTRIES = 200_000


def size(count: int) -> str:
    """A number of bytes for people.

    >>> size(20_500_000)
    '20.5 MB'
    """
    return f"{count / 1e6:.4g} MB" if count >= 1e6 else f"{count / 1e3:.4g} kB"
