"""The ranks of a report's scores among the published ones, with caveats, and the scores that cannot be ranked.

A score on a whole split, by the benchmark's definition, is ranked among the published numbers on the same split by the
same definition. Any other score is shown separately, with the reason.

A score is compared after rounding to as many decimals as the paper prints (`rows.decimals`), and equal numbers share a
rank. The ranks are among the `rows.systems` of the report's benchmark and split, including the report's own system:
rank 1 of 11 is better than all ten.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from zs_bench.published.rows import AVERAGE, Scored, benchmark_of, decimals, find_scored, marks, named_systems, systems
from zs_bench.scoring.report_data import Report, TaskReport
from zs_bench.tasks import benchmark_info, info
from zs_metric.tasks import ROUGE, Benchmark, Task, find_benchmark, find_task

#: Half the width of the 95 % interval of a score on so few questions, in points: roughly the narrowest and the widest.
HALF_WIDTH = (3, 20)
FEW = "Not ranked, because these tasks have fewer examples than the published split"


def why_not_ranked(report: Report, benchmark: Benchmark) -> dict[str, str]:
    """Return the scored tasks of a report that are not ranked, each with the reason: the beginning of a sentence.

    Args:
        report: as `zs_bench.reports.report.as_json` returns it.

    >>> task = {"score": 50.0, "split": "validation", "n": 2}
    >>> why_not_ranked({"tasks": {"qasper": task}}, find_benchmark("zero_scrolls"))
    {'qasper': 'Not ranked, because these tasks have fewer examples than the published split'}
    """
    ranked_splits = {split for split in ("test", "validation") if systems(benchmark=benchmark, split=split)}
    official = report.get("rouge_aggregation", "corpus") == "corpus"
    reasons = {}
    for name, scored in report["tasks"].items():
        task = benchmark.all_tasks[name]
        if scored["score"] is None:
            continue
        if scored["n"] < fewest_examples(task, scored["split"]):
            reasons[name] = FEW
        elif scored["split"] is None:
            reasons[name] = "Not ranked, because the references do not say which split they are"
        elif scored["split"] not in ranked_splits:
            reasons[name] = f"Not ranked, because no system was published on the {scored['split']} split"
        elif task.metric is ROUGE and not official:
            reasons[name] = "Not ranked, because published ROUGE numbers use the aggregation “corpus”"
    return reasons


def fewest_examples(task: Task, split: str | None) -> int:
    """Return the number of examples of a split of the task; of the smallest published split if the split is not known.

    >>> fewest_examples(find_task("qasper"), "test"), fewest_examples(find_task("qasper"), None)
    (500, 10)
    """
    size = info(task).size
    count = size.of_split(split) if split else None
    if count is not None:
        return count
    questions = benchmark_info(task.benchmark).validation_questions
    validation = questions[0] if questions else size.validation
    return min((n for n in (validation, size.test) if n is not None), default=0)


def warnings(report: Report, benchmark: Benchmark) -> Iterator[str]:
    """Yield the scores of a report that are not ranked, and the caveats for the others, in sentences."""
    tasks = {name: scored for name, scored in report["tasks"].items() if scored["score"] is not None}
    titles = {name: info(benchmark.all_tasks[name]).title for name in tasks}
    reasons = why_not_ranked(report, benchmark)
    for reason in dict.fromkeys(reasons.values()):
        of_reason = [name for name, other in reasons.items() if other == reason]
        named = (titles[name] + (f" ({tasks[name]['n']:,})" if reason == FEW else "") for name in of_reason)
        yield f"{reason}: {', '.join(named)}."
    ranked = {name: scored for name, scored in tasks.items() if name not in reasons}
    few = benchmark_info(benchmark).validation_questions
    if few and any(scored["split"] == "validation" for scored in ranked.values()):
        yield (
            f"A task has {few[0]} to {few[1]} questions in the validation split, so that the 95 % interval of its "
            f"score reaches about ±{HALF_WIDTH[0]} to ±{HALF_WIDTH[1]} points: a smaller difference says nothing."
        )
    if short := [titles[name] for name, scored in ranked.items() if scored["n"] < scored["total"]]:
        yield f"Some answers are missing for {', '.join(short)}; published numbers are on all examples."


@dataclass(frozen=True, slots=True)
class RankedScore:
    """The rank of one score.

    Attributes:
        scored: the task, or the benchmark for its average.
        score: points, as in the report.
        rank: 1 plus the number of published systems that are better.
        of: the number of ranked systems, this one included.
        best: the best published system, by its name in `named_systems`; `None` if there are no published scores.
        split: the split of the score and of the systems.
        interval: the ends of the score's 95 % interval, in points, on a small split.
        ranks: the best and the worst rank within the interval.
    """

    scored: Scored
    score: float
    rank: int
    of: int
    best: str | None
    split: str = "test"
    interval: tuple[float, float] | None = None
    ranks: tuple[int, int] | None = None

    @property
    def shown(self) -> float:
        """The score, rounded like the published ones."""
        return _rounded(self.score, self.scored)

    @property
    def marks(self) -> dict[str, float | None]:
        """The published numbers on the test split to compare it with, in points, rounded as in the tables."""
        published = marks(self.scored).items() if self.split == "test" else ()
        return {key: None if points is None else _rounded(points, self.scored) for key, points in published}

    @property
    def sentences(self) -> tuple[str, ...]:
        """The rank as sentences."""
        scored, published, digits = self.scored, self.marks, decimals(self.scored)
        title = info(scored).title if isinstance(scored, Task) else f"{scored.title} average"
        yours = f"Your {title} {self.shown:.{digits}f}"
        naive, human = published.get("naive"), published.get("human")
        sentences = []
        if naive is not None and self.shown <= naive:
            than = "below" if self.shown < naive else "no better than"
            sentences.append(f"{yours} is {than} {_naive_words(scored)} ({naive:.{digits}f}).")
        if self.best is not None:
            best = named_systems(benchmark=benchmark_of(scored), split=self.split)[self.best]
            kind = "" if best.kind == "zero-shot" else f", {best.kind}"
            people = "" if human is None else f"; human: {human:.{digits}f}"
            top = f"the best published is {self.best}{kind}, {best.points(scored):.{digits}f}"
            sentences.append(f"{yours} would be rank {self.rank} of {self.of}{self._where()}; {top}{people}.")
        return tuple(sentences)

    def _where(self) -> str:
        """Return the split, unless it is test, and the ranks within the interval."""
        split = "" if self.split == "test" else f" on the {self.split} split"
        if self.interval is None or self.ranks is None:
            return split
        (low, high), (first, last) = self.interval, self.ranks
        return f"{split} (rank {first} to {last} within its 95 % interval, {low:.1f} to {high:.1f})"


@dataclass(frozen=True, slots=True)
class ReportRanks:
    """The ranks of a report's scores.

    Attributes:
        tasks: the ranks of the tasks that can be ranked, and last of `AVERAGE` if all its tasks can be.
        warnings: the tasks that are not ranked with the reason, and caveats about the others.
    """

    tasks: Mapping[str, RankedScore]
    warnings: tuple[str, ...]


def rank_report(report: Report) -> ReportRanks:
    """Return the ranks of the scores of a report (`report.as_json`) among the published ones of its benchmark.

    >>> report = {"score": None, "tasks": {"space_digest": {"score": 41.2, "split": "test", "n": 500, "total": 500}}}
    >>> rank_report(report).tasks["space_digest"].sentences[0]
    'Your SpaceDigest 41.2 is below always answering 50% (45.0).'
    """
    benchmark = find_benchmark(report.get("benchmark", "zero_scrolls"))
    for name in report["tasks"]:
        find_task(name, benchmark=benchmark)
    apart = why_not_ranked(report, benchmark)
    splits = {name: task["split"] for name, task in report["tasks"].items() if name not in apart}
    ranked = {
        name: _rank_of(find_scored(name, benchmark=benchmark), report["tasks"][name], split)
        for name, split in splits.items()
    }
    averaged = {splits[name] for name in benchmark.tasks if name in splits}
    if not set(apart) & set(benchmark.tasks) and len(averaged) == 1:
        ranked[AVERAGE] = _rank_of(benchmark, report, averaged.pop())
    ranks = {name: rank for name, rank in ranked.items() if rank is not None}
    return ReportRanks(ranks, tuple(warnings(report, benchmark)))


def _rank_of(scored: Scored, data: Report | TaskReport, split: str | None) -> RankedScore | None:
    """Return the rank of a task or of the average; on the validation split, with the ranks within its interval."""
    score, interval = data["score"], data.get("interval") if split == "validation" else None
    if score is None or split is None:
        return None
    return rank(scored, score, split=split, interval=(interval["low"], interval["high"]) if interval else None)


def rank(
    scored: Scored, score: float, *, split: str = "test", interval: tuple[float, float] | None = None
) -> RankedScore:
    """Return the rank of a score among the published ones.

    Args:
        score: the score, in points.
        split: the split of the score, on which the published ones must be too.
        interval: the ends of the score's interval, to also get the ranks within it.

    >>> rank(find_task("quality"), 66.7, split="validation", interval=(48.0, 85.0)).ranks
    (9, 30)
    """
    ranked = {
        name: _rounded(points, scored)
        for name, row in named_systems(benchmark=benchmark_of(scored), split=split).items()
        if (points := row.points(scored)) is not None
    }

    def place(points: float) -> int:
        return 1 + sum(other > _rounded(points, scored) for other in ranked.values())

    best = max(ranked, key=ranked.__getitem__, default=None)
    ranks = (place(interval[1]), place(interval[0])) if interval else None
    return RankedScore(scored, score, place(score), len(ranked) + 1, best, split, interval, ranks)


def _rounded(points: float, scored: Scored) -> float:
    return round(points, decimals(scored))


def _naive_words(scored: Scored) -> str:
    if isinstance(scored, Task):
        naive = info(scored).naive
        words = naive.words if naive else None
    else:
        words = benchmark_info(scored).naive_average
    return words or "the paper's naive baseline"
