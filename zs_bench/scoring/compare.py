"""Scored systems compared in pairs, and groups of examples within a task.

Only examples that both systems have answered are compared, with the statistics of
`zs_bench.statistics.paired_comparison`. The second system is the new one: differences are points, second minus first.
A group is scored like a task of its examples alone.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import fsum
from operator import itemgetter
from statistics import fmean, median, quantiles
from typing import Any, NamedTuple, TypeVar

from zs_bench.answers import Answer, aligned
from zs_bench.benchmarks import Benchmark, Task
from zs_bench.dataset.measures import count_words, spreads_of_example
from zs_bench.dataset.rows import Example
from zs_bench.errors import PromptFormatError
from zs_bench.files.rows_without_ids import base_id
from zs_bench.notebook import ShownInNotebooks
from zs_bench.prompts import CLOSED_BOOK
from zs_bench.run_records import WHOLE, other_settings, without_document
from zs_bench.scoring.scored import ScoredFile, ScoredTask, sample_of
from zs_bench.scoring.signature import differences
from zs_bench.statistics.intervals import Interval, interval, score_of
from zs_bench.statistics.paired_comparison import Pair, PairedComparison, compare_on_benchmark, holm
from zs_bench.statistics.randomization import randomization_p
from zs_metric.f1 import normalize
from zs_metric.texts import row_of

QUARTERS = ("first quarter", "second quarter", "third quarter", "last quarter")
NO_POSITION = "no position"
KINDS_OF_ANSWERS = ("yes or no", "unanswerable", "other")


@dataclass(frozen=True, slots=True)
class GroupScore:
    """The number of examples in a group, their score in points, and its interval (`None` for too few examples)."""

    examples: int
    score: float
    interval: Interval | None


def by_length(examples: Iterable[Example]) -> dict[str, str]:
    """Return the quarter of every id's input length, named by the shortest and the longest input of it, in words."""
    words = {example.id: count_words(example.input) for example in examples}
    limits = quantiles(words.values(), n=4, method="inclusive") if len(words) > 1 else []
    groups: dict[str, str] = {}
    for _, quarter in groupby(sorted(words, key=words.__getitem__), key=lambda id_: bisect_right(limits, words[id_])):
        ids = list(quarter)
        least, most = words[ids[0]], words[ids[-1]]
        groups |= dict.fromkeys(ids, f"{least:,} words" if least == most else f"{least:,} to {most:,} words")
    return groups


def by_row_length(task: ScoredTask) -> dict[str, str]:
    """Return the bin of every id by the `length` of its row (`Benchmark.length_bins`); none without bins or lengths."""
    bins, groups = task.task.benchmark.length_bins, {}
    for id_, reference in task.references.items():
        if (length := row_of(reference.texts).get("length")) is not None:
            groups[id_] = next(name for name, end in bins.items() if length < end)
    return _ordered(groups, [*bins])


def by_position(examples: Iterable[Example]) -> dict[str, str]:
    """Return the quarter of the document, one of `QUARTERS`, in which the answer to every id is.

    It is that of the median place at which the word pairs of the references first occur (`zs_bench.dataset.measures`).
    References of one word, such as letters and percentages, have `NO_POSITION`.
    """
    groups = {}
    for example in examples:
        try:
            spreads = spreads_of_example(example)
        except PromptFormatError:
            spreads = []
        places = [place for spread in spreads for place in spread.places]
        groups[example.id] = QUARTERS[int(4 * median(places) / spreads[0].words)] if places else NO_POSITION
    return _ordered(groups, (*QUARTERS, NO_POSITION))


def by_hops(task: ScoredTask) -> dict[str, str]:
    """Return the number of hops of every question of MuSiQue, which its id says: `3hop1__…`."""
    found = ((id_, re.match(r"(\d)hop", id_)) for id_ in task.references)
    return dict(sorted(((id_, f"{match[1]} hops") for id_, match in found if match), key=itemgetter(1)))


