"""`zero-scrolls score`: thresholds for continuous integration, the number alone, other formats, colours; the demo."""

import re
from pathlib import Path
from typing import Any

import pytest
from written_files import write

from zs_bench.cli import main
from zs_bench.dataset.embedded import SAMPLE_PREDICTIONS, sample_predictions
from zs_bench.reports import report
from zs_bench.scoring.score_files import score_against
from zs_metric.tasks import BENCHMARKS

SAMPLE = ["score", str(SAMPLE_PREDICTIONS), "--source", "embedded"]
SCORED = score_against([SAMPLE_PREDICTIONS], "embedded")


def some(folder: Path, **answers: Any) -> list[str]:
    """The command for these tasks only, of which QuALITY and Qasper have references."""
    known = {"quality": {"1": "A", "2": "B", "3": "C"}, "qasper": {"7": ["yes"]}}
    references = write(folder / "known.json", {name: known[name] for name in answers})
    return ["score", str(write(folder / "all.json", answers)), "--references", str(references)]


@pytest.mark.parametrize(
    ("given", "status", "lines"),
    [
        (["35"], 0, ["PASS: average 36.2311 is at least 35"]),
        (["average=36.2311"], 0, ["PASS: average 36.2311 is at least 36.2311"]),
        (["36.2312"], 1, ["FAIL: average 36.2311 is under 36.2312"]),
        (["36.23115"], 1, ["FAIL: average 36.2311 is under 36.23115"]),
        (["35", "qasper=20"], 0, ["PASS: average 36.2311 is at least 35", "PASS: qasper 68.1818 is at least 20"]),
        (["35", "qasper=70"], 1, ["PASS: average 36.2311 is at least 35", "FAIL: qasper 68.1818 is under 70"]),
    ],
)
def test_a_score_under_its_threshold_ends_with_1_and_a_line_says_so(
    given: list[str], status: int, lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*SAMPLE, *(part for one in given for part in ("--fail-under", one))]) == status
    out, err = capsys.readouterr()
    assert err.splitlines() == lines
    assert out == report.as_text(SCORED) + "\n"


def test_a_threshold_for_the_average_is_not_reached_by_some_of_the_tasks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = some(tmp_path, qasper={"7": "yes"})
    assert main([*command, "--fail-under", "0"]) == 1
    assert "FAIL: average has no score to compare with 0: 1 of 10 tasks were scored" in capsys.readouterr().err
    assert main([*command, "--fail-under", "qasper=100"]) == 0
    assert main([*command, "--fail-under", "quality=1"]) == 1
    assert "FAIL: quality has no score to compare with 1\n" in capsys.readouterr().err


def test_quiet_says_on_standard_error_which_tasks_a_number_leaves_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*some(tmp_path, quality={"1": "A", "2": "B", "3": "A"}), "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert out == "66.6667\n"
    assert "The ZeroSCROLLS score needs all 10 tasks" in err


def test_quiet_prints_no_number_where_something_was_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*some(tmp_path, quality={"1": "A"}, qasper={"7": "yes"}), "--quiet"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "quality: 2 of 3 answers are missing" in err


def test_colours_are_for_terminals_that_want_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def printed() -> str:
        assert main(command) == 1
        return capsys.readouterr().out

    command = some(tmp_path, quality={"1": "A"}, qasper={"7": "yes"})
    plain = printed()
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("WT_SESSION", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "1000")
    assert printed() == plain
    monkeypatch.delenv("NO_COLOR")
    coloured = printed()
    assert re.sub(r"\033\[\d*m", "", coloured) == plain
    lines = {code: re.findall(rf"^\033\[{code}m(.+)\033\[0m$", coloured, re.MULTILINE) for code in (1, 2, 31)}
    assert [line.split()[0] for line in lines[2]] == ["task"]
    assert [line[:19] for line in lines[1]] == ["qasper: 100.0000. T"]
    assert [line.split()[0] for line in lines[31]] == ["quality", "Not", "-"]


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_the_demo_scores_the_sample_and_says_what_to_do_next(
    benchmark: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--benchmark", benchmark]) == 0
    out, err = capsys.readouterr()
    scored = score_against([sample_predictions(benchmark)], "embedded", benchmark=benchmark)
    assert report.as_text(scored) in out
    assert "zero-scrolls score PREDICTIONS --references REFERENCES" in out
    assert str(sample_predictions(benchmark)) in out
    assert err == ""


def test_the_command_that_repairs_a_file_checks_the_split_that_was_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, row = tmp_path / "data", {"id": "a", "pid": "a_0", "input": "Why?", "output": "B"}
    for split, identifier in (("validation", "a"), ("test", "t")):
        write(data / "quality" / f"{split}.jsonl", [{**row, "id": identifier, "pid": f"{identifier}_0"}])
    answers = write(tmp_path / "answers.json", {"quality": {"a ": "B"}})
    assert main(["score", str(answers), "--source", str(data)]) == 1
    command = capsys.readouterr().out.splitlines()[-1].removeprefix("Repair the file: zero-scrolls ")
    repaired = tmp_path / "repaired.csv"
    main(command.replace("repaired.csv", str(repaired)).split())
    assert main(["score", str(repaired), "--source", str(data)]) == 0
