"""The loss ledgers of a scored file as a table for a terminal, and as the report's data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zs_bench.reports.report_text import table
from zs_metric.explain import PARTS

_HEADS = ("task", "mean", *PARTS, "aggregation", "score", "in format")


def as_text(ledgers: Mapping[str, Mapping[str, Any]]) -> str:
    """A row per task: the mean of its answers' scores, what brings it to 100, and what brings it to the score."""
    rows = [_HEADS, *(_row(name, ledger) for name, ledger in ledgers.items())]
    lines = table(rows, right=range(1, len(_HEADS)))
    told = "mean + format + typography + length + content = 100; mean + aggregation = score"
    return (
        "\n".join(["Where the points went:", *lines, told]) if ledgers else "Where the points went: nothing was scored."
    )


def _row(name: str, ledger: Mapping[str, Any]) -> tuple[str, ...]:
    parts = (f"{ledger['ledger'][part]:.2f}" for part in PARTS)
    step, score = ledger["aggregation"], ledger["score"] + ledger["aggregation"]
    return name, f"{ledger['score']:.2f}", *parts, f"{step:+.2f}" if step else "", f"{score:.2f}", _share(ledger)


def _share(ledger: Mapping[str, Any]) -> str:
    return f"{ledger['in_format']:.0%}"


def with_ledgers(data: Mapping[str, Any], ledgers: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The report as data (`report.as_json`) with the key `ledger` in each of its tasks that were scored."""
    told = {name: {"ledger": _as_data(ledger)} for name, ledger in ledgers.items()}
    return {**data, "tasks": {name: task | told.get(name, {}) for name, task in data["tasks"].items()}}


def _as_data(ledger: Mapping[str, Any]) -> dict[str, Any]:
    """The parts, and what they are parts of."""
    kept = ("aggregation", "in_format", "length_by_direction")
    return {"mean": ledger["score"], **ledger["ledger"], **{key: ledger[key] for key in kept}}
