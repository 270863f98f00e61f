"""What holds for the scorer of every task."""

import json
from itertools import permutations

import pytest

from zs_metric import TASKS, ExampleResult, score_example

READABLE = {"quality": "B", "space_digest": "60%", "book_sum_sort": "1, 2, 3"}
TASK_NAMES = list(TASKS)


def scored(task: str, prediction: str, *references: str) -> ExampleResult:
    return score_example(task, prediction, references)


@pytest.mark.parametrize("task", TASK_NAMES)
@pytest.mark.parametrize("prediction", ["", " \n\t"])
def test_an_empty_answer_scores_0_and_is_called_empty(task: str, prediction: str) -> None:
    result = scored(task, prediction, READABLE.get(task, "some words"))
    assert (result.score, result.parsed, result.reason) == (0, None, "the answer is empty")


@pytest.mark.parametrize("task", TASK_NAMES)
def test_a_fully_earned_score_needs_no_reason(task: str) -> None:
    reference = READABLE.get(task, "some words")
    assert (scored(task, reference, reference).score, scored(task, reference, reference).reason) == (100, None)


@pytest.mark.parametrize("task", TASK_NAMES)
def test_every_result_can_be_written_as_json(task: str) -> None:
    data = scored(task, "B 60% 2, 1, 3 some words", READABLE.get(task, "some words")).as_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert {"score", "parsed", "reason"} <= set(data)


def test_a_result_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        scored("quality", "B", "B").score = 100.0  # type: ignore[misc]


@pytest.mark.parametrize("task", TASK_NAMES)
def test_the_best_reference_counts_in_any_order(task: str) -> None:
    answer = {"quality": "C", "space_digest": "42%", "book_sum_sort": "3, 2, 1"}.get(task, "many kind words")
    references = [READABLE.get(task, "no such thing"), answer, {"quality": "D"}.get(task, "7% off")]
    assert {scored(task, answer, *order).score for order in permutations(references)} == {100}


@pytest.mark.parametrize("task", TASK_NAMES)
def test_the_first_of_equal_references_is_named(task: str) -> None:
    reference = READABLE.get(task, "some words")
    result = scored(task, reference, reference, reference)
    named = {part.best_reference for part in result.rouge.values()} if result.rouge else {result.best_reference}
    assert named == {0}
