"""Score one prediction, one task, or a benchmark. A task is a name and `benchmark`, or a `Task`.

Sources: ZeroSCROLLS section 3.3 and Table 3; the released evaluator of SCROLLS (arXiv 2201.03533).
"""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum

from .errors import EmptyInput, UnreadableReference, ZeroScrollsError
from .results import BenchmarkResult, ExampleResult, TaskResult
from .rouge import aggregate_rouge
from .tasks import Benchmark, Task, find_benchmark, find_task
from .texts import clean_columns, clean_references, clean_text

ROUGE_AGGREGATIONS = ("corpus", "instance")


def score_example(
    task: str | Task, prediction: str, references: str | Iterable[str], *, benchmark: str | Benchmark = "zero_scrolls"
) -> ExampleResult:
    """Score one prediction: points (0 to 100), what was read, and what lowered the score.

    The best of the references counts; a string is one reference. The score of a ROUGE task is not the mean of these.

    Raises:
        UnknownBenchmark, UnknownTask, NotAText, UnreadableReference: with the position.

    >>> score_example("space_digest", "about 55%", "60%").score
    70.71067811865476
    >>> score_example("contract_nli", "entailment.", "Entailment", benchmark="scrolls").score
    100.0
    """
    texts = clean_references(references)
    metric = find_task(task, benchmark=benchmark).metric
    try:
        return metric.score_all([clean_text(prediction, "prediction")], [texts])[0]
    except UnreadableReference as error:
        raise error.of_example(None) from None


def score_task(
    task: str | Task,
    predictions: Sequence[str],
    references: Sequence[str | Iterable[str]],
    *,
    rouge_aggregation: str = "corpus",
    benchmark: str | Benchmark = "zero_scrolls",
) -> TaskResult:
    """Score the predictions of one task; `references` are those of each, a list or one string.

    `rouge_aggregation` is `corpus` (released evaluator) or `instance` (section 3.3; see `rouge.py`). It changes the
    score of ROUGE tasks only; `metrics` has both values either way.

    Raises:
        UnknownBenchmark, UnknownTask, NotAText, LengthMismatch, EmptyInput, UnreadableReference: with the position.

    >>> score_task("quality", ["B", "(C)"], ["B", "D"]).metrics["accuracy"]
    50.0
    """
    the_task = find_task(task, benchmark=benchmark)
    metric = the_task.metric
    if rouge_aggregation not in ROUGE_AGGREGATIONS:
        raise ZeroScrollsError(f"no rouge_aggregation {rouge_aggregation!r}; it is 'corpus' or 'instance'")
    texts, reference_texts = clean_columns(predictions, references)
    examples = metric.score_all(texts, reference_texts)
    score, values = aggregate(the_task, examples, rouge_aggregation)
    values["mean_prediction_length_characters"] = sum(map(len, texts)) / len(texts)
    return result_of_task(the_task, score, values, examples)


def result_of_task(
    task: Task, score: float, values: Mapping[str, float], examples: Sequence[ExampleResult]
) -> TaskResult:
    """Return the result of a task from its score in points and its `values` by released key, which are rounded here."""
    rounded = {key: round(value, 4) for key, value in values.items()}
    metrics = {
        **rounded,
        "num_predicted": len(examples),
        task.benchmark.score_key: round(score, 4) if task.averaged else None,
        "display_keys": list(task.metric.display_keys),
        "display": [rounded[key] for key in task.metric.display_keys],
    }
    return TaskResult(task.name, score, metrics, examples, task.benchmark.name)


def aggregate(
    task: Task, examples: Sequence[ExampleResult], rouge_aggregation: str = "corpus"
) -> tuple[float, dict[str, float]]:
    """Return the task's score from the results of its predictions, and the values by released key, unrounded."""
    if task.metric.by_types:
        values = aggregate_rouge(examples)
        return values["rouge/geometric_mean" + ("_instance" if rouge_aggregation == "instance" else "")], values
    score = fsum(example.score for example in examples) / len(examples)
    return score, {task.metric.score_key: score}


def score_benchmark(
    tasks: Mapping[str, tuple[Sequence[str], Sequence[str | Iterable[str]]]],
    *,
    rouge_aggregation: str = "corpus",
    benchmark: str | Benchmark = "zero_scrolls",
) -> BenchmarkResult:
    """Score several tasks, `{task: (predictions, references)}`; the average is `None` unless all its tasks are given.

    Raises as `score_task`, with the task's name before the message; EmptyInput if there is no task.
    """
    the_benchmark = find_benchmark(benchmark)
    results = {}
    for task in [find_task(name, benchmark=the_benchmark) for name in tasks]:
        try:
            results[task.name] = score_task(task, *tasks[task.name], rouge_aggregation=rouge_aggregation)
        except ZeroScrollsError as error:
            error.args = (f"{task}: {error}",)
            raise
    return average(results, benchmark=the_benchmark)


def average(tasks: Mapping[str, TaskResult], *, benchmark: str | Benchmark = "zero_scrolls") -> BenchmarkResult:
    """Return the mean over these tasks, and the benchmark's score if it has one of them; EmptyInput without any."""
    the_benchmark = find_benchmark(benchmark)
    averaged = [name for name in the_benchmark.tasks if name in tasks]
    if not averaged:
        raise EmptyInput("tasks of the average" if tasks else "tasks")
    mean = fsum(tasks[name].score for name in averaged) / len(averaged)
    missing = [name for name in the_benchmark.tasks if name not in tasks]
    in_order = {name: tasks[name] for name in the_benchmark.all_tasks if name in tasks}
    score = the_benchmark.score_of({name: result.score for name, result in tasks.items()})
    return BenchmarkResult(score, mean, in_order, missing, the_benchmark.name)
