"""The list of a ZIP's members, checked before Python's reader makes an object of each."""

import io
import struct
from typing import IO

from zs_bench.errors import UnusableInput
from zs_bench.files import limits

# The record at the end of a ZIP, with the longest comment, and before it those of a large one.
_TAIL = 70_000


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
