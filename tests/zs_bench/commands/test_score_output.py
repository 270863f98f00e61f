"""`zero-scrolls score`: thresholds, the number alone, files, colours; and `zero-scrolls demo`."""

import json
import re

import pytest
from written_files import write

from zs_bench.benchmarks import BENCHMARKS
from zs_bench.commands.outputs import show
from zs_bench.dataset.rows import SAMPLE_PREDICTIONS, sample_predictions
from zs_bench.reports import report
from zs_bench.scoring.score_files import score_files

SAMPLE = ("score", SAMPLE_PREDICTIONS, "--source", "embedded")
REFERENCES = {"quality": {"1": "A", "2": "B", "3": "C"}, "qasper": {"7": ["yes"]}}


@pytest.fixture
def some(tmp_path, zero_scrolls):
    """Score answers to these tasks only, of which QuALITY and Qasper have references."""

    def run(*options, all_references=False, **answers):
        named = REFERENCES if all_references else answers
        references = write(tmp_path / "references.json", {name: REFERENCES[name] for name in named})
        return zero_scrolls("score", write(tmp_path / "all.json", answers), "--references", references, *options)

    return run


def test_a_score_under_its_threshold_ends_with_1_and_a_line_says_so(zero_scrolls):
    for thresholds, status, lines in (
        (["average=36.2311"], 0, ["PASS: average 36.2311 is at least 36.2311"]),
        (["36.23115"], 1, ["FAIL: average 36.2311 is under 36.23115"]),
        (["35", "qasper=20"], 0, ["PASS: average 36.2311 is at least 35", "PASS: qasper 68.1818 is at least 20"]),
        (["qasper=70", "35"], 1, ["FAIL: qasper 68.1818 is under 70", "PASS: average 36.2311 is at least 35"]),
    ):
        done = zero_scrolls(*SAMPLE, *(part for text in thresholds for part in ("--fail-under", text)))
        assert (done.status, done.err.splitlines()) == (status, lines)
        assert done.out == report.as_text(score_files([SAMPLE_PREDICTIONS], source="embedded")) + "\n"


TWO_OF_THREE = {"1": "A", "2": "B", "3": "A"}


def test_a_printed_score_reaches_itself_as_a_threshold_and_what_has_no_score_reaches_none(some):
    for threshold, status, line in (
        ("0", 1, "FAIL: average has no score to compare with 0: 1 of 10 tasks were scored"),
        ("qasper=1", 1, "FAIL: qasper has no score to compare with 1\n"),
        ("quality=66.6667", 0, "PASS: quality 66.6667 is at least 66.6667\n"),
    ):
        done = some("--fail-under", threshold, quality=TWO_OF_THREE)
        assert (done.status, line in done.err) == (status, True)


def test_quiet_prints_the_number_alone_and_none_where_something_was_refused(some):
    done = some("--quiet", quality=TWO_OF_THREE)
    assert (done.status, done.out) == (0, "66.6667\n")
    assert "The ZeroSCROLLS score needs all 10 tasks" in done.err
    done = some("--quiet", quality={"1": "A"}, qasper={"7": "yes"})
    assert (done.status, done.out) == (1, "")
    assert "quality: 2 of 3 answers are missing" in done.err


def test_one_number_hides_no_task_that_the_answers_lack(some):
    for options, status, out in (
        ([], 1, ""),
        (["--only", "quality"], 0, "66.6667\n"),
        (["--only", "quality", "--fail-under", "66"], 0, "66.6667\n"),
        (["--only", "quality", "qasper"], 1, ""),
        (["--fail-under", "quality=66"], 0, "66.6667\n"),
        (["--fail-under", "0"], 1, ""),
        (["--fail-under", "qasper=0"], 1, ""),
    ):
        done = some("--quiet", *options, all_references=True, quality=TWO_OF_THREE)
        assert (done.status, done.out) == (status, out)
        if "--only" not in options:
            assert ("Not answered: qasper. Name the tasks that you score: --only TASK" in done.err) == (not out)


def test_only_some_tasks_are_scored_of_files_that_have_more(zero_scrolls):
    done = zero_scrolls(*SAMPLE, "--only", "qasper", "quality", "--fail-under", "59.0909", "--format", "json")
    assert list(json.loads(done.out)["tasks"]) == ["qasper", "quality"]
    assert (done.status, done.err) == (0, "PASS: average 59.0909 is at least 59.0909\n")
    assert zero_scrolls(*SAMPLE, "--only", "qaspr").err.endswith("did you mean 'qasper'?\n")
    quiet = zero_scrolls(*SAMPLE, "--quiet")
    assert (quiet.status, quiet.out) == (0, "36.2311\n")


