"""Files, folders and ZIPs opened: what is read under which name, and what is refused before it is read."""

import gc
import os
import stat
import struct
import tempfile
import weakref
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written_files import refused, write, write_folder, write_zip, zip_of

from zs_bench.errors import UnusableInput
from zs_bench.files import limits
from zs_bench.files.entries import Entry, ReadFile
from zs_bench.files.formats import FORMATS, LONE_TEXT, NOT_KNOWN, read_source
from zs_bench.files.names import TEXT_FILES
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
    run = write_folder(tmp_path / "run", {"b.json": {}, "a/x.CSV": "", "c/qasper/test.jsonl": [], ".hidden.json": {}})
    write_folder(run / "__MACOSX", {"b.json": {}})
    members = {"preds_qasper.json": ANSWERS, "x/y/quality.jsonl": [], "x/": "", "__MACOSX/a.json": "", ".b/a.json": ""}
    packed = write_zip(tmp_path / "zips" / "answers.zip", members)
    assert names(run) == ["run/a/x.CSV", "run/b.json", "run/c/qasper/test.jsonl"]
    assert names(packed) == ["answers.zip/preds_qasper.json", "answers.zip/x/y/quality.jsonl"]
    (source, other), _ = open_inputs([packed])
    assert [str(each.path) for each in (source, other)] == ["zips/answers/preds_qasper.json", "x/y/quality.jsonl"]
    assert b"".join(source.blocks()) == b'{"7": "a"}'
    assert os.listdir(packed.parent) == ["answers.zip"]
    same = [write(tmp_path / folder / "qasper.json", ANSWERS) for folder in "ab"]
    assert names(*same) == [str(path) for path in same]
    paths = [str(open_inputs([same[0]], each)[0][0].path) for each in (None, ["qasper.json"])]
    assert paths == ["a/qasper.json", "qasper.json"]
    with pytest.raises(UnusableInput, match=r"there is no file or folder '.*c'; check the path"):
        open_inputs([tmp_path / "c"])


def test_a_link_to_a_file_is_followed_and_nothing_else_that_is_no_file_is_opened(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "run", {})
    (folder / "all.json").symlink_to(write(tmp_path / "blobs" / "3f7a", ANSWERS))
    (folder / "round").symlink_to(folder, target_is_directory=True)
    os.mkfifo(folder / "qasper.json")
    (folder / "quality.json").symlink_to("/dev/zero")
    (folder / "musique.json").symlink_to(tmp_path / "nowhere")
    sources, problems = open_inputs([folder])
    assert [source.name for source in sources] == ["run/all.json"]
    assert [(str(problem.place), problem.task, problem.message.partition(": ")[2]) for problem in problems] == [
        ("run/round", None, "it is a link to a folder; give that folder itself"),
        ("run/musique.json", "musique", "No such file or directory"),
        ("run/qasper.json", "qasper", "it is not a file but a device, a pipe or a socket"),
        ("run/quality.json", "quality", "it is not a file but a device, a pipe or a socket"),
    ]


def test_a_file_of_another_kind_is_an_error_when_given_and_a_warning_beside_others(tmp_path: Path) -> None:
    path = write(tmp_path / "run" / "notes.txt", "…")
    other = write(tmp_path / "other" / "notes.rtf", "…")
    beside = other.parent, write_zip(tmp_path / "a.zip", {"notes.rtf": ""})
    (source,), _ = open_inputs([path])
    assert [(problem.is_error, problem.message) for problem in read_source(source, "predictions")] == [
        (True, LONE_TEXT)
    ]
    (source,), _ = open_inputs([write(tmp_path / "alone" / "7f.txt", "A cat, in the end.")])
    assert [entry.fault.message.endswith(TEXT_FILES) for entry in read_source(source, "predictions")] == [True]
    kinds = ", ".join([*FORMATS, ".gz", ".txt", ".raw", ".zip"])
    assert kinds.startswith(".")
    why = f"the file was not read: its name ends in none of {kinds}; save it as one of these"
    assert {(refused(each).message, refused(each).is_error) for each in beside} == {(why, False)}
    assert (f"the file was not read: {LONE_TEXT}", False) == (
        refused(path.parent).message,
        refused(path.parent).is_error,
    )


def test_a_folder_of_texts_named_by_ids_is_a_file_of_the_task_that_it_names(tmp_path: Path) -> None:
    texts = {"q1.txt": "The team agreed.", "q2.txt": "[Note] They met.", "q3.txt": "x, y"}
    write_folder(
        tmp_path / "run", {f"qmsum/{name}": text for name, text in texts.items()} | {"qasper.json": {"7": "a"}}
    )
    for path, name in ((tmp_path / "run", "run/qmsum/*.txt"), (tmp_path / "run" / "qmsum", "qmsum/*.txt")):
        sources, problems = open_inputs([path])
        (source,) = (source for source in sources if source.path.suffix == ".json" and source.name == name)
        found = {entry.id: (entry.task, entry.value) for entry in read_source(source, "predictions")}
        assert (found, problems) == ({name[:2]: ("qmsum", text) for name, text in texts.items()}, [])
    write(tmp_path / "run" / "qmsum" / "run.log", "…")  # then they may be anything
    assert len(open_inputs([tmp_path / "run" / "qmsum"])[1]) == 3


