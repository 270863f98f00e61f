"""Where a report ranks among the published results of its benchmark."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_bench.published.ranking import ReportRanks, fewest_examples, rank, rank_report
from zs_bench.published.rows import AVERAGE, find_scored
from zs_bench.tasks import info
from zs_metric import BENCHMARKS, TASKS, UnknownBenchmark, UnknownTask

SCROLLS = BENCHMARKS["scrolls"]


def ranks_of(*tasks: str, score: float | None = 30.0, benchmark: str = "zero_scrolls", **more: Any) -> ReportRanks:
    """The ranks of a report with that score on each of the tasks, on the test split unless said otherwise."""
    task = {"score": score, "split": "test", "n": 11_000, "total": 11_000, **more}
    whole = set(BENCHMARKS[benchmark].tasks) <= set(tasks)
    report = {"score": score if whole else None, "tasks": dict.fromkeys(tasks, task), "benchmark": benchmark}
    return rank_report({**report, "interval": more.get("interval")})


def sentences(task: str, score: float, benchmark: str = "zero_scrolls") -> tuple[str, ...]:
    return rank(find_scored(task, benchmark=benchmark), score).sentences


def test_a_score_below_the_naive_answers_is_said_first() -> None:
    for task, score, sentence in (
        ("space_digest", 41.2, "Your SpaceDigest 41.2 is below always answering 50% (45.0)."),
        ("space_digest", 44.96, "Your SpaceDigest 45.0 is no better than always answering 50% (45.0)."),
        ("musique", 12.0, "Your MuSiQue 12.0 is below always answering “Unanswerable” (20.0)."),
        ("quality", 25.0, "Your QuALITY 25.0 is below a random letter (26.6)."),
        ("gov_report", 0.0, "Your GovReport 0.0 is below a random span of 500 words (22.6)."),
        ("book_sum_sort", 4.0, "Your BookSumSort 4.0 is below leaving the summaries in the order given (50.0)."),
        (AVERAGE, 9.0, "Your ZeroSCROLLS average 9.0 is below the naive answers, given without reading (19.6)."),
    ):
        assert sentences(task, score)[0] == sentence
    for task, score, sentence in (
        ("gov_report", 20.0, "Your GovReport 20.0 is below the paper's naive baseline (25.6)."),
        ("quality", 25.2, "Your QuALITY 25.2 is no better than the paper's naive baseline (25.2)."),
        (AVERAGE, 19.341, "Your SCROLLS average 19.34 is below the paper's naive baseline (19.35)."),
    ):
        assert sentences(task, score, "scrolls")[0] == sentence


def test_a_score_above_the_naive_answers_gets_its_rank_only() -> None:
    assert sentences("space_digest", 61.7) == (
        "Your SpaceDigest 61.7 would be rank 2 of 10; the best published is GPT-4 (v0314), 62.8; human: 93.3.",
    )
    assert sentences("gov_report", 50) == (
        "Your GovReport 50.0 would be rank 1 of 11; the best published is CoLT5-xl, fine-tuned, 41.0.",
    )
    assert sentences("gov_report", 35.06, "scrolls") == (
        "Your GovReport 35.1 would be rank 6 of 13; the best published is CoLT5-xl, fine-tuned, 40.6.",
    )
    assert sentences(AVERAGE, 29.1, "scrolls") == (
        "Your SCROLLS average 29.10 would be rank 8 of 13; the best published is CoLT5-xl, fine-tuned, 43.51.",
    )


def test_equal_numbers_share_a_rank_after_rounding_to_the_published_decimals() -> None:
    for task, benchmark, scores, ranks in (
        ("quality", "zero_scrolls", (84.85, 84.76, 84.74, 84.6), [2, 2, 3, 3]),
        (AVERAGE, "scrolls", (29.156, 29.154, 29.006, 29.004), [7, 8, 8, 9]),
        ("gov_report", "scrolls", (35.0, 34.94), [6, 7]),
    ):
        assert [rank(find_scored(task, benchmark=benchmark), score).rank for score in scores] == ranks


def test_only_a_report_of_all_tasks_has_a_rank_of_its_average() -> None:
    assert list(ranks_of(*TASKS).tasks) == [*TASKS, AVERAGE]
    assert list(ranks_of("qasper", "musique").tasks) == ["qasper", "musique"]
    assert ranks_of(*TASKS).warnings == (), "a complete report on the test split"
    assert ranks_of("qasper", score=None, split=None) == ReportRanks({}, ()), "a refused task"


def test_a_validation_report_is_ranked_among_validation_rows_with_its_interval() -> None:
    ranks = ranks_of(*TASKS, split="validation", n=20, total=20, interval={"low": 21.0, "high": 39.0})
    (warning,), (sentence,) = ranks.warnings, ranks.tasks["qasper"].sentences
    assert warning == (
        "A task has 10 to 28 questions in the validation split, so that the 95 % interval of its score reaches about "
        "±3 to ±20 points: a smaller difference says nothing."
    )
    assert sentence == (
        "Your Qasper 30.0 would be rank 12 of 33 on the validation split (rank 6 to 27 within its 95 % interval, 21.0 "
        "to 39.0); the best published is GPT-4, 50.5."
    )
    assert ranks.tasks["space_digest"].marks == {}, "the naive answers and people are on the test split"
    average = ranks.tasks[AVERAGE]
    assert (average.split, average.of) == ("validation", 23), "the eight-task averages of qTTT are not among them"
    assert average.ranks == (1, 17)
    on_test = ranks_of("qasper", interval={"low": 21.0, "high": 39.0}).tasks["qasper"]
    assert (on_test.interval, on_test.ranks) == (None, None)


def test_a_score_is_not_ranked_among_numbers_of_another_definition() -> None:
    of = rank(find_scored("squality"), 30.0, split="validation").of
    assert of == rank(find_scored("qasper"), 30.0, split="validation").of - 6, "Llama 3's paper has ROUGE-L"


def test_what_cannot_be_ranked_is_named_with_the_reason() -> None:
    for split, n, is_ranked in (
        *[("validation", 9, False), ("validation", 10, True), ("test", 499, False), ("test", 500, True)],
        (None, 2, False),
    ):
        ranks = ranks_of(*TASKS, split=split, n=n, total=n)
        assert ("qasper" in ranks.tasks, AVERAGE in ranks.tasks) == (is_ranked, is_ranked)
        said = f"Not ranked, because these tasks have fewer examples than the published split: GovReport ({n}), "
        assert (bool(ranks.warnings) and ranks.warnings[0].startswith(said)) != is_ranked
    reason = "Not ranked, because the references do not say which split they are: Qasper."
    assert ranks_of("qasper", split=None, n=28, total=28) == ReportRanks({}, (reason,))
    reason = "Not ranked, because no system was published on the train split: QuALITY, MuSiQue."
    task = {"score": 1.0, "n": 500, "total": 500}
    splits = {"qasper": "test", "quality": "train", "musique": "train"}
    ranks = rank_report({"score": None, "tasks": {name: {**task, "split": split} for name, split in splits.items()}})
    assert (list(ranks.tasks), ranks.warnings) == (["qasper"], (reason,))
    task["split"] = "test"
    ranks = rank_report({"score": None, "rouge_aggregation": "instance", "tasks": {"qmsum": task, "quality": task}})
    reason = "Not ranked, because published ROUGE numbers use the aggregation “corpus”: QMSum."
    assert (list(ranks.tasks), ranks.warnings) == (["quality"], (reason,))
    for name, scrolls_task in SCROLLS.tasks.items():
        size, title = fewest_examples(scrolls_task, "validation"), info(scrolls_task).title
        reason = f"Not ranked, because no system was published on the validation split: {title}."
        ranks = ranks_of(name, benchmark="scrolls", split="validation", n=size, total=size)
        assert ranks == ReportRanks({}, (reason,))


def test_tasks_on_two_splits_have_no_ranked_average() -> None:
    tasks = {name: {"score": 30.0, "split": "test", "n": 500, "total": 500} for name in TASKS}
    tasks["qasper"]["split"] = "validation"
    ranked = rank_report({"score": 30.0, "tasks": tasks}).tasks
    assert AVERAGE not in ranked
    assert (ranked["qasper"].split, ranked["quality"].split) == ("validation", "test")


def test_a_partial_score_is_ranked_with_a_warning() -> None:
    sentence = "Some answers are missing for QuALITY; published numbers are on all examples."
    assert ranks_of("quality", n=500, total=501).warnings == (sentence,)


def test_a_report_is_ranked_in_its_own_benchmark() -> None:
    tasks = {"gov_report": {"score": 24.0, "split": "test", "n": 500, "total": 500}}
    ranks = [rank_report({"score": None, "tasks": tasks, "benchmark": name}) for name in BENCHMARKS]
    assert rank_report({"score": None, "tasks": tasks}) == ranks[0] != ranks[1]
    with pytest.raises(UnknownBenchmark, match="did you mean 'scrolls'"):
        rank_report({"benchmark": "scroll", "score": None, "tasks": {}})
    with pytest.raises(UnknownTask, match="a task of zero_scrolls, another benchmark"):
        ranks_of("musique", benchmark="scrolls")


@given(score=st.floats(0, 100))
def test_any_score_of_any_task_has_a_rank(score: float) -> None:
    for benchmark in BENCHMARKS.values():
        for task in (*benchmark.all_tasks, AVERAGE):
            found = rank(find_scored(task, benchmark=benchmark.name), score)
            assert 1 <= found.rank <= found.of
            assert len(found.sentences) in (1, 2)
            assert found.rank >= rank(find_scored(task, benchmark=benchmark.name), min(100, score + 1)).rank
