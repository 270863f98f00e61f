"""The app in this process, or as one of its own, as a Space or the command starts it; asked over HTTP."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

WITHIN = 300.0
_open = build_opener(ProxyHandler({})).open


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def launched() -> Iterator[Any]:
    from zs_app.launch import launch_options
    from zs_app.page import build
    from zs_start.annexes import annexes

    app = build(annexes())
    # Gradio leaves a socket open for each port that it finds taken.
    where: dict[str, Any] = {"server_name": "127.0.0.1", "server_port": free_port()}
    app.launch(prevent_thread_lock=True, quiet=True, inbrowser=False, **where, **launch_options(annexes()))
    yield app
    app.close(verbose=False)


@contextmanager
def started_app(folder: Path, log: Path, *options: str, **settings: str) -> Iterator[str]:
    """The address of the app, started in that folder with only installed packages to import; ended at the end.

    It is `python app.py` with these variables or, with options, `zero-scrolls app`.
    """
    port = settings.get("GRADIO_SERVER_PORT") or free_port()
    outside = ("GRADIO_", "HF_", "PYTHON")
    env = {name: value for name, value in os.environ.items() if not name.startswith(outside)}
    env |= {"GRADIO_SERVER_PORT": str(port), "GRADIO_SERVER_NAME": "127.0.0.1", **settings}
    command = [sys.executable, *(["-m", "zs_start", "app", *options] if options else ["app.py"])]
    if "--port" in options:
        port = options[options.index("--port") + 1]
    with log.open("wb") as out, subprocess.Popen(command, cwd=folder, env=env, stdout=out, stderr=out) as process:
        try:
            url = f"http://127.0.0.1:{port}"
            wait_for(url, process, log)
            yield url
        finally:
            process.terminate()


def wait_for(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Return when the page answers; fail with what the app printed when it ends or takes too long."""
    deadline = time.monotonic() + WITHIN
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with _open(url, timeout=5) as answer:
                assert answer.status == 200
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"the app did not start: {log.read_text(encoding='utf-8')}")


def call(url: str, endpoint: str, *values: Any, **named: Any) -> Any:
    """What the endpoint returns, as `curl` gets it: one request that starts it, one for the result."""
    address = f"{url}/gradio_api/call/{endpoint}"
    start, body = (f"{url}/gradio_api/call/v2/{endpoint}", named) if named else (address, {"data": values})
    request = Request(start, json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with _open(request, timeout=WITHIN) as answer:
            event = json.load(answer)["event_id"]
    except HTTPError as error:
        raise AssertionError(error.read().decode()) from None
    with _open(f"{address}/{event}", timeout=WITHIN) as answer:
        lines = answer.read().decode().splitlines()
    assert lines[0] == "event: complete", "\n".join(lines)
    return json.loads(lines[1].removeprefix("data: "))[0]
