"""Fetching from the Hub, by the real client against a stand-in on loopback."""

import os
import pickle

import pytest
from hub_stand_in import Faults

from zs_bench.dataset.hub import DOWNLOADS, fetch
from zs_bench.errors import SourceUnavailable

NAME, REPO = "qasper.zip", "tau/zero_scrolls"


def refused(**wanted):
    with pytest.raises(SourceUnavailable) as caught:
        fetch(**{"name": NAME, "repo": REPO, **wanted})
    return caught.value


def test_progress_says_how_much_of_the_file_is_there_and_ends_with_the_whole(hub):
    hub.repo("datasets", REPO).commit({NAME: bytes(256_000)})
    reports = []
    fetch(NAME, repo=REPO, progress=lambda share, what: reports.append((share, what)))
    assert reports == [(0.99, "qasper.zip: 256 kB of 256 kB"), (1.0, "")]


def test_an_error_of_the_caller_is_not_blamed_on_the_hub(hub):
    def cancel(*_):
        raise RuntimeError("cancelled")

    with pytest.raises(RuntimeError, match="cancelled"):
        fetch(NAME, repo=REPO, progress=cancel)


def test_a_branch_a_tag_and_a_commit_are_each_read_as_they_were(hub):
    repo = hub.repo("datasets", REPO)
    old = repo.refs["main"]
    new = repo.commit({NAME: b"new"})
    repo.refs |= {"v1": old, "refs/pr/5": new}
    commits = {name: fetch(NAME, repo=REPO, revision=name).commit for name in ("main", "v1", "refs/pr/5", old)}
    assert commits == {"main": new, "v1": old, "refs/pr/5": new, old: old}
    assert fetch(NAME, repo=REPO).path.read_bytes() == b"new"


def test_without_the_hub_the_cache_is_used_and_reported(hub, monkeypatch):
    first = fetch(NAME, repo=REPO)
    hub.requests.clear()
    assert fetch(NAME, repo=REPO, revision=first.commit) == first
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    again = fetch(NAME, repo=REPO)
    assert (again.path, again.commit) == (first.path, first.commit)
    assert again.note == "the offline mode is on (HF_HUB_OFFLINE); this is the copy in the cache"
    assert str(refused(name="other.zip")).endswith("switch it off, or take another source")
    assert hub.requests == [], "a commit in the cache, or without a network, is not asked for"
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    hub.close()
    again = fetch(NAME, repo=REPO)
    assert again.path == first.path
    note = f"the Hub ({hub.url}) cannot be reached, or the download of qasper.zip failed (ConnectError"
    assert (again.note[: len(note)], again.note[-29:]) == (note, "this is the copy in the cache")


@pytest.mark.parametrize(
    ("wanted", "faults", "message"),
    [
        ({"name": "other.zip"}, {}, "tau/zero_scrolls at main has no file other.zip on the Hub"),
        ({"revision": "v9"}, {}, "tau/zero_scrolls has no revision 'v9' on the Hub"),
        ({"repo": "nobody/nothing"}, {}, "shows no dataset nobody/nothing: there is none, or it needs a token"),
        ({"repo": "no repo at all"}, {}, "'no repo at all' cannot be the name of a repo; write owner/name"),
        ({}, {"token": "secret"}, "check the name, or set HF_TOKEN to a valid token that may read it"),
        ({}, {"gated": True}, "request access on its page, then set HF_TOKEN to a valid token that may read it"),
        ({}, {"status": 403}, "(403); set HF_TOKEN to a valid token that may read it"),
        ({}, {"status": 429}, "(429); try again in some minutes, with HF_TOKEN set"),
        ({}, {"status": 503}, "; try again later"),
        ({}, {"status": 418}, "; check the repo and the revision"),
        ({}, {"not_a_hub": True}, "is not a Hub; check the network, a proxy and HF_ENDPOINT"),
        ({}, {"size_in_head": 3}, "; check the network and try again"),
    ],
)
def test_a_refusal_is_one_sentence_with_a_step(hub, wanted, faults, message):
    hub.faults = Faults(**faults)
    error = refused(**wanted)
    assert message in str(error)
    assert "\n" not in str(error)
    assert error.of_one_file == ("name" in wanted)
    assert pickle.loads(pickle.dumps(error)).of_one_file == error.of_one_file


def test_an_unwritable_disk_is_not_blamed_on_the_hub(hub, tmp_path):
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert str(refused()).endswith("make room, or set HF_HOME to another folder")


def test_downloads_of_a_server_go_into_its_folder_up_to_a_limit_and_a_copy_in_the_cache_is_used(
    hub, tmp_path, monkeypatch
):
    cached = fetch(NAME, repo=REPO)
    monkeypatch.setenv(DOWNLOADS, str(tmp_path / "downloads"))
    assert fetch(NAME, repo=REPO) == fetch(NAME, repo=REPO, revision=cached.commit) == cached
    assert not (tmp_path / "downloads").exists()
    hub.repo("datasets", REPO).commit({NAME: bytes(1_000), "quality.zip": bytes(1_000)})
    fetched = fetch(NAME, repo=REPO)
    (repo,) = (path for path in (tmp_path / "downloads").iterdir() if path.name.startswith("datasets--"))
    assert fetched.path.is_relative_to(repo)
    assert fetched == fetch(NAME, repo=REPO, revision=fetched.commit)
    os.utime(repo, (0, 0))
    assert fetch(NAME, repo=REPO) == fetched
    assert repo.stat().st_mtime > 0, "it is in use"
    monkeypatch.setattr("zs_bench.dataset.hub.MAX_DOWNLOADS", 1_999)
    why = (
        "this server has no room for quality.zip of tau/zero_scrolls (1 kB) beside its other downloads; give the refer"
    )
    assert str(refused(name="quality.zip")).startswith(why)
    monkeypatch.setattr("zs_bench.dataset.hub.MAX_DOWNLOADS", 2_000)
    assert fetch("quality.zip", repo=REPO).path.is_relative_to(repo)
