"""The metrics as other implementations compute them, one variant per detail, to find the scorer behind a number.

Most numbers that cannot be reproduced come from scorers that differ in one undocumented detail. The values of these
variants on small cases were measured with the implementations themselves; those of exact match are the usual ways to
loosen or tighten it. Variants are diagnostics and never enter the official score. Each differs from the official scorer
only in what it names, raises for no text, and is near-linear in the length of a prediction.

`rescore` computes them, `matching_variants` finds those that reproduce reported numbers, `rescored_file` does both for
a scored file, and `certify` says whether the scores that a file has recorded are the official ones.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import partial
from itertools import islice
from math import fsum, inf, prod
from statistics import fmean
from typing import Any, NamedTuple
from urllib.parse import quote

from zs_bench.benchmarks import DEFAULT, Benchmark, Task, find_benchmark, find_task
from zs_bench.benchmarks.copies import Copy
from zs_bench.scoring.recorded_scores import RecordedScore, RecordedScores, recorded_scores
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_metric.accuracy import read_letter
from zs_metric.concordance_index import MAX_DIGITS, concordance, read_order
from zs_metric.errors import EmptyInput, ZeroScrollsError, did_you_mean
from zs_metric.exp_similarity import read_percentage, similarity
from zs_metric.f1 import NORMALIZATION, SCROLLS_NORMALIZATION, normalize
from zs_metric.results import TaskResult
from zs_metric.rouge import ROUGE_TYPES, aggregate_rouge, engine, score_rouge
from zs_metric.scoring import score_texts
from zs_metric.texts import clean_columns
from zs_metric.version import VERSION

OFFICIAL = "official"
_PairScore = Callable[[str, str, Task], float]


class ScoredTexts(NamedTuple):
    """The predictions of one task as its metric prepares them, their references, and the official result.

    `given` are the predictions before that. The texts have been checked.
    """

    task: Task
    given: Sequence[str]
    references: Sequence[Sequence[str]]
    official: TaskResult

    @property
    def predictions(self) -> Sequence[str]:
        """What the metric compares with the references, such as the first line of each answer."""
        prepare = self.task.metric.prepare
        return [prepare(text) for text in self.given] if prepare else self.given


def _mean(points: Mapping[str, float], tasks: Collection[str]) -> float | None:
    return None if set(tasks) - set(points) else fsum(points.values()) / len(points)


class MetricVariant(NamedTuple):
    """One way to compute the metrics: one documented difference from the official scorer.

    Attributes:
        does: the difference, in a sentence.
        metrics: those that it changes; empty for all.
        transliterates: whether it is for benchmarks whose metrics do; `None` for all.
        score: computes the points of a task with one of these metrics.
        average: computes the average from the scores and the names of all its tasks; `None` if there is none.
    """

    name: str
    does: str
    metrics: tuple[str, ...] = ()
    transliterates: bool | None = None
    score: Callable[[ScoredTexts], float] = lambda texts: texts.official.score
    average: Callable[[Mapping[str, float], Collection[str]], float | None] = _mean

    def applies_to(self, benchmark: Benchmark) -> bool:
        """Whether it can change a score of the benchmark."""
        metrics = {task.metric.name for task in benchmark.tasks.values()}
        here = "transliteration" in benchmark.normalization
        return self.transliterates in (None, here) and (not self.metrics or bool(metrics & set(self.metrics)))

    def points(self, texts: ScoredTexts) -> float:
        """The task's score in points; the official one if the variant does not change its metric."""
        return self.score(texts) if not self.metrics or texts.task.metric.name in self.metrics else texts.official.score


def _first_reference(texts: ScoredTexts) -> float:
    if all(len(references) == 1 for references in texts.references):
        return texts.official.score
    return score_texts(texts.task.metric, texts.given, [references[:1] for references in texts.references]).score


_VARIANTS = [
    MetricVariant(OFFICIAL, "The released evaluator."),
    MetricVariant(
        "stemmer on",
        "ROUGE compares word stems (Porter).",
        ("rouge",),
        score=lambda t: aggregate_rouge(score_rouge(t.predictions, t.references, stemmer=True))["rouge/geometric_mean"],
    ),
    MetricVariant(
        "mean of instance geometric means",
        "ROUGE takes the geometric mean per answer and then the mean, so that one answer without a common word pair "
        "counts 0.",
        ("rouge",),
        score=lambda texts: aggregate_rouge(texts.official.examples)["rouge/geometric_mean_instance"],
    ),
    MetricVariant(
        "first reference only",
        "Every answer is compared with its first reference, not with the best.",
        score=_first_reference,
    ),
]


