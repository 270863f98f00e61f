"""Results as frames and in notebooks: one row per task, per answer, per question, per published system."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from compared_systems import KNOWN, ONE, TWO, systems
from written_files import score

from zs_bench.published.rows import load_published
from zs_bench.reports.comparison import compare
from zs_bench.reports.frames import answers_frame, comparison_frame, published_frame, questions_frame, tasks_frame
from zs_bench.reports.study import read_run_name, study_runs
from zs_bench.scoring.pairing import Comparison
from zs_bench.scoring.scored import ScoredFile
from zs_metric import TASKS
from zs_metric.explain import CAUSES


@pytest.fixture
def one(tmp_path: Path) -> ScoredFile:
    return score(tmp_path, {"answers.json": ONE}, KNOWN)


@pytest.fixture
def comparison(tmp_path: Path) -> Comparison:
    two = {**TWO, "qmsum": {key: text for key, text in TWO["qmsum"].items() if key != "m1"}}
    return compare(systems(tmp_path, one=ONE, two=two, partial=True))


def test_every_task_has_a_row_with_its_score_and_status(one: ScoredFile) -> None:
    frame = tasks_frame(one)
    assert list(frame.index) == list(TASKS)
    assert frame.loc["quality", "score"] == 75
    assert frame.loc["quality", "status"] == "scored"
    assert frame.loc["musique", "status"] == "no predictions"
    assert frame["score"].count() == 2


def test_the_mean_of_the_answers_of_a_task_is_its_score(one: ScoredFile) -> None:
    frame = answers_frame(one, texts=True)
    assert frame.groupby("task")["score"].mean()["quality"] == tasks_frame(one).loc["quality", "score"]
    assert frame.loc[("qmsum", "m1"), "prediction"] == "a cat sat on a mat"
    assert frame.loc[("qmsum", "m1"), "references"] == KNOWN["qmsum"]["m1"]
    assert frame.loc[("qmsum", "m1"), "rougeL"] > 50


def test_the_losses_are_columns_when_asked_for(one: ScoredFile) -> None:
    assert "wrong option" not in answers_frame(one)
    frame = answers_frame(one, losses=True)
    assert frame.loc[("quality", "4_a"), "main_loss"] == "wrong option"
    parts = frame[list(CAUSES)].sum(axis=1)
    assert (frame["score"] + parts).tolist() == pytest.approx([100] * len(frame))


def test_a_file_of_which_nothing_was_scored_has_an_empty_frame_of_answers(tmp_path: Path) -> None:
    frame = answers_frame(score(tmp_path, {"quality.json": {}}, KNOWN), losses=True)
    assert len(frame) == 0
    assert "score" in frame


def test_a_comparison_has_a_row_per_task_and_one_of_the_mean(comparison: Comparison) -> None:
    frame = comparison_frame(comparison)
    assert list(frame.index) == [("one", "two", name) for name in ("qmsum", "quality", "mean")]
    quality = frame.loc[("one", "two", "quality")]
    assert (quality["score_first"], quality["score_second"], quality["difference"]) == (75, 50, 25)
    assert (quality["wins"], quality["ties"], quality["losses"]) == (2, 1, 1)


def test_questions_have_both_predictions_side_by_side(comparison: Comparison) -> None:
    frame = questions_frame(comparison)
    row = frame.loc[("quality", "2_a")]
    assert (row["prediction: one"], row["prediction: two"], row["references"]) == ("B", "C", ["B"])
    assert (row["score: one"], row["score: two"], row["difference: two"]) == (100, 0, 100)
    assert frame.loc[("qmsum", "m1")].isna()["score: two"]


def test_published_systems_have_a_row_each() -> None:
    frame = published_frame()
    assert len(frame) == len(load_published())
    assert set(TASKS) < set(frame.columns)


def test_results_are_a_line_a_table_and_a_frame(tmp_path: Path) -> None:
    runs = systems(tmp_path, one=ONE, two=ONE)
    pair = compare({"<b>A</b>": runs["one"], "B": runs["two"]})
    study = study_runs({name: read_run_name(name) for name in runs}, runs)
    assert repr(study) == "<Study: 2 runs, 3 rows>"
    assert "Mean of 2 of 10 tasks: 70.1400" in repr(runs["one"])
    assert "Mean of 2 tasks: undecided, fewer than 10 examples: equal scores" in repr(pair)
    for result in (runs["one"], pair, pair.comparisons[0], study):
        assert "\n" not in repr(result)
        html = result._repr_html_()
        assert "quality" in html
        assert "<b>" not in html
        assert (html.count("<tr>"), len(result.to_frame())) in ((3, 10), (4, 3), (4, 6))
    assert runs["one"].to_frame().equals(tasks_frame(runs["one"]))
    assert pair.to_frame().equals(comparison_frame(pair))


def test_the_command_line_does_not_wait_for_pandas() -> None:
    code = "import sys, zs_bench.cli; print('pandas' in sys.modules, 'jinja2' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.split()[0] == "False"
