"""The worst that a ZIP can contain: refused before it is unpacked, with the reason and the limit."""

import io
import stat
import struct
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written_files import refused, write, write_zip

from zs_bench.files import limits, paths
from zs_bench.files.formats import read_source
from zs_bench.files.paths import open_inputs

ANSWERS = {"7": "a"}


def test_a_zip_of_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_MEMBERS", 3)
    problem = refused(write_zip(tmp_path / "run.zip", {f"{i}.json": {} for i in range(4)}))
    assert problem.message == "the file was not read: more than 3 files in the ZIP"


@pytest.mark.parametrize(
    "name", ["/etc/qasper.json", "../qasper.json", "a/../../qasper.json", "C:/qasper.json", "..\\qasper.json"]
)
def test_a_member_whose_path_leads_out_of_the_zip_is_refused(tmp_path: Path, name: str) -> None:
    assert "leads out of the ZIP" in refused(write_zip(tmp_path / "a.zip", {name: ANSWERS})).message


def test_a_zip_within_a_zip_is_refused(tmp_path: Path) -> None:
    inner = write_zip(tmp_path / "qasper.zip", {"qasper/test.jsonl": []})
    problem = refused(write_zip(tmp_path / "all.zip", {"qasper.zip": inner.read_bytes()}))
    assert "a ZIP within the ZIP is not read" not in problem.message
    assert "it is a ZIP within the ZIP; unpack it first" in problem.message


def test_a_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("qasper.json")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(info, "/etc/passwd")
    assert "it is a link" in refused(tmp_path / "a.zip").message


def changed(path: Path, *changes: tuple[bytes, int, bytes]) -> Path:
    """The file with bytes overwritten, each at an offset from the first place of a signature."""
    data = bytearray(path.read_bytes())
    for signature, offset, new in changes:
        at = data.index(signature) + offset
        data[at : at + len(new)] = new
    path.write_bytes(data)
    return path


LOCAL, CENTRAL = b"PK\3\4", b"PK\1\2"


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"quality.jsonl": b"", "qasper.json": b" " * 20_000_000})
    changed(path, (CENTRAL, 24, struct.pack("<L", 4_000_000_000)))
    _, (size, ratio) = open_inputs([path])
    assert size.message == "the file was not read: 4 GB, more than 400 MB"
    assert ratio.message == "the file was not read: it unpacks to 20 MB, more than 200 times its packed size"


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    path = changed(write_zip(tmp_path / "a.zip", {"qasper.json": ANSWERS}), (CENTRAL, 8, b"\1"), (LOCAL, 6, b"\1"))
    assert "it is encrypted; make the ZIP without a password" in refused(path).message


def test_a_member_that_announces_less_than_it_holds_is_a_problem_and_not_unpacked_further(tmp_path: Path) -> None:
    path = changed(write_zip(tmp_path / "a.zip", {"qasper.json": b" " * 10_000_000}), (CENTRAL, 24, b"\1\0\0\0"))
    (source,), _ = open_inputs([path])
    (problem,) = read_source(source, "predictions")
    assert (problem.task, "Bad CRC-32" in problem.message) == ("qasper", True)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda _: b"", "it is empty; make it again"),
        (lambda data: data[: len(data) // 2], "not a readable ZIP file"),
        (lambda _: b"not a zip at all", "not a readable ZIP file"),
    ],
)
def test_a_file_that_is_not_a_zip_is_refused(tmp_path: Path, spoil: Callable[[bytes], bytes], says: str) -> None:
    path = write_zip(tmp_path / "qasper.zip", {"qasper.json": ANSWERS})
    path.write_bytes(spoil(path.read_bytes()))
    problem = refused(path)
    assert says in problem.message
    assert problem.task == "qasper"


def test_names_that_would_move_the_cursor_or_fill_the_screen_are_escaped_and_cut(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"\x1b[2J\u202egpj.exe.txt": "", "a" * 5_000 + ".txt": ""})
    _, (first, second) = open_inputs([path])
    assert str(first.place) == "a.zip/\\x1b[2J\\u202egpj.exe.txt"
    assert len(str(second.place)) <= 120
    assert str(second.place).endswith("a.txt")


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


def test_only_the_directory_of_a_zip_is_searched_for_its_entries(tmp_path: Path) -> None:
    """A ZIP of 8 GB is not read from end to end each time it is opened."""
    path = tmp_path / "quality.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("quality.json", b'{"1": "A", "2": "' + b"PK\x01\x02" * (paths._MAX_ENTRIES + 1) + b'"}')
    (found,), problems = open_inputs([path])
    assert (found.name, problems) == ("quality.zip/quality.json", [])


def test_entries_are_counted_whatever_number_of_them_the_zip_states(tmp_path: Path) -> None:
    path = tmp_path / "quality.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(paths._MAX_ENTRIES + 1):
            archive.writestr(f"{number}/", b"")
    data = bytearray(path.read_bytes())
    end = data.rfind(b"PK\x05\x06")
    data[end + 8 : end + 12] = bytes([1, 0, 1, 0])
    path.write_bytes(data)
    (problem,) = open_inputs([path])[1]
    assert "entries in the ZIP" in problem.message
