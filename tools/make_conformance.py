"""Write the published conformance cases, `zs_bench/data/conformance.jsonl`, from the golden tables of the tests."""

import json
import re
from pathlib import Path
from typing import Any

from zs_metric.tasks import find_task

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden"
PUBLISHED = ROOT / "zs_bench" / "data" / "conformance.jsonl"
#: Every golden table, and the benchmark whose tasks its rows are of.
TABLES = {
    **dict.fromkeys(("rouge", "f1", "accuracy", "exp_similarity", "concordance_index"), "zero_scrolls"),
    **dict.fromkeys(("f1_scrolls", "exact_match"), "scrolls"),
}


def conformance_rows() -> list[dict[str, Any]]:
    """Every golden row whose texts can be written in UTF-8: how to read lone surrogates is only our choice."""
    golden = [(row, benchmark) for table, benchmark in TABLES.items() for row in golden_rows(table)]
    rows = [_answer(*one) for one in golden if not re.search("[\ud800-\udfff]", one[0]["prediction"])]
    return rows + _tasks(golden_aggregates())


def golden_rows(table: str, folder: Path = GOLDEN) -> list[dict[str, Any]]:
    """The rows of a golden table; an empty one is an error."""
    lines = (folder / f"{table}.jsonl").read_text(encoding="utf-8").split("\n")
    rows = [json.loads(line) for line in lines if line.strip()]
    if not rows:
        raise ValueError(f"the golden table {table} is empty")
    return rows


def golden_aggregates() -> dict[str, Any]:
    """Predictions and references of one example task, with their hand-worked scores for each task."""
    aggregates: dict[str, Any] = json.loads((GOLDEN / "aggregates.json").read_text(encoding="utf-8"))
    return aggregates


def _about(row: dict[str, Any], benchmark: str, kind: str) -> dict[str, Any]:
    metric = find_task(row["task"], benchmark=benchmark).metric.name
    return {"kind": kind, "benchmark": benchmark, "metric": metric, "task": row["task"]}


def _answer(row: dict[str, Any], benchmark: str) -> dict[str, Any]:
    return {
        **_about(row, benchmark, "answer"),
        "answer": row["prediction"],
        "references": row["references"],
        "score": row["score"],
        **{part: row[part] for part in ("rouge1", "rouge2", "rougeL") if part in row},
        "why": row["why"],
        "provenance": row["source"],
    }


def _tasks(aggregates: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            **_about(row, row["benchmark"], "task"),
            "answers": aggregates["predictions"],
            "references": aggregates["references"],
            "score": row["score"],
            "instance_score": row["instance_mean"],
            "metrics": row["result"],
            "why": aggregates["why"],
            "provenance": aggregates["source"],
        }
        for row in aggregates["expected"]
    ]


def as_text() -> str:
    """The file's text: one case per line, in ASCII."""
    return "".join(json.dumps(row) + "\n" for row in conformance_rows())


if __name__ == "__main__":
    PUBLISHED.write_text(as_text(), encoding="utf-8", newline="\n")
    print(PUBLISHED.relative_to(ROOT))
