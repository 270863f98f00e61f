"""Fetching from the Hub, by the real client against a stand-in on loopback."""

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hub_client import only_a_stand_in
from hub_stand_in import Faults, HubStandIn, Repo

from zs_bench.dataset import hub as client
from zs_bench.errors import SourceUnavailable

NAME, DATA = "qasper.zip", bytes(range(256)) * 1000


def fetch(name: str, **options: Any) -> client.Fetched:
    return client.fetch(name, **{"repo": "tau/zero_scrolls", **options})


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubStandIn]:
    """A stand-in with one file, the library pointed at it, and no other address within reach."""
    with only_a_stand_in(tmp_path / "cache", monkeypatch) as server:
        server.repo("datasets", "tau/zero_scrolls").commit({NAME: DATA})
        yield server


def repo(hub: HubStandIn) -> Repo:
    return hub.repo("datasets", "tau/zero_scrolls")


def refused(**wanted: str) -> SourceUnavailable:
    with pytest.raises(SourceUnavailable) as caught:
        fetch(**{"name": NAME, **wanted})
    return caught.value


def test_progress_says_how_much_of_the_file_is_there_and_ends_with_the_whole(hub: HubStandIn) -> None:
    reports: list[tuple[float, str]] = []
    fetch(NAME, progress=lambda share, what: reports.append((share, what)))
    assert reports == [(0.99, "qasper.zip: 256 kB of 256 kB"), (1.0, "")]


def test_an_error_of_the_caller_is_not_blamed_on_the_hub(hub: HubStandIn) -> None:
    def cancel(*_: object) -> None:
        raise RuntimeError("cancelled")

    with pytest.raises(RuntimeError, match="cancelled"):
        fetch(NAME, progress=cancel)


def test_a_pinned_commit_that_is_in_the_cache_is_not_even_asked_for(hub: HubStandIn) -> None:
    first = fetch(NAME)
    hub.requests.clear()
    assert fetch(NAME, revision=first.commit) == first
    assert hub.requests == []


def test_a_branch_a_tag_and_a_commit_are_each_read_as_they_were(hub: HubStandIn) -> None:
    old = repo(hub).refs["main"]
    new = repo(hub).commit({NAME: b"new"})
    repo(hub).refs |= {"v1": old, "refs/pr/5": new}
    assert {at: fetch(NAME, revision=at).commit for at in ("main", "v1", "refs/pr/5", old)} == {
        "main": new,
        "v1": old,
        "refs/pr/5": new,
        old: old,
    }
    assert fetch(NAME).path.read_bytes() == b"new"


def test_without_the_hub_the_cache_is_used_and_reported(hub: HubStandIn) -> None:
    first = fetch(NAME)
    hub.close()
    again = fetch(NAME)
    assert (again.path, again.commit) == (first.path, first.commit)
    assert again.note is not None
    assert again.note.startswith(f"the Hub ({hub.url}) cannot be reached (ConnectError")
    assert again.note.endswith("this is the copy in the cache")


def test_the_offline_mode_reads_the_cache_and_nothing_else(hub: HubStandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    first = fetch(NAME)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    hub.requests.clear()
    again = fetch(NAME)
    assert again.path == first.path
    assert again.note == "the offline mode is on (HF_HUB_OFFLINE); this is the copy in the cache"
    assert str(refused(name="quality.zip")).endswith("switch it off, or take another source")
    assert hub.requests == []


@pytest.mark.parametrize(
    ("wanted", "message", "of_one_file"),
    [
        ({"name": "quality.zip"}, "tau/zero_scrolls at main has no file quality.zip on the Hub", True),
        ({"revision": "v9"}, "tau/zero_scrolls has no revision 'v9' on the Hub", False),
        ({"repo": "nobody/nothing"}, "shows no dataset nobody/nothing: there is none, or it needs a token", False),
        ({"repo": "no repo at all"}, "'no repo at all' cannot be the name of a repo; write owner/name", False),
    ],
)
def test_what_does_not_exist_is_named(
    hub: HubStandIn, wanted: dict[str, str], message: str, *, of_one_file: bool
) -> None:
    error = refused(**wanted)
    assert message in str(error)
    assert error.of_one_file == of_one_file
    assert pickle.loads(pickle.dumps(error)).of_one_file == of_one_file


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        (Faults(token="secret"), "check the name, or set HF_TOKEN to a valid token that may read it"),
        (Faults(gated=True), "request access on its page, then set HF_TOKEN to a valid token that may read it"),
        (Faults(status=403), "(403); set HF_TOKEN to a valid token that may read it"),
        (Faults(status=429), "(429); try again in some minutes, with HF_TOKEN set"),
        (Faults(status=503), "; try again later"),
        (Faults(status=418), "; check the repo and the revision"),
        (Faults(not_a_hub=True), "is not a Hub; check the network, a proxy and HF_ENDPOINT"),
        (Faults(size_in_head=len(DATA) + 1), "; check the network, then try again"),
    ],
    ids=lambda value: "" if isinstance(value, Faults) else value,
)
def test_a_refusal_is_one_sentence_with_a_step(hub: HubStandIn, faults: Faults, message: str) -> None:
    hub.faults = faults
    error = refused()
    assert str(error).endswith(message)
    assert "\n" not in str(error)


def test_an_unwritable_disk_is_not_blamed_on_the_hub(hub: HubStandIn, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert str(refused()).endswith("make room, or set HF_HOME to another folder")
