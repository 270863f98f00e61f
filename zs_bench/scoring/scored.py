"""A scored file: its tasks, their scores with intervals, and its problems."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import fsum
from typing import TYPE_CHECKING

from zs_bench.answers import Answer, documents_of, results_of
from zs_bench.benchmarks import Benchmark, Task
from zs_bench.benchmarks.records import Average
from zs_bench.benchmarks.zero_scrolls import BENCHMARK as ZERO_SCROLLS
from zs_bench.dataset.source import EXAMPLES, Source
from zs_bench.files.entries import ReadFile
from zs_bench.files.reference_texts import Reference
from zs_bench.files.replies import FILTER, LENGTH
from zs_bench.notebook import ShownInNotebooks
from zs_bench.problems import Problem, counted, lines
from zs_bench.scoring.signature import Signature, sign
from zs_bench.statistics.intervals import Columns, Interval, average_interval, columns
from zs_bench.validation.references import References
from zs_bench.validation.validate import Validation
from zs_metric.explain import TaskLosses
from zs_metric.results import BenchmarkResult, TaskResult
from zs_metric.scoring import aggregate, score_texts

if TYPE_CHECKING:
    from zs_bench.patterns import Pattern
    from zs_bench.run_records import RunAccount
    from zs_bench.scoring.report_data import ScoreOfKind
    from zs_bench.scoring.runs import Spread


def sample_of(answers: Sequence[Answer], rouge_aggregation: str) -> tuple[Columns, list[str] | None]:
    """Return the columns of the answers' scores, and their documents: the input of the statistics.

    Of several runs there are the columns of each, or one of the means.
    """
    by_answer = [*map(results_of, answers)]
    if by_answer and len(by_answer[0]) == 1:
        return columns([result for (result,) in by_answer], rouge_aggregation), documents_of(answers)
    runs = [columns(results, rouge_aggregation) for results in zip(*by_answer, strict=True)]
    if len(runs) > 1 and len(runs[0]) == 1:
        runs = [columns([answer.result for answer in answers], rouge_aggregation)]
    return [column for each in runs for column in each] or [[]], documents_of(answers)


def averages_over(
    tasks: Mapping[str, "ScoredTask"], benchmark: Benchmark
) -> tuple[BenchmarkResult | None, Interval | None]:
    """Return the averages over the tasks that were scored, and the interval of their mean; `None` without any."""
    results = {name: task.result for name, task in tasks.items() if task.result is not None}
    averaged = [(task.score or 0.0, task.interval) for task in tasks.values() if task.result and task.task.averaged]
    return (benchmark.average(results), average_interval(averaged)) if averaged else (None, None)


@dataclass(frozen=True)
class ScoredTask:
    """One task of a file.

    Attributes:
        result: its scores; `None` if the task was refused.
        answers: the scored answers in the order of the references; none of a refused task.
        answered: the number of ids with both prediction and reference.
        missing, unknown: the ids of references without a prediction, and of predictions without a reference.
        references: those of the task by id, also of examples without a prediction.
        stops: the ids of the answers that ended at the limit of tokens, or by a filter (`zs_bench.files.replies`).
        expected: how many questions the task has, where the references are those beside the predictions.
    """

    task: Task
    result: TaskResult | None = None
    answers: list[Answer] = field(default_factory=list, repr=False)
    answered: int = 0
    missing: list[str] = field(default_factory=list, repr=False)
    unknown: list[str] = field(default_factory=list, repr=False)
    split: str | None = None
    references: Mapping[str, Reference] = field(default_factory=dict, repr=False)
    interval: Interval | None = None
    rouge_aggregation: str = "corpus"
    stops: Mapping[str, Collection[str]] = field(default_factory=dict, repr=False)
    expected: int = 0

    @classmethod
    def joined(cls, task: Task, validation: Validation, references: References) -> "ScoredTask":
        """Return the task with what is there to score, without a result."""
        predictions, split = validation.predictions[task.name], validation.splits.get(task.name)
        by_id = references.of(task.name, split)
        problems = [problem for problem in validation.problems if problem.task == task.name]
        errors = {problem.id for problem in problems if problem.is_error and problem.kind != "missing"}
        questions = {each.question or id_: None for id_, each in by_id.items()}
        answered = {by_id[id_].question or id_ for id_ in predictions if id_ in by_id}
        without = [id_ for id_ in questions if id_ not in answered and id_ not in errors]
        are_of_rows = any(each.is_of_row for each in by_id.values())
        unknown = [problem.id for problem in problems if problem.family == "unknown" and problem.id is not None]
        return cls(
            task,
            answered=len(answered),
            missing=[] if any(problem.kind in ("ids-differ", "shifted") for problem in problems) else without,
            unknown=list(dict.fromkeys(unknown)) if task.name in references.by_task else list(predictions),
            split=split,
            references=by_id,
            expected=task.questions_in(split) or 0 if are_of_rows else 0,
        )

    @property
    def total(self) -> int:
        """The number of examples; a question that rows without ids ask again is one."""
        return max(self.asked, self.expected)

    @property
    def asked(self) -> int:
        """The number of examples that have a reference, which may be fewer than the task has."""
        return len(self.references) - sum(each.question is not None for each in self.references.values())

    @property
    def repeated(self) -> bool:
        """Whether several of its answers are to one question."""
        return any(self.references[answer.id].question for answer in self.answers)

    def question(self, id_: str) -> str:
        """The id of the question that a row answers; most have a row each."""
        return self.references[id_].question or id_

    @property
    def score(self) -> float | None:
        """The task's score in points; `None` if the task was refused."""
        return None if self.result is None else self.result.score

    @property
    def partial(self) -> bool:
        """Whether the score leaves examples out."""
        return self.result is not None and self.answered < self.total

    @property
    def texts(self) -> tuple[list[str], list[Sequence[str]]]:
        """The texts of the answers and their references, as `zs_metric` takes them."""
        return [answer.text for answer in self.answers], [answer.references for answer in self.answers]

    @property
    def spread(self) -> "Spread | None":
        """What differs between the runs of a system; `None` for one run."""
        return None

    def score_of(self, ids: Collection[str]) -> float | None:
        """The score of the answers of these ids alone; `None` if there are none."""
        results = [answer.result for answer in self.answers if answer.id in ids]
        return aggregate(self.task.metric, results, self.rouge_aggregation)[0] if results else None

    @cached_property
    def stopped(self) -> "dict[str, ScoreOfKind]":
        """How many answers ended at the limit of tokens or by a filter, and how many others, with their scores."""
        if not self.stops or self.result is None:
            return {}
        groups = {kind: set(ids) for kind, ids in self.stops.items()}
        groups["others"] = {answer.id for answer in self.answers} - set().union(*groups.values())
        return {kind: {"score": self.score_of(ids), "n": len(ids)} for kind, ids in groups.items()}

    @cached_property
    def losses(self) -> TaskLosses:
        """The loss breakdown of a task that was not refused, whose `aggregation` is that of the score."""
        losses = TaskLosses(tuple(answer.explanation for answer in self.answers_of_runs), 0.0)
        step = (self.score or 0.0) - losses.score if self.task.metric.by_types else 0.0
        return replace(losses, aggregation=0.0 if abs(step) < 1e-9 else step)

    @property
    def answers_of_runs(self) -> list[Answer]:
        """The answers of each run, which have a text and an explanation; those of one run are the `answers`."""
        return self.answers

    @cached_property
    def patterns(self) -> "list[Pattern]":
        """What goes wrong in several answers."""
        from zs_bench.patterns import patterns_of_task  # noqa: PLC0415  (a comparison needs none)

        return patterns_of_task(self.answers, self.rouge_aggregation)


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
        source: where the references are from, if they are not from files.
        post: the rules applied to the predictions before scoring, in order; `processed` is their effect.
        unanswered: the tasks of the references without any prediction.
        runs: the runs of one system, by name, of which this is the mean (`zs_bench.scoring.runs`); empty for one run.
    """

    tasks: dict[str, ScoredTask]
    result: BenchmarkResult | None
    problems: list[Problem]
    validation: Validation = field(compare=False)
    partial: bool
    rouge_aggregation: str
    interval: Interval | None = None
    source: Source | None = None
    post: tuple[str, ...] = ()
    processed: PostProcessed | None = None
    files: Sequence[ReadFile] = ()
    benchmark: Benchmark = ZERO_SCROLLS
    references: References = field(default_factory=References, compare=False)
    unanswered: Sequence[str] = ()
    runs: Mapping[str, "ScoredFile"] = field(default_factory=dict, compare=False)

    @property
    def run(self) -> "RunAccount | None":
        """The account of the prompts, if the predictions are the folder of one run."""
        return None if self.runs else self.validation.read.run

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

    def leaves_out(self, average: Average | None = None) -> bool:
        """Whether answers are missing in the score of an average, or in that of a task."""
        names = set(self.tasks)
        if average is not None:
            (name,) = (name for name, each in self.benchmark.averages.items() if each is average)
            names &= self.benchmark.weights(name).keys()
        return any(self.tasks[name].partial for name in names)

    @property
    def of_examples(self) -> bool:
        """Whether all is scored on the examples of this package: no number is comparable with a published one."""
        return {task.split for task in self.scored.values()} == {EXAMPLES}

    @property
    def averages(self) -> dict[str, tuple[Average, float | None, Interval | None]]:
        """The benchmark's averages beside that of all tasks, by name, each with its score and interval, which are
        `None` unless all of its tasks were scored. Those of its headline come first.
        """
        averages: dict[str, tuple[Average, float | None, Interval | None]] = {}
        for name in dict.fromkeys((*self.benchmark.headline, *self.benchmark.averages)):
            average, weights = self.benchmark.averages[name], self.benchmark.weights(name)
            averages[name] = average, None, None
            if weights.keys() <= self.scored.keys():
                parts = [(self.tasks[task].score or 0.0, self.tasks[task].interval) for task in weights]
                score = fsum(weight * part for weight, (part, _) in zip(weights.values(), parts, strict=True))
                averages[name] = average, score, average_interval(parts, [*weights.values()])
        return averages

    def signature(self, *names: str) -> Signature | None:
        """Return the signature of the mean over these tasks, by default all scored ones; `None` if there are none."""
        tasks = {name: task for name, task in self.scored.items() if name in names or not names}
        if not tasks:
            return None
        splits = {name: task.split for name, task in tasks.items()}
        runs = [scored.run for scored in self.runs.values()] or [self.run]
        return sign(
            self.benchmark,
            tuple(tasks),
            self.references.hash_of(splits, benchmark=self.benchmark),
            (sum(task.answered for task in tasks.values()), sum(task.total for task in tasks.values())),
            source=next(iter(splits.values())) if len({*splits.values()}) == 1 else None,
            rouge=self.rouge_aggregation,
            post=self.post,
            run=tuple(dict.fromkeys(word for run in runs if run for word in run.in_short(tasks))),
            rows=sum(len(task.answers) for task in tasks.values()),
            runs=len(self.runs),
        )


def run_scores(scored: ScoredFile) -> dict[str, dict[str, float | None]]:
    """Return the alternative scores of the tasks of a run, in points; `None` if no prompt was cut or lost.

    `without_cut` leaves out prompts that the server cut; `lost_as_empty` adds an empty prediction for each lost prompt.
    """

    def score(task: Task, rows: Iterable[tuple[str, Sequence[str]]]) -> float:
        predictions, references = zip(*rows, strict=True)
        aggregation = scored.rouge_aggregation
        return score_texts(task.metric, predictions, references, rouge_aggregation=aggregation).score

    scores: dict[str, dict[str, float | None]] = {}
    accounts = scored.run.tasks if scored.run else {}
    for name, task in ((name, task) for name, task in scored.scored.items() if name in accounts):
        rows = {answer.id: (answer.text, answer.references) for answer in task.answers}
        kept = [row for id_, row in rows.items() if id_ not in accounts[name].cut_by_server]
        lost = [("", row.texts) for id_, row in task.references.items() if row.texts and id_ not in rows]
        scores[name] = {
            "without_cut": score(task.task, kept) if 0 < len(kept) < len(rows) else None,
            "lost_as_empty": score(task.task, [*rows.values(), *lost]) if lost else None,
        }
    return scores


_STOPPED = {LENGTH: "at the limit of tokens", FILTER: "by a filter"}


def stopped(tasks: Iterable[ScoredTask]) -> Iterator[Problem]:
    """A warning for each scored task with answers that ended at the limit of tokens, or by a filter."""
    for task in tasks:
        others = task.stopped.get("others")
        for kind, group in task.stopped.items():
            if kind != "others" and others:
                than = f", the others {others['score']:.1f}" if others["score"] is not None else ""
                score = f"{group['score'] or 0:.1f}"
                message = (
                    f"{group['n']:,} of {counted(task.answered, 'answer')} {'ends' if group['n'] == 1 else 'end'} "
                    f"{_STOPPED[kind]}; {'it scores' if group['n'] == 1 else 'those score'} {score}{than}"
                )
                yield Problem("stopped", message, task.task.name, is_error=False)
