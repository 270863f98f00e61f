"""A readable file, on disk or in a ZIP, and the problems of files that are not read."""

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
from zs_bench.files.entries import known_task, name_task
from zs_bench.problems import Place, Problem, short

#: The errors of reading a damaged file; Python's ZIP reader raises many kinds.
DAMAGE = (OSError, EOFError, BadZipFile, NotImplementedError, UnicodeDecodeError, struct.error, zlib.error)
# The record at the end of a ZIP, with the longest comment, and before it those of a large one.
_TAIL = 70_000


@dataclass(frozen=True, slots=True)
class Source:
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
    def in_memory(cls, path: str, data: bytes, name: str = "") -> "Source":
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


def check_directory(stream: IO[bytes]) -> None:
    """Raise `UnusableInput` if a ZIP's list of members is too long: Python's reader makes an object of each."""
    stream.seek(max(0, stream.seek(0, io.SEEK_END) - _TAIL))
    tail = stream.read(_TAIL)
    end = tail.rfind(b"PK\x05\x06")
    if end < 0 or end + 22 > len(tail):
        return
    (size,) = struct.unpack_from("<L", tail, end + 12)
    if tail[max(0, end - 20) : end][:4] == b"PK\x06\x07":  # ZIP64: a locator, and before it a record with the size
        size = struct.unpack_from("<Q", tail, end - 36)[0] if end >= 76 else limits.MAX_DIRECTORY + 1
    if size > limits.MAX_DIRECTORY:
        raise UnusableInput("the list of the files in it is too long")
