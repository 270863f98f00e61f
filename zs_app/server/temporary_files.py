"""Files on the server's disk: uploads, reports and results, in folders that nobody can guess, removed within the hour.

Gradio keeps an upload as `<folder>/<64 hex digits>/<name>`; reports for download are kept the same way, and nothing
else is served or taken as an upload. Gradio's own `delete_cache` is not used: it leaves the folders and unfinished
uploads behind, and forgets a file that is uploaded again while it removes the old one.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import tempfile
import time
from pathlib import Path

#: Seconds after which a file is removed.
MAX_AGE = 3_000
#: Bytes that must be left on the disk for an upload to be taken.
MIN_FREE = 1_000_000_000
#: The folder inside that of the uploads that holds what is kept of scored files; it is never served.
RESULTS = "results"
_FOLDER = re.compile("[0-9a-f]{64}")


def upload_folder() -> Path:
    """Where Gradio keeps uploads."""
    return Path(os.environ.get("GRADIO_TEMP_DIR") or Path(tempfile.gettempdir(), "gradio").resolve())


def new_folder() -> Path:
    """A new folder for files that a visitor may download."""
    folder = upload_folder() / secrets.token_hex(32)
    folder.mkdir(parents=True)
    return folder


def is_kept_here(path: str) -> bool:
    r"""Whether the path is that of an upload, or of a file written for a visitor.

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
    """Remove what is older than so many seconds: uploads, reports, results, and unfinished uploads (`tmp…`)."""
    oldest = time.time() - max_age
    for path in [*upload_folder().glob("*"), *upload_folder().glob(f"{RESULTS}/*")]:
        try:
            if path.parent.name == RESULTS:
                if path.stat().st_mtime <= oldest:
                    remove_folder(path)
            elif _FOLDER.fullmatch(path.name):
                _remove_old(path, oldest)
            elif path.name.startswith("tmp") and path.is_file() and path.stat().st_mtime <= oldest:
                path.unlink()
        except OSError:  # another visitor uploaded the same file in the meantime, or it is gone already
            continue


def remove_folder(folder: Path) -> None:
    """Remove a folder and the files in it."""
    shutil.rmtree(folder, ignore_errors=True)


def _remove_old(folder: Path, oldest: float) -> None:
    """Remove the old files of a folder, and the folder when it is old and empty."""
    is_old = folder.stat().st_mtime <= oldest
    for file in folder.iterdir():
        # Gradio touches a file that is uploaded again, which may change the time of its inode alone.
        if max(file.stat().st_mtime, file.stat().st_ctime) <= oldest:
            file.unlink()
    if is_old:
        folder.rmdir()
