"""The start: without heavy imports, with output that never fails, and the options of the server."""

import asyncio
import errno
import io
import logging
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest
from uvicorn import Config

from zs_app.launch import launch_options, log_loop_error
from zs_start.app import Output
from zs_start.cli import main

HEAVY = (
    *("datasets", "evaluate", "matplotlib", "tiktoken", "transformers", "torch", "nltk", "rouge_score", "sklearn"),
    "sqlalchemy",  # for a board only
)
VISITOR, PROXY = "93.184.216.34", "10.16.3.80"


def run(code: str) -> str:
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("GRADIO_", "ZS_BOARD"))}
    options = {"cwd": Path(__file__).parents[2], "env": variables, "capture_output": True, "text": True, "timeout": 120}
    return subprocess.run([sys.executable, "-c", code], check=True, **options).stdout.strip()


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_wrong_variable_is_a_sentence_and_as_many_files_may_be_open_as_the_system_permits():
    code = (
        "import os, resource as r; from zs_start.app import main; os.environ['ZS_DATA'] = 'no such'\n"
        "import sys; sys.stderr = sys.stdout\n"
        "try: main()\nexcept SystemExit as error: print(error, len(set(r.getrlimit(r.RLIMIT_NOFILE))))"
    )
    assert run(code) == "zero-scrolls: ZS_DATA: there is no folder or ZIP 'no such'\n2 1"


def test_the_options_of_the_command_set_the_variables_of_the_app(monkeypatch, capsys):
    seen, names = {}, ("GRADIO_SERVER_PORT", "GRADIO_SERVER_NAME", "ZS_DATA", "ZS_BOARD")
    for name in names:
        monkeypatch.setenv(name, "before")
    app = types.ModuleType("zs_start.app")
    app.main = lambda: seen.update(os.environ)
    monkeypatch.setitem(sys.modules, "zs_start.app", app)
    assert main(["app", "--port", "8080", "--data", "fresh/", "--board", "board.sqlite"]) == 0
    assert [seen[name] for name in names] == ["8080", "before", "fresh/", "board.sqlite"]
    with pytest.raises(SystemExit, match="2"):
        main(["app", "--port", "http"])
    assert "--port" in capsys.readouterr().err


def visitor_behind(peer, forwarded):
    """The address that the app sees of a request from that peer with this `X-Forwarded-For`."""
    seen = []

    async def app(scope, receive, send):
        seen.append(scope["client"][0])

    config = Config(app, log_config=None)
    config.load()
    headers = [(b"x-forwarded-for", forwarded.encode())]
    asyncio.run(config.loaded_app({"type": "http", "client": (peer, 1), "headers": headers}, None, None))
    return seen[0]


@pytest.mark.parametrize("space", [None, "owner/name"])
def test_only_in_a_space_proxies_give_a_visitors_address_and_nobody_claims_another(monkeypatch, space):
    for name in ("FORWARDED_ALLOW_IPS", "SPACE_ID"):
        monkeypatch.setenv(name, "")  # so that it is as it was afterwards
        monkeypatch.delenv(name)
    if space:
        monkeypatch.setenv("SPACE_ID", space)
    launch_options()
    assert visitor_behind(PROXY, f"1.2.3.4, {VISITOR}, 10.20.1.1") == (VISITOR if space else PROXY)
    assert visitor_behind(VISITOR, "1.2.3.4") == VISITOR


def test_connections_that_cannot_be_accepted_do_not_flood_the_log(caplog):
    loop = asyncio.new_event_loop()
    for _ in range(2_000):
        log_loop_error(loop, {"message": "accept", "exception": OSError(errno.EMFILE, "too many")})
    assert len(caplog.records) == 1
    caplog.set_level(logging.ERROR)
    log_loop_error(loop, {"message": "another error"})
    assert "another error" in caplog.text
    loop.close()
