r"""The files of the tasks for lm-evaluation-harness: a YAML for each task and one for the group, and a module.

The values in the YAML are JSON, which is YAML too: in the quotes of YAML alone `\n` would be two characters.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from zs_bench.harnesses.lm_eval import METRICS
from zs_bench.runs.requests import answer_tokens
from zs_bench.runs.settings import Settings
from zs_metric.tasks import Benchmark, Task, find_benchmark

MODULE = "zero_scrolls_tasks"
#: The group of a benchmark and the beginning of its tasks' names. The harness has a group `scrolls` of its own, with
#: other metrics.
GROUPS = {"zero_scrolls": "zero_scrolls", "scrolls": "zs_scrolls"}
_MODULE_TEXT = f'''"""The functions that the tasks here name; zero-scrolls must be installed beside lm-eval."""

from zs_bench.harnesses.lm_eval import {", ".join(sorted(["load", "process_results", *METRICS]))}  # noqa: F401
'''


def write_lm_eval(folder: Path, settings: Settings) -> list[Path]:
    """Write the tasks of the settings' benchmark to the folder; returns the files, the group's first."""
    benchmark = find_benchmark(settings.benchmark)
    group = GROUPS[benchmark.name]
    texts = {f"{group}.yaml": _group(benchmark), f"{MODULE}.py": _MODULE_TEXT}
    texts |= {f"{group}_{name}.yaml": _task(task, settings) for name, task in benchmark.tasks.items()}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        folder.joinpath(name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


def _task(task: Task, settings: Settings) -> str:
    """A task. The harness passes settings of its own to the loader, so ours are under a name of theirs."""
    asked = {name: value for name, value in asdict(settings).items() if name in _LOADED}
    fields = {
        "task": f"{GROUPS[task.benchmark.name]}_{task.name}",
        "custom_dataset": _Function("load"),
        "dataset_kwargs": {"zero_scrolls": {"task": task.name, **asked}},
        "test_split": settings.split,
        "output_type": "generate_until",
        "doc_to_text": "prompt",
        "doc_to_target": "references",
        "num_fewshot": 0,
        "generation_kwargs": {
            "until": [],
            "max_gen_toks": answer_tokens(settings, task),
            "do_sample": False,
            "temperature": 0.0,
        },
        "process_results": _Function("process_results"),
        "metadata": {"version": 1.0},
    }
    metrics = (
        f"  - metric: {name}\n    aggregation: {_written(_Function(name))}\n    higher_is_better: true"
        for name in METRICS
    )
    return "\n".join([*_lines(fields), "metric_list:", *metrics, ""])


#: The settings that decide on prompts and references.
_LOADED = ("benchmark", "source", "split", "variant", "revision", "budget", "tokenizer", "answer_budget")


def _group(benchmark: Benchmark) -> str:
    """The group of the benchmark's tasks; its score is their plain mean."""
    group = GROUPS[benchmark.name]
    fields = {
        "group": group,
        "group_alias": benchmark.title,
        "task": [f"{group}_{name}" for name in benchmark.tasks],
        "aggregate_metric_list": [{"metric": "score", "aggregation": "mean", "weight_by_size": False}],
        "metadata": {"version": 1.0},
    }
    return "\n".join([*_lines(fields), ""])


class _Function(str):
    """The name of a function in the module."""

    __slots__ = ()


def _lines(fields: Mapping[str, object]) -> list[str]:
    return [f"{name}: {_written(value)}" for name, value in fields.items()]


def _written(value: object) -> str:
    return f"!function {MODULE}.{value}" if isinstance(value, _Function) else json.dumps(value)
