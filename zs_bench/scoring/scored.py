"""A scored file: its tasks, their scores with intervals, its problems, and its signature.

The signature is everything that must be equal for two scores to be comparable, on one line, in the manner of sacrebleu
(Post 2018, A Call for Clarity in Reporting BLEU Scores, WMT):

    ZS|tasks:all|source:validation|data:sha256:ab12cd34ef56|n:470/473|rouge:corpus|stem:no
    |norm:lower-punct-art-ws-unidecode|post:none|engine:rouge-score-rs-0.2.1|unidecode:1.4.0|ci:jackknife-t|v:0.1.0

without the line break. `ci` names the method of the intervals. `source` is left out if unknown. For the folder of a
run, `run:` follows `post`: the form of the prompts unless it is the canonical one, and how many prompts were cut,
trimmed or lost. For one's own benchmark, the hash of its definition, `def:`, comes first.

The scores that files have recorded beside their answers, compared with the official ones.

A log or a row may hold the score that another program gave an answer: as points, or as a share of 1 where none of a
task's exceeds 1. Both agree if they are equal to the decimals in which the recorded ones are written.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from functools import cached_property
from math import fsum
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from zs_bench.answers import Answer, ExplainedAnswer, documents_of
from zs_bench.benchmarks import Benchmark, Task
from zs_bench.benchmarks.records import Average
from zs_bench.benchmarks.zero_scrolls import BENCHMARK as ZERO_SCROLLS
from zs_bench.files.entries import Entry, ReadFile, Reference
from zs_bench.notebook import ShownInNotebooks
from zs_bench.patterns import Pattern, patterns_of_task
from zs_bench.problems import Problem, lines, short
from zs_bench.statistics.intervals import METHOD, Columns, Interval, benchmark_interval, columns
from zs_bench.validation.references import References
from zs_bench.validation.validate import Validation
from zs_metric.explain import TaskLosses, losses_of_task
from zs_metric.results import BenchmarkResult, TaskResult
from zs_metric.rouge import engine
from zs_metric.scoring import score_task
from zs_metric.version import VERSION, installed_version

if TYPE_CHECKING:
    from zs_bench.run_records import RunAccount

# The codes of the steps of F1's normalisation.
_STEPS = {
    "lowercase": "lower",
    "punctuation": "punct",
    "articles": "art",
    "whitespace": "ws",
    "transliteration": "unidecode",
}
# What each part of a signature is in a message about a difference, and the effect of the difference.
_MEANINGS: Mapping[str, tuple[str, str]] = {
    "source": ("references from", "other examples, or the same under another name"),
    "data": ("references", "other examples or other reference texts"),
    "rouge": ("ROUGE aggregation", "ROUGE tasks and the average differ for that alone"),
    "norm": ("normalisation of F1", "F1 tasks and the average differ for that alone"),
    "engine": ("ROUGE engine", "the two engines here give equal numbers; others may not"),
    "unidecode": ("unidecode", "its tables change; rare characters may match in one and not in the other"),
    "v": ("zero-scrolls", "see the change log"),
    "run": ("prompts", "a model scores by what it has read"),
    "post": ("answers processed by", "these are not the same answers"),
}


@dataclass(frozen=True, slots=True)
class Signature:
    """The data and settings behind a score; `str()` gives the line, of the parts that are not empty."""

    benchmark: Benchmark
    tasks: Sequence[str]
    parts: Mapping[str, Sequence[str]]

    def __str__(self) -> str:
        tasks = ("all",) if [*self.tasks] == [*self.benchmark.tasks] else self.tasks
        parts = {"def": (self.benchmark.hash,), "tasks": tasks, **self.parts}
        texts = {name: ",".join(quote(value, ":/+@", errors="replace") for value in parts[name]) for name in parts}
        return "|".join([self.benchmark.code, *(f"{name}:{text}" for name, text in texts.items() if text)])


def sign(
    benchmark: Benchmark,
    tasks: Sequence[str],
    data: str,
    counts: tuple[int, int],
    *,
    source: str | None = None,
    rouge: str = "corpus",
    post: Sequence[str] = (),
    run: Sequence[str] = (),
) -> Signature:
    """Return the signature of what is scored here: `data` is the `reference_hash`, `counts` are answers and examples.

    `run` counts the cut, trimmed and lost prompts, or is `whole`; it is empty if unknown.
    """
    parts = {
        "source": (source or "",),
        "data": (data,),
        "n": ("/".join(map(str, counts)),),
        "rouge": (rouge,),
        "stem": ("no",),
        "norm": ("-".join(_STEPS[step] for step in benchmark.normalization),),
        "post": post or ("none",),
        "run": run,
        "engine": (engine().name.replace(" ", "-"),),
        "unidecode": (installed_version("unidecode", "unidecode"),),
        "ci": (METHOD,),
        "v": (VERSION,),
    }
    return Signature(benchmark, tasks, parts)


def differences(a: Signature, b: Signature) -> list[str]:
    """The differences between two signatures, a sentence each; empty if their scores are comparable."""
    sentences = []
    pairs = (("first", a, b), ("second", b, a))
    only = {side: [task for task in each.tasks if task not in other.tasks] for side, each, other in pairs}
    if parts := [f"only the {side} has {', '.join(tasks)}" for side, tasks in only.items() if tasks]:
        sentences.append(f"tasks: {'; '.join(parts)} (an average over other tasks is another number)")
    if a.parts["n"] != b.parts["n"]:
        counts = " against ".join(each.parts["n"][0].replace("/", " of ") for each in (a, b))
        sentences.append(f"answers: {counts} examples (the rest is left out of the score)")
    if a.benchmark is not b.benchmark:
        sentences.append(f"benchmark: {a.benchmark} against {b.benchmark} (these are two different things)")
    for key, (name, meaning) in _MEANINGS.items():
        values = [", ".join(each.parts[key]) for each in (a, b)]
        if values[0] != values[1] and (key != "run" or all(values)):  # unless only one of them is a run
            texts = ["no rule" if (key, text) == ("post", "none") else text or "unknown" for text in values]
            sentences.append(f"{name}: {' against '.join(texts)} ({meaning})")
    return sentences


def sample_of(answers: Sequence[Answer], rouge_aggregation: str) -> tuple[Columns, list[str] | None]:
    """Return the columns of the answers' scores, and their documents: the input of the statistics."""
    return columns([answer.result for answer in answers], rouge_aggregation), documents_of(answers)


