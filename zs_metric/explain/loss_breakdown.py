"""The loss breakdown: the points that a prediction lost, by cause.

The points of the causes (`CAUSES`) are never negative and add up to 100 minus the score. One cause takes the whole loss
of a prediction that

- has an *unfinished thinking*: it opens a thinking tag such as `<think>` and never closes it;
- is longer than `TEXT_LIMIT` characters (*not explained*), as is one with a metric that has no explanation of its own;
- was *misread*: a person would read an answer in it that the scorer did not. The letter read is the article "A", or the
  prediction names the right one ("A is tempting, but the answer is B", "not A but B"); a percentage is written in
  another notation, or only the tail of a number was read and the whole number scores more (`87.0.0%`); there is a list
  of ids that the scorer would have accepted alone; a prediction that must equal a reference is the letter of an option,
  or a part of it does equal one ("Entailment, because …");
- had *nothing read* in it: no letter, no percentage, no ids, and a person would find none either;
- lists the *wrong ids*: some are missing, repeated, or not in the list.

Otherwise *typography* takes what the lenient scoring gains (`scored.py`: quotes, dashes, ellipsis, accents, full-width
forms in ASCII, in the prediction and in the references), and the causes of the metric take the rest:

- F1 and ROUGE: *words missing* and *words too many*, the Shapley values of two repairs. With `o` shared words of `n` in
  the prediction and `m` in its best reference, an F-measure is 2o / (n + m). With the missing words added it is
  2m / (n + 2m - o), without the superfluous ones 2o / (o + m), with both repairs 1. Each repair counts with the mean of
  what it gains as the first and as the second. For ROUGE the score is the geometric mean of its three types.
- Accuracy: *two options* when it offers several letters, else *wrong option*. Percentages: *too high* or *too low*.
  Orders: *wrong order*. Exact match: *other text*.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from ..results import ExampleResult
from ..scoring import aggregate
from ..tasks import ROUGE, Benchmark, Task, find_task
from ..texts import clean_columns, is_unfinished_thinking
from .parts import TEXT_LIMIT, Part
from .scored import ScoredPrediction, score_predictions

#: The causes, in the order in which reports list them; a loss breakdown has those that took points.
CAUSES = (
    *("unfinished thinking", "misread", "nothing read", "typography", "words missing", "words too many"),
    *("wrong option", "two options", "too high", "too low", "wrong percentage", "wrong order", "wrong ids"),
    *("other text", "not explained"),
)
#: The parts of the earlier breakdown: `length` is what stopping earlier would win, `content` the rest.
LEDGER = ("format", "typography", "length", "content")
_OF_FORMAT = ("misread", "nothing read", "wrong ids")
#: The most places to stop that are tried.
STOPS_LIMIT = 100
# Smaller differences are rounding errors.
_ROUNDING = 1e-9
_LAST_WORDS, _LAST_CHARACTERS = 5, 60

Losses = Mapping[str, float]


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


def break_down(scored: ScoredPrediction) -> Losses:
    """Return the lost points of one prediction by cause, in the order of `CAUSES`, without those that took none."""
    lost = 100 - scored.result.score
    if is_unfinished_thinking(scored.prediction):
        losses = {"unfinished thinking": lost}
    elif len(scored.prediction) > TEXT_LIMIT:
        losses = {"not explained": lost}
    elif lost and (cause := scored.explainer.cause(scored)):
        losses = {cause: lost}
    else:
        rest = 100 - scored.better.score
        losses = {"typography": lost - rest, **scored.explainer.split(scored, rest)}
    return {cause: losses[cause] for cause in CAUSES if losses.get(cause, 0) > _ROUNDING}


def best_stop(scored: ScoredPrediction) -> Stop | None:
    """Return where stopping, at one of the first `STOPS_LIMIT` ends, scores most, if more than the whole does."""
    ends = scored.explainer.stops(scored.prediction.rstrip())[:STOPS_LIMIT]
    if not ends or not 0 < scored.better.score < 100 or len(scored.prediction) > TEXT_LIMIT:
        return None
    scores = scored.better_scores([scored.prediction[:end] for end in ends])
    score = max(scores)
    offset = ends[scores.index(score)]
    text = scored.prediction[:offset]
    words = " ".join(text[-_LAST_CHARACTERS:].split()[-_LAST_WORDS:])
    if len(text.split()) > _LAST_WORDS:
        words = f"… {words}"
    return Stop(offset, words, score) if score > scored.better.score + _ROUNDING else None


def ledger(losses: Losses, length: float) -> dict[str, float]:
    """Return the parts of the earlier breakdown from the causes and from what stopping earlier would win, in points."""
    points = sum(losses.get(cause, 0.0) for cause in _OF_FORMAT), losses.get("typography", 0.0), length
    return dict(zip(LEDGER, (*points, max(0.0, sum(losses.values()) - sum(points))), strict=True))


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
        mean: the mean of the predictions' losses, cause by cause.
        score: the mean of their scores; with the causes it adds up to 100.
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
    _scored: tuple[ScoredPrediction, ...] = field(default=(), repr=False, compare=False)

    def as_ledger(self) -> dict[str, Any]:
        """Return the earlier breakdown as JSON-able data; slow, since it looks for the best stop of each prediction."""
        stops = ((scored, best_stop(scored)) for scored in self._scored)
        length = fmean(stop.score - scored.better.score if stop else 0.0 for scored, stop in stops)
        return {
            "mean": self.score,
            **ledger(self.mean, length),
            "aggregation": self.aggregation,
            "in_format": self.in_format,
            "length_by_direction": {"too long": length, "too short": 0.0},
        }


def losses_of_task(
    task: str | Task,
    predictions: Sequence[str],
    references: Sequence[str | Iterable[str]],
    *,
    benchmark: str | Benchmark = "zero_scrolls",
    results: Sequence[ExampleResult] | None = None,
) -> TaskLosses:
    """Return the losses of a task's predictions, in points.

    The arguments and errors are those of `zs_metric.score_task`; `results` are the official results, if they are known.

    >>> losses_of_task("quality", ["B", "A nice day"], ["B", "C"]).mean
    {'misread': 50.0}
    """
    the_task = find_task(task, benchmark=benchmark)
    texts, reference_texts = clean_columns(predictions, references)
    scored = score_predictions(the_task, texts, reference_texts, results)
    examples = tuple(map(_example, scored))
    score = fmean(example.score for example in examples)
    means = {cause: fmean(example.losses.get(cause, 0.0) for example in examples) for cause in CAUSES}
    fitting = [example.in_format for example in examples if example.in_format is not None]
    return TaskLosses(
        mean={cause: points for cause, points in means.items() if points},
        score=score,
        aggregation=aggregate(the_task, [prediction.result for prediction in scored])[0] - score
        if the_task.metric is ROUGE
        else 0.0,
        in_format=fmean(fitting) if fitting else None,
        form=scored[0].explainer.form,
        examples=examples,
        answer_words=tuple(len(text.split()) for text in texts),
        reference_words=tuple(len(text.split()) for of_one in reference_texts for text in of_one),
        _scored=tuple(scored),
    )


def _example(scored: ScoredPrediction) -> ExampleLosses:
    fits = scored.explainer.is_in_form(scored.prediction) and scored.result.parsed is not None
    return ExampleLosses(scored.result.score, break_down(scored), fits if scored.explainer.form else None)
