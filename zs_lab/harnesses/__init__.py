"""The benchmarks as tasks of other evaluation harnesses: lm-evaluation-harness and Inspect.

They send our prompts to their models and score with our metrics, so their numbers are those of `zero-scrolls score`.
This module has what both use: prompts, references, and the score of a task from values kept for each answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

from zs_bench.dataset.inspection import references_of
from zs_bench.dataset.sources import load_examples
from zs_bench.errors import UnknownName
from zs_bench.prompts.dissection import document_of
from zs_bench.requests import Request, make_requests
from zs_bench.run_records.settings import Settings
from zs_bench.statistics.columns import clusters, columns
from zs_bench.statistics.intervals import interval
from zs_metric.results import ExampleResult, RougeType, TaskResult
from zs_metric.rouge import ROUGE_TYPES
from zs_metric.scoring import aggregate, score_example
from zs_metric.tasks import Task, find_task

#: The forms of prompts that end with the user's turn; a harness cannot begin the model's answer.
VARIANTS = ("canonical", "chat", "closed-book")


@dataclass(frozen=True, slots=True)
class Question:
    """One prompt with its references, and the name of its document where that is known."""

    request: Request
    references: list[str]
    document: str | None

    @property
    def about(self) -> dict[str, str | None]:
        """What is kept with an answer besides its id: the names of its benchmark, task and document."""
        task = self.request.task
        return {"benchmark": task.benchmark.name, "task": task.name, "document": self.document}


def task_of(about: Mapping[str, Any]) -> Task:
    """The task of an answer, from what is kept with it."""
    return find_task(about["task"], benchmark=about["benchmark"])


def load_questions(settings: Settings, task: Task) -> list[Question]:
    """The questions of a task.

    Raises:
        UnknownName: for a form of prompts that is not one of `VARIANTS`.
        Unscorable: for a split without references, such as the test split.
        ZeroScrollsError: what `load_examples`, `make_prompt` and `trim` raise.
    """
    if settings.variant not in VARIANTS:
        raise UnknownName(f"no variant {settings.variant!r} for a harness; the variants are {', '.join(VARIANTS)}")
    loaded = load_examples(settings.source, task, settings.split, revision=settings.revision)
    references = references_of(loaded)
    examples = [example for example in loaded.examples if example.id in references]
    documents = {example.id: document_of(example) for example in examples}
    requests = make_requests(settings, examples, documents)
    return [Question(request, references[request.id], documents[request.id]) for request in requests]


def score_values(task: Task, answer: str, references: Sequence[str]) -> dict[str, float]:
    """What is kept of a scored answer, in points: its score, and for ROUGE the F-measures of the three types."""
    result = score_example(task, answer, references)
    return {"score": result.score, **{name: part.fmeasure for name, part in (result.rouge or {}).items()}}


def task_result(task: Task, values: Sequence[Mapping[str, float]]) -> TaskResult:
    """The task's result from the values of its answers."""
    examples = []
    for kept in values:
        rouge = {name: RougeType(0, 0, kept[name], 0) for name in ROUGE_TYPES if name in kept}
        examples.append(ExampleResult(kept["score"], None, rouge=rouge or None))
    score, metrics = aggregate(task, examples)
    return TaskResult(task.name, score, metrics, examples, task.benchmark.name)


def task_interval(
    task: Task, values: Sequence[Mapping[str, float]], ids: Sequence[str], documents: Sequence[str | None]
) -> tuple[float, float]:
    """The ends of the interval of the task's score, as in `zero-scrolls score`; NaN where there is none."""
    ends = interval(columns(task_result(task, values)), clusters(task, ids, documents))
    return (nan, nan) if ends is None else (ends.low, ends.high)
