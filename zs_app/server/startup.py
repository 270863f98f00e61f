"""Settings that must precede the import of Gradio: a temporary folder for uploads, and no writing of type stubs."""

import inspect
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def own_temporary_folder() -> Iterator[None]:
    """A folder for uploads and reports that is removed at the end, unless GRADIO_TEMP_DIR names one."""
    if os.environ.get("GRADIO_TEMP_DIR"):
        yield
        return
    # A Space is stopped by this signal, which would otherwise leave the folder behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with tempfile.TemporaryDirectory(prefix="zero-scrolls-", ignore_cleanup_errors=True) as folder:
        os.environ["GRADIO_TEMP_DIR"] = folder
        yield


@contextmanager
def without_type_stubs() -> Iterator[None]:
    """Import Gradio without its writing of .pyi files for editors, which takes a third of the time.

    Gradio skips a class whose file `inspect.getfile` does not find, and uses that function for nothing else here.
    """

    def not_found(_: object) -> str:
        raise OSError

    original = inspect.getfile
    inspect.getfile = not_found  # type: ignore[assignment]
    try:
        yield
    finally:
        inspect.getfile = original
