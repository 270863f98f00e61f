"""Every quirk of the scorers as a hand-worked row: where points were lost, and what would have scored more."""

import json
from pathlib import Path
from typing import Any

import pytest

from zs_metric.explain import explain

TABLE = Path(__file__).parent / "golden_explanations.jsonl"
SOURCES = {
    "worked out by hand from the definition of the released evaluator",
    "worked example of the specification of the released evaluator",
    "measured with the released evaluator; other implementations were measured to differ here",
}


def golden_rows(path: Path = TABLE) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    if not rows:
        raise ValueError(f"the golden table {path.stem} is empty")
    return rows


def explained(row: dict[str, Any]) -> dict[str, Any]:
    """The rows that name no benchmark are of ZeroSCROLLS."""
    benchmark = row.get("benchmark", "zero_scrolls")
    return explain(row["task"], row["prediction"], row["references"], benchmark=benchmark).as_dict()


def within(points: object) -> Any:
    return pytest.approx(points, rel=0, abs=1e-9)


EVERY_ROW = [pytest.param(row, id=f"line{line}") for line, row in enumerate(golden_rows(), start=1)]


def test_an_empty_table_of_explanations_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("\n", encoding="utf-8")
    with pytest.raises(ValueError, match="none is empty"):
        golden_rows(tmp_path / "none.jsonl")


def test_every_explained_row_says_why_and_where_from() -> None:
    assert all(row["why"].strip() and row["source"] in SOURCES for row in golden_rows())
    assert {row["source"] for row in golden_rows()} == SOURCES


@pytest.mark.parametrize("row", EVERY_ROW)
def test_the_points_are_lost_to_what_was_worked_out_by_hand(row: dict[str, Any]) -> None:
    explanation = explained(row)
    assert explanation["score"] == within(row["score"])
    assert explanation["ledger"] == within(row["ledger"])
    assert explanation["length_direction"] == row["length_direction"]


@pytest.mark.parametrize("row", EVERY_ROW)
def test_the_best_repair_is_the_one_worked_out_by_hand(row: dict[str, Any]) -> None:
    repairs = explained(row)["what_if"]
    if row["what_if"] is None:
        assert repairs == []
    else:
        answer, score = row["what_if"]
        assert (answer, within(score)) in [(repair["answer"], repair["score"]) for repair in repairs]
        assert repairs[0]["score"] == within(score)
