"""The reverse proxy of docs/api.md in front of the app."""

import os
import shutil
import socket
from pathlib import Path

import httpx
import pytest
from nginx import running, temporary_places
from requests_to_app import HTTP, post
from started_app import free_port

from zs_app import api

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]


@pytest.fixture
def proxy(url, tmp_path):
    """The address of an nginx with the lines of the document."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        why = "no nginx here; install it with: apt-get install nginx-light"
        pytest.fail(why) if os.environ.get("ZS_REQUIRE_NGINX") else pytest.skip(why)
    port = free_port()
    lines = (ROOT / "docs/api.md").read_text(encoding="utf-8").partition("```nginx\n")[2].partition("```")[0]
    for written, meant in (("listen 80", f"listen 127.0.0.1:{port}"), ("http://127.0.0.1:7860", url), ("10s", "1s")):
        assert written in lines
        lines = lines.replace(written, meant)
    places = temporary_places(tmp_path)
    main = (
        f"daemon off; pid {tmp_path}/pid; error_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{places}{lines}}}\n"
    )
    with running(program, tmp_path, port, main):
        yield f"http://127.0.0.1:{port}"


def test_the_proxy_of_the_docs_passes_the_page_on_and_closes_silent_connections(proxy, monkeypatch):
    assert httpx.get(proxy, **HTTP).status_code == 200

    async def job(*_, job, size):
        return {"visitor": job.visitor, "size": size}

    monkeypatch.setattr(api, "run_job", job)
    data = {"data": [{"quality": {"a": "B"}}, {"quality": {"a": ["B"]}}, False, "zero_scrolls"]}
    body = httpx.post(
        f"{proxy}/gradio_api/run/score_predictions", json=data, headers={"x-forwarded-for": "6.6.6.6"}, **HTTP
    ).json()
    assert body["data"][0]["visitor"] == "127.0.0.1"
    for begun in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nA: "):
        with socket.create_connection(("127.0.0.1", int(proxy.rpartition(":")[2])), timeout=60) as line:
            line.sendall(begun)
            while line.recv(1_000):  # until it is closed
                pass
    assert post(proxy, "run/score_answer", data=["quality", "B", ["B"]]).json()["data"][0]["score"] == 100
