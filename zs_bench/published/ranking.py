"""The ranks of a report's scores among the published ones, with caveats, and the scores that cannot be ranked.

A score on a whole split, by the benchmark's definition, is ranked among the published numbers on the same split by the
same definition; any other is shown apart, with the reason. A score is compared after rounding to as many decimals as
the paper prints, and equal numbers share a rank: rank 1 of 11 is better than all ten `rows.systems` of the split.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from zs_bench.benchmarks import Benchmark, Task, benchmark_of_report, find_task
from zs_bench.published.rows import AVERAGE, Scored, benchmark_of, find_scored, marks, named_systems, systems
from zs_bench.scoring.report_data import Report
from zs_metric.tasks import ROUGE

#: Half the width of the 95 % interval of a score on so few questions, in points: roughly the narrowest and the widest.
HALF_WIDTH = (3, 20)
FEW = "Not ranked, because these tasks have fewer examples than the published split"


class RankedScore(NamedTuple):
    """The rank of one score among the published systems of its split, itself included: `rank` of `systems`.

    `ranks` are the best and the worst within the interval of the score, if that is known; `sentences` say it all, after
    a comparison with the naive answers where the score is not above them.
    """

    split: str
    rank: int
    systems: int
    ranks: tuple[int, int] | None
    sentences: tuple[str, ...]


class ReportRanks(NamedTuple):
    """The ranks of a report's scores.

    Attributes:
        tasks: the ranks of the tasks that can be ranked, and last of `AVERAGE` if all its tasks can be.
        warnings: the tasks that are not ranked with the reason, and caveats about the others.
        apart: the tasks that are not ranked, by name, each with the reason.
    """

    tasks: Mapping[str, RankedScore]
    warnings: tuple[str, ...]
    apart: Mapping[str, str]


def why_not_ranked(report: Report, benchmark: Benchmark) -> dict[str, str]:
    """Return the scored tasks of a report (`report.as_json`) that are not ranked, each with the reason.

    >>> from zs_bench.benchmarks import find_benchmark
    >>> task = {"score": 50.0, "split": "validation", "n": 2}
    >>> why_not_ranked({"tasks": {"qasper": task}}, benchmark_of_report({}))
    {'qasper': 'Not ranked, because these tasks have fewer examples than the published split'}
    """
    is_corpus = report.get("rouge_aggregation", "corpus") == "corpus"
    reasons = {}
    for name, scored in report["tasks"].items():
        task, split = benchmark.all_tasks[name], scored["split"]
        if scored["score"] is None:
            continue
        if scored["n"] < fewest_examples(task, split):
            reasons[name] = FEW
        elif split is None:
            reasons[name] = "Not ranked, because the references do not say which split they are"
        elif split not in ("test", "validation") or not systems(benchmark=benchmark, split=split):
            reasons[name] = f"Not ranked, because no system was published on the {split} split"
        elif task.metric is ROUGE and not is_corpus:
            reasons[name] = "Not ranked, because published ROUGE numbers use the aggregation “corpus”"
    return reasons


def fewest_examples(task: Task, split: str | None) -> int:
    """Return the number of examples of a split of the task; of the smallest published split if the split is not known.

    >>> fewest_examples(find_task("qasper"), "test"), fewest_examples(find_task("qasper"), None)
    (500, 10)
    """
    size = task.size
    count = size.of_split(split) if split else None
    if count is not None:
        return count
    questions = task.benchmark.validation_questions
    validation = questions[0] if questions else size.validation
    return min((n for n in (validation, size.test) if n is not None), default=0)


def rank_report(report: Report) -> ReportRanks:
    """Return the ranks of the scores of a report (`report.as_json`) among the published ones of its benchmark.

    >>> report = {"score": None, "tasks": {"space_digest": {"score": 41.2, "split": "test", "n": 500, "total": 500}}}
    >>> rank_report(report).tasks["space_digest"].sentences[0]
    'Your SpaceDigest 41.2 is below always answering 50% (45.0).'
    """
    benchmark, tasks = benchmark_of_report(report), report["tasks"]
    for name in tasks:
        find_task(name, benchmark=benchmark)
    apart = why_not_ranked(report, benchmark)
    splits = {name: row["split"] or "" for name, row in tasks.items() if name not in apart and row["score"] is not None}
    averaged = {splits.get(name) for name in benchmark.tasks if name in tasks}
    if len(averaged) == 1 and None not in averaged and report["score"] is not None:
        splits[AVERAGE] = str(*averaged)
    ranks = {}
    for name, split in splits.items():
        data = report if name == AVERAGE else tasks[name]
        ends = data.get("interval") if split == "validation" else None
        interval = (ends["low"], ends["high"]) if ends else None
        ranks[name] = rank(find_scored(name, benchmark=benchmark), data["score"] or 0.0, split=split, interval=interval)
    return ReportRanks(ranks, tuple(_warnings(report, benchmark, apart)), apart)


def _warnings(report: Report, benchmark: Benchmark, apart: Mapping[str, str]) -> Iterator[str]:
    """Yield the scores that are not ranked, and the caveats for the others."""
    tasks = {name: scored for name, scored in report["tasks"].items() if scored["score"] is not None}
    titles = {name: benchmark.all_tasks[name].title for name in tasks}
    for reason in dict.fromkeys(apart.values()):
        names = [name for name, other in apart.items() if other == reason]
        named = [titles[name] + (f" ({tasks[name]['n']:,})" if reason == FEW else "") for name in names]
        yield f"{reason}: {', '.join(named) if len(named) < 4 else f'{len(named)} tasks'}."
    ranked = {name: scored for name, scored in tasks.items() if name not in apart}
    few = benchmark.validation_questions
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
    """Return the rank of a score, in points, among the published ones on its split, also of the ends of its interval.

    >>> rank(find_task("quality"), 66.7, split="validation", interval=(48.0, 85.0)).ranks
    (9, 30)
    """
    rows, beside = named_systems(benchmark=benchmark_of(scored), split=split), marks(scored) if split == "test" else {}
    if isinstance(scored, Task):
        title, digits, naive_row = scored.title, 1, scored.naive
        naive_words = naive_row and naive_row.words
    else:
        about = scored
        title, digits, naive_words = f"{scored.title} average", about.average_decimals, about.naive_average
    naive_words = naive_words or "the paper's naive baseline"
    numbers = {name: row.points(scored) for name, row in rows.items()}
    published = {name: round(points, digits) for name, points in numbers.items() if points is not None}

    def place(points: float) -> int:
        return 1 + sum(other > round(points, digits) for other in published.values())

    where = f"rank {place(score)} of {len(published) + 1}" + ("" if split == "test" else f" on the {split} split")
    ranks = (place(interval[1]), place(interval[0])) if interval else None
    if interval and ranks:
        ends = f"{interval[0]:.1f} to {interval[1]:.1f}"
        where += f" (rank {ranks[0]} to {ranks[1]} within its 95 % interval, {ends})"
    naive, human, sentences = beside.get("naive"), beside.get("human"), []
    if naive is not None and round(score, digits) <= round(naive, digits):
        than = "below" if round(score, digits) < round(naive, digits) else "no better than"
        sentences.append(f"is {than} {naive_words} ({naive:.{digits}f}).")
    if best := max(published, key=published.__getitem__, default=None):
        kind = "" if rows[best].kind == "zero-shot" else f", {rows[best].kind}"
        people = "" if human is None else f"; human: {human:.{digits}f}"
        sentences.append(f"would be {where}; the best published is {best}{kind}, {published[best]:.{digits}f}{people}.")
    yours = f"Your {title} {score:.{digits}f}"
    said = tuple(f"{yours} {sentence}" for sentence in sentences)
    return RankedScore(split, place(score), len(published) + 1, ranks, said)
