"""The other scorers of LongBench: copies of its evaluator that differ in one thing, and who made them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from zs_bench.benchmarks.copies import Copy
from zs_bench.benchmarks.longbench import metrics as m
from zs_bench.benchmarks.records import Task
from zs_metric.metrics import Metric
from zs_metric.results import ExampleResult
from zs_metric.rouge import engine


def _given(change: Callable[[str], str]) -> Callable[[Task], Metric | None]:
    """Return the change that all answers go through before they are scored."""

    def of(task: Task) -> Metric | None:
        def score_all(predictions: Sequence[str], references: Sequence[Sequence[str]]) -> list[ExampleResult]:
            return task.metric.score_all([change(text) for text in predictions], references)

        return replace(task.metric, score_all=score_all)

    return of


def _without_first_line(task: Task) -> Metric | None:
    """The metric of a stripped answer: without the step of the first line; for code, its first line with a letter."""
    if task.metric.name == "edit_similarity":

        def line(text: str) -> str:
            kept = (each for each in text.split("\n") if each.strip())
            return next((each for each in kept if not any(mark in each for mark in m.NO_CODE)), "")

        return _given(line)(task)
    whole = task.metric
    if whole.prepare:
        of_classes = whole.name == "classification"
        whole = m.classification(task.choices, line=False) if of_classes else m.WHOLE[whole.name]
    return _given(str.strip)(replace(task, metric=whole))


def _ratio(name: str, ratio: Callable[[str, str], float]) -> Callable[[Task], Metric | None]:
    metric = m.edit_metric(name, ratio)
    return lambda task: metric if task.metric.name == "edit_similarity" else None


def _indel(line: str, reference: str, *, rounded: bool) -> float:
    from rapidfuzz import fuzz  # noqa: PLC0415  (for this copy alone)

    score = fuzz.ratio(line, reference) if line and reference else 100.0 * (line == reference)
    return round(score) if rounded else score


def _google(prediction: str, reference: str, *, stemmer: bool) -> tuple[float, dict[str, float]]:
    score = engine(stemmer=stemmer, types=("rougeL",)).score_pairs([reference], [prediction])[0]["rougeL"]
    return score.fmeasure, {"precision": score.precision, "recall": score.recall}


def _rouge(*, stemmer: bool) -> Callable[[Task], Metric | None]:
    def of(task: Task) -> Metric | None:
        line = task.metric.prepare is not None
        metric = m.rouge_metric("rouge-score", partial(_google, stemmer=stemmer), line=line)
        return metric if task.metric.name == "rouge_l" else None

    return of


COPIES = (
    Copy(
        "leading blanks stripped",
        "Answers lose the white space before them, a line of code its indentation: reported of kvpress, whose scorer "
        "at 6cf7cf4 does so in the tasks of one line.",
        _given(str.lstrip),
    ),
    Copy(
        "no first line",
        "Answers are stripped and scored whole, relying on a stop at the line break; of code, the first line that is "
        "not blank counts: as in lm-evaluation-harness, versions 5 and 6 of its tasks.",
        _without_first_line,
    ),
    Copy(
        "python-Levenshtein for difflib",
        "The ratio of code is that of insertions and deletions, in whole per cent, as fuzzywuzzy computes it where "
        "python-Levenshtein is installed.",
        _ratio("levenshtein", partial(_indel, rounded=True)),
    ),
    Copy(
        "RapidFuzz for fuzzywuzzy",
        "The ratio of code is RapidFuzz's, of insertions and deletions, unrounded.",
        _ratio("rapidfuzz", partial(_indel, rounded=False)),
    ),
    Copy(
        "rouge-score for rouge",
        "ROUGE-L is that of Google's rouge-score: no sentences, words of a to z and digits in lowercase.",
        _rouge(stemmer=False),
    ),
    Copy(
        "rouge-score for rouge, stemmer on",
        "ROUGE-L is that of Google's rouge-score with its stemmer.",
        _rouge(stemmer=True),
    ),
)
