"""The scores that files have recorded beside their answers, compared with the official ones.

A log or a row may hold the score that another program gave an answer: as points, or as a share of 1 where none of a
task's exceeds 1. Both agree if they are equal to the decimals in which the recorded ones are written.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from zs_bench.answers import Answer
from zs_bench.files.entries import Entry
from zs_bench.problems import Problem, short
from zs_bench.scoring.scored import ScoredTask


class RecordedScore(NamedTuple):
    """An answer, with the recorded and the official score in points."""

    answer: Answer
    recorded: float
    official: float


@dataclass(frozen=True, slots=True)
class RecordedScores:
    """The recorded scores of a task's answers: the name of their field, and whether they are shares of 1."""

    name: str
    are_shares: bool
    tolerance: float
    pairs: list[RecordedScore]

    def agree(self, recorded: float, score: float) -> bool:
        """Whether the scores, in points, are equal to the decimals recorded."""
        return abs(recorded - score) <= self.tolerance

    @property
    def differing(self) -> list[RecordedScore]:
        """The answers whose official score is another, the largest difference first."""
        pairs = (pair for pair in self.pairs if not self.agree(pair.recorded, pair.official))
        return sorted(pairs, key=lambda pair: -abs(pair.recorded - pair.official))


def recorded_scores(task: ScoredTask, rows: Iterable[Entry]) -> RecordedScores | None:
    """The recorded scores of a scored task; `None` if there are none, or numbers that are no scores from 0 to 100."""
    found = {row.id: row.recorded for row in rows if row.recorded and row.task == task.task.name and row.usable}
    numbers = {id_: number for id_, (_, text) in found.items() if (number := _number(text)) is not None}
    if not numbers or not all(0 <= number <= 100 for number in numbers.values()):
        return None
    scale = 100 if max(numbers.values()) <= 1 else 1
    unit = scale * 10.0 ** min(int(number.normalize().as_tuple().exponent) for number in numbers.values())
    scored = [answer for answer in task.answers if answer.id in numbers]
    pairs = [RecordedScore(each, float(numbers[each.id]) * scale, each.result.score) for each in scored]
    rounded = unit <= 1 if scale == 100 else unit < 1  # ones and zeros are not rounded
    tolerance = max(1e-6, unit / 2) if rounded else 1e-6
    return RecordedScores(found[next(iter(numbers))][0], scale == 100, tolerance, pairs) if pairs else None


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text) if len(text) < 50 else Decimal("nan")
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def differ(tasks: Iterable[ScoredTask], rows: Iterable[Entry]) -> Iterator[Problem]:
    """A warning for each scored task in which recorded scores are not the official ones."""
    for task in tasks:
        recorded = recorded_scores(task, rows) if task.result else None
        if recorded and (differing := recorded.differing):
            pair = differing[0]
            message = (
                f"The recorded {short(recorded.name)} differs from the official score for {len(differing):,} of "
                f"{len(recorded.pairs):,} answers, {pair.recorded:.2f} and {pair.official:.2f}; zero-scrolls certify "
                "shows them"
            )
            yield Problem("recorded", message, task.task.name, pair.answer.id, is_error=False)