# After a full stop, question or exclamation mark, and quotes or brackets that close there.
_SENTENCE_END = re.compile(r"""([.!?]["'”’)\]]*)\s+""")


def _by_sentences(text: str) -> str:
    r"""Return the text with its sentences on lines of their own, and its line breaks.

    >>> _by_sentences("It rained. (All day.) Did it stop? No")
    'It rained.\n(All day.)\nDid it stop?\nNo'
    """
    return _SENTENCE_END.sub(r"\1\n", text)


def _rouge(names: Sequence[str], *, stemmer: bool, by_sentences: bool) -> Callable[[ScoredTexts], float]:
    """Return the function that computes the geometric mean of these ROUGE types' means over the best references."""

    def score(texts: ScoredTexts) -> float:
        pairs = [(ref, text) for text, refs in zip(texts.predictions, texts.references, strict=True) for ref in refs]
        if by_sentences:
            pairs = [(_by_sentences(reference), _by_sentences(text)) for reference, text in pairs]
        scores = iter(engine(stemmer=stemmer, types=(*names,)).score_pairs(*map(list, zip(*pairs, strict=True))))
        best = [[*islice(scores, len(references))] for references in texts.references]
        means = [fmean(max(pair[name].fmeasure for pair in pairs) for pairs in best) for name in names]
        return 100 * prod(means) ** (1 / len(means))

    return score


# Training scripts split sentences with NLTK's punkt, whose data is a download; abbreviations are where the two differ.
_SPLIT = "each sentence on a line of its own, split here after . ! or ? and not by NLTK's punkt"
_LSUM = [*ROUGE_TYPES[:2], "rougeLsum"]
# Other ROUGE types in place of the three: the name of the variant, what it does, the types, and whether by sentences.
_OTHER_TYPES = [
    *(
        (f"ROUGE-{name} alone", f"ROUGE-{name} for the geometric mean of ROUGE-1, 2 and L", [f"rouge{name}"], False)
        for name in ("1", "2", "L", "Lsum")
    ),
    ("ROUGE-Lsum of sentences alone", f"ROUGE-Lsum for the geometric mean, {_SPLIT}", ["rougeLsum"], True),
    (
        "ROUGE-Lsum for ROUGE-L",
        "The geometric mean has ROUGE-Lsum, which compares line by line, in place of ROUGE-L",
        _LSUM,
        False,
    ),
    (
        "ROUGE-Lsum of sentences for ROUGE-L",
        f"The geometric mean has ROUGE-Lsum in place of ROUGE-L, {_SPLIT}",
        _LSUM,
        True,
    ),
]
_VARIANTS += [
    MetricVariant(
        f"{name}{stems}",
        f"{does}{stems}.",
        ("rouge",),
        score=_rouge(types, stemmer=bool(stems), by_sentences=by_sentences),
    )
    for stems in ("", ", stemmer on")
    for name, does, types, by_sentences in _OTHER_TYPES
]


def _pairwise(name: str, does: str, *metrics: str, transliterates: bool | None = None) -> Callable[[_PairScore], None]:
    """Register a function of prediction, reference and task; the score is the mean over the best references."""

    def add(score: _PairScore) -> None:
        def mean_of_best(texts: ScoredTexts) -> float:
            pairs = zip(texts.predictions, texts.references, strict=True)
            return fmean(max(score(text, ref, texts.task) for ref in references) for text, references in pairs)

        _VARIANTS.append(MetricVariant(name, does, metrics, transliterates, mean_of_best))

    return add


@_pairwise(
    "no transliteration", "F1 keeps accents, curly quotes and dashes: “café” is not “cafe”.", "f1", transliterates=True
)
def _without_transliteration(prediction: str, reference: str, _: Task) -> float:
    return _f1(prediction, reference, SCROLLS_NORMALIZATION)


