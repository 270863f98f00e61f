"""A start without heavy imports, and an end that leaves nothing behind."""

import gc
import inspect
import io
import os
import subprocess
import sys
from pathlib import Path

import jinja2
import pytest

from zs_app.server.startup import Output, own_temporary_folder, without_collection, without_editor_help

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


def test_the_page_is_built_without_anything_heavy_and_without_servers_before_the_one_of_launch():
    code = f"""
import sys
from zs_app.server.startup import without_editor_help
with without_editor_help():
    from zs_app.page import build
    from zs_app.launch import launch_options
import gradio.routes
made = []
create = gradio.routes.App.create_app
gradio.routes.App.create_app = staticmethod(lambda *given, **named: made.append(1) or create(*given, **named))
page = build()
launch_options()
print([name for name in {HEAVY} if name in sys.modules], len(made), end=" ")
page.launch(prevent_thread_lock=True, quiet=True, server_name="127.0.0.1")
print(len(made))
page.close(verbose=False)
"""
    assert run(code) == "[] 0 1"


def test_worker_processes_import_app_py_without_the_page():
    code = """
import runpy, sys
runpy.run_path("app.py", run_name="__mp_main__")
import zs_app.server.workers, zs_app.jobs
print(*(name for name in ("gradio", "fastapi", "zs_app.page") if name in sys.modules))
"""
    assert run(code) == ""


@pytest.mark.slow
def test_gradio_writes_no_type_stubs_while_it_is_imported():
    """That would take a second. Without the patch the stubs are found, so a change in Gradio is noticed."""
    code = """
import sys
written = []
def hook(event, given):
    if event == "open" and str(given[0]).endswith(".pyi"):
        written.append(given[0])
sys.addaudithook(hook)
from contextlib import nullcontext
from zs_app.server.startup import without_editor_help
with {}():
    import gradio
print(len(written))
"""
    assert int(run(code.format("without_editor_help"))) == 0
    assert int(run(code.format("nullcontext"))) > 20


@pytest.mark.slow
def test_gradio_renders_no_docstrings_while_it_is_imported():
    """That would take a third of a second. Docstrings that were not rendered are still templates."""
    code = """
from contextlib import nullcontext
from zs_app.server.startup import without_editor_help
with {}():
    import gradio
print("{{{{" in gradio.Textbox.change.__doc__)
"""
    assert run(code.format("without_editor_help")) == "True"
    assert run(code.format("nullcontext")) == "False"


def test_the_file_of_a_class_and_templates_are_back_afterwards():
    with without_editor_help():
        with pytest.raises(OSError):  # noqa: PT011  (Gradio knows it by its kind alone)
            inspect.getfile(Path)
        assert jinja2.Template("{{ a }}").render(a=1) == "{{ a }}"
    assert inspect.getfile(Path)
    assert jinja2.Template("{{ a }}").render(a=1) == "1"


def test_garbage_is_collected_again_afterwards():
    with without_collection():
        assert not gc.isenabled()
    assert gc.isenabled()
    gc.unfreeze()


class Full(io.RawIOBase):
    """A disk that is full until it is emptied."""

    full = True

    def writable(self):
        return True

    def write(self, data):
        if self.full:
            raise OSError
        return len(data)


@pytest.mark.parametrize("buffered", [io.BufferedWriter, lambda raw: raw])
def test_an_output_that_cannot_be_written_to_is_no_error(buffered):
    disk = Full()
    output = Output(buffered(disk), "utf-8", line_buffering=True)
    print("a line", file=output, flush=True)
    disk.full = False
    output.close()


def test_an_output_writes_lines_at_once_and_replaces_what_its_encoding_lacks():
    raw = io.BytesIO()
    output = Output(raw, "ascii", errors="replace", line_buffering=True)
    print("\N{HAMMER}", file=output)
    assert raw.getvalue() == b"?\n"


def test_uploads_are_in_a_folder_of_the_app_that_is_removed_at_the_end(monkeypatch):
    monkeypatch.delenv("GRADIO_TEMP_DIR")
    monkeypatch.setattr("zs_app.server.startup.signal.signal", lambda *_: None)
    with own_temporary_folder():
        folder = Path(os.environ["GRADIO_TEMP_DIR"])
        (folder / "upload").write_text("x", encoding="utf-8")
    assert not folder.exists()


def test_a_folder_that_was_named_is_not_removed(monkeypatch, tmp_path):
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path))
    with own_temporary_folder():
        assert os.environ["GRADIO_TEMP_DIR"] == str(tmp_path)
    assert tmp_path.exists()
