"""How other implementations score the answers of a task: the functions behind the table in `readings.py`.

Each takes `Answers` and returns the task's score in points, 0 to 100. What is not said to differ is as in the official
scorer, whose functions are used. No text can make one raise; all are near-linear in the length of an answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from math import fsum

from zs_metric.accuracy import read_letter
from zs_metric.concordance_index import MAX_DIGITS, concordance, read_order
from zs_metric.exp_similarity import read_percentage, similarity
from zs_metric.f1 import NORMALIZATION, SCROLLS_NORMALIZATION, normalize
from zs_metric.results import TaskResult
from zs_metric.rouge import aggregate_rouge, score_rouge_batch
from zs_metric.scoring import score_task
from zs_metric.tasks import Task, find_task

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ID = re.compile("[0-9]+")


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to one task, checked texts, with the references of each, and their official result."""

    task: str
    predictions: Sequence[str]
    references: Sequence[Sequence[str]]
    official: TaskResult

    @property
    def definition(self) -> Task:
        """The task, as the benchmark has it."""
        return find_task(self.task, benchmark=self.official.benchmark)

    def mean_of_best(self, score: Callable[[str, str], float]) -> float:
        """The mean over the answers of the best reference's score."""
        pairs = zip(self.predictions, self.references, strict=True)
        best = [max(score(prediction, text) for text in texts) for prediction, texts in pairs]
        return fsum(best) / len(best)


def official(answers: Answers) -> float:
    """The official score."""
    return answers.official.score


def stemmed_rouge(answers: Answers) -> float:
    """ROUGE over stems."""
    examples = score_rouge_batch(answers.predictions, answers.references, stemmer=True)
    return aggregate_rouge(examples)["rouge/geometric_mean"]


def instance_rouge(answers: Answers) -> float:
    """The mean of the geometric means of the answers."""
    return aggregate_rouge(answers.official.examples)["rouge/geometric_mean_instance"]


def first_reference(answers: Answers) -> float:
    """The official score against the first reference alone."""
    if all(len(texts) == 1 for texts in answers.references):
        return answers.official.score
    first, benchmark = [texts[:1] for texts in answers.references], answers.official.benchmark
    return score_task(answers.task, answers.predictions, first, benchmark=benchmark).score


def f1_without_transliteration(answers: Answers) -> float:
    """F1 whose tokens keep their accents, curly quotes and dashes, as in SCROLLS."""
    return answers.mean_of_best(_f1_of(SCROLLS_NORMALIZATION))


def with_transliteration(answers: Answers) -> float:
    """F1 and exact match of texts written in ASCII, as F1 is in ZeroSCROLLS."""
    if answers.definition.metric == "f1":
        return answers.mean_of_best(_f1_of(NORMALIZATION))
    return answers.mean_of_best(lambda *texts: 100.0 * (len({normalize(text) for text in texts}) == 1))


def equal_as_they_are(answers: Answers) -> float:
    """Exact match of texts whose capitals and punctuation count."""
    return answers.mean_of_best(lambda prediction, reference: 100.0 * (prediction.strip() == reference.strip()))


def reference_inside(answers: Answers) -> float:
    """Whether a reference stands anywhere in the answer, both normalised."""
    steps = answers.definition.steps

    def inside(prediction: str, reference: str) -> float:
        return 100.0 * (f" {normalize(reference, steps)} " in f" {normalize(prediction, steps)} ")

    return answers.mean_of_best(inside)


def f1_articles_first(answers: Answers) -> float:
    """F1 that removes articles while the punctuation is still there: the one in `the-end` is then a word."""
    first = ("lowercase", "articles")
    return answers.mean_of_best(_f1_of([*first, *(step for step in answers.definition.steps if step not in first)]))


def f1_of_sets(answers: Answers) -> float:
    """F1 that counts a repeated word once."""
    steps = answers.definition.steps
    return answers.mean_of_best(lambda *texts: _f1(*(Counter(set(normalize(text, steps).split())) for text in texts)))


def upper_case_letters(answers: Answers) -> float:
    """Accuracy of texts made upper case: `b` is B, and every article is A."""
    return answers.mean_of_best(
        lambda prediction, reference: 100.0 * (read_letter(prediction.upper()) == read_letter(reference.upper()))
    )


def bare_numbers(answers: Answers) -> float:
    """Exponential similarity that takes the first number where there is no percentage."""
    return answers.mean_of_best(lambda *texts: _similarity(*map(_percentage_or_number, texts)))


def first_numbers(answers: Answers) -> float:
    """Exponential similarity of the first numbers: up to 1 a share, beyond it a percentage, at most 100."""
    return answers.mean_of_best(lambda *texts: _similarity(*map(_share_or_percentage, texts)))


def partial_orders(answers: Answers) -> float:
    """The share of pairs in the right order among the ids that the reference knows, however many there are."""
    return answers.mean_of_best(_partial_concordance)


def equal_positions(answers: Answers) -> float:
    """The share of places that hold the right id; 0 for another number of ids."""
    return answers.mean_of_best(_share_in_place)


def _f1_of(steps: Collection[str]) -> Callable[[str, str], float]:
    return lambda *texts: _f1(*(Counter(normalize(text, steps).split()) for text in texts))


def _f1(prediction: Counter[str], reference: Counter[str]) -> float:
    shared = sum((prediction & reference).values())
    return 200 * shared / (prediction.total() + reference.total()) if shared else 0.0


def _similarity(p: float | None, q: float | None) -> float:
    return 0.0 if p is None or q is None else similarity(p, q)


def _percentage_or_number(text: str) -> float | None:
    percentage, number = read_percentage(text), _NUMBER.search(text)
    return float(number.group()) if percentage is None and number else percentage


def _share_or_percentage(text: str) -> float | None:
    match = _NUMBER.search(text)
    if not match:
        return None
    number = float(match.group())
    return min(100.0, number if number > 1 else 100 * number)


def _partial_concordance(prediction: str, reference: str) -> float:
    """Pairs of one id with itself are not in order."""
    place = {number: i for i, number in enumerate(_ids(reference))}
    places = [place[number] for number in _ids(prediction) if number in place]
    pairs = len(places) * (len(places) - 1) // 2
    same = sum(count * (count - 1) // 2 for count in Counter(places).values())
    return max(0.0, concordance(places, sorted(places)) - 100 * same / pairs) if pairs else 0.0


def _ids(text: str) -> list[int]:
    return [int(digits) for digits in _ID.findall(text) if len(digits) <= MAX_DIGITS]


def _share_in_place(prediction: str, reference: str) -> float:
    order, truth = read_order(prediction) or (), read_order(reference) or ()
    if len(order) != len(truth) or not truth:
        return 0.0
    return 100 * sum(map(int.__eq__, order, truth)) / len(truth)
