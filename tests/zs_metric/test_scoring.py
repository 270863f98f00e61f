"""One task, and the benchmark: the released key set, what is rounded, what is missing."""

from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd
import pytest
from every_task import every_task

from zs_metric import (
    BENCHMARKS,
    TASKS,
    EmptyInput,
    TaskResult,
    UnknownTask,
    ZeroScrollsError,
    score_benchmark,
    score_task,
)
from zs_metric.tasks import Task

COUNTS = {"num_predicted", "mean_prediction_length_characters", "display_keys", "display"}
ROUGE_TYPES = ["rouge/rouge1", "rouge/rouge2", "rouge/rougeL"]
ROUGE = {*ROUGE_TYPES, "rouge/geometric_mean", "rouge/geometric_mean_instance"}
ANSWERS = ["B: 60%, 3, 1, 2", "A: 55%, 1, 2, 3", "C: 7%, 2, 3"]
REFERENCES = [["B: 60%, 3, 1, 2"], ["A: 60%, 1, 3, 2", "D: 10%, 3, 2, 1"], ["C: 40%, 1, 2, 3"]]


def scored(task: str, **options: str) -> TaskResult:
    return score_task(task, ANSWERS, REFERENCES, **options)


def known_of(benchmark: str, task: str) -> tuple[Task, str]:
    """The task as the table has it, and the key of its benchmark's score."""
    return BENCHMARKS[benchmark].all_tasks[task], BENCHMARKS[benchmark].score_key


@every_task()
def test_a_task_returns_the_released_key_set_and_nothing_else(benchmark: str, task: str) -> None:
    metrics, known, score_key = scored(task, benchmark=benchmark).metrics, *known_of(benchmark, task)
    assert set(metrics) == COUNTS | {score_key} | (ROUGE if known.metric.name == "rouge" else {known.metric.name})
    assert metrics["display_keys"] == (ROUGE_TYPES if known.metric.name == "rouge" else [known.metric.name])
    assert metrics["display"] == [metrics[key] for key in metrics["display_keys"]]
    assert metrics[score_key] == (None if task == "quality_hard" else metrics[known.metric.score_key])
    assert (metrics["num_predicted"], metrics["mean_prediction_length_characters"]) == (3, 13.6667)


@every_task()
def test_only_the_released_keys_are_rounded_and_to_4_places(benchmark: str, task: str) -> None:
    result = scored(task, benchmark=benchmark)
    assert result.metrics[BENCHMARKS[benchmark].all_tasks[task].metric.score_key] == round(result.score, 4)
    numbers = [value for value in result.metrics.values() if isinstance(value, float)]
    assert numbers == [round(number, 4) for number in numbers]


def test_the_score_itself_is_not_rounded_and_no_mean_is_taken_over_rounded_numbers() -> None:
    result = score_task("qasper", ["a cat sat"] * 3, ["cat", "cat sat", "cat sat down"])
    assert result.score == pytest.approx(100 * (2 / 3 + 1 + 4 / 5) / 3, rel=1e-15)
    assert result.score != round(result.score, 4)


@every_task()
def test_the_results_of_the_answers_stand_in_the_order_given(benchmark: str, task: str) -> None:
    forth = scored(task, benchmark=benchmark)
    back = score_task(task, ANSWERS[::-1], REFERENCES[::-1], benchmark=benchmark)
    assert (forth.benchmark, forth.task, len(forth.examples)) == (benchmark, task, 3)
    assert forth.examples == back.examples[::-1]
    assert forth.score == back.score


@every_task(metrics=["f1", "accuracy", "exp_similarity", "concordance_index", "exact_match"])
def test_a_task_without_rouge_is_the_mean_of_its_answers_in_both_aggregations(benchmark: str, task: str) -> None:
    result = scored(task, benchmark=benchmark)
    assert result.score == pytest.approx(fmean(example.score for example in result.examples))
    assert scored(task, rouge_aggregation="instance", benchmark=benchmark) == result


def test_corpus_rouge_is_the_mean_per_type_and_then_the_root() -> None:
    result = scored("qmsum")
    parts = [example.rouge for example in result.examples]
    means = [fmean(part[name].fmeasure for part in parts if part) for name in ("rouge1", "rouge2", "rougeL")]
    assert result.score == pytest.approx(np.prod(means) ** (1 / 3))
    assert result == scored("qmsum", rouge_aggregation="corpus")


