r"""The tasks for lm-evaluation-harness: the files that define them, and the functions that these name.

The harness gives a task's records to each of its metrics when all documents have been answered, so the scores are those
of the corpus. It takes numbers only: without an interval its ends are NaN. The values in the YAML are JSON, which is
YAML too: in the quotes of YAML alone `\n` would be two characters.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from zs_bench.benchmarks import Benchmark, Task, find_benchmark
from zs_bench.errors import from_extra
from zs_bench.files.writing import write_whole
from zs_bench.prompts import Settings, answer_tokens
from zs_lab.harnesses import load_questions, score_values, task_of, task_score

#: The metrics of a task, each a function below: the score in points and the ends of its 95 % interval.
METRICS = ("score", "score_low", "score_high")


def load(*, zero_scrolls: Mapping[str, Any], **_: Any) -> dict[str, Any]:
    """Return the documents of a task, by split; the harness adds settings of its own to the arguments in the YAML."""
    with from_extra("evaluate"):
        from datasets import Dataset  # noqa: PLC0415  (of an extra; the harness brings it)
    settings = Settings(model="", **{name: value for name, value in zero_scrolls.items() if name != "task"})
    task = task_of(zero_scrolls)
    rows = [
        {**row.about, "id": row.request.id, "references": row.references, "prompt": row.request.text}
        for row in load_questions(settings, task)
    ]
    return {settings.split: Dataset.from_list(rows)}


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the record of an answer, for each metric."""
    kept = {name: doc[name] for name in ("benchmark", "task", "id", "document")}
    record = kept | {"values": score_values(task_of(doc), results[0], doc["references"])}
    return dict.fromkeys(METRICS, record)


def score(records: Sequence[Mapping[str, Any]]) -> float:
    return _score(records)[0]


def score_low(records: Sequence[Mapping[str, Any]]) -> float:
    return _score(records)[1]


def score_high(records: Sequence[Mapping[str, Any]]) -> float:
    return _score(records)[2]


def _score(records: Sequence[Mapping[str, Any]]) -> tuple[float, float, float]:
    return task_score(records, [record["values"] for record in records], [record["id"] for record in records])


MODULE = "zero_scrolls_tasks"
_FUNCTION = f"!function {MODULE}."  # the tag of the harness for a function of the module; its name follows
_TAKEN = ("scrolls",)  # groups that the harness has of its own, with other metrics
_MODULE_TEXT = f'''"""The functions that the tasks here name; zero-scrolls must be installed beside lm-eval."""

from zs_lab.harnesses.lm_eval import {", ".join(sorted(["load", "process_results", *METRICS]))}  # noqa: F401
'''


def write_lm_eval(folder: Path, settings: Settings) -> list[Path]:
    """Write the tasks of the settings' benchmark to the folder; returns the files, the group's first."""
    benchmark = find_benchmark(settings.benchmark)
    group = group_of(benchmark)
    texts = {f"{group}.yaml": _group(benchmark), f"{MODULE}.py": _MODULE_TEXT}
    texts |= {f"{group}_{name}.yaml": _config(task, settings) for name, task in benchmark.tasks.items()}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        write_whole(folder / name, text)
    return [folder / name for name in texts]


def group_of(benchmark: Benchmark) -> str:
    """The group of a benchmark, with which the names of its tasks begin."""
    return f"zs_{benchmark.name}" if benchmark.name in _TAKEN else benchmark.name


def _config(task: Task, settings: Settings) -> str:
    """Return the YAML of a task; our settings are under one key, since the harness adds its own to the arguments."""
    loaded = ("benchmark", "source", "split", "variant", "revision", "budget", "tokenizer", "answer_budget")
    asked = {name: getattr(settings, name) for name in loaded}
    generation = {"until": [], "max_gen_toks": answer_tokens(settings, task), "do_sample": False, "temperature": 0.0}
    metric = f"  - metric: {{0}}\n    aggregation: {_FUNCTION}{{0}}\n    higher_is_better: true\n"
    return f"""task: {group_of(task.benchmark)}_{task.name}
custom_dataset: {_FUNCTION}load
dataset_kwargs: {json.dumps({"zero_scrolls": {"task": task.name, **asked}})}
test_split: {json.dumps(settings.split)}
output_type: generate_until
doc_to_text: prompt
doc_to_target: references
num_fewshot: 0
generation_kwargs: {json.dumps(generation)}
process_results: {_FUNCTION}process_results
metadata: {{"version": 1.0}}
metric_list:
{"".join(map(metric.format, METRICS))}"""


def _group(benchmark: Benchmark) -> str:
    """Return the group of the benchmark's tasks; its score is their plain mean."""
    group = group_of(benchmark)
    return f"""group: {group}
group_alias: {json.dumps(benchmark.title)}
task: {json.dumps([f"{group}_{name}" for name in benchmark.tasks])}
aggregate_metric_list: [{{"metric": "score", "aggregation": "mean", "weight_by_size": false}}]
metadata: {{"version": 1.0}}
"""