@_pairwise(
    "transliteration",
    "F1 and exact match write accents, curly quotes and dashes in ASCII, as ZeroSCROLLS does: “café” is “cafe”.",
    *("f1", "exact_match"),
    transliterates=False,
)
def _with_transliteration(prediction: str, reference: str, task: Task) -> float:
    exact = 100.0 * (normalize(prediction) == normalize(reference))
    return _f1(prediction, reference, NORMALIZATION) if task.metric.name == "f1" else exact


@_pairwise(
    "texts as they are", "Exact match without normalisation: capitals, articles and punctuation count.", "exact_match"
)
def _not_normalised(prediction: str, reference: str, _: Task) -> float:
    return 100.0 * (prediction.strip() == reference.strip())


@_pairwise("reference inside the answer", "Exact match accepts an answer that contains a reference.", "exact_match")
def _reference_inside(prediction: str, reference: str, task: Task) -> float:
    inside, outside = (f" {normalize(text, task.metric.steps)} " for text in (reference, prediction))
    return 100.0 * (inside in outside)


@_pairwise(
    "articles before punctuation",
    "F1 removes a, an and the before the punctuation: “the-end” becomes “end”, not “theend”.",
    "f1",
)
def _articles_first(prediction: str, reference: str, task: Task) -> float:
    return _f1(prediction, reference, dict.fromkeys(("lowercase", "articles", *task.metric.steps)))


@_pairwise("set-F1", "F1 counts a repeated word once.", "f1")
def _f1_of_sets(prediction: str, reference: str, task: Task) -> float:
    return _f1(prediction, reference, task.metric.steps, once=True)


@_pairwise("upper-cased letters", "Accuracy reads the text in upper case: “b” is B, and the word “a” is A.", "accuracy")
def _upper_case(prediction: str, reference: str, _: Task) -> float:
    return 100.0 * (read_letter(prediction.upper()) == read_letter(reference.upper()))


@_pairwise("letter anywhere", "Accuracy looks for the right letter anywhere, inside a word too.", "accuracy")
def _letter_anywhere(prediction: str, reference: str, _: Task) -> float:
    return 100.0 * ((read_letter(reference) or reference) in prediction)


@_pairwise(
    "bare numbers as percentages",
    "Without a percentage, the first number is read as one: “40” and “40 percent” are 40%.",
    "exp_similarity",
)
def _bare_numbers(prediction: str, reference: str, _: Task) -> float:
    def read(text: str) -> float | None:
        percentage = read_percentage(text)
        return _first_number(text) if percentage is None else percentage

    return _similarity(read(prediction), read(reference))


@_pairwise(
    "first number as share or percentage",
    "The first number counts, with or without %: up to 1 it is a share (“0.4” is 40%), beyond it a percentage.",
    "exp_similarity",
)
def _first_numbers(prediction: str, reference: str, _: Task) -> float:
    def read(text: str) -> float | None:
        number = _first_number(text)
        return number and min(100.0, number if number > 1 else 100 * number)

    return _similarity(read(prediction), read(reference))


