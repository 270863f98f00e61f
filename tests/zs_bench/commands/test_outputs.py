"""What commands write: UTF-8 on every platform, whole or not at all, and one document to standard output."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from written_files import official_csv, write

from zs_bench.cli import main
from zs_bench.dataset.embedded import SAMPLE_PREDICTIONS

ROOT = Path(__file__).parents[3]
SAMPLE = str(SAMPLE_PREDICTIONS)
ANSWER = 'B "中", \U0001f600'


def run(*arguments: object, stdin: bytes = b"", encoding: str = "cp1252") -> subprocess.CompletedProcess[bytes]:
    """The command in a process whose streams have another encoding, as on Windows when they are redirected."""
    command = [sys.executable, "-m", "zs_bench", *map(str, arguments)]
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    return subprocess.run(command, cwd=ROOT, input=stdin, env=environment, capture_output=True, check=False)


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    return write(tmp_path / "answers.csv", official_csv([("narrative_qa", "1", ANSWER)]))


@pytest.fixture
def references(tmp_path: Path) -> Path:
    return write(tmp_path / "known" / "references.json", {"narrative_qa": {"1": [ANSWER]}})


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a file away")
def test_a_link_of_another_user_or_to_their_file_is_not_followed(tmp_path: Path) -> None:
    theirs, mine = tmp_path / "theirs.json", tmp_path / "mine.json"
    theirs.write_text("theirs")
    mine.write_text("mine")
    os.chown(theirs, 4321, -1)
    planted, own = tmp_path / "planted.json", tmp_path / "own.json"
    planted.symlink_to(mine)
    own.symlink_to(theirs)
    os.chown(planted, 4321, -1, follow_symlinks=False)
    for out in (planted, own):
        assert main(["score", SAMPLE, "--source", "embedded", "--json", str(out)]) == 2
    assert (theirs.read_text(), mine.read_text()) == ("theirs", "mine")


def test_a_link_to_itself_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loop = tmp_path / "loop.json"
    loop.symlink_to(loop)
    for arguments in ([str(loop), "--source", "embedded"], [SAMPLE, "--references", str(loop)]):
        assert main(["score", *arguments]) == 2
        assert "there is no file or folder" in capsys.readouterr().err


@pytest.mark.parametrize("given", ['{"quality": {"a": "B"}, "\\ud800": 3}', '{"quality": {"a": "B"}, "\\ud800": "x"}'])
def test_a_lone_surrogate_in_a_name_neither_ends_the_command_nor_breaks_the_report(given: str, tmp_path: Path) -> None:
    answers = write(tmp_path / "answers.json", given)
    known = write(tmp_path / "known.json", {"quality": {"a": ["B"]}})
    out = write(tmp_path / "out.json", "an earlier report")
    done = run("score", answers, "--references", known, "--json", out)
    assert b"Traceback" not in done.stderr
    assert done.returncode == 1
    assert json.loads(out.read_text(encoding="utf-8"))["schema"].startswith("zero-scrolls-report/")


def test_a_report_that_cannot_be_finished_leaves_the_earlier_one(
    tmp_path: Path, answers: Path, references: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = write(tmp_path / "out.json", "an earlier report")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert main(["score", str(answers), "--references", str(references), "--json", str(out)]) == 2
    assert "the disk is full" in capsys.readouterr().err
    assert out.read_text(encoding="utf-8") == "an earlier report"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answers.csv", "known", "out.json"]


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path: Path, answers: Path, references: Path) -> None:
    out, link = write(tmp_path / "out.json", "old"), tmp_path / "link.json"
    link.symlink_to(out)
    given = ["score", str(answers), "--references", str(references), "--json"]
    assert main([*given, str(link)]) == main([*given, os.devnull]) == 0
    assert link.is_symlink()
    assert json.loads(out.read_text(encoding="utf-8"))["tasks"]["narrative_qa"]["score"] == 100.0
    assert not Path(os.devnull).is_file()


SCORE = ["score", "ANSWERS", "--references", "REFERENCES"]
TWICE = [
    ["data", "qasper", "--source", "embedded", "--json", "-", "--ids", "-"],
    [*SCORE, "--json", "-", "--csv", "-"],
    [*SCORE, "--json", "OUT", "--markdown", "OUT"],
    [*SCORE, "--json", "OUT", "--markdown", "SAME"],
    [*SCORE, "--json", "-", "--format", "md"],
    [*SCORE, "--quiet", "--format", "md"],
    ["verify", "ANSWERS", "--json", "-", "--fix", "-"],
]


@pytest.mark.parametrize("given", TWICE)
def test_two_documents_in_one_place_are_refused(
    given: list[str], tmp_path: Path, answers: Path, references: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = {"ANSWERS": str(answers), "REFERENCES": str(references), "OUT": str(tmp_path / "out")}
    paths["SAME"] = f"{tmp_path}/../{tmp_path.name}/out"
    assert main([paths.get(word, word) for word in given]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "only one" in err


@pytest.mark.parametrize(
    ("given", "out", "why"),
    [
        (["score", "FOLDER", "--references", "KNOWN", "--json", "OUT"], "preds/preds_narrative_qa.json", "folder"),
        (["score", "FOLDER", "--references", "KNOWN", "--csv", "OUT"], "preds/scores.csv", "folder"),
        (["score", "ANSWERS", "--references", "KNOWN", "--json", "OUT"], "known/references.json", "folder"),
        (["verify", "FOLDER", "--fix", "OUT"], "preds/preds_narrative_qa.json", "folder"),
        (["verify", "ANSWERS", "--fix", "OUT"], "answers.csv", "would be replaced"),
    ],
)
def test_nothing_is_written_among_the_files_that_are_read(
    *,
    given: list[str],
    out: str,
    why: str,
    tmp_path: Path,
    answers: Path,
    references: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(tmp_path / "preds" / "preds_narrative_qa.json", {"1": ANSWER})
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    paths = {"FOLDER": str(tmp_path / "preds"), "ANSWERS": str(answers), "KNOWN": str(references.parent)}
    assert main([paths.get(word, word) for word in given[:-1]] + [str(tmp_path / out)]) == 2
    assert why in capsys.readouterr().err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


@pytest.mark.parametrize(
    "given",
    [
        ["data", "qasper", "--json", "no/out"],
        ["data", "qasper", "--ids", "no/out"],
        ["data", "qasper", "--to", "file/rows"],
        ["data", "qasper", "--parquet", "file"],
        ["prompt", "qasper", "--source", "hub", "--out", "no/out"],
        ["baseline", "qasper", "--source", "hub", "--out", "no/out"],
        ["baseline", "qasper", "--source", "hub", "--out", "folder"],
    ],
)
def test_where_to_write_is_checked_before_anything_is_downloaded(
    given: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def download(*_: object, **__: object) -> None:
        pytest.fail("this is a download")

    monkeypatch.setattr("zs_bench.dataset.sources.fetch", download)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    assert main(given) == 2
    assert given[-1].partition("/")[0] in capsys.readouterr().err


def test_an_interrupted_command_ends_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("zs_bench.commands.explain.explain", interrupt)
    assert main(["explain", "qasper", "--prediction", "a", "--reference", "b"]) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("error", [RecursionError("maximum recursion depth exceeded"), UnicodeError("no text")])
def test_what_a_file_can_cause_is_a_sentence_and_no_traceback(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("zs_bench.commands.explain.explain", fail)
    assert main(["explain", "qasper", "--prediction", "a", "--reference", "b"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("zero-scrolls: ")
    assert len(err.splitlines()) == 1
