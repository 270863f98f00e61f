"""Files, folders and ZIPs opened: what is read under which name, and what is refused before it is read."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from written_files import refused, write, write_folder, write_zip

from zs_bench.files import limits
from zs_bench.files.paths import open_inputs

ANSWERS = {"7": "a"}


def opened(*paths: Path) -> list[tuple[str, str]]:
    """Name and path of every source; a problem is a failure."""
    sources, problems = open_inputs(paths)
    assert not problems
    return [(source.name, str(source.path)) for source in sources]


def test_two_files_of_the_same_name_are_known_by_their_whole_paths(tmp_path: Path) -> None:
    paths = [write(tmp_path / folder / "qasper.json", ANSWERS) for folder in "ab"]
    assert [name for name, _ in opened(*paths)] == [str(path) for path in paths]


def test_a_folder_is_its_files_and_those_of_its_folders_in_the_order_of_their_names(tmp_path: Path) -> None:
    write_folder(tmp_path / "run", {"b.json": {}, "a/x.csv": "", "c/qasper/test.jsonl": [], ".hidden.json": {}})
    write_folder(tmp_path / "run" / "__MACOSX", {"b.json": {}})
    assert [name for name, _ in opened(tmp_path / "run")] == ["run/a/x.csv", "run/b.json", "run/c/qasper/test.jsonl"]


def test_a_zip_is_its_members_read_without_unpacking(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "answers.zip", {"preds_qasper.json": ANSWERS, "x/y/quality.jsonl": [], "x/": ""})
    sources, problems = open_inputs([path])
    assert [source.name for source in sources] == ["answers.zip/preds_qasper.json", "answers.zip/x/y/quality.jsonl"]
    with sources[0].opened() as stream:
        assert stream.read() == b'{"7": "a"}'
    assert not problems
    assert os.listdir(tmp_path) == ["answers.zip"]


def test_a_link_to_a_file_is_followed_and_a_link_to_a_folder_is_reported(tmp_path: Path) -> None:
    blob = write(tmp_path / "blobs" / "3f7a", ANSWERS)
    snapshot = write_folder(tmp_path / "snapshot", {})
    (snapshot / "qasper.json").symlink_to(blob)
    (snapshot / "round").symlink_to(snapshot, target_is_directory=True)
    sources, (problem,) = open_inputs([snapshot])
    assert [source.name for source in sources] == ["snapshot/qasper.json"]
    assert str(problem.place) == "snapshot/round"
    assert "link to a folder" in problem.message


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "run", {})
    os.mkfifo(folder / "qasper.json")
    (folder / "quality.json").symlink_to("/dev/zero")
    (folder / "musique.json").symlink_to(tmp_path / "nowhere")
    sources, problems = open_inputs([folder])
    assert not sources
    assert [problem.task for problem in problems] == ["musique", "qasper", "quality"]
    assert "No such file" in problems[0].message
    assert all("not a file but a device, a pipe or a socket" in problem.message for problem in problems[1:])


def test_a_file_of_another_kind_is_an_error_when_given_and_a_warning_beside_others(tmp_path: Path) -> None:
    path = write(tmp_path / "run" / "notes.txt", "…")
    assert refused(path).is_error
    assert not refused(path.parent).is_error
    assert "its name ends in none of .csv, .tsv, .json, .jsonl, .eval, .zip" in refused(path).message


def test_a_file_beyond_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "preds_qasper.json"
    with path.open("wb") as file:
        file.truncate(100_000_000_000)
    problem = refused(path)
    assert problem.message == "the file was not read: 100 GB, more than 64 MB"
    assert problem.task == "qasper"


def test_files_beyond_the_limit_in_all_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_folder(tmp_path, {"a.json": " " * 60, "b.json": " " * 60})
    monkeypatch.setattr(limits, "current", lambda: limits.Limits(total=100))
    sources, (problem,) = open_inputs([tmp_path])
    assert len(sources) == 1
    assert "more than 0.1 kB in all" in problem.message


def test_a_folder_of_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_MEMBERS", 3)
    problem = refused(write_folder(tmp_path / "run", {f"{i}.json": {} for i in range(4)}))
    assert problem.message == "the file was not read: more than 3 files in the folder"


def test_other_limits_hold_for_the_thread_that_asks_for_them_and_for_no_other() -> None:
    with limits.using(limits.COMMANDS), ThreadPoolExecutor(1) as pool:
        assert limits.current().zip_ == 50_000_000_000
        assert pool.submit(limits.current).result() == limits.UPLOADS
    assert limits.current() == limits.UPLOADS
