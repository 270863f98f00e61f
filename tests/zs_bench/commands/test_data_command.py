"""`zero-scrolls data`, and `zero-scrolls score --source`, against a stand-in for the Hub."""

import csv
import io
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmark_zips import as_test, rows_of, without_references, zipped
from hub_client import only_a_stand_in
from hub_stand_in import HubStandIn

from zs_bench.cli import main
from zs_bench.dataset.embedded import EMBEDDED, SAMPLE_PREDICTIONS
from zs_bench.dataset.sources import load_examples
from zs_metric import TASKS

REPO = "tau/zero_scrolls"


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubStandIn]:
    """A stand-in with good data of all tasks, and no other address within reach."""
    with only_a_stand_in(tmp_path / "cache", monkeypatch) as server:
        server.repo("datasets", REPO).commit({f"{task}.zip": zipped(task) for task in TASKS})
        yield server


@pytest.fixture
def answers(tmp_path: Path) -> str:
    """The answers that the package has for its embedded examples, as one JSON file."""
    tasks: dict[str, dict[str, str]] = {}
    for row in csv.DictReader(io.StringIO(SAMPLE_PREDICTIONS.read_text(encoding="utf-8"), newline="")):
        tasks.setdefault(row["Task"], {})[row["ID"]] = row["Prediction"]
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(tasks))
    return str(path)


def break_as_reported(hub: HubStandIn) -> str:
    """Qasper's test split becomes its validation split, QuALITY's loses its references."""
    qasper, quality = rows_of("qasper"), rows_of("quality")
    return hub.repo("datasets", REPO).commit(
        {
            "qasper.zip": zipped("qasper", validation=qasper, test=qasper),
            "quality.zip": zipped("quality", validation=quality, test=without_references(as_test(quality))),
        }
    )


def test_the_report_as_json_has_every_finding(hub: HubStandIn, capsys: pytest.CaptureFixture[str]) -> None:
    commit = break_as_reported(hub)
    assert main(["data", "quality", "--split", "test", "--json", "-"]) == 0
    report = json.loads(capsys.readouterr().out)
    (split,) = report["splits"]
    assert report["schema"] == "zero-scrolls-data/1"
    assert (split["task"], split["split"], split["revision"], split["scorable"]) == ("quality", "test", commit, False)
    assert (split["rows"], split["ids"], split["labelled"], split["unlabelled"], split["indexed"]) == (2, 2, 0, 2, 2)
    assert [found["kind"] for found in split["findings"]] == ["no-references", "not-all"]


def test_what_is_stored_is_a_source_of_the_same_rows(hub: HubStandIn, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    assert main(["data", "squality", "--to", str(folder)]) == 0
    assert sorted(path.name for path in (folder / "squality").iterdir()) == ["test.jsonl", "validation.jsonl"]
    assert load_examples(folder, "squality").examples == load_examples("embedded", "squality").examples


def test_what_cannot_be_fetched_is_exit_status_1_and_the_rest_is_there(
    hub: HubStandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    hub.repo("datasets", REPO).commit({"qasper.zip": zipped("qasper")[:-50]})
    del hub.repo("datasets", REPO).commits[hub.repo("datasets", REPO).refs["main"]]["musique.zip"]
    assert main(["data", "--split", "validation"]) == 1
    printed = capsys.readouterr()
    assert len([line for line in printed.out.split("\n\n")[0].splitlines() if " validation " in line]) == 8
    assert "zero-scrolls: qasper: the Hub's file is damaged" in printed.err
    assert "zero-scrolls: musique: tau/zero_scrolls at " in printed.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a device that is always full")
def test_a_full_disk_is_not_reported_as_a_damaged_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rows" / "qasper" / "validation.jsonl"
    path.parent.mkdir(parents=True)
    path.with_name(f".validation.jsonl.{os.getpid()}.part").symlink_to("/dev/full")
    assert main(["data", "qasper", "--source", "embedded", "--to", str(tmp_path / "rows")]) == 2
    message = capsys.readouterr().err
    assert message == f"zero-scrolls: {path}: the disk is full; make room and run the command again\n"
    assert list(path.parent.iterdir()) == []


def test_progress_is_a_line_on_a_terminal_that_can_rewrite_one(
    hub: HubStandIn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert main(["data", "qasper"]) == 0
    err = capsys.readouterr().err
    assert "qasper.zip: " in err
    assert err.endswith("\r\033[K")
    monkeypatch.setenv("TERM", "dumb")
    assert main(["data", "qasper"]) == 0
    assert "\033" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [[], ["--references", str(EMBEDDED), "--split", "test"], ["--source", "embedded", "--revision", "main"]],
)
def test_options_without_effect_are_wrong_usage(answers: str, arguments: list[str]) -> None:
    assert main(["score", answers, *arguments]) == 2
