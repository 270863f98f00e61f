"""The parts of a scored file's report as HTML: problems, scores per task, losses, and its scores under all variants."""

from collections.abc import Mapping, Sequence
from statistics import quantiles
from typing import Any

from markupsafe import Markup

from zs_bench.patterns import Pattern
from zs_bench.problems import counted, lines
from zs_bench.published.ranking import fewest_examples, why_not_ranked
from zs_bench.published.rows import marks
from zs_bench.reports.explain_text import MARKS
from zs_bench.reports.file_view import FileView, largest_losses, loss_sentence
from zs_bench.reports.html import Column, notice, render
from zs_bench.reports.html.explanation import COLOURS, bar
from zs_bench.reports.report import answerability
from zs_bench.reports.report_text import (
    about_intervals,
    format_interval,
    largest_patterns,
    missing_in_words,
    progress,
    rouge_types,
    status,
    task_rows,
)
from zs_bench.reports.run_text import COUNTS, TRIMMED, Count, account_sentence, tokens_sentence
from zs_bench.run_records.account import TaskAccount
from zs_bench.scoring.groups import run_scores
from zs_bench.scoring.report_data import TaskReport
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_bench.tasks import info
from zs_metric.explain import CAUSES, TaskLosses

#: No published scores are drawn beside those of so few examples.
NO_MARKS = "Published scores are not shown: they cover all examples of a split, and this file has fewer."
#: What the marks of published scores are: of the same questions, or of others, where they are grey.
PUBLISHED, OTHER_QUESTIONS = "Published on the test split:", "Published on the test split, other questions than these:"
# The most patterns in the row of a task.
_MOST_PATTERNS = 3


def problems(scored: ScoredFile) -> Markup:
    """Return what was not scored, and folded warnings about what was; empty when there is neither."""
    refusing = lines(problem for problem in scored.problems if problem.is_error)
    warnings = lines(problem for problem in scored.problems if not problem.is_error)
    title = counted(len(warnings), "warning")
    refusals = notice("error", "Not scored", refusing) if refusing else Markup("")
    return refusals + (render("folded.html", title=title, lines=warnings) if warnings else "")


def summary(view: FileView) -> Markup:
    """Return the average, and a table of every task of the benchmark, scored or not."""
    scored = view.scored
    return render(
        "file_summary.html",
        scored=scored,
        headline=headline(scored),
        remark=remark(scored),
        patterns=_patterns(scored),
        about=list(about_intervals(scored)),
        **task_table(view),
    )


def headline(scored: ScoredFile, *, sample: bool = False) -> list[tuple[float, str, str]]:
    """Return the scores in large figures: points, interval, title; of the benchmark, or of up to three tasks."""
    average, tasks = scored.result, scored.scored
    if average and average.score is not None:
        whose = "The sample’s " if sample else ""
        return [(average.score, format_interval(scored.interval), f"{whose}{scored.benchmark.title} score")]
    if len(tasks) <= 3:
        return [(task.score or 0.0, format_interval(task.interval), info(task.task).title) for task in tasks.values()]
    return [(average.mean_of_tasks, format_interval(scored.interval), "mean of these tasks")] if average else []


def remark(scored: ScoredFile, *, sample: bool = False) -> str:
    """Return what the scores in large figures are of, and what they are not."""
    partial = ["partial: some predictions are missing"] if any(task.partial for task in scored.tasks.values()) else []
    if scored.result and scored.result.score is not None:
        written = (
            [f"{counted(sum(file.rows for file in scored.files), 'answer')} written for this page"] if sample else []
        )
        return " · ".join([progress(scored), *written, *partial])
    count, title = len(scored.benchmark.tasks), scored.benchmark.title
    return " · ".join([*partial, f"{progress(scored)}; the {title} score needs all {count}"])


