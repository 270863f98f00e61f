"""Files on the server's disk: uploads, reports and results, in folders with random names, removed within an hour.

Gradio stores an upload as `<folder>/<64 hex digits>/<name>`. Reports for download are stored in the same way, and no
other file is served or accepted as an upload. Gradio's `delete_cache` is not used, because it leaves folders and
unfinished uploads behind, and can delete a file that is being uploaded again.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import tempfile
import time
from pathlib import Path

#: Seconds after which a file is removed, and an upload of which nothing more has come.
MAX_AGE, MAX_UNFINISHED = 3_000, 300
#: Bytes that must be free on the disk for an upload to be accepted.
MIN_FREE = 1_000_000_000
#: The folder of the scored files, inside the upload folder; it is never served.
RESULTS = "results"
_FOLDER = re.compile("[0-9a-f]{64}")


def upload_folder() -> Path:
    """The folder in which Gradio stores uploads."""
    return Path(os.environ.get("GRADIO_TEMP_DIR") or Path(tempfile.gettempdir(), "gradio").resolve())


def new_folder() -> Path:
    """A new folder for files that a visitor can download."""
    folder = upload_folder() / secrets.token_hex(32)
    folder.mkdir(parents=True)
    return folder


def is_kept_here(path: str) -> bool:
    r"""Whether the path is that of an upload or of a file for download.

    >>> is_kept_here("/etc/passwd"), is_kept_here(""), is_kept_here("\0")
    (False, False, False)
    """
    try:
        parts = Path(os.path.abspath(path)).relative_to(os.path.abspath(upload_folder())).parts
    except ValueError:
        return False
    return len(parts) == 2 and _FOLDER.fullmatch(parts[0]) is not None


def has_room() -> bool:
    """Whether the disk has room for another upload."""
    folder = upload_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return shutil.disk_usage(folder).free >= MIN_FREE


def remove_old_files(max_age: float = MAX_AGE) -> None:
    """Remove uploads, reports and results older than `max_age` seconds, and broken uploads (`tmp…`) sooner."""
    oldest = time.time() - max_age
    unfinished = time.time() - min(max_age, MAX_UNFINISHED)
    for path in [*upload_folder().glob("*"), *upload_folder().glob(f"{RESULTS}/*")]:
        try:
            if path.parent.name == RESULTS:
                if path.stat().st_mtime <= oldest:
                    remove_folder(path)
            elif _FOLDER.fullmatch(path.name):
                _remove_old(path, oldest)
            elif path.name.startswith("tmp") and path.is_file() and path.stat().st_mtime <= unfinished:
                path.unlink()
        except OSError:  # uploaded again in the meantime, or removed already
            continue


def remove_folder(folder: Path) -> None:
    """Remove a folder and the files in it."""
    shutil.rmtree(folder, ignore_errors=True)


def _remove_old(folder: Path, oldest: float) -> None:
    """Remove the old files of a folder, and the folder if it is old and empty."""
    is_old = folder.stat().st_mtime <= oldest
    for file in folder.iterdir():
        # When a file is uploaded again, Gradio may change only the time of its inode.
        if max(file.stat().st_mtime, file.stat().st_ctime) <= oldest:
            file.unlink()
    if is_old:
        folder.rmdir()
