"""The loss ledger: what the points that an answer lost were lost to.

The four parts are points, none is negative, and they add up to 100 minus the score of the answer:

*format*: all of the loss when the scorer did not read what the answer says. That is when it could read nothing in it;
when the ids are no permutation of any reference's; when the letter it read is the article "A", or is not the right one
that the answer names as its answer ("A is tempting, but the answer is B"); when the percentage it read is only the tail
of the number written and the whole number scores more (`87.0.0%`); when an answer that must equal a reference is the
letter of an option, or the answer it names, its first sentence or its first clause does ("Entailment, because …").
Otherwise format is 0 and:

*typography*: what the lenient reading gives back (`readings.py`: quotes, dashes, ellipsis, accents, full-width forms
in ASCII, in the answer and in the references), never below 0. Where it gives less it is set aside.

*length* (F1 and ROUGE), on the reading that gives more: max(P, R) - F. An answer that is too long (P < R) would have
scored F = P = R had it been cut to the reference's length without losing a shared word; one that is too short (R < P),
had it gone on to the reference's length as it began. For ROUGE: the geometric mean over the three types of
max(P_t, R_t), minus the geometric mean of the F_t; each type against the reference that serves it best.

*content*: the rest, 100 - max(P, R). When P and R are both low, almost all of the loss is content: an answer in other
words is not helped by another length. A ROUGE-2 of 0 makes the geometric mean 0 whatever the words shared; its P and R
are both 0, no length would have changed that, and so all of the loss is content, also for an answer of a single word.
The three other metrics know no length: a wrong letter, a percentage that is off and an order with pairs out of place
are content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, prod
from typing import Any

from ..accuracy import is_letter_alone
from ..results import ExampleResult
from ..rouge import geometric_mean
from ..scoring import aggregate
from ..tasks import find_task
from ..texts import clean_columns
from . import accuracy, concordance_index, exact_match, exp_similarity
from .readings import Reading, read_all

PARTS = ("format", "typography", "length", "content")

# Whether the scorer read something else than the answer says; for F1 and ROUGE it cannot.
_MISREAD: Mapping[str, Callable[[Reading], bool]] = {
    "accuracy": accuracy.is_misread,
    "exp_similarity": exp_similarity.is_misread,
    "concordance_index": concordance_index.is_misread,
    "exact_match": exact_match.is_misread,
}
# Whether an answer has the form that was asked for; for the metrics of words that is a matter of length.
_IN_FORM: Mapping[str, Callable[[str], bool]] = {
    "accuracy": is_letter_alone,
    "exp_similarity": exp_similarity.is_in_form,
    "concordance_index": concordance_index.is_in_form,
}


@dataclass(frozen=True, slots=True)
class Losses:
    """The lost points of one answer, by cause; the module says the rule."""

    format: float = 0.0
    typography: float = 0.0
    length: float = 0.0
    content: float = 0.0

    def as_dict(self) -> dict[str, float]:
        """The parts by name."""
        return {part: getattr(self, part) for part in PARTS}


def losses(reading: Reading) -> Losses:
    """The ledger of one answer."""
    score = reading.result.score
    misread = _MISREAD.get(reading.task.metric)
    if reading.result.parsed is None or (misread and score < 100 and misread(reading)):
        return Losses(format=100 - score)
    kinder = reading.kinder
    ceiling = _at_the_right_length(kinder)
    if ceiling < kinder.score + 1e-9:  # nothing, or what rounding left of it
        ceiling = kinder.score
    return Losses(typography=kinder.score - score, length=ceiling - kinder.score, content=100 - ceiling)


def length_direction(reading: Reading) -> str | None:
    """`"too long"` or `"too short"` for an answer that lost points to its length, else `None`."""
    if not losses(reading).length:
        return None
    pairs = _precision_recall(reading.kinder)
    precision, recall = prod(p for p, _ in pairs), prod(r for _, r in pairs)
    return "too long" if precision < recall else "too short" if recall < precision else None


def ledger_of_task(
    task: str,
    predictions: Sequence[str],
    references: Sequence[str | Iterable[str]],
    *,
    benchmark: str = "zero_scrolls",
) -> dict[str, Any]:
    """The ledger of a task's answers, as JSON-able data.

    Returns:
        `ledger`: the mean of each part over the answers; `length_by_direction`: its part `length` as lost by answers
        "too long" and "too short"; `answers`: their number; `score`: the mean of their scores, which the parts bring to
        100; `aggregation`: the task's score minus that mean, for ROUGE the step from the mean of the instances to the
        corpus, else 0; `in_format`: the share of answers, 0 to 1, that are readable and in the asked form: for F1,
        ROUGE and exact match as many words as the shortest to the longest of all references has, for the others a
        letter alone, a percentage alone, a list of ids alone; `examples`: per answer `{score, ledger,
        length_direction, in_format}`; `answer_words`, `reference_words`: the lengths of all answers and of all
        references in words.

    Raises:
        UnknownBenchmark, UnknownTask, NotAText, LengthMismatch, EmptyInput, UnreadableReference: with the position.

    >>> ledger_of_task("quality", ["B", "A nice day"], ["B", "C"])["ledger"]
    {'format': 50.0, 'typography': 0.0, 'length': 0.0, 'content': 0.0}
    """
    the_task = find_task(task, benchmark=benchmark)
    texts, reference_texts = clean_columns(predictions, references)
    answer_words = [len(text.split()) for text in texts]
    reference_words = [len(text.split()) for texts_of_one in reference_texts for text in texts_of_one]
    readings = read_all(the_task, texts, reference_texts)
    examples = [_example(reading, min(reference_words), max(reference_words)) for reading in readings]
    lost = [example["ledger"] for example in examples]
    mean = _mean(example["score"] for example in examples)
    score, _ = aggregate(the_task, [reading.result for reading in readings])
    return {
        "ledger": {part: _mean(one[part] for one in lost) for part in PARTS},
        "length_by_direction": {
            direction: _mean(one["ledger"]["length"] * (one["length_direction"] == direction) for one in examples)
            for direction in ("too long", "too short")
        },
        "answers": len(examples),
        "score": mean,
        "aggregation": score - mean if the_task.metric == "rouge" else 0.0,
        "in_format": _mean(example["in_format"] for example in examples),
        "examples": examples,
        "answer_words": answer_words,
        "reference_words": reference_words,
    }


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fsum(listed) / len(listed)


def _example(reading: Reading, shortest: int, longest: int) -> dict[str, Any]:
    in_form = _IN_FORM.get(reading.task.metric)
    words = len(reading.prediction.split())
    fits = in_form(reading.prediction) if in_form else shortest <= words <= longest
    return {
        "score": reading.result.score,
        "ledger": losses(reading).as_dict(),
        "length_direction": length_direction(reading),
        "in_format": fits and reading.result.parsed is not None,
    }


def _precision_recall(result: ExampleResult) -> list[tuple[float, float]]:
    """The pairs of precision and recall behind a score: one for F1, three for ROUGE, none for the other metrics."""
    if result.rouge is not None:
        return [(part.precision, part.recall) for part in result.rouge.values()]
    if result.precision is None or result.recall is None:
        return []
    return [(result.precision, result.recall)]


def _at_the_right_length(result: ExampleResult) -> float:
    best = [max(pair) for pair in _precision_recall(result)]
    return geometric_mean(*best) if len(best) == 3 else max(best, default=result.score)
