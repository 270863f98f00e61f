"""The plain scorer and the hand-worked golden tables confirm each other; neither has seen the project's own scorer."""

from typing import Any

import pytest
from make_conformance import TABLES, golden_aggregates, golden_rows
from plain_scorer import ROUGE_TYPES, plain_instance_mean, plain_rouge, plain_score, plain_task_score

SOURCES = {
    "worked out by hand from the definition of the released evaluator",
    "worked example of the specification of the released evaluator",
    "measured with the released evaluator; other implementations were measured to differ here",
}


def one_number(score: float | dict[str, float]) -> float:
    return score["geometric_mean"] if isinstance(score, dict) else score


EVERY_ROW = [
    pytest.param(table, row, id=f"{table}-line{line}")
    for table in TABLES
    for line, row in enumerate(golden_rows(table), start=1)
]


@pytest.mark.parametrize("table", TABLES)
def test_a_golden_table_has_at_least_18_different_rows(table: str) -> None:
    questions = {(row["task"], row["prediction"], *row["references"]) for row in golden_rows(table)}
    assert len(questions) == len(golden_rows(table)) >= 18


@pytest.mark.parametrize("table", TABLES)
def test_every_golden_row_says_why_and_where_from(table: str) -> None:
    rows = golden_rows(table)
    assert all(row["why"].strip() for row in rows)
    assert {row["source"] for row in rows} <= SOURCES


@pytest.mark.parametrize(("table", "row"), EVERY_ROW)
def test_the_plain_scorer_agrees_with_the_hand_worked_score(table: str, row: dict[str, Any]) -> None:
    score = plain_score(row["task"], row["prediction"], row["references"], benchmark=TABLES[table])
    assert one_number(score) == pytest.approx(row["score"], rel=0, abs=1e-9)


@pytest.mark.parametrize("row", golden_rows("rouge"))
def test_the_plain_scorer_agrees_with_each_hand_worked_rouge_type(row: dict[str, Any]) -> None:
    expected = {"rouge1": row["rouge1"], "rouge2": row["rouge2"], "rougeL": row["rougeL"]}
    score = plain_rouge(row["prediction"], row["references"])
    assert {kind: score[kind] for kind in ROUGE_TYPES} == pytest.approx(expected, rel=0, abs=1e-9)


@pytest.mark.parametrize(("table", "row"), [row for row in EVERY_ROW if len(row.values[1]["references"]) > 1])
def test_the_order_of_the_references_never_matters(table: str, row: dict[str, Any]) -> None:
    backwards = row["references"][::-1]
    score = plain_score(row["task"], row["prediction"], backwards, benchmark=TABLES[table])
    assert one_number(score) == pytest.approx(row["score"], rel=0, abs=1e-9)


@pytest.mark.parametrize("expected", golden_aggregates()["expected"], ids=lambda expected: expected["task"])
def test_the_three_predictions_of_the_specification_aggregate_as_it_says(expected: dict[str, Any]) -> None:
    example, task, benchmark = golden_aggregates(), expected["task"], expected["benchmark"]
    answers, references = example["predictions"], example["references"]
    assert round(plain_task_score(task, answers, references, benchmark=benchmark), 4) == expected["score"]
    assert round(plain_instance_mean(task, answers, references, benchmark=benchmark), 4) == expected["instance_mean"]


@pytest.mark.parametrize(
    ("task", "readable", "unreadable"),
    [("quality", "B", "b"), ("space_digest", "40%", "40"), ("book_sum_sort", "1, 2", "one, two")],
)
def test_an_unreadable_reference_is_refused_with_its_position_and_text(
    task: str, readable: str, unreadable: str
) -> None:
    with pytest.raises(ValueError, match=f"reference 1 .*'{unreadable}'"):
        plain_score(task, readable, [readable, unreadable])


def test_a_reference_with_a_number_too_long_to_read_is_refused() -> None:
    with pytest.raises(ValueError, match="reference 0 "):
        plain_score("book_sum_sort", "1, 2", ["1, " + "2" * 4301])


@pytest.mark.parametrize("task", ["gov_report", "qasper", "quality", "space_digest", "book_sum_sort"])
def test_an_empty_list_of_references_is_refused(task: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        plain_score(task, "an answer", [])


@pytest.mark.parametrize("task", ["gov_report", "qasper"])
def test_as_many_answers_as_lists_of_references_are_needed(task: str) -> None:
    with pytest.raises(ValueError, match="shorter"):
        plain_task_score(task, ["one", "two"], [["one"]])
