"""Files on the server's disk: uploads and results, under names that nobody can guess, removed within an hour.

Gradio stores an upload as `<folder>/<64 hex digits>/<name>`, and its `delete_cache` removes it. Results, empty folders
and unfinished uploads, which it leaves, are removed here; so are the Hub's files.
"""

import os
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from zs_app.server.guardian import guarded
from zs_bench.dataset.hub import DOWNLOADS
from zs_metric.errors import ZeroScrollsError

MAX_AGE = 3_600  # seconds after which a result or a left folder is removed
_PREFIX = "zero-scrolls-app-"


class Gone(ZeroScrollsError):
    """What was kept here is gone, as after an hour or a restart: a report, or the uploads of these paths."""

    def __init__(self, message: str, paths: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.paths = list(paths)


def upload_folder() -> Path:
    """Return the folder in which Gradio stores uploads."""
    return Path(os.environ.get("GRADIO_TEMP_DIR") or Path(tempfile.gettempdir(), "gradio").resolve())


def result_folder() -> Path:
    """Return the folder of results, which is inside the one of uploads and never served."""
    return upload_folder() / "results"


def new_folder() -> Path:
    """Make a folder like that of an upload."""
    folder = upload_folder() / secrets.token_hex(32)
    folder.mkdir(parents=True)
    return folder


def is_kept_here(path: str) -> bool:
    r"""Return whether the path is that of an upload.

    >>> is_kept_here("/etc/passwd"), is_kept_here(""), is_kept_here("\0")
    (False, False, False)
    """
    folder, name = os.path.split(os.path.abspath(path))
    parent, token = os.path.split(folder)
    return bool(name) and parent == os.path.abspath(upload_folder()) and bool(re.fullmatch("[0-9a-f]{64}", token))


@contextmanager
def own_temporary_folder() -> Iterator[None]:
    """A folder for uploads and results inside GRADIO_TEMP_DIR, by default the temporary folder; removed at the end.

    A folder that is left all the same, as when power is lost, is removed by the next start after `MAX_AGE`.
    """
    parent = Path(os.environ.get("GRADIO_TEMP_DIR") or tempfile.gettempdir())
    parent.mkdir(parents=True, exist_ok=True)
    _remove_older(parent.glob(f"{_PREFIX}????????"), MAX_AGE)
    with tempfile.TemporaryDirectory(prefix=_PREFIX, dir=parent, ignore_cleanup_errors=True) as folder, guarded(folder):
        os.environ["GRADIO_TEMP_DIR"] = folder
        os.environ[DOWNLOADS] = os.path.join(folder, "downloads")  # removed an hour after its last use
        yield


def remove_old_files(max_age: float = MAX_AGE) -> None:
    """Remove uploads, unfinished ones (`tmp…`), and results that nobody used for `max_age` seconds."""
    uploads = (path for path in upload_folder().glob("*") if path != result_folder())
    _remove_older([*uploads, *result_folder().glob("*")], max_age)
    upload_folder().mkdir(parents=True, exist_ok=True)
    os.utime(upload_folder())  # it is in use


def _remove_older(paths: Iterable[Path], max_age: float) -> None:
    for path in paths:
        with suppress(OSError):  # removed already, used meanwhile, or another user's
            # The time of the inode, since Gradio may change only that when a file is uploaded again.
            if max(item.stat().st_ctime for item in (path, *path.glob("*"))) <= time.time() - max_age:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
