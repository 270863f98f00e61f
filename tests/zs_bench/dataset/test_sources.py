"""Examples from the package, the Hub, a folder and a ZIP: the same rows, inspected, with what is wrong with them."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmark_zips import as_test, rows_of, without_references, zipped
from hub_client import only_a_stand_in
from hub_stand_in import HubStandIn

from zs_bench.dataset.embedded import EMBEDDED, load_embedded
from zs_bench.dataset.inspection import Loaded
from zs_bench.dataset.sources import load_examples
from zs_bench.errors import SourceUnavailable, UnusableInput
from zs_bench.validation.from_source import references_from_source
from zs_metric.errors import UnknownTask, ZeroScrollsError

REPO = "tau/zero_scrolls"
GOOD = ("squality", "qasper", "gov_report", "quality")


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubStandIn]:
    """A stand-in with good data of four tasks, and no other address within reach."""
    with only_a_stand_in(tmp_path / "cache", monkeypatch) as server:
        server.repo("datasets", REPO).commit({f"{task}.zip": zipped(task) for task in GOOD})
        yield server


def commit(hub: HubStandIn, **files: bytes) -> str:
    return hub.repo("datasets", REPO).commit({f"{task}.zip": data for task, data in files.items()})


def kinds(loaded: Loaded) -> list[tuple[str, bool]]:
    return [(found.kind, found.is_error) for found in loaded.findings]


@pytest.fixture(params=["embedded", "hub", "folder of folders", "folder of ZIPs", "ZIP", "folder of the task"])
def source(request: pytest.FixtureRequest, tmp_path: Path, hub: HubStandIn) -> str:
    """Every kind of source, each with SQuALITY's embedded rows."""
    zips = tmp_path / "zips"
    zips.mkdir()
    (zips / "squality.zip").write_bytes(zipped("squality", validation=rows_of("squality")))
    shutil.copytree(EMBEDDED, tmp_path / "folders")
    paths = {
        "folder of folders": tmp_path / "folders",
        "folder of ZIPs": zips,
        "ZIP": zips / "squality.zip",
        "folder of the task": tmp_path / "folders" / "squality",
    }
    return str(paths.get(request.param, request.param))


def test_every_source_gives_the_same_examples(source: str) -> None:
    loaded = load_examples(source, "squality")
    assert loaded.examples == load_embedded("squality")
    assert (loaded.counts.rows, loaded.counts.ids, loaded.counts.labelled, loaded.counts.unlabelled) == (8, 2, 8, 0)
    assert loaded.counts.indexed == 2
    assert (loaded.scorable, loaded.findings) == (True, [])


def test_a_revision_can_be_pinned_in_either_way(hub: HubStandIn) -> None:
    old = hub.repo("datasets", REPO).refs["main"]
    new = commit(hub, qasper=zipped("qasper", validation=rows_of("qasper")[:1]))
    assert load_examples("hub", "qasper").revision == new
    assert load_examples("hub", "qasper", revision=old).revision == old
    assert load_examples(f"hub:{REPO}@{old}", "qasper").revision == old
    with pytest.raises(ZeroScrollsError, match="two revisions"):
        load_examples(f"hub:{REPO}@{old}", "qasper", revision=new)
    with pytest.raises(ZeroScrollsError, match="'embedded' has no revisions"):
        load_examples("embedded", "qasper", revision=new)


def test_a_test_split_that_is_the_validation_split_is_not_scored_against(hub: HubStandIn) -> None:
    rows = rows_of("qasper")
    again = [{key: row[key] for key in reversed(row)} for row in reversed(rows)]  # not the same bytes, nor the order
    commit(hub, qasper=zipped("qasper", validation=rows, test=again))
    loaded = load_examples("hub", "qasper", "test")
    assert kinds(loaded) == [("test-is-validation", True), ("not-all", False)]
    assert not loaded.scorable
    assert "the test split is the validation split over again" in loaded.findings[0].message
    assert load_examples("hub", "qasper").scorable


def test_a_split_whose_references_are_all_null_is_not_scored_against(hub: HubStandIn) -> None:
    rows = rows_of("quality")
    commit(hub, quality=zipped("quality", validation=rows, test=without_references(as_test(rows))))
    loaded = load_examples("hub", "quality", "test")
    assert kinds(loaded) == [("no-references", True), ("not-all", False)]
    assert (loaded.counts.labelled, loaded.counts.unlabelled) == (0, 2)
    assert not loaded.scorable
    assert "all are null" in loaded.findings[0].message


def test_a_good_test_split_is_scored_against_but_said_to_be_small(hub: HubStandIn) -> None:
    loaded = load_examples("hub", "quality", "test")
    assert kinds(loaded) == [("not-all", False)]
    assert loaded.findings[0].message == "2 ids where the published test split has 500: part of it, or other examples"
    assert loaded.scorable


def test_some_missing_references_are_reported_and_left_out(hub: HubStandIn) -> None:
    first, second = rows_of("quality")
    commit(hub, quality=zipped("quality", validation=[first, {**second, "output": None}]))
    loaded = load_examples("hub", "quality")
    assert kinds(loaded) == [("null-references", False)]
    assert [example.id for example in loaded.examples if example.references] == [first["id"]]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("embedded", "govreport"), UnknownTask, "did you mean 'gov_report'"),
        (("embedded", "qasper", "test"), UnusableInput, "embedded examples: qasper has no split 'test'; it has valid"),
        (("no/such/folder", "qasper"), UnusableInput, "there is no file or folder 'no/such/folder'"),
        (("hub", "musique"), SourceUnavailable, "has no file musique.zip"),
        (("hub", "qasper", "train"), UnusableInput, "has no split 'train'; it has validation, test"),
    ],
)
def test_what_is_missing_from_a_source_is_named(
    hub: HubStandIn, arguments: tuple[str, ...], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        load_examples(*arguments)


def test_two_files_for_one_split_are_refused(tmp_path: Path) -> None:
    shutil.copytree(EMBEDDED / "qasper", tmp_path / "qasper")
    (tmp_path / "qasper.zip").write_bytes(zipped("qasper"))
    with pytest.raises(UnusableInput, match="both qasper's validation split; keep one"):
        load_examples(tmp_path, "qasper")


def test_references_of_several_tasks_are_all_of_one_commit(hub: HubStandIn) -> None:
    """Somebody may push while the second file is fetched."""
    first = hub.repo("datasets", REPO).refs["main"]
    pushed: list[str] = []

    def push(share: float, what: str) -> None:
        if what.startswith("qasper") and not pushed:
            pushed.append(commit(hub, qasper=zipped("qasper", validation=rows_of("qasper")[:1])))

    found = references_from_source("hub", ["squality", "qasper"], progress=push)
    assert pushed
    assert found.about["revision"] == first
    assert len(found.tasks["qasper"]["validation"]) == len(load_embedded("qasper"))


def test_a_hub_out_of_reach_is_asked_once(hub: HubStandIn) -> None:
    hub.close()
    with pytest.raises(SourceUnavailable, match="cannot be reached"):
        references_from_source("hub", GOOD)
