"""Paired comparison of scored systems: the difference per task, on average and per example.

Only examples that both systems have answered are compared, with the statistics of
`zs_bench.statistics.paired_comparison`. The second system is the new one: differences are points, second minus first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import NamedTuple

from zs_bench.benchmarks import Benchmark, Task
from zs_bench.notebook import ShownInNotebooks
from zs_bench.prompts.variants import CLOSED_BOOK
from zs_bench.run_records.account import WHOLE, other_settings, without_document
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_bench.scoring.signature import differences
from zs_bench.statistics.columns import example_scores, rows_of, score_of
from zs_bench.statistics.paired_comparison import Needed, Pair, PairedComparison, compare_on_benchmark, holm

#: An answer whose score differs by more points than this has changed.
CHANGED = 10.0


class ExampleDifference(NamedTuple):
    """One example: its score by the first and by the second system, and the difference, in points."""

    id: str
    first: float
    second: float
    difference: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """Two systems on one task, or on the mean over tasks: their scores on the compared examples, in points.

    Attributes:
        margin: the loss in points up to which the second is as good as the first; `None` where that is not asked.
        corrected: the p-value corrected for the number of tasks, which then decides; `None` for one task, for the mean,
            and for a task with a margin of its own.
        total: the number of examples, of which more than those compared may be answered by one system alone.
    """

    scores: tuple[float, float]
    comparison: PairedComparison
    margin: float | None = None
    corrected: float | None = None
    total: int = 0

    @property
    def kind(self) -> str:
        """The verdict about the second: `identical`, `better`, `as good`, `worse`, `undecided`, also if `partial`."""
        return "undecided" if self.partial else self.comparison.verdict(self.margin, self.corrected)

    @property
    def needed(self) -> Needed | None:
        """About how many more examples would decide; `None` if it is decided or is unknown."""
        return None if self.partial else self.comparison.needed(self.margin)

    @property
    def partial(self) -> bool:
        """Whether examples are left out, so that there is no verdict of the whole."""
        return self.comparison.examples < self.total


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskOutcome(Outcome):
    """Two systems on one task.

    Attributes:
        only_first, only_second: the ids that only one of the two answered; they are left out.
        examples: the compared examples, sorted by difference, the largest losses first.
        identical: how many compared answers are the same text.
    """

    task: Task
    only_first: list[str] = field(repr=False)
    only_second: list[str] = field(repr=False)
    examples: list[ExampleDifference] = field(repr=False)
    identical: int

    @property
    def lost(self) -> list[str]:
        """The ids of answers that score over `CHANGED` points less in the second system."""
        return [row.id for row in self.examples if row.difference < -CHANGED]

    @property
    def gained(self) -> list[str]:
        """The ids of answers that score over `CHANGED` points more in the second."""
        return [row.id for row in reversed(self.examples) if row.difference > CHANGED]


@dataclass(frozen=True, slots=True, repr=False)
class SystemComparison(ShownInNotebooks):
    """The comparison of two systems, given by name.

    Attributes:
        tasks: the tasks that both were scored on, in the benchmark's order.
        mean: the mean over the tasks of the average; `None` if there are none.
        not_compared: the other tasks, with the reason.
        differ: the differences between the signatures of the two on the compared tasks, a sentence each.
        without_document: the name of the system whose model was asked without the document, where both are runs of
            one model and the other was asked with it: the differences are then the points that need the document.
        settings: the settings in which the two differ as runs, a phrase each.
        margins: those that were asked for, in points by task, "average" or "mean".
    """

    first: str
    second: str
    tasks: dict[str, TaskOutcome]
    mean: Outcome | None
    not_compared: dict[str, str]
    differ: list[str]
    benchmark: Benchmark
    without_document: str | None = None
    settings: Sequence[str] = ()
    margins: Mapping[str, float] = field(default_factory=dict)

    @property
    def corrected(self) -> dict[str, float | None]:
        """The p-values of the tasks, corrected for the number of tasks (Holm)."""
        return holm({name: outcome.comparison.p_value for name, outcome in self.tasks.items()})

    @property
    def averaged(self) -> list[str]:
        """The tasks in the mean."""
        return [name for name in self.benchmark.tasks if name in self.tasks]

    @property
    def whole(self) -> bool:
        """Whether these are all tasks of the benchmark's average."""
        return len(self.averaged) == len(self.benchmark.tasks)

    def outcome(self, name: str) -> Outcome | None:
        """Return the outcome on a task, on the "mean" of the compared tasks, or on the "average" of all tasks."""
        if name == "average":
            return self.mean if self.whole else None
        lacking = any(task in self.benchmark.tasks for task in self.not_compared)
        return self.tasks.get(name) if name != "mean" else None if lacking else self.mean

    def holds(self, name: str) -> bool:
        """Return whether the second system is shown to lose less than the margin of this name."""
        outcome = self.outcome(name)
        return outcome is not None and not outcome.partial and outcome.comparison.passes(self.margins[name])


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(ShownInNotebooks):
    """Systems by name, and the comparison of the first with each of the others."""

    systems: Mapping[str, ScoredFile]
    comparisons: list[SystemComparison]


