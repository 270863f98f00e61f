"""The same cases for every interface: the golden rows and the sample, with their scores by `zs_metric` itself."""

import csv
import json
from functools import cache

import pytest
from make_conformance import TABLES, golden_rows

from zs_bench.benchmarks import BENCHMARKS
from zs_bench.dataset.rows import load_embedded, sample_predictions
from zs_metric import score_task
from zs_metric.results import TaskResult
from zs_metric.texts import clean_text


@cache
def cases(benchmark="zero_scrolls"):
    """`{task: {id: (prediction, references)}}`: every golden row of the benchmark, and the sample."""
    tasks = BENCHMARKS[benchmark].tasks
    by_task = {task: {} for task in tasks}
    for table in (table for table, name in TABLES.items() if name == benchmark):
        for number, row in enumerate(golden_rows(table), start=1):
            # Clients cannot send lone surrogates; every interface replaces them, see `zs_metric.texts`.
            texts = [clean_text(text, "golden row") for text in (row["prediction"], *row["references"])]
            if any(text.strip() for text in texts[1:]):  # files without references are refused
                by_task[row["task"]][f"{table}-{number}"] = (texts[0], texts[1:])
    sample = sample_answers(benchmark)
    for task in tasks:
        for example in load_embedded(task, benchmark=benchmark):
            by_task[task][example.id] = (sample[task, example.id], list(example.references))
    assert sum(map(len, by_task.values())) > {"zero_scrolls": 230, "scrolls": 40}.get(benchmark, 0)
    return by_task


def sample_answers(benchmark="zero_scrolls"):
    with sample_predictions(benchmark).open(encoding="utf-8", newline="") as file:
        return {(row["Task"], row["ID"]): row["Prediction"] for row in csv.DictReader(file)}


def inputs(benchmark="zero_scrolls"):
    """The cases as predictions and references by task and id."""
    by_task = cases(benchmark).items()
    predictions = {task: {key: text for key, (text, _) in rows.items()} for task, rows in by_task}
    return predictions, {task: {key: texts for key, (_, texts) in rows.items()} for task, rows in by_task}


@cache
def expected(benchmark="zero_scrolls") -> dict[str, TaskResult]:
    """The results of `zs_metric` itself."""
    columns = {task: list(zip(*rows.values(), strict=True)) for task, rows in cases(benchmark).items()}
    known = benchmark if benchmark in ("zero_scrolls", "scrolls") else BENCHMARKS[benchmark]
    return {task: score_task(task, *map(list, texts), benchmark=known) for task, texts in columns.items()}


def check(report, benchmark="zero_scrolls"):
    """The report's scores, readings and reasons are those of `zs_metric`, to the last digit."""
    assert report["benchmark"] == benchmark
    results = expected(benchmark)
    for task, result in results.items():
        reported = report["tasks"][task]
        assert reported["score"] == result.score
        assert reported["metrics"] == json.loads(json.dumps(result.metrics))
        for row, example in zip(reported["examples"], result.examples, strict=True):
            wanted = json.loads(json.dumps(example.as_dict()))
            assert {key: row.get(key, wanted[key]) for key in wanted} == wanted
    assert report["score"] == pytest.approx(sum(result.score for result in results.values()) / len(results), abs=1e-12)
