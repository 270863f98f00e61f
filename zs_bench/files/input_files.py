"""A file that can be read, on disk, in a ZIP or in memory, and the problems of one that cannot."""

import io
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO
from zipfile import BadZipFile

from zs_bench.errors import UnusableInput
from zs_bench.files import limits
from zs_bench.files.names import known_task, name_task
from zs_bench.problems import Place, Problem, short

#: The endings of files with a row a line.
BY_LINES = (".jsonl", ".ndjson")
#: The errors of reading a damaged file; Python's ZIP reader raises many kinds.
DAMAGE = (OSError, EOFError, BadZipFile, NotImplementedError, UnicodeDecodeError, struct.error, zlib.error)


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that can be read.

    Attributes:
        name: its name in messages: `answers.zip/qasper.json`.
        path: its path inside the input, which names task and split: `qasper.json`, `qasper/validation.jsonl`.
        size: its size in bytes, unpacked.
    """

    name: str
    path: PurePosixPath
    open: Callable[[], AbstractContextManager[IO[bytes]]]
    size: int

    @classmethod
    def in_memory(cls, path: str, data: bytes, name: str = "") -> "InputFile":
        """A file with that content; its name is its path, unless one is given."""
        return cls(name or path, PurePosixPath(path), lambda: io.BytesIO(data), len(data))

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """Open the file; raises `UnusableInput` if it cannot be opened or read.

        The `with` block must only read it, since every `OSError` counts as a fault of this file.
        """
        try:
            with self.open() as stream:
                yield stream
        except DAMAGE as error:
            raise UnusableInput(f"the file cannot be read ({reason_of(error)}); is it damaged?") from error

    def blocks(self) -> Iterator[bytes]:
        """The content in blocks, to copy it; raises as `opened` does."""
        with self.opened() as stream:
            while block := stream.read(1 << 20):
                yield block


def refused(name: str, why: str, *, is_error: bool = True) -> Problem:
    task, place = known_task(name_task(PurePosixPath(name))), Place(display_name(name))
    return Problem("not-read", f"the file was not read: {why}", task, place=place, is_error=is_error)


def too_large(count: int, largest: int) -> str:
    return f"{limits.size(count)}, more than {limits.size(largest)}"


def display_name(name: str) -> str:
    """A file's name in messages: shortened in the middle, without control characters."""
    return short(name if len(name) <= 120 else f"{name[:40]}…{name[-79:]}", 120)


def reason_of(error: Exception) -> str:
    """The reason for an error, without the path."""
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return short(reason or type(error).__name__, 100)
