"""The metric through `evaluate.load`, from the project's root: the numbers are those of Python, and what it refuses.

`evaluate` itself looks at the first row only and casts what it can to a text; nothing of that may get through.
"""

import math
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from every_task import every_scorer
from shipped import as_shipped

from zs_metric import score_benchmark, score_task
from zs_metric.tasks import METRIC_TABLES

Load = Callable[..., Any]
ANSWERS = ["B: 60%, 3, 1, 2", "A: 55%, 1, 2, 3", "C: 7%, 2, 3"]
REFERENCES = [["B: 60%, 3, 1, 2"], ["A: 60%, 1, 3, 2", "D: 10%, 3, 2, 1"], ["C: 40%, 1, 2, 3"]]


def refused(says: str, score: Callable[..., Any], **arguments: Any) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        score(**arguments)


@every_scorer()
def test_a_task_returns_what_score_task_returns_with_every_example_if_asked(
    load_metric: Load, benchmark: str, task: str
) -> None:
    metric = load_metric(task, benchmark=benchmark)
    for options in ({}, {"rouge_aggregation": "instance"}):
        expected = score_task(task, ANSWERS, REFERENCES, benchmark=benchmark, **options)
        assert metric.compute(predictions=ANSWERS, references=REFERENCES, **options) == expected.metrics
    metrics = metric.compute(predictions=ANSWERS, references=REFERENCES, per_example=True)
    as_shipped(metrics)
    assert metrics.pop("per_example") == [example.as_dict() for example in expected.examples]


def test_predictions_can_be_added_one_by_one_in_batches_and_with_compute(load_metric: Load) -> None:
    qasper = load_metric("qasper")
    expected = score_task("qasper", ANSWERS, REFERENCES).metrics
    qasper.add(prediction=ANSWERS[0], reference=REFERENCES[0])
    qasper.add_batch(predictions=[], references=[])
    qasper.add_batch(predictions=ANSWERS[1:2], references=REFERENCES[1:2])
    qasper.add(predictions=ANSWERS[2], references=REFERENCES[2])
    assert qasper.compute() == expected
    qasper.add_batch(predictions=ANSWERS[:1], references=REFERENCES[:1])
    assert qasper.compute(predictions=ANSWERS[1:], references=REFERENCES[1:]) == expected
    qasper.add(prediction="cat", reference="a cat")
    assert qasper.compute(predictions=["cat"], references=[["dog", "cat"]])["f1"] == 100
    for column in (tuple, iter, np.array, pd.Series):
        assert qasper.compute(predictions=column(["a", "b"]), references=column(["b", "b"]))["f1"] == 50
    metrics = qasper.compute(predictions=["caf\ud800"], references=[["caf\udfff"]], per_example=True)
    assert (metrics["f1"], metrics["per_example"][0]["parsed"]) == (100, "caf")


@pytest.mark.parametrize("benchmark", METRIC_TABLES)
def test_without_a_task_each_prediction_may_have_its_own_and_the_average_appears(
    load_metric: Load, benchmark: str
) -> None:
    names, score_key = list(METRIC_TABLES[benchmark].metrics), METRIC_TABLES[benchmark].score_key
    rows = [(*row, task) for row in zip(ANSWERS, REFERENCES, strict=True) for task in reversed(names)]
    answers, references, tasks = map(list, zip(*rows, strict=True))
    options = {"rouge_aggregation": "instance"}
    metric = load_metric(benchmark=benchmark)
    result = metric.compute(predictions=answers, references=references, task=tasks, per_example=True, **options)
    expected = score_benchmark(dict.fromkeys(names, (ANSWERS, REFERENCES)), benchmark=benchmark, **options)
    assert expected.score is not None
    assert result[score_key] == result["mean_of_tasks"] == round(expected.score, 4)
    assert result["missing_tasks"] == []
    assert list(result["tasks"].items()) == [
        (name, {**task.metrics, "per_example": [example.as_dict() for example in task.examples]})
        for name, task in expected.tasks.items()
    ]


