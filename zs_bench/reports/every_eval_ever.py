"""A scored file as records of Every Eval Ever (arXiv 2606.14516): one of the scores, and one for each answer.

The layout is that of its datastore: `data/<benchmark>/<developer>/<model>/<uuid>.json`, and `<uuid>_samples.jsonl`.
Inputs and references are not written: they belong to the makers of the data, and `sample_id` names them.
"""

import hashlib
import json
import re
import time
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from zs_bench.errors import UnusableInput
from zs_bench.files.writing import write_whole
from zs_bench.published import AVERAGE
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_bench.statistics.intervals import Interval
from zs_metric.version import VERSION

#: The version of the schema of both records.
SCHEMA = "0.3.0"
_MODEL = re.compile(r"[\w-][\w. -]*(/[\w-][\w. -]*)+", re.ASCII)


def check_model(name: str | None) -> str:
    """Return the model's name; raises `UnusableInput` if it is not `developer/model`, by which records are filed."""
    if name and _MODEL.fullmatch(name) and not re.search(r"[. ](/|$)", name):
        return name
    shown = f"{name!r} is not" if name else "give"
    raise UnusableInput(f"--eee: {shown} the model's name as developer/model, such as google/flan-t5-xl; give --name")


def write_records(scored: ScoredFile, folder: Path, model: str) -> None:
    """Write both records into the folder, if something was scored."""
    if not scored.scored:
        return
    name, made = str(uuid.uuid4()), repr(time.time())
    developer, _, rest = model.partition("/")
    place = Path("data", scored.benchmark.name, developer, rest.replace("/", "_"))
    run = f"{scored.benchmark.name}/{model}/{made}"
    lines = [json.dumps(line) for task in scored.scored.values() for line in _samples(task, run, model)]
    text = "".join(f"{line}\n" for line in lines)
    samples, path = place / f"{name}_samples.jsonl", folder / place / f"{name}.json"
    record = {
        "schema_version": SCHEMA,
        "evaluation_id": run,
        "retrieved_timestamp": made,
        "source_metadata": {
            "source_name": scored.benchmark.title,
            "source_type": "evaluation_run",
            "source_organization_name": "unknown",
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": "zero-scrolls", "version": VERSION},
        "model_info": {
            "name": rest,
            "id": model,
            "developer": developer,
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
        "evaluation_results": list(_results(scored)),
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": samples.as_posix(),
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(text.encode()).hexdigest(),
            "total_rows": len(lines),
        },
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(folder / samples, text)
    write_whole(path, json.dumps(record, indent=1) + "\n")


def _results(scored: ScoredFile) -> Iterator[dict[str, Any]]:
    """Yield the score of each task, and last that of the benchmark, their mean, where all tasks were scored."""
    benchmark, repo = scored.benchmark, scored.benchmark.repo
    source, kind = dict[str, str](), {"source_type": "other"}
    if scored.source:
        source = {key: value for key, value in scored.source.as_dict().items() if value}
        kind = {"source_type": "hf_dataset", "hf_repo": repo} if scored.source.is_of(repo) else kind
    generation = {"generation_config": _generation(scored.run.settings)} if scored.run else {}
    rows: list[tuple[str, float | None, Interval | None, str, str, dict[str, str]]] = []
    for name, task in scored.scored.items():
        counts = {"answers": str(task.answered), "examples": str(task.total)}
        details = {"signature": str(scored.signature(name)), **counts, **({"partial": "yes"} if task.partial else {})}
        rows.append((name, task.score, task.interval, task.task.metric.name, task.task.metric.title, details))
    if scored.result and scored.result.score is not None:
        details = {"signature": str(scored.signature(*benchmark.tasks))}
        details |= {"partial": "yes"} if scored.leaves_out() else {}
        mean = f"Mean of the {len(benchmark.tasks)} tasks"
        rows.append((AVERAGE, scored.result.score, scored.interval, AVERAGE, mean, details))
    for name, score, interval, metric, title, details in rows:
        uncertainty = {}
        if interval:
            ends = {"lower": interval.low, "upper": interval.high, "confidence_level": interval.level / 100}
            uncertainty = {"uncertainty": {"confidence_interval": {**ends, "method": interval.method}}}
        yield {
            "evaluation_result_id": f"{benchmark.name}/{name}",
            "evaluation_name": name,
            "source_data": {"dataset_name": benchmark.title, **kind, "additional_details": source},
            "metric_config": {
                "evaluation_description": f"{title}, as the released evaluator of {benchmark.title} computes it",
                "metric_id": f"{benchmark.name}.{metric}",
                "metric_name": title,
                "metric_unit": "points",
                "lower_is_better": False,
                "score_type": "continuous",
                "min_score": 0,
                "max_score": 100,
            },
            "score_details": {"score": score, "details": details, **uncertainty},
            **generation,
        }


def _generation(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return how a run asked its model: by the schema's names where it has them."""
    named = {"temperature": settings.get("temperature"), "max_tokens": settings.get("answer_budget")}
    others = {name: str(value) for name, value in settings.items() if value is not None and name not in named}
    named = {name: value for name, value in named.items() if value is not None}
    return {"generation_args": named, "additional_details": others}


def _samples(task: ScoredTask, run: str, model: str) -> Iterator[dict[str, Any]]:
    """Yield a record for each answer; it is called correct if it has all 100 points."""
    metric = task.task.metric.name
    for answer in task.answers:
        row = answer.as_dict()
        parsed = answer.text if task.task.metric.by_types else row["parsed"]
        read = {"turn_idx": 0, "source": "output.raw", "extracted_value": "" if parsed is None else str(parsed)}
        read |= {"extraction_method": metric, "is_terminal": True}
        yield {
            "schema_version": SCHEMA,
            "evaluation_id": run,
            "model_id": model,
            "evaluation_name": task.task.name,
            "evaluation_result_id": f"{task.task.benchmark.name}/{task.task.name}",
            "sample_id": row["id"],
            "interaction_type": "single_turn",
            "input": {"raw": "", "reference": []},
            "output": {"raw": [answer.text]},
            "answer_attribution": [read],
            "evaluation": {"score": row["score"], "is_correct": row["score"] >= 100},
            "metadata": {"reason": row["reason"] or ""},
        }
