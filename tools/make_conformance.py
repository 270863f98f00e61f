"""Write the published conformance cases, `zs_bench/data/conformance.jsonl`, from the golden tables of the tests."""

import json
import re
from pathlib import Path
from typing import Any

from zs_bench.benchmarks import find_task

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden"
PUBLISHED = ROOT / "zs_bench" / "data" / "conformance.jsonl"
#: Every golden table, and the benchmark whose tasks its rows are of.
TABLES = {
    **dict.fromkeys(("rouge", "f1", "accuracy", "exp_similarity", "concordance_index"), "zero_scrolls"),
    **dict.fromkeys(("f1_scrolls", "exact_match"), "scrolls"),
}


def golden_rows(table: str, folder: Path = GOLDEN) -> list[dict[str, Any]]:
    """Return the rows of a golden table; an empty one is an error."""
    lines = (folder / f"{table}.jsonl").read_text(encoding="utf-8").split("\n")
    rows = [json.loads(line) for line in lines if line.strip()]
    if not rows:
        raise ValueError(f"the golden table {table} is empty")
    return rows


def golden_aggregates() -> dict[str, Any]:
    """Return predictions and references of one example task, with their hand-worked scores for each task."""
    aggregates: dict[str, Any] = json.loads((GOLDEN / "aggregates.json").read_text(encoding="utf-8"))
    return aggregates


def conformance_rows() -> list[dict[str, Any]]:
    """Return every golden row whose texts can be written in UTF-8: how to read lone surrogates is only our choice."""
    rows = []
    for table, benchmark in TABLES.items():
        for row in golden_rows(table):
            if not re.search("[\ud800-\udfff]", row["prediction"]):
                values = {"answer": row["prediction"], "references": row["references"]}
                values |= {name: row[name] for name in ("score", "rouge1", "rouge2", "rougeL") if name in row}
                rows.append(_case("answer", benchmark, row["task"], values, row))
    data = golden_aggregates()
    for row in data["expected"]:
        values = {"answers": data["predictions"], "references": data["references"], "score": row["score"]}
        values |= {"instance_score": row["instance_mean"], "metrics": row["result"]}
        rows.append(_case("task", row["benchmark"], row["task"], values, data))
    return rows


def _case(kind: str, benchmark: str, task: str, values: dict[str, Any], origin: dict[str, Any]) -> dict[str, Any]:
    metric = find_task(task, benchmark=benchmark).metric.name
    about = {"kind": kind, "benchmark": benchmark, "metric": metric, "task": task}
    return {**about, **values, "why": origin["why"], "provenance": origin["source"]}


def as_text() -> str:
    """Return the file's text: one case per line, in ASCII."""
    return "".join(json.dumps(row) + "\n" for row in conformance_rows())


if __name__ == "__main__":
    PUBLISHED.write_text(as_text(), encoding="utf-8", newline="\n")
    print(PUBLISHED.relative_to(ROOT))
