"""The published results: every number as the papers print it, and the names and marks that follow from the rows."""

import csv
import re
from pathlib import Path
from statistics import fmean

import pytest
from scrolls_table import TABLE_2, Printed

from zs_bench import published
from zs_bench.benchmarks import BENCHMARKS
from zs_bench.published import AVERAGE, PublishedRow, find_scored, load_published, marks, named_systems, systems
from zs_metric import UnknownTask
from zs_metric.rouge import geometric_mean

GOLDEN = Path(__file__).parents[2] / "golden" / "published_zero_scrolls.csv"
SCROLLS = load_published(benchmark="scrolls")
#: The rows of the benchmarks' own papers and leaderboard, and those of other papers.
OWN, TABLE_2_ROWS, LATER = load_published()[:21], SCROLLS[:7], (*load_published()[21:], *SCROLLS[7:])
COLT5 = ("CoLT5-xl", "CoLT5-base", "CoLT5-large")
KINDS = ("zero-shot", "fine-tuned", "compressed prompt", "retrieval", "reasoning", "position method")
#: The row whose printed average contradicts its own printed scores.
CONTRADICTION = ("2310.06839", "GPT-3.5-Turbo, no document")


def as_printed(row: PublishedRow) -> dict[str, str]:
    points = {**row.scores, "average": row.average}
    return {
        "source": row.source,
        "system": {"zero-shot": "model"}.get(row.kind, row.kind),
        "model": row.model,
        "tokens": str(row.tokens or ""),
        **{name: "" if value is None else f"{value:.1f}" for name, value in points.items()},
    }


def as_typed(row: PublishedRow) -> Printed:
    """The row as the table prints it: the three ROUGE types where it has them."""
    scores = {task: tuple(row.rouge[task]) if task in row.rouge else points for task, points in row.scores.items()}
    return Printed(row.model, row.tokens, scores, row.average or 0)


def test_every_row_is_the_one_printed_in_the_benchmarks_papers() -> None:
    with GOLDEN.open(encoding="utf-8", newline="") as file:  # typed apart from the package's data
        assert [as_printed(row) for row in OWN] == list(csv.DictReader(file))
    assert [as_typed(row) for row in TABLE_2_ROWS] == TABLE_2
    assert {(row.kind, row.split, row.date, row.year, row.source) for row in TABLE_2_ROWS} == {
        (kind, "test", None, 2022, "Table 2, arXiv 2201.03533") for kind in ("naive", "fine-tuned")
    }


def test_the_printed_average_is_the_mean_of_the_printed_scores() -> None:
    for row in (*OWN, *TABLE_2_ROWS):
        assert (row.mean is None) == (row.average is None) == (None in row.scores.values())
        assert row.mean is None or row.mean == pytest.approx(row.average, abs=0.05 + 1e-9)
    for row in (row for row in LATER if row.average is not None):
        tasks = row.benchmark.tasks
        scores = [score for task in tasks if (score := row.scores[task]) is not None]
        if len(scores) != (row.average_over or len(tasks)):
            assert not scores, "there are some scores, but not those of the average"
        elif (row.arxiv, row.model) == CONTRADICTION:
            assert (row.average, round(fmean(scores), 1)) == (12.8, 10.8)
            assert any("12.8, contradicts the scores" in caveat for caveat in row.caveats)
        else:  # both are rounded to a decimal
            assert fmean(scores) == pytest.approx(row.average, abs=0.1), row


def test_a_row_says_what_it_is_where_it_is_from_and_how_its_split_is_known() -> None:
    for row in LATER:
        assert row.kind in (*KINDS, "test-time training", *published.YARDSTICKS), row
        assert list(row.scores) == list(row.benchmark.all_tasks), row
        assert re.fullmatch(r"\d{4}\.\d{5}", row.arxiv), row
        assert row.table and row.split_from and row.caveats and 2022 <= row.year <= 2026, row  # noqa: PT018
        assert all(caveat.endswith(".") for caveat in row.caveats), row
        assert all(0 <= points <= 100 for points in row.scores.values() if points is not None), row


