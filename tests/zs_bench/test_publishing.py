"""Publishing, by the real client to a stand-in for the Hub on loopback: one commit, and errors that say what to do."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hub_client import only_a_stand_in
from hub_commits import NEW_SPACE
from hub_stand_in import Faults, HubStandIn, Repo

from zs_bench.cli import main
from zs_bench.problems import UnusableInput
from zs_bench.publishing import upload
from zs_bench.publishing.refusals import NotPublished
from zs_bench.publishing.space_files import space_files
from zs_bench.publishing.upload import publish

SPACE = "me/zero_scrolls"
CARD = b"---\ntitle: A\nsdk: gradio\ncolorFrom: indigo\ncolorTo: green\n---\n# A\n"
FILES = {"README.md": CARD, "app.py": b"print()\n", "zero_scrolls.py": b"", "zs_app/page.py": b"page\n"}


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubStandIn]:
    """A stand-in without any Space, the library pointed at it with a token, and no other address within reach."""
    with only_a_stand_in(tmp_path / "cache", monkeypatch) as server:
        monkeypatch.setenv("HF_TOKEN", "good")
        yield server


def space(hub: HubStandIn) -> Repo:
    return hub.repo("spaces", SPACE)


def commits(hub: HubStandIn) -> list[str]:
    return [path for path in hub.asked("POST") if "/commit/" in path]


def refused(**options: Any) -> NotPublished:
    with pytest.raises(NotPublished) as caught:
        publish(SPACE, FILES, **options)
    return caught.value


def test_a_space_is_made_with_all_files_in_one_commit(hub: HubStandIn) -> None:
    published = publish(SPACE, FILES)
    assert space(hub).tree() == NEW_SPACE | FILES
    assert commits(hub) == [f"/api/spaces/{SPACE}/commit/main"]
    assert (published.address, published.commit) == (f"{hub.url}/spaces/{SPACE}", space(hub).refs["main"])
    assert (published.changed, published.deleted) == (True, ())


def test_a_file_that_is_no_longer_there_is_deleted_in_the_same_commit(hub: HubStandIn) -> None:
    publish(SPACE, FILES)
    files = {path: content for path, content in FILES.items() if path != "zs_app/page.py"} | {"app.py": b"run()\n"}
    assert publish(SPACE, files).deleted == ("zs_app/page.py",)
    assert space(hub).tree() == NEW_SPACE | files
    assert len(commits(hub)) == 2


def test_what_has_not_changed_makes_no_commit(hub: HubStandIn, capsys: pytest.CaptureFixture[str]) -> None:
    first = publish(SPACE, FILES)
    second = publish(SPACE, FILES)
    assert (second.commit, second.changed) == (first.commit, False)
    assert len(commits(hub)) == 1


def test_the_command_publishes_what_the_project_is_and_says_where(
    hub: HubStandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["publish", SPACE]) == 0
    assert space(hub).tree() == NEW_SPACE | space_files()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{hub.url}/spaces/{SPACE}: {len(space_files())} files, ")
    assert lines[0].endswith(f"commit {space(hub).refs['main'][:7]}")
    assert lines[1:] == [f'evaluate.load("{SPACE}", "qasper") loads the metric from there']


def test_the_command_tells_what_was_deleted_and_that_nothing_changed(
    hub: HubStandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    space(hub).commit(space_files() | {"zs_app/gone.py": b""})
    assert main(["publish", SPACE]) == 0
    assert "deleted: zs_app/gone.py" in capsys.readouterr().out.splitlines()
    assert main(["publish", SPACE]) == 0
    assert capsys.readouterr().out.startswith(f"{hub.url}/spaces/{SPACE} is up to date: ")


def test_a_space_of_another_name_is_published_but_told_to_be_no_metric(
    hub: HubStandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["publish", "me/long-texts"]) == 0
    assert "for that the Space must be called me/zero_scrolls or me/scrolls" in capsys.readouterr().out
    assert ("spaces", "me/long-texts") in hub.repos


def test_a_new_space_is_private_when_wanted_and_an_existing_one_becomes_so(hub: HubStandIn) -> None:
    publish(SPACE, FILES, private=True)
    assert space(hub).private
    space(hub).private = False
    publish(SPACE, FILES)
    assert not space(hub).private
    publish(SPACE, FILES, private=True)
    assert space(hub).private
    publish(SPACE, FILES)
    assert space(hub).private


def test_the_space_of_another_project_is_left_as_it_is(hub: HubStandIn) -> None:
    before = space(hub).commit({"README.md": b"", "chat.py": b"", "weights.bin": b""})
    error = refused(private=True)
    assert str(error) == (
        f"{SPACE} is another Space: it has chat.py, weights.bin and no zero_scrolls.py; "
        "take another name, or empty it first"
    )
    assert (space(hub).refs["main"], space(hub).private) == (before, False)


@pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")  # of the client's own way to send them
def test_files_that_the_hub_takes_only_as_large_ones_are_sent_so(
    hub: HubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", True)
    hub.faults = Faults(lfs=True)
    files = FILES | {"assets/a.png": b"\x89PNG\0" + bytes(5000), "assets/b.png": b"\x89PNG\0"}
    publish(SPACE, files)
    assert space(hub).tree() == NEW_SPACE | files
    assert len(hub.large_files) == 2
    assert not publish(SPACE, files).changed


@pytest.mark.parametrize(
    "name", ["", "zero_scrolls", "me/", "/zero_scrolls", "a/b/c", "me/zero scrolls", "me/..", "é/b"]
)
def test_a_name_that_is_none_exits_with_2(hub: HubStandIn, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["publish", name]) == 2
    assert "is no name of a Space; write OWNER/NAME" in capsys.readouterr().err
    assert main(["publish", name, "--dry-run"]) == 2
    assert hub.requests == []


def test_an_address_is_no_name(hub: HubStandIn) -> None:
    with pytest.raises(UnusableInput, match="is no name of a Space"):
        publish(f"https://huggingface.co/spaces/{SPACE}", FILES)


def test_without_a_token_nothing_is_asked(
    hub: HubStandIn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("HF_TOKEN")
    assert main(["publish", SPACE]) == 1
    assert capsys.readouterr().err == (
        f"zero-scrolls: there is no token to sign in to the Hub ({hub.url}) with; "
        "set HF_TOKEN to a token that may write, or run: hf auth login\n"
    )
    assert hub.requests == []


REFUSALS: dict[str, tuple[Faults, str, str]] = {
    "a wrong token": (Faults(token="other"), "does not accept the token (401)", "hf auth login"),
    "a token to read": (Faults(read_only=True), f"the token may not write to {SPACE}", "may write there"),
    "no plan": (Faults(no_plan=True), "lets this account have no Gradio Space (402)", "plans"),
    "somebody else": (Faults(raced=True), "was changed by somebody else meanwhile (412)", "run the command again"),
    "too many": (Faults(status=429), "asks to wait (429)", "in some minutes"),
    "an error of its own": (Faults(status=500), "answers with an error (500)", "try again later"),
    "something odd": (Faults(status=418), "does not take it (418: ", "correct what it names"),
}


@pytest.mark.parametrize("what", REFUSALS)
def test_what_the_hub_refuses_is_told_in_a_sentence_with_the_next_step(
    hub: HubStandIn, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    hub.faults, why, step = REFUSALS[what]
    assert main(["publish", SPACE]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("zero-scrolls: ")
    assert why in line
    assert step in line.partition("; ")[2]


@pytest.mark.parametrize("status", [401, 403])
def test_who_may_read_an_existing_space_but_not_write_is_told_so(hub: HubStandIn, status: int) -> None:
    before = space(hub).commit(FILES)
    hub.faults = Faults(read_only=True) if status == 403 else Faults(token="other")
    assert f"({status})" in str(refused())
    assert space(hub).refs["main"] == before


def test_front_matter_that_the_hub_refuses_is_told_with_its_reason(hub: HubStandIn) -> None:
    card = CARD.replace(b"indigo", b"mauve")
    with pytest.raises(NotPublished, match=r'refuses the front matter of README\.md .*"colorFrom" must be one of'):
        publish(SPACE, FILES | {"README.md": card})
    assert commits(hub) == []


def test_a_hub_that_is_silent_is_given_up(hub: HubStandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "PATIENCE", 0.3)
    hub.faults = Faults(no_answer=True)
    assert refused().kind == "stalled"


def test_a_hub_that_cannot_be_reached_is_told(hub: HubStandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:1")
    assert str(refused()).startswith("the Hub (http://127.0.0.1:1) cannot be reached (ConnectError: ")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    assert "the offline mode is on (HF_HUB_OFFLINE); switch it off" in str(refused())


def test_a_mistake_in_the_program_is_not_laid_to_the_hub(hub: HubStandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.HfApi.create_repo", lambda _: None)
    with pytest.raises(TypeError):
        publish(SPACE, FILES)
