"""A start without heavy imports, and an end that leaves nothing behind."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from zs_app.server.startup import Output, is_stale, own_temporary_folder

ROOT = Path(__file__).parents[3]
HEAVY = (
    *("datasets", "evaluate", "matplotlib", "tiktoken", "transformers", "torch", "nltk", "rouge_score", "sklearn"),
    "sqlalchemy",  # for a board only
)


def run(code: str) -> str:
    """What the code prints in a fresh Python."""
    known = {name: value for name, value in os.environ.items() if not name.startswith(("GRADIO_", "ZS_BOARD"))}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=known, capture_output=True, text=True, check=True, timeout=120
    )
    return done.stdout.strip()


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


def test_uploads_are_in_a_folder_that_is_removed_at_the_end_with_those_of_killed_servers(monkeypatch, tmp_path):
    monkeypatch.delenv("GRADIO_TEMP_DIR")
    monkeypatch.setattr("zs_app.server.startup.signal.signal", lambda *_: None)
    monkeypatch.setattr("zs_app.server.startup.tempfile.tempdir", str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", "pass"]) as ended:
        ended.wait()
    stale, other = tmp_path / f"zero-scrolls-{ended.pid}-x", tmp_path / f"zero-scrolls-{os.getppid()}-x"
    for folder in (stale, other, tmp_path / "zero-scrolls-notes"):
        folder.mkdir()
    with own_temporary_folder():
        folder = Path(os.environ["GRADIO_TEMP_DIR"])
        assert (folder.parent, is_stale(folder), stale.exists(), other.exists()) == (tmp_path, True, False, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([other.name, "zero-scrolls-notes"])


def test_a_folder_that_was_named_is_not_removed(monkeypatch, tmp_path):
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path))
    with own_temporary_folder():
        assert os.environ["GRADIO_TEMP_DIR"] == str(tmp_path)
    assert tmp_path.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_as_many_files_may_be_open_as_the_system_permits():
    code = "import resource as r; from zs_app.server.startup import prepare; prepare(); "
    assert run(code + "print(len(set(r.getrlimit(r.RLIMIT_NOFILE))))") == "1"
