"""Where a report stands among the published results, and MuSiQue's two halves."""

from pathlib import Path
from typing import Any

import pytest

from zs_bench.results.caveats import HALF_WIDTH, VALIDATION_QUESTIONS
from zs_bench.results.published import AVERAGE
from zs_bench.results.standing import Standing, musique_split, standing, task_standing
from zs_metric import TASKS, LengthMismatch, UnknownTask, score_task

SPECIFICATION = Path(__file__).parents[2].parent / "shared" / "spec" / "benchmark.md"


def stood(*tasks: str, score: float | None = 30.0, **more: Any) -> Standing:
    """The standing of a report with that score on each of the tasks, on the test split unless said otherwise."""
    found = {"score": score, "split": "test", "n": 500, "total": 500, **more}
    return standing({"score": score if len(tasks) == 10 else None, "tasks": dict.fromkeys(tasks, found)})


@pytest.mark.parametrize(
    ("task", "score", "sentence"),
    [
        ("space_digest", 41.2, "Your SpaceDigest 41.2 is below always answering 50% (45.0)."),
        ("space_digest", 44.96, "Your SpaceDigest 45.0 is no better than always answering 50% (45.0)."),
        ("musique", 12.0, "Your MuSiQue 12.0 is below always answering “Unanswerable” (20.0)."),
        ("quality", 25.0, "Your QuALITY 25.0 is below a random letter (26.6)."),
        ("gov_report", 0.0, "Your GovReport 0.0 is below a random span of 500 words (22.6)."),
        ("book_sum_sort", 4.0, "Your BookSumSort 4.0 is below leaving the summaries in the order given (50.0)."),
        (AVERAGE, 9.0, "Your average 9.0 is below the naive answers, which take no reading (19.6)."),
    ],
)
def test_a_score_below_the_naive_answers_is_told_so_first(task: str, score: float, sentence: str) -> None:
    assert task_standing(task, score).sentences[0] == sentence


def test_a_score_above_the_naive_answers_is_told_its_rank_only() -> None:
    assert task_standing("space_digest", 61.7).sentences == (
        "Your SpaceDigest 61.7 would be rank 2 of 10; the best published is GPT-4 (v0314), 62.8; people reach 93.3.",
    )
    assert task_standing("gov_report", 50).sentences == (
        "Your GovReport 50.0 would be rank 1 of 11; the best published is CoLT5-xl, fine-tuned, 41.0.",
    )


def test_equal_numbers_share_a_rank_after_rounding_to_the_published_decimal() -> None:
    ranks = [task_standing("quality", score).rank for score in (84.85, 84.76, 84.74, 84.6)]
    assert ranks == [2, 2, 3, 3]


def test_the_ends_of_the_scale_are_the_first_and_the_last_rank() -> None:
    for task in (*TASKS, AVERAGE):
        best, worst = task_standing(task, 100.0), task_standing(task, 0.0)
        assert best.rank == 1
        assert worst.of - worst.rank <= 1  # T0pp has 0.0 on BookSumSort
        assert (worst.below_naive, best.below_naive, worst.above_human) == (True, False, False)
        assert best.above_human == (best.marks["human"] is not None)


def test_only_a_report_of_all_ten_tasks_has_a_standing_of_its_average() -> None:
    assert list(stood(*TASKS).tasks) == [*TASKS, AVERAGE]
    assert list(stood("qasper", "musique").tasks) == ["qasper", "musique"]


def test_a_refused_task_has_no_standing() -> None:
    assert stood("qasper", score=None, split=None) == Standing({}, ())


def test_a_complete_report_on_the_test_split_needs_no_warning() -> None:
    assert stood(*TASKS).warnings == ()


def test_a_validation_report_is_warned_that_published_numbers_are_on_test_and_how_wide_its_interval_is() -> None:
    split, interval = stood(*TASKS, split="validation", n=20, total=20).warnings
    assert split == "Published numbers are on the test split, yours on the validation split."
    assert interval == (
        "A task has 10 to 28 questions in the validation split, so that the 95 % interval of its score reaches about "
        "±9 to ±18 points: a smaller difference says nothing."
    )


