"""One file that can be read, wherever it lies, and why one is not."""

from __future__ import annotations

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

#: What reading a file can raise; the ZIP reader of Python has many kinds for a damaged one.
DAMAGE = (OSError, EOFError, BadZipFile, NotImplementedError, UnicodeDecodeError, StructError, zlib.error)
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Source:
    """A file that can be read.

    Attributes:
        name: as the user knows it, for messages: `answers.zip/qasper.json`.
        path: its path inside the input, for recognising task and split: `qasper.json`, `qasper/validation.jsonl`.
        open: opens it.
        size: its size in bytes, unpacked.
    """

    name: str
    path: PurePosixPath
    open: Callable[[], AbstractContextManager[IO[bytes]]]
    size: int

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """The open file. Only reading belongs into the `with` block: it takes every `OSError` for a fault of this file.

        Raises:
            UnusableInput: when it cannot be opened or read on.
        """
        try:
            with self.open() as stream:
                yield stream
        except DAMAGE as error:
            raise UnusableInput(f"the file cannot be read ({damage(error)}); is it damaged?") from error

    def blocks(self) -> Iterator[bytes]:
        """The content, piece by piece, as for a copy.

        Raises:
            UnusableInput: when it cannot be opened or read on.
        """
        with self.opened() as stream:
            while block := stream.read(_BLOCK):
                yield block


def is_hidden(path: str) -> bool:
    """Whether the path is one of those that file managers make for themselves."""
    return any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(path).parts)


def refused(name: str, why: str) -> Problem:
    """The problem of a file that is not read."""
    task = known_task(name_task(PurePosixPath(name)))
    return Problem("not-read", f"the file was not read: {why}", task, place=Place(shown(name)))


def too_large(count: int, largest: int) -> str:
    """Why a file of that size is not read."""
    return f"{limits.size(count)}, more than {limits.size(largest)}"


def shown(name: str) -> str:
    """A file's name for messages: the beginning and the end of a long one, and no control characters."""
    return short(name if len(name) <= 120 else f"{name[:40]}…{name[-79:]}", 120)


def damage(error: Exception) -> str:
    """What the system says, without the path (the message has it)."""
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return short(reason or type(error).__name__, 100)
