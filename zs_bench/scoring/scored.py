"""What a scored file is: its tasks, their scores with intervals, its signature, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from zs_bench.files.entries import ReadFile
from zs_bench.problems import Problem
from zs_bench.runs.run_files import RunAccount
from zs_bench.scoring.signature import Signature, reference_hash, sign
from zs_bench.statistics.bootstrap import Interval
from zs_bench.validation.validate import Validation
from zs_metric.results import BenchmarkResult, TaskResult
from zs_metric.tasks import ZERO_SCROLLS, Benchmark, Task


@dataclass(frozen=True, slots=True)
class ScoredTask:
    """One task of a file.

    Attributes:
        task: which it is; it knows its benchmark and its metric.
        result: its scores; `None` when the task was refused.
        ids: the ids scored, in the order of the references.
        predictions, references: the texts scored, in the same order.
        missing: ids of the references without a prediction, not even one that cannot be used.
        unknown: ids of predictions without a reference.
        split: the split of the references, where their file says so.
        total: the number of examples the references have.
        by_id: all references of the task by id, also of examples without a prediction.
        clusters: for each id scored the name of its document; `None` when it is not known which examples share one.
        interval: of the score; `None` when there is none.
    """

    task: Task
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

    @property
    def metric(self) -> str:
        """The name of its metric."""
        return self.task.metric.name

    @property
    def benchmark(self) -> str:
        """The name of its benchmark."""
        return self.task.benchmark.name

    @property
    def score(self) -> float | None:
        """The task's score in points; `None` when the task was refused."""
        return None if self.result is None else self.result.score

    @property
    def partial(self) -> bool:
        """Whether the score leaves examples out."""
        return self.result is not None and len(self.ids) < self.total

    def rows(self) -> Iterator[dict[str, Any]]:
        """Per prediction its id and its result as JSON-able data; of a summary without the text, which the user has."""
        examples = self.result.examples if self.result else []
        for id_, example in zip(self.ids, examples, strict=self.result is not None):
            data = example.as_dict()
            if example.rouge is not None:
                data.pop("parsed")
            yield {"id": id_, **data}


@dataclass(frozen=True, slots=True)
class PostProcessed:
    """What post-processing did.

    Attributes:
        before: the score of each task without it; `None` where the task was refused.
        changed: how many predictions it changed.
    """

    before: Mapping[str, float | None]
    changed: int


@dataclass(frozen=True, slots=True)
class ScoredFile:
    """A submission: its tasks in the benchmark's order, the averages, and everything that is wrong with it.

    Attributes:
        benchmark: the averages; `None` when no task of the average could be scored.
        problems: what refuses something first.
        partial: whether only the ids present on both sides were scored.
        interval: of the mean over the tasks scored; `None` when there is none.
        source: where the references are from, when from a source: its label, the split, the revision.
        post: the rules by which the predictions were processed before scoring, in their order.
        processed: what these rules did; `None` without any.
        files: the files of predictions that were read.
        of: the benchmark whose tasks they are.
        validation: the predictions as they were checked, with the repairs there are and the verdict on submitting.
        hashes: of the references, shared by all files scored against the same ones.
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
    of: Benchmark = ZERO_SCROLLS
    validation: Validation | None = field(default=None, repr=False, compare=False)
    hashes: dict[tuple[tuple[str, str | None], ...], str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def benchmark_name(self) -> str:
        """The name of the benchmark whose tasks they are."""
        return self.of.name

    @property
    def run(self) -> RunAccount | None:
        """What became of the prompts, where the predictions are a run's folder."""
        return None if self.validation is None else self.validation.read.run

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
        rest_on = tuple((name, task.split) for name, task in tasks.items())
        if rest_on not in self.hashes:
            texts = {n: {id_: found for id_, found in task.by_id.items() if found} for n, task in tasks.items()}
            self.hashes[rest_on] = reference_hash(texts, benchmark=self.of.name)
        return sign(
            tasks,
            data=self.hashes[rest_on],
            answers=answers,
            missing=sum(task.total for task in tasks.values()) - answers,
            source=splits.pop() if len(splits) == 1 else None,
            rouge_aggregation=self.rouge_aggregation,
            post=self.post,
            benchmark=self.of.name,
            run=self.run.in_short(tasks) if self.run else (),
        )