def test_the_marks_of_a_score_are_naive_the_best_of_the_paper_and_people() -> None:
    assert marks(find_scored("squality")) == {"naive": 10.5, "gpt4": 22.6, "human": 23.6}
    assert marks(find_scored(AVERAGE)) == {"naive": 19.6, "gpt4": 41.7, "human": None}
    assert marks(find_scored("quality_hard", benchmark="scrolls")) == {"naive": 26.1, "best": 25.4}
    assert marks(find_scored(AVERAGE, benchmark="scrolls")) == {"naive": 19.35, "best": 29.16}
    best = marks(find_scored("gov_report", benchmark="scrolls"))["best"]
    assert best == pytest.approx(geometric_mean(56.2, 26.6, 28.8))
    with pytest.raises(UnknownTask, match="a task of scrolls, another benchmark"):
        find_scored("contract_nli")


def test_a_number_of_another_definition_is_not_a_score_of_the_task() -> None:
    fewer = [row for row in LATER if row.average_over]
    assert {(row.arxiv, row.average_over) for row in fewer} == {("2403.04797", 7), ("2512.13898", 8)}
    assert all(row.average and row.points(row.benchmark) is None for row in fewer)
    (row,) = [row for row in LATER if row.model == "Llama 3 405B"]
    assert row.scores["squality"] == 15.4
    assert row.points(find_scored("squality")) is None
    assert (row.points(find_scored("quality")), row.half_widths["quality"]) == (95.2, 9.1)


def test_an_average_that_is_not_printed_is_computed_where_all_scores_are_there() -> None:
    assert {row.model: round(row.points(BENCHMARKS["scrolls"]) or 0, 2) for row in SCROLLS[7:]} == dict(
        zip(["UL2", "LongT5-base", "LongT5-xl", *COLT5], [37.9, 38.6, 42.54, 43.51, 37.63, 41.04], strict=True)
    )


def test_the_systems_of_a_split_are_of_that_split_alone_and_no_yardsticks() -> None:
    for split, count in (("test", 13), ("validation", 37), ("unknown", 12), ("train", 0)):
        rows = systems(split=split)
        assert len(rows) == count
        assert all(row.split == split and row.kind not in published.YARDSTICKS for row in rows)
        assert tuple(named_systems(split=split).values()) == rows, "every name is of one row"


def test_a_system_has_its_input_length_in_its_name_only_where_the_model_is_there_more_than_once() -> None:
    assert list(named_systems()) == [
        *("T0pp", "Flan-T5-xxl", "Flan-UL2", "DaVinci003", "ChatGPT (v0301)", "Claude (v1.3)", "GPT-4 (v0314)"),
        *("CoLT5-xl", "gpt-3.5-turbo-16k", "Llama 2 Long Chat 70B"),
        *("ChatGPT + retrieval (BGE-Large)", "ChatGPT + retrieval (NarCo)", "Llama 2 70B + retrieval"),
    ]
    assert list(named_systems(benchmark="scrolls")) == [
        *("BART, 256 tokens", "BART, 512 tokens", "BART, 1,024 tokens"),
        *("LED, 1,024 tokens", "LED, 4,096 tokens", "LED, 16,384 tokens"),
        *("UL2", "LongT5-base", "LongT5-xl", *COLT5),
    ]
    assert any(", arXiv " in name for name in named_systems(split="validation"))


def test_the_marked_system_has_the_highest_average_of_its_paper() -> None:
    for name, benchmark in ((name, each) for name, each in BENCHMARKS.items() if each.marks):
        first = load_published(benchmark=name)[0]
        averages = {row.label: row.average or 0 for row in systems(benchmark=name) if row.arxiv == first.arxiv}
        assert max(averages, key=averages.__getitem__) == list(benchmark.marks.values())[1]


def test_the_models_by_input_length_are_the_papers() -> None:
    found = {name: published.by_input_length(benchmark=name).items() for name in BENCHMARKS}
    lengths = {name: {model: [row.tokens for row in rows] for model, rows in each} for name, each in found.items()}
    assert lengths["zero_scrolls"] == {"Flan-T5-xxl": [512, 1024, 2048, 4096, 8192], "Claude": [4096, 8000]}
    assert lengths["scrolls"] == {"BART": [256, 512, 1024], "LED": [1024, 4096, 16384]}
