"""A scored file: its tasks, their scores with intervals, its signature, and its problems."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zs_bench.benchmarks import Benchmark, Task
from zs_bench.benchmarks.zero_scrolls import BENCHMARK as ZERO_SCROLLS
from zs_bench.files.entries import ReadFile
from zs_bench.notebook import ShownInNotebooks
from zs_bench.patterns import Pattern, patterns_of_task
from zs_bench.problems import Problem, lines
from zs_bench.scoring.signature import Signature, of_this_installation, reference_hash
from zs_bench.statistics.columns import Columns, columns
from zs_bench.statistics.intervals import Interval
from zs_bench.validation.references import References
from zs_bench.validation.validate import Validation
from zs_metric.explain import TaskLosses, losses_of_task
from zs_metric.results import BenchmarkResult, ExampleResult, TaskResult

if TYPE_CHECKING:
    from zs_bench.run_records.account import RunAccount


@dataclass(frozen=True)
class ScoredTask:
    """One task of a file, with the scored ids and their texts in the order of the references.

    Attributes:
        result: its scores; `None` if the task was refused.
        missing, unknown: the ids of references without a prediction, and of predictions without a reference.
        by_id: all references of the task, also for examples without a prediction.
        clusters: the name of the document of each scored id; `None` if it is unknown which examples share a document.
    """

    task: Task
    result: TaskResult | None = None
    ids: list[str] = field(default_factory=list, repr=False)
    predictions: list[str] = field(default_factory=list, repr=False)
    references: list[list[str]] = field(default_factory=list, repr=False)
    missing: list[str] = field(default_factory=list, repr=False)
    unknown: list[str] = field(default_factory=list, repr=False)
    split: str | None = None
    total: int = 0
    by_id: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    clusters: list[str] | None = field(default=None, repr=False)
    interval: Interval | None = None

    @classmethod
    def joined(cls, task: Task, validation: Validation, references: References) -> "ScoredTask":
        """Return the task with the texts to score, without a result."""
        predictions, split = validation.predictions[task.name], validation.splits.get(task.name)
        by_id = references.tasks.get(task.name, {}).get(split, {})
        problems = [problem for problem in validation.problems if problem.task == task.name]
        errors = {problem.id for problem in problems if problem.is_error and problem.kind != "missing"}
        without = [id_ for id_ in by_id if id_ not in predictions and id_ not in errors]
        unknown = [problem.id for problem in problems if problem.family == "unknown" and problem.id is not None]
        ids = [id_ for id_ in by_id if id_ in predictions]
        return cls(
            task,
            ids=ids,
            predictions=[predictions[id_].text for id_ in ids],
            references=[by_id[id_] for id_ in ids],
            missing=[] if any(problem.kind in ("ids-differ", "shifted") for problem in problems) else without,
            unknown=list(dict.fromkeys(unknown)) if task.name in references.tasks else list(predictions),
            split=split,
            total=len(by_id),
            by_id=by_id,
        )

    @property
    def score(self) -> float | None:
        """The task's score in points; `None` if the task was refused."""
        return None if self.result is None else self.result.score

    @property
    def partial(self) -> bool:
        """Whether the score leaves examples out."""
        return self.result is not None and len(self.ids) < self.total

    @property
    def examples(self) -> Sequence[ExampleResult]:
        """The results of the predictions; none of a task that was refused."""
        return self.result.examples if self.result else []

    def columns(self, rouge_aggregation: str) -> Columns:
        """Return the scores as columns (`zs_bench.statistics.columns`); raises `ValueError` for a refused task."""
        if self.result is None:
            raise ValueError(f"{self.task} was refused")
        return columns(self.result, rouge_aggregation)

    @cached_property
    def losses(self) -> TaskLosses:
        """The loss breakdown of a task that was not refused, whose `aggregation` is that of the score."""
        losses = losses_of_task(self.task, self.predictions, self.references, results=self.examples)
        step = (self.score or 0.0) - losses.score if losses.aggregation else 0.0
        return replace(losses, aggregation=0.0 if abs(step) < 1e-9 else step)

    @cached_property
    def patterns(self) -> list[Pattern]:
        """What goes wrong in several predictions of a task that was not refused."""
        return patterns_of_task(self.task, self.ids, self.predictions, self.references, self.examples)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the id and the result of each prediction as JSON-able data, without the texts of summaries."""
        for id_, example in zip(self.ids, self.examples, strict=self.result is not None):
            data = example.as_dict()
            if example.rouge is not None:
                data.pop("parsed")
            yield {"id": id_, **data}


@dataclass(frozen=True, slots=True)
class PostProcessed:
    """The effect of post-processing: the score of each task without it (`None` if refused), and the changed answers."""

    before: Mapping[str, float | None]
    changed: int


@dataclass(frozen=True, slots=True, repr=False)
class ScoredFile(ShownInNotebooks):
    """Scored predictions: the tasks in the benchmark's order, the averages, and the problems, errors first.

    Attributes:
        result, interval: the averages, and the interval of the mean over the scored tasks; `None` without such tasks.
        validation: the checked predictions, with possible repairs and the verdict on a submission.
        partial: whether only the ids with both prediction and reference were scored.
        source: label, split and revision of the source of the references, if they are not from files.
        post: the rules applied to the predictions before scoring, in order; `processed` is their effect.
        unanswered: the tasks of the references without any prediction.
        hashes: a cache of hashes of the references, shared by all files scored against them.
    """

    tasks: dict[str, ScoredTask]
    result: BenchmarkResult | None
    problems: list[Problem]
    validation: Validation = field(compare=False)
    partial: bool
    rouge_aggregation: str
    interval: Interval | None = None
    source: Mapping[str, str | None] | None = None
    post: tuple[str, ...] = ()
    processed: PostProcessed | None = None
    files: Sequence[ReadFile] = ()
    benchmark: Benchmark = ZERO_SCROLLS
    hashes: dict[tuple[tuple[str, str | None], ...], str] = field(default_factory=dict, compare=False)
    unanswered: Sequence[str] = ()

    @property
    def run(self) -> "RunAccount | None":
        """The account of the prompts, if the predictions are the folder of a run."""
        return self.validation.read.run

    @property
    def refused(self) -> dict[str, str]:
        """The errors (exit status 1), in sentences by task, or by file where they concern no task."""
        of: dict[str, list[Problem]] = {}
        for problem in (each for each in self.problems if each.is_error):
            of.setdefault(problem.task or (problem.place and problem.place.file) or "", []).append(problem)
        return {name: "; ".join(lines(problems)) for name, problems in of.items()}

    @property
    def scored(self) -> dict[str, ScoredTask]:
        """The tasks that were not refused."""
        return {name: task for name, task in self.tasks.items() if task.result is not None}

    def signature(self, *names: str) -> Signature | None:
        """Return the signature of the mean over these tasks, by default all scored ones; `None` if there are none."""
        tasks = {name: task for name, task in self.scored.items() if name in names or not names}
        if not tasks:
            return None
        splits = {task.split for task in tasks.values()}
        answers = sum(len(task.ids) for task in tasks.values())
        key = tuple((name, task.split) for name, task in tasks.items())
        if key not in self.hashes:
            texts = {name: {id_: row for id_, row in task.by_id.items() if row} for name, task in tasks.items()}
            self.hashes[key] = reference_hash(texts, benchmark=self.benchmark)
        return Signature(
            tasks=tuple(tasks),
            data=self.hashes[key],
            answers=answers,
            missing=sum(task.total for task in tasks.values()) - answers,
            source=splits.pop() if len(splits) == 1 else None,
            rouge=self.rouge_aggregation,
            post=self.post,
            run=self.run.in_short(tasks) if self.run else (),
            **of_this_installation(self.benchmark),
        )