def test_the_loss_breakdown_is_added_when_asked_for(some):
    assert "ost to" in some("--losses", quality={"1": "A", "2": "C", "3": "C"}).out
    data = json.loads(some("--losses", "--format", "json", quality={"1": "A", "2": "C", "3": "C"}).out)
    assert sum(data["tasks"]["quality"]["losses"].values()) == pytest.approx(100 / 3)


def test_colours_are_for_terminals_that_want_them(monkeypatch, capsys, some):
    answers = {"quality": {"1": "A"}, "qasper": {"7": "yes"}}
    plain = some(**answers).out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    for name, value in {"TERM": "xterm", "WT_SESSION": "1", "NO_COLOR": "1", "COLUMNS": "1000"}.items():
        monkeypatch.setenv(name, value)
    assert some(**answers).out == plain
    monkeypatch.delenv("NO_COLOR")
    coloured = some(**answers).out
    assert re.sub(r"\033\[\d*m", "", coloured) == plain
    lines = {code: re.findall(rf"^\033\[{code}m(.+)\033\[0m$", coloured, re.MULTILINE) for code in (1, 2, 31)}
    assert [line.split()[0] for line in lines[2]] == ["task"]
    assert [line[:19] for line in lines[1]] == ["qasper: 100.0000. T"]
    assert [line.split()[0] for line in lines[31]] == ["quality", "Not", "-"]
    show("Wrong:\n- one\n\nother")
    assert capsys.readouterr().out == "\033[31mWrong:\033[0m\n\033[31m- one\033[0m\n\nother\n"


def test_partial_is_named_only_where_some_ids_are_known(tmp_path, zero_scrolls):
    references = write(tmp_path / "r" / "qasper.json", {"7": "yes", "9": "no"})
    for ids, is_named in (("12", False), ("17", True), ("7", True)):
        answers = write(tmp_path / "qasper.json", dict.fromkeys(ids, "yes"))
        assert ("--partial scores" in zero_scrolls("score", answers, "--references", references).out) == is_named


def test_the_command_that_repairs_a_file_checks_the_split_that_was_scored(tmp_path, zero_scrolls):
    data, row = tmp_path / "data", {"id": "a", "pid": "a_0", "input": "Why?", "output": "B"}
    for split, key in (("validation", "a"), ("test", "t")):
        write(data / "quality" / f"{split}.jsonl", [{**row, "id": key, "pid": f"{key}_0"}])
    answers, repaired = write(tmp_path / "answers.json", {"quality": {"a ": "B"}}), tmp_path / "repaired.csv"
    done = zero_scrolls("score", answers, "--source", data)
    assert done.status == 1
    command = done.out.splitlines()[-1].removeprefix("Repair the file: zero-scrolls ")
    zero_scrolls(*command.replace("repaired.csv", str(repaired)).split())
    assert zero_scrolls("score", repaired, "--source", data).status == 0


@pytest.mark.parametrize("benchmark", [name for name, row in BENCHMARKS.items() if row.file(f"{name}_predictions.csv")])
def test_the_demo_scores_the_sample_and_says_what_to_do_next(benchmark, zero_scrolls):
    done = zero_scrolls("demo", "--benchmark", benchmark)
    sample = sample_predictions(benchmark)
    assert (done.status, done.err) == (0, "")
    assert "References: examples written for this package.\n" in done.out
    assert "|source:examples|" in done.out
    assert "validation" not in done.out
    assert "SCROLLS score: " not in done.out
    assert report.as_text(score_files([sample], source="embedded", benchmark=benchmark)) in done.out
    assert "zero-scrolls score PREDICTIONS --references REFERENCES" in done.out
    assert str(sample) in done.out
    scored = score_files([sample], source="embedded", benchmark=benchmark)
    latex, markdown = report.as_latex(scored, "ours"), report.as_markdown(scored, "ours")
    assert ("comparable with no published score" in latex, "& Avg" in latex) == (True, False)
    assert ("comparable with none" in markdown, "**average**" in markdown) == (True, False)
    for command in (["verify", sample], ["data"]):
        shown = zero_scrolls(*command, "--source", "embedded", "--benchmark", benchmark).out
        assert ("written for this package" in shown, "validation" in shown) == (True, False), shown
