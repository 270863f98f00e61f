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
    """Return the scored tasks of a report (`report.as_json`) that are not ranked, each with the reason.

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


@dataclass(frozen=True, slots=True)
class RankedScore:
    """The rank of one score among the published systems of its split.

    Attributes:
        rank: 1 plus the number of systems that are better.
        of: the number of systems, this one included.
        ranks: the best and the worst rank within the interval of the score, if that was given.
        sentences: the rank in words, after a comparison with the naive answers where the score is not above them.
    """

    split: str
    rank: int
    of: int
    ranks: tuple[int, int] | None
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportRanks:
    """The ranks of a report's scores.

    Attributes:
        tasks: the ranks of the tasks that can be ranked, and last of `AVERAGE` if all its tasks can be.
        warnings: the tasks that are not ranked with the reason, and caveats about the others.
        apart: the tasks that are not ranked, by name, each with the reason.
    """

    tasks: Mapping[str, RankedScore]
    warnings: tuple[str, ...]
    apart: Mapping[str, str]


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
    ranked: dict[str, Report | TaskReport] = {
        name: task for name, task in report["tasks"].items() if name not in apart and task["score"] is not None
    }
    splits = {name: report["tasks"][name]["split"] or "" for name in ranked}
    averaged = {splits.get(name) for name in benchmark.tasks if name in report["tasks"]}
    if len(averaged) == 1 and None not in averaged and report["score"] is not None:
        ranked[AVERAGE], splits[AVERAGE] = report, str(*averaged)
    ranks = {}
    for name, data in ranked.items():
        ends = data.get("interval") if splits[name] == "validation" else None
        interval = (ends["low"], ends["high"]) if ends else None
        scored = find_scored(name, benchmark=benchmark)
        ranks[name] = rank(scored, data["score"] or 0.0, split=splits[name], interval=interval)
    return ReportRanks(ranks, tuple(_warnings(report, benchmark, apart)), apart)


def _warnings(report: Report, benchmark: Benchmark, apart: Mapping[str, str]) -> Iterator[str]:
    """Yield the scores that are not ranked, and the caveats for the others."""
    tasks = {name: scored for name, scored in report["tasks"].items() if scored["score"] is not None}
    titles = {name: info(benchmark.all_tasks[name]).title for name in tasks}
    for reason in dict.fromkeys(apart.values()):
        of_reason = [name for name, other in apart.items() if other == reason]
        named = [titles[name] + (f" ({tasks[name]['n']:,})" if reason == FEW else "") for name in of_reason]
        yield f"{reason}: {', '.join(named) if len(named) < 4 else f'{len(named)} tasks'}."
    ranked = {name: scored for name, scored in tasks.items() if name not in apart}
    few = benchmark_info(benchmark).validation_questions
    if few and any(scored["split"] == "validation" for scored in ranked.values()):
        yield (
            f"A task has {few[0]} to {few[1]} questions in the validation split, so that the 95 % interval of its "
            f"score reaches about ±{HALF_WIDTH[0]} to ±{HALF_WIDTH[1]} points: a smaller difference says nothing."
        )
    if short := [titles[name] for name, scored in ranked.items() if scored["n"] < scored["total"]]:
        yield f"Some answers are missing for {', '.join(short)}; published numbers are on all examples."


def rank(
    scored: Scored, score: float, *, split: str = "test", interval: tuple[float, float] | None = None
) -> RankedScore:
    """Return the rank of a score, in points, among the published ones on its split.

    Args:
        interval: the ends of the score's interval, to also get the ranks within it.

    >>> rank(find_task("quality"), 66.7, split="validation", interval=(48.0, 85.0)).ranks
    (9, 30)
    """
    digits, rows = decimals(scored), named_systems(benchmark=benchmark_of(scored), split=split)
    published = {
        name: round(points, digits) for name, row in rows.items() if (points := row.points(scored)) is not None
    }

    def place(points: float) -> int:
        return 1 + sum(other > round(points, digits) for other in published.values())

    position, of, where = place(score), len(published) + 1, "" if split == "test" else f" on the {split} split"
    ranks = (place(interval[1]), place(interval[0])) if interval else None
    if interval and ranks:
        ends = f"{interval[0]:.1f} to {interval[1]:.1f}"
        where += f" (rank {ranks[0]} to {ranks[1]} within its 95 % interval, {ends})"
    beside = marks(scored) if split == "test" else {}
    title = info(scored).title if isinstance(scored, Task) else f"{scored.title} average"
    yours, human, sentences = f"Your {title} {score:.{digits}f}", beside.get("human"), []
    if (naive := beside.get("naive")) is not None and round(score, digits) <= round(naive, digits):
        than = "below" if round(score, digits) < round(naive, digits) else "no better than"
        sentences.append(f"{yours} is {than} {_naive_words(scored)} ({naive:.{digits}f}).")
    if best := max(published, key=published.__getitem__, default=None):
        kind = "" if rows[best].kind == "zero-shot" else f", {rows[best].kind}"
        people = "" if human is None else f"; human: {human:.{digits}f}"
        top = f"the best published is {best}{kind}, {published[best]:.{digits}f}{people}"
        sentences.append(f"{yours} would be rank {position} of {of}{where}; {top}.")
    return RankedScore(split, position, of, ranks, tuple(sentences))


def _naive_words(scored: Scored) -> str:
    if isinstance(scored, Task):
        naive = info(scored).naive
        words = naive.words if naive else None
    else:
        words = benchmark_info(scored).naive_average
    return words or "the paper's naive baseline"
