"""ZIPs of the shape that the Hub's dataset repo has, made from the embedded rows, as they should be and as they are."""

import json
from typing import Any

from written_files import zip_of

from zs_bench.benchmarks import find_task
from zs_bench.dataset.rows import embedded_file

Rows = list[dict[str, Any]]


def rows_of(task: str, *, benchmark: str = "zero_scrolls") -> Rows:
    with embedded_file(find_task(task, benchmark=benchmark)).opened() as file:
        return [json.loads(line) for line in file]


def as_test(rows: Rows, mark: str = "t") -> Rows:
    """The same rows as another split would have them: under other ids."""
    return [{**row, "id": f"{mark}{row['id']}", "pid": f"{mark}{row['pid']}"} for row in rows]


def without_references(rows: Rows) -> Rows:
    return [{**row, "output": None} for row in rows]


def scrolls_zip(task: str) -> bytes:
    """`<task>.zip` of SCROLLS: three splits, the references of the test split kept back."""
    rows = rows_of(task, benchmark="scrolls")
    test = list({row["id"]: row for row in without_references(as_test(rows))}.values())
    return zipped(task, train=as_test(rows, "r"), validation=rows, test=test)


def zipped(task: str, **splits: Rows) -> bytes:
    """`<task>.zip` with a file for each split; by default a good validation and a good test split."""
    splits = splits or {"validation": rows_of(task), "test": as_test(rows_of(task))}
    return zip_of({f"{task}/{split}.jsonl": rows for split, rows in splits.items()})
