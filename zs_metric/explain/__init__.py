"""Why this score: what the scorer read, where the points went, what would have scored more. For diagnosis only.

>>> from ..metrics import ACCURACY, NamedMetric
>>> explain(NamedMetric("quality", ACCURACY), "A good answer is B", ["B"]).losses
{'misread': 100.0}
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec

from ..errors import UnreadableReference
from ..means import fmean
from ..metrics import NamedMetric
from ..results import ExampleResult
from ..scoring import aggregate
from ..texts import clean_columns, clean_references, clean_text
from .explanation import Explanation, WhatIf
from .loss_breakdown import CAUSES, Losses

__all__ = ["CAUSES", "Explanation", "Losses", "TaskLosses", "WhatIf", "explain", "explanation_of", "losses_of_task"]


def explain(
    task: NamedMetric,
    prediction: str,
    references: str | Iterable[str],
    *,
    result: ExampleResult | None = None,
) -> Explanation:
    """Return why a prediction has its score, in points; arguments and errors are those of `scoring.score_text`.

    `result` is the official result, if the caller has it.

    >>> from ..metrics import EXP_SIMILARITY, F1
    >>> explain(NamedMetric("musique", F1), "“Paris”", "Paris").losses
    {'typography': 100.0}
    >>> space_digest = NamedMetric("space_digest", EXP_SIMILARITY)
    >>> [(repair.answer, repair.score) for repair in explain(space_digest, "40", "40%").what_if]
    [('40%', 100.0)]
    """
    texts = clean_references(references)
    results = [result] if result else None
    try:
        (explanation,) = _explanations(task, [clean_text(prediction, "prediction")], [texts], results)
    except UnreadableReference as error:
        raise error.of_example(None) from None
    for slow_part in ("what_if", "view", "parsed"):
        getattr(explanation, slow_part)
    return explanation


def explanation_of(task: NamedMetric, prediction: str, references: Sequence[str], result: ExampleResult) -> Explanation:
    """Return the explanation of checked texts, as the metric prepares them, and of their official result.

    Its slow parts are made when asked for.
    """
    prepare = task.metric.prepare
    text = prepare(prediction) if prepare else prediction
    explanation = _class_for(task.metric.name)(task, text, references, result)
    if len(text) < len(prediction.strip()):
        explanation.note("only what the metric scores of the answer is shown")
    return explanation


@dataclass(frozen=True)
class TaskLosses:
    """The losses of a task's predictions. Scores and losses are points.

    `aggregation` is for ROUGE the task's score minus the mean of its predictions' scores (the corpus instead of the
    instances); otherwise 0.
    """

    examples: tuple[Explanation, ...]
    aggregation: float

    @cached_property
    def mean(self) -> Losses:
        """The mean of the predictions' losses, cause by cause."""
        means = {cause: fmean(example.losses.get(cause, 0.0) for example in self.examples) for cause in CAUSES}
        return {cause: points for cause, points in means.items() if points}

    @cached_property
    def score(self) -> float:
        """The mean of the predictions' scores; with the causes it adds up to 100."""
        return fmean(example.score for example in self.examples)

    @property
    def form(self) -> str | None:
        """The form asked for, in words, such as "a bare letter"; `None` for metrics of free text."""
        return self.examples[0].form

    @cached_property
    def in_format(self) -> float | None:
        """The share of predictions in that form, 0 to 1; `None` for metrics of free text."""
        return fmean(bool(example.in_format) for example in self.examples) if self.form else None

    @property
    def answer_words(self) -> tuple[int, ...]:
        """The lengths of all predictions in words."""
        return tuple(len(example.prediction.split()) for example in self.examples)

    @property
    def reference_words(self) -> tuple[int, ...]:
        """The lengths of all references in words."""
        return tuple(len(text.split()) for example in self.examples for text in example.references)


def losses_of_task(
    task: NamedMetric,
    predictions: Sequence[str],
    references: Sequence[str | Iterable[str]],
    *,
    results: Sequence[ExampleResult] | None = None,
) -> TaskLosses:
    """Return the losses of a task's predictions, in points.

    The arguments and errors are those of `scoring.score_texts`; `results` are the official results, if the
    caller has them.

    >>> from ..metrics import ACCURACY
    >>> losses_of_task(NamedMetric("quality", ACCURACY), ["B", "A nice day"], ["B", "C"]).mean
    {'misread': 50.0}
    """
    explanations = tuple(_explanations(task, *clean_columns(predictions, references), results))
    if not task.metric.by_types:
        return TaskLosses(explanations, 0.0)
    corpus, _ = aggregate(task.metric, [example.result for example in explanations])
    return TaskLosses(explanations, corpus - fmean(example.score for example in explanations))


def _explanations(
    task: NamedMetric,
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    results: Sequence[ExampleResult] | None,
) -> list[Explanation]:
    """Explain cleaned texts."""
    results = results or task.metric.score_all(predictions, references)
    return [explanation_of(task, *row) for row in zip(predictions, references, results, strict=True)]


@cache
def _class_for(metric: str) -> type[Explanation]:
    """Return the `EXPLANATION` of the module named after the metric, or the base class."""
    module = f"{__package__}.{metric}"
    explanation: type[Explanation] = import_module(module).EXPLANATION if find_spec(module) else Explanation
    return explanation
