"""Where a report ranks among the published results of its benchmark."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_bench.benchmarks import BENCHMARKS
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.published import (
    AVERAGE,
    FEW,
    ReportRanks,
    fewest_examples,
    find_scored,
    marks,
    published_beside,
    rank,
    rank_report,
)
from zs_metric import UnknownBenchmark, UnknownTask

ENDS = {"low": 21.0, "high": 39.0}


def ranks_of(*tasks: str, score: float | None = 30.0, benchmark: str = "zero_scrolls", **more: Any) -> ReportRanks:
    """The ranks of a report with that score on each of the tasks, on the test split unless said otherwise."""
    task = {"score": score, "split": "test", "n": 11_000, "total": 11_000, **more}
    whole = set(BENCHMARKS[benchmark].tasks) <= set(tasks)
    report = {"score": score if whole else None, "tasks": dict.fromkeys(tasks, task), "benchmark": benchmark}
    return rank_report({**report, "interval": more.get("interval")})


ZERO, SCROLLS = "zero_scrolls", "scrolls"
ABOVE, BEST = "would be rank", "the best published is"


def test_a_score_gets_its_rank_after_that_it_is_not_above_the_naive_answers() -> None:
    for benchmark, task, score, sentences in (
        (ZERO, "space_digest", 41.2, ["SpaceDigest 41.2 is below always answering 50% (45.0).", ABOVE]),
        (ZERO, "space_digest", 44.96, ["SpaceDigest 45.0 is no better than always answering 50% (45.0).", ABOVE]),
        (ZERO, AVERAGE, 9.0, ["ZeroSCROLLS average 9.0 is below the naive answers, given without reading ", ABOVE]),
        (SCROLLS, "gov_report", 20.0, ["GovReport 20.0 is below the paper's naive baseline (25.6).", ABOVE]),
        (SCROLLS, AVERAGE, 19.341, ["SCROLLS average 19.34 is below the paper's naive baseline (19.35).", ABOVE]),
        (ZERO, "space_digest", 61.7, [f"SpaceDigest 61.7 {ABOVE} 2 of 10; {BEST} GPT-4 (v0314), 62.8; human: 93.3."]),
        (ZERO, "gov_report", 50, [f"GovReport 50.0 {ABOVE} 1 of 11; {BEST} CoLT5-xl, fine-tuned, 41.0."]),
        (SCROLLS, AVERAGE, 29.1, [f"SCROLLS average 29.10 {ABOVE} 8 of 13; {BEST} CoLT5-xl, "]),
    ):
        said = rank(find_scored(task, benchmark=benchmark), score).sentences
        assert said[0].startswith(f"Your {sentences[0]}")
        assert [ABOVE in sentence for sentence in said[1:]] == [True] * (len(sentences) - 1)


def test_equal_numbers_share_a_rank_after_rounding_to_the_published_decimals() -> None:
    for task, benchmark, scores, ranks in (
        ("quality", ZERO, (84.85, 84.76, 84.74, 84.6), [2, 2, 3, 3]),
        (AVERAGE, SCROLLS, (29.156, 29.154, 29.006, 29.004), [7, 8, 8, 9]),
    ):
        assert [rank(find_scored(task, benchmark=benchmark), score).rank for score in scores] == ranks


def test_only_a_report_of_all_tasks_on_one_split_has_a_rank_of_its_average() -> None:
    assert list(ranks_of(*TASKS).tasks) == [*TASKS, AVERAGE]
    assert list(ranks_of("qasper", "musique").tasks) == ["qasper", "musique"]
    assert ranks_of(*TASKS).warnings == (), "a complete report on the test split"
    assert ranks_of("qasper", score=None, split=None) == ReportRanks({}, (), {}), "a refused task"
    tasks = {name: {"score": 30.0, "split": "test", "n": 500, "total": 500} for name in TASKS}
    tasks["qasper"]["split"] = "validation"
    ranked = rank_report({"score": 30.0, "tasks": tasks}).tasks
    assert {name: ranked[name].split for name in ranked} == {name: tasks[name]["split"] for name in TASKS}


def test_a_validation_report_is_ranked_among_validation_rows_with_its_interval() -> None:
    ranks = ranks_of(*TASKS, split="validation", n=20, total=20, interval=ENDS)
    (warning,), (sentence,) = ranks.warnings, ranks.tasks["qasper"].sentences
    assert warning == (
        "A task has 10 to 28 questions in the validation split: the 95 % intervals of yours are 18.0 to 18.0 points "
        "wide, and published scores are of as few questions."
    )
    assert sentence == (
        "Your Qasper 30.0 would be rank 12 of 33 on the validation split (rank 6 to 27 within its 95 % interval, 21.0 "
        "to 39.0); the best published is GPT-4, 50.5."
    )
    assert "human" not in "".join(ranks.tasks["space_digest"].sentences), "these are on the test split"
    average = ranks.tasks[AVERAGE]
    assert (average.split, average.systems) == ("validation", 23), "the eight-task averages of qTTT are not among them"
    assert "(rank 1 to 17 within" in average.sentences[-1]
    assert "within" not in "".join(ranks_of("qasper", interval=ENDS).tasks["qasper"].sentences)
    systems = rank(find_scored("squality"), 30.0, split="validation").systems
    assert systems == ranks.tasks["qasper"].systems - 6, "Llama 3's paper has ROUGE-L"


NO_SPLIT = "Not ranked, because the references do not say which split they are: Qasper."
TRAIN = "Not ranked, because no system was published on the train split: QuALITY, MuSiQue."
INSTANCE = "Not ranked, because published ROUGE numbers use the aggregation “corpus”: QMSum."
PARTIAL = "Some answers are missing for QuALITY; published numbers are on all examples."
WHOLE = {"score": 1.0, "n": 500, "total": 500, "split": "test"}


def test_what_cannot_be_ranked_is_named_with_the_reason() -> None:
    for tasks, more, ranked, warning in (
        ({"qasper": {"split": None, "n": 28}}, {}, [], NO_SPLIT),
        ({"qasper": {}, **{key: {"split": "train"} for key in ("quality", "musique")}}, {}, ["qasper"], TRAIN),
        ({"qmsum": {}, "quality": {}}, {"rouge_aggregation": "instance"}, ["quality"], INSTANCE),
        ({"qasper": {"split": "validation", "n": 9}}, {}, [], f"{FEW}: Qasper (9)."),
        ({"qasper": {"n": 499}}, {}, [], f"{FEW}: Qasper (499)."),
        ({"qasper": {"split": None, "n": 2}}, {}, [], f"{FEW}: Qasper (2)."),
        ({key: {"n": 2} for key in list(TASKS)[:4]}, {}, [], f"{FEW}: 4 tasks."),
        ({"qasper": {"score": None, "split": None}, "quality": {}}, {}, ["quality"], None),
        ({"quality": {"total": 501}}, {}, ["quality"], PARTIAL),
    ):
        rows = {name: {**WHOLE, **task} for name, task in tasks.items()}
        ranks = rank_report({"score": None, "tasks": rows, **more})
        assert list(ranks.tasks) == ranked
        assert list(ranks.apart) == [name for name in rows if name not in ranked and rows[name]["score"] is not None]
        assert ranks.warnings == (() if warning is None else (warning,))


def test_as_many_examples_as_the_split_has_are_enough_and_scrolls_has_no_system_on_validation() -> None:
    for split, enough in (("validation", 10), ("test", 500)):
        assert {"qasper", AVERAGE} <= set(ranks_of(*TASKS, split=split, n=enough, total=enough).tasks)
    assert fewest_examples(TASKS["qasper"], None) == 10
    for name, task in BENCHMARKS[SCROLLS].tasks.items():
        size = fewest_examples(task, "validation")
        ranks = ranks_of(name, benchmark=SCROLLS, split="validation", n=size, total=size)
        assert ranks.apart == {name: "Not ranked, because no system was published on the validation split"}


def test_published_averages_stand_beside_as_many_answers_as_the_split_has_and_what_they_do_not_share_is_said() -> None:
    task, human = TASKS["quality"], marks(TASKS["quality"])["human"]
    for answered, split, aggregation, apart in (
        (500, "test", "corpus", ""),
        (21, "validation", "corpus", "other questions than these"),
        (21, None, "corpus", "perhaps other questions than these, whose split is not known"),
        (500, "test", "instance", ""),  # which is of ROUGE
    ):
        beside = published_beside(task, answered=answered, split=split, aggregation=aggregation)
        assert (beside.points["human"], beside.apart) == (human, apart)
    beside = published_beside(TASKS["qmsum"], answered=281, split="test", aggregation="instance")
    assert (bool(beside.points), beside.apart) == (True, "by the aggregation “corpus”")
    for answered, split in ((499, "test"), (fewest_examples(task, "validation") - 1, "validation"), (500, "examples")):
        assert published_beside(task, answered=answered, split=split).points == {}


def test_a_report_is_ranked_in_its_own_benchmark() -> None:
    tasks = {"gov_report": {"score": 24.0, "split": "test", "n": 500, "total": 500}}
    ranks = [
        rank_report({"score": None, "tasks": tasks, "benchmark": name})
        for name in BENCHMARKS
        if "gov_report" in BENCHMARKS[name].tasks
    ]
    assert rank_report({"score": None, "tasks": tasks}) == ranks[0] != ranks[1]
    with pytest.raises(UnknownBenchmark, match="did you mean 'scrolls'"):
        rank_report({"benchmark": "scroll", "score": None, "tasks": {}})
    with pytest.raises(UnknownTask, match="a task of zero_scrolls and of longbench, other benchmarks"):
        ranks_of("musique", benchmark=SCROLLS)


@given(score=st.floats(0, 100))
def test_any_score_of_any_task_has_a_rank(score: float) -> None:
    for benchmark in BENCHMARKS.values():
        for task in (*benchmark.all_tasks, AVERAGE):
            scored = find_scored(task, benchmark=benchmark.name)
            ranked = rank(scored, score)
            assert 1 <= ranked.rank <= ranked.systems
            assert ranked.rank >= rank(scored, min(100, score + 1)).rank


def test_what_is_scored_on_the_examples_of_the_package_is_not_ranked_and_says_so() -> None:
    ranks = ranks_of("qasper", "quality", split="examples", n=2, total=2)
    assert (ranks.tasks, ranks.warnings) == (
        {},
        ("Not ranked, because the examples were written for this package: Qasper, QuALITY.",),
    )
