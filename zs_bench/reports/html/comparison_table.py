"""Two systems task by task as one table: both scores, the difference drawn with its interval, and what changed."""

import math
from collections.abc import Callable, Iterator
from typing import Any

from zs_bench.reports.comparison_text import p_value, titled_outcomes, verdict_word
from zs_bench.scoring.pairing import Outcome, SystemComparison, TaskOutcome

# Where a difference is drawn for which the axis has a tick.
_TICKS = (1, 2, 5, 10, 20, 50, 100)
#: The names of the groups of answers that changed, or did not, as filters of the page.
LOST, GAINED, IDENTICAL = "lost", "gained", "identical"


def comparison_table(match: SystemComparison) -> dict[str, Any]:
    """Return the values of `comparison_table.html`.

    The axis is the square root of the difference, with its sign, so that the widest interval leaves the others room.
    """
    outcomes = titled_outcomes(match)
    ends = [abs(end) for outcome in outcomes.values() for end in _ends(outcome)]
    limit = max([1.0, *ends])

    def x(value: float) -> float:
        return 50 + math.copysign(49 * math.sqrt(abs(value) / limit), value)

    largest = [tick for tick in _TICKS if tick <= limit][-2:]
    ticks = [*(-tick for tick in reversed(largest)), 0, *largest]
    return {
        "names": (match.first, match.second),
        "rows": [_row(title, outcome, match, x) for title, outcome in outcomes.items()],
        "ticks": [(x(tick), f"{tick:+d}" if tick else "0") for tick in ticks],
    }


def _ends(outcome: Outcome) -> Iterator[float]:
    yield outcome.comparison.difference
    if interval := outcome.comparison.interval:
        yield from (interval.low, interval.high)


def _row(title: str, outcome: Outcome, match: SystemComparison, x: Callable[[float], float]) -> dict[str, Any]:
    paired = outcome.comparison
    row = {
        "title": title,
        "outcome": outcome,
        "dot": x(paired.difference),
        "line": (x(paired.interval.low), x(paired.interval.high)) if paired.interval else None,
        "word": verdict_word(outcome, match),
        "p": p_value(paired.p_value),
        "task": "",
        "holm": "",
        "counts": "",
        "flips": [],
    }
    if not isinstance(outcome, TaskOutcome):
        return row
    of_task = {
        "task": outcome.task.name,
        "holm": p_value(match.corrected[outcome.task.name]),
        "counts": f"{paired.wins} · {paired.ties} · {paired.losses}",
        "flips": [(name, text) for name, count, text in _flips(outcome) if count],
    }
    return row | of_task


def _flips(outcome: TaskOutcome) -> list[tuple[str, int, str]]:
    """Return the groups of answers that changed or did not: name, count, and both in words."""
    right = outcome.task.metric.name in ("accuracy", "exact_match")
    lost, gained = ("right → wrong", "wrong → right") if right else ("lower by over 10", "higher by over 10")
    groups = ((LOST, len(outcome.lost), lost), (GAINED, len(outcome.gained), gained))
    return [(name, count, f"{count:,} {words}") for name, count, words in groups] + [
        (IDENTICAL, outcome.identical, f"{outcome.identical:,} identical")
    ]
