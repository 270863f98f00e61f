"""The members of a ZIP file, each checked before it is read; read from the packed file, never extracted to disk."""

import io
import mmap
import re
import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO, cast

from zs_bench.files import formats, limits
from zs_bench.files.opened_file import DAMAGE, Source, damage, directory, is_hidden, refused, shown, too_large
from zs_bench.problems import Problem

_DRIVE = re.compile("[A-Za-z]:")
_ENTRY = re.compile(rb"PK\x01\x02")
# Folders and what file managers add are entries as well.
_MAX_ENTRIES = 10 * limits.MAX_MEMBERS


def members(file: Path, name: str, inside: PurePosixPath) -> Iterator[Source | Problem]:
    """The files of the ZIP that can be read, and a problem for each that cannot.

    Args:
        inside: its own path inside the input; the bare split files in `<task>.zip` are of that task.
    """
    try:
        if _has_too_many_entries(file):
            yield refused(name, f"more than {_MAX_ENTRIES:,} entries in the ZIP")
            return
        with zipfile.ZipFile(file) as archive:
            infos = [info for info in archive.infolist() if not info.filename.endswith("/")]
    except (*DAMAGE, ValueError) as error:
        yield refused(name, f"it is no readable ZIP file ({damage(error)}); make it anew")
        return
    paths = [PurePosixPath(info.filename.replace("\\", "/")) for info in infos]
    pairs = zip(infos, paths, strict=True)
    kept = [(info, path) for info, path in pairs if _leads_out(path) or not is_hidden(str(path))]
    if len(kept) > limits.MAX_MEMBERS:
        yield refused(name, f"more than {limits.MAX_MEMBERS:,} files in the ZIP")
        return
    for info, path in kept:
        yield _member(file, name, inside, info, path)


def _has_too_many_entries(file: Path) -> bool:
    """Counted in the directory at the end, before Python's reader makes an object of each: a ZIP can hold millions."""
    if not file.stat().st_size:
        return False
    with file.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        found = islice(_ENTRY.finditer(data, directory(data).start), _MAX_ENTRIES + 1)
        return sum(1 for _ in found) > _MAX_ENTRIES


def _member(
    file: Path, name: str, inside: PurePosixPath, info: zipfile.ZipInfo, path: PurePosixPath
) -> Source | Problem:
    member = f"{name}/{path}"
    why = _why_not(info, path)
    if why:
        return refused(member, why)
    if path.suffix.lower() not in formats.FORMATS:
        return formats.not_known(member, given=False)
    path = inside.with_suffix("") / path if len(path.parts) == 1 else path
    return Source(shown(member), path, lambda: _open(file, info), info.file_size)


def _why_not(info: zipfile.ZipInfo, path: PurePosixPath) -> str | None:
    suffix = path.suffix.lower()
    largest = formats.largest(suffix)
    reasons = {
        "its path leads out of the ZIP; make the ZIP anew": _leads_out(path),
        "it is a link; put the file itself into the ZIP": stat.S_ISLNK(info.external_attr >> 16),
        "it is a ZIP within the ZIP; unpack it first": suffix == ".zip",
        "it is encrypted; make the ZIP without a password": bool(info.flag_bits & 1),
        "it is packed in an unusual way; make the ZIP with the usual one (deflate)": info.compress_type
        not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED),
        too_large(info.file_size, largest): info.file_size > largest,
        f"it unpacks to {limits.size(info.file_size)}, more than {limits.MAX_RATIO} times its packed size": (
            info.file_size > limits.RATIO_FROM + limits.MAX_RATIO * info.compress_size
        ),
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def _leads_out(path: PurePosixPath) -> bool:
    return path.is_absolute() or ".." in path.parts or _DRIVE.match(str(path)) is not None


@contextmanager
def _open(file: Path, info: zipfile.ZipInfo) -> Iterator[IO[bytes]]:
    """The member's unpacked bytes. Python's reader never gives more of them than the ZIP announces."""
    with zipfile.ZipFile(file) as archive, archive.open(info) as stream:
        raw = cast(io.RawIOBase, stream)
        with io.BufferedReader(raw, buffer_size=1 << 20) as buffered:
            yield buffered
