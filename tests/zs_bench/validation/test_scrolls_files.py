"""Files of SCROLLS: the same readers, matching, reports and checks as for ZeroSCROLLS."""

from pathlib import Path
from typing import Any

import pytest
from written_files import reported, score, write

from zs_bench.cli import main
from zs_bench.reports import report
from zs_bench.reports.html.standalone import html_report
from zs_metric import BENCHMARKS, score_benchmark

SCROLLS = BENCHMARKS["scrolls"]
REFERENCES: dict[str, dict[str, list[str]]] = {
    "gov_report": {"g1": ["a cat sat on a mat"], "g2": ["dogs ran"]},
    "summ_screen_fd": {"s1": ["they meet and part"]},
    "qmsum": {"q1": ["they chose the red button"]},
    "qasper": {"p1": ["café", "a café in Rome"], "p2": ["no"]},
    "narrative_qa": {"n1": ["the night watchman"]},
    "quality": {"1_x_1": ["It was a dream"], "1_x_2": ["A boat"], "2_y_1": ["Nobody knew"]},
    "contract_nli": {"c1": ["Entailment"], "c2": ["Not mentioned"]},
}
ANSWERS: dict[str, dict[str, str]] = {
    "gov_report": {"g1": "a cat sat", "g2": "the dogs ran away"},
    "summ_screen_fd": {"s1": "they part"},
    "qmsum": {"q1": "the red one"},
    "qasper": {"p1": "cafe", "p2": "No."},
    "narrative_qa": {"n1": "night watchman"},
    "quality": {"1_x_1": "it was a dream.", "1_x_2": "B", "2_y_1": "nobody knew"},
    "contract_nli": {"c1": "entailment", "c2": "Contradiction"},
}


def scored_as(benchmark: str, folder: Path, answers: Any = ANSWERS, references: Any = REFERENCES) -> Any:
    return score(folder, {"answers.json": answers}, references, benchmark=benchmark)


def texts() -> dict[str, tuple[list[str], list[list[str]]]]:
    return {task: (list(ANSWERS[task].values()), list(known.values())) for task, known in REFERENCES.items()}


def test_a_file_scores_as_the_metric_does_with_the_average_over_seven(tmp_path: Path) -> None:
    scored, wanted = scored_as("scrolls", tmp_path), score_benchmark(texts(), benchmark="scrolls")
    assert scored.problems == []
    assert {name: task.score for name, task in scored.tasks.items()} == {n: t.score for n, t in wanted.tasks.items()}
    assert scored.result.score == wanted.score == pytest.approx(sum(t.score for t in wanted.tasks.values()) / 7)
    data = report.as_json(scored)
    assert (data["benchmark"], data["missing_tasks"]) == ("scrolls", [])
    assert data["tasks"]["contract_nli"]["metrics"]["scrolls_score"] == 50.0
    assert "SCROLLS score: " in report.headline(scored)


# --- the hard questions ------------------------------------------------------------------------------------------


HARD = ["1_x_2", "2_y_1", "9_z_1"]


def test_hard_questions_are_scored_by_a_list_and_never_averaged(tmp_path: Path) -> None:
    without, options = scored_as("scrolls", tmp_path / "1"), {"benchmark": "scrolls", "hard_ids": HARD}
    scored = score(tmp_path / "2", {"answers.json": ANSWERS}, REFERENCES, **options)
    hard = scored.tasks["quality_hard"]
    assert (hard.ids, hard.score) == (["1_x_2", "2_y_1"], 50.0)
    assert hard.result is not None
    assert hard.result.metrics["scrolls_score"] is None
    assert scored.result is not None
    assert scored.result.score == without.result.score
    assert list(scored.tasks) == list(SCROLLS.all_tasks)
    assert scored.interval == without.interval


def test_the_hard_questions_alone_have_no_average(tmp_path: Path) -> None:
    alone = {"quality_hard": {"1_x_2": "a boat"}}
    scored = scored_as("scrolls", tmp_path, alone, {"quality_hard": {"1_x_2": ["A boat"]}})
    assert scored.result is None
    assert report.headline(scored) == "No SCROLLS score: quality_hard is not part of it."
    assert "QuALITY, hard" in html_report(scored)
    assert report.as_json(scored)["tasks"]["quality_hard"]["score"] == 100.0


@pytest.mark.parametrize("content", ["1_x_2\n2_y_1\n", ' ["1_x_2", "2_y_1"]'])
def test_the_command_takes_the_list_as_lines_or_json(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers, known = write(tmp_path / "a.json", ANSWERS), write(tmp_path / "r.json", REFERENCES)
    hard = write(tmp_path / "hard.txt", content)
    options = ["--benchmark", "scrolls", "--hard-ids", str(hard)]
    assert main(["score", str(answers), "--references", str(known), *options]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row for row in rows if row[:1] == ["quality_hard"]] == [["quality_hard", "50.0000", "2/2", "exact_match"]]


@pytest.mark.parametrize("content", ["", "[1, 2]", '{"a": 1}', "[]", b"\xff\xfe", '["a"'])
def test_an_invalid_list_is_reported(content: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers, known = write(tmp_path / "a.json", ANSWERS), write(tmp_path / "r.json", REFERENCES)
    options = ["--benchmark", "scrolls", "--hard-ids", str(write(tmp_path / "hard.txt", content))]
    assert main(["score", str(answers), "--references", str(known), *options]) == 2
    assert "hard.txt" in capsys.readouterr().err


# --- one benchmark given as the other ----------------------------------------------------------------------------


def test_options_texts_as_references_of_zero_scrolls_are_recognised(tmp_path: Path) -> None:
    scored = scored_as("zero_scrolls", tmp_path, {"quality": ANSWERS["quality"]})
    kinds = {problem.kind: problem.message for problem in scored.problems}
    assert kinds["other-benchmark"].startswith(
        "The references are the texts of options, as in SCROLLS. Score the file as"
    )
    assert scored.refused


@pytest.mark.parametrize("letter", ["B", "(B)", "(B) a boat", "B. a boat"])
def test_letters_as_references_of_scrolls_are_recognised_and_refused(letter: str, tmp_path: Path) -> None:
    known = {"quality": {key: [letter] for key in REFERENCES["quality"]}}
    scored = scored_as("scrolls", tmp_path, {"quality": ANSWERS["quality"]}, known)
    assert ("other-benchmark", "quality", None) in reported(scored)
    assert scored.tasks["quality"].result is None


def test_samples_of_the_harness_are_of_the_benchmark_that_they_name(tmp_path: Path) -> None:
    row = {"doc": {"id": "p2", "output": "no"}, "filtered_resps": ["No"], "resps": [["No"]]}
    files = {"samples_scrolls_qasper_2026-06-03T10-20-30.123456.jsonl": [row]}
    known = {"qasper": {"p2": ["no"]}}
    assert score(tmp_path / "1", files, known, benchmark="scrolls").tasks["qasper"].score == 100.0
    other = score(tmp_path / "2", files, known)
    assert reported(other)[0][0] == "other-benchmark"
