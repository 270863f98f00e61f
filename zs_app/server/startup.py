"""Before the import of Gradio: safe output, limits of the process, and a temporary folder."""

import ctypes
import io
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree

_PREFIX = "zero-scrolls-"


class Output(io.TextIOWrapper):
    """Standard output that ignores write errors: the server must go on when nobody reads it or the disk is full."""

    def write(self, text: str) -> int:
        """Write the text if that is possible."""
        with suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        """Write what is buffered if that is possible."""
        with suppress(OSError):
            super().flush()


def prepare() -> None:
    """Make standard output safe, and allow as many open files, and so connections, as the system permits."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = Output(sys.stdout.buffer, sys.stdout.encoding, errors="replace", line_buffering=True)
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415  (Windows has none)

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def give_memory_back() -> None:
    """Return the memory that a burst of long texts has left with glibc, which would keep it, to the system."""
    with suppress(AttributeError, OSError, TypeError):  # other systems, and other C libraries
        ctypes.CDLL(None).malloc_trim(0)


@contextmanager
def own_temporary_folder() -> Iterator[None]:
    """A folder for uploads and reports that is removed at the end, unless GRADIO_TEMP_DIR names one.

    Folders of earlier starts that were killed are removed, too.
    """
    if os.environ.get("GRADIO_TEMP_DIR"):
        yield
        return
    for earlier in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        if is_stale(earlier):
            rmtree(earlier, ignore_errors=True)
    # Spaces are stopped by SIGTERM, whose default handler would leave the folder behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{os.getpid()}-", ignore_cleanup_errors=True) as folder:
        os.environ["GRADIO_TEMP_DIR"] = folder
        yield


def is_stale(folder: Path) -> bool:
    """Whether a temporary folder is of a server that no longer runs, by the process id in its name."""
    number = folder.name.removeprefix(_PREFIX).partition("-")[0]
    if not number.isdecimal() or not folder.is_dir() or folder.is_symlink():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except OSError:  # another user's
        return False
    return int(number) == os.getpid()
