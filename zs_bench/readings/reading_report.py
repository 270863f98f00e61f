"""A scored file under all readings of the metrics (`readings.py`), as data and as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from zs_bench.readings.readings import AVERAGE, OFFICIAL, READINGS, rescore
from zs_bench.readings.reported import which_reading
from zs_bench.reports.report_text import table
from zs_bench.reports.scored import ScoredFile
from zs_metric.errors import EmptyInput
from zs_metric.version import VERSION

SCHEMA = "zero-scrolls-readings/1"


def read_again(scored: ScoredFile, reported: Mapping[str, float | str] | None = None) -> dict[str, Any]:
    """The tasks that were scored, under all readings; and which of them gives the numbers that somebody reported.

    Keys: `schema`, `version`, `signature` (of the official score), `readings`, `reported` and `given_by` (the readings
    that give all of it, nearest first; `None` when nothing was reported). Each of `readings` has `does`, a sentence,
    `scores` (task, and last "average", to points; `None` where the reading has none) and `deltas`, their differences
    from the official ones.

    Args:
        scored: the file; refused tasks are left out.
        reported: task (or "average") to points, as for `which_reading`.

    Raises:
        EmptyInput, ZeroScrollsError: for a file without a scored task, a number that is none, a task not scored.
    """
    if not scored.scored:
        raise EmptyInput("tasks")
    texts = {name: (task.predictions, task.references) for name, task in scored.scored.items()}
    rescored = rescore(texts, benchmark=scored.benchmark_name)
    official = rescored[OFFICIAL]
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "signature": str(scored.signature()),
        "readings": {
            name: {"does": READINGS[name].does, "scores": points, "deltas": _deltas(points, official)}
            for name, points in rescored.items()
        },
        "reported": dict(reported or {}),
        "given_by": which_reading(rescored, reported) if reported else None,
    }


def _deltas(points: Mapping[str, float | None], official: Mapping[str, float | None]) -> dict[str, float | None]:
    pairs = {name: (value, official[name]) for name, value in points.items()}
    return {name: None if a is None or b is None else a - b for name, (a, b) in pairs.items()}


def as_text(found: Mapping[str, Any]) -> str:
    """What `read_again` found, for a terminal: per reading what it changes, and who made the number."""
    readings: Mapping[str, Mapping[str, Any]] = found["readings"]
    rows = [("reading", AVERAGE, "against the official scores"), *map(_row, readings, readings.values())]
    return "\n".join([*table(rows, right=[1]), *_verdict(found)])


def _row(name: str, reading: Mapping[str, Any]) -> tuple[str, str, str]:
    average = reading["scores"][AVERAGE]
    changes = [f"{task} {delta:+.4f}" for task, delta in reading["deltas"].items() if abs(delta or 0) >= 0.00005]
    told = ", ".join(changes) or ("" if name == OFFICIAL else "no change")
    return name, "-" if average is None else f"{average:.4f}", told


def _verdict(found: Mapping[str, Any]) -> Iterator[str]:
    if found["given_by"] is None:
        return
    told = ", ".join(f"{name} {points}" for name, points in found["reported"].items())
    yield ""
    if not found["given_by"]:
        yield f"Reported: {told}. No known reading gives that on these answers."
    for name in found["given_by"]:
        yield f"Reported: {told}. That is what the reading {name!r} gives: {found['readings'][name]['does']}"
