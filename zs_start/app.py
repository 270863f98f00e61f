"""The app with its annexes, as `python app.py` and `zero-scrolls app` start it.

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


def end_on_sigterm() -> None:
    """Exit on SIGTERM, by which Spaces are stopped, with the temporary files removed; a second one changes nothing."""

    def end(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.exit(0)

    signal.signal(signal.SIGTERM, end)


def main() -> None:
    """Start the app and serve until the process is ended; `zs_app/launch.py` says which variables set what."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = Output(sys.stdout.buffer, sys.stdout.encoding, errors="replace", line_buffering=True)
    end_on_sigterm()
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
        print(f"zero-scrolls: {error}", file=sys.stderr)
        sys.exit(2)
    finally:
        loop.close()


async def _serve() -> None:
    """Serve the page; where no event loop runs, Gradio makes some that it never closes, an error each in the end."""
    import __main__  # noqa: PLC0415
    from zs_app.server.address import port_taken, port_to_listen_on  # noqa: PLC0415

    port = port_to_listen_on()  # before anything else is read, since it is wrong most often
    from zs_app.launch import launch_options  # noqa: PLC0415
    from zs_app.page import build  # noqa: PLC0415
    from zs_start.annexes import annexes  # noqa: PLC0415

    __main__.demo = build(annexes())  # where the Hub looks for it
    options = launch_options(annexes())
    try:
        __main__.demo.launch(server_port=port, **options)
    except OSError as error:  # Gradio's, when somebody took the port since it was looked at
        if "empty port" not in str(error):
            raise
        raise port_taken(port) from None
