"""The worst that a ZIP can contain: refused before it is unpacked, with the reason and the limit."""

import io
import stat
import struct
import tempfile
import zipfile
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


def changed(data: bytes, *changes: tuple[bytes, int, bytes]) -> bytes:
    """The data with bytes overwritten, each at an offset from the first place of a signature."""
    whole = bytearray(data)
    for signature, offset, new in changes:
        at = whole.index(signature) + offset
        whole[at : at + len(new)] = new
    return bytes(whole)


LOCAL, CENTRAL = b"PK\3\4", b"PK\1\2"
LINK = struct.pack("<L", (stat.S_IFLNK | 0o777) << 16)


def test_a_member_that_could_do_harm_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    paths_out = ("/etc/qasper.json", "../qasper.json", "a/../../qasper.json", "C:/qasper.json", "..\\qasper.json")
    plain = write_zip(tmp_path / "a.zip", {"qasper.json": ANSWERS}).read_bytes()
    bomb = write_zip(tmp_path / "a.zip", {"qasper.json": b" " * 20_000_000}).read_bytes()
    cases = [
        (write_zip(tmp_path / "a.zip", {name: ANSWERS}).read_bytes(), "leads out of the ZIP") for name in paths_out
    ]
    cases += [
        (write_zip(tmp_path / "a.zip", {"qasper.zip": plain}).read_bytes(), "a ZIP within the ZIP; unpack it first"),
        (changed(plain, (CENTRAL, 38, LINK)), "it is a link"),
        (changed(plain, (CENTRAL, 8, b"\1"), (LOCAL, 6, b"\1")), "it is encrypted; make the ZIP without a password"),
        (changed(plain, (CENTRAL, 10, b"\x0c")), "packed in an unusual way"),
        (bomb, "it unpacks to 20 MB, more than 200 times its packed size"),
        (changed(plain, (CENTRAL, 24, struct.pack("<L", 4_000_000_000))), "4 GB, more than 64 MB"),
        (b"", "not a readable ZIP file"),
        (plain[: len(plain) // 2], "not a readable ZIP file"),
        (b"not a zip at all", "not a readable ZIP file"),
    ]
    for data, says in cases:
        assert says in refused(write(tmp_path / "qasper.zip", data)).message


def test_a_member_that_announces_less_than_it_holds_is_a_problem_and_not_unpacked_further(tmp_path: Path) -> None:
    large = write_zip(tmp_path / "a.zip", {"qasper.json": b" " * 10_000_000}).read_bytes()
    (source,), _ = open_inputs([write(tmp_path / "a.zip", changed(large, (CENTRAL, 24, b"\1\0\0\0")))])
    (problem,) = read_source(source, "predictions")
    assert (problem.task, "Bad CRC-32" in problem.message) == ("qasper", True)


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
