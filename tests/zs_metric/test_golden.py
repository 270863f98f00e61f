"""Every hand-worked golden row and aggregate, through the package's public functions."""

from pathlib import Path
from typing import Any

import pytest
from make_conformance import GOLDEN, TABLES, golden_aggregates, golden_rows

from zs_metric import BENCHMARKS, score_example, score_task


def numbered(*tables: str) -> list[Any]:
    rows = [(table, line, row) for table in tables for line, row in enumerate(golden_rows(table), start=1)]
    return [pytest.param(row, TABLES[table], id=f"{table}-line{line}") for table, line, row in rows]


def aggregates() -> list[Any]:
    rows = golden_aggregates()["expected"]
    if {row["benchmark"] for row in rows} != set(BENCHMARKS):
        raise ValueError("the golden aggregates lack a benchmark")
    return [pytest.param(row, id=f"{row['benchmark']}-{row['task']}") for row in rows]


def within(points: object) -> Any:
    return pytest.approx(points, rel=0, abs=1e-9)


def test_an_empty_golden_table_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "f1.jsonl").write_text("\n\n", encoding="utf-8")
    with pytest.raises(ValueError, match="f1 is empty"):
        golden_rows("f1", tmp_path)


def test_no_golden_table_is_forgotten() -> None:
    assert {path.stem for path in GOLDEN.glob("*.jsonl")} == set(TABLES)


@pytest.mark.parametrize(("row", "benchmark"), numbered(*TABLES))
def test_an_answer_scores_what_was_worked_out_by_hand(row: dict[str, Any], benchmark: str) -> None:
    result = score_example(row["task"], row["prediction"], row["references"], benchmark=benchmark)
    assert result.score == within(row["score"])


@pytest.mark.parametrize(("row", "benchmark"), numbered("rouge"))
def test_each_rouge_type_scores_what_was_worked_out_by_hand(row: dict[str, Any], benchmark: str) -> None:
    rouge = score_example(row["task"], row["prediction"], row["references"], benchmark=benchmark).rouge
    assert rouge is not None
    assert {name: part.fmeasure for name, part in rouge.items()} == within({name: row[name] for name in rouge})


@pytest.mark.parametrize("row", aggregates())
def test_the_three_predictions_of_the_specification_aggregate_as_it_says(row: dict[str, Any]) -> None:
    data = golden_aggregates()
    result = score_task(row["task"], data["predictions"], data["references"], benchmark=row["benchmark"])
    assert {key: result.metrics[key] for key in row["result"]} == row["result"]
    assert result.metrics[BENCHMARKS[row["benchmark"]].score_key] == row["score"]


@pytest.mark.parametrize("row", aggregates())
def test_the_instance_aggregation_gives_the_mean_of_the_single_answers(row: dict[str, Any]) -> None:
    data = golden_aggregates()
    options = {"rouge_aggregation": "instance", "benchmark": row["benchmark"]}
    result = score_task(row["task"], data["predictions"], data["references"], **options)
    assert round(result.score, 4) == row["instance_mean"]