def test_so_is_a_folder_of_texts_in_a_zip_or_a_zip_of_texts_whose_name_says_the_task(tmp_path: Path) -> None:
    texts = {"q1.txt": "The team agreed.", "q2.txt": "[Note] They met.", "q3.txt": "x, y"}
    inside = {f"run/qmsum/{name}": text for name, text in texts.items()} | {"run/qasper.json": {"7": "a"}}
    for path, name in (
        (write_zip(tmp_path / "run.zip", inside), "run.zip/run/qmsum/*.txt"),
        (write_zip(tmp_path / "qmsum.zip", texts), "qmsum.zip/*.txt"),
    ):
        for names_of_upload in (None, [path.name]):
            sources, problems = open_inputs([path], names_of_upload)
            (source,) = (source for source in sources if source.name == name)
            found = {entry.id: (entry.task, entry.value) for entry in read_source(source, "predictions")}
            assert (found, problems) == ({name[:2]: ("qmsum", text) for name, text in texts.items()}, [])
            assert len(sources) == 1 + ("run/qasper.json" in inside and path.stem == "run")
    beside = write_zip(tmp_path / "a" / "qmsum.zip", texts | {"run.log": "…"})  # then they may be anything
    assert {problem.message.removeprefix("the file was not read: ") for problem in open_inputs([beside])[1]} == {
        LONE_TEXT,
        NOT_KNOWN,
    }


def test_two_texts_of_one_id_and_texts_beyond_a_limit_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "qmsum.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("q1.txt", "They met.")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("q1.txt", "Nobody met.")
    (source,), _ = open_inputs([path])
    found = [*read_source(source, "predictions")]
    assert [each.value for each in found if isinstance(each, Entry)] == ["They met.", "Nobody met."]
    two = write_zip(tmp_path / "a" / "qmsum.zip", {"q1.txt": "They met.", "q2.txt": "So they met."})
    monkeypatch.setattr(limits, "current", lambda: limits.Limits(total=12))
    sources, (problem,) = open_inputs([two])
    assert (sources, str(problem.place), "in all" in problem.message) == ([], "qmsum.zip", True)


def test_a_table_of_pandas_by_columns_is_refused_with_the_way_to_write_rows(tmp_path: Path) -> None:
    for data in (
        {"id": {"0": "q1", "1": "q2"}, "prediction": {"0": "a", "1": "b"}},
        {"columns": ["id", "prediction"], "index": [0], "data": [["q1", "a"]]},
    ):
        (source,), _ = open_inputs([write(tmp_path / "qmsum.json", data)])
        (problem,) = read_source(source, "predictions")
        assert 'write rows, with: to_json(path, orient="records", force_ascii=False)' in problem.message


def test_a_column_of_tasks_that_the_user_named_and_the_file_lacks_is_said(tmp_path: Path) -> None:
    for name, text in {"a.csv": "id,prediction\n1,x\n", "a.jsonl": '{"id": "1", "prediction": "x"}\n'}.items():
        (source,), _ = open_inputs([write(tmp_path / name, text)])
        (problem,) = read_source(source, "predictions", ReadFile(name, columns={"task": "kind"}))
        assert problem.message.startswith("there is no column 'kind'; the columns are 'id,prediction'")


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
    monkeypatch.setattr(limits, "current", lambda: limits.Limits(total=90))
    sources, (problem,) = open_inputs([folder])
    assert (len(sources), "more than 0.09 kB in all" in problem.message) == (3, True)
    for limit, enough, value, path, says in (
        ("MAX_MEMBERS", 4, 3, folder, "more than 3 files in the folder"),
        ("MAX_MEMBERS", 4, 3, four, "more than 3 files in the ZIP"),
        ("MAX_DIRECTORY", 300, 100, four, "the list of the files in it is too long"),
    ):
        monkeypatch.setattr(limits, limit, enough)
        assert open_inputs([path])[0]
        monkeypatch.setattr(limits, limit, value)
        assert says in refused(path).message
        monkeypatch.setattr(limits, limit, 1_000_000)


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


