"""A scored file as HTML: the summary, the charts, the losses."""

from pathlib import Path
from typing import Any

import pytest
from markup_check import read_html
from written_files import write

from zs_bench.drawing.charts import Line, bar_chart, length_chart
from zs_bench.drawing.file_report import losses, problems, summary
from zs_bench.drawing.losses import loss_sentence
from zs_bench.reports.file_view import FileView, look_at
from zs_bench.reports.score_files import score_files

REFERENCES = {"quality": {"1": "A", "2": "B"}, "qasper": {"7": ["yes indeed it is"]}, "gov_report": {"9": "a b c d"}}


def look(tmp_path: Path, answers: Any, references: Any = REFERENCES, **options: Any) -> FileView:
    paths = write(tmp_path / "answers.json", answers), write(tmp_path / "references.json", references)
    return look_at(score_files([paths[0]], [paths[1]], **options))


@pytest.fixture
def view(tmp_path: Path) -> FileView:
    return look(
        tmp_path,
        {"quality": {"1": "A", "2": "A good B"}, "qasper": {"7": "yes"}, "gov_report": {"9": "a b c"}},
    )


def test_bars_are_told_in_words_and_a_refused_task_has_none() -> None:
    found = read_html(
        bar_chart({"One": 40.0, "Two": None}, "told", lines=[Line("average", "Mean", 40.0)], ours=["One"])
    )
    assert found.labels == ["told"]
    assert found.text == "One 40.00 Two refused 0 25 50 75 100 Mean 40.00"
    assert (found.classes["ours"], found.classes["refused"], found.classes["average"]) == (1, 1, 3)


def test_a_line_without_a_value_is_left_out() -> None:
    assert "Human" not in read_html(bar_chart({"One": 1.0}, "told", lines=[Line("high", "Human", None)])).text


def test_the_lines_of_several_models_have_their_names_beside_them() -> None:
    found = read_html(length_chart({"A": [(1024, 10.0), (2048, 20.0)], "B": [(2048, 15.0)]}, "told"))
    assert found.text.endswith("tokens 10.0 20.0 15.0 A B")
    assert found.tags["polyline"] == 2


def test_the_summary_has_a_row_per_task_and_the_mean(view: FileView) -> None:
    found = read_html(summary(view.scored))
    assert found.tags["tr"] == 5
    assert "Mean of tasks 57 .9219 Signature:" in found.text
    assert "QuALITY quality 50 .0000 [0.0, 100.0] 2 of 2 Accuracy" in found.text


def test_what_is_wrong_stands_above_and_stays_text(tmp_path: Path) -> None:
    scored = look(tmp_path, {"quality": {"<b>1</b>": "A", "2": "B"}}).scored
    found = read_html(problems(scored))
    assert "Refused: this was not scored" in found.text
    assert "<b>1</b>" in found.text
    assert "b" not in found.tags


def test_the_losses_are_told_per_task(view: FileView) -> None:
    found = read_html(losses(view))
    assert "QuALITY of 50.0 lost points, 50.0 format; 50% in the asked format" in found.text
    assert "Qasper of 60.0 lost points, 60.0 length" in found.text
    assert "Qasper, median lengths: answers 1 words, references 4 words" in found.labels


def test_tasks_without_texts_have_no_lengths(tmp_path: Path) -> None:
    found = read_html(losses(look(tmp_path, {"quality": {"1": "A", "2": "C"}})))
    assert "How long" not in found.text


def test_nothing_scored_has_no_losses(tmp_path: Path) -> None:
    assert losses(look(tmp_path, {"quality": {"1": None}})) == ""


@pytest.mark.parametrize(
    ("parts", "aggregation", "told"),
    [
        ((0, 0, 0, 0), 0.0, "nothing lost; 100% in the asked format"),
        ((1, 2, 3, 4), 0.0, "of 10.0 lost points, 4.0 content, 3.0 length, 2.0 typography, 1.0 format; 100% in"),
        ((0, 0, 0, 5), -0.25, "of 5.0 lost points, 5.0 content; aggregation -0.25; 100% in the asked format"),
    ],
)
def test_a_ledger_is_told_in_a_sentence_the_largest_loss_first(parts: Any, aggregation: float, told: str) -> None:
    ledger = dict(zip(("format", "typography", "length", "content"), map(float, parts), strict=True))
    sentence = loss_sentence({"ledger": ledger, "aggregation": aggregation, "in_format": 1.0})
    assert sentence.startswith(told)


def test_the_step_to_the_score_is_that_of_the_aggregation_asked_for(tmp_path: Path) -> None:
    references = {"gov_report": {"1": "a b c d e f", "2": "a b"}}
    answers = {"gov_report": {"1": "a b c", "2": "a b"}}
    corpus = look(tmp_path, answers, references)
    instance = look(tmp_path, answers, references, rouge_aggregation="instance")
    assert corpus.ledgers["gov_report"]["aggregation"] != 0
    assert instance.ledgers["gov_report"]["aggregation"] == 0
    for view in (corpus, instance):
        ledger, score = view.ledgers["gov_report"], view.scored.tasks["gov_report"].score
        assert ledger["score"] + sum(ledger["ledger"].values()) == pytest.approx(100)
        assert ledger["score"] + ledger["aggregation"] == pytest.approx(score)
