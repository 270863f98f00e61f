"""Files, folders and ZIPs opened: what is read under which name, and what is refused before it is read."""

import io
import os
import stat
import struct
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written_files import refused, write, write_folder, write_zip

from zs_bench.files import limits
from zs_bench.files.formats import read_source
from zs_bench.files.paths import open_inputs

ANSWERS = {"7": "a"}
LOCAL, CENTRAL, END = b"PK\3\4", b"PK\1\2", b"PK\5\6"
LINK = struct.pack("<L", (stat.S_IFLNK | 0o777) << 16)


def names(*paths: Path) -> list[str]:
    """The name of every source; a problem is a failure."""
    sources, problems = open_inputs(paths)
    assert not problems
    return [source.name for source in sources]


def test_the_files_of_folders_and_zips_are_read_without_unpacking_and_without_what_file_managers_add(
    tmp_path: Path,
) -> None:
    run = write_folder(tmp_path / "run", {"b.json": {}, "a/x.csv": "", "c/qasper/test.jsonl": [], ".hidden.json": {}})
    write_folder(run / "__MACOSX", {"b.json": {}})
    members = {"preds_qasper.json": ANSWERS, "x/y/quality.jsonl": [], "x/": "", "__MACOSX/a.json": "", ".b/a.json": ""}
    packed = write_zip(tmp_path / "zips" / "answers.zip", members)
    assert names(run) == ["run/a/x.csv", "run/b.json", "run/c/qasper/test.jsonl"]
    assert names(packed) == ["answers.zip/preds_qasper.json", "answers.zip/x/y/quality.jsonl"]
    with open_inputs([packed])[0][0].opened() as stream:
        assert stream.read() == b'{"7": "a"}'
    assert os.listdir(packed.parent) == ["answers.zip"]
    same = [write(tmp_path / folder / "qasper.json", ANSWERS) for folder in "ab"]
    assert names(*same) == [str(path) for path in same]


def test_a_link_to_a_file_is_followed_and_nothing_else_that_is_no_file_is_opened(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "run", {})
    (folder / "all.json").symlink_to(write(tmp_path / "blobs" / "3f7a", ANSWERS))
    (folder / "round").symlink_to(folder, target_is_directory=True)
    os.mkfifo(folder / "qasper.json")
    (folder / "quality.json").symlink_to("/dev/zero")
    (folder / "musique.json").symlink_to(tmp_path / "nowhere")
    sources, problems = open_inputs([folder])
    assert [source.name for source in sources] == ["run/all.json"]
    assert [(str(problem.place), problem.task) for problem in problems] == [
        ("run/round", None),
        ("run/musique.json", "musique"),
        ("run/qasper.json", "qasper"),
        ("run/quality.json", "quality"),
    ]
    reasons = ("link to a folder", "No such file", *["not a file but a device, a pipe or a socket"] * 2)
    assert all(reason in problem.message for reason, problem in zip(reasons, problems, strict=True))


def test_a_file_of_another_kind_is_an_error_when_given_and_a_warning_beside_others(tmp_path: Path) -> None:
    path = write(tmp_path / "run" / "notes.txt", "…")
    assert refused(path).is_error
    assert not refused(path.parent).is_error
    assert not refused(write_zip(tmp_path / "a.zip", {"notes.txt": ""})).is_error
    assert "its name ends in none of .csv, .tsv, .json, .jsonl, .eval, .zip" in refused(path).message


def test_what_is_beyond_a_limit_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    large = tmp_path / "preds_qasper.json"
    for path, size in {large: 64_000_001, tmp_path / "by_lines.jsonl": 400_000_000}.items():
        with path.open("wb") as file:
            file.truncate(size)
    problem = refused(large)
    assert (problem.message, problem.task) == ("the file was not read: 64 MB, more than 64 MB", "qasper")
    assert names(tmp_path / "by_lines.jsonl") == ["by_lines.jsonl"]
    folder = write_folder(tmp_path / "run", {f"{i}.json": " " * 30 for i in range(4)})
    four = write_zip(tmp_path / "run.zip", {f"{i}.json": {} for i in range(4)})
    monkeypatch.setattr(limits, "current", lambda: limits.Limits(total=100))
    sources, (problem,) = open_inputs([folder])
    assert (len(sources), "more than 0.1 kB in all" in problem.message) == (3, True)
    monkeypatch.setattr(limits, "MAX_MEMBERS", 3)
    assert refused(folder).message == "the file was not read: more than 3 files in the folder"
    assert refused(four).message == "the file was not read: more than 3 files in the ZIP"
    monkeypatch.setattr(limits, "MAX_DIRECTORY", 300)
    assert "the list of the files in it is too long" not in refused(four).message
    monkeypatch.setattr(limits, "MAX_DIRECTORY", 100)
    assert "the list of the files in it is too long" in refused(four).message


