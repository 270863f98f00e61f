"""Real model answers, scored by an independent scorer: the same scores here, to the last printed digit."""

import json
from pathlib import Path
from typing import Any

import pytest
from real_answers import REAL, WITHOUT

from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_metric import score_benchmark

pytestmark = [pytest.mark.real, pytest.mark.skipif(not (REAL / "expected.json").is_file(), reason=WITHOUT)]


@pytest.fixture(scope="module", params=["one", "two"])
def expected(request: pytest.FixtureRequest) -> Any:
    """The scores that are expected of a system."""
    return {**json.loads((REAL / "expected.json").read_text(encoding="utf-8"))[request.param], "system": request.param}


@pytest.fixture(scope="module")
def columns(expected: Any) -> dict[str, tuple[list[str], list[list[str]]]]:
    """By task the predictions and references, in the order of the expected scores."""
    texts = {}
    for task in TASKS:
        references: dict[str, list[str]] = {}
        for line in (REAL / "references" / f"{task}.jsonl").read_text(encoding="utf-8").split("\n"):
            if line:
                row = json.loads(line)
                references.setdefault(row["id"], []).append(row["output"])
        file = REAL / f"system_{expected['system']}" / f"preds_{task}.json"
        predictions, ids = json.loads(file.read_text(encoding="utf-8")), expected["tasks"][task]["per_example"]
        texts[task] = [predictions[i] for i in ids], [references[i] for i in ids]
    return texts


def test_every_score_is_the_one_expected(expected: Any, columns: Any) -> None:
    corpus, instance = score_benchmark(columns), score_benchmark(columns, rouge_aggregation="instance")
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


def test_evaluate_gives_the_same(expected: Any, columns: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import evaluate

    monkeypatch.chdir(Path(__file__).parents[1])
    metric, tasks = evaluate.load("zs_metric/zero_scrolls.py"), []
    for task, (predictions, references) in columns.items():
        metric.add_batch(predictions=predictions, references=references)
        tasks += [task] * len(predictions)
    result = metric.compute(task=tasks)
    assert result["zero_scrolls_score"] == expected["zero_scrolls_score"]
    scores = {task: metrics["zero_scrolls_score"] for task, metrics in result["tasks"].items()}
    assert scores == {task: expected["tasks"][task]["score"] for task in TASKS}
