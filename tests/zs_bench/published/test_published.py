"""The published results: every number as the papers print it."""

import csv
from pathlib import Path

import pytest

from zs_bench.published.rows import (
    AVERAGE,
    PublishedRow,
    by_input_length,
    find_scored,
    load_published,
    marks,
    row_average,
    systems,
)
from zs_bench.tasks import info
from zs_metric import TASKS, UnknownTask

GOLDEN = Path(__file__).parents[2] / "golden" / "published_zero_scrolls.csv"
PAPER = "2305.14196"
#: The rows of the benchmark's own paper and leaderboard; the others are in test_published_later.py.
OWN = load_published()[:21]
LABELS = [row.label for row in OWN]


def row_of(model: str, tokens: int | None) -> PublishedRow:
    (row,) = [row for row in OWN if (row.model, row.tokens) == (model, tokens)]
    return row


def printed_rows() -> list[dict[str, str]]:
    """The tables as the papers print them, typed apart from the package's data."""
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def as_printed(row: PublishedRow) -> dict[str, str]:
    points = {**row.scores, "average": row.average}
    return {
        "source": row.source,
        "system": {"zero-shot": "model"}.get(row.kind, row.kind),
        "model": row.model,
        "tokens": str(row.tokens or ""),
        **{name: "" if value is None else f"{value:.1f}" for name, value in points.items()},
    }


def test_every_row_is_the_one_printed() -> None:
    assert [as_printed(row) for row in OWN] == printed_rows()


@pytest.mark.parametrize(
    ("model", "tokens", "task", "points"),
    [
        ("Naive", None, "gov_report", 22.6),
        ("Naive", None, "musique", 20.0),
        ("T0pp", 8192, "book_sum_sort", 0.0),
        ("Flan-UL2", 8192, "qasper", 56.9),
        ("DaVinci003", 4096, "squality", 22.0),
        ("ChatGPT (v0301)", 4096, AVERAGE, 34.0),
        ("Claude (v1.3)", 8000, "narrative_qa", 32.6),
        ("GPT-4 (v0314)", 8192, "space_digest", 62.8),
        ("GPT-4 (v0314)", 8192, AVERAGE, 41.7),
        ("CoLT5-xl", 16384, "gov_report", 41.0),
        ("CoLT5-xl", 16384, "musique", None),
        ("Human", None, "quality", 93.5),
        ("Human", None, "gov_report", None),
        ("gpt-3.5-turbo-16k", None, "book_sum_sort", 54.6),
        ("Llama 2 Long Chat 70B", None, AVERAGE, 37.7),
        ("Flan-T5-b", 8192, "book_sum_sort", 0.3),
        ("Flan-T5-xxl", 512, "qasper", 15.3),
        ("Claude", 4096, AVERAGE, 36.3),
    ],
)
def test_a_number_is_the_one_printed(model: str, tokens: int | None, task: str, points: float | None) -> None:
    assert row_of(model, tokens).points(find_scored(task)) == points


def test_there_are_twelve_rows_of_table_3_with_the_leaderboard_and_nine_of_table_4() -> None:
    tables = [row.table for row in OWN]
    assert tables == ["Table 3"] * 10 + ["leaderboard"] * 2 + ["Table 4"] * 9


@pytest.mark.parametrize("row", OWN, ids=LABELS)
def test_a_row_says_what_it_is_and_where_it_comes_from(row: PublishedRow) -> None:
    assert row.kind in ("naive", "zero-shot", "fine-tuned", "human")
    assert (row.benchmark, row.split, row.rouge, row.year) == ("zero_scrolls", "test", {}, 2023)
    assert list(row.scores) == list(TASKS)
    assert (row.arxiv == PAPER) == (row.date is None) == (row.table != "leaderboard")
    assert all(0 <= points <= 100 for points in row.scores.values() if points is not None)


@pytest.mark.parametrize("row", OWN, ids=LABELS)
def test_the_printed_average_is_the_mean_of_the_ten_printed_scores(row: PublishedRow) -> None:
    mean = row_average(row)
    assert (mean is None) == (row.average is None) == (None in row.scores.values())
    if mean is not None:
        assert mean == pytest.approx(row.average, abs=0.05 + 1e-9)


def test_only_the_fine_tuned_model_and_people_have_no_average() -> None:
    assert [row.model for row in OWN if row.average is None] == ["CoLT5-xl", "Human"]


def test_the_labels_tell_the_rows_apart() -> None:
    assert len(set(LABELS)) == len(LABELS)
    assert row_of("Flan-T5-xxl", 512).label == "Flan-T5-xxl, 512 tokens"
    assert row_of("CoLT5-xl", 16384).source == "Table 3, arXiv 2305.14196"
    assert row_of("Llama 2 Long Chat 70B", None).source == "leaderboard, 2023-08-07, arXiv 2309.16039"


def test_the_marks_of_a_task_are_naive_gpt4_and_people() -> None:
    assert marks(find_scored("squality")) == {"naive": 10.5, "gpt4": 22.6, "human": 23.6}
    assert marks(find_scored("gov_report")) == {"naive": 22.6, "gpt4": 26.3, "human": None}
    assert marks(find_scored(AVERAGE)) == {"naive": 19.6, "gpt4": 41.7, "human": None}


def test_a_human_score_is_explained_exactly_where_there_is_one() -> None:
    explained = {name for name, task in TASKS.items() if info(task).human_source}
    assert explained == {task for task in TASKS if marks(find_scored(task))["human"] is not None}


def test_marks_of_an_unknown_task_name_the_likely_one() -> None:
    with pytest.raises(UnknownTask, match="did you mean 'space_digest'"):
        marks(find_scored("spacedigest"))


def test_the_ranking_leaves_out_table_4_the_naive_answers_and_people() -> None:
    assert [row.model for row in systems()] == [
        *("T0pp", "Flan-T5-xxl", "Flan-UL2", "DaVinci003", "ChatGPT (v0301)", "Claude (v1.3)", "GPT-4 (v0314)"),
        *("CoLT5-xl", "gpt-3.5-turbo-16k", "Llama 2 Long Chat 70B"),
        *("ChatGPT + retrieval (BGE-Large)", "ChatGPT + retrieval (NarCo)", "Llama 2 70B + retrieval"),
    ]


def test_more_input_scores_more_on_average() -> None:
    curves = [[row.average for row in rows] for rows in by_input_length().values()]
    assert curves == [[17.1, 20.8, 24.9, 29.1, 29.9], [36.3, 39.1]]
