"""Scored answers to a task, made without a file."""

from collections.abc import Mapping, Sequence

from zs_bench.answers import Answer
from zs_bench.benchmarks import Task


def answers_of(task: Task, rows: Mapping[str, tuple[str, Sequence[str]]]) -> list[Answer]:
    """The answers, each an id with its text and its references."""
    results = task.metric.score_all(*map(list, zip(*rows.values(), strict=True)))
    pairs = zip(rows.items(), results, strict=True)
    return [Answer(task, id_, text, references, result, None) for (id_, (text, references)), result in pairs]