@_pairwise(
    "partial orders accepted",
    "An order need not be complete: the share of right pairs among the known ids in it.",
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
    return 100 * sum(map(int.__eq__, order, truth)) / len(truth) if len(order) == len(truth) > 0 else 0.0


_VARIANTS += [
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
]
#: The variants of the metrics of several benchmarks, name to `MetricVariant`, the official one first.
METRIC_VARIANTS = {variant.name: variant for variant in _VARIANTS}


def variants_of(benchmark: Benchmark) -> Mapping[str, MetricVariant]:
    """Return the variants that can change a score of a benchmark, the copies of its own among them, by name.

    Where several averages are its headline, the average of the official scorer is the first of them, and the others
    are variants, as is the mean of all tasks.
    """
    found = {name: variant for name, variant in METRIC_VARIANTS.items() if variant.applies_to(benchmark)}
    found |= {
        copy.name: MetricVariant(copy.name, copy.does, score=partial(_by_copy, copy)) for copy in benchmark.copies()
    }
    if not benchmark.headline:
        return found
    shown = [name for name, average in benchmark.averages.items() if not average.hidden]
    averages = {name: partial(_weighted, benchmark.weights(name)) for name in (*benchmark.headline, *shown)}
    first = averages[benchmark.headline[0]]
    found = {name: each._replace(average=first) for name, each in found.items() if each.average is _mean}
    for name, average in averages.items():
        if average is not first:
            does = f"The average is another one: {benchmark.averages[name].title}."
            found[name] = MetricVariant(name, does, average=average)
    does = f"The average is the mean of all {len(benchmark.tasks)} tasks, which is none of {benchmark.title}'s."
    return {**found, "mean of all tasks": MetricVariant("mean of all tasks", does)}


def _weighted(weights: Mapping[str, float], points: Mapping[str, float], _: Collection[str]) -> float | None:
    whole = weights.keys() <= points.keys()
    return fsum(weight * points[task] for task, weight in weights.items()) if whole else None


def _by_copy(copy: Copy, texts: ScoredTexts) -> float:
    metric = copy.change(texts.task)
    if metric is None:
        return texts.official.score
    return fmean(result.score for result in metric.score_all(texts.given, texts.references))


def _f1(prediction: str, reference: str, steps: Collection[str], *, once: bool = False) -> float:
    """F1 of the words after these steps; `once` counts a repeated word once."""
    texts = (normalize(text, steps).split() for text in (prediction, reference))
    have, wanted = (Counter(set(words) if once else words) for words in texts)
    shared = (have & wanted).total()
    return 200 * shared / (have.total() + wanted.total()) if shared else 0.0


def _first_number(text: str) -> float | None:
    number = re.search(r"\d+(?:\.\d+)?", text)
    return float(number.group()) if number else None


def _similarity(p: float | None, q: float | None) -> float:
    return 0.0 if p is None or q is None else similarity(p, q)


def _ids(text: str) -> list[int]:
    return [int(digits) for digits in re.findall("[0-9]+", text) if len(digits) <= MAX_DIGITS]


#: The name of a variant's mean over the tasks, beside the names of the tasks.
AVERAGE = "average"
#: Variant to task (or "average") to points.
Rescored = dict[str, dict[str, float | None]]


def rescore(
    tasks: Mapping[str, tuple[Sequence[str], Sequence[str | Iterable[str]]]],
    *,
    benchmark: str | Benchmark = DEFAULT,
) -> Rescored:
    """Score `{task: (predictions, references)}` under every variant of the metrics that applies to the benchmark.

    The result is `{variant: {task: points, …, "average": points}}`, the official one first, the tasks in the
    benchmark's order; an average that the variant does not have is `None`. Raises as `zs_metric.score_task`.
    """
    if not tasks:
        raise EmptyInput("tasks")
    rows = find_benchmark(benchmark)
    for name in tasks:
        find_task(name, benchmark=rows)
    texts = [
        ScoredTexts(task, *clean_columns(*tasks[name]), official=score_texts(task.metric, *tasks[name]))
        for name, task in rows.all_tasks.items()
        if name in tasks
    ]
    rescored: Rescored = {}
    for name, variant in variants_of(rows).items():
        points = {task_texts.task.name: variant.points(task_texts) for task_texts in texts}
        averaged = {task: score for task, score in points.items() if task in rows.tasks}
        average = variant.average(averaged, rows.tasks) if averaged else None
        rescored[name] = {**points, AVERAGE: average}
    return rescored


def matching_variants(rescored: Rescored, reported: Mapping[str, float | str]) -> list[str]:
    """Return the variants that reproduce reported numbers, to the decimals given, nearest first.

    `reported` has points by task (or "average"); a text such as `"28.50"` keeps its last zero. Where no variant gives
    numbers of which none is above 1, they are shares of 1. A variant that gives the official value of every reported
    number is left out, since it explains nothing. Raises `ZeroScrollsError` for nothing reported, a name that was not
    scored, and a value that is not a number.
    """
    return _matches(rescored, reported)[0]


def _matches(rescored: Rescored, reported: Mapping[str, float | str]) -> tuple[list[str], bool]:
    """Return the variants that give the numbers, and whether these are shares of 1."""
    if not reported:
        raise ZeroScrollsError("no number was given; give one such as {'qasper': 28.5}, or for 'average'")
    numbers = {name: _number(name, value) for name, value in reported.items()}
    if (found := _near(rescored, numbers)) or any(number > 1 for number, _ in numbers.values()):
        return found, False
    found = _near(rescored, {name: (100 * number, 100 * half) for name, (number, half) in numbers.items()})
    return found, bool(found)


def _near(rescored: Rescored, numbers: Mapping[str, tuple[float, float]]) -> list[str]:
    """Return the variants that give these points, each within its half unit, nearest first."""
    official = rescored[OFFICIAL]
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
    that give all of it, nearest first; `None` when nothing was reported) and `shares` (whether they give it as shares
    of 1). Each of `variants` has `does` (a sentence), `signature`, `scores` (task, and last "average", to points;
    `None` where the variant has none) and `deltas`, their differences from the official ones.

    Raises as `matching_variants`, and `EmptyInput` for a file without a scored task.
    """
    if not scored.scored:
        raise EmptyInput("tasks")
    texts = {name: task.texts for name, task in scored.scored.items()}
    rescored, variants = rescore(texts, benchmark=scored.benchmark), {}
    known, signature = variants_of(scored.benchmark), str(scored.signature())
    given_by, shares = _matches(rescored, reported) if reported else (None, False)
    given_by, shares = _matches(rescored, reported) if reported else (None, False)
    for name, points in rescored.items():
        pairs = {task: (value, rescored[OFFICIAL][task]) for task, value in points.items()}
        deltas = {task: None if a is None or b is None else a - b for task, (a, b) in pairs.items()}
        own = signature if name == OFFICIAL else f"{signature}|variant:{quote(name)}"
        variants[name] = {"does": known[name].does, "scores": points, "deltas": deltas, "signature": own}
    return {
        "schema": "zero-scrolls-variants/1",
        "version": VERSION,
        "signature": signature,
        "variants": variants,
        "reported": dict(reported or {}),
        "given_by": given_by,
        "shares": shares,
    }


#: The most answers that are scored under all variants: those that differ first.
MOST = 300


def certify(scored: ScoredFile) -> dict[str, Any]:
    """Compare the recorded scores of a scored file with the official ones, as JSON-able data.

    Keys: `schema`, `version`, `signature`, `agrees` (whether scores are recorded and all are the official ones), and
    `tasks`, name to `None` where nothing is recorded, else to: `recorded`, the name of the field; `shares`, whether
    they are shares of 1; `answers` and `agree`, numbers; `mean` of the recorded scores in points; `differences`, the
    largest first, with `id`, `recorded` and `official`; and `given_by`, the variant that gives the most of `tried`
    answers, if it gives more than the official metric, with `agree` and `does`.
    """
    rows = scored.validation.checked.rows
    tasks = {name: _of_task(task, recorded_scores(task, rows)) for name, task in scored.scored.items()}
    found = [each for each in tasks.values() if each]
    return {
        "schema": "zero-scrolls-certify/1",
        "version": VERSION,
        "signature": str(scored.signature()),
        "agrees": bool(found) and all(not each["differences"] for each in found),
        "tasks": tasks,
    }


def _of_task(task: ScoredTask, recorded: RecordedScores | None) -> dict[str, Any] | None:
    if recorded is None:
        return None
    differing = recorded.differing
    return {
        "recorded": recorded.name,
        "shares": recorded.are_shares,
        "answers": len(recorded.pairs),
        "agree": len(recorded.pairs) - len(differing),
        "unrecorded": task.answered - len(recorded.pairs),
        "mean": sum(pair.recorded for pair in recorded.pairs) / len(recorded.pairs),
        "differences": [{"id": row.answer.id, "recorded": row.recorded, "official": row.official} for row in differing],
        "given_by": _given_by(task.task, recorded, differing) if differing else None,
    }


def _given_by(task: Task, recorded: RecordedScores, differing: list[RecordedScore]) -> dict[str, Any] | None:
    """The variant that gives most of the recorded scores, unless the official metric gives as many."""
    alike = [pair for pair in recorded.pairs if recorded.agree(pair.recorded, pair.official)]
    tried = [*differing[: MOST // 2], *alike, *differing[MOST // 2 :]][:MOST]
    columns = [([pair.answer.text], [pair.answer.references]) for pair in tried]  # each answer is a task of its own
    texts = [ScoredTexts(task, *each, official=score_texts(task.metric, *each)) for each in columns]
    agree = {
        name: sum(recorded.agree(pair.recorded, variant.points(row)) for pair, row in zip(tried, texts, strict=True))
        for name, variant in variants_of(task.benchmark).items()
    }
    best = max(agree, key=agree.__getitem__)
    if agree[best] <= agree[OFFICIAL]:
        return None
    return {"variant": best, "does": variants_of(task.benchmark)[best].does, "agree": agree[best], "tried": len(tried)}
