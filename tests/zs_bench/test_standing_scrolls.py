"""Where a SCROLLS report stands among the published results of SCROLLS."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_bench.catalog import SIZES
from zs_bench.results.published import AVERAGE
from zs_bench.results.standing import AVERAGE_TITLES, NAIVE_WORDS, Standing, standing, task_standing
from zs_metric import BENCHMARKS, UnknownBenchmark, UnknownTask

SCROLLS = BENCHMARKS["scrolls"]
NUMBER_WORDS = {7: "seven"}


def stood(*tasks: str, score: float = 30.0, **more: Any) -> Standing:
    """A SCROLLS report with that score on each of the tasks, on the test split unless said otherwise, stands so."""
    found = {"score": score, "split": "test", "n": 3000, "total": 3000, **more}
    whole = set(SCROLLS.tasks) <= set(tasks)
    return standing({"benchmark": "scrolls", "score": score if whole else None, "tasks": dict.fromkeys(tasks, found)})


@pytest.mark.parametrize(
    ("task", "score", "sentence"),
    [
        ("gov_report", 20.0, "Your GovReport 20.0 is below the paper's naive baseline (25.6)."),
        ("quality", 25.2, "Your QuALITY 25.2 is no better than the paper's naive baseline (25.2)."),
        ("contract_nli", 60.0, "Your ContractNLI 60.0 is below the paper's naive baseline (66.0)."),
        (AVERAGE, 19.341, "Your average over seven tasks 19.34 is below the paper's naive baseline (19.35)."),
    ],
)
def test_a_score_below_the_naive_baseline_is_told_so_first(task: str, score: float, sentence: str) -> None:
    assert task_standing(task, score, benchmark="scrolls").sentences[0] == sentence


def test_a_score_above_it_is_told_its_rank_only() -> None:
    assert task_standing("contract_nli", 75.0, benchmark="scrolls").sentences == (
        "Your ContractNLI 75.0 would be rank 2 of 7; the best published is BART, 1,024 tokens, fine-tuned, 77.4.",
    )
    assert task_standing("gov_report", 35.06, benchmark="scrolls").sentences == (
        "Your GovReport 35.1 would be rank 1 of 7; the best published is LED, 16,384 tokens, fine-tuned, 35.0.",
    )
    (sentence,) = task_standing(AVERAGE, 29.1, benchmark="scrolls").sentences
    assert sentence == (
        "Your average over seven tasks 29.10 would be rank 2 of 7; "
        "the best published is LED, 16,384 tokens, fine-tuned, 29.16."
    )


def test_equal_numbers_share_a_rank_after_rounding_to_the_printed_decimals() -> None:
    ranks = [task_standing(AVERAGE, score, benchmark="scrolls").rank for score in (29.156, 29.154, 29.006, 29.004)]
    assert ranks == [1, 2, 2, 3]
    assert [task_standing("gov_report", score, benchmark="scrolls").rank for score in (35.0, 34.94)] == [1, 2]


def test_the_report_says_which_benchmark_it_is_of() -> None:
    found = {"score": 24.0, "split": "test", "n": 500, "total": 500}
    plain = {"score": None, "tasks": {"gov_report": found}}
    assert standing(plain) == standing({**plain, "benchmark": "zero_scrolls"})
    assert standing(plain) != standing({**plain, "benchmark": "scrolls"})


def test_only_a_report_of_all_seven_tasks_has_a_standing_of_its_average() -> None:
    assert list(stood(*SCROLLS.tasks).tasks) == [*SCROLLS.tasks, AVERAGE]
    assert list(stood("quality", "quality_hard").tasks) == ["quality", "quality_hard"]


def test_a_complete_report_on_the_test_split_needs_no_warning() -> None:
    assert stood(*SCROLLS.all_tasks).warnings == ()


@pytest.mark.parametrize("task", SIZES["scrolls"])
def test_a_validation_report_is_warned_of_its_split_but_not_of_a_wide_interval(task: str) -> None:
    size = SIZES["scrolls"][task].validation
    assert stood(task, split="validation", n=size, total=size).warnings == (
        "Published numbers are on the test split, yours on the validation split.",
    )


def test_another_rouge_aggregation_is_named() -> None:
    found = {"score": 20.0, "split": "test", "n": 500, "total": 500}
    tasks = dict.fromkeys(("qmsum", "contract_nli", "quality_hard"), found)
    report = {"benchmark": "scrolls", "score": None, "rouge_aggregation": "instance", "tasks": tasks}
    sentence = "Published ROUGE numbers use the aggregation “corpus”; yours for QMSum do not."
    assert standing(report).warnings == (sentence,)


def test_there_are_no_people_to_be_better_than() -> None:
    assert not task_standing("quality", 100.0, benchmark="scrolls").above_human


@pytest.mark.parametrize("benchmark", BENCHMARKS.values(), ids=list(BENCHMARKS))
@given(score=st.floats(0, 100))
def test_any_score_of_any_task_stands_somewhere(benchmark: Any, score: float) -> None:
    for task in (*benchmark.all_tasks, AVERAGE):
        found = task_standing(task, score, benchmark=benchmark.name)
        assert 1 <= found.rank <= found.of
        assert len(found.sentences) in (1, 2)
        assert found.rank >= task_standing(task, min(100, score + 1), benchmark=benchmark.name).rank


def test_each_benchmark_has_its_words() -> None:
    assert set(NAIVE_WORDS) == set(AVERAGE_TITLES) == set(BENCHMARKS)
    assert set(NAIVE_WORDS["zero_scrolls"]) == {*BENCHMARKS["zero_scrolls"].tasks, AVERAGE}
    assert NUMBER_WORDS[len(SCROLLS.tasks)] in AVERAGE_TITLES["scrolls"]


def test_a_report_of_another_benchmark_or_with_its_tasks_is_refused() -> None:
    with pytest.raises(UnknownBenchmark, match="did you mean 'scrolls'"):
        standing({"benchmark": "scroll", "score": None, "tasks": {}})
    with pytest.raises(UnknownTask, match="a task of zero_scrolls, another benchmark"):
        stood("musique")
