"""Paired comparison of scored systems: the difference per task, on average and per example.

Only examples that both systems have answered are compared, with the statistics of
`zs_bench.statistics.paired_comparison`. Differences are points, first minus second. In a verdict at a margin the first
system is the base, and the second is the new one.
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
from zs_bench.statistics.columns import geometric_means, score_of
from zs_bench.statistics.paired_comparison import (
    Needed,
    PairedColumns,
    PairedComparison,
    compare_on_benchmark,
    compare_on_task,
    holm,
)

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
        """The ids of answers that score over `CHANGED` points less in the second system."""
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
        mean: the mean over the tasks of the average; `None` if there are none.
        not_compared: the other tasks, with the reason.
        differ: the differences between the signatures of the two on the compared tasks, a sentence each.
        without_document: the name of the system whose model was asked without the document, where both are runs of
            one model and the other was asked with it: the differences are then the points that need the document.
        settings: the settings in which the two differ as runs, a phrase each.
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

    def holds(self, name: str) -> bool:
        """Return whether the second system is shown to be better, or as good within the margin, on a task or "average".

        It is not where the second lacks answers of the first, nor on average without all tasks of the benchmark.
        """
        outcome = (self.mean if self.whole else None) if name == "average" else self.tasks.get(name)
        lacks = any(compared.only_first for task, compared in self.tasks.items() if name in ("average", task))
        return outcome is not None and outcome.kind in ("better", "as good") and not lacks


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
        lacking = [system for system, scored in (first, second) if name not in scored.tasks]
        refused = [system for system, scored in (first, second) if name in scored.tasks.keys() - scored.scored.keys()]
        if lacking or refused:
            reasons = (("no answers of", lacking), ("refused for", refused))
            not_compared[name] = "; ".join(f"{why} {' and '.join(names)}" for why, names in reasons if names)
        elif set(a.tasks[name].ids).isdisjoint(b.tasks[name].ids):
            not_compared[name] = "no example was answered by both"
        else:
            margin = margins.get(name, margins.get("average"))
            tasks[name], pairs[name] = _compare_task(a.tasks[name], b.tasks[name], a.rouge_aggregation, margin)
    mean, averaged = None, {name: pairs[name] for name in a.benchmark.tasks if name in pairs}
    if averaged:
        scores = (
            fmean(score_of(x) for x, _, _ in averaged.values()),
            fmean(score_of(y) for _, y, _ in averaged.values()),
        )
        mean = Outcome(scores, compare_on_benchmark(averaged), margins.get("average"))
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
    )


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
