"""Score one answer, one task, or the benchmark: texts in, results out.

Source: ZeroSCROLLS section 3.3 and Table 3; the aggregation of ROUGE is told in `rouge.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Any

from .errors import EmptyInput, UnreadableReference, ZeroScrollsError
from .results import BenchmarkResult, ExampleResult, TaskResult
from .rouge import aggregate_rouge
from .tasks import TASKS, Task, find_task
from .texts import clean_columns, clean_references, clean_text

ROUGE_AGGREGATIONS = ("corpus", "instance")


def score_example(task: str, prediction: str, references: str | Iterable[str]) -> ExampleResult:
    """Score one answer.

    Args:
        task: the task's name.
        prediction: the answer; an empty one scores 0.
        references: the references, or one reference as a string; the best counts.

    Returns:
        The score in points (0 to 100), what was read in the answer, and why it is not more. For a ROUGE task the score
        is this answer's geometric mean; the task's score is not the mean of these.

    Raises:
        UnknownTask, NotAText, UnreadableReference: with the place.

    >>> score_example("space_digest", "about 55%", "60%").score
    70.71067811865476
    """
    texts = clean_references(references)
    try:
        return find_task(task).score_all([clean_text(prediction, "prediction")], [texts])[0]
    except UnreadableReference as error:
        raise error.of_example(None) from None


def score_task(
    task: str,
    predictions: Sequence[str],
    references: Sequence[str | Iterable[str]],
    *,
    rouge_aggregation: str = "corpus",
) -> TaskResult:
    """Score the answers of one task.

    Args:
        task: the task's name.
        predictions: one answer per example.
        references: per example its references, or one reference as a string.
        rouge_aggregation: `corpus` (released evaluator) or `instance` (section 3.3); changes the score of ROUGE tasks
            only, `metrics` holds both under their names either way.

    Raises:
        UnknownTask, NotAText, LengthMismatch, EmptyInput, UnreadableReference: with the position, counted from 0.

    >>> score_task("quality", ["B", "(C)"], ["B", "D"]).metrics["accuracy"]
    50.0
    """
    the_task = find_task(task)
    if rouge_aggregation not in ROUGE_AGGREGATIONS:
        raise ZeroScrollsError(f"no rouge_aggregation {rouge_aggregation!r}; it is 'corpus' or 'instance'")
    texts, reference_texts = clean_columns(predictions, references)
    examples = the_task.score_all(texts, reference_texts)
    return aggregate(the_task, examples, list(map(len, texts)), rouge_aggregation)


def aggregate(task: Task, examples: list[ExampleResult], lengths: Sequence[int], rouge_aggregation: str) -> TaskResult:
    """The task's score and released key set from the results of its answers and their lengths in characters."""
    if task.metric == "rouge":
        values = aggregate_rouge(examples)
        score = values["rouge/geometric_mean" + ("_instance" if rouge_aggregation == "instance" else "")]
    else:
        score = fsum(example.score for example in examples) / len(examples)
        values = {task.score_key: score}
    values["mean_prediction_length_characters"] = sum(lengths) / len(lengths)
    metrics: dict[str, Any] = {key: round(value, 4) for key, value in values.items()}
    metrics["num_predicted"] = len(examples)
    metrics["zero_scrolls_score"] = round(score, 4)
    metrics["display_keys"] = list(task.display_keys)
    metrics["display"] = [metrics[key] for key in task.display_keys]
    return TaskResult(task.name, score, metrics, examples)


def score_benchmark(
    tasks: Mapping[str, tuple[Sequence[str], Sequence[str | Iterable[str]]]], *, rouge_aggregation: str = "corpus"
) -> BenchmarkResult:
    """Score several tasks: `{task: (predictions, references)}`, as for `score_task`.

    Returns:
        The benchmark's average in points, which is `None` unless all ten tasks are there, and the results per task.

    Raises:
        As `score_task`, with the task's name put before; EmptyInput when there is no task.
    """
    for name in tasks:
        find_task(name)
    results = {}
    for name in filter(tasks.__contains__, TASKS):
        try:
            results[name] = score_task(name, *tasks[name], rouge_aggregation=rouge_aggregation)
        except ZeroScrollsError as error:
            error.args = (f"{name}: {error}",)
            raise
    return average(results)


def average(tasks: Mapping[str, TaskResult]) -> BenchmarkResult:
    """The plain mean over the tasks that are there, and the benchmark's average if that is all of them.

    Raises:
        EmptyInput: when there is no task.
    """
    if not tasks:
        raise EmptyInput("tasks")
    mean = fsum(task.score for task in tasks.values()) / len(tasks)
    missing = [name for name in TASKS if name not in tasks]
    return BenchmarkResult(None if missing else mean, mean, dict(tasks), missing)