def _patterns(scored: ScoredFile) -> Markup:
    """Return the largest patterns in sentences; empty without any."""
    items = Markup().join(Markup("<li>{}</li>").format(pattern.sentence) for pattern in largest_patterns(scored))
    return Markup('<ul class="zs-patterns">{}</ul>').format(items) if items else items


def task_table(view: FileView) -> dict[str, Any]:
    """Return the values of `file_table.html`: rows of the tasks that the file or the references have."""
    scored = view.scored
    tasks = task_rows(scored)
    facts: dict[str, TaskReport] = {
        name: {"score": task.score, "split": task.split, "n": len(task.ids)} for name, task in scored.scored.items()
    }
    apart = why_not_ranked({"tasks": facts, "rouge_aggregation": scored.rouge_aggregation}, scored.benchmark)
    rows = [_row(task, view, apart) for task in tasks if status(task) != "no predictions"]
    drawn = {(mark["grey"], mark["kind"]): mark for row in rows for mark in row["marks"]}
    keys = {PUBLISHED: [mark for (grey, _), mark in drawn.items() if not grey]}
    keys[OTHER_QUESTIONS] = [mark for (grey, _), mark in drawn.items() if grey]
    return {
        "rows": rows,
        "absent": [info(task.task).title for task in tasks if status(task) == "no predictions"],
        "format_interval": format_interval,
        "intervals": any(row["task"].interval for row in rows),
        "keys": {words: kinds for words, kinds in keys.items() if kinds},
        "key_note": "" if drawn or not scored.scored else NO_MARKS,
    }


def _row(task: ScoredTask, view: FileView, apart: Mapping[str, str]) -> dict[str, Any]:
    """Return a task as a row; `apart` has the reason for each task that must not be ranked."""
    count = f"{len(task.ids):,}" if len(task.ids) == task.total else f"{len(task.ids):,} of {task.total:,}"
    losses = view.losses.get(task.task.name)
    return {
        "task": task,
        "title": info(task.task).title,
        "note": _note(task),
        "marks": _marks(task, is_grey=task.task.name in apart or task.split != "test"),
        "patterns": _patterns_of(task) if task.result else [],
        "lost": largest_losses(losses) if losses else [],
        "lost_points": sum(losses.mean.values()) if losses else 0.0,
        "lost_sentence": loss_sentence(losses) if losses else "",
        "status": status(task),
        "lacks": missing_in_words(task),
        "count": count,
    }


def _patterns_of(task: ScoredTask) -> list[tuple[Pattern, str]]:
    """Return the largest patterns of a task, each with what its predictions do."""
    several = [pattern for pattern in task.patterns if pattern.count > 1 and pattern.points >= 0.05]
    shown = several[:_MOST_PATTERNS]
    return [(pattern, pattern.sentence.partition(" predictions ")[2].rpartition(":")[0]) for pattern in shown]


def _marks(task: ScoredTask, *, is_grey: bool) -> list[dict[str, Any]]:
    """Return the published scores, where the file has at least as many examples as a published split."""
    if task.score is None or len(task.ids) < fewest_examples(task.task, task.split):
        return []
    published = marks(task.task).items()
    return [
        {"kind": kind, "name": MARKS[kind], "value": value, "grey": is_grey}
        for kind, value in published
        if value is not None
    ]


def _note(task: ScoredTask) -> str:
    """Return what is missing, and the parts of the score: ROUGE types, or MuSiQue's two kinds of questions."""
    parts = [missing_in_words(task), f"ROUGE-1/2/L: {rouge_types(task)}" if rouge_types(task) else ""]
    if info(task.task).answerability and task.score is not None:
        kinds = answerability(task).items()
        parts += [f"{name} {part['score']:.2f} ({part['n']})" for name, part in kinds if part["n"]]
    return ", ".join(filter(None, parts))


