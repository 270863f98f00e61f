"""A start without heavy imports, and output that never fails."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from zs_app.server.startup import Output

HEAVY = (
    *("datasets", "evaluate", "matplotlib", "tiktoken", "transformers", "torch", "nltk", "rouge_score", "sklearn"),
    "sqlalchemy",  # for a board only
)


def run(code: str) -> str:
    """What the code prints in a fresh Python."""
    known = {name: value for name, value in os.environ.items() if not name.startswith(("GRADIO_", "ZS_BOARD"))}
    options = {"cwd": Path(__file__).parents[3], "env": known, "capture_output": True, "text": True, "timeout": 120}
    return subprocess.run([sys.executable, "-c", code], check=True, **options).stdout.strip()


def test_the_page_is_built_without_anything_heavy_and_workers_import_app_py_without_the_page():
    build = "import sys; from zs_app.page import build; from zs_app.launch import launch_options; build(); "
    assert run(build + f"launch_options(); print([name for name in {HEAVY} if name in sys.modules])") == "[]"
    work = 'import runpy, sys; runpy.run_path("app.py", run_name="__mp_main__"); import zs_app.jobs; '
    assert run(work + 'print({"gradio", "fastapi", "zs_app.page"} & set(sys.modules))') == "set()"


class Full(io.RawIOBase):
    """A disk that is full until it is emptied."""

    full = True

    def writable(self):
        return True

    def write(self, data):
        if self.full:
            raise OSError
        return len(data)


@pytest.mark.parametrize("buffered", [io.BufferedWriter, lambda disk: disk])
def test_an_output_that_cannot_be_written_to_is_no_error(buffered):
    disk = Full()
    output = Output(buffered(disk), "utf-8", line_buffering=True)
    print("a line", file=output, flush=True)
    disk.full = False
    output.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_as_many_files_may_be_open_as_the_system_permits():
    code = "import resource as r; from zs_app.server.startup import prepare; prepare(); "
    assert run(code + "print(len(set(r.getrlimit(r.RLIMIT_NOFILE))))") == "1"
