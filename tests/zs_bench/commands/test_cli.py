"""The command line: what it prints, what it writes, and its exit status."""

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from written_files import write

from zs_bench.cli import main

ROOT = Path(__file__).parents[3]
QUALITY = {"1": "A", "2": "B"}


@pytest.fixture
def references(tmp_path: Path) -> str:
    return str(write(tmp_path / "references.json", {"quality": QUALITY, "qasper": {"7": ["yes"]}}))


def answers(tmp_path: Path, content: Any, name: str = "preds_quality.json") -> str:
    return str(write(tmp_path / name, content))


@pytest.mark.parametrize(("source", "hint"), [("embeded", "did you mean 'embedded'?"), ("no/data", "check the path")])
@pytest.mark.parametrize("command", [["score", "ANSWERS"], ["verify", "ANSWERS"], ["data"]])
def test_a_source_that_does_not_exist_is_one_line_and_wrong_usage(
    command: list[str], source: str, hint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [answers(tmp_path, QUALITY) if word == "ANSWERS" else word for word in command]
    assert main([*given, "--source", source]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert hint in err


def test_the_reports_are_written_and_agree_with_the_table(
    tmp_path: Path, references: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out, table = tmp_path / "out.json", tmp_path / "out.csv"
    path = answers(tmp_path, {"1": "A", "2": "C"})
    assert main(["score", path, "--references", references, "--json", str(out), "--csv", str(table)]) == 0
    data = json.loads(out.read_text(encoding="utf-8"))
    assert (data["score"], data["mean_of_tasks"], data["tasks"]["quality"]["score"]) == (None, 50.0, 50.0)
    with table.open(encoding="utf-8", newline="") as rows:
        assert [(row["id"], float(row["score"])) for row in csv.DictReader(rows)] == [("", 50), ("1", 100), ("2", 0)]
    assert "50.0000" in capsys.readouterr().out


def test_the_module_runs_as_a_command_and_returns_its_exit_status(tmp_path: Path, references: str) -> None:
    path = answers(tmp_path, {"1": "A", "2": None})
    command = [sys.executable, "-m", "zs_bench", "score", path, "--references", references]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 1
    assert "quality: The answer is null" in done.stdout
    assert done.stderr == ""
