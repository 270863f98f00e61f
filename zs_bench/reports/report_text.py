"""The report of a scored file for a terminal, and the sentences that every form of the report shares."""

from collections.abc import Iterator
from dataclasses import dataclass

from zs_bench.problems import lines, short
from zs_bench.reports.run_text import account_text
from zs_bench.reports.tables import text_table
from zs_bench.scoring.groups import run_scores
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_bench.statistics.bootstrap import FEWEST_EXAMPLES, Interval
from zs_bench.tasks import info
from zs_metric.rouge import engine
from zs_metric.tasks import Task

_ROUGE_TYPES = ("rouge/rouge1", "rouge/rouge2", "rouge/rougeL")


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One task of the benchmark, with or without predictions.

    Attributes:
        score: in points; `None` where it was not scored.
        interval: of the score; `None` where there is none.
        scored: how many predictions were scored, or could be.
        total: how many references the task has; 0 when there are none.
        missing: how many references have no prediction.
        unknown: how many predictions have no reference.
        rouge: the means of ROUGE-1, 2 and L as papers print them, "43.12/12.46/23.44"; empty for other metrics.
    """

    task: Task
    title: str
    score: float | None = None
    interval: Interval | None = None
    scored: int = 0
    total: int = 0
    missing: int = 0
    unknown: int = 0
    rouge: str = ""

    @property
    def status(self) -> str:
        """`scored`, `partial`, `not scored` for a refused task, or `no predictions`."""
        if self.score is not None:
            return "partial" if self.scored < self.total else "scored"
        return "not scored" if self.total or self.scored or self.unknown else "no predictions"

    @property
    def unusable(self) -> int:
        """How many references have a prediction that cannot be scored, such as null."""
        return max(0, self.total - self.scored - self.missing)

    @property
    def lacks(self) -> str:
        """What is missing, in words; empty when nothing is."""
        parts = [
            *([f"{self.missing:,} missing"] if self.missing else []),
            *([f"{self.unusable:,} unusable"] if self.unusable else []),
            *([f"{self.unknown:,} unknown {'ID' if self.unknown == 1 else 'IDs'}"] if self.unknown else []),
        ]
        return ", ".join(parts)


def task_rows(scored: ScoredFile) -> list[TaskRow]:
    """Every task of the benchmark's average, and others that have predictions, in the benchmark's order."""
    tasks = [task for name, task in scored.of.all_tasks.items() if task.averaged or name in scored.tasks]
    return [_row(task, scored.tasks.get(task.name)) for task in tasks]


def _row(of: Task, task: ScoredTask | None) -> TaskRow:
    title = info(of).title
    if task is None:
        return TaskRow(of, title)
    metrics = task.result.metrics if task.result else {}
    return TaskRow(
        of,
        title,
        score=task.score,
        interval=task.interval,
        scored=len(task.ids),
        total=task.total,
        missing=len(task.missing),
        unknown=len(task.unknown),
        rouge="/".join(f"{metrics[name]:.2f}" for name in _ROUGE_TYPES if name in metrics),
    )


def headline(scored: ScoredFile) -> str:
    """The average in words, or why there is none.

    >>> from zs_bench.scoring.score_files import score_files
    >>> headline(score_files([], []))
    'No task could be scored.'
    """
    benchmark, title = scored.benchmark, scored.of.title
    if benchmark is None:
        only = ", ".join(scored.scored)
        return f"No {title} score: {only} is not part of it." if only else "No task could be scored."
    partial = " (partial: some predictions are missing)" if any(t.partial for t in scored.tasks.values()) else ""
    number = f"{benchmark.mean_of_tasks:.4f}{ends(scored.interval, ' ')}{partial}"
    if benchmark.score is not None:
        return f"{title} score: {number}"
    missing = ", ".join(benchmark.missing_tasks)
    return f"No {title} score yet: {progress(scored)}. Mean so far: {number}. Not scored: {missing}."


def progress(scored: ScoredFile) -> str:
    """How many of the benchmark's tasks were scored, such as "4 of 10 tasks"."""
    total = len(scored.of.tasks)
    return f"{total - len(scored.benchmark.missing_tasks) if scored.benchmark else 0} of {total} tasks"


