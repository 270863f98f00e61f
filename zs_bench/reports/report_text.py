"""The report of a scored file for a terminal, and the sentences that every form of the report shares."""

from collections.abc import Iterator

from zs_bench.patterns import Pattern
from zs_bench.problems import counted, lines, short
from zs_bench.reports.run_text import run_text
from zs_bench.reports.tables import Table, listed
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_bench.statistics.intervals import LEVEL, METHOD, Interval, too_few
from zs_metric.rouge import engine

_ROUGE_TYPES = ("rouge/rouge1", "rouge/rouge2", "rouge/rougeL")


def task_rows(scored: ScoredFile) -> list[ScoredTask]:
    """Return every task of the benchmark's average, and others that have predictions, in the benchmark's order.

    A task without predictions is an empty one: it has no score, and a total of 0.
    """
    return [
        scored.tasks.get(name) or ScoredTask(task)
        for name, task in scored.benchmark.all_tasks.items()
        if task.averaged or name in scored.tasks
    ]


def status(task: ScoredTask) -> str:
    """Return `scored`, `partial`, `not scored` for a refused task, or `no predictions`."""
    if task.result is not None:
        return "partial" if task.partial else "scored"
    return "not scored" if task.total or task.ids or task.unknown else "no predictions"


def missing_in_words(task: ScoredTask) -> str:
    """Return what is missing, in words; a prediction that cannot be scored, such as null, is unusable."""
    if task.unknown and not task.total:
        return "no references"
    unusable = task.total - len(task.ids) - len(task.missing)
    counts = {"missing": len(task.missing), "unusable": unusable}
    parts = [f"{count:,} {what}" for what, count in counts.items() if count > 0]
    return ", ".join([*parts, *([counted(len(task.unknown), "unknown ID")] if task.unknown else [])])


def rouge_types(task: ScoredTask) -> str:
    """Return the means of ROUGE-1, 2 and L as papers print them, "43.12/12.46/23.44"; empty for other metrics."""
    metrics = task.result.metrics if task.result else {}
    return "/".join(f"{metrics[name]:.2f}" for name in _ROUGE_TYPES if name in metrics)


def headline(scored: ScoredFile) -> str:
    """Return the average in words, or why there is none.

    >>> from zs_bench.scoring.score_files import score_files
    >>> headline(score_files([], []))
    'No task could be scored.'
    """
    benchmark, title = scored.result, scored.benchmark.title
    if benchmark is None:
        only = ", ".join(scored.scored)
        return f"No {title} score: {only} is not part of it." if only else "No task could be scored."
    partial = " (partial: some predictions are missing)" if any(t.partial for t in scored.tasks.values()) else ""
    number = f"{benchmark.mean_of_tasks:.4f}{format_interval(scored.interval, ' ')}{partial}"
    if benchmark.score is not None:
        return f"{title} score: {number}"
    names = [name for name in scored.benchmark.tasks if name not in benchmark.missing_tasks]
    what = names[0] if len(names) == 1 else f"Mean of {progress(scored)}"
    others = f"not scored: {', '.join(benchmark.missing_tasks)}"
    return f"{what}: {number}. The {title} score needs all {len(scored.benchmark.tasks)} tasks; {others}."


def largest_patterns(scored: ScoredFile, most: int = 3) -> list[Pattern]:
    """Return the patterns of several predictions with the most points of their task at stake, over all tasks."""
    patterns = (pattern for task in scored.scored.values() for pattern in task.patterns)
    several = (pattern for pattern in patterns if pattern.count > 1 and pattern.points >= 0.05)
    return sorted(several, key=lambda pattern: -pattern.points)[:most]


def progress(scored: ScoredFile) -> str:
    """Return how many of the benchmark's tasks were scored, such as "4 of 10 tasks"."""
    total = len(scored.benchmark.tasks)
    return f"{total - len(scored.result.missing_tasks) if scored.result else 0} of {total} tasks"


def format_interval(interval: Interval | None, before: str = "") -> str:
    """Return the interval as shown beside a score; empty without one.

    >>> format_interval(Interval(-0.04, 43.4))
    '[0.0, 43.4]'
    """
    return "" if interval is None else f"{before}[{one_decimal(interval.low)}, {one_decimal(interval.high)}]"


def one_decimal(points: float) -> str:
    """Return the points to one decimal, without a sign before a zero."""
    return f"{round(points, 1) + 0.0:.1f}"


def as_text(scored: ScoredFile) -> str:
    """Return the report for a terminal: tasks with predictions, the average, how it was computed, and problems."""
    has_rouge = any(task.task.metric.name == "rouge" for task in scored.scored.values())
    source = scored.source
    return "\n".join(
        [
            *([tasks.text(), ""] if (tasks := table(scored)).rows else []),
            headline(scored),
            *(pattern.sentence for pattern in largest_patterns(scored)),
            *([f"ROUGE-1/2/L by {engine().name}, aggregation: {scored.rouge_aggregation}."] if has_rouge else []),
            *about_intervals(scored),
            *([f"References: {source['source']}, {source['split']} split."] if source and source["source"] else []),
            *_about_post(scored),
            *([f"Signature: {scored.signature()}"] if scored.scored else []),
            *(["", run_text(scored, scored.run)] if scored.run else []),
            *listed("Not scored", lines(problem for problem in scored.problems if problem.is_error)),
            *listed("Warnings", lines(problem for problem in scored.problems if not problem.is_error)),
        ]
    )


def table(scored: ScoredFile) -> Table:
    """Return the tasks with predictions: score, interval, number of answers, metric."""
    rows = []
    for task in task_rows(scored):
        if status(task) != "no predictions":
            notes = missing_in_words(task) if task.score is None else "partial" if task.partial else ""
            score = status(task) if task.score is None else f"{task.score:.4f}"
            last = f"{task.task.metric.name} {rouge_types(task)}".strip() + (f", {notes}" if notes else "")
            answers = f"{len(task.ids)}/{task.total}"
            rows.append((task.task.name, score, format_interval(task.interval), answers, last))
    return Table(("task", "score", "", "answers", "metric"), rows, right=(1, 3))


def _about_post(scored: ScoredFile) -> Iterator[str]:
    """Yield what post-processing changed, and the scores without it."""
    if scored.processed:
        done = scored.processed
        before = (f"{name} {'not scored' if score is None else f'{score:.4f}'}" for name, score in done.before.items())
        yield f"Post-processed by {', then '.join(map(short, scored.post))}: {counted(done.changed, 'answer')} changed."
        yield f"Without it: {', '.join(before)}."


def about_intervals(scored: ScoredFile) -> Iterator[str]:
    """Yield how the intervals were computed, and why some tasks have none."""
    documents = "From the differences between documents (their number)"
    examples = "From the differences between examples, since it is unknown which share a document"
    kinds: dict[str, list[str]] = {documents: [], examples: []}
    for name, task in scored.scored.items():
        few = too_few(len(task.ids), task.clusters)
        kind = f"No interval, {few}" if few else documents if task.clusters else examples
        number = f" ({len(set(task.clusters or ())):,})" if kind == documents else ""
        kinds.setdefault(kind, []).append(f"{name}{number}")
    if kinds[documents] or kinds[examples]:
        yield f"Intervals: {LEVEL:g} %, method {METHOD}."
    for kind, names in kinds.items():
        every = kind != documents and len(names) == len(scored.scored)
        if names:
            yield f"{kind}: {'all tasks' if every else ', '.join(names)}."
