"""Paired comparison of scored systems: the difference per task, on average and per example.

Only examples that both systems have answered are compared, with the statistics of
`zs_bench.statistics.paired_comparison`. Differences are points, first minus second. In a verdict at a margin the first
system is the base, and the second is the new one.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import NamedTuple

from zs_bench.notebook import ShownInNotebooks
from zs_bench.prompts.variants import CLOSED_BOOK
from zs_bench.run_records.account import WHOLE, other_settings, without_document
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_bench.scoring.signature import differences
from zs_bench.statistics.columns import geometric_means, score_of
from zs_bench.statistics.paired_comparison import (
    Needed,
    PairedColumns,
    PairedComparison,
    compare_on_benchmark,
    compare_on_task,
    holm,
)
from zs_metric.tasks import Benchmark, Task

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

    `margin` is the loss in points up to which the second is as good as the first; `None` where that is not asked.
    """

    scores: tuple[float, float]
    comparison: PairedComparison
    margin: float | None = None

    @property
    def kind(self) -> str:
        """The verdict about the second system: `better`, `as good`, `worse` or `undecided`."""
        return self.comparison.verdict(self.margin)

    @property
    def needed(self) -> Needed | None:
        """About how many more examples would decide; `None` if it is decided or cannot be told."""
        return self.comparison.needed(self.margin)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskOutcome(Outcome):
    """Two systems on one task.

    Attributes:
        only_first, only_second: the ids that only one of the two answered; they are left out.
        examples: the compared examples, sorted by difference, largest first.
        identical: how many compared answers are the same text.
    """

    task: Task
    total: int
    only_first: list[str] = field(repr=False)
    only_second: list[str] = field(repr=False)
    examples: list[ExampleDifference] = field(repr=False)
    identical: int

    @property
    def lost(self) -> list[str]:
        """The ids of answers that score over `CHANGED` points less in the second; right to wrong where only that is."""
        return [row.id for row in self.examples if row.difference > CHANGED]

    @property
    def gained(self) -> list[str]:
        """The ids of answers that score over `CHANGED` points more in the second."""
        return [row.id for row in reversed(self.examples) if row.difference < -CHANGED]

    @property
    def partial(self) -> bool:
        """Whether examples are left out."""
        return len(self.examples) < self.total


@dataclass(frozen=True, slots=True, repr=False)
class SystemComparison(ShownInNotebooks):
    """The comparison of two systems, given by name.

    Attributes:
        tasks: the tasks that both were scored on, in the benchmark's order.
        not_compared: the other tasks, with the reason.
        mean: the mean over the tasks of the average; `None` if there are none.
        differ: the differences between the signatures of the two on the compared tasks, a sentence each.
        without_document: the name of the one whose model was asked without the document, where both are runs of one
            model and the other was asked with it: the differences are then the points that need the document.
        settings: the settings in which the two differ as runs, a phrase each.
        margins: the margins that were named, by task; that of the average under "average".
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

    def holds(self, name: str) -> bool:
        """Return whether the second system is shown to be better, or as good within the margin, on a task or "average".

        It is not where the second lacks answers of the first, nor on average without all tasks of the benchmark.
        """
        outcome = (self.mean if self.whole else None) if name == "average" else self.tasks.get(name)
        lacks = any(compared.only_first for task, compared in self.tasks.items() if name in ("average", task))
        return outcome is not None and outcome.kind in ("better", "as good") and not lacks

    @property
    def averaged(self) -> list[str]:
        """The tasks in the mean."""
        return [name for name in self.benchmark.tasks if name in self.tasks]

    @property
    def whole(self) -> bool:
        """Whether these are all tasks of the benchmark's average."""
        return len(self.averaged) == len(self.benchmark.tasks)


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(ShownInNotebooks):
    """Systems by name, and the comparison of the first with each of the others."""

    systems: Mapping[str, ScoredFile]
    comparisons: list[SystemComparison]


