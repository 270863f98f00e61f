"""Score one prediction, or several, with a metric. `tasks.py` finds the metric of a task by its name.

Sources: ZeroSCROLLS section 3.3 and Table 3; the released evaluator of SCROLLS (arXiv 2201.03533).
"""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum

from .errors import UnreadableReference, ZeroScrollsError
from .metrics import Metric
from .results import ExampleResult, TaskResult
from .rouge import aggregate_rouge
from .texts import clean_columns, clean_references, clean_text

ROUGE_AGGREGATIONS = ("corpus", "instance")


def score_text(metric: Metric, prediction: str, references: str | Iterable[str]) -> ExampleResult:
    """Score one prediction: points (0 to 100), what was read, and what lowered the score.

    The best of the references counts; a string is one reference. The score of a ROUGE task is not the mean of these.

    Raises:
        NotAText, UnreadableReference: with the position.

    >>> from .metrics import METRICS
    >>> score_text(METRICS["accuracy"], "Answer: (C)", ["C"]).score
    100.0
    """
    texts = clean_references(references)
    try:
        return metric.score_all([clean_text(prediction, "prediction")], [texts])[0]
    except UnreadableReference as error:
        raise error.of_example(None) from None


def score_texts(
    metric: Metric,
    predictions: Sequence[str],
    references: Sequence[str | Iterable[str]],
    *,
    rouge_aggregation: str = "corpus",
    score_key: str = "",
    averaged: bool = True,
) -> TaskResult:
    """Score the predictions of one task; `references` are those of each, a list or one string.

    `rouge_aggregation` is `corpus` (released evaluator) or `instance` (section 3.3; see `rouge.py`). It changes the
    score of ROUGE only; `metrics` has both values either way. The other options are those of `result_of`.

    Raises:
        NotAText, LengthMismatch, EmptyInput, UnreadableReference: with the position.

    >>> from .metrics import METRICS
    >>> score_texts(METRICS["accuracy"], ["B", "(C)"], ["B", "D"]).metrics["accuracy"]
    50.0
    """
    if rouge_aggregation not in ROUGE_AGGREGATIONS:
        raise ZeroScrollsError(f"no rouge_aggregation {rouge_aggregation!r}; it is 'corpus' or 'instance'")
    texts, reference_texts = clean_columns(predictions, references)
    examples = metric.score_all(texts, reference_texts)
    score, values = aggregate(metric, examples, rouge_aggregation)
    values["mean_prediction_length_characters"] = sum(map(len, texts)) / len(texts)
    return result_of(metric, score, values, examples, score_key=score_key, averaged=averaged)


def result_of(
    metric: Metric,
    score: float,
    values: Mapping[str, float],
    examples: Sequence[ExampleResult],
    *,
    score_key: str = "",
    averaged: bool = True,
) -> TaskResult:
    """Return the result of a task from its score in points and its `values` by released key, which are rounded here.

    `score_key` is the benchmark's key of the score; its value is `None` for a task that is not `averaged`.
    """
    rounded = {key: round(value, 4) for key, value in values.items()}
    of_benchmark = {score_key: round(score, 4) if averaged else None} if score_key else {}
    metrics = {
        **rounded,
        "num_predicted": len(examples),
        **of_benchmark,
        "display_keys": list(metric.display_keys),
        "display": [rounded[key] for key in metric.display_keys],
    }
    return TaskResult(score, metrics, examples)


def aggregate(
    metric: Metric, examples: Sequence[ExampleResult], rouge_aggregation: str = "corpus"
) -> tuple[float, dict[str, float]]:
    """Return the score of a task from the results of its predictions, and the values by released key, unrounded."""
    if metric.by_types:
        values = aggregate_rouge(examples)
        return values["rouge/geometric_mean" + ("_instance" if rouge_aggregation == "instance" else "")], values
    score = fsum(example.score for example in examples) / len(examples)
    return score, {metric.score_key: score}
