"""Files that are written completely or not at all: a reader finds the earlier content or the new one, never a part."""

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import IO


def destination(path: Path) -> Path:
    """The file that writing to `path` replaces: a symbolic link is followed if the user owns link and file.

    Raises `PermissionError` for any other link: in a shared folder, another user may have planted it.
    """
    target = Path(os.path.realpath(path))
    if path.is_symlink() and hasattr(os, "geteuid"):
        owners = {path.lstat().st_uid} | ({target.stat().st_uid} if target.exists() else set())
        if owners != {os.geteuid()}:
            why = "it is a link that another user made, or to another user's file"
            raise PermissionError(errno.EPERM, why, str(path))
    return target


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Write a file under a temporary name and rename it when complete; after an error, an earlier file is unchanged."""
    if path.exists() and not path.is_file():  # a device or a pipe, which must not be replaced
        with path.open("wb") as file:
            yield file
        return
    path = destination(path)
    part = path.with_name(f".{path.name[:100]}.{os.getpid()}.{os.urandom(4).hex()}.part")
    try:
        with part.open("xb") as file:  # in a shared folder, never a link that another user made
            yield file
        if path.exists():
            shutil.copymode(path, part)
        os.replace(part, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        part.unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    with whole_file(path) as file:
        file.write(text.encode("utf-8", "backslashreplace"))
