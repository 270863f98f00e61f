"""A scored file under all variants of the metrics (`zs_bench.variants`), as data and as text."""

from collections.abc import Iterator, Mapping
from typing import Any

from zs_bench.reports.tables import text_table
from zs_bench.scoring.scored import ScoredFile
from zs_bench.variants.rescore import AVERAGE, METRIC_VARIANTS, OFFICIAL, matching_variants, rescore
from zs_metric.errors import EmptyInput
from zs_metric.version import VERSION

SCHEMA = "zero-scrolls-readings/1"


def rescored_file(scored: ScoredFile, reported: Mapping[str, float | str] | None = None) -> dict[str, Any]:
    """The tasks that were scored, under all variants of the metrics, and the variants that reproduce reported numbers.

    Keys: `schema`, `version`, `signature` (of the official score), `readings`, `reported` and `given_by` (the variants
    that give all of it, nearest first; `None` when nothing was reported). Each of `readings` has `does`, a sentence,
    `scores` (task, and last "average", to points; `None` where the variant has none) and `deltas`, their differences
    from the official ones.

    Args:
        scored: the file; refused tasks are left out.
        reported: task (or "average") to points, as for `matching_variants`.

    Raises:
        EmptyInput, ZeroScrollsError: for a file without a scored task, a number that is none, a task not scored.
    """
    if not scored.scored:
        raise EmptyInput("tasks")
    texts = {name: (task.predictions, task.references) for name, task in scored.scored.items()}
    rescored = rescore(texts, benchmark=scored.of.name)
    official = rescored[OFFICIAL]
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "signature": str(scored.signature()),
        "readings": {
            name: {"does": METRIC_VARIANTS[name].does, "scores": points, "deltas": _deltas(points, official)}
            for name, points in rescored.items()
        },
        "reported": dict(reported or {}),
        "given_by": matching_variants(rescored, reported) if reported else None,
    }


def _deltas(points: Mapping[str, float | None], official: Mapping[str, float | None]) -> dict[str, float | None]:
    pairs = {name: (value, official[name]) for name, value in points.items()}
    return {name: None if a is None or b is None else a - b for name, (a, b) in pairs.items()}


def as_text(found: Mapping[str, Any]) -> str:
    """The result for a terminal: what each variant changes, and which of them gives the reported numbers."""
    variants: Mapping[str, Mapping[str, Any]] = found["readings"]
    rows = [("variant", AVERAGE, "difference from the official scores"), *map(_row, variants, variants.values())]
    return "\n".join([*text_table(rows, right=[1]), *_verdict(found)])


def _row(name: str, variant: Mapping[str, Any]) -> tuple[str, str, str]:
    average = variant["scores"][AVERAGE]
    changes = [f"{task} {delta:+.4f}" for task, delta in variant["deltas"].items() if abs(delta or 0) >= 0.00005]
    changed = ", ".join(changes) or ("" if name == OFFICIAL else "none")
    return name, "-" if average is None else f"{average:.4f}", changed


def _verdict(found: Mapping[str, Any]) -> Iterator[str]:
    if found["given_by"] is None:
        return
    yield ""
    yield "Reported: " + ", ".join(f"{name} {points}" for name, points in found["reported"].items()) + "."
    if not found["given_by"]:
        yield "No known variant gives this on these answers."
    for name in found["given_by"]:
        yield f"The variant {name!r} gives exactly this: {found['readings'][name]['does']}"
