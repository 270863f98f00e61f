"""ZIPs of the shape that the Hub's dataset repo has, made from the embedded rows, as they should be and as they are."""

import io
import json
import zipfile
from typing import Any

from zs_bench.sources.embedded import EMBEDDED

Rows = list[dict[str, Any]]


def rows_of(task: str) -> Rows:
    """The embedded rows of the task."""
    lines = (EMBEDDED / task / "validation.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def as_test(rows: Rows) -> Rows:
    """The same rows as another split would have them: under other ids."""
    return [{**row, "id": f"t{row['id']}", "pid": f"t{row['pid']}"} for row in rows]


def without_references(rows: Rows) -> Rows:
    return [{**row, "output": None} for row in rows]


def without_indices(rows: Rows) -> Rows:
    return [{key: value for key, value in row.items() if not key.endswith("_index")} for row in rows]


def zipped(task: str, **splits: Rows) -> bytes:
    """`<task>.zip` with a file for each split; by default a good validation and a good test split."""
    splits = splits or {"validation": rows_of(task), "test": as_test(rows_of(task))}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for split, rows in splits.items():
            archive.writestr(f"{task}/{split}.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    return out.getvalue()
