"""The same cases for every door: the golden rows and the sample, with what `zs_metric` itself says of them."""

import csv
import json
from functools import cache
from pathlib import Path

from zs_bench.sources.embedded import SAMPLE_PREDICTIONS, load_embedded
from zs_metric import TASKS, score_task
from zs_metric.results import TaskResult
from zs_metric.texts import clean_text

ROOT = Path(__file__).parents[1]
TABLES = ("rouge", "f1", "accuracy", "exp_similarity", "concordance_index")


@cache
def cases():
    """`{task: {id: (prediction, references)}}`: every golden row of the benchmark, and the sample."""
    found = {task: {} for task in TASKS}
    for table in TABLES:
        lines = (ROOT / "tests" / "golden" / f"{table}.jsonl").read_text(encoding="utf-8").split("\n")
        for number, row in enumerate(map(json.loads, filter(None, lines)), start=1):
            # Clients cannot send lone surrogates; every door replaces them, see `zs_metric.texts`.
            texts = [clean_text(text, "golden row") for text in (row["prediction"], *row["references"])]
            found[row["task"]][f"{table}-{number}"] = (texts[0], texts[1:])
    sample = sample_answers()
    for task in TASKS:
        for example in load_embedded(task):
            found[task][example.id] = (sample[task, example.id], list(example.references))
    assert sum(map(len, found.values())) > 230
    return found


def sample_answers():
    with SAMPLE_PREDICTIONS.open(encoding="utf-8", newline="") as file:
        return {(row["Task"], row["ID"]): row["Prediction"] for row in csv.DictReader(file)}


def given():
    """The cases as predictions and references by task and id."""
    predictions = {task: {key: text for key, (text, _) in rows.items()} for task, rows in cases().items()}
    return predictions, {task: {key: texts for key, (_, texts) in rows.items()} for task, rows in cases().items()}


@cache
def expected() -> dict[str, TaskResult]:
    """By `zs_metric` itself."""
    return {
        task: score_task(task, [text for text, _ in rows.values()], [references for _, references in rows.values()])
        for task, rows in cases().items()
    }


def check(report):
    """The report's scores, readings and reasons are those of `zs_metric`, to the last digit."""
    for task, result in expected().items():
        found = report["tasks"][task]
        assert found["score"] == result.score
        assert found["metrics"] == json.loads(json.dumps(result.metrics))
        for row, example in zip(found["examples"], result.examples, strict=True):
            wanted = json.loads(json.dumps(example.as_dict()))
            assert {key: row.get(key, wanted[key]) for key in wanted} == wanted
    assert report["score"] == sum(result.score for result in expected().values()) / len(TASKS)


def written(folder):
    """The cases as a file of predictions and one of references."""
    paths = [folder / "predictions.json", folder / "references.json"]
    for path, content in zip(paths, given(), strict=True):
        path.write_text(json.dumps(content), encoding="utf-8")
    return paths
