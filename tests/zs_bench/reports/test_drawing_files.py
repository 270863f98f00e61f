"""A scored file as HTML: the summary, the charts, the losses."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from markup_check import read_html
from written_files import write

from zs_bench.reports.file_view import FileView, explain_file, loss_sentence
from zs_bench.reports.html.charts import Point, bar_chart, length_chart
from zs_bench.reports.html.file_report import losses, problems, summary
from zs_bench.scoring.score_files import score_files

REFERENCES = {"quality": {"1": "A", "2": "B"}, "qasper": {"7": ["yes indeed it is"]}, "gov_report": {"9": "a b c d"}}


def look(tmp_path: Path, answers: Any, references: Any = REFERENCES, **options: Any) -> FileView:
    paths = write(tmp_path / "answers.json", answers), write(tmp_path / "references.json", references)
    return explain_file(score_files([paths[0]], [paths[1]], **options))


@pytest.fixture
def view(tmp_path: Path) -> FileView:
    return look(
        tmp_path,
        {"quality": {"1": "A", "2": "A good B"}, "qasper": {"7": "yes"}, "gov_report": {"9": "a b c"}},
    )


def test_bars_are_described_in_words_and_have_their_intervals() -> None:
    found = read_html(bar_chart({"One": 40.0, "Two": 5.0}, "a chart", {"One": (30.0, 50.0)}))
    assert found.labels == ["a chart"]
    assert found.text == "One 40.00 Two 5.00 0 25 50 75 100"
    assert found.classes["error"] == 1


def test_the_lines_of_several_models_have_their_names_beside_them() -> None:
    found = read_html(
        length_chart({"A": [Point(1024, 10.0), Point(2048, 20.0, (18.0, 22.0))], "B": [Point(2048, 15.0)]}, "a chart")
    )
    assert found.text.endswith("tokens 10.0 20.0 15.0 A B")
    assert found.tags["polyline"] == 2


def test_the_summary_has_a_row_for_every_task_and_a_line_for_those_without_predictions(view: FileView) -> None:
    found = read_html(summary(view))
    assert found.tags["tr"] == 4, "a head and three tasks"
    assert "QuALITY 50.0 Accuracy 2" in found.text
    assert "GovReport 83.8 ROUGE-1/2/L: 85.71/80.00/85.71 1" in found.text
    assert (
        "No predictions: SummScreenFD, QMSum, SQuALITY, NarrativeQA, MuSiQue, SpaceDigest, BookSumSort." in found.text
    )
    assert "No interval, fewer than 10 examples: all tasks." in found.text


def test_the_scores_of_up_to_three_tasks_are_in_large_figures(view: FileView) -> None:
    found = read_html(summary(view))
    assert found.text.startswith(
        "83.8 GovReport 40.0 Qasper 50.0 QuALITY 3 of 10 tasks; the ZeroSCROLLS score needs all"
    )
    assert found.classes["zs-score"] == 3


def test_a_task_that_was_not_scored_says_what_is_missing(tmp_path: Path) -> None:
    found = read_html(summary(look(tmp_path, {"quality": {"1": "A", "9": "B"}, "qasper": {"7": "yes"}})))
    assert "QuALITY not scored 1 missing, 1 unknown ID 1 of 2" in found.text


def test_problems_come_first_and_stay_text(tmp_path: Path) -> None:
    scored = look(tmp_path, {"quality": {"<b>1</b>": "A", "2": "B"}}).scored
    found = read_html(problems(scored))
    assert found.text.startswith("Not scored ")
    assert "<b>1</b>" in found.text
    assert "b" not in found.tags


def test_the_losses_are_reported_per_task(view: FileView) -> None:
    found = read_html(losses(view))
    assert "QuALITY 50.0 lost: 50.0 misread; 50% are a bare letter" in found.text
    assert "Qasper 60.0 lost: 60.0 words missing" in found.text
    assert "Qasper, median lengths: answers 1 word, references 4 words; the scale ends at 4 words" in found.labels


def test_tasks_without_texts_have_no_lengths(tmp_path: Path) -> None:
    found = read_html(losses(look(tmp_path, {"quality": {"1": "A", "2": "C"}})))
    assert "How long" not in found.text


def test_nothing_scored_has_no_losses(tmp_path: Path) -> None:
    assert losses(look(tmp_path, {"quality": {"1": None}})) == ""


def test_losses_are_put_in_a_sentence_the_largest_first() -> None:
    for causes, aggregation, sentence in (
        ({}, 0.0, "nothing lost"),
        ({"typography": 2.0, "words missing": 3.0}, 0.0, "5.0 lost: 3.0 words missing, 2.0 typography"),
        ({"too high": 5.0}, -0.25, "5.0 lost: 5.0 too high; aggregation -0.25"),
    ):
        assert loss_sentence(SimpleNamespace(mean=causes, aggregation=aggregation, in_format=None)) == sentence


def test_the_step_to_the_score_is_that_of_the_aggregation_asked_for(tmp_path: Path) -> None:
    references = {"gov_report": {"1": "a b c d e f", "2": "a b"}}
    answers = {"gov_report": {"1": "a b c", "2": "a b"}}
    corpus = look(tmp_path, answers, references)
    instance = look(tmp_path, answers, references, rouge_aggregation="instance")
    assert corpus.losses["gov_report"].aggregation != 0
    assert instance.losses["gov_report"].aggregation == 0
    for view in (corpus, instance):
        of_task, score = view.losses["gov_report"], view.scored.tasks["gov_report"].score
        assert of_task.score + sum(of_task.mean.values()) == pytest.approx(100)
        assert of_task.score + of_task.aggregation == pytest.approx(score)
