"""Predictions that were explained by hand: where points were lost, what was read and shared, what would score more.

`golden_explanations.jsonl` has every quirk of the scorers with its breakdown and its best what-if, `cases.jsonl` single
values of explanations by their path in the JSON. A task of SCROLLS is named `scrolls/qasper` there.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from zs_metric.explain import explain

FOLDER = Path(__file__).parent
SOURCES = {
    "worked out by hand from the definition of the released evaluator",
    "worked example of the specification of the released evaluator",
    "measured with the released evaluator; other implementations were measured to differ here",
}


def rows(name: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]
    assert len(lines) > 100
    return lines


def at(data: Any, path: str) -> Any:
    for key in path.split("."):
        data = data[int(key)] if isinstance(data, list) else data[key]
    return data


def rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return round(value, 6) if isinstance(value, float) else value


def test_every_row_has_the_losses_and_the_best_repair_that_were_worked_out_by_hand() -> None:
    for row in rows("golden_explanations.jsonl"):
        assert row["why"].strip()
        assert row["source"] in SOURCES
        benchmark = row.get("benchmark", "zero_scrolls")
        explanation = explain(row["task"], row["prediction"], row["references"], benchmark=benchmark).as_dict()
        assert explanation["score"] == pytest.approx(row["score"], rel=0, abs=1e-9), row
        assert explanation["ledger"] == pytest.approx(row["ledger"], rel=0, abs=1e-9), row
        assert explanation["length_direction"] == row["length_direction"], row
        repairs = [(repair["answer"], pytest.approx(repair["score"])) for repair in explanation["what_if"]]
        best = repairs[0][1] if repairs else None
        assert (tuple(row["what_if"]) in repairs and row["what_if"][1] == best) if row["what_if"] else not repairs, row


def test_the_explanation_has_the_values_that_were_worked_out_by_hand() -> None:
    for row in rows("cases.jsonl"):
        benchmark, _, task = row["task"].rpartition("/")
        explanation = explain(task, row["prediction"], row["references"], benchmark=benchmark or "zero_scrolls")
        data = explanation.as_dict()
        assert {path: rounded(at(data, path)) for path in row["expected"]} == row["expected"], row
