"""Files on the server's disk: uploads and reports, in folders that nobody can guess, removed within the hour.

Gradio keeps an upload as `<folder>/<64 hex digits>/<name>`; what is written here is kept the same way. Nothing else is
served, taken as an upload, or removed.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import time
from pathlib import Path

from gradio.utils import get_upload_folder

#: Seconds after which a file is removed.
MAX_AGE = 3_000
#: Bytes that must be left on the disk for an upload to be taken.
MIN_FREE = 1_000_000_000
_FOLDER = re.compile("[0-9a-f]{64}")


def new_folder() -> Path:
    """A new folder for files that a visitor may download."""
    folder = Path(get_upload_folder(), secrets.token_hex(32))
    folder.mkdir(parents=True)
    return folder


def is_kept_here(path: str) -> bool:
    r"""Whether the path is that of an upload, or of a file written for a visitor.

    >>> is_kept_here("/etc/passwd"), is_kept_here(""), is_kept_here("\0")
    (False, False, False)
    """
    kept = Path(os.path.abspath(get_upload_folder()))
    try:
        parts = Path(os.path.abspath(path)).relative_to(kept).parts
    except ValueError:
        return False
    return len(parts) == 2 and _FOLDER.fullmatch(parts[0]) is not None


def has_room() -> bool:
    """Whether the disk has room for another upload."""
    folder = Path(get_upload_folder())
    folder.mkdir(parents=True, exist_ok=True)
    return shutil.disk_usage(folder).free >= MIN_FREE


def remove_leftovers(max_age: float = MAX_AGE) -> None:
    """Remove what is older than so many seconds, unfinished uploads (`tmp…`) too."""
    oldest = time.time() - max_age
    for path in Path(get_upload_folder()).glob("*"):
        try:
            if _FOLDER.fullmatch(path.name):
                _empty(path, oldest)
            elif path.name.startswith("tmp") and path.is_file() and path.stat().st_mtime <= oldest:
                path.unlink()
        except OSError:  # another visitor's upload of the same file came in between, or it is gone already
            continue


def _empty(folder: Path, oldest: float) -> None:
    is_old = folder.stat().st_mtime <= oldest
    for file in folder.iterdir():
        # A file that is handed out again is touched, which its time of change tells and that of its content may not.
        if max(file.stat().st_mtime, file.stat().st_ctime) <= oldest:
            file.unlink()
    if is_old:
        folder.rmdir()