@dataclass(frozen=True)
class ScoredTask:
    """One task of a file.

    Attributes:
        result: its scores; `None` if the task was refused.
        answers: the scored answers in the order of the references; none of a refused task.
        answered: the number of ids with both prediction and reference.
        missing, unknown: the ids of references without a prediction, and of predictions without a reference.
        references: those of the task by id, also of examples without a prediction.
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

    @classmethod
    def joined(cls, task: Task, validation: Validation, references: References) -> "ScoredTask":
        """Return the task with what is there to score, without a result."""
        predictions, split = validation.predictions[task.name], validation.splits.get(task.name)
        by_id = references.of(task.name, split)
        problems = [problem for problem in validation.problems if problem.task == task.name]
        errors = {problem.id for problem in problems if problem.is_error and problem.kind != "missing"}
        without = [id_ for id_ in by_id if id_ not in predictions and id_ not in errors]
        unknown = [problem.id for problem in problems if problem.family == "unknown" and problem.id is not None]
        return cls(
            task,
            answered=sum(id_ in predictions for id_ in by_id),
            missing=[] if any(problem.kind in ("ids-differ", "shifted") for problem in problems) else without,
            unknown=list(dict.fromkeys(unknown)) if task.name in references.by_task else list(predictions),
            split=split,
            references=by_id,
        )

    @property
    def total(self) -> int:
        """The number of examples."""
        return len(self.references)

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

    @cached_property
    def losses(self) -> TaskLosses:
        """The loss breakdown of a task that was not refused, whose `aggregation` is that of the score."""
        losses = losses_of_task(self.task, *self.texts, results=[answer.result for answer in self.answers])
        step = (self.score or 0.0) - losses.score if losses.aggregation else 0.0
        return replace(losses, aggregation=0.0 if abs(step) < 1e-9 else step)

    @property
    def explained(self) -> list[ExplainedAnswer]:
        """The answers with what they lost, of a task that was not refused."""
        pairs = zip(self.answers, self.losses.examples, strict=True)
        return [ExplainedAnswer(**vars(answer), losses=explanation.losses) for answer, explanation in pairs]

    @cached_property
    def patterns(self) -> list[Pattern]:
        """What goes wrong in several answers."""
        return patterns_of_task(self.answers)


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
        source: label, split and revision of the source of the references, if they are not from files.
        post: the rules applied to the predictions before scoring, in order; `processed` is their effect.
        unanswered: the tasks of the references without any prediction.
    """

    tasks: dict[str, ScoredTask]
    result: BenchmarkResult | None
    problems: list[Problem]
    validation: Validation = field(compare=False)
    partial: bool
    rouge_aggregation: str
    interval: Interval | None = None
    source: Mapping[str, str | None] | None = None
    post: tuple[str, ...] = ()
    processed: PostProcessed | None = None
    files: Sequence[ReadFile] = ()
    benchmark: Benchmark = ZERO_SCROLLS
    references: References = field(default_factory=References, compare=False)
    unanswered: Sequence[str] = ()

    @property
    def run(self) -> "RunAccount | None":
        """The account of the prompts, if the predictions are the folder of a run."""
        return self.validation.read.run

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

    @property
    def averages(self) -> dict[str, tuple[Average, float | None, Interval | None]]:
        """The benchmark's averages beside that of all tasks, by name, each with its score and interval, which are
        `None` unless all of its tasks were scored.
        """
        parts = {name: sample_of(task.answers, self.rouge_aggregation) for name, task in self.scored.items()}
        averages: dict[str, tuple[Average, float | None, Interval | None]] = {}
        for name, average in self.benchmark.averages.items():
            averages[name], weights = (average, None, None), self.benchmark.weights(name)
            if weights.keys() <= parts.keys():
                score = fsum(weight * (self.tasks[task].score or 0.0) for task, weight in weights.items())
                averages[name] = average, score, benchmark_interval({task: parts[task] for task in weights}, weights)
        return averages

    def signature(self, *names: str) -> Signature | None:
        """Return the signature of the mean over these tasks, by default all scored ones; `None` if there are none."""
        tasks = {name: task for name, task in self.scored.items() if name in names or not names}
        if not tasks:
            return None
        splits = {name: task.split for name, task in tasks.items()}
        return sign(
            self.benchmark,
            tuple(tasks),
            self.references.hash_of(splits, benchmark=self.benchmark),
            (sum(task.answered for task in tasks.values()), sum(task.total for task in tasks.values())),
            source=next(iter(splits.values())) if len({*splits.values()}) == 1 else None,
            rouge=self.rouge_aggregation,
            post=self.post,
            run=self.run.in_short(tasks) if self.run else (),
        )


