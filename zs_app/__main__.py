"""`python -m zs_app`: the app, as `python app.py` and `zero-scrolls app` start it.

Nothing heavy is imported before `main` runs, since the processes that score files import this module again.
"""

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


def main() -> None:
    """Start the app and serve until the process is ended; `zs_app/launch.py` says which variables set what."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = Output(sys.stdout.buffer, sys.stdout.encoding, errors="replace", line_buffering=True)
    # Spaces are stopped by SIGTERM, whose default handler would leave temporary files behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with suppress(ImportError, ValueError, OSError):  # as many open files, and so connections, as the system permits
        import resource  # noqa: PLC0415  (Windows has none)

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    import asyncio  # noqa: PLC0415

    from zs_app.server.temporary_files import own_temporary_folder  # noqa: PLC0415
    from zs_metric.errors import ZeroScrollsError  # noqa: PLC0415

    loop = asyncio.new_event_loop()
    try:
        with own_temporary_folder():
            loop.run_until_complete(_serve())
    except ZeroScrollsError as error:  # a wrong variable
        sys.exit(f"zero-scrolls: {error}")
    finally:
        loop.close()


async def _serve() -> None:
    """Serve the page; where no event loop runs, Gradio makes some that it never closes, an error each in the end."""
    import __main__  # noqa: PLC0415
    from zs_app.launch import launch_options  # noqa: PLC0415
    from zs_app.page import build  # noqa: PLC0415

    __main__.demo = build()  # where the Hub looks for it
    __main__.demo.launch(**launch_options())


if __name__ == "__main__":
    main()
