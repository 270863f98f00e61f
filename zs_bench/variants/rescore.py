"""Predictions scored under all variants of the metrics (`definitions.py`), to find the scorer behind a number.

`rescore` computes them, `matching_variants` finds those that reproduce reported numbers, and `rescored_file` does both
for a scored file.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from math import inf
from typing import Any

from zs_bench.benchmarks import Benchmark, find_benchmark, find_task
from zs_bench.scoring.scored import ScoredFile
from zs_bench.variants.definitions import METRIC_VARIANTS, OFFICIAL, ScoredTexts
from zs_metric.errors import EmptyInput, ZeroScrollsError, did_you_mean
from zs_metric.scoring import score_task
from zs_metric.texts import clean_columns
from zs_metric.version import VERSION

#: The name of a variant's mean over the tasks, beside the names of the tasks.
AVERAGE = "average"
SCHEMA = "zero-scrolls-variants/1"
#: Variant to task (or "average") to points.
Rescored = dict[str, dict[str, float | None]]


def rescore(
    tasks: Mapping[str, tuple[Sequence[str], Sequence[str | Iterable[str]]]],
    *,
    benchmark: str | Benchmark = "zero_scrolls",
) -> Rescored:
    """Score `{task: (predictions, references)}` under every variant of the metrics that applies to the benchmark.

    Returns:
        `{variant: {task: points, …, "average": points}}`, the official one first, the tasks in the benchmark's
        order; an average that the variant does not have is `None`.

    Raises:
        EmptyInput: without a task; otherwise as `zs_metric.score_task`.

    >>> rescored = rescore({"space_digest": (["40"], ["40%"])})
    >>> rescored["official"]["space_digest"], rescored["bare numbers as percentages"]["space_digest"]
    (0.0, 100.0)
    """
    if not tasks:
        raise EmptyInput("tasks")
    rows = find_benchmark(benchmark)
    texts = [
        ScoredTexts(task, *clean_columns(*tasks[task.name]), official=score_task(task, *tasks[task.name]))
        for task in sorted((find_task(name, benchmark=rows) for name in tasks), key=list(rows.all_tasks.values()).index)
    ]
    rescored: Rescored = {}
    for variant in METRIC_VARIANTS.values():
        if variant.applies_to(rows):
            points = {task_texts.task.name: variant.points(task_texts) for task_texts in texts}
            averaged = {name: score for name, score in points.items() if name in rows.tasks}
            average = variant.average(averaged, rows.tasks) if averaged else None
            rescored[variant.name] = {**points, AVERAGE: average}
    return rescored


def matching_variants(rescored: Rescored, reported: Mapping[str, float | str]) -> list[str]:
    """Return the variants that reproduce reported numbers, to the decimals given, nearest first.

    A variant that gives the official value of every reported number is left out, since it explains nothing.

    Args:
        rescored: from `rescore`.
        reported: task (or "average") to points; a text such as `"28.50"` keeps its last zero.

    Raises:
        ZeroScrollsError: for nothing reported, a name that was not scored, and a value that is not a number.

    >>> matching_variants(rescore({"space_digest": (["40", "9%"], ["40%", "9%"])}), {"space_digest": 50})
    ['official']
    """
    if not reported:
        raise ZeroScrollsError("no number was given; give one such as {'qasper': 28.5}, or for 'average'")
    numbers, official = {name: _number(name, value) for name, value in reported.items()}, rescored[OFFICIAL]
    for name in numbers:
        if name not in official:
            hint = did_you_mean(name, official) or f"there is {', '.join(official)}"
            raise ZeroScrollsError(f"no {name!r} among the scores; {hint}")
    distances: dict[str, float] = {}
    for variant, points in rescored.items():
        gaps = [_gap(points[name], number) - half for name, (number, half) in numbers.items()]
        differs = variant == OFFICIAL or any(_gap(points[name], official[name]) > 1e-9 for name in numbers)
        if max(gaps) <= 1e-9 and differs:
            distances[variant] = max(_gap(points[name], number) for name, (number, _) in numbers.items())
    return sorted(distances, key=distances.__getitem__)


def _gap(a: float | None, b: float | None) -> float:
    return abs(a - b) if a is not None and b is not None else 0.0 if a is b else inf


def _number(name: str, value: float | str) -> tuple[float, float]:
    """Return a reported number and half a unit of its last decimal."""
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        number = Decimal("nan")
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int):
        raise ZeroScrollsError(f"{name}: {value!r} is not a number; enter one such as 28.5")
    return float(number), 10.0 ** min(exponent, 0) / 2


def rescored_file(scored: ScoredFile, reported: Mapping[str, float | str] | None = None) -> dict[str, Any]:
    """Return the tasks that were scored under all variants of the metrics, as JSON-able data.

    Keys: `schema`, `version`, `signature` (of the official score), `variants`, `reported` and `given_by` (the variants
    that give all of it, nearest first; `None` when nothing was reported). Each of `variants` has `does`, a sentence,
    `scores` (task, and last "average", to points; `None` where the variant has none) and `deltas`, their differences
    from the official ones.

    Args:
        reported: task (or "average") to points, as for `matching_variants`, whose errors this has too.

    Raises:
        EmptyInput: for a file without a scored task.
    """
    if not scored.scored:
        raise EmptyInput("tasks")
    texts = {name: task.texts for name, task in scored.scored.items()}
    rescored, variants = rescore(texts, benchmark=scored.benchmark), {}
    for name, points in rescored.items():
        pairs = {task: (value, rescored[OFFICIAL][task]) for task, value in points.items()}
        deltas = {task: None if a is None or b is None else a - b for task, (a, b) in pairs.items()}
        variants[name] = {"does": METRIC_VARIANTS[name].does, "scores": points, "deltas": deltas}
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "signature": str(scored.signature()),
        "variants": variants,
        "reported": dict(reported or {}),
        "given_by": matching_variants(rescored, reported) if reported else None,
    }
