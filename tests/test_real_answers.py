"""Real model answers, scored by an independent scorer: the same scores here, to the last printed digit."""

import json
from pathlib import Path
from typing import Any

import pytest
from real_answers import REAL, WITHOUT

from zs_metric import TASKS, score_benchmark, score_task

ROOT = Path(__file__).parents[1]
SYSTEMS = ("one", "two")

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(
        not (REAL / "expected.json").is_file(),
        reason=WITHOUT,
    ),
]


def read_json(*path: str) -> Any:
    return json.loads(REAL.joinpath(*path).read_text(encoding="utf-8"))


def expected_of(system: str, task: str) -> dict[str, Any]:
    """What the independent scorer says: `score`, the ROUGE parts, `instance_mean`, and `per_example` by id."""
    expected = dict(read_json("expected.json")[system]["tasks"][task])
    assert expected["per_example"]
    return expected


def columns(system: str, task: str) -> tuple[list[str], list[list[str]]]:
    """Predictions and references in the order of the expected scores."""
    references: dict[str, list[str]] = {}
    for line in (REAL / "references" / f"{task}.jsonl").read_text(encoding="utf-8").split("\n"):
        if line:
            row = json.loads(line)
            references.setdefault(row["id"], []).append(row["output"])
    predictions = read_json(f"system_{system}", f"preds_{task}.json")
    ids = expected_of(system, task)["per_example"]
    return [predictions[i] for i in ids], [references[i] for i in ids]


def rounded(scores: list[float]) -> list[float]:
    return [round(score, 6) for score in scores]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("task", TASKS)
def test_the_task_score_and_its_rouge_parts_are_those_expected(system: str, task: str) -> None:
    expected, result = expected_of(system, task), score_task(task, *columns(system, task))
    assert round(result.score, 4) == result.metrics["zero_scrolls_score"] == expected["score"]
    parts = {key: value for key, value in expected.items() if key.startswith("rouge/")}
    assert len(parts) == (4 if TASKS[task].metric.name == "rouge" else 0)
    assert {key: result.metrics[key] for key in parts} == parts


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("task", [name for name, task in TASKS.items() if task.metric.name == "rouge"])
def test_the_instance_mean_is_the_one_expected(system: str, task: str) -> None:
    expected = expected_of(system, task)["instance_mean"]
    result = score_task(task, *columns(system, task), rouge_aggregation="instance")
    assert round(result.score, 4) == result.metrics["rouge/geometric_mean_instance"] == expected


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("task", TASKS)
def test_the_score_of_every_answer_is_the_one_expected(system: str, task: str) -> None:
    scores = [example.score for example in score_task(task, *columns(system, task)).examples]
    assert rounded(scores) == list(expected_of(system, task)["per_example"].values())


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_average_of_the_benchmark_is_the_one_expected(system: str) -> None:
    result = score_benchmark({task: columns(system, task) for task in TASKS})
    assert result.score is not None
    assert round(result.score, 4) == read_json("expected.json")[system]["zero_scrolls_score"]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("task", TASKS)
def test_evaluate_gives_the_same_for_one_task(system: str, task: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import evaluate

    monkeypatch.chdir(ROOT)
    predictions, references = columns(system, task)
    metric = evaluate.load("zs_metric/zero_scrolls.py", task)
    metrics = metric.compute(predictions=predictions, references=references, per_example=True)
    expected = expected_of(system, task)
    assert rounded([example["score"] for example in metrics["per_example"]]) == list(expected["per_example"].values())
    assert metrics["zero_scrolls_score"] == expected["score"]
    if TASKS[task].metric.name == "rouge":
        assert metrics["rouge/geometric_mean_instance"] == expected["instance_mean"]
    assert {**metrics, **{key: value for key, value in expected.items() if key.startswith("rouge/")}} == metrics


@pytest.mark.parametrize("system", SYSTEMS)
def test_evaluate_gives_the_same_for_the_benchmark(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import evaluate

    monkeypatch.chdir(ROOT)
    metric, tasks = evaluate.load("zs_metric/zero_scrolls.py"), []
    for task in TASKS:
        predictions, references = columns(system, task)
        metric.add_batch(predictions=predictions, references=references)
        tasks += [task] * len(predictions)
    result = metric.compute(task=tasks)
    assert result["zero_scrolls_score"] == read_json("expected.json")[system]["zero_scrolls_score"]
    assert {task: metrics["zero_scrolls_score"] for task, metrics in result["tasks"].items()} == {
        task: expected_of(system, task)["score"] for task in TASKS
    }
