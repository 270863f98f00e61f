"""A scored file: its tasks, their scores with intervals, its signature, and its problems."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from zs_bench.files.entries import ReadFile
from zs_bench.notebook import ShownInNotebooks
from zs_bench.patterns import Pattern, patterns_of_task
from zs_bench.problems import Problem
from zs_bench.run_records.account import RunAccount
from zs_bench.scoring.signature import Signature, of_this_installation, reference_hash
from zs_bench.statistics.intervals import Interval
from zs_bench.validation.references import References
from zs_bench.validation.validate import Validation
from zs_metric.explain import TaskLosses, losses_of_task
from zs_metric.results import BenchmarkResult, TaskResult
from zs_metric.tasks import ZERO_SCROLLS, Benchmark, Task


@dataclass(frozen=True, slots=True)
class ScoredTask:
    """One task of a file.

    Attributes:
        result: its scores; `None` if the task was refused.
        ids: the scored ids, in the order of the references.
        predictions, references: the scored texts, in the same order.
        missing: the ids of references without any prediction.
        unknown: the ids of predictions without a reference.
        split: the split of the references, if known.
        by_id: all references of the task by id, also for examples without a prediction.
        clusters: the name of the document of each scored id; `None` if it is not known which examples share one.
        interval: the interval of the score, if any.
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
    _computed: dict[str, Any] = field(init=False, default_factory=dict, repr=False, compare=False)

    @classmethod
    def joined(cls, task: Task, validation: Validation, references: References) -> "ScoredTask":
        """Return the task with the texts to score, in the order of the references, without a result."""
        name, predictions = task.name, validation.predictions[task.name]
        split = validation.splits.get(name)
        by_id = references.tasks.get(name, {}).get(split, {})
        of_task = [problem for problem in validation.problems if problem.task == name]
        wrong = [problem for problem in of_task if problem.id is not None and problem.kind != "missing"]
        all_differ = any(problem.kind == "ids-differ" for problem in of_task)
        named = {problem.id for problem in wrong if problem.is_error}
        unknown = (
            [problem.id for problem in wrong if problem.reported_kind == "unknown"]
            if name in references.tasks
            else predictions
        )
        ids = [id_ for id_ in by_id if id_ in predictions]
        return cls(
            task,
            ids=ids,
            predictions=[predictions[id_].text for id_ in ids],
            references=[by_id[id_] for id_ in ids],
            missing=[] if all_differ else [id_ for id_ in by_id if id_ not in predictions and id_ not in named],
            unknown=list(dict.fromkeys(id_ for id_ in unknown if id_ is not None)),
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
    def losses(self) -> TaskLosses:
        """The loss breakdown of a task that was not refused; computed once."""
        if "losses" not in self._computed:
            results = self.result.examples if self.result else []
            losses = losses_of_task(self.task, self.predictions, self.references, results=results)
            # `aggregation` as the file was scored, which may be by instance.
            step = (self.score or 0.0) - losses.score if losses.aggregation else 0.0
            self._computed["losses"] = replace(losses, aggregation=0.0 if abs(step) < 1e-9 else step)
        losses_once: TaskLosses = self._computed["losses"]
        return losses_once

    @property
    def patterns(self) -> list[Pattern]:
        """What goes wrong in several predictions of a task that was not refused; computed once."""
        if "patterns" not in self._computed:
            results = self.result.examples if self.result else []
            self._computed["patterns"] = patterns_of_task(
                self.task, self.ids, self.predictions, self.references, results
            )
        patterns_once: list[Pattern] = self._computed["patterns"]
        return patterns_once

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the id and the result of each prediction as JSON-able data, without the texts of summaries."""
        examples = self.result.examples if self.result else []
        for id_, example in zip(self.ids, examples, strict=self.result is not None):
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
    """Scored predictions: the tasks in the benchmark's order, the averages, and the problems.

    Attributes:
        result: the averages; `None` if no task of the average was scored.
        problems: errors before warnings.
        validation: the checked predictions, with possible repairs and the verdict on a submission.
        partial: whether only the ids with both prediction and reference were scored.
        interval: the interval of the mean over the scored tasks, if any.
        source: label, split and revision of the source of the references, if they are not from files.
        post: the rules applied to the predictions before scoring, in order.
        processed: the effect of these rules; `None` without any.
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

    @property
    def run(self) -> RunAccount | None:
        """The account of the prompts, if the predictions are the folder of a run."""
        return self.validation.read.run

    @property
    def refused(self) -> bool:
        """Whether there is any error (exit status 1)."""
        return any(problem.is_error for problem in self.problems)

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
        rest_on = tuple((name, task.split) for name, task in tasks.items())
        if rest_on not in self.hashes:
            texts = {
                n: {id_: references for id_, references in task.by_id.items() if references}
                for n, task in tasks.items()
            }
            self.hashes[rest_on] = reference_hash(texts, benchmark=self.benchmark.name)
        return Signature(
            tasks=tuple(tasks),
            data=self.hashes[rest_on],
            answers=answers,
            missing=sum(task.total for task in tasks.values()) - answers,
            source=splits.pop() if len(splits) == 1 else None,
            rouge=self.rouge_aggregation,
            post=self.post,
            run=self.run.in_short(tasks) if self.run else (),
            **of_this_installation(self.benchmark),
        )
