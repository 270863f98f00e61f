"""Score one answer, one task, or the benchmark: texts in, results out.

Sources: ZeroSCROLLS section 3.3 and Table 3; the released evaluator of SCROLLS (arXiv 2201.03533). The aggregation of
ROUGE is told in `rouge.py`. Everywhere `benchmark` is a name of `BENCHMARKS`: `zero_scrolls` or `scrolls`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Any

from .errors import EmptyInput, UnreadableReference, ZeroScrollsError
from .results import BenchmarkResult, ExampleResult, TaskResult
from .rouge import aggregate_rouge
from .tasks import Task, find_benchmark, find_task
from .texts import clean_columns, clean_references, clean_text

ROUGE_AGGREGATIONS = ("corpus", "instance")


def score_example(
    task: str, prediction: str, references: str | Iterable[str], *, benchmark: str = "zero_scrolls"
) -> ExampleResult:
    """Score one answer.

    Args:
        task: the task's name.
        prediction: the answer; an empty one scores 0.
        references: the references, or one reference as a string; the best counts.
        benchmark: whose task it is.

    Returns:
        The score in points (0 to 100), what was read in the answer, and why it is not more. For a ROUGE task the score
        is this answer's geometric mean; the task's score is not the mean of these.

    Raises:
        UnknownBenchmark, UnknownTask, NotAText, UnreadableReference: with the place.

    >>> score_example("space_digest", "about 55%", "60%").score
    70.71067811865476
    >>> score_example("contract_nli", "entailment.", "Entailment", benchmark="scrolls").score
    100.0
    """
    texts = clean_references(references)
    try:
        return find_task(task, benchmark=benchmark).score_all([clean_text(prediction, "prediction")], [texts])[0]
    except UnreadableReference as error:
        raise error.of_example(None) from None


def score_task(
    task: str,
    predictions: Sequence[str],
    references: Sequence[str | Iterable[str]],
    *,
    rouge_aggregation: str = "corpus",
    benchmark: str = "zero_scrolls",
) -> TaskResult:
    """Score the answers of one task.

    Args:
        task: the task's name.
        predictions: one answer per example.
        references: per example its references, or one reference as a string.
        rouge_aggregation: `corpus` (released evaluator) or `instance` (section 3.3); changes the score of ROUGE tasks
            only, `metrics` holds both under their names either way.
        benchmark: whose task it is.

    Raises:
        UnknownBenchmark, UnknownTask, NotAText, LengthMismatch, EmptyInput, UnreadableReference: with the position,
            counted from 0.

    >>> score_task("quality", ["B", "(C)"], ["B", "D"]).metrics["accuracy"]
    50.0
    """
    the_benchmark, the_task = find_benchmark(benchmark), find_task(task, benchmark=benchmark)
    if rouge_aggregation not in ROUGE_AGGREGATIONS:
        raise ZeroScrollsError(f"no rouge_aggregation {rouge_aggregation!r}; it is 'corpus' or 'instance'")
    texts, reference_texts = clean_columns(predictions, references)
    examples = the_task.score_all(texts, reference_texts)
    score, values = aggregate(the_task, examples, rouge_aggregation)
    values["mean_prediction_length_characters"] = sum(map(len, texts)) / len(texts)
    metrics: dict[str, Any] = {key: round(value, 4) for key, value in values.items()}
    metrics["num_predicted"] = len(examples)
    metrics[the_benchmark.score_key] = round(score, 4) if the_task.name in the_benchmark.tasks else None
    metrics["display_keys"] = list(the_task.display_keys)
    metrics["display"] = [metrics[key] for key in the_task.display_keys]
    return TaskResult(the_task.name, score, metrics, examples, benchmark)


def aggregate(
    task: Task, examples: Sequence[ExampleResult], rouge_aggregation: str = "corpus"
) -> tuple[float, dict[str, float]]:
    """The task's score from the results of its answers, and the values of the metric by released key; unrounded."""
    if task.metric == "rouge":
        values = aggregate_rouge(examples)
        return values["rouge/geometric_mean" + ("_instance" if rouge_aggregation == "instance" else "")], values
    score = fsum(example.score for example in examples) / len(examples)
    return score, {task.score_key: score}


def score_benchmark(
    tasks: Mapping[str, tuple[Sequence[str], Sequence[str | Iterable[str]]]],
    *,
    rouge_aggregation: str = "corpus",
    benchmark: str = "zero_scrolls",
) -> BenchmarkResult:
    """Score several tasks: `{task: (predictions, references)}`, as for `score_task`.

    Returns:
        The benchmark's average in points, which is `None` unless all of its tasks are there, and the results per task.

    Raises:
        As `score_task`, with the task's name put before; EmptyInput when there is no task.
    """
    for name in tasks:
        find_task(name, benchmark=benchmark)
    results = {}
    for name in filter(tasks.__contains__, find_benchmark(benchmark).all_tasks):
        try:
            results[name] = score_task(name, *tasks[name], rouge_aggregation=rouge_aggregation, benchmark=benchmark)
        except ZeroScrollsError as error:
            error.args = (f"{name}: {error}",)
            raise
    return average(results, benchmark=benchmark)


def average(tasks: Mapping[str, TaskResult], *, benchmark: str = "zero_scrolls") -> BenchmarkResult:
    """The plain mean over the tasks that are there, and the benchmark's average if that is all of them.

    Raises:
        EmptyInput: when there is no task of the average.
    """
    the_benchmark = find_benchmark(benchmark)
    averaged = [name for name in the_benchmark.tasks if name in tasks]
    if not averaged:
        raise EmptyInput("tasks of the average" if tasks else "tasks")
    mean = fsum(tasks[name].score for name in averaged) / len(averaged)
    missing = [name for name in the_benchmark.tasks if name not in tasks]
    in_order = {name: tasks[name] for name in the_benchmark.all_tasks if name in tasks}
    return BenchmarkResult(None if missing else mean, mean, in_order, missing, benchmark)
