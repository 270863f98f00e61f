"""What is set before Gradio is imported: a folder of its own for uploads, and no writing of type stubs."""

from __future__ import annotations

import inspect
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def own_temporary_folder() -> Iterator[None]:
    """A folder for uploads and reports that goes when the app does, unless GRADIO_TEMP_DIR names one."""
    if os.environ.get("GRADIO_TEMP_DIR"):
        yield
        return
    # A Space is ended by this signal, which would leave the folder where it is.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with tempfile.TemporaryDirectory(prefix="zero-scrolls-", ignore_cleanup_errors=True) as folder:
        os.environ["GRADIO_TEMP_DIR"] = folder
        yield


@contextmanager
def without_type_stubs() -> Iterator[None]:
    """While Gradio is imported: it writes a .pyi beside each of its modules then, for editors, a third of the time.

    It leaves out a class whose file cannot be told, and nothing else there asks for the file of a class.
    """

    def cannot_be_told(_: object) -> str:
        raise OSError

    told = inspect.getfile
    inspect.getfile = cannot_be_told  # type: ignore[assignment]
    try:
        yield
    finally:
        inspect.getfile = told
