"""Properties of the scorer of every task."""

from itertools import permutations

import pytest
from every_task import every_task, metric_of
from shipped import as_shipped

from zs_metric import ExampleResult, score_example

READABLE = {"accuracy": "B", "exp_similarity": "60%", "concordance_index": "1, 2, 3"}


def scored(benchmark: str, task: str, prediction: str, *references: str) -> ExampleResult:
    return score_example(task, prediction, references, benchmark=benchmark)


def readable(benchmark: str, task: str) -> str:
    return READABLE.get(metric_of(benchmark, task), "some words")


@every_task()
@pytest.mark.parametrize("prediction", ["", " \n\t"])
def test_an_empty_answer_scores_0_and_is_called_empty(benchmark: str, task: str, prediction: str) -> None:
    result = scored(benchmark, task, prediction, readable(benchmark, task))
    assert (result.score, result.parsed, result.reason) == (0, None, "the answer is empty")


@every_task()
def test_a_fully_earned_score_needs_no_reason(benchmark: str, task: str) -> None:
    result = scored(benchmark, task, readable(benchmark, task), readable(benchmark, task))
    assert (result.score, result.reason) == (100, None)


@every_task()
def test_every_result_can_be_written_as_json(benchmark: str, task: str) -> None:
    data = scored(benchmark, task, "B 60% 2, 1, 3 some words", readable(benchmark, task)).as_dict()
    assert as_shipped(data) == data
    assert {"score", "parsed", "reason"} <= set(data)


def test_a_result_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        scored("zero_scrolls", "quality", "B", "B").score = 100.0  # type: ignore[misc]


@every_task()
def test_the_best_reference_counts_in_any_order(benchmark: str, task: str) -> None:
    metric = metric_of(benchmark, task)
    answers = {"accuracy": "C", "exp_similarity": "42%", "concordance_index": "3, 2, 1"}
    answer = answers.get(metric, "many kind words")
    references = [READABLE.get(metric, "no such thing"), answer, {"accuracy": "D"}.get(metric, "7% off")]
    assert {scored(benchmark, task, answer, *order).score for order in permutations(references)} == {100}


@every_task()
def test_the_first_of_equal_references_is_named(benchmark: str, task: str) -> None:
    reference = readable(benchmark, task)
    result = scored(benchmark, task, reference, reference, reference)
    named = {part.best_reference for part in result.rouge.values()} if result.rouge else {result.best_reference}
    assert named == {0}
