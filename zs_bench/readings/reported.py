"""Which reading of the metrics reproduces a number that somebody reported (`zs_bench.readings.readings`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from math import isclose

from zs_bench.readings.readings import OFFICIAL, Rescored
from zs_metric.errors import ZeroScrollsError, did_you_mean


def which_reading(rescored: Rescored, reported: Mapping[str, float | str]) -> list[str]:
    """The readings that reproduce what somebody reported, to the decimals given, nearest first.

    A reading that gives the official value of every number reported is left out: it explains nothing.

    Args:
        rescored: from `rescore`.
        reported: task (or "average") to points; a text such as `"28.50"` keeps its last zero.

    Raises:
        ZeroScrollsError: for nothing reported, a name that was not scored, something that is no number.

    >>> from zs_bench.readings.readings import rescore
    >>> which_reading(rescore({"space_digest": (["40", "9%"], ["40%", "9%"])}), {"space_digest": 50})
    ['official']
    """
    if not reported:
        raise ZeroScrollsError("no number was given; give one such as {'qasper': 28.5}, or for 'average'")
    wanted = {name: _number(name, value) for name, value in reported.items()}
    for name in wanted:
        if name not in rescored[OFFICIAL]:
            hint = did_you_mean(name, rescored[OFFICIAL]) or f"there is {', '.join(rescored[OFFICIAL])}"
            raise ZeroScrollsError(f"no {name!r} among the scores; {hint}")
    found = [
        (distance, name)
        for name, points in rescored.items()
        if (name == OFFICIAL or _differs(points, rescored[OFFICIAL], wanted))
        and (distance := _distance(points, wanted)) is not None
    ]
    return [name for _, name in sorted(found, key=lambda pair: pair[0])]


def _number(name: str, value: float | str) -> tuple[float, float]:
    """A reported number and half a unit of its last decimal."""
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        number = Decimal("nan")
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int):
        raise ZeroScrollsError(f"the number for {name} is {value!r}; give points, such as 28.5")
    return float(number), 10.0 ** min(exponent, 0) / 2


def _differs(points: Mapping[str, float | None], official: Mapping[str, float | None], names: Iterable[str]) -> bool:
    return any(not _same(points[name], official[name]) for name in names)


def _same(a: float | None, b: float | None) -> bool:
    return a is b if a is None or b is None else isclose(a, b, abs_tol=1e-9)


def _distance(points: Mapping[str, float | None], wanted: Mapping[str, tuple[float, float]]) -> float | None:
    """The largest distance from a reported number; `None` when one is farther off than rounding allows."""
    largest = 0.0
    for name, (number, half) in wanted.items():
        value = points[name]
        if value is None or abs(value - number) > half + 1e-9:
            return None
        largest = max(largest, abs(value - number))
    return largest
