"""Before the import of Gradio: safe output, an end that cleans up, and as many open files as possible."""

import io
import signal
import sys
from contextlib import suppress


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
    # Spaces are stopped by SIGTERM, whose default handler would leave temporary files behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415  (Windows has none)

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
