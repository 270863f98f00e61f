"""`zero-scrolls baseline`: what it writes, what it prints, what it refuses."""

import json
import shutil
from pathlib import Path

import pytest

from zs_bench.cli import main
from zs_bench.results.baselines import as_csv, naive_answers
from zs_bench.results.human_lines import human_line
from zs_bench.sources.embedded import EMBEDDED, load_embedded
from zs_metric import TASKS


def test_the_command_writes_a_file_that_score_takes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, report = tmp_path / "naive.csv", tmp_path / "report.json"
    assert main(["baseline", "all", "--out", str(out)]) == 0
    said = f"20 naive answers to 10 tasks (embedded examples, validation) written to {out}, seed 0.\n"
    assert capsys.readouterr().out == said
    assert main(["score", str(out), "--references", str(EMBEDDED), "--json", str(report)]) == 0
    data = json.loads(report.read_text(encoding="utf-8"))
    assert list(data["tasks"]) == list(TASKS)
    assert (data["missing_tasks"], data["refused_tasks"]) == ([], [])


def test_the_command_writes_one_task_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["baseline", "space_digest", "--out", "-"]) == 0
    assert capsys.readouterr().out == "Task,ID,Prediction\nspace_digest,s50001,50%\nspace_digest,s50002,50%\n"


def test_the_seed_is_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for seed in ("1", "1", "2"):
        main(["baseline", "gov_report", "--seed", seed, "--out", "-"])
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] != outputs[2]


def test_the_command_prints_the_human_lines_beside_the_papers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["baseline", "all", "--human"]) == 0
    lines = {line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines() if line}
    score = human_line("squality", [e.references for e in load_embedded("squality")]).score
    assert lines["squality"] == [f"{score:.4f}", "23.6", "2", "of", "2"]
    assert lines["gov_report"] == ["-", "-", "0", "of", "2"]


@pytest.mark.parametrize("given", [["--human", "--out", "a.csv"], []])
def test_the_command_wants_either_a_file_or_the_human_lines(given: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["baseline", "all", *given])
    assert stopped.value.code == 2


def test_the_command_names_the_likely_task(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["baseline", "govreport", "--human"]) == 2
    assert "did you mean 'gov_report'" in capsys.readouterr().err


@pytest.mark.parametrize("what", [["--human"], ["--out", "-"]])
@pytest.mark.parametrize("task", ["contract_nli", "quality_hard"])
def test_the_command_says_that_a_task_of_scrolls_is_one(
    task: str, what: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["baseline", task, *what]) == 2
    assert f"no task '{task}'; it is a task of scrolls, another benchmark" in capsys.readouterr().err


def test_a_folder_of_ones_own_is_a_source_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(EMBEDDED / "quality", tmp_path / "quality")
    assert main(["baseline", "quality", "--source", str(tmp_path), "--out", "-"]) == 0
    assert capsys.readouterr().out == as_csv({"quality": naive_answers("quality", load_embedded("quality"))})


def test_a_split_without_references_has_naive_answers_but_no_human_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [json.loads(line) for line in (EMBEDDED / "squality" / "validation.jsonl").read_text("utf-8").splitlines()]
    (tmp_path / "squality").mkdir()
    bare = "".join(json.dumps({**row, "output": None}) + "\n" for row in rows)
    (tmp_path / "squality" / "test.jsonl").write_text(bare, encoding="utf-8")
    given = ["baseline", "squality", "--source", str(tmp_path), "--split", "test"]
    assert main([*given, "--human"]) == 0
    told = capsys.readouterr()
    assert "0 of 2" in told.out
    assert "squality" in told.err
    assert main([*given, "--out", "-"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
