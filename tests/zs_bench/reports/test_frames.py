"""Results as frames and in notebooks: one row per task, per answer, per question, per published system."""

import pytest
from compared_systems import KNOWN, ONE, TWO, systems
from written_files import score

import zs_bench
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.published import load_published
from zs_bench.reports.comparison import compare
from zs_bench.reports.frames import answers_frame, comparison_frame, published_frame, questions_frame, tasks_frame
from zs_bench.reports.study import read_run_name, study_runs
from zs_metric.explain import CAUSES


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    return score(tmp_path_factory.mktemp("one"), {"answers.json": ONE}, KNOWN)


def test_every_task_has_a_row_with_its_score_and_status(scored):
    frame = tasks_frame(scored)
    assert list(frame.index) == list(TASKS)
    assert frame.loc["quality", ["score", "status", "scored", "total"]].tolist() == [75, "scored", 4, 4]
    assert frame.loc["musique", "status"] == "no predictions"
    assert frame["score"].count() == 2


def test_every_answer_has_a_row_with_its_texts_and_losses_when_asked_for(scored, tmp_path):
    frame = answers_frame(scored, texts=True, losses=True)
    assert set(frame) - set(answers_frame(scored)) == {"prediction", "references", *CAUSES, "main_loss"}
    assert frame.groupby("task")["score"].mean()["quality"] == 75
    row = frame.loc[("qmsum", "m1")]
    assert (row["prediction"], row["references"]) == ("a cat sat on a mat", KNOWN["qmsum"]["m1"])
    assert row["rougeL"] > 50
    assert frame.loc[("quality", "4_a"), "main_loss"] == "wrong option"
    assert (frame["score"] + frame[list(CAUSES)].sum(axis=1)).tolist() == pytest.approx([100] * len(frame))
    nothing = answers_frame(score(tmp_path, {"quality.json": {}}, KNOWN), losses=True)
    assert (len(nothing), "score" in nothing) == (0, True)


def test_a_comparison_has_a_row_per_task_and_mean_and_one_per_question(tmp_path):
    two = {**TWO, "qmsum": {key: text for key, text in TWO["qmsum"].items() if key != "m1"}}
    pair = compare(systems(tmp_path, one=ONE, two=two, partial=True))
    frame = comparison_frame(pair)
    assert list(frame.index) == [("one", "two", name) for name in ("qmsum", "quality", "mean")]
    row = frame.loc[("one", "two", "quality"), ["score_first", "score_second", "difference", "wins", "ties", "losses"]]
    assert row.tolist() == [75, 50, -25, 1, 1, 2]
    questions = questions_frame(pair)
    row = questions.loc[("quality", "2_a")]
    assert (row["prediction: one"], row["prediction: two"], row["references"]) == ("B", "C", ["B"])
    assert (row["score: one"], row["score: two"], row["difference: two"]) == (100, 0, -100)
    assert questions.loc[("qmsum", "m1")].isna()["score: two"]


def test_published_systems_have_a_row_each():
    frame = published_frame()
    assert len(frame) == len(load_published())
    assert set(TASKS) < set(frame.columns)


def test_results_are_a_line_a_table_and_a_frame(tmp_path):
    runs = systems(tmp_path, one=ONE, two=ONE)
    pair = compare({"<b>A</b>": runs["one"], "B": runs["two"]})
    study = study_runs({name: read_run_name(name) for name in runs}, runs)
    assert repr(study) == "<Study: 2 runs, 3 rows>"
    assert " ".join(study.to_frame()) == "task group run tokens examples score low high"
    assert "Mean of 2 of 10 tasks: 70.1400" in repr(runs["one"])
    assert "Mean of 2 tasks: the answers of B and <b>A</b> are identical; fewer than 10 examples in each" in repr(pair)
    for result in (runs["one"], pair, pair.comparisons[0], study):
        assert "\n" not in repr(result)
        html = result._repr_html_()
        assert ("quality" in html, "<b>" in html) == (True, False)
        assert (html.count("<tr>"), len(result.to_frame())) in ((3, 10), (4, 3), (4, 6))


def test_the_losses_of_several_runs_are_their_means():
    runs = [{"qasper": {"1": "red", "2": text}} for text in ("blue", "green")]
    scored = zs_bench.score(runs, {"qasper": {"1": ["red"], "2": ["blue"]}}, runs=True)
    frame = answers_frame(scored, losses=True)
    assert frame.score.to_list() == [100, 50]
    assert (100 - frame[[*CAUSES]].sum(axis=1)).to_list() == pytest.approx([100, 50])
    assert [bool(cause) for cause in frame.main_loss] == [False, True]