def test_without_a_task_one_name_scores_all_and_what_is_no_task_is_refused(load_metric: Load) -> None:
    bare, expected = load_metric(), score_task("qmsum", ANSWERS, REFERENCES)
    for task, says in (
        (None, "the task is missing; load the metric with one, or give compute(task=…)"),
        ("qaspr", "no task 'qaspr'; did you mean 'qasper'?"),
        (["qasper", None, "qasper"], "no task None; the tasks are gov_report"),
        (["qasper"], "3 predictions and 1 tasks do not line up"),
        (7, "task is 7 (int), not a list"),
        (["musique", "qasper", "quality"], "references[2][0] cannot be read, it has no option letter A, B, C or D"),
    ):
        refused(says, bare.compute, predictions=["x"] * 3, references=["x"] * 3, task=task)
    assert bare.compute(predictions=ANSWERS, references=REFERENCES, task="qmsum") == {
        "zero_scrolls_score": None,
        "mean_of_tasks": round(expected.score, 4),
        "missing_tasks": [task for task in METRIC_TABLES["zero_scrolls"].averaged if task != "qmsum"],
        "tasks": {"qmsum": expected.metrics},
    }


def test_a_value_that_is_not_text_is_refused_with_its_position(load_metric: Load) -> None:
    qasper = load_metric("qasper")
    for value in (None, math.nan, 3, pd.NA, b"b"):
        for score in (qasper.compute, qasper.add_batch):
            refused(f"predictions[2] is {value!r}", score, predictions=["x", "x", value], references=["x"] * 3)
        refused(f"references[1][1] is {value!r}", qasper.compute, predictions=["x"] * 2, references=["x", ["x", value]])
        refused(f"references[0] is {value!r}", qasper.add, prediction="x", reference=value)
    refused("predictions[0] is ['a list']", qasper.compute, predictions=[["a list"]], references=["x"])


def test_what_cannot_be_scored_is_refused_and_the_same_object_scores_again(load_metric: Load) -> None:
    for task, predictions, references, says in (
        ("qasper", ["x", "x"], ["x"], "2 predictions and 1 references do not line up"),
        ("qasper", None, None, "there are no predictions to score"),
        ("qasper", ["x"], None, "references is None (NoneType), not a list of texts"),
        ("gov_report", ["x", "x"], ["x", []], "references[1] is an empty list; give at least one text"),
        ("quality", ["x", "x"], ["B", ["B", "b"]], "references[1][1] cannot be read, it has no option letter"),
    ):
        for options in ({}, {"keep_in_memory": True}):
            metric = load_metric(task, **options)
            for _ in range(2):
                refused(says, metric.compute, predictions=predictions, references=references)
                assert metric.compute(predictions=["B 4%, 1"], references=["B 4%, 1"])["num_predicted"] == 1
    files = []
    for reference in ("no letter", "B"):
        metric.add(prediction="B", reference=reference)
        files.append(metric.cache_file_name)
        if reference == "no letter":
            refused("cannot be read", metric.compute)
    assert files[0] == files[1], "an error leaves no lock on the file that evaluate writes"
    assert metric.compute()["accuracy"] == 100


def test_an_unknown_option_and_another_task_are_refused(load_metric: Load) -> None:
    qasper, texts = load_metric("qasper"), {"predictions": ["x"], "references": ["x"]}
    with pytest.raises(TypeError, match="per_exampel"):
        qasper.compute(**texts, per_exampel=True)
    refused("no rouge_aggregation 'mean'", qasper.compute, **texts, rouge_aggregation="mean")
    refused("loaded for 'qasper'; load it without a task", qasper.compute, **texts, task="musique")
    assert qasper.compute(**texts, task="qasper")["f1"] == 100
    with pytest.raises(ValueError, match="no task 'musique'; it is a task of zero_scrolls, another benchmark"):
        load_metric("musique", benchmark="scrolls")


def test_a_configuration_may_name_the_benchmark_and_what_is_unknown_is_refused_with_what_there_is(
    load_metric: Load,
) -> None:
    import evaluate

    own = load_metric("scrolls/qasper", benchmark="scrolls")
    assert (type(own).__name__, own.config_name) == ("Scrolls", "qasper")
    refused("no benchmark 'longbenhc'; ", load_metric, config_name="longbenhc/lcc")
    refused("installed by: zero-scrolls install-metric", load_metric, config_name="longbenhc/lcc")
    refused("a task of another benchmark is named with it: 'scrolls/qasper'", load_metric, config_name="hotpotqa")
    package = Path(__file__).parents[2] / "zs_metric"
    installed = Path(evaluate.config.HF_MODULES_CACHE, "evaluate_modules", "metrics", "evaluate-metric--scrolls")
    shutil.copytree(package, installed / ("0" * 64), ignore=shutil.ignore_patterns("__pycache__", "explain"))
    try:
        other = load_metric("scrolls/contract_nli", keep_in_memory=True)
        assert (type(other).__name__, other.config_name) == ("Scrolls", "contract_nli")
        assert other.compute(predictions=["entailment."], references=["Entailment"])["exact_match"] == 100
    finally:
        shutil.rmtree(installed)
