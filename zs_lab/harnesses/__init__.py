"""The benchmarks as tasks of other evaluation harnesses: lm-evaluation-harness and Inspect.

They send our prompts to their models and score with our metrics, so their numbers are those of `zero-scrolls score`.
This module has what both use: prompts, references, and the score of a task from values kept for each answer.
"""

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any, NamedTuple

from zs_bench.benchmarks import Task, find_task
from zs_bench.dataset.inspection import references_of
from zs_bench.dataset.sources import load_examples
from zs_bench.errors import UnknownName
from zs_bench.prompts import Request, Settings, make_requests
from zs_bench.statistics.intervals import clusters, columns, interval
from zs_metric.results import ExampleResult, RougeType
from zs_metric.rouge import ROUGE_TYPES
from zs_metric.scoring import aggregate, score_text

#: The forms of prompts that end with the user's turn; a harness cannot begin the model's answer.
VARIANTS = ("canonical", "chat", "closed-book")


class Question(NamedTuple):
    """One prompt, its references, and what is kept with an answer: the names of benchmark, task and document."""

    request: Request
    references: list[str]
    about: dict[str, str | None]


def task_of(about: Mapping[str, Any]) -> Task:
    """Return the task of an answer, from what is kept with it."""
    return find_task(about["task"], benchmark=about["benchmark"])


def load_questions(settings: Settings, task: Task) -> list[Question]:
    """Return the questions of a task; raises `Unscorable` for a split without references, such as the test split."""
    if settings.variant not in VARIANTS:
        raise UnknownName(f"no variant {settings.variant!r} for a harness; the variants are {', '.join(VARIANTS)}")
    loaded = load_examples(settings.source, task, settings.split, revision=settings.revision)
    references = references_of(loaded)
    examples = [example for example in loaded.examples if example.id in references]
    documents = {example.id: example.document_name for example in examples}
    names = {"benchmark": task.benchmark.key, "task": task.name}
    return [
        Question(request, references[request.id], {**names, "document": documents[request.id]})
        for request in make_requests(settings, examples, documents)
    ]


def score_values(task: Task, answer: str, references: Sequence[str]) -> dict[str, float]:
    """Return what is kept of a scored answer, in points: its score, and for ROUGE the F-measures of the three types."""
    result = score_text(task.metric, answer, references)
    return {"score": result.score, **{name: part.fmeasure for name, part in (result.rouge or {}).items()}}


def task_score(
    about: Sequence[Mapping[str, Any]], values: Sequence[Mapping[str, float]], ids: Sequence[str]
) -> tuple[float, float, float]:
    """Return a task's score and the ends of its interval, as in `zero-scrolls score`; NaN where there is none.

    `about` is what was kept with each answer, and `values` are those from `score_values`.
    """
    task, examples = task_of(about[0]), list[ExampleResult]()
    for kept in values:
        rouge = {name: RougeType(0, 0, kept[name], 0) for name in ROUGE_TYPES if name in kept}
        examples.append(ExampleResult(kept["score"], None, parts=rouge))
    score, _ = aggregate(task.metric, examples)
    ends = interval(columns(examples), clusters(task, ids, [row["document"] for row in about]))
    return (score, nan, nan) if ends is None else (score, ends.low, ends.high)
