"""The entries of a board as files to publish: CSV, Parquet, and the Hub's evaluation results."""

import json
from importlib import import_module
from io import BytesIO
from typing import Any

import pandas as pd

from zs_bench.board.board import Board
from zs_bench.board.entry import Entry
from zs_bench.extras import from_extra
from zs_bench.published.rows import AVERAGE
from zs_bench.reports.report import eval_results
from zs_bench.reports.tables import csv_table


def as_frame(board: Board, *, every: bool = False) -> pd.DataFrame:
    """A row for each entry of the board, the best first: its details, `average`, a column for each task, its rank."""
    tasks, unknown = list(board.tasks), Entry(0, "", "", None, None, "", "")
    rows = [_row(entry, tasks) for entry in board.entries(every=every)]
    return pd.DataFrame(rows, columns=list(_row(unknown, tasks)))


def _row(entry: Entry, tasks: list[str]) -> dict[str, Any]:
    data = entry.as_dict()
    del data["state"], data["tasks"]
    near = ", ".join(map(str, data.pop("not_separated_from")))
    front = {name: data.pop(name) for name in ("rank", "id", "system", "submitter", "average")}
    scores = {task: entry.tasks.get(task) for task in tasks}
    return {
        **front,
        **scores,
        "not_separated_from": near,
        **data,
        "run": json.dumps(data["run"]) if entry.run else None,
    }


def as_csv(board: Board, *, every: bool = False) -> str:
    """The entries as CSV that no spreadsheet calculates with."""
    frame = as_frame(board, every=every)
    return csv_table(list(frame), frame.astype(object).where(frame.notna(), None).to_numpy().tolist())


def as_parquet(board: Board, *, every: bool = False) -> bytes:
    """The entries as Parquet.

    Raises:
        MissingExtra: when the package that writes Parquet is not installed.
    """
    with from_extra("evaluate"):
        import_module("pyarrow")
    out = BytesIO()
    as_frame(board, every=every).to_parquet(out, index=False)
    return out.getvalue()


def as_eval_results(board: Board, *, every: bool = False) -> dict[str, str]:
    """For each entry the name of a file and its YAML, for `.eval_results/` in the model's repo on the Hub.

    The average is in it where it is that of the whole benchmark.

    Raises:
        MissingExtra: without `huggingface_hub`.
    """
    whole = set(board.benchmark.tasks) <= set(board.tasks)
    files = {}
    for entry in board.entries(every=every):
        scores = {task: points for task, points in entry.tasks.items() if points is not None}
        if whole and entry.average is not None:
            scores[AVERAGE] = entry.average
        notes = dict.fromkeys(scores, f"{board.title}, entry {entry.id}: {entry.signature}")
        files[f"entry-{entry.id}.yaml"] = eval_results(board.benchmark, scores, notes)
    return files
