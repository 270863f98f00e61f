"""Predictions scored under all variants of the metrics (`definitions.py`), to find the scorer behind a number.

`rescore` computes them, `matching_variants` finds those that reproduce reported numbers, and `rescored_file` does both
for a scored file.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from math import isclose
from typing import Any

from zs_bench.scoring.scored import ScoredFile
from zs_bench.variants.definitions import METRIC_VARIANTS, OFFICIAL, ScoredTexts
from zs_metric.errors import EmptyInput, ZeroScrollsError, did_you_mean
from zs_metric.scoring import score_task
from zs_metric.tasks import Benchmark, find_benchmark, find_task
from zs_metric.texts import clean_columns
from zs_metric.version import VERSION

__all__ = ["AVERAGE", "METRIC_VARIANTS", "OFFICIAL", "Rescored", "matching_variants", "rescore", "rescored_file"]

#: The name of a variant's mean over the tasks, beside the names of the tasks.
AVERAGE = "average"
SCHEMA = "zero-scrolls-readings/1"
#: Variant to task (or "average") to points.
Rescored = dict[str, dict[str, float | None]]


def rescore(
    tasks: Mapping[str, tuple[Sequence[str], Sequence[str | Iterable[str]]]],
    *,
    benchmark: str | Benchmark = "zero_scrolls",
) -> Rescored:
    """Score predictions under every variant of the metrics that applies to the benchmark.

    Args:
        tasks: `{task: (predictions, references)}`, as for `zs_metric.score_benchmark`.

    Returns:
        `{variant: {task: points, …, "average": points}}`, the official one first, the tasks in the benchmark's
        order; an average that the variant does not have is `None`.

    Raises:
        EmptyInput: without a task; otherwise as `zs_metric.score_task`.

    >>> found = rescore({"space_digest": (["40"], ["40%"])})
    >>> found["official"]["space_digest"], found["bare numbers as percentages"]["space_digest"]
    (0.0, 100.0)
    """
    the_benchmark = find_benchmark(benchmark)
    if not tasks:
        raise EmptyInput("tasks")
    named = {find_task(name, benchmark=the_benchmark): columns for name, columns in tasks.items()}
    texts = [
        ScoredTexts(task, *clean_columns(*named[task]), official=score_task(task, *named[task]))
        for task in the_benchmark.all_tasks.values()
        if task in named
    ]
    rescored: Rescored = {}
    for variant in METRIC_VARIANTS.values():
        if variant.applies_to(the_benchmark):
            points = {task_texts.task.name: variant.points(task_texts) for task_texts in texts}
            averaged = {name: score for name, score in points.items() if name in the_benchmark.tasks}
            rescored[variant.name] = {
                **points,
                AVERAGE: variant.average(averaged, the_benchmark.tasks) if averaged else None,
            }
    return rescored


def matching_variants(rescored: Rescored, reported: Mapping[str, float | str]) -> list[str]:
    """The variants that reproduce reported numbers, to the decimals given, nearest first.

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
    wanted = {name: _number(name, value) for name, value in reported.items()}
    for name in wanted:
        if name not in rescored[OFFICIAL]:
            hint = did_you_mean(name, rescored[OFFICIAL]) or f"there is {', '.join(rescored[OFFICIAL])}"
            raise ZeroScrollsError(f"no {name!r} among the scores; {hint}")
    matches = [
        (distance, name)
        for name, points in rescored.items()
        if (name == OFFICIAL or _differs(points, rescored[OFFICIAL], wanted))
        and (distance := _distance(points, wanted)) is not None
    ]
    return [name for _, name in sorted(matches, key=lambda pair: pair[0])]


def _number(name: str, value: float | str) -> tuple[float, float]:
    """A reported number and half a unit of its last decimal."""
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        number = Decimal("nan")
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int):
        raise ZeroScrollsError(f"{name}: {value!r} is not a number; enter one such as 28.5")
    return float(number), 10.0 ** min(exponent, 0) / 2


def _differs(points: Mapping[str, float | None], official: Mapping[str, float | None], names: Iterable[str]) -> bool:
    pairs = ((points[name], official[name]) for name in names)
    return any(a is not b if a is None or b is None else not isclose(a, b, abs_tol=1e-9) for a, b in pairs)


def _distance(points: Mapping[str, float | None], wanted: Mapping[str, tuple[float, float]]) -> float | None:
    """The largest distance from a reported number; `None` if it is more than rounding explains."""
    largest = 0.0
    for name, (number, half) in wanted.items():
        value = points[name]
        if value is None or abs(value - number) > half + 1e-9:
            return None
        largest = max(largest, abs(value - number))
    return largest


def rescored_file(scored: ScoredFile, reported: Mapping[str, float | str] | None = None) -> dict[str, Any]:
    """The tasks that were scored, under all variants of the metrics, and the variants that reproduce reported numbers.

    Keys: `schema`, `version`, `signature` (of the official score), `variants`, `reported` and `given_by` (the variants
    that give all of it, nearest first; `None` when nothing was reported). Each of `variants` has `does`, a sentence,
    `scores` (task, and last "average", to points; `None` where the variant has none) and `deltas`, their differences
    from the official ones. `readings` is the earlier name of `variants`.

    Args:
        scored: the file; refused tasks are left out.
        reported: task (or "average") to points, as for `matching_variants`.

    Raises:
        EmptyInput: for a file without a scored task.
        ZeroScrollsError: as `matching_variants`.
    """
    if not scored.scored:
        raise EmptyInput("tasks")
    texts = {name: (task.predictions, task.references) for name, task in scored.scored.items()}
    rescored = rescore(texts, benchmark=scored.benchmark)
    official = rescored[OFFICIAL]
    variants = {
        name: {"does": METRIC_VARIANTS[name].does, "scores": points, "deltas": _deltas(points, official)}
        for name, points in rescored.items()
    }
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "signature": str(scored.signature()),
        "variants": variants,
        "readings": variants,
        "reported": dict(reported or {}),
        "given_by": matching_variants(rescored, reported) if reported else None,
    }


def _deltas(points: Mapping[str, float | None], official: Mapping[str, float | None]) -> dict[str, float | None]:
    pairs = {name: (value, official[name]) for name, value in points.items()}
    return {name: None if a is None or b is None else a - b for name, (a, b) in pairs.items()}