def by_answers(task: ScoredTask) -> dict[str, str]:
    """Return the kind, by its references, of every question scored by F1; none of a task whose questions are alike."""
    groups = {}
    for id_, reference in task.references.items() if task.task.metric.name == "f1" else ():
        texts = {*map(normalize, reference.texts)}
        groups[id_] = "unanswerable" if "unanswerable" in texts else "yes or no" if texts & {"yes", "no"} else "other"
    return _ordered(groups, KINDS_OF_ANSWERS) if len({*groups.values()}) > 1 else {}


def _ordered(groups: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    return dict(sorted(groups.items(), key=lambda group: names.index(group[1])))


def score_groups(
    task: ScoredTask, groups: Mapping[str, str], rouge_aggregation: str = "corpus"
) -> dict[str, GroupScore]:
    """Return the score of every group, in their order, of a task's examples that have one; none of a refused task."""
    members: dict[str, list[Answer]] = {name: [] for name in groups.values()}
    for answer in task.answers:
        if answer.id in groups:
            members[groups[answer.id]].append(answer)
    samples = {name: sample_of(answers, rouge_aggregation) for name, answers in members.items() if answers}
    return {name: GroupScore(len(members[name]), score_of(part[0]), interval(*part)) for name, part in samples.items()}


#: An answer whose score differs by more points than this has changed.
CHANGED = 10.0


class ExampleDifference(NamedTuple):
    """The answers of the first and the second system to an example, and the difference of their scores in points."""

    first: Answer
    second: Answer
    difference: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """Two systems on one task, or on the mean over tasks: their scores on the compared examples, in points.

    Attributes:
        margin: the loss in points up to which the second is as good as the first; `None` where that is not asked.
        corrected: the p-value corrected for the number of tasks and of systems that are compared with the first, of a
            task with a margin of its own and of the mean for that of systems alone. It then decides; `None` where there
            is nothing to correct for.
        corrected_for: what it is corrected for, in words.
        randomization: the p-value of paired approximate randomisation; `None` unless asked for, or without an interval.
        total: the number of examples, of which more than those compared may be answered by one system alone.
    """

    scores: tuple[float, float]
    comparison: PairedComparison
    margin: float | None = None
    corrected: float | None = None
    corrected_for: str = ""
    randomization: float | None = None
    total: int = 0

    @property
    def kind(self) -> str:
        """The verdict about the second: `identical`, `better`, `as good`, `worse`, `undecided`, also if `partial`."""
        return "undecided" if self.partial else self.comparison.verdict(self.margin, self.corrected)

    @property
    def partial(self) -> bool:
        """Whether examples are left out, so that there is no verdict of the whole."""
        return self.comparison.examples < self.total


class AskedAgain(NamedTuple):
    """A system whose rows without ids answer `questions` of `asked` more than once, not all of which are compared.

    `side` is 0 for the first system and 1 for the second; `score` is over all its `rows`.
    """

    side: int
    questions: int
    asked: int
    rows: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskOutcome(Outcome):
    """Two systems on one task.

    Attributes:
        only_first, only_second: the ids that only one of the two answered; they are left out.
        examples: the compared examples, sorted by difference, the largest losses first.
        identical: how many compared answers are the same text.
        unequal: the ids of questions that rows without ids answer more often in one system; they are left out.
        again: the systems that answer questions more than once, where not all of these rows are compared.
    """

    task: Task
    only_first: list[str] = field(repr=False)
    only_second: list[str] = field(repr=False)
    examples: list[ExampleDifference] = field(repr=False)
    identical: int
    unequal: Sequence[str] = ()
    again: Sequence[AskedAgain] = ()

    @property
    def lost(self) -> list[str]:
        """The ids of answers that score over `CHANGED` points less in the second system."""
        return [row.first.id for row in self.examples if row.difference < -CHANGED]

    @property
    def gained(self) -> list[str]:
        """The ids of answers that score over `CHANGED` points more in the second."""
        return [row.first.id for row in reversed(self.examples) if row.difference > CHANGED]


AnyOutcome = TypeVar("AnyOutcome", bound=Outcome)


@dataclass(frozen=True, slots=True, repr=False)
class SystemComparison(ShownInNotebooks):
    """The comparison of two systems, given by name.

    Attributes:
        tasks: the tasks that both were scored on, in the benchmark's order.
        mean: the mean over the tasks of the average; `None` if there are none.
        headline: the averages that are the benchmark's score, by title, as far as all of their tasks are compared.
        beside: likewise the other averages that are not hidden.
        not_compared: the other tasks, with the reason.
        differ: the differences between the signatures of the two on the compared tasks, a sentence each.
        without_document: the name of the system whose model was asked without the document, where both are runs of
            one model and the other was asked with it: the differences are then the points that need the document.
        settings: the settings in which the two differ as runs, a phrase each.
        margins: those that were asked for, in points by task, "average" or "mean".
        corrected: the p-values of the tasks, corrected for the number of tasks and of systems (Holm).
        systems: how many systems are compared with the first.
    """

    first: str
    second: str
    tasks: dict[str, TaskOutcome]
    mean: Outcome | None
    not_compared: dict[str, str]
    differ: list[str]
    benchmark: Benchmark
    without_document: str | None
    settings: Sequence[str]
    margins: Mapping[str, float]
    corrected: Mapping[str, float | None]
    headline: Mapping[str, Outcome]
    beside: Mapping[str, Outcome]
    systems: int = 1

    @property
    def averaged(self) -> list[str]:
        """The tasks in the mean."""
        return [name for name in self.benchmark.tasks if name in self.tasks]

    @property
    def whole(self) -> bool:
        """Whether these are all tasks of the benchmark's average."""
        return len(self.averaged) == len(self.benchmark.tasks)

    def outcome(self, name: str) -> Outcome | None:
        """Return the outcome on a task, on the "mean" of the compared tasks, or on the "average" of all tasks.

        Of several averages in the headline it is the one with the largest loss.
        """
        if name == "average" and self.headline:
            return min(self.headline.values(), key=lambda each: (self.passes(each), each.comparison.difference))
        if name == "average":
            return self.mean if self.whole and not self.benchmark.headline else None
        lacking = any(task in self.benchmark.tasks for task in self.not_compared)
        return self.tasks.get(name) if name != "mean" else None if lacking else self.mean

    def holds(self, name: str) -> bool:
        """Return whether the second system is shown to lose less than the margin of this name."""
        outcome = self.outcome(name)
        return outcome is not None and self.passes(outcome, self.margins[name])

    def passes(self, outcome: Outcome, margin: float | None = None) -> bool:
        """Return whether an outcome is shown to lose less than the margin, by default that of the average."""
        margin = self.margins.get("average", 0.0) if margin is None else margin
        return not outcome.partial and outcome.comparison.passes(margin)


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(ShownInNotebooks):
    """Systems by name, the comparison of the first with each of the others, and whether also by randomisation."""

    systems: Mapping[str, ScoredFile]
    comparisons: list[SystemComparison]
    randomization: bool = False


def corrected(matches: Sequence[SystemComparison]) -> list[SystemComparison]:
    """Return the comparisons of systems with the first, their p-values corrected for the number of tests (Holm).

    The tests of all tasks and systems are one family, but those of a task with a margin of its own, and those of an
    average, are a family of as many tests as there are systems.
    """
    families: dict[tuple[str, str], dict[int, float | None]] = {}
    of_tasks: dict[tuple[int, str], float | None] = {}
    for place, match in enumerate(matches):
        for kind, name, outcome in _kinds(match):
            families.setdefault((kind, name), {})[place] = outcome.comparison.p_value
            if kind == "tasks":
                of_tasks[place, name] = outcome.comparison.p_value
    over_systems, over_all = {key: holm(family) for key, family in families.items()}, holm(of_tasks)
    systems, found = "all systems" * (len(matches) > 1), []
    for place, match in enumerate(matches):
        rows: dict[str, Any] = {"tasks": {}, "mean": {}, "headline": {}, "beside": {}}
        for kind, name, outcome in _kinds(match):
            p, words, family = over_systems[kind, name][place], systems, [*families[kind, name].values()]
            if kind == "tasks" and len(match.tasks) > 1 and name not in match.margins:
                p, words = over_all[place, name], "all tasks and systems" if systems else "all tasks"
                family = [*of_tasks.values()]
            paired = outcome.comparison.of_tests(sum(each is not None for each in family))
            among = replace(outcome, comparison=paired, corrected=p, corrected_for=words) if words else outcome
            rows[kind][name] = among
        rows["mean"] = rows["mean"].get("mean")
        holms = {name: over_all[place, name] for name in rows["tasks"]}
        found.append(replace(match, **rows, corrected=holms, systems=len(matches)))
    return found


def _kinds(match: SystemComparison) -> Iterator[tuple[str, str, Outcome]]:
    """Yield the outcomes on tasks, on the mean and on the averages: kind, name and outcome."""
    yield from (("tasks", name, outcome) for name, outcome in match.tasks.items())
    yield from [("mean", "mean", match.mean)] if match.mean else []
    yield from (("headline", name, outcome) for name, outcome in match.headline.items())
    yield from (("beside", name, outcome) for name, outcome in match.beside.items())


def compare_systems(
    first: tuple[str, ScoredFile],
    second: tuple[str, ScoredFile],
    margins: Mapping[str, float] | None = None,
    *,
    randomization: bool = False,
) -> SystemComparison:
    """Compare two systems, each a name and its scores; margins are points by task, "average" or "mean".

    The margin of the average, else that of the mean, is that of the tasks without one. With `randomization` the
    outcomes have the p-value of that test, too. The p-values are not `corrected` yet.
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
            if randomization:
                tasks[name] = _randomized(tasks[name], {name: pairs[name]})
    mean, averaged = None, {name: pairs[name] for name in a.benchmark.tasks if name in pairs}
    if averaged:
        sides = ([pair.old for pair in averaged.values()], [pair.new for pair in averaged.values()])
        old, new = (fmean(map(score_of, side)) for side in sides)
        total = sum(tasks[name].total for name in averaged)
        mean = Outcome((old, new), compare_on_benchmark(averaged), whole, total=total)
        mean = _randomized(mean, averaged) if randomization else mean
    averages = _averages(a.benchmark, pairs, tasks, whole, randomization=randomization)
    headline = {
        a.benchmark.averages[name].title: averages.pop(name) for name in a.benchmark.headline if name in averages
    }
    closed = without_document(a.run, b.run)
    signatures = [signature for scored in (a, b) if tasks and (signature := scored.signature(*tasks))]
    if closed is not None:  # the form of the prompts is what is compared
        forms = [[word for word in each.parts["run"] if word != CLOSED_BOOK] or [WHOLE] for each in signatures]
        signatures = [
            replace(each, parts={**each.parts, "run": form}) for each, form in zip(signatures, forms, strict=True)
        ]
    # How many rows there are of questions asked again is said by task, with its effect (`AskedAgain`).
    signatures = [replace(each, parts={**each.parts, "rows": ()}) for each in signatures]
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
        corrected={},
        headline=headline,
        beside={a.benchmark.averages[name].title: outcome for name, outcome in averages.items()},
    )


def _averages(
    benchmark: Benchmark,
    pairs: Mapping[str, Pair],
    tasks: Mapping[str, TaskOutcome],
    margin: float | None,
    *,
    randomization: bool,
) -> dict[str, Outcome]:
    """Return the outcomes on the averages that are shown and whose tasks are all compared, by name."""
    outcomes = {}
    for name in (name for name, each in benchmark.averages.items() if name in benchmark.headline or not each.hidden):
        weights = benchmark.weights(name)
        if weights.keys() <= pairs.keys():
            sides = [[weight * tasks[task].scores[side] for task, weight in weights.items()] for side in (0, 1)]
            averaged = {task: pairs[task] for task in weights}
            compared = compare_on_benchmark(averaged, weights)
            total = sum(tasks[task].total for task in weights)
            outcome = Outcome((fsum(sides[0]), fsum(sides[1])), compared, margin, total=total)
            outcome = _randomized(outcome, averaged, weights) if randomization else outcome
            outcomes[name] = outcome
    return outcomes


def _randomized(
    outcome: AnyOutcome, pairs: Mapping[str, Pair], weights: Mapping[str, float] | None = None
) -> AnyOutcome:
    """Return the outcome with the p-value of randomisation, where it has one of its own."""
    if outcome.comparison.p_value is None:
        return outcome
    return replace(outcome, randomization=randomization_p(pairs, weights))


def _why_not_compared(name: str, *systems: tuple[str, ScoredFile]) -> str:
    """Return why a task cannot be compared, as the end of a sentence; empty if it can."""
    lacking = [system for system, scored in systems if name not in scored.tasks]
    reasons = [f"no answers of {' and '.join(lacking)}"] if lacking else []
    for system, scored in systems:
        if name in scored.tasks.keys() - scored.scored.keys():
            errors = [problem.message for problem in scored.problems if problem.is_error and problem.task == name]
            reasons.append(f"refused for {system}" + (f" ({errors[0]})" if errors else ""))
    if not reasons:
        first, second, unequal = as_often(*(scored.tasks[name] for _, scored in systems))
        if not any(map(all, aligned(first, second))):
            return "no example was answered by both" + (", and as often" if unequal else "")
    return "; ".join(reasons)


def as_often(a: ScoredTask, b: ScoredTask) -> tuple[list[Answer], list[Answer], list[str]]:
    """The answers of two systems without those to questions that one of them answers more often, and these's ids.

    Only rows without ids can do so. Of equal answers to one of these questions the first counts.
    """
    if not any(reference.is_of_row for task in (a, b) for reference in task.references.values()):
        return a.answers, b.answers, []
    rows = [_by_identity(task) for task in (a, b)]
    unequal = [name for name in rows[0].keys() & rows[1].keys() if len(rows[0][name]) != len(rows[1][name])]
    for by_name in rows:
        for name in unequal:
            by_name[name] = list({answer.text: answer for answer in reversed(by_name[name])}.values())[::-1]
    unequal = [name for name in rows[0] if name in unequal and len(rows[0][name]) != len(rows[1][name])]
    left_out = {*unequal}
    first, second = ([row for name in each if name not in left_out for row in each[name]] for each in rows)
    return first, second, unequal


def _by_identity(task: ScoredTask) -> dict[str, list[Answer]]:
    by_name: dict[str, list[Answer]] = {}
    for answer in task.answers:
        is_of_row = task.references[answer.id].is_of_row
        by_name.setdefault(base_id(answer.id) if is_of_row else answer.id, []).append(answer)
    return by_name


def _asked_again(side: int, task: ScoredTask, kept: Sequence[Answer]) -> list[AskedAgain]:
    times = Counter(task.question(answer.id) for answer in task.answers)
    questions, rows = sum(count > 1 for count in times.values()), len(task.answers)
    if not questions or len(kept) == rows:
        return []
    return [AskedAgain(side, questions, len(times), rows, task.score or 0.0)]


def _compare_task(
    a: ScoredTask, b: ScoredTask, rouge_aggregation: str, margin: float | None
) -> tuple[TaskOutcome, Pair]:
    """Return the outcome on the examples that both answered, and what was compared."""
    firsts, seconds, unequal = as_often(a, b)
    pairs = aligned(firsts, seconds)
    examples = [ExampleDifference(x, y, y.result.score - x.result.score) for x, y in pairs if x and y]
    old, documents = sample_of([row.first for row in examples], rouge_aggregation)
    new, _ = sample_of([row.second for row in examples], rouge_aggregation)
    identical = sum(row.first.text == row.second.text for row in examples)
    pair = Pair(old, new, documents, identical == len(examples))
    outcome = TaskOutcome(
        scores=(score_of(old), score_of(new)),
        comparison=compare_on_benchmark({"": pair}),
        margin=margin,
        total=a.total + len(examples) - len({a.question(row.first.id) for row in examples}),
        task=a.task,
        unequal=unequal,
        again=[*_asked_again(0, a, firsts), *_asked_again(1, b, seconds)],
        only_first=[x.id for x, y in pairs if x and not y],
        only_second=[y.id for x, y in pairs if y and not x],
        examples=sorted(examples, key=lambda row: row.difference),
        identical=identical,
    )
    return outcome, pair
