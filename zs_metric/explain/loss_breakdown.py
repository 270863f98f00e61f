"""The loss breakdown: the points that a prediction lost, by cause.

The four parts are points, none is negative, and they add up to 100 minus the score. Each is a fact: what the official
scorer gives for another text, or a rule that can be checked by hand.

*format* (accuracy, percentages, orders, exact match): the whole loss if the scorer did not read what the prediction
says. That is the case when it could read no letter, percentage or id; when the ids are not a permutation of any
reference's; when the letter it read is the article "A", or is not the right one that the prediction names as its answer
("A is tempting, but the answer is B"); when the percentage it read is only the tail of a number and the whole number
scores more (`87.0.0%`); when a prediction that must equal a reference is the letter of an option, or the answer it
names, its first sentence or its first clause does equal one ("Entailment, because …"). Otherwise format is 0 and:

*typography*: what the lenient scoring gains (`scored.py`: quotes, dashes, ellipsis, accents, full-width forms in ASCII,
in the prediction and in the references).

*length* (F1, ROUGE), in the better of the two scorings: what stopping earlier would gain, that is, the highest score of
the prediction cut after a word (F1) or a sentence (ROUGE), minus the score of all of it.

*content*: the rest.

`length_up_to` is not part of the sum: what a prediction that is shorter than every reference might have gained by going
on, if what was not written had been as precise as what was: P - F, for ROUGE the geometric mean of the three P minus
that of the three F. It is an upper bound within content. It is 0 where stopping earlier scores more, and where some
reference has no more tokens than the prediction or shares none with it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import le
from statistics import fmean
from typing import Any

from ..results import ExampleResult
from ..rouge import geometric_mean
from ..scoring import aggregate
from ..tasks import ROUGE, Benchmark, Task, find_task
from ..texts import clean_columns
from .parts import TEXT_LIMIT, Part
from .scored import ScoredPrediction, score_predictions

PARTS = ("format", "typography", "length", "content")
# Smaller differences are rounding errors.
_ROUNDING = 1e-9
_LAST_WORDS, _LAST_CHARACTERS = 5, 60


@dataclass(frozen=True, slots=True)
class Stop(Part):
    """Where the prediction should have stopped.

    Attributes:
        offset: the number of its characters up to there.
        words: the last words before it.
        score: the better of the two scores of the prediction up to there, in points.
    """

    offset: int
    words: str
    score: float


@dataclass(frozen=True, slots=True)
class Losses:
    """The lost points of one prediction, or their mean, by cause; the rule is in the module's docstring.

    Attributes:
        format, typography, length, content: points; they add up to 100 minus the score.
        length_up_to: points within content that a longer prediction might have gained; an upper bound.
        stop: where to stop, if `length` is not 0.
    """

    format: float = 0.0
    typography: float = 0.0
    length: float = 0.0
    content: float = 0.0
    length_up_to: float = 0.0
    stop: Stop | None = None

    def as_dict(self) -> dict[str, float]:
        """The parts that add up, by name."""
        return {part: getattr(self, part) for part in PARTS}

    @property
    def direction(self) -> str | None:
        """`"too long"` if points were lost to length, `"too short"` if that is possible, else `None`."""
        return "too long" if self.length else "too short" if self.length_up_to else None


def break_down(scored: ScoredPrediction) -> Losses:
    """The losses of one prediction."""
    score, better = scored.result.score, scored.better.score
    if score < 100 and scored.explainer.is_misread(scored):
        return Losses(format=100 - score)
    stop = best_stop(scored)
    best = stop.score if stop else better
    up_to = 0.0 if stop else _length_up_to(scored)
    return Losses(0.0, better - score, best - better, 100 - best, up_to, stop)


def best_stop(scored: ScoredPrediction) -> Stop | None:
    """Where stopping earlier scores most; `None` if it does not score more."""
    if not 0 < scored.better.score < 100 or len(scored.prediction) > TEXT_LIMIT:
        return None
    offset = scored.explainer.best_stop(scored)
    if offset is None:
        return None
    text = scored.prediction[:offset]
    score = scored.better_score(text)
    words = " ".join(text[-_LAST_CHARACTERS:].split()[-_LAST_WORDS:])
    if len(text.split()) > _LAST_WORDS:
        words = f"… {words}"
    return Stop(offset, words, score) if score > scored.better.score + _ROUNDING else None


def _length_up_to(scored: ScoredPrediction) -> float:
    tokens, better = scored.explainer.tokens, scored.better
    parts = better.rouge.values() if better.rouge else ()
    precisions = [part.precision for part in parts] or [better.precision or 0.0]
    recalls = [part.recall for part in parts] or [better.recall or 0.0]
    if tokens is None or any(map(le, precisions, recalls)):
        return 0.0
    words, *others = (tokens(scored, scored.better_text(text)) for text in (scored.prediction, *scored.references))
    if any(len(other) <= len(words) or set(words).isdisjoint(other) for other in others):
        return 0.0
    return max(0.0, (geometric_mean(*precisions) if parts else precisions[0]) - better.score)


@dataclass(frozen=True, slots=True)
class ExampleLosses:
    """The losses of one prediction of a task; `in_format` is `None` if the metric asks for no form."""

    score: float
    losses: Losses
    in_format: bool | None


@dataclass(frozen=True, slots=True)
class TaskLosses:
    """The losses of a task's predictions. Scores and losses are points.

    Attributes:
        mean: the mean of the predictions' losses, part by part; it has no `stop`.
        score: the mean of their scores; with the four parts it adds up to 100.
        aggregation: for ROUGE the task's score minus that mean (the corpus instead of the instances); otherwise 0.
        in_format, form: the share of predictions, 0 to 1, in the form asked for, and that form in words, such as "a
            bare letter"; `None` for metrics of free text.
        examples: per prediction.
        answer_words, reference_words: the lengths of all predictions and of all references in words.
    """

    mean: Losses
    score: float
    aggregation: float
    in_format: float | None
    form: str | None
    examples: tuple[ExampleLosses, ...]
    answer_words: tuple[int, ...]
    reference_words: tuple[int, ...]

    def as_dict(self) -> dict[str, Any]:
        """The losses as JSON-able data, as reports have them."""
        return {
            "mean": self.score,
            **self.mean.as_dict(),
            "aggregation": self.aggregation,
            "in_format": self.in_format,
            "length_by_direction": {"too long": self.mean.length, "too short": 0.0},  # for readers of earlier reports
            "length_up_to": self.mean.length_up_to,
        }


def losses_of_task(
    task: str | Task,
    predictions: Sequence[str],
    references: Sequence[str | Iterable[str]],
    *,
    benchmark: str | Benchmark = "zero_scrolls",
    results: Sequence[ExampleResult] | None = None,
) -> TaskLosses:
    """The losses of a task's predictions, in points.

    The arguments and errors are those of `zs_metric.score_task`; `results` are the official results, if they are known.

    >>> losses_of_task("quality", ["B", "A nice day"], ["B", "C"]).mean.as_dict()
    {'format': 50.0, 'typography': 0.0, 'length': 0.0, 'content': 0.0}
    """
    the_task = find_task(task, benchmark=benchmark)
    texts, reference_texts = clean_columns(predictions, references)
    scored = score_predictions(the_task, texts, reference_texts, results)
    examples = tuple(map(_example, scored))
    score = fmean(example.score for example in examples)
    means = {part: fmean(getattr(one.losses, part) for one in examples) for part in (*PARTS, "length_up_to")}
    fitting = [example.in_format for example in examples if example.in_format is not None]
    return TaskLosses(
        mean=Losses(**means),  # type: ignore[arg-type]  # `stop` is not among them
        score=score,
        aggregation=aggregate(the_task, [one.result for one in scored])[0] - score if the_task.metric is ROUGE else 0.0,
        in_format=fmean(fitting) if fitting else None,
        form=scored[0].explainer.form,
        examples=examples,
        answer_words=tuple(len(text.split()) for text in texts),
        reference_words=tuple(len(text.split()) for of_one in reference_texts for text in of_one),
    )


def _example(scored: ScoredPrediction) -> ExampleLosses:
    fits = scored.explainer.is_in_form(scored.prediction) and scored.result.parsed is not None
    return ExampleLosses(scored.result.score, break_down(scored), fits if scored.explainer.form else None)