def test_instance_rouge_changes_the_score_and_no_other_key() -> None:
    corpus, instance = scored("qmsum"), scored("qmsum", rouge_aggregation="instance")
    assert instance.score == pytest.approx(fmean(example.score for example in instance.examples))
    assert instance.metrics["zero_scrolls_score"] == instance.metrics["rouge/geometric_mean_instance"]
    assert corpus.score != instance.score
    assert {**corpus.metrics, "zero_scrolls_score": round(instance.score, 4)} == instance.metrics


def test_one_answer_scores_the_same_in_both_aggregations() -> None:
    results = [
        score_task("qmsum", ["one two"], ["one two six"], rouge_aggregation=how) for how in ("corpus", "instance")
    ]
    assert results[0].score == results[1].score


def test_an_unknown_rouge_aggregation_is_refused_with_the_two_there_are() -> None:
    with pytest.raises(ZeroScrollsError, match="no rouge_aggregation 'mean'; it is 'corpus' or 'instance'"):
        scored("qasper", rouge_aggregation="mean")


def test_one_reference_may_be_given_as_a_string() -> None:
    as_string = score_task("qasper", ["cat", "dog"], ["cat", ["cat", "dog"]])
    assert as_string == score_task("qasper", ["cat", "dog"], [["cat"], ["cat", "dog"]])


@pytest.mark.parametrize(
    "column",
    [tuple, iter, np.array, pd.Series, lambda rows: dict(enumerate(rows)).values()],
    ids=["tuple", "iter", "array", "series", "view"],
)
def test_any_ordered_collection_is_a_column(column: Any) -> None:
    assert score_task("quality", column(["A", "B"]), column(["A", "C"])).score == 50


@pytest.mark.parametrize("collection", [tuple, iter, set, np.array, pd.Series], ids=repr)
def test_any_collection_of_texts_holds_references(collection: Any) -> None:
    assert score_task("quality", ["B"], [collection(["A", "B"])]).score == 100


def test_a_lone_surrogate_changes_no_score_and_is_replaced() -> None:
    result = score_task("qmsum", ["one \ud800two"], ["one two\udfff"])
    assert (result.score, result.examples[0].parsed) == (100, "one \ufffdtwo")


def every_task(*left_out: str) -> dict[str, tuple[Any, Any]]:
    return {task: (ANSWERS, REFERENCES) for task in reversed(list(TASKS)) if task not in left_out}


def test_the_benchmark_score_is_the_plain_mean_of_the_ten_task_scores() -> None:
    result = score_benchmark(every_task())
    assert result.score == result.mean_of_tasks == pytest.approx(fmean(scored(task).score for task in TASKS))
    assert list(result.tasks) == list(TASKS)
    assert result.missing_tasks == []
    assert result.tasks["qmsum"] == scored("qmsum")


@pytest.mark.parametrize("left_out", [["squality"], ["musique", "gov_report", "quality"], list(TASKS)[1:]])
def test_without_all_ten_tasks_there_is_a_mean_but_no_score_and_the_missing_stand_in_order(left_out: list[str]) -> None:
    result = score_benchmark(every_task(*left_out))
    assert result.score is None
    assert result.mean_of_tasks == pytest.approx(fmean(task.score for task in result.tasks.values()))
    assert result.missing_tasks == sorted(left_out, key=list(TASKS).index)


def test_the_benchmark_can_be_read_per_instance() -> None:
    corpus, instance = (score_benchmark(every_task(), rouge_aggregation=how) for how in ("corpus", "instance"))
    assert instance.tasks["qmsum"] == scored("qmsum", rouge_aggregation="instance")
    assert corpus.score != instance.score


def test_no_task_at_all_is_refused() -> None:
    with pytest.raises(EmptyInput, match="there are no tasks to score"):
        score_benchmark({})


def test_an_unknown_task_is_refused_before_anything_is_scored() -> None:
    with pytest.raises(UnknownTask, match="no task 'govreport'; did you mean 'gov_report'"):
        score_benchmark({"qasper": ([None], [None]), "govreport": (ANSWERS, REFERENCES)})  # type: ignore[list-item]


def test_an_error_in_the_benchmark_names_the_task() -> None:
    with pytest.raises(ZeroScrollsError, match=r"^quality: references\[1\]\[0\] cannot be read.*'no letter'"):
        score_benchmark({"quality": (["A", "B"], ["A", "no letter"])})
