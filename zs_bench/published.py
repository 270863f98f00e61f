"""The published results as data, and the ranks of a report's scores among them.

Sources: ZeroSCROLLS (arXiv 2305.14196), Tables 3 and 4; the leaderboard's entries of 2023-08-07, which Llama 2 Long
(arXiv 2309.16039) prints; SCROLLS (arXiv 2201.03533), Table 2. `published.json` in a benchmark's folder has the numbers
as printed: points on the test split. Where a table prints ROUGE-1, -2 and -L, as for SCROLLS, the task's points are
their geometric mean, unrounded. An average is the plain mean over all tasks of the benchmark.

A score on a whole split, by the benchmark's definition, is ranked among the published numbers on the same split by the
same definition; any other is shown apart, with the reason. A score is compared after rounding to as many decimals as
the paper prints, and equal numbers share a rank: rank 1 of 11 is better than all ten `systems` of the split.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from zs_bench.benchmarks import DEFAULT, Benchmark, Task, benchmark_of_report, find_benchmark, find_task
from zs_bench.dataset.source import EXAMPLES
from zs_metric.means import fmean
from zs_metric.rouge import geometric_mean

if TYPE_CHECKING:
    from zs_bench.scoring.report_data import Report

#: The name of the mean over the benchmark's tasks, beside the names of the tasks.
AVERAGE = "average"
#: The table with smaller models and shorter inputs than ZeroSCROLLS' main table.
LENGTH_TABLE = "Table 4"

#: What a published number belongs to: a task, or a benchmark for the average over its tasks.
Scored = Task | Benchmark
#: The kinds of rows that are baselines rather than systems.
YARDSTICKS = ("naive", "no document", "human")
OFFICIAL = "official"
#: The display names of the published averages beside a score.
MARKS = {"naive": "naive baseline", "gpt4": "GPT-4 (2023)", "best": "LED with 16,384 tokens", "human": "human"}


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One row of a published table; what the table does not say is `None`.

    Attributes:
        model: the system as in the table, with its method if several rows have the same model.
        kind: `zero-shot`, `fine-tuned`, `retrieval` and so on; for rows that are not systems one of `YARDSTICKS`.
        tokens: the maximum input length.
        scores: task name to points, in the benchmark's order.
        average: as printed, in points, over the number of tasks in `average_over` if they are fewer than all.
        split: `test`, `validation` or `unknown`; `split_from` says how it is known, if the paper is another.
        table: the table in the paper, or `leaderboard`, whose entries have a `date`.
        rouge: task name to the printed ROUGE-1, -2 and -L, if the table prints these.
        metric: `OFFICIAL`, or a description of the metrics; `other_metrics` has it by task.
        half_widths: task name to half the width of the printed 95 % interval, in points.
    """

    benchmark: Benchmark
    model: str
    kind: str
    tokens: int | None
    scores: Mapping[str, float | None]
    average: float | None
    split: str
    year: int
    table: str
    arxiv: str
    date: str | None = None
    rouge: Mapping[str, Sequence[float]] = field(default_factory=dict)
    average_over: int | None = None
    split_from: str = ""
    metric: str = OFFICIAL
    other_metrics: Mapping[str, str] = field(default_factory=dict)
    half_widths: Mapping[str, float] = field(default_factory=dict)
    caveats: Sequence[str] = ()

    @property
    def label(self) -> str:
        """The model with its input length, if known: a model can have several rows."""
        return self.model if self.tokens is None else f"{self.model}, {self.tokens:,} tokens"

    @property
    def source(self) -> str:
        return ", ".join(filter(None, [self.table, self.date, f"arXiv {self.arxiv}"]))

    @property
    def mean(self) -> float | None:
        """The plain mean of the scores on the benchmark's tasks, in points; `None` when one is missing."""
        scores = [self.scores[task] for task in self.benchmark.tasks]
        return None if None in scores else fmean(score or 0.0 for score in scores)

    def points(self, scored: Scored) -> float | None:
        """Return the row's number for a task or, printed or computed, for the average of its benchmark.

        `None` for a number of another definition and for an average over fewer tasks.
        """
        if isinstance(scored, Task):
            return None if scored.name in self.other_metrics else self.scores.get(scored.name)
        if self.average_over is not None:
            return None
        return self.mean if self.average is None else self.average


def load_published(*, benchmark: str | Benchmark = DEFAULT) -> tuple[PublishedRow, ...]:
    """Return all rows of a benchmark, in the order of the tables."""
    return _rows_of(find_benchmark(benchmark))


