"""The real `huggingface_hub`, pointed at a stand-in; and nothing else within reach."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hub_stand_in import HubStandIn

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@contextmanager
def only_a_stand_in(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubStandIn]:
    """A stand-in with the library pointed at it; afterwards nothing runs on, and nothing else was asked for."""
    attempts = refuse_other_addresses(monkeypatch)
    with HubStandIn() as hub:
        point_library_at(hub.url, cache, monkeypatch)
        yield hub
    assert attempts == []


def point_library_at(url: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make this process' library talk to that address and keep its files in that folder, without a token.

    It reads `HF_ENDPOINT` and its like when it is imported; where that has happened, these are the places that count.
    """
    import huggingface_hub
    from huggingface_hub import constants

    huggingface_hub.close_session()
    template = url + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(constants, "ENDPOINT", url)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(cache))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "*")
    # Between its attempts the library waits for seconds.
    monkeypatch.setattr("huggingface_hub.file_download.time.sleep", lambda _: None)


def environment(url: str, home: Path) -> dict[str, str]:
    """The environment of a new process whose library talks to that address and keeps its files in that folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING_FACE_"))}
    tests = Path(__file__).parent
    path = os.pathsep.join(map(str, (tests, tests.parents[1])))
    return {**kept, "HF_ENDPOINT": url, "HF_HOME": str(home), "NO_PROXY": "*", "PYTHONPATH": path}


def refuse_other_addresses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Make every connection to anything but this computer fail; returns the list in which such attempts are noted."""
    attempts: list[str] = []
    look_up, connect = socket.getaddrinfo, socket.socket.connect

    def check(host: Any) -> None:
        if host not in LOOPBACK:
            attempts.append(str(host))
            raise OSError(f"a test asked for {host}")

    def guarded_look_up(host: Any, *rest: Any, **options: Any) -> Any:
        check(host)
        return look_up(host, *rest, **options)

    def guarded_connect(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            check(address[0])
        connect(self, address)

    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)
    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    return attempts