def losses(view: FileView) -> Markup:
    """Return where the points went, per task: stacked bars, sentences, and the lengths of answers and references."""
    if not view.losses:
        return Markup("")
    tasks = view.losses.items()
    rows = [(_title(name, view), bar(task.score, task.mean), loss_sentence(task)) for name, task in tasks]
    shown = {cause for _, task in tasks for cause in task.mean}
    legend = [(COLOURS[cause], cause) for cause in CAUSES if cause in shown]
    return render("losses.html", legend=legend, rows=rows, lengths=lengths(view))


def _title(name: str, view: FileView) -> str:
    return info(view.scored.tasks[name].task).title


def lengths(view: FileView) -> list[dict[str, Any]]:
    """Return the lengths of answers and references of each task whose predictions are texts, for `lengths.html`."""
    return [
        _lengths(_title(name, view), task)
        for name, task in view.losses.items()
        if view.scored.tasks[name].task.metric.name in ("rouge", "f1")
    ]


def _lengths(title: str, losses: TaskLosses) -> dict[str, Any]:
    """Return the middle 80 % of the lengths in words, on one scale for answers and references."""
    spreads = {"answer": _spread(losses.answer_words), "reference": _spread(losses.reference_words)}
    top = max(1.0, *(high for _, _, high in spreads.values()))
    bars = []
    for kind, spread in spreads.items():
        low, middle, high = (100 * value / top for value in spread)
        bars.append((kind, low, max(high - low, 0.8), min(middle, 99.2)))
    medians = [f"{kind}s {counted(round(middle), 'word')}" for kind, (_, middle, _) in spreads.items()]
    return {"title": title, "bars": bars, "medians": medians, "top": f"{top:.0f} words"}


def _spread(lengths: Sequence[int]) -> tuple[float, float, float]:
    if len(lengths) < 2:
        return (float(lengths[0]),) * 3
    cuts = quantiles(lengths, n=10, method="inclusive")
    return cuts[0], cuts[4], cuts[8]


#: Alternative scores: the head of the column, and what it means.
_SCORES = {
    "without_cut": ("Without cut prompts", "only answers to prompts that the server read whole"),
    "lost_as_empty": ("Lost as empty", "with an empty answer for each prompt that has none"),
}


def run_title(scored: ScoredFile) -> str:
    """Return the model of the run and the counts of its prompts, in one line; empty where the file is of no run."""
    run = scored.run
    return "" if run is None else f"Run of {run.title}: {account_sentence(run.tasks)}"


def run_report(scored: ScoredFile) -> Markup:
    """Return the table of counts and scores by task; empty where the file is of no run."""
    if scored.run is None:
        return Markup("")
    tasks, other = scored.run.tasks, run_scores(scored)
    cells = {count.title: [_cell(count, task) for task in tasks.values()] for count in COUNTS}
    others = {title: [_points(other.get(name, {}).get(key)) for name in tasks] for key, (title, _) in _SCORES.items()}
    if any(map(any, others.values())):
        scores = {name: scored.tasks[name].score for name in tasks if name in scored.tasks}
        cells |= {"Score": [_points(scores.get(name)) for name in tasks], **others}
    kept = {title: column for title, column in cells.items() if any(column)}
    titles = [
        info(scored.benchmark.all_tasks[name]).title if name in scored.benchmark.all_tasks else name for name in tasks
    ]
    return render(
        "run.html",
        columns=[Column("Task"), *(Column(title, "num") for title in kept)],
        rows=[[title, *(cell or "–" for cell in row)] for title, *row in zip(titles, *kept.values(), strict=True)],
        tokens=tokens_sentence(tasks),
        notes=[f"{title}: {meaning}." for title, meaning in _SCORES.values() if title in kept],
    )


def _cell(count: Count, task: TaskAccount) -> str:
    """Return the count; empty for 0, so that a column of zeros is left out."""
    kept = f" ({task.kept:.0%} kept)" if count is TRIMMED and task.kept is not None else ""
    return f"{count.of(task):,}{kept}" if count.of(task) else ""


def _points(score: float | None) -> str:
    return "" if score is None else f"{score:.4f}"
