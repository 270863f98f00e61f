"""Why a report beside the published numbers is not always a comparison of like with like: what must be said with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from zs_bench.catalog import FACTS, SIZES
from zs_metric.tasks import find_benchmark, find_task

PUBLISHED_SPLIT = "test"
#: How many questions a task of ZeroSCROLLS has in the validation split, fewest and most.
VALIDATION_QUESTIONS = (10, 28)
#: Half the width of the 95 % interval of a validation score, in points, narrowest and widest, roughly.
HALF_WIDTH = (9, 18)


def caveats(report: Mapping[str, Any], *, benchmark: str = "zero_scrolls") -> Iterator[str]:
    """What must be said beside the comparison of a report (`report.as_json`), in sentences; nothing if all is alike.

    Raises:
        UnknownBenchmark, UnknownTask: with the likely name, or the benchmark that has the task.

    >>> found = {"score": 41.2, "split": "validation", "n": 972, "total": 972}
    >>> list(caveats({"tasks": {"gov_report": found}}, benchmark="scrolls"))
    ['Published numbers are on the test split, yours on the validation split.']
    """
    tasks = {task: found for task, found in report["tasks"].items() if found["score"] is not None}
    splits: dict[str | None, list[str]] = {}
    for task, found in tasks.items():
        splits.setdefault(found["split"], []).append(task)
    for split, names in splits.items():
        if split != PUBLISHED_SPLIT:
            yield _other_split(split, "" if len(names) == len(tasks) else f" for {_listed(names)}")
    small = [found["n"] for found in tasks.values() if _rests_on_few(found)]
    if small and _has_few_questions(benchmark):
        yield _wide_interval(min(small))
    short = [task for task, found in tasks.items() if found["n"] < found["total"]]
    if short:
        yield f"Not all answers are there for {_listed(short)}; published numbers are on all examples."
    rouge = [task for task in tasks if find_task(task, benchmark=benchmark).metric == "rouge"]
    if rouge and report.get("rouge_aggregation", "corpus") != "corpus":
        yield f"Published ROUGE numbers use the aggregation “corpus”; yours for {_listed(rouge)} do not."


def _other_split(split: str | None, names: str) -> str:
    if split is None:
        return f"Published numbers are on the test split; on which split yours{names} are is not known."
    return f"Published numbers are on the test split, yours{names} on the {split} split."


def _has_few_questions(benchmark: str) -> bool:
    """Whether the validation split is the small one: the sizes of SCROLLS', all of them large, are in its paper."""
    return any(
        (size.validation or 0) <= VALIDATION_QUESTIONS[1] for size in SIZES[find_benchmark(benchmark).name].values()
    )


def _rests_on_few(found: Mapping[str, Any]) -> bool:
    """Whether the score is one of the validation split, or of as few examples of a split that is not known."""
    return found["split"] == "validation" or (found["split"] is None and found["n"] <= VALIDATION_QUESTIONS[1])


def _wide_interval(fewest: int) -> str:
    (low, high), (few, many) = HALF_WIDTH, VALIDATION_QUESTIONS
    text = (
        f"A task has {few} to {many} questions in the validation split, so that the 95 % interval of its score reaches "
        f"about ±{low} to ±{high} points: a smaller difference says nothing."
    )
    return text if fewest >= few else f"{text} A task here has {fewest}, and its interval is wider still."


def _listed(tasks: Sequence[str]) -> str:
    return ", ".join(FACTS[task].title for task in tasks)
