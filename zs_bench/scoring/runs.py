"""Several runs of one system, such as three seeds, as one scored file.

An answer's points are the mean over its runs, and a score is the mean of the runs' scores, for ROUGE too. Examples stay
the units of the statistics, each with all its runs, so that intervals hold the noise of single answers.
Differences between whole runs they do not hold: no interval can, with three runs. `Spread` is what is seen between the
runs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from math import fsum
from statistics import fmean, stdev
from typing import Any

from zs_bench.answers import Answer, AveragedResult
from zs_bench.errors import UnusableInput
from zs_bench.patterns import Pattern
from zs_bench.problems import Problem, counted, short
from zs_bench.scoring.scored import PostProcessed, ScoredFile, ScoredTask, averages_over, sample_of
from zs_bench.statistics.intervals import interval
from zs_metric.scoring import aggregate, result_of

#: The kind of the problem of a task that some runs have not answered, or with other ids.
KIND = "runs-differ"
# With fewer runs there is no standard deviation.
_FEWEST = 3


@dataclass(frozen=True, slots=True)
class Spread:
    """What differs between runs: the `scores` in points, their standard deviation, and examples that score differently.

    The `deviation` is `None` for fewer than three runs. `differing` of the `examples` have not the same points in all.
    """

    scores: Sequence[float]
    examples: int
    differing: int

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the scores, of n - 1 degrees of freedom."""
        return stdev(self.scores) if len(self.scores) >= _FEWEST else None

    @property
    def share(self) -> float:
        """The share of the examples that score differently, 0 to 1."""
        return self.differing / self.examples


@dataclass(frozen=True)
class AveragedTask(ScoredTask):
    """A task of several runs: its `answers` have an `AveragedResult` and the texts of all runs.

    Attributes:
        runs: the answers of each run, by its name, to the same examples in the same order.
        scores: the score of each run on these, in points.
    """

    runs: Mapping[str, Sequence[Answer]] = field(default_factory=dict, repr=False)
    scores: Sequence[float] = ()

    @property
    def spread(self) -> Spread:
        """What differs between the runs of a task that was not refused."""
        return Spread(self.scores, len(self.answers), sum(_differs(answer) for answer in self.answers))

    @property
    def answers_of_runs(self) -> list[Answer]:
        """The answers of all runs."""
        return [answer for run in self.runs.values() for answer in run]

    @property
    def patterns(self) -> list[Pattern]:
        """None: what goes wrong in several answers is found in one run."""
        return []


def _differs(answer: Answer) -> bool:
    return isinstance(answer.result, AveragedResult) and answer.result.differs


def averaged_tasks(scored: ScoredFile) -> dict[str, AveragedTask]:
    """Return the scored tasks of several runs; none of a file that is one run."""
    return {name: task for name, task in scored.scored.items() if isinstance(task, AveragedTask)}


def spread_of(scored: ScoredFile, weights: Mapping[str, float] | None = None) -> Spread | None:
    """Return what differs between the runs in an average of tasks, by default the mean over those of the average.

    It is `None` for one run, and where a task is not scored.
    """
    tasks = averaged_tasks(scored)
    names = weights or {name: 1.0 for name, task in tasks.items() if task.task.averaged}
    if not names or not names.keys() <= tasks.keys():
        return None
    total, rows = fsum(names.values()), [tasks[name].spread for name in names]
    shares = [weight / total for weight in names.values()]
    by_run = zip(*(row.scores for row in rows), strict=True)
    scores = [fsum(share * score for share, score in zip(shares, run, strict=True)) for run in by_run]
    return Spread(scores, sum(row.examples for row in rows), sum(row.differing for row in rows))


def average_runs(runs: Mapping[str, ScoredFile], *, partial: bool = False) -> ScoredFile:
    """Return several runs of one system, by name and scored against the same references, as one scored file.

    A task is refused where a run of it is, and unless `partial` where runs have other ids; then the examples that all
    runs answered count. One run alone is returned as it is. Raises `UnusableInput` for no runs.
    """
    if not runs:
        raise UnusableInput("there are no runs; give their files")
    first = next(iter(runs.values()))
    if len(runs) == 1:
        return first
    tasks, problems = dict[str, ScoredTask](), _problems(runs)
    for name in first.benchmark.all_tasks:
        if any(name in scored.tasks for scored in runs.values()):
            tasks[name], found = _task(name, runs, partial=partial)
            problems += found
    result, ends = averages_over(tasks, first.benchmark)
    return replace(
        first,
        tasks=tasks,
        result=result,
        interval=ends,
        problems=sorted(problems, key=lambda problem: not problem.is_error),
        partial=partial,
        files=[file for scored in runs.values() for file in scored.files],
        processed=_processed([scored.processed for scored in runs.values() if scored.processed]),
        unanswered=[name for name in first.unanswered if name not in tasks],
        runs=dict(runs),
    )


def _problems(runs: Mapping[str, ScoredFile]) -> list[Problem]:
    """The problems of all runs, those of some with the names of these."""
    having: dict[tuple[object, ...], list[str]] = {}
    each: dict[tuple[object, ...], Problem] = {}
    for run, scored in runs.items():
        for problem in scored.problems:
            key = (problem.kind, problem.message, problem.task, problem.id, problem.place, problem.detail)
            each.setdefault(key, problem)
            having.setdefault(key, []).extend([run] * (run not in having.get(key, ())))
    return [
        problem
        if len(having[key]) == len(runs)
        else replace(problem, message=f"{', '.join(map(short, having[key]))}: {problem.message}")
        for key, problem in each.items()
    ]


