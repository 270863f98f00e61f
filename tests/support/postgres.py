"""A PostgreSQL server on loopback for the tests, from the machine's own package, with its data in a new folder."""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from started_app import free_port


def programs() -> Path | None:
    """The folder of the server's programs, `None` when there is none. Debian does not put it on the path."""
    initdb = shutil.which("initdb")
    folders = [str(Path(initdb).parent)] if initdb else sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    return Path(folders[-1]) if folders else None


@contextmanager
def server(programs: Path, folder: Path) -> Iterator[str]:
    """The URL of a running server, up to the name of the database. It refuses to run as root."""
    user = "postgres" if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    data, port = folder / "data", free_port()

    def call(program: str, *arguments: str) -> None:
        done = subprocess.run(
            [programs / program, *arguments], cwd=folder, user=user, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    call("initdb", "-D", str(data), "-U", "board", "--auth=trust", "--no-sync")
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    call("pg_ctl", "-D", str(data), "-w", "-o", options, "-l", str(folder / "log"), "start")
    try:
        yield f"postgresql://board@127.0.0.1:{port}"
    finally:
        call("pg_ctl", "-D", str(data), "-m", "immediate", "stop")
