"""The metric through `evaluate.load`, from the project's root: the same numbers as from Python."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from every_task import every_task
from shipped import as_shipped

from zs_metric import BENCHMARKS, TASKS, score_benchmark, score_task

Load = Callable[..., Any]
ANSWERS = ["B: 60%, 3, 1, 2", "A: 55%, 1, 2, 3", "C: 7%, 2, 3"]
REFERENCES = [["B: 60%, 3, 1, 2"], ["A: 60%, 1, 3, 2", "D: 10%, 3, 2, 1"], ["C: 40%, 1, 2, 3"]]


@every_task()
def test_each_task_returns_what_score_task_returns(load_metric: Load, benchmark: str, task: str) -> None:
    metrics = load_metric(task, benchmark=benchmark).compute(predictions=ANSWERS, references=REFERENCES)
    assert metrics == score_task(task, ANSWERS, REFERENCES, benchmark=benchmark).metrics


@every_task()
def test_each_task_can_show_every_answer_as_plain_data(load_metric: Load, benchmark: str, task: str) -> None:
    metric, expected = (
        load_metric(task, benchmark=benchmark),
        score_task(task, ANSWERS, REFERENCES, benchmark=benchmark),
    )
    metrics = metric.compute(predictions=ANSWERS, references=REFERENCES, per_example=True)
    assert metrics.pop("per_example") == [example.as_dict() for example in expected.examples]
    assert metrics == expected.metrics
    as_shipped(metrics)


def test_rouge_can_be_aggregated_per_instance(load_metric: Load) -> None:
    metric = load_metric("qmsum")
    metrics = metric.compute(predictions=ANSWERS, references=REFERENCES, rouge_aggregation="instance")
    assert metrics == score_task("qmsum", ANSWERS, REFERENCES, rouge_aggregation="instance").metrics


def test_answers_can_be_added_one_by_one_and_in_batches(qasper: Any) -> None:
    qasper.add(prediction=ANSWERS[0], reference=REFERENCES[0])
    qasper.add_batch(predictions=[], references=[])
    qasper.add_batch(predictions=ANSWERS[1:2], references=REFERENCES[1:2])
    qasper.add(predictions=ANSWERS[2], references=REFERENCES[2])
    assert qasper.compute() == score_task("qasper", ANSWERS, REFERENCES).metrics


def test_added_answers_are_scored_together_with_those_given_to_compute(qasper: Any) -> None:
    qasper.add_batch(predictions=ANSWERS[:1], references=REFERENCES[:1])
    metrics = qasper.compute(predictions=ANSWERS[1:], references=REFERENCES[1:])
    assert metrics == score_task("qasper", ANSWERS, REFERENCES).metrics


def test_one_reference_may_be_given_as_a_string(qasper: Any) -> None:
    assert qasper.compute(predictions=["cat"], references=["a cat"])["f1"] == 100
    qasper.add(prediction="cat", reference="a cat")
    qasper.add_batch(predictions=["cat"], references=[["dog", "cat"]])
    assert qasper.compute()["num_predicted"] == 2


@pytest.mark.parametrize("column", [tuple, iter, np.array, pd.Series], ids=repr)
def test_any_ordered_collection_is_a_column(qasper: Any, column: Any) -> None:
    assert qasper.compute(predictions=column(["a", "b"]), references=column(["b", "b"]))["f1"] == 50


def test_a_lone_surrogate_reaches_no_arrow_table(qasper: Any) -> None:
    metrics = qasper.compute(predictions=["caf\ud800"], references=[["caf\udfff"]], per_example=True)
    assert metrics["f1"] == 100
    assert metrics["per_example"][0]["parsed"] == "caf"


def test_it_works_in_memory_too(load_metric: Load) -> None:
    metric = load_metric("quality", keep_in_memory=True)
    with pytest.raises(ValueError, match=r"references\[0\]\[0\] cannot be read"):
        metric.compute(predictions=["A"], references=["none"])
    assert metric.compute(predictions=["A"], references=["A"])["accuracy"] == 100


def test_without_a_task_one_name_scores_all_answers(bare: Any) -> None:
    result = bare.compute(predictions=ANSWERS, references=REFERENCES, task="qmsum")
    expected = score_task("qmsum", ANSWERS, REFERENCES)
    assert result == {
        "zero_scrolls_score": None,
        "mean_of_tasks": round(expected.score, 4),
        "missing_tasks": [task for task in TASKS if task != "qmsum"],
        "tasks": {"qmsum": expected.metrics},
    }


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_without_a_task_each_answer_may_have_its_own_and_the_average_appears(load_metric: Load, benchmark: str) -> None:
    names, score_key = list(BENCHMARKS[benchmark].all_tasks), BENCHMARKS[benchmark].score_key
    rows = [(*row, task) for row in zip(ANSWERS, REFERENCES, strict=True) for task in reversed(names)]
    answers, references, tasks = map(list, zip(*rows, strict=True))
    options = {"rouge_aggregation": "instance"}
    metric = load_metric(benchmark=benchmark)
    result = metric.compute(predictions=answers, references=references, task=tasks, **options)
    expected = score_benchmark(dict.fromkeys(names, (ANSWERS, REFERENCES)), benchmark=benchmark, **options)
    assert expected.score is not None
    assert result[score_key] == result["mean_of_tasks"] == round(expected.score, 4)
    assert result["missing_tasks"] == []
    assert list(result["tasks"].items()) == [(name, task.metrics) for name, task in expected.tasks.items()]


def test_without_a_task_every_answer_can_be_shown_under_its_task(bare: Any) -> None:
    options = {"task": ("quality", "qasper", "quality"), "per_example": True}
    tasks = bare.compute(predictions=["A", "x", "B"], references=["A", "x", "C"], **options)["tasks"]
    assert [example["parsed"] for example in tasks["quality"]["per_example"]] == ["A", "B"]
    assert [example["score"] for example in tasks["qasper"]["per_example"]] == [100]
