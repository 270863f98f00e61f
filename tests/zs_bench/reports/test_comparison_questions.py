"""A comparison question by question, in every export: both predictions, the references, scores and differences."""

import csv
import io
import json
import re
from datetime import date
from pathlib import Path

import pytest
from compared_systems import ONE, TWO, systems
from markup_check import read_html

from zs_bench.reports.comparison import Comparison, as_csv, as_json, as_latex, compare, questions
from zs_bench.reports.html.standalone import comparison_page

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def comparison(tmp_path: Path) -> Comparison:
    return compare(systems(tmp_path, one=ONE, two=TWO, three={"quality": {**TWO["quality"], "1_a": HOSTILE}}))


def test_a_system_without_a_prediction_has_neither_score_nor_difference(comparison: Comparison) -> None:
    row = next(one for one in questions(comparison) if one.id == "m1")
    assert (row.predictions[2], row.scores[2], row.differences[1]) == (None, None, None)


def test_the_csv_has_a_row_per_question_that_no_spreadsheet_calculates(comparison: Comparison) -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(comparison), newline="")))
    row = next(row for row in rows if row["id"] == "1_a")
    assert (row["references"], row["prediction: three"], row["score: three"]) == ("A", HOSTILE, "0.0")
    assert row["difference: one - three"] == "100.0"


def test_the_json_has_the_questions_when_asked_for(comparison: Comparison) -> None:
    assert "questions" not in as_json(comparison)
    data = as_json(comparison, with_questions=True)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    row = next(row for row in data["questions"] if row["id"] == "2_a")
    assert row == {
        "task": "quality",
        "id": "2_a",
        "references": ["B"],
        "predictions": {"one": "B", "two": "C", "three": "C"},
        "scores": {"one": 100, "two": 0, "three": 0},
        "differences": {"two": 100, "three": 100},
    }


def test_the_html_shows_both_predictions_with_the_reference(comparison: Comparison) -> None:
    found = read_html(comparison_page(comparison, references=True))
    assert "+100.0 QuALITY 2_a 100.0 against 0.0 one B two C Reference B" in found.text
    assert "script" not in found.tags
    assert HOSTILE in found.text
    assert "one against two Mean of 2 tasks: undecided, fewer than 10 examples: one leads by " in found.text


def test_differences_are_drawn_inside_one_axis_with_the_score_of_either_side(tmp_path: Path) -> None:
    known = {"quality": {str(number): "A" for number in range(12)}, "qasper": {"q": "yes"}}
    two = {"quality": {**known["quality"], "3": "B"}, "qasper": {"q": "no"}}
    html = comparison_page(compare(systems(tmp_path, known, one=known, two=two)))
    assert "QuALITY 100.0 91.7 +8.3 [-17.2, +36.0] no clear difference" in read_html(html).text
    lefts = [float(left) for left in re.findall(r"left:(-?[\d.]+)%", html)]
    assert len(lefts) > 5
    assert 0 <= min(lefts) <= max(lefts) <= 100


def test_the_page_to_send_has_names_files_and_date_and_no_reference_unless_asked(comparison: Comparison) -> None:
    page = comparison_page(comparison, day=date(2026, 1, 2))
    found = read_html(page)
    assert found.text.startswith("Comparison of one and two and three Comparison of one , two and three 2026-01-02.")
    assert "answers/answers.json" in found.text
    assert "the cat" not in page.replace("the cat sat", "")
    assert "a cat sat on the mat" not in page
    assert "a cat sat on the mat" in comparison_page(comparison, references=True)


def test_the_latex_has_a_table_for_each_pair(comparison: Comparison) -> None:
    text = as_latex(comparison)
    assert text.count(r"\begin{tabular}{lrrrrr}") == text.count(r"\end{tabular}") == 2
    assert r"QuALITY & 75.0 & 50.0 & $+25.0$ &  & – \\" in text