def ends(interval: Interval | None, before: str = "") -> str:
    """The ends of the interval as shown beside a score; empty where there is none.

    >>> ends(Interval(-0.04, 43.4, 95.0, 1000, 12345, None))
    '[0.0, 43.4]'
    """
    return "" if interval is None else f"{before}[{one_decimal(interval.low)}, {one_decimal(interval.high)}]"


def one_decimal(points: float) -> str:
    """The points to one decimal, without a sign before a zero."""
    return f"{round(points, 1) + 0.0:.1f}"


def as_text(scored: ScoredFile) -> str:
    """The report for a terminal: tasks with predictions as a table, the average, how it was computed, and problems."""
    rows = [_cells(row) for row in task_rows(scored) if row.status != "no predictions"]
    refusing = lines(problem for problem in scored.problems if problem.refuses)
    warnings = lines(problem for problem in scored.problems if not problem.refuses)
    has_rouge = any(task.task.metric.name == "rouge" for task in scored.scored.values())
    source = scored.source
    return "\n".join(
        [
            *([*text_table([("task", "score", "", "answers", "metric"), *rows], right=(1, 3)), ""] if rows else []),
            headline(scored),
            *([f"ROUGE-1/2/L by {engine().name}, aggregation: {scored.rouge_aggregation}."] if has_rouge else []),
            *about_intervals(scored),
            *([f"References: {source['source']}, {source['split']} split."] if source and source["source"] else []),
            *_about_post(scored),
            *([f"Signature: {scored.signature()}"] if scored.scored else []),
            *(["", run_text(scored)] if scored.run else []),
            *(["", "Not scored:", *(f"- {line}" for line in refusing)] if refusing else []),
            *(["", "Warnings:", *(f"- {line}" for line in warnings)] if warnings else []),
        ]
    )


def _cells(row: TaskRow) -> tuple[str, str, str, str, str]:
    notes = row.lacks if row.score is None else "partial" if row.status == "partial" else ""
    score = row.status if row.score is None else f"{row.score:.4f}"
    last = f"{row.task.metric.name} {row.rouge}".strip() + (f", {notes}" if notes else "")
    return row.task.name, score, ends(row.interval), f"{row.scored}/{row.total}", last


def run_text(scored: ScoredFile) -> str:
    """What became of the prompts of the run, and what its scores would be otherwise."""
    run = scored.run
    if run is None:
        return ""
    titles = {
        "without_cut": "Without the prompts cut by the server",
        "lost_as_empty": "With lost prompts as empty answers",
    }
    scores = run_scores(scored)
    others = {title: {task: row[key] for task, row in scores.items()} for key, title in titles.items()}
    lines_of = (
        f"{title}: {', '.join(f'{task} {points:.4f}' for task, points in found.items() if points is not None)}."
        for title, found in others.items()
        if any(points is not None for points in found.values())
    )
    return "\n".join([f"The run of {run.title}:", account_text(run.tasks), *lines_of])


def _about_post(scored: ScoredFile) -> Iterator[str]:
    """What post-processing changed, and the scores without it."""
    if scored.processed:
        done = scored.processed
        before = (f"{name} {'not scored' if score is None else f'{score:.4f}'}" for name, score in done.before.items())
        changed = f"{done.changed:,} {'answer' if done.changed == 1 else 'answers'} changed"
        yield f"Post-processed by {', then '.join(map(short, scored.post))}: {changed}."
        yield f"Without it: {', '.join(before)}."


def about_intervals(scored: ScoredFile) -> Iterator[str]:
    """How the intervals were computed, and why some tasks have none."""
    found = {name: task.interval for name, task in scored.scored.items() if task.interval}
    for one in list(found.values())[:1]:
        yield f"Intervals: {one.level:g} %, percentile bootstrap, {one.resamples:,} resamples, seed {one.seed}."
    together = [f"{name} ({one.clusters:,})" for name, one in found.items() if one.clusters is not None]
    if together:
        yield f"Resampled by document (number of documents): {', '.join(together)}."
    alone = [name for name, one in found.items() if one.clusters is None]
    if alone:
        names = "all tasks" if len(alone) == len(scored.scored) else ", ".join(alone)
        yield f"Resampled by example, since it is unknown which examples share a document: {names}."
    few = [name for name, task in scored.scored.items() if not task.interval and len(task.ids) < FEWEST_EXAMPLES]
    if few:
        names = "all tasks" if len(few) == len(scored.scored) else ", ".join(few)
        yield f"No interval, fewer than {FEWEST_EXAMPLES} examples: {names}."
