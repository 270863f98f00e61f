"""Which scorer made this number: a file scored under the readings of the metrics that are found in the wild.

Most numbers that do not match come from two scorers that differ in a detail nobody wrote down. Here is one row per
detail, named after what it does; the values it gives on small cases were measured on the implementations themselves,
but for exact match, whose readings are the usual ways to loosen or tighten it.
The official score stays the score: a reading is a diagnostic, never mixed into it. Which of them reproduces a number
that somebody reported: `zs_bench.readings.reported`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from types import MappingProxyType

from zs_bench.readings import rereadings
from zs_bench.readings.rereadings import Answers
from zs_metric.scoring import score_benchmark
from zs_metric.tasks import Benchmark, find_benchmark
from zs_metric.texts import clean_columns

#: The name under which a reading's mean over the tasks stands beside the tasks.
AVERAGE = "average"
#: Reading to task (or "average") to points.
Rescored = dict[str, dict[str, float | None]]


def _of_all(points: Mapping[str, float], tasks: Collection[str]) -> float | None:
    return None if set(tasks) - set(points) else fsum(points.values()) / len(points)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read the metrics.

    Attributes:
        name: after what it does.
        does: the same in a sentence.
        metrics: the metrics it touches; none when it touches the average only.
        score: from the answers of a task with such a metric to its score in points.
        average: from the scores of the tasks and the names of all in the average to it, `None` where there is none.
        benchmark: which it is a reading of, when of one only.
    """

    name: str
    does: str
    metrics: tuple[str, ...] = ()
    score: Callable[[Answers], float] = rereadings.official
    average: Callable[[Mapping[str, float], Collection[str]], float | None] = _of_all
    benchmark: str | None = None

    def is_of(self, benchmark: Benchmark) -> bool:
        """Whether it can change anything there."""
        metrics = {task.metric for task in benchmark.tasks.values()}
        return self.benchmark in (None, benchmark.name) and (not self.metrics or bool(metrics & set(self.metrics)))

    def points(self, answers: Answers) -> float:
        """The task's score under this reading, in points; the official one where it is not touched."""
        touched = answers.definition.metric in self.metrics
        return (self.score if touched else rereadings.official)(answers)


OFFICIAL = "official"
_ALL = ("rouge", "f1", "accuracy", "exp_similarity", "concordance_index", "exact_match")
_ROWS = (
    Reading(OFFICIAL, "The released evaluator."),
    Reading("stemmer on", "ROUGE compares word stems (Porter).", ("rouge",), rereadings.stemmed_rouge),
    Reading(
        "mean of instance geometric means",
        "ROUGE takes the geometric mean per answer and then the mean, so that one answer without a common word pair "
        "counts 0.",
        ("rouge",),
        rereadings.instance_rouge,
    ),
    Reading(
        "first reference only",
        "Every answer is compared with its first reference, not with the best.",
        _ALL,
        rereadings.first_reference,
    ),
    Reading(
        "no transliteration",
        "F1 keeps accents, curly quotes and dashes: “café” is not “cafe”.",
        ("f1",),
        rereadings.f1_without_transliteration,
        benchmark="zero_scrolls",
    ),
    Reading(
        "transliteration",
        "F1 and exact match write accents, curly quotes and dashes in ASCII, as ZeroSCROLLS does: “café” is “cafe”.",
        ("f1", "exact_match"),
        rereadings.with_transliteration,
        benchmark="scrolls",
    ),
    Reading(
        "texts as they are",
        "Exact match without normalisation: capitals, articles and punctuation count.",
        ("exact_match",),
        rereadings.equal_as_they_are,
    ),
    Reading(
        "reference inside the answer",
        "Exact match is content with a reference that stands anywhere in the answer.",
        ("exact_match",),
        rereadings.reference_inside,
    ),
    Reading(
        "articles before punctuation",
        "F1 removes a, an and the before the punctuation: “the-end” becomes “end”, not “theend”.",
        ("f1",),
        rereadings.f1_articles_first,
    ),
    Reading("set-F1", "F1 counts a repeated word once.", ("f1",), rereadings.f1_of_sets),
    Reading(
        "upper-cased letters",
        "Accuracy reads the text in upper case: “b” is B, and the word “a” is A.",
        ("accuracy",),
        rereadings.upper_case_letters,
    ),
    Reading(
        "bare numbers as percentages",
        "Where there is no percentage the first number is taken for one: “40” and “40 percent” are 40%.",
        ("exp_similarity",),
        rereadings.bare_numbers,
    ),
    Reading(
        "first number as share or percentage",
        "The first number counts, with or without %: up to 1 it is a share (“0.4” is 40%), beyond it a percentage.",
        ("exp_similarity",),
        rereadings.first_numbers,
    ),
    Reading(
        "partial orders accepted",
        "An order need not be complete: the share of right pairs among the known ids that are there.",
        ("concordance_index",),
        rereadings.partial_orders,
    ),
    Reading(
        "equal positions",
        "The share of places that hold the right id, instead of the share of pairs in the right order.",
        ("concordance_index",),
        rereadings.equal_positions,
    ),
    Reading(
        "missing tasks as zero",
        "A task without answers counts 0 in the average.",
        average=lambda points, tasks: fsum(points.values()) / len(tasks),
    ),
    Reading(
        "mean of the tasks present",
        "The average leaves out tasks without answers.",
        average=lambda points, _: fsum(points.values()) / len(points),
    ),
)

#: The known readings, name to `Reading`, the official one first.
READINGS: Mapping[str, Reading] = MappingProxyType({row.name: row for row in _ROWS})


def rescore(
    tasks: Mapping[str, tuple[Sequence[str], Sequence[str | Iterable[str]]]], *, benchmark: str = "zero_scrolls"
) -> Rescored:
    """Score the same answers under every known reading of the benchmark.

    Args:
        tasks: `{task: (predictions, references)}`, as for `zs_metric.score_benchmark`.
        benchmark: whose tasks they are.

    Returns:
        `{reading: {task: points, …, "average": points}}`, the official reading first, the tasks in the benchmark's
        order; an average that the reading does not have is `None`.

    Raises:
        As `zs_metric.score_benchmark`.

    >>> found = rescore({"space_digest": (["40"], ["40%"])})
    >>> found["official"]["space_digest"], found["bare numbers as percentages"]["space_digest"]
    (0.0, 100.0)
    """
    the_benchmark = find_benchmark(benchmark)
    results = score_benchmark(tasks, benchmark=benchmark).tasks
    answers = [Answers(name, *clean_columns(*tasks[name]), official=result) for name, result in results.items()]
    rescored: Rescored = {}
    for reading in READINGS.values():
        if reading.is_of(the_benchmark):
            points = {given.task: reading.points(given) for given in answers}
            averaged = {name: score for name, score in points.items() if name in the_benchmark.tasks}
            rescored[reading.name] = {**points, AVERAGE: reading.average(averaged, the_benchmark.tasks)}
    return rescored
