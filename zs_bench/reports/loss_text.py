"""The loss breakdown of a scored file as a table for a terminal, and as the report's data."""

from collections.abc import Mapping
from typing import Any

from zs_bench.reports.tables import text_table
from zs_metric.explain import PARTS, TaskLosses

_HEADS = ("task", "mean", *PARTS, "aggregation", "score", "up to", "in format")
_RULE = """mean + format + typography + length + content = 100; mean + aggregation = score
length: won back by stopping earlier; up to: the most of the content that longer answers might win"""


def as_text(losses: Mapping[str, TaskLosses]) -> str:
    """A row per task: the mean of its answers' scores, what brings it to 100, and what brings it to the score."""
    if not losses:
        return "Where the points went: nothing was scored."
    rows = [_HEADS, *(_row(name, of_task) for name, of_task in losses.items())]
    return "\n".join(["Where the points went:", *text_table(rows, right=range(1, len(_HEADS))), _RULE])


def _row(name: str, losses: TaskLosses) -> tuple[str, ...]:
    step = losses.aggregation
    return (
        name,
        f"{losses.score:.2f}",
        *(f"{points:.2f}" for points in losses.mean.as_dict().values()),
        f"{step:+.2f}" if step else "",
        f"{losses.score + step:.2f}",
        f"{losses.mean.length_up_to:.2f}" if losses.mean.length_up_to >= 0.005 else "",
        "" if losses.in_format is None else f"{losses.in_format:.0%}",
    )


def with_losses(data: Mapping[str, Any], losses: Mapping[str, TaskLosses]) -> dict[str, Any]:
    """The report as data (`report.as_json`) with the key `ledger` in each of its tasks that were scored."""
    ledgers = {name: {"ledger": of_task.as_dict()} for name, of_task in losses.items()}
    return {**data, "tasks": {name: task | ledgers.get(name, {}) for name, task in data["tasks"].items()}}


def loss_sentence(losses: TaskLosses) -> str:
    """One task's losses in a sentence.

    >>> from zs_metric.explain import losses_of_task
    >>> loss_sentence(losses_of_task("quality", ["B", "A nice day"], ["B", "C"]))
    '50.0 lost: 50.0 format; 50% are a bare letter'
    """
    parts = sorted(((points, part) for part, points in losses.mean.as_dict().items() if points >= 0.05), reverse=True)
    lost = sum(points for points, _ in parts)
    listed = ", ".join(f"{points:.1f} {_TITLES.get(part, part)}" for points, part in parts)
    asides = [f"{lost:.1f} lost: {listed}" if parts else "nothing lost"]
    if losses.mean.length_up_to >= 0.05:
        asides.append(f"up to {losses.mean.length_up_to:.1f} of it because answers are too short")
    if abs(losses.aggregation) >= 0.005:
        asides.append(f"aggregation {losses.aggregation:+.2f}")
    if losses.in_format is not None:
        asides.append(f"{losses.in_format:.0%} are {losses.form}")
    return "; ".join(asides)


_TITLES = {"length": "length (too long)"}