def _processed(each: Sequence[PostProcessed]) -> PostProcessed | None:
    """The effect of post-processing on all runs."""
    if not each:
        return None
    names = dict.fromkeys(name for one in each for name in one.before)
    before = {name: [one.before.get(name) for one in each] for name in names}
    means = {name: _mean(scores) for name, scores in before.items()}
    return PostProcessed(means, sum(one.changed for one in each))


def _mean(scores: Sequence[float | None]) -> float | None:
    """The mean, `None` where one is lacking."""
    known = [score for score in scores if score is not None]
    return fmean(known) if len(known) == len(scores) else None


def _task(name: str, runs: Mapping[str, ScoredFile], *, partial: bool) -> tuple[ScoredTask, list[Problem]]:
    """The task of all runs, and the problems of runs that do not answer the same examples."""
    having = {run: scored.tasks[name] for run, scored in runs.items() if name in scored.tasks}
    first, lacking = next(iter(having.values())), [short(run) for run in runs if run not in having]
    if lacking:
        has = "has" if len(lacking) == 1 else "have"
        other = f"{', '.join(lacking)} {has} no answers to this task, and other runs have. Name those to score: --only"
        return _refused(having), [Problem(KIND, other, name)]
    if any(task.result is None for task in having.values()):
        return _refused(having), []
    by_id = {run: {answer.id: answer for answer in task.answers} for run, task in having.items()}
    common = [id_ for id_ in by_id[next(iter(by_id))] if all(id_ in answers for answers in by_id.values())]
    problems = _unequal(name, by_id, common, partial=partial)
    if any(problem.is_error for problem in problems):
        return _refused(having), problems
    answers = {run: [replace(own[id_], run=run) for id_ in common] for run, own in by_id.items()}
    return _averaged(first, having, answers), problems


def _unequal(
    name: str, by_id: Mapping[str, Mapping[str, Answer]], common: Sequence[str], *, partial: bool
) -> list[Problem]:
    ids = dict.fromkeys(id_ for answers in by_id.values() for id_ in answers)
    if len(common) == len(ids):
        return []
    if not common:
        return [Problem(KIND, "No example was answered in every run. Are these runs of one system?", name)]
    lacking = {run: [id_ for id_ in ids if id_ not in own] for run, own in by_id.items()}
    examples = "; ".join(f"{short(run)} lacks {short(lacks[0])}" for run, lacks in lacking.items() if lacks)
    count = len(ids) - len(common)
    some = f"{counted(count, 'example')} {'is' if count == 1 else 'are'} not answered in every run ({examples})"
    if partial:
        return [Problem(KIND, f"{some}; the others are scored", name, is_error=False)]
    return [Problem(KIND, f"{some}. Complete the runs, or score what all answered: --partial", name)]


def _refused(having: Mapping[str, ScoredTask]) -> ScoredTask:
    """The task of the first run that was refused, or else of the first, without a result."""
    task = next((task for task in having.values() if task.result is None), next(iter(having.values())))
    return replace(task, result=None, answers=[], interval=None, stops={})


def _averaged(
    first: ScoredTask, having: Mapping[str, ScoredTask], runs: Mapping[str, Sequence[Answer]]
) -> AveragedTask:
    task, aggregation = first.task, first.rouge_aggregation
    rows = [*zip(*runs.values(), strict=True)]
    answers = [
        replace(row[0], text=_texts([own.text for own in row]), result=AveragedResult.of([own.result for own in row]))
        for row in rows
    ]
    found = [aggregate(task.metric, [answer.result for answer in answers_], aggregation) for answers_ in runs.values()]
    scores = [score for score, _ in found]
    values = {key: fmean(each[key] for _, each in found) for key in found[0][1]}
    values["mean_prediction_length_characters"] = fmean(len(answer.text) for row in rows for answer in row)
    result = result_of(
        *(task.metric, fmean(scores), values, [answer.result for answer in answers]),
        score_key=task.benchmark.score_key,
        averaged=task.averaged,
    )
    answered = {first.question(answer.id) for answer in answers}
    kept: dict[str, Any] = {each.name: getattr(first, each.name) for each in fields(ScoredTask)}
    kept |= {
        "result": result,
        "answers": answers,
        "answered": len(answered),
        "missing": [id_ for id_ in dict.fromkeys(map(first.question, first.references)) if id_ not in answered],
        "unknown": list(dict.fromkeys(id_ for each in having.values() for id_ in each.unknown)),
        "interval": interval(*sample_of(answers, aggregation)),
        "stops": {},  # warnings of the runs
    }
    return AveragedTask(**kept, runs=runs, scores=scores)


def _texts(texts: Sequence[str]) -> str:
    """The texts of the runs as one: what all have, or each with its number."""
    if len({*texts}) == 1:
        return texts[0]
    return "\n".join(f"Run {number}: {text}" for number, text in enumerate(texts, start=1))
