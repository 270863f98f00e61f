"""`zero-scrolls board` and `zero-scrolls submit`: a board from creation to backup."""

import csv
import io
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from boards import KNOWN, predictions
from written_files import write

from zs_bench.cli import main
from zs_lab.board import UnknownCode, open_board

Call = Callable[..., tuple[str, str]]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Run an action on the board that ZS_BOARD names; returns what is on standard output and standard error."""
    monkeypatch.setenv("ZS_BOARD", str(tmp_path / "board.sqlite"))

    def run(*arguments: object, status: int = 0, command: str = "board") -> tuple[str, str]:
        assert main([command, *map(str, arguments)]) == status, capsys.readouterr()
        return capsys.readouterr()

    return run


def test_a_board_from_creation_to_backup(call: Call, tmp_path: Path) -> None:
    place = tmp_path / "board.sqlite"
    references = write(tmp_path / "references.json", KNOWN)
    out, err = call("init", "--references", references, "--title", "Shared task", "--closes", "2099-12-01")
    assert out == f"Shared task: 2 tasks, 80 examples, in {place}. Keep it private.\n"
    assert err.startswith("Tasks with fewer than 100 examples, whose scores reveal single predictions: all of them.")
    code, said = call("invite", "Team A")
    assert said == "The submission code of Team A; it is not kept, so hand it on now.\n"
    board = open_board(place)
    submitter = board.submitter_of(code)
    for right in (30, 10):
        board.submit(submitter, system="S", predictions=predictions(tmp_path, right), note="a note")
    lines = call("list")[0].splitlines()
    assert [line.split()[0] for line in lines] == ["entry", "1", "2"]
    assert lines[1].endswith("Team A     S       shown                    75.00")
    assert lines[2].endswith("Team A     S       no significant change    25.00")
    shown = call("show", 2)[0]
    assert "note             a note\n" in shown
    assert "Mean of 2 tasks  25.00\nquality          25.00\nspace_digest     25.00\n" in shown
    assert call("hide", 1)[0] == "Entry 1 is off the board.\n"
    assert open_board(place).entries() == []
    assert call("hide", 1, "--undo")[0] == "Entry 1 is on the board.\n"
    assert call("note", 1, "checked")[0] == "Entry 1: checked\n"
    assert call("note", 2)[0] == "Entry 2: no remark\n"
    assert ["per_day", "5"] in [line.split() for line in call("limits", "--per-day", 5)[0].splitlines()]
    settings = call("set", "--description", "About long texts", "--opens", "2026-01-01", "--why", "a start")[0]
    for line in ("Shared task", "2026-01-01T00:00:00Z", "About long texts"):
        assert line in settings
    assert call("baseline", "Naive", predictions(tmp_path, 2))[0] == "Baseline Naive: entry 3, average 5.00.\n"
    assert call("rescore")[0] == "0 entries would change. To do it, add --yes.\n"
    assert call("rescore", "--yes")[0] == "0 entries changed.\n"
    rows = list(csv.DictReader(io.StringIO(call("export", "--csv", "-")[0])))
    assert [(row["rank"], row["baseline"], row["remark"]) for row in rows] == [
        ("1", "False", "checked"),
        ("", "True", ""),
    ]
    err = call("export", "--parquet", tmp_path / "b.parquet", "--predictions", tmp_path / "out")[1]
    assert err == f"Written: {tmp_path}/b.parquet, {tmp_path}/out (3 files, private)\n"
    call("backup", tmp_path / "copy.sqlite")
    assert open_board(tmp_path / "copy.sqlite").entries() == open_board(place).entries()
    assert call("revoke", "Team A")[0] == "Team A may not submit any more; the entries stay.\n"
    with pytest.raises(UnknownCode):
        board.submitter_of(code)
    assert call("invite", "hf:ann")[0] == "hf:ann may submit in a Space, signed in.\n"
    invited = call("submitters")[0].splitlines()
    assert [line.split()[0] for line in invited] == ["submitter", "Team", "Organisers", "hf:ann"]
    recorded = call("log")[0]
    assert "Changed: description, opens" in recorded
    assert "a start" in recorded


def test_corrected_references_are_previewed_and_taken_with_yes(call: Call, tmp_path: Path) -> None:
    call("init", "--references", write(tmp_path / "references.json", KNOWN))
    board = open_board(tmp_path / "board.sqlite")
    submitter = board.submitter_of(call("invite", "A")[0])
    board.submit(submitter, system="S", predictions=predictions(tmp_path, 30))
    corrected = write(tmp_path / "corrected.json", {**KNOWN, "quality": dict.fromkeys(KNOWN["quality"], "A")})
    change = "1, S (A): average 75.00 → 47.50, quality 75.00 → 20.00\n"
    assert call("rescore", "--references", corrected)[0] == change + "1 entry would change. To do it, add --yes.\n"
    assert call("rescore", "--references", corrected, "--yes")[0] == change + "1 entry changed.\n"
    fewer = write(tmp_path / "fewer.json", {"quality": KNOWN["quality"]})
    assert "--drop space_digest" in call("rescore", "--references", fewer, "--yes", status=2)[1]
    out = call("rescore", "--references", fewer, "--drop", "space_digest", "--yes")[0]
    assert "The references had 2 tasks, 80 examples; now they have 1 task, 40 examples.\n" in out
    more = write(tmp_path / "more.json", {"quality": {**KNOWN["quality"], "z": "A"}})
    out = call("rescore", "--references", more, "--yes", status=1)[0]
    assert "1: set aside, since 1 of 41 predictions of quality are missing" in out


def test_scrolls_has_boards_too(call: Call, tmp_path: Path) -> None:
    out, _ = call("init", "--benchmark", "scrolls", "--source", "embedded")
    assert out.startswith("SCROLLS board: 7 tasks, ")
    assert open_board(tmp_path / "board.sqlite").average_title == "SCROLLS score"


def test_what_is_refused_names_the_next_step_and_changes_nothing(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "there is no board at " in call("list", status=2)[1]
    assert "nowhere" in call("init", "--references", "nowhere", status=2)[1]
    references = write(tmp_path / "references.json", KNOWN)
    negative = "zero-scrolls: a limit cannot be negative; give 0 or more\n"
    assert call("init", "--references", references, "--in-all", -1, status=2)[1] == negative
    assert "needs an end" in call("init", "--references", references, "--hidden-until-end", status=2)[1]
    call("init", "--references", references)
    for arguments in (
        ["show", 3],
        ["hide", 3],
        ["note", 3, "x"],
        ["revoke", "B"],
        ["invite", ""],
        ["invite", "\u3164"],
    ):
        assert re.match(r"zero-scrolls: (there is|the name) ", call(*arguments, status=2)[1])
    assert call("limits", "--per-day", -1, status=2)[1] == negative
    assert "which form? Give --csv OUT" in call("export", status=2)[1]
    assert "references are others" in call("export", "--eval-results", tmp_path / "results", status=2)[1]
    monkeypatch.setattr("zs_lab.board.database.PATIENCE", 0.1)
    with sqlite3.connect(tmp_path / "board.sqlite", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "cannot be used (database is locked); check the database" in call("invite", "A", status=2)[1]
        other.execute("ROLLBACK")
    other.close()
    monkeypatch.delenv("ZS_BOARD")
    assert call("list", status=2)[1] == "zero-scrolls: which board? Give --board board.sqlite, or set ZS_BOARD\n"


def test_without_an_extra_the_error_names_it(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sqlalchemy", None)
    said = call("list", status=2)[1]
    assert said == 'zero-scrolls: this needs sqlalchemy; install it with: pip install "zero-scrolls[board]"\n'
    monkeypatch.setitem(__import__("sys").modules, "gradio_client", None)
    said = call("http://127.0.0.1:1", "p.csv", "--check", command="submit", status=2)[1]
    assert said == "zero-scrolls: this needs gradio_client; install it with: pip install gradio_client\n"


def test_a_submission_to_nowhere_says_so(call: Call, tmp_path: Path) -> None:
    file = predictions(tmp_path, 3)
    assert "name the system with --system" in call("http://127.0.0.1:1", file, command="submit", status=2)[1]
    said = call("http://127.0.0.1:1", file, "--check", command="submit", status=2)[1]
    assert said.startswith("zero-scrolls: the board at http://127.0.0.1:1 answered: ")