def compare_systems(
    first: tuple[str, ScoredFile], second: tuple[str, ScoredFile], margins: Mapping[str, float] | None = None
) -> SystemComparison:
    """Compare two systems, each a name and its scores; margins are points by task, "average" for those without one."""
    margins = margins or {}
    (name_a, a), (name_b, b) = first, second
    tasks: dict[str, TaskOutcome] = {}
    pairs: dict[str, PairedColumns] = {}
    not_compared: dict[str, str] = {}
    for name in (name for name in a.benchmark.all_tasks if name in a.tasks or name in b.tasks):
        if why := _why_not(name, first, second):
            not_compared[name] = why
            continue
        margin = margins.get(name, margins.get("average"))
        tasks[name], pairs[name] = _compare_task(a.tasks[name], b.tasks[name], a.rouge_aggregation, margin)
    averaged = {name: pairs[name] for name in a.benchmark.tasks if name in pairs}
    closed = without_document(a.run, b.run)
    return SystemComparison(
        name_a,
        name_b,
        tasks,
        _mean(averaged, margins.get("average")) if averaged else None,
        not_compared,
        _differ(a, b, tasks, closed_book=closed is not None) if tasks else [],
        a.benchmark,
        without_document=None if closed is None else (name_a, name_b)[closed],
        settings=other_settings(a.run, b.run),
        margins=margins,
    )


def _mean(pairs: Mapping[str, PairedColumns], margin: float | None) -> Outcome:
    scores = fmean(score_of(a) for a, _, _ in pairs.values()), fmean(score_of(b) for _, b, _ in pairs.values())
    return Outcome(scores, compare_on_benchmark(pairs), margin)


def _differ(a: ScoredFile, b: ScoredFile, tasks: Collection[str], *, closed_book: bool) -> list[str]:
    """Return the differences between the signatures, except the form of the prompts if that is what is compared."""
    signatures = [signature for scored in (a, b) if (signature := scored.signature(*tasks))]
    if closed_book:
        signatures = [
            replace(signature, run=tuple(word for word in signature.run if word != CLOSED_BOOK) or (WHOLE,))
            for signature in signatures
        ]
    return differences(*signatures)


def _why_not(task: str, *systems: tuple[str, ScoredFile]) -> str:
    lacking = [name for name, scored in systems if task not in scored.tasks]
    refused = [name for name, scored in systems if task in scored.tasks and task not in scored.scored]
    if lacking or refused:
        parts = (("no answers of", lacking), ("refused for", refused))
        return "; ".join(f"{what} {' and '.join(names)}" for what, names in parts if names)
    (_, a), (_, b) = systems
    return "" if set(a.tasks[task].ids) & set(b.tasks[task].ids) else "no example was answered by both"


def _compare_task(
    a: ScoredTask, b: ScoredTask, rouge_aggregation: str, margin: float | None
) -> tuple[TaskOutcome, PairedColumns]:
    """Return the outcome on the examples that both answered, and their columns and clusters."""
    places_a, places_b = ({id_: place for place, id_ in enumerate(task.ids)} for task in (a, b))
    shared = [id_ for id_ in a.ids if id_ in places_b]
    clusters = None if a.clusters is None else [a.clusters[places_a[id_]] for id_ in shared]
    first = a.columns(rouge_aggregation)[[places_a[id_] for id_ in shared]]
    second = b.columns(rouge_aggregation)[[places_b[id_] for id_ in shared]]
    scores = zip(shared, geometric_means(first).tolist(), geometric_means(second).tolist(), strict=True)
    examples = [ExampleDifference(id_, x, y, x - y) for id_, x, y in scores]
    outcome = TaskOutcome(
        scores=(score_of(first), score_of(second)),
        comparison=compare_on_task(first, second, clusters),
        margin=margin,
        task=a.task,
        total=a.total,
        only_first=[id_ for id_ in a.ids if id_ not in places_b],
        only_second=[id_ for id_ in b.ids if id_ not in places_a],
        examples=sorted(examples, key=lambda example: -example.difference),
        identical=sum(a.predictions[places_a[id_]] == b.predictions[places_b[id_]] for id_ in shared),
    )
    return outcome, (first, second, clusters)
