"""The metrics as other implementations compute them, one variant per detail.

Most numbers that cannot be reproduced come from scorers that differ in one undocumented detail. The values of these
variants on small cases were measured with the implementations themselves; those of exact match are the usual ways to
loosen or tighten it. Variants are diagnostics and never enter the official score.

A variant differs from the official scorer only in what it names. No text makes one raise; all are near-linear in the
length of a prediction.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection
from math import fsum
from statistics import fmean

from zs_bench.variants.variant import OFFICIAL, MetricVariant, ScoredTexts
from zs_metric.accuracy import read_letter
from zs_metric.concordance_index import MAX_DIGITS, concordance, read_order
from zs_metric.exp_similarity import read_percentage, similarity
from zs_metric.f1 import NORMALIZATION, SCROLLS_NORMALIZATION, normalize
from zs_metric.rouge import aggregate_rouge, score_rouge_batch
from zs_metric.scoring import score_task
from zs_metric.tasks import BENCHMARKS, SCROLLS, ZERO_SCROLLS, Benchmark, Task

_ALL = tuple(dict.fromkeys(task.metric.name for one in BENCHMARKS.values() for task in one.all_tasks.values()))
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ID = re.compile("[0-9]+")


#: The known variants, name to `MetricVariant`, the official one first.
METRIC_VARIANTS: dict[str, MetricVariant] = {OFFICIAL: MetricVariant(OFFICIAL, "The released evaluator.")}

_Score = Callable[[ScoredTexts], float]
_PairScore = Callable[[str, str, Task], float]


def _variant(name: str, does: str, *metrics: str, benchmark: Benchmark | None = None) -> Callable[[_Score], _Score]:
    """Register the decorated function as a variant, with a name, a description, and the metrics it changes."""

    def add(score: _Score) -> _Score:
        METRIC_VARIANTS[name] = MetricVariant(name, does, metrics, benchmark, score)
        return score

    return add


def _pairwise(
    name: str, does: str, *metrics: str, benchmark: Benchmark | None = None
) -> Callable[[_PairScore], _PairScore]:
    """The same for a function of prediction, reference and task; the score is the mean over the best references."""

    def add(score: _PairScore) -> _PairScore:
        @_variant(name, does, *metrics, benchmark=benchmark)
        def _mean_of_best(texts: ScoredTexts) -> float:
            pairs = zip(texts.predictions, texts.references, strict=True)
            return fmean(max(score(text, one, texts.task) for one in references) for text, references in pairs)

        return score

    return add


@_variant("stemmer on", "ROUGE compares word stems (Porter).", "rouge")
def _stemmed_rouge(texts: ScoredTexts) -> float:
    examples = score_rouge_batch(texts.predictions, texts.references, stemmer=True)
    return aggregate_rouge(examples)["rouge/geometric_mean"]


@_variant(
    "mean of instance geometric means",
    "ROUGE takes the geometric mean per answer and then the mean, so that one answer without a common word pair counts "
    "0.",
    "rouge",
)
def _instance_rouge(texts: ScoredTexts) -> float:
    return aggregate_rouge(texts.official.examples)["rouge/geometric_mean_instance"]


@_variant("first reference only", "Every answer is compared with its first reference, not with the best.", *_ALL)
def _first_reference(texts: ScoredTexts) -> float:
    if all(len(references) == 1 for references in texts.references):
        return texts.official.score
    return score_task(texts.task, texts.predictions, [references[:1] for references in texts.references]).score


@_pairwise(
    "no transliteration",
    "F1 keeps accents, curly quotes and dashes: “café” is not “cafe”.",
    "f1",
    benchmark=ZERO_SCROLLS,
)
def _without_transliteration(prediction: str, reference: str, _: Task) -> float:
    return _f1(prediction, reference, SCROLLS_NORMALIZATION)


@_pairwise(
    "transliteration",
    "F1 and exact match write accents, curly quotes and dashes in ASCII, as ZeroSCROLLS does: “café” is “cafe”.",
    "f1",
    "exact_match",
    benchmark=SCROLLS,
)
def _with_transliteration(prediction: str, reference: str, task: Task) -> float:
    if task.metric.name == "f1":
        return _f1(prediction, reference, NORMALIZATION)
    return 100.0 * (normalize(prediction) == normalize(reference))


@_pairwise(
    "texts as they are", "Exact match without normalisation: capitals, articles and punctuation count.", "exact_match"
)
def _not_normalised(prediction: str, reference: str, _: Task) -> float:
    return 100.0 * (prediction.strip() == reference.strip())


@_pairwise("reference inside the answer", "Exact match accepts an answer that contains a reference.", "exact_match")
def _reference_inside(prediction: str, reference: str, task: Task) -> float:
    steps = task.metric.steps
    return 100.0 * (f" {normalize(reference, steps)} " in f" {normalize(prediction, steps)} ")


@_pairwise(
    "articles before punctuation",
    "F1 removes a, an and the before the punctuation: “the-end” becomes “end”, not “theend”.",
    "f1",
)
def _articles_first(prediction: str, reference: str, task: Task) -> float:
    first = ("lowercase", "articles")
    return _f1(prediction, reference, [*first, *(step for step in task.metric.steps if step not in first)])


@_pairwise("set-F1", "F1 counts a repeated word once.", "f1")
def _f1_of_sets(prediction: str, reference: str, task: Task) -> float:
    return _f1(prediction, reference, task.metric.steps, count=lambda words: Counter(set(words)))


@_pairwise("upper-cased letters", "Accuracy reads the text in upper case: “b” is B, and the word “a” is A.", "accuracy")
def _upper_case(prediction: str, reference: str, _: Task) -> float:
    return 100.0 * (read_letter(prediction.upper()) == read_letter(reference.upper()))


@_pairwise(
    "bare numbers as percentages",
    "Where there is no percentage the first number is taken for one: “40” and “40 percent” are 40%.",
    "exp_similarity",
)
def _bare_numbers(prediction: str, reference: str, _: Task) -> float:
    def read(text: str) -> float | None:
        percentage, number = read_percentage(text), _NUMBER.search(text)
        return float(number.group()) if percentage is None and number else percentage

    return _similarity(read(prediction), read(reference))


@_pairwise(
    "first number as share or percentage",
    "The first number counts, with or without %: up to 1 it is a share (“0.4” is 40%), beyond it a percentage.",
    "exp_similarity",
)
def _first_numbers(prediction: str, reference: str, _: Task) -> float:
    def read(text: str) -> float | None:
        number = float(match.group()) if (match := _NUMBER.search(text)) else None
        return number and min(100.0, number if number > 1 else 100 * number)

    return _similarity(read(prediction), read(reference))


@_pairwise(
    "partial orders accepted",
    "An order need not be complete: the share of right pairs among the known ids that are there.",
    "concordance_index",
)
def _partial_orders(prediction: str, reference: str, _: Task) -> float:
    """Two mentions of the same id count as a pair out of order."""
    place = {number: i for i, number in enumerate(_ids(reference))}
    places = [place[number] for number in _ids(prediction) if number in place]
    pairs = len(places) * (len(places) - 1) // 2
    same = sum(count * (count - 1) // 2 for count in Counter(places).values())
    return max(0.0, concordance(places, sorted(places)) - 100 * same / pairs) if pairs else 0.0


@_pairwise(
    "equal positions",
    "The share of places that hold the right id, instead of the share of pairs in the right order.",
    "concordance_index",
)
def _equal_positions(prediction: str, reference: str, _: Task) -> float:
    order, truth = read_order(prediction) or (), read_order(reference) or ()
    if len(order) != len(truth) or not truth:
        return 0.0
    return 100 * sum(map(int.__eq__, order, truth)) / len(truth)


METRIC_VARIANTS |= {
    row.name: row
    for row in (
        MetricVariant(
            "missing tasks as zero",
            "A task without answers counts 0 in the average.",
            average=lambda points, tasks: fsum(points.values()) / len(tasks),
        ),
        MetricVariant(
            "mean of the tasks present",
            "The average leaves out tasks without answers.",
            average=lambda points, _: fsum(points.values()) / len(points),
        ),
    )
}


def _f1(
    prediction: str, reference: str, steps: Collection[str], count: Callable[[list[str]], Counter[str]] = Counter
) -> float:
    given, wanted = (count(normalize(text, steps).split()) for text in (prediction, reference))
    shared = (given & wanted).total()
    return 200 * shared / (given.total() + wanted.total()) if shared else 0.0


def _similarity(p: float | None, q: float | None) -> float:
    return 0.0 if p is None or q is None else similarity(p, q)


def _ids(text: str) -> list[int]:
    return [int(digits) for digits in _ID.findall(text) if len(digits) <= MAX_DIGITS]