def test_two_examples_are_said_to_be_fewer_still() -> None:
    last = stood("qasper", split="validation", n=2, total=2).warnings[-1]
    assert last.endswith("A task here has 2, and its interval is wider still.")


def test_a_split_that_is_not_known_is_said_not_to_be_known() -> None:
    first = "Published numbers are on the test split; on which split yours are is not known."
    assert stood("qasper", split=None).warnings == (first,)
    few = stood("qasper", split=None, n=28, total=28).warnings
    assert few[0] == first
    assert few[1].startswith("A task has 10 to 28 questions in the validation split")


def test_tasks_on_other_splits_than_the_rest_are_named() -> None:
    found = {"score": 1.0, "n": 500, "total": 500}
    splits = {"qasper": "test", "quality": "train", "musique": "train"}
    report = {"score": None, "tasks": {task: {**found, "split": split} for task, split in splits.items()}}
    assert standing(report).warnings == (
        "Published numbers are on the test split, yours for QuALITY, MuSiQue on the train split.",
    )


def test_a_partial_score_is_not_one_of_like_with_like() -> None:
    sentence = "Not all answers are there for QuALITY; published numbers are on all examples."
    assert stood("quality", n=499).warnings == (sentence,)


def test_another_rouge_aggregation_is_named() -> None:
    found = {"score": 20.0, "split": "test", "n": 500, "total": 500}
    report = {"score": None, "rouge_aggregation": "instance", "tasks": {"qmsum": found, "quality": found}}
    sentence = "Published ROUGE numbers use the aggregation “corpus”; yours for QMSum do not."
    assert standing(report).warnings == (sentence,)


def test_the_rough_interval_is_the_specifications() -> None:
    if not SPECIFICATION.exists():
        pytest.skip("the specification does not lie beside this checkout")
    (few, many), (low, high) = VALIDATION_QUESTIONS, HALF_WIDTH
    said = f"Validation numbers rest on {few} to {many} questions a task (95 % interval about ±{low} to ±{high} points)"
    assert said in SPECIFICATION.read_text(encoding="utf-8")


def test_an_unknown_task_has_no_standing() -> None:
    with pytest.raises(UnknownTask, match="did you mean 'gov_report'"):
        task_standing("govreport", 1.0)


def test_musique_is_split_by_whether_a_reference_normalises_to_unanswerable() -> None:
    references = [["Paris"], ["Unanswerable."], ["Rome", "The Rome"], ["n/a", "unanswerable"]]
    result = score_task("musique", ["Paris", "unanswerable", "Oslo", "Rome"], references)
    assert musique_split(["a", "b", "c", "d"], references, result.examples) == {
        "answerable": {"score": 50.0, "n": 2, "ids": ["a", "c"]},
        "unanswerable": {"score": 50.0, "n": 2, "ids": ["b", "d"]},
    }


def test_the_two_parts_of_musique_weighed_by_their_size_are_the_whole() -> None:
    references = [["one two"], ["unanswerable"], ["three"]]
    result = score_task("musique", ["one", "unanswerable", "three four"], references)
    parts = musique_split(["a", "b", "c"], references, result.examples).values()
    assert sum(part["score"] * part["n"] for part in parts) / 3 == pytest.approx(result.score)


def test_a_part_without_questions_has_no_score() -> None:
    references = [["Paris"]]
    parts = musique_split(["a"], references, score_task("musique", ["Paris"], references).examples)
    assert parts["unanswerable"] == {"score": None, "n": 0, "ids": []}


def test_musiques_columns_must_line_up() -> None:
    with pytest.raises(LengthMismatch, match="2 ids and 1 references and 0 examples"):
        musique_split(["a", "b"], [["Paris"]], [])
