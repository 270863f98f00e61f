"""What a metric is, and those of the benchmarks that this package scores.

Sources: ZeroSCROLLS Table 1 and section 3.3; SCROLLS (arXiv 2201.03533) and its released evaluator.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import fsum
from types import MappingProxyType
from typing import Any

from .accuracy import score_accuracy
from .concordance_index import score_concordance_index
from .errors import EmptyInput, UnreadableReference
from .exact_match import score_exact_match
from .exp_similarity import score_exp_similarity
from .f1 import NORMALIZATION, SCROLLS_NORMALIZATION, score_f1
from .results import BenchmarkResult, ExampleResult, TaskResult
from .rouge import engine, score_rouge
from .version import installed_version

# From predictions and references per prediction, all checked, to results; `UnreadableReference` with the position.
BatchScorer = Callable[[Sequence[str], Sequence[Sequence[str]]], list[ExampleResult]]


@dataclass(frozen=True, slots=True)
class Metric:
    """How the predictions of a task are scored.

    Attributes:
        score_key: the key of the task's score in the released key set.
        score_all: scores predictions as they are given, `prepare` included.
        steps: those of `f1.NORMALIZATION` that texts go through.
        parts: the titles of what `ExampleResult.parts` has beside the score.
        prepare: what is done to a prediction before it is scored, such as leaving all but its first line out.
        settings: what else of its definition decides the number, for the signature.
        libraries: returns the libraries that decide it, with their versions, for the signature.
        fields: the fields of the example's row that it reads (`texts.RowReferences`), name to kind, "list" of texts or
            "number"; "list?" if the row may be without it.
    """

    name: str
    title: str
    score_key: str
    display_keys: tuple[str, ...]
    score_all: BatchScorer
    steps: tuple[str, ...] = ()
    parts: Mapping[str, str] = field(default_factory=dict)
    prepare: Callable[[str], str] | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    libraries: Callable[[], Mapping[str, str]] = dict
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def by_types(self) -> bool:
        """Whether an answer has a score for each ROUGE type."""
        return self.score_all is score_rouge

    @property
    def compares_words(self) -> bool:
        """Whether the score grows with the words shared, so that a text which says the opposite may score high."""
        return self.by_types or self.name == "f1"

    @property
    def is_binary(self) -> bool:
        """Whether an answer scores 0 or 100."""
        return self.name in ("accuracy", "exact_match")


@dataclass(frozen=True, slots=True)
class NamedMetric:
    """The name of a task and its metric: what an explanation has to know of the task."""

    name: str
    metric: Metric

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class MetricTable:
    """The metrics of a benchmark by the names of its tasks, which are scored separately and averaged.

    Attributes:
        score_key: the average's key in the released key set.
        metrics: those of all tasks, in the order of the paper's tables; those that are not averaged come last.
        not_averaged: the tasks that are scored, but not part of the average.
    """

    name: str
    title: str
    score_key: str
    metrics: Mapping[str, Metric]
    not_averaged: tuple[str, ...] = ()

    @property
    def averaged(self) -> list[str]:
        """The names of the tasks of the average."""
        return [name for name in self.metrics if name not in self.not_averaged]

    def score_of(self, scores: Mapping[str, float]) -> float | None:
        """Return the benchmark's score, the mean over all its tasks; `None` if one is missing."""
        whole = scores.keys() >= {*self.averaged}
        return fsum(scores[name] for name in self.averaged) / len(self.averaged) if whole else None

    def average(self, tasks: Mapping[str, TaskResult]) -> BenchmarkResult:
        """Return the mean over these tasks, and the benchmark's score if it has one of them; EmptyInput without any."""
        averaged = [name for name in self.averaged if name in tasks]
        if not averaged:
            raise EmptyInput("tasks of the average" if tasks else "tasks")
        mean = fsum(tasks[name].score for name in averaged) / len(averaged)
        missing = [name for name in self.averaged if name not in tasks]
        in_order = {name: tasks[name] for name in self.metrics if name in tasks}
        score = self.score_of({name: result.score for name, result in tasks.items()})
        return BenchmarkResult(score, mean, in_order, missing)

    def __str__(self) -> str:
        return self.name


