"""nginx with a configuration of a test."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep


def temporary_places(folder: Path) -> str:
    """The lines that keep all temporary files of nginx in a folder."""
    names = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    return "".join(f"{name}_temp_path {folder}/{name};\n" for name in names)


@contextmanager
def running(program: str, folder: Path, port: int, configuration: str) -> Iterator[None]:
    """Run nginx until the end of the block, which begins when it listens on the port."""
    file = folder / "nginx.conf"
    file.write_text(configuration, encoding="utf-8")
    with subprocess.Popen([program, "-e", "stderr", "-c", str(file)]) as process:
        try:
            while process.poll() is None:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    sleep(0.05)
            yield
        finally:
            process.terminate()