def compare_systems(
    first: tuple[str, ScoredFile], second: tuple[str, ScoredFile], margins: Mapping[str, float] | None = None
) -> SystemComparison:
    """Compare two systems, each a name and its scores; margins are points by task, "average" or "mean".

    The margin of the average, else that of the mean, is that of the tasks without one.
    """
    margins = margins or {}
    (name_a, a), (name_b, b) = first, second
    tasks: dict[str, TaskOutcome] = {}
    pairs: dict[str, Pair] = {}
    not_compared: dict[str, str] = {}
    whole = margins.get("average", margins.get("mean"))
    for name in (name for name in a.benchmark.all_tasks if name in a.tasks or name in b.tasks):
        if reason := _why_not_compared(name, first, second):
            not_compared[name] = reason
        else:
            margin = margins.get(name, whole)
            tasks[name], pairs[name] = _compare_task(a.tasks[name], b.tasks[name], a.rouge_aggregation, margin)
    mean, averaged = None, {name: pairs[name] for name in a.benchmark.tasks if name in pairs}
    if averaged:
        sides = ([pair.old for pair in averaged.values()], [pair.new for pair in averaged.values()])
        old, new = (fmean(map(score_of, side)) for side in sides)
        total = sum(tasks[name].total for name in averaged)
        mean = Outcome((old, new), compare_on_benchmark(averaged), whole, total=total)
    if len(tasks) > 1:
        corrected = holm({name: outcome.comparison.p_value for name, outcome in tasks.items()})
        tasks = {
            name: outcome if name in margins else replace(outcome, corrected=corrected[name])
            for name, outcome in tasks.items()
        }
    closed = without_document(a.run, b.run)
    signatures = [signature for scored in (a, b) if tasks and (signature := scored.signature(*tasks))]
    if closed is not None:  # the form of the prompts is what is compared
        forms = [tuple(word for word in signature.run if word != CLOSED_BOOK) or (WHOLE,) for signature in signatures]
        signatures = [replace(signature, run=form) for signature, form in zip(signatures, forms, strict=True)]
    return SystemComparison(
        name_a,
        name_b,
        tasks,
        mean,
        not_compared,
        differences(*signatures) if tasks else [],
        a.benchmark,
        without_document=None if closed is None else (name_a, name_b)[closed],
        settings=other_settings(a.run, b.run),
        margins=margins,
    )


def _why_not_compared(name: str, *systems: tuple[str, ScoredFile]) -> str:
    """Return why a task cannot be compared, as the end of a sentence; empty if it can."""
    lacking = [system for system, scored in systems if name not in scored.tasks]
    reasons = [f"no answers of {' and '.join(lacking)}"] if lacking else []
    for system, scored in systems:
        if name in scored.tasks.keys() - scored.scored.keys():
            errors = [problem.message for problem in scored.problems if problem.is_error and problem.task == name]
            reasons.append(f"refused for {system}" + (f" ({errors[0]})" if errors else ""))
    if not reasons and set.isdisjoint(*(set(scored.tasks[name].ids) for _, scored in systems)):
        return "no example was answered by both"
    return "; ".join(reasons)


def _compare_task(
    a: ScoredTask, b: ScoredTask, rouge_aggregation: str, margin: float | None
) -> tuple[TaskOutcome, Pair]:
    """Return the outcome on the examples that both answered, and what was compared."""
    places_a, places_b = ({id_: place for place, id_ in enumerate(task.ids)} for task in (a, b))
    shared = [id_ for id_ in a.ids if id_ in places_b]
    at_a, at_b = [places_a[id_] for id_ in shared], [places_b[id_] for id_ in shared]
    old, new = rows_of(a.columns(rouge_aggregation), at_a), rows_of(b.columns(rouge_aggregation), at_b)
    first, second = example_scores(old), example_scores(new)
    identical = sum(a.predictions[x] == b.predictions[y] for x, y in zip(at_a, at_b, strict=True))
    pair = Pair(
        old,
        new,
        None if a.clusters is None else [a.clusters[place] for place in at_a],
        max(first) if a.task.summaries else 100.0,
        identical == len(shared),
    )
    examples = [ExampleDifference(id_, x, y, y - x) for id_, x, y in zip(shared, first, second, strict=True)]
    outcome = TaskOutcome(
        scores=(score_of(old), score_of(new)),
        comparison=compare_on_benchmark({"": pair}),
        margin=margin,
        total=a.total,
        task=a.task,
        only_first=[id_ for id_ in a.ids if id_ not in places_b],
        only_second=[id_ for id_ in b.ids if id_ not in places_a],
        examples=sorted(examples, key=lambda example: example.difference),
        identical=identical,
    )
    return outcome, pair