def _score_each(
    score: Callable[..., ExampleResult], predictions: Sequence[str], references: Sequence[Sequence[str]]
) -> list[ExampleResult]:
    results = []
    for i, (prediction, texts) in enumerate(zip(predictions, references, strict=True)):
        try:
            results.append(score(prediction, texts))
        except UnreadableReference as error:
            raise error.of_example(i) from None
    return results


def mean_of_examples(
    name: str,
    title: str,
    score: Callable[..., ExampleResult],
    steps: Iterable[str] = (),
    *,
    prepare: Callable[[str], str] | None = None,
    **columns: Any,
) -> Metric:
    """Return a metric whose score of a task is the mean over its predictions, each scored by itself.

    `score` is a function of a prediction, after `prepare`, and its references. `columns` are others of `Metric`.
    """

    def prepared(prediction: str, references: Sequence[str]) -> ExampleResult:
        return score(prepare(prediction) if prepare else prediction, references)

    columns["settings"] = {**_normalization(steps), **columns.get("settings", {})}
    columns.setdefault("libraries", _unidecode if "transliteration" in steps else dict)
    score_all = partial(_score_each, prepared if prepare else score)
    return Metric(name, title, name, (name,), score_all, tuple(steps), prepare=prepare, **columns)


# The codes of the steps of the normalisation, for signatures.
_CODES = {
    "lowercase": "lower",
    "punctuation": "punct",
    "articles": "art",
    "whitespace": "ws",
    "transliteration": "unidecode",
}


def _normalization(steps: Iterable[str]) -> Mapping[str, str]:
    return {"norm": "-".join(_CODES[step] for step in steps)} if steps else {}


def _unidecode() -> Mapping[str, str]:
    return {"unidecode": installed_version("unidecode", "unidecode")}


_F1_PARTS = {"precision": "Precision", "recall": "Recall"}
ROUGE = Metric(
    *("rouge", "ROUGE", "rouge/geometric_mean", ("rouge/rouge1", "rouge/rouge2", "rouge/rougeL"), score_rouge),
    parts={"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"},
    settings={"stem": "no"},
    libraries=lambda: {"engine": engine().name.replace(" ", "-")},
)
F1 = mean_of_examples("f1", "F1", score_f1, NORMALIZATION, parts=_F1_PARTS)
SCROLLS_F1 = mean_of_examples(
    "f1", "F1", partial(score_f1, steps=SCROLLS_NORMALIZATION), SCROLLS_NORMALIZATION, parts=_F1_PARTS
)
ACCURACY = mean_of_examples("accuracy", "Accuracy", score_accuracy)
EXP_SIMILARITY = mean_of_examples("exp_similarity", "Exponential similarity", score_exp_similarity)
CONCORDANCE_INDEX = mean_of_examples("concordance_index", "Concordance index", score_concordance_index)
EXACT_MATCH = mean_of_examples("exact_match", "Exact match", score_exact_match, SCROLLS_NORMALIZATION)

#: The metrics by name, those that normalise texts with all steps or those of SCROLLS.
METRICS: Mapping[str, Metric] = MappingProxyType(
    {row.name: row for row in (ROUGE, F1, ACCURACY, EXP_SIMILARITY, CONCORDANCE_INDEX, EXACT_MATCH)}
)
#: How the metrics that normalise texts score one prediction.
_NORMALISING: Mapping[str, Callable[..., ExampleResult]] = {"f1": score_f1, "exact_match": score_exact_match}


def with_steps(metric: Metric, steps: Sequence[str]) -> Metric:
    """Return a metric that normalises texts with other steps, names of `f1.NORMALIZATION`; `KeyError` for another."""
    score = partial(_NORMALISING[metric.name], steps=tuple(steps))
    return mean_of_examples(metric.name, metric.title, score, steps, prepare=metric.prepare, parts=metric.parts)