@lru_cache(64)
def _rows_of(benchmark: Benchmark) -> tuple[PublishedRow, ...]:
    """Return the rows with the points of every task: as printed, or the geometric mean of three printed numbers."""
    path, rows = benchmark.file("published.json"), []
    for row in json.loads(path.read_text(encoding="utf-8")) if path else ():
        rouge, scores = row.get("rouge", {}), row["scores"]
        points = {
            task: geometric_mean(*rouge[task]) if task in rouge else scores.get(task) for task in benchmark.all_tasks
        }
        rows.append(PublishedRow(**{**row, "benchmark": benchmark, "scores": points}))
    return tuple(rows)


def find_scored(name: str, *, benchmark: str | Benchmark = DEFAULT) -> Scored:
    """Return the task of that name, or for `AVERAGE` the benchmark."""
    return find_benchmark(benchmark) if name == AVERAGE else find_task(name, benchmark=benchmark)


def benchmark_of(scored: Scored) -> Benchmark:
    return scored.benchmark if isinstance(scored, Task) else scored


def marks(scored: Scored) -> dict[str, float | None]:
    """Return the published scores to compare a score with, in points; `None` if the paper has no number."""
    benchmark = benchmark_of(scored)
    rows = {row.label: row for row in load_published(benchmark=benchmark)}
    return {key: rows[label].points(scored) for key, label in benchmark.marks.items()}


class Beside(NamedTuple):
    """The published averages beside the score of a task, in points by the keys of `MARKS`; none beside too few answers.

    `apart` says in words what they do not share with the score besides the systems, "" where that is nothing.
    """

    points: Mapping[str, float]
    apart: str = ""


def published_beside(task: Task, *, answered: int, split: str | None, aggregation: str = "corpus") -> Beside:
    """Return what every report shows of published averages, which are over all of the test split, beside a score.

    There is nothing beside the examples of the package, and beside fewer answers than the published split has.
    """
    if split == EXAMPLES or answered < fewest_examples(task, split):
        return Beside({})
    apart = "" if split == "test" else "other questions than these"
    if split is None:
        apart = "perhaps other questions than these, whose split is not known"
    elif not apart and task.metric.by_types and aggregation != "corpus":
        apart = "by the aggregation “corpus”"
    return Beside({kind: points for kind, points in marks(task).items() if points is not None}, apart)


def systems(*, benchmark: str | Benchmark = DEFAULT, split: str = "test") -> tuple[PublishedRow, ...]:
    """Return the systems among which a score on the split is ranked.

    ZeroSCROLLS' Table 4 repeats models of its Table 3, smaller or with shorter inputs, and is left out. In the table of
    SCROLLS, models are fine-tuned separately for each input length, so each row is a system.
    """
    rows = (row for row in load_published(benchmark=benchmark) if row.split == split)
    return tuple(row for row in rows if row.kind not in YARDSTICKS and row.table != LENGTH_TABLE)


def named_systems(*, benchmark: str | Benchmark = DEFAULT, split: str = "test") -> dict[str, PublishedRow]:
    """Return the systems by their shortest unique name: the model, with input length and paper if needed."""
    rows = systems(benchmark=benchmark, split=split)
    models, labels = Counter(row.model for row in rows), Counter(row.label for row in rows)

    def name(row: PublishedRow) -> str:
        if models[row.model] == 1:
            return row.model
        return row.label if labels[row.label] == 1 else f"{row.label}, arXiv {row.arxiv}"

    return {name(row): row for row in rows}


def by_input_length(*, benchmark: str | Benchmark = DEFAULT) -> dict[str, list[PublishedRow]]:
    """Return the models with test scores at several input lengths, shortest first, by name without version."""
    groups: dict[str, list[PublishedRow]] = {}
    for row in sorted(load_published(benchmark=benchmark), key=lambda row: row.tokens or 0):
        if row.tokens is not None and row.split == "test":
            groups.setdefault(row.model.partition(" (")[0], []).append(row)
    return {model: rows for model, rows in groups.items() if len({row.tokens for row in rows}) > 1}


FEW = "Not ranked, because these tasks have fewer examples than the published split"


class RankedScore(NamedTuple):
    """The rank of one score among the published systems of its split, itself included: `rank` of `systems`.

    `sentences` say it, with the ranks within the interval of the score if that is known, after a comparison with the
    naive answers where the score is not above them.
    """

    split: str
    rank: int
    systems: int
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


