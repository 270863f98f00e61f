"""Before the import of Gradio: safe output, a temporary folder, and a faster start."""

import gc
import inspect
import io
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import SimpleNamespace

import jinja2


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


def set_output() -> None:
    """Replace standard output, if there is one, by an `Output`."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = Output(sys.stdout.buffer, sys.stdout.encoding, errors="replace", line_buffering=True)


@contextmanager
def own_temporary_folder() -> Iterator[None]:
    """A folder for uploads and reports that is removed at the end, unless GRADIO_TEMP_DIR names one."""
    if os.environ.get("GRADIO_TEMP_DIR"):
        yield
        return
    # Spaces are stopped by SIGTERM, whose default handler would leave the folder behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with tempfile.TemporaryDirectory(prefix="zero-scrolls-", ignore_cleanup_errors=True) as folder:
        os.environ["GRADIO_TEMP_DIR"] = folder
        yield


@contextmanager
def without_collection() -> Iterator[None]:
    """Disable garbage collection during the start, which saves a tenth of its time.

    Objects created meanwhile live as long as the server, so later collections skip them.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@contextmanager
def without_editor_help() -> Iterator[None]:
    """Import Gradio without generating .pyi files and docstrings for editors, a third of its import time.

    Gradio skips a class whose file `inspect.getfile` does not find, and renders docstrings as Jinja templates. It uses
    the two for nothing else during the import.
    """

    def not_found(_: object) -> str:
        raise OSError

    def as_it_is(text: str) -> SimpleNamespace:
        return SimpleNamespace(render=lambda **_: text)

    with replaced(inspect, "getfile", not_found), replaced(jinja2, "Template", as_it_is):
        yield


@contextmanager
def replaced(owner: object, name: str, value: object) -> Iterator[None]:
    """Replace an attribute for the duration of a `with` block or of a decorated function."""
    original = vars(owner)[name]
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, original)
