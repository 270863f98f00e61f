"""What a scored file is: its tasks, their scores with intervals, its signature, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from zs_bench.files.entries import ReadFile
from zs_bench.problems import Problem
from zs_bench.reports.signature import Signature, sign
from zs_bench.statistics.bootstrap import Interval
from zs_metric.results import BenchmarkResult, TaskResult
from zs_metric.tasks import Benchmark, find_benchmark, find_task


@dataclass(frozen=True, slots=True)
class ScoredTask:
    """One task of a file.

    Attributes:
        task: its name.
        result: its scores; `None` when the task was refused.
        ids: the ids scored, in the order of the references.
        predictions, references: the texts scored, in the same order.
        missing: ids of the references that have no answer, not even one that cannot be used.
        unknown: ids of answers that have no reference.
        split: the split of the references, where their file tells.
        total: the number of examples the references have.
        by_id: all references of the task by id, also of examples without an answer.
        clusters: for each id scored the name of its document; `None` when it is not known which examples share one.
        interval: of the score; `None` when there is none to be had.
        benchmark: whose task it is.
    """

    task: str
    result: TaskResult | None
    ids: list[str]
    predictions: list[str]
    references: list[list[str]]
    missing: list[str]
    unknown: list[str]
    split: str | None
    total: int
    by_id: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    clusters: list[str] | None = None
    interval: Interval | None = None
    benchmark: str = "zero_scrolls"

    @property
    def metric(self) -> str:
        """The name of its metric."""
        return find_task(self.task, benchmark=self.benchmark).metric

    @property
    def score(self) -> float | None:
        """The task's score in points; `None` when the task was refused."""
        return None if self.result is None else self.result.score

    @property
    def partial(self) -> bool:
        """Whether the score leaves examples out."""
        return self.result is not None and len(self.ids) < self.total

    def rows(self) -> Iterator[dict[str, Any]]:
        """Per answer its id and its result as JSON-able data; of a summary without the text, which the user has."""
        examples = self.result.examples if self.result else []
        for key, example in zip(self.ids, examples, strict=self.result is not None):
            data = example.as_dict()
            if example.rouge is not None:
                data.pop("parsed")
            yield {"id": key, **data}


@dataclass(frozen=True, slots=True)
class PostProcessed:
    """What post-processing did.

    Attributes:
        before: the score of each task without it; `None` where the task was refused.
        changed: how many answers it changed.
    """

    before: Mapping[str, float | None]
    changed: int


@dataclass(frozen=True, slots=True)
class ScoredFile:
    """A submission: its tasks in the benchmark's order, the averages, and everything that is wrong with it.

    Attributes:
        benchmark: the averages; `None` when no task of the average could be scored.
        problems: what refuses something first.
        partial: whether ids present on both sides only were to be scored.
        interval: of the mean over the tasks scored; `None` when there is none to be had.
        source: where the references are from, when from a source: its label, the split, the revision.
        post: the rules by which the answers were processed before scoring, in their order.
        processed: what these rules did; `None` without any.
        files: the files of answers that were read.
        benchmark_name: whose tasks they are.
    """

    tasks: dict[str, ScoredTask]
    benchmark: BenchmarkResult | None
    problems: list[Problem]
    partial: bool
    rouge_aggregation: str
    interval: Interval | None = None
    source: Mapping[str, str | None] | None = None
    post: tuple[str, ...] = ()
    processed: PostProcessed | None = None
    files: Sequence[ReadFile] = ()
    benchmark_name: str = "zero_scrolls"

    @property
    def of(self) -> Benchmark:
        """Whose tasks they are."""
        return find_benchmark(self.benchmark_name)

    @property
    def refused(self) -> bool:
        """Whether anything was refused (exit status 1)."""
        return any(problem.refuses for problem in self.problems)

    @property
    def scored(self) -> dict[str, ScoredTask]:
        """The tasks that were not refused."""
        return {name: task for name, task in self.tasks.items() if task.result is not None}

    def signature(self, *names: str) -> Signature | None:
        """The signature of the mean over these tasks, or all that were scored; `None` when there are none."""
        tasks = {name: task for name, task in self.scored.items() if name in names or not names}
        if not tasks:
            return None
        splits = {task.split for task in tasks.values()}
        answers = sum(len(task.ids) for task in tasks.values())
        return sign(
            {name: {key: texts for key, texts in task.by_id.items() if texts} for name, task in tasks.items()},
            answers=answers,
            missing=sum(task.total for task in tasks.values()) - answers,
            source=splits.pop() if len(splits) == 1 else None,
            rouge_aggregation=self.rouge_aggregation,
            post=self.post,
            benchmark=self.benchmark_name,
        )
