"""`zero-scrolls variants`: a file under every variant of the metrics, and the one behind a reported number."""

import json
from pathlib import Path
from typing import Any

import pytest
from written_files import score, write

from zs_bench.cli import main
from zs_bench.reports.variants_text import variants_as_text as as_text
from zs_bench.variants.rescore import matching_variants, rescored_file
from zs_metric import EmptyInput

KNOWN = {"space_digest": {"1": "40%", "2": "9%"}, "qasper": {"1": ["no", "yes"], "2": "a cat"}}
ANSWERS = {"space_digest": {"1": "40", "2": "9%"}, "qasper": {"1": "yes", "2": "cat cat"}}


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    answers = write(tmp_path / "answers.json", ANSWERS)
    return ["variants", str(answers), "--references", str(write(tmp_path / "known.json", KNOWN))]


def found(tmp_path: Path, reported: dict[str, Any] | None = None) -> dict[str, Any]:
    return rescored_file(score(tmp_path, {"answers.json": ANSWERS}, KNOWN), reported)


def test_the_variant_that_gives_a_reported_number_is_named_with_what_it_does(tmp_path: Path) -> None:
    data = found(tmp_path, {"qasper": "100.0"})
    assert data["given_by"] == ["set-F1"]
    assert "Reported: qasper 100.0.\nThe variant 'set-F1' gives exactly this: F1 counts" in as_text(data)


def test_the_command_prints_and_writes_what_python_finds(
    tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    assert main([*command, "--reported", "qasper=100.0", "space_digest=50.0", "--json", str(out)]) == 0
    data = found(tmp_path, {"qasper": "100.0", "space_digest": "50.0"})
    assert json.loads(out.read_text(encoding="utf-8")) == data
    assert capsys.readouterr().out == as_text(data) + "\n"
    assert data["given_by"] == matching_variants(
        {name: row["scores"] for name, row in data["variants"].items()}, data["reported"]
    )


def test_a_refused_task_is_reported_and_the_rest_is_scored(
    tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "answers.json", {**ANSWERS, "quality": {"1": "A"}})
    assert main(command) == 1
    out, err = capsys.readouterr()
    assert "quality: No references for this task" in err
    assert "space_digest +50.0000" in out
    write(tmp_path / "answers.json", {"quality": {"1": "A"}})
    assert main(command) == 1
    with pytest.raises(EmptyInput):
        rescored_file(score(tmp_path, {"answers.json": {"quality": {"1": "A"}}}, KNOWN))


@pytest.mark.parametrize(
    ("reported", "message"),
    [
        ("qasper", "is not TASK=POINTS; write for example qasper=28.5"),
        ("=28.5", "is not TASK=POINTS"),
        ("qaspr=28.5", "did you mean 'qasper'?"),
        ("qasper=much", "qasper: 'much' is not a number; enter one such as 28.5"),
    ],
)
def test_an_impossible_reported_number_is_wrong_usage(
    command: list[str], reported: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--reported", reported]) == 2
    assert message in capsys.readouterr().err