PLAIN, BOMB = zip_of({"qasper.json": ANSWERS}), zip_of({"qasper.json": b" " * 20_000_000})
OUTSIDE = ("/etc/qasper.json", "../qasper.json", "a/../../qasper.json", "C:/qasper.json", "..\\qasper.json")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        *((zip_of({name: ANSWERS}), "its path leads out of the ZIP") for name in OUTSIDE),
        (zip_of({"qasper.zip": PLAIN}), "a ZIP within the ZIP; unpack it first"),
        (changed(PLAIN, (CENTRAL, 38, LINK)), "it is a link; put the file itself into the ZIP"),
        (changed(PLAIN, (CENTRAL, 8, b"\1"), (LOCAL, 6, b"\1")), "it is encrypted; make the ZIP without a password"),
        (changed(PLAIN, (CENTRAL, 10, b"\x0c")), "it is packed in an unusual way; make the ZIP with deflate"),
        (BOMB, "it unpacks to 20 MB, more than 200 times its packed size"),
        (changed(PLAIN, (CENTRAL, 24, struct.pack("<L", 4_000_000_000))), "4 GB, more than 64 MB"),
        (changed(PLAIN, (CENTRAL, 24, struct.pack("<L", 64_000_000))), "it unpacks to 64 MB, more than 200 times"),
        (changed(PLAIN, (END, 12, struct.pack("<L", 4_000_000_000))), "the list of the files in it is too long"),
        (b"", "not a readable ZIP file"),
        (PLAIN[: len(PLAIN) // 2], "not a readable ZIP file"),
    ],
)
def test_a_member_that_could_do_harm_is_refused_before_it_is_unpacked(tmp_path: Path, data: bytes, says: str) -> None:
    problem = refused(write(tmp_path / "qasper.zip", data))
    assert (problem.is_error, says in problem.message) == (True, True), problem


def test_a_member_that_unpacks_to_other_bytes_than_its_zip_states_is_a_problem_of_that_file(tmp_path: Path) -> None:
    assert names(write_zip(tmp_path / "a.zip", {"qasper.json": b" " * 9_000_000})) == ["a.zip/qasper.json"]
    (source,), _ = open_inputs([write(tmp_path / "a.zip", changed(BOMB, (CENTRAL, 24, b"\1\0\0\0")))])
    (problem,) = read_source(source, "predictions")
    assert (problem.task, "Bad CRC-32" in problem.message) == ("qasper", True)


def test_the_list_of_a_large_zip_is_checked_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 1)  # so that the record of a large ZIP is written
    monkeypatch.setattr(limits, "MAX_DIRECTORY", 300)
    path = write_zip(tmp_path / "a.zip", {"qasper.json": ANSWERS, "quality.json": ANSWERS})
    assert names(path) == ["a.zip/qasper.json", "a.zip/quality.json"]
    path.write_bytes(changed(path.read_bytes(), (b"PK\6\6", 40, struct.pack("<Q", 5_000_000_000))))
    assert "the list of the files in it is too long" in refused(path).message


def test_the_list_of_a_zip_is_read_once_however_many_files_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file read the whole list again: a thousand files took a minute."""
    path, opened = write_zip(tmp_path / "a.zip", {f"{n}/qasper.json": {str(n): "a"} for n in range(9)}), []

    class Counted(zipfile.ZipFile):
        def __init__(self, *values: object) -> None:
            opened.append(weakref.ref(self))
            super().__init__(*values)  # type: ignore[arg-type]

    monkeypatch.setattr(zipfile, "ZipFile", Counted)
    sources, _ = open_inputs([path])
    assert [entry.value for source in sources for entry in read_source(source, "predictions")] == ["a"] * 9
    assert len(opened) == 1
    del sources
    gc.collect()
    assert opened[0]() is None, "it is closed with the last of its files"


def test_names_that_would_move_the_cursor_or_fill_the_screen_are_escaped_and_cut(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"\x1b[2J\u202egpj.exe.txt": "", "a" * 5_000 + ".txt": ""})
    _, (first, second) = open_inputs([path])
    assert str(first.place) == "a.zip/\\x1b[2J\\u202egpj.exe.txt"
    assert (len(str(second.place)), str(second.place)[-5:]) == (120, "a.txt")


SEED = zip_of({"qasper.json": '{"7": "a"}' * 20, "ö/validation.jsonl": '{"id": "7"}'})


@settings(max_examples=150)
@given(st.lists(st.tuples(st.integers(0, len(SEED) - 1), st.integers(0, 255)), max_size=6))
def test_whatever_a_damaged_zip_holds_opening_and_reading_it_gives_problems(changes: list[tuple[int, int]]) -> None:
    data = bytearray(SEED)
    for at, byte in changes:
        data[at] = byte
    with tempfile.TemporaryDirectory() as folder:
        sources, problems = open_inputs([write(Path(folder) / "a.zip", bytes(data))])
        for source in sources:
            list(read_source(source, "predictions"))
    assert sources or problems
