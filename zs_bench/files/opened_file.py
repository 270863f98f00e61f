"""A readable file, on disk or in a ZIP, and the problems of files that are not read."""

import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from struct import error as StructError  # noqa: N812  (it is a class, in lower case)
from typing import IO
from zipfile import BadZipFile

from zs_bench.files import limits
from zs_bench.files.entries import known_task, name_task
from zs_bench.problems import Place, Problem, UnusableInput, short

#: The errors of reading a damaged file; Python's ZIP reader raises many kinds.
DAMAGE = (OSError, EOFError, BadZipFile, NotImplementedError, UnicodeDecodeError, StructError, zlib.error)
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Source:
    """A file that can be read.

    Attributes:
        name: its name in messages: `answers.zip/qasper.json`.
        path: its path inside the input, which names task and split: `qasper.json`, `qasper/validation.jsonl`.
        open: opens it.
        size: its size in bytes, unpacked.
    """

    name: str
    path: PurePosixPath
    open: Callable[[], AbstractContextManager[IO[bytes]]]
    size: int

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """Open the file. The `with` block must only read it, since every `OSError` counts as a fault of this file.

        Raises:
            UnusableInput: if it cannot be opened or read.
        """
        try:
            with self.open() as stream:
                yield stream
        except DAMAGE as error:
            raise UnusableInput(f"the file cannot be read ({damage(error)}); is it damaged?") from error

    def blocks(self) -> Iterator[bytes]:
        """The content in blocks, to copy it.

        Raises:
            UnusableInput: if it cannot be opened or read.
        """
        with self.opened() as stream:
            while block := stream.read(_BLOCK):
                yield block


def is_hidden(path: str) -> bool:
    """Whether the path is hidden or was made by a file manager."""
    return any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(path).parts)


def refused(name: str, why: str) -> Problem:
    """The problem of a file that is not read."""
    task = known_task(name_task(PurePosixPath(name)))
    return Problem("not-read", f"the file was not read: {why}", task, place=Place(shown(name)))


def too_large(count: int, largest: int) -> str:
    """The reason why a file of that size is not read."""
    return f"{limits.size(count)}, more than {limits.size(largest)}"


def shown(name: str) -> str:
    """A file's name in messages: shortened in the middle, without control characters."""
    return short(name if len(name) <= 120 else f"{name[:40]}…{name[-79:]}", 120)


def damage(error: Exception) -> str:
    """The reason of an error, without the path."""
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return short(reason or type(error).__name__, 100)
