"""How much is read, decided before reading it. What goes beyond a limit is refused with the limit in the message.

The whole benchmark is 4,378 answers, some 13 MB; its largest file of rows, NarrativeQA's, is about 250 MB.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

#: The kinds of file that are read, by the end of the name, and their largest size in bytes. JSONL is read line by line.
MAX_BYTES: dict[str, int] = {".csv": 64_000_000, ".json": 64_000_000, ".jsonl": 400_000_000}
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


#: What a command reads instead of `MAX_BYTES[".jsonl"]`, `MAX_ZIP_BYTES` and `MAX_TOTAL_BYTES`: who calls it has chosen
#: the files. The ZIP of NarrativeQA in SCROLLS is 8 GB.
OF_COMMANDS = 50_000_000_000


@contextmanager
def of_commands() -> Iterator[None]:
    """While a command runs; a server keeps to the others."""
    global MAX_ZIP_BYTES, MAX_TOTAL_BYTES  # noqa: PLW0603  (a process is a command or a server)
    before = MAX_ZIP_BYTES, MAX_TOTAL_BYTES, MAX_BYTES[".jsonl"]
    MAX_ZIP_BYTES = MAX_TOTAL_BYTES = MAX_BYTES[".jsonl"] = OF_COMMANDS
    try:
        yield
    finally:
        MAX_ZIP_BYTES, MAX_TOTAL_BYTES, MAX_BYTES[".jsonl"] = before


def size(count: int) -> str:
    """A number of bytes for people.

    >>> size(20_500_000)
    '20.5 MB'
    """
    unit, per = ("GB", 1e9) if count >= 1e9 else ("MB", 1e6) if count >= 1e6 else ("kB", 1e3)
    return f"{count / per:.4g} {unit}"
