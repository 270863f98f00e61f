"""Two or more systems on the same references, each held against the first: `compare`, and what it found as data.

As text and Markdown: `zs_bench.reports.comparison_text`, also to be had from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zs_bench.problems import short
from zs_bench.reports.comparison_text import as_markdown, as_text, verdict, warnings
from zs_bench.reports.matches import Comparison, Match, Outcome, TaskOutcome, match
from zs_bench.reports.report import interval_as_json
from zs_bench.reports.scored import ScoredFile
from zs_metric.errors import ZeroScrollsError
from zs_metric.version import VERSION

__all__ = ["SCHEMA", "Comparison", "as_json", "as_markdown", "as_text", "compare"]

SCHEMA = "zero-scrolls-comparison/1"


def compare(systems: Mapping[str, ScoredFile]) -> Comparison:
    """Hold every system against the first.

    Args:
        systems: name to what it scored, all on the same references.

    Raises:
        ZeroScrollsError: for fewer than two systems, two of one name, different benchmarks or aggregations of ROUGE.
    """
    named = {short(name, 200): scored for name, scored in systems.items()}
    if len(named) < 2 or len(named) < len(systems):
        raise ZeroScrollsError(f"two or more systems of different names can be compared, not {', '.join(named)}")
    if len({scored.benchmark_name for scored in systems.values()}) > 1:
        raise ZeroScrollsError("the systems are scored on different benchmarks; score them on one")
    if len({scored.rouge_aggregation for scored in systems.values()}) > 1:
        raise ZeroScrollsError("the systems are scored by different aggregations of ROUGE; score them by one")
    first, *others = named.items()
    return Comparison(named, [match(first, other) for other in others])


def as_json(comparison: Comparison) -> dict[str, Any]:
    """The comparison as JSON-able data; scores and differences are points, unrounded.

    Keys: `schema`, `version`, `systems` (each with `name`, `score`, `mean_of_tasks`, `interval` and `signature`, as in
    its report) and `matches`. Each match has the names `first` and `second`, `tasks`, `mean` (`None` when no task was
    compared), `not_compared` (task to reason), `signatures_differ` and `warnings`, sentences.

    Each of `tasks`, and `mean`, has `scores` (on the examples compared), `difference` (first minus second), `interval`
    of it, `p_value`, `exact`, `rounds`, `wins`, `ties`, `losses`, `separated`, `more_examples` (`None` where separated
    or unknown) and `verdict`; a task also `n`, `total`, `only_first`, `only_second` and `examples`, each with `id`,
    `scores` and `difference`, the best for the first system first.
    """
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "systems": [_system(name, scored) for name, scored in comparison.systems.items()],
        "matches": [_match(one) for one in comparison.matches],
    }


def _system(name: str, scored: ScoredFile) -> dict[str, Any]:
    benchmark, signature = scored.benchmark, scored.signature()
    return {
        "name": name,
        "score": None if benchmark is None else benchmark.score,
        "mean_of_tasks": None if benchmark is None else benchmark.mean_of_tasks,
        "interval": interval_as_json(scored.interval),
        "signature": None if signature is None else str(signature),
    }


def _match(one: Match) -> dict[str, Any]:
    return {
        "first": one.first,
        "second": one.second,
        "tasks": {name: _outcome(found, one) | _examples(found) for name, found in one.tasks.items()},
        "mean": None if one.mean is None else _outcome(one.mean, one),
        "not_compared": dict(one.not_compared),
        "signatures_differ": list(one.differ),
        "warnings": warnings(one),
    }


def _outcome(found: Outcome, one: Match) -> dict[str, Any]:
    names = ("p_value", "exact", "rounds", "wins", "ties", "losses")
    return {
        "scores": list(found.scores),
        "difference": found.duel.difference,
        "interval": interval_as_json(found.duel.interval),
        **{name: getattr(found.duel, name) for name in names},
        "separated": found.duel.separated(),
        "more_examples": found.more_examples,
        "verdict": verdict(found, one.first, one.second),
    }


def _examples(found: TaskOutcome) -> dict[str, Any]:
    return {
        "n": len(found.examples),
        "total": found.total,
        "only_first": found.only_first,
        "only_second": found.only_second,
        "examples": [
            {"id": row.id, "scores": [row.first, row.second], "difference": row.difference} for row in found.examples
        ],
    }
