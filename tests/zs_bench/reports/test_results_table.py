"""The table of published results as the page and its exports have it."""

from typing import Any

import pytest

from zs_bench.published.rows import load_published
from zs_bench.reports.html.results_table import own_row, row_id, table
from zs_metric import BENCHMARKS, TASKS


def report(**more: Any) -> dict[str, Any]:
    """A report of all ten tasks at 30 points with an interval."""
    ends = {"low": 21.0, "high": 39.0}
    found = {"score": 30.0, "split": "validation", "n": 20, "total": 20, "interval": ends, **more}
    top = {"score": 30.0, "interval": ends, "files": [{"file": "run <7>.csv"}]}
    return {"benchmark": "zero_scrolls", "tasks": dict.fromkeys(TASKS, found), **top}


@pytest.mark.parametrize("benchmark", sorted(BENCHMARKS))
def test_every_published_row_is_in_the_table_once_under_an_address_of_its_own(benchmark: str) -> None:
    rows, text = load_published(benchmark=benchmark), table(benchmark)
    ids = [row_id(row) for row in rows]
    assert len(set(ids)) == len(rows)
    assert all(text.count(f'data-row="{one}"') == 1 for one in ids)


def test_a_validation_file_is_in_the_group_of_its_split_with_its_intervals() -> None:
    row = own_row(report(), "abc")
    assert 'data-group="validation"' in row
    assert "30.0<small>21.0–39.0</small>" in row
    assert "run &lt;7&gt;.csv" in row


@pytest.mark.parametrize("more", [{"n": 2}, {"split": None}, {"split": "train"}], ids=["few", "unknown", "train"])
def test_a_file_that_is_not_ranked_is_apart_with_the_reason(more: dict[str, Any]) -> None:
    row = own_row(report(**more), "abc")
    assert 'data-group="own"' in row
    assert "Not ranked, because" in row


def test_a_report_without_intervals_or_files_is_shown_too() -> None:
    plain = {"score": 30.0, "split": "test", "n": 500, "total": 500}
    row = own_row({"benchmark": "zero_scrolls", "score": None, "tasks": {"qasper": plain}}, "abc")
    assert 'data-group="test"' in row
    assert "your file" in row