def test_other_limits_hold_for_the_thread_that_asks_for_them_and_for_no_other() -> None:
    with limits.using(limits.COMMANDS), ThreadPoolExecutor(1) as pool:
        assert limits.current().zip_ == 50_000_000_000
        assert pool.submit(limits.current).result() == limits.UPLOADS
    assert limits.current() == limits.UPLOADS


def changed(data: bytes, *changes: tuple[bytes, int, bytes]) -> bytes:
    """The data with bytes overwritten, each at an offset from the first place of a signature."""
    whole = bytearray(data)
    for signature, offset, new in changes:
        at = whole.index(signature) + offset
        whole[at : at + len(new)] = new
    return bytes(whole)


def test_the_list_of_a_large_zip_is_checked_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 1)  # so that the record of a large ZIP is written
    path = write_zip(tmp_path / "a.zip", {"qasper.json": ANSWERS, "quality.json": ANSWERS})
    assert names(path) == ["a.zip/qasper.json", "a.zip/quality.json"]
    path.write_bytes(changed(path.read_bytes(), (b"PK\6\6", 40, struct.pack("<Q", 5_000_000_000))))
    assert "the list of the files in it is too long" in refused(path).message


def test_a_member_that_could_do_harm_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    def packed(**members: object) -> bytes:
        return write_zip(tmp_path / "a.zip", members).read_bytes()

    plain, bomb = packed(**{"qasper.json": ANSWERS}), packed(**{"qasper.json": b" " * 20_000_000})
    outside = ("/etc/qasper.json", "../qasper.json", "a/../../qasper.json", "C:/qasper.json", "..\\qasper.json")
    cases = [(packed(**{name: ANSWERS}), "leads out of the ZIP") for name in outside]
    cases += [
        (packed(**{"qasper.zip": plain}), "a ZIP within the ZIP; unpack it first"),
        (changed(plain, (CENTRAL, 38, LINK)), "it is a link"),
        (changed(plain, (CENTRAL, 8, b"\1"), (LOCAL, 6, b"\1")), "it is encrypted; make the ZIP without a password"),
        (changed(plain, (CENTRAL, 10, b"\x0c")), "packed in an unusual way"),
        (bomb, "it unpacks to 20 MB, more than 200 times its packed size"),
        (changed(plain, (CENTRAL, 24, struct.pack("<L", 4_000_000_000))), "4 GB, more than 64 MB"),
        (changed(plain, (END, 12, struct.pack("<L", 4_000_000_000))), "the list of the files in it is too long"),
        (b"", "not a readable ZIP file"),
        (plain[: len(plain) // 2], "not a readable ZIP file"),
    ]
    for data, says in cases:
        problem = refused(write(tmp_path / "qasper.zip", data))
        assert (problem.is_error, says in problem.message) == (True, True), problem
    assert names(write_zip(tmp_path / "a.zip", {"qasper.json": b" " * 9_000_000})) == ["a.zip/qasper.json"]
    (source,), _ = open_inputs([write(tmp_path / "a.zip", changed(bomb, (CENTRAL, 24, b"\1\0\0\0")))])
    (problem,) = read_source(source, "predictions")
    assert (problem.task, "Bad CRC-32" in problem.message) == ("qasper", True)


def test_names_that_would_move_the_cursor_or_fill_the_screen_are_escaped_and_cut(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"\x1b[2J\u202egpj.exe.txt": "", "a" * 5_000 + ".txt": ""})
    _, (first, second) = open_inputs([path])
    assert str(first.place) == "a.zip/\\x1b[2J\\u202egpj.exe.txt"
    assert (len(str(second.place)), str(second.place)[-5:]) == (120, "a.txt")


SEED = io.BytesIO()
with zipfile.ZipFile(SEED, "w", zipfile.ZIP_DEFLATED) as _archive:
    _archive.writestr("qasper.json", '{"7": "a"}' * 20)
    _archive.writestr("ö/validation.jsonl", '{"id": "7"}')


@settings(max_examples=150)
@given(st.lists(st.tuples(st.integers(0, len(SEED.getvalue()) - 1), st.integers(0, 255)), max_size=6))
def test_whatever_a_damaged_zip_holds_opening_and_reading_it_gives_problems(changes: list[tuple[int, int]]) -> None:
    data = bytearray(SEED.getvalue())
    for at, byte in changes:
        data[at] = byte
    with tempfile.TemporaryDirectory() as folder:
        sources, problems = open_inputs([write(Path(folder) / "a.zip", bytes(data))])
        for source in sources:
            list(read_source(source, "predictions"))
    assert sources or problems