def why_not_ranked(report: "Report", benchmark: Benchmark) -> dict[str, str]:
    """Return the scored tasks of a report (`report.as_json`) that are not ranked, each with the reason."""
    is_corpus = report.get("rouge_aggregation") in (None, "corpus")
    reasons = {}
    for name, scored in report["tasks"].items():
        task, split = benchmark.all_tasks[name], scored["split"]
        if scored["score"] is None:
            continue
        if split == EXAMPLES:
            reasons[name] = "Not ranked, because the examples were written for this package"
        elif scored["n"] < fewest_examples(task, split):
            reasons[name] = FEW
        elif split is None:
            reasons[name] = "Not ranked, because the references do not say which split they are"
        elif split not in ("test", "validation") or not systems(benchmark=benchmark, split=split):
            reasons[name] = f"Not ranked, because no system was published on the {split} split"
        elif task.metric.by_types and not is_corpus:
            reasons[name] = "Not ranked, because published ROUGE numbers use the aggregation “corpus”"
    return reasons


def fewest_examples(task: Task, split: str | None) -> int:
    """Return the number of examples of a split of the task; of the smallest published one if it is not known."""
    size = task.size
    count = size.of_split(split) if split else None
    if count is not None:
        return count
    questions = task.benchmark.validation_questions
    validation = questions[0] if questions else size.validation
    return min((n for n in (validation, size.test) if n is not None), default=0)


def rank_report(report: "Report") -> ReportRanks:
    """Return the ranks of the scores of a report (`report.as_json`) among the published ones of its benchmark."""
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


def _warnings(report: "Report", benchmark: Benchmark, apart: Mapping[str, str]) -> Iterator[str]:
    """Yield the scores that are not ranked, and the caveats for the others."""
    tasks = {name: scored for name, scored in report["tasks"].items() if scored["score"] is not None}
    titles = {name: benchmark.all_tasks[name].title for name in tasks}
    for reason in dict.fromkeys(apart.values()):
        names = [name for name, other in apart.items() if other == reason]
        named = [titles[name] + (f" ({tasks[name]['n']:,})" if reason == FEW else "") for name in names]
        yield f"{reason}: {', '.join(named) if len(named) < 4 else f'{len(named)} tasks'}."
    ranked = {name: scored for name, scored in tasks.items() if name not in apart}
    few = benchmark.validation_questions
    of_few = [scored.get("interval") for scored in ranked.values() if scored["split"] == "validation"]
    if few and of_few:
        widths = sorted(ends["high"] - ends["low"] for ends in of_few if ends)
        wide = f": the 95 % intervals of yours are {widths[0]:.1f} to {widths[-1]:.1f} points wide" if widths else ""
        yield (
            f"A task has {few[0]} to {few[1]} questions in the validation split{wide}, and published scores are of as "
            "few questions."
        )
    if short := [titles[name] for name, scored in ranked.items() if scored["n"] < scored["total"]]:
        yield f"Some answers are missing for {', '.join(short)}; published numbers are on all examples."


def rank(
    scored: Scored, score: float, *, split: str = "test", interval: tuple[float, float] | None = None
) -> RankedScore:
    """Return the rank of a score among the published ones on its split, also of the ends of its interval."""
    rows, beside = named_systems(benchmark=benchmark_of(scored), split=split), marks(scored) if split == "test" else {}
    if isinstance(scored, Task):
        title, digits, words = scored.title, 1, scored.naive.words if scored.naive else None
    else:
        title, digits, words = f"{scored.title} average", scored.average_decimals, scored.naive_average
    naive_words = words or "the paper's naive baseline"
    numbers = {name: row.points(scored) for name, row in rows.items()}
    published = {name: round(points, digits) for name, points in numbers.items() if points is not None}

    def place(points: float) -> int:
        return 1 + sum(other > round(points, digits) for other in published.values())

    where = f"rank {place(score)} of {len(published) + 1}" + ("" if split == "test" else f" on the {split} split")
    if interval:
        low, high = interval
        where += f" (rank {place(high)} to {place(low)} within its 95 % interval, {low:.1f} to {high:.1f})"
    naive, human, sentences = beside.get("naive"), beside.get("human"), []
    if naive is not None and round(score, digits) <= round(naive, digits):
        than = "below" if round(score, digits) < round(naive, digits) else "no better than"
        sentences.append(f"is {than} {naive_words} ({naive:.{digits}f}).")
    if best := max(published, key=published.__getitem__, default=None):
        kind = "" if rows[best].kind == "zero-shot" else f", {rows[best].kind}"
        people = "" if human is None else f"; human: {human:.{digits}f}"
        sentences.append(f"would be {where}; the best published is {best}{kind}, {published[best]:.{digits}f}{people}.")
    said = tuple(f"Your {title} {score:.{digits}f} {sentence}" for sentence in sentences)
    return RankedScore(split, place(score), len(published) + 1, said)
