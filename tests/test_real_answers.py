"""Real model answers, scored by an independent scorer: the same scores here, to the last printed digit."""

import json
from pathlib import Path
from typing import Any

import pytest
from real_answers import REAL, WITHOUT

from zs_metric import TASKS, score_benchmark

pytestmark = [pytest.mark.real, pytest.mark.skipif(not (REAL / "expected.json").is_file(), reason=WITHOUT)]
each_system = pytest.mark.parametrize("system", ["one", "two"])


def read_json(*path: str) -> Any:
    return json.loads(REAL.joinpath(*path).read_text(encoding="utf-8"))


def columns(system: str, task: str) -> tuple[list[str], list[list[str]]]:
    """Predictions and references in the order of the expected scores."""
    references: dict[str, list[str]] = {}
    for line in (REAL / "references" / f"{task}.jsonl").read_text(encoding="utf-8").split("\n"):
        if line:
            row = json.loads(line)
            references.setdefault(row["id"], []).append(row["output"])
    predictions = read_json(f"system_{system}", f"preds_{task}.json")
    ids = read_json("expected.json")[system]["tasks"][task]["per_example"]
    return [predictions[i] for i in ids], [references[i] for i in ids]


@each_system
def test_every_score_is_the_one_expected(system: str) -> None:
    expected, texts = read_json("expected.json")[system], {task: columns(system, task) for task in TASKS}
    corpus = score_benchmark(texts)
    instance = score_benchmark(texts, rouge_aggregation="instance")
    assert corpus.score is not None
    assert round(corpus.score, 4) == expected["zero_scrolls_score"]
    for name, task in expected["tasks"].items():
        result = corpus.tasks[name]
        assert round(result.score, 4) == result.metrics["zero_scrolls_score"] == task["score"]
        assert [round(example.score, 6) for example in result.examples] == list(task["per_example"].values())
        parts = {key: value for key, value in task.items() if key.startswith("rouge/")}
        assert len(parts) == (4 if TASKS[name].metric.name == "rouge" else 0)
        assert {key: result.metrics[key] for key in parts} == parts
        if parts:
            mean = round(instance.tasks[name].score, 4)
            assert mean == result.metrics["rouge/geometric_mean_instance"] == task["instance_mean"]


@each_system
def test_evaluate_gives_the_same(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import evaluate

    monkeypatch.chdir(Path(__file__).parents[1])
    metric, tasks = evaluate.load("zs_metric/zero_scrolls.py"), []
    for task in TASKS:
        predictions, references = columns(system, task)
        metric.add_batch(predictions=predictions, references=references)
        tasks += [task] * len(predictions)
    result, expected = metric.compute(task=tasks), read_json("expected.json")[system]
    assert result["zero_scrolls_score"] == expected["zero_scrolls_score"]
    scores = {task: metrics["zero_scrolls_score"] for task, metrics in result["tasks"].items()}
    assert scores == {task: expected["tasks"][task]["score"] for task in TASKS}
