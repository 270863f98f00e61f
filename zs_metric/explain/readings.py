"""An answer, read twice: as the official scorer reads it, and leniently as to typography.

The lenient reading turns typographic characters into ASCII in the answer *and* in its references before the official
scorer reads them (`typography.py`). It counts only where it gives more, and is never mixed into the score.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..errors import UnreadableReference
from ..results import ExampleResult
from ..tasks import Task
from .typography import to_ascii


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer with what the official scorer made of it.

    Attributes:
        task: the task.
        prediction, references: the texts, cleaned.
        result: the official result.
        lenient: the result of the lenient reading where it scores more, else `None`.
    """

    task: Task
    prediction: str
    references: Sequence[str]
    result: ExampleResult
    lenient: ExampleResult | None

    @property
    def kinder(self) -> ExampleResult:
        """The lenient result where it gives more, else the official one."""
        return self.lenient or self.result

    def score_answers(self, answers: Sequence[str]) -> list[float]:
        """What the official scorer gives for other answers to the same references, in points."""
        return [result.score for result in self.task.score_all(answers, [self.references] * len(answers))]


def read_all(task: Task, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> list[Reading]:
    """All answers of a task, read. The texts have been cleaned.

    Raises:
        UnreadableReference: with the position.
    """
    results = task.score_all(predictions, references)
    lenient = _read_leniently(task, predictions, references, results)
    return [
        Reading(task, prediction, texts, result, lenient.get(i))
        for i, (prediction, texts, result) in enumerate(zip(predictions, references, results, strict=True))
    ]


def _read_leniently(
    task: Task, predictions: Sequence[str], references: Sequence[Sequence[str]], results: Sequence[ExampleResult]
) -> dict[int, ExampleResult]:
    """The lenient results that score more than the official ones, by position; only where a text differs."""
    texts = {}
    for i, result in enumerate(results):
        if result.parsed is not None and result.score < 100:
            plain = (to_ascii(predictions[i]), list(map(to_ascii, references[i])))
            if plain != (predictions[i], list(references[i])):
                texts[i] = plain
    lenient = _score_readable(task, list(texts.values()))
    return {i: new for i, new in zip(texts, lenient, strict=True) if new is not None and new.score > results[i].score}


def _score_readable(task: Task, pairs: Sequence[tuple[str, list[str]]]) -> Iterable[ExampleResult | None]:
    """The results of the pairs, in one call; `None` where a reference cannot be read in ASCII."""
    try:
        return task.score_all([answer for answer, _ in pairs], [references for _, references in pairs])
    except UnreadableReference:
        if len(pairs) == 1:
            return [None]
        return [result for pair in pairs for result in _score_readable(task, [pair])]