def run_scores(scored: ScoredFile) -> dict[str, dict[str, float | None]]:
    """Return the alternative scores of the tasks of a run, in points; `None` if no prompt was cut or lost.

    `without_cut` leaves out prompts that the server cut; `lost_as_empty` adds an empty prediction for each lost prompt.
    """

    def score(task: Task, rows: Iterable[tuple[str, Sequence[str]]]) -> float:
        predictions, references = zip(*rows, strict=True)
        return score_task(task, predictions, references, rouge_aggregation=scored.rouge_aggregation).score

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


class Pair(NamedTuple):
    """An answer, with the recorded and the official score in points."""

    answer: Answer
    recorded: float
    official: float


@dataclass(frozen=True, slots=True)
class RecordedScores:
    """The recorded scores of a task's answers: the name of their field, and whether they are shares of 1."""

    name: str
    are_shares: bool
    tolerance: float
    pairs: list[Pair]

    def agree(self, recorded: float, score: float) -> bool:
        """Whether the scores, in points, are equal to the decimals recorded."""
        return abs(recorded - score) <= self.tolerance

    @property
    def differing(self) -> list[Pair]:
        """The answers whose official score is another, the largest difference first."""
        pairs = (pair for pair in self.pairs if not self.agree(pair.recorded, pair.official))
        return sorted(pairs, key=lambda pair: -abs(pair.recorded - pair.official))


def recorded_scores(task: ScoredTask, rows: Iterable[Entry]) -> RecordedScores | None:
    """The recorded scores of a scored task; `None` if there are none, or numbers that are no scores from 0 to 100."""
    found = {row.id: row.recorded for row in rows if row.recorded and row.task == task.task.name and row.usable}
    numbers = {id_: number for id_, (_, text) in found.items() if (number := _number(text)) is not None}
    if not numbers or not all(0 <= number <= 100 for number in numbers.values()):
        return None
    scale = 100 if max(numbers.values()) <= 1 else 1
    unit = scale * 10.0 ** min(int(number.normalize().as_tuple().exponent) for number in numbers.values())
    pairs = [Pair(row, float(numbers[row.id]) * scale, row.result.score) for row in task.answers if row.id in numbers]
    rounded = unit <= 1 if scale == 100 else unit < 1  # ones and zeros are not rounded
    tolerance = max(1e-6, unit / 2) if rounded else 1e-6
    return RecordedScores(found[next(iter(numbers))][0], scale == 100, tolerance, pairs) if pairs else None


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text) if len(text) < 50 else Decimal("nan")
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def differ(tasks: Iterable[ScoredTask], rows: Iterable[Entry]) -> Iterator[Problem]:
    """A warning for each scored task in which recorded scores are not the official ones."""
    for task in tasks:
        recorded = recorded_scores(task, rows) if task.result else None
        if recorded and (differing := recorded.differing):
            pair = differing[0]
            message = (
                f"The recorded {short(recorded.name)} differs from the official score for {len(differing):,} of "
                f"{len(recorded.pairs):,} answers, {pair.recorded:.2f} and {pair.official:.2f}; zero-scrolls certify "
                "shows them"
            )
            yield Problem("recorded", message, task.task.name, pair.answer.id, is_error=False)
