"""What the page and the report of a scored file share: the score in large figures, and values of their templates."""

from collections.abc import Sequence
from statistics import quantiles
from typing import Any, NamedTuple

from zs_bench.problems import counted
from zs_bench.published.ranking import fewest_examples, why_not_ranked
from zs_bench.published.rows import marks
from zs_bench.reports.explain_text import MARKS
from zs_bench.reports.file_view import FileView
from zs_bench.reports.html import Column
from zs_bench.reports.report import answerability
from zs_bench.reports.report_text import format_interval, missing_in_words, progress, rouge_types, status, task_rows
from zs_bench.reports.run_text import COUNTS, account_sentence, tokens_sentence
from zs_bench.run_records.account import TaskAccount
from zs_bench.scoring.groups import run_scores
from zs_bench.scoring.report_data import TaskReport
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_bench.tasks import info


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
        answers = counted(sum(file.rows for file in scored.files), "answer")
        return " · ".join([progress(scored), *([f"{answers} written for this page"] if sample else []), *partial])
    count, title = len(scored.benchmark.tasks), scored.benchmark.title
    return " · ".join([*partial, f"{progress(scored)}; the {title} score needs all {count}"])


class Mark(NamedTuple):
    """A published score beside that of a task; `grey` where it is of other questions."""

    kind: str
    name: str
    value: float
    grey: bool


def task_table(view: FileView) -> dict[str, Any]:
    """Return the values of `file_table.html`: the tasks that the file or the references have, and their marks.

    No published score is drawn beside that of fewer examples than a published split has.
    """
    scored, tasks = view.scored, task_rows(view.scored)
    facts: dict[str, TaskReport] = {
        name: {"score": task.score, "split": task.split, "n": len(task.ids)} for name, task in scored.scored.items()
    }
    apart = why_not_ranked({"tasks": facts, "rouge_aggregation": scored.rouge_aggregation}, scored.benchmark)
    drawn = {
        name: [
            Mark(kind, MARKS[kind], value, name in apart or task.split != "test")
            for kind, value in marks(task.task).items()
            if value is not None and len(task.ids) >= fewest_examples(task.task, task.split)
        ]
        for name, task in scored.scored.items()
    }
    return {
        "view": view,
        "tasks": [task for task in tasks if status(task) != "no predictions"],
        "absent": [info(task.task).title for task in tasks if status(task) == "no predictions"],
        "intervals": any(task.interval for task in tasks),
        "marks": drawn,
        "keys": {(mark.grey, mark.kind): mark for of_task in drawn.values() for mark in of_task}.values(),
        "note_of": _note,
    }


def _note(task: ScoredTask) -> str:
    """Return what is missing, and the parts of the score: ROUGE types, or MuSiQue's two kinds of questions."""
    parts = [missing_in_words(task), f"ROUGE-1/2/L: {rouge_types(task)}" if rouge_types(task) else ""]
    if info(task.task).answerability and task.score is not None:
        kinds = answerability(task).items()
        parts += [f"{name} {part['score']:.2f} ({part['n']})" for name, part in kinds if part["n"]]
    return ", ".join(filter(None, parts))


def lengths(view: FileView) -> dict[str, dict[str, tuple[float, float, float]]]:
    """Return by title, for the tasks whose answers are texts, the lengths of "answer" and "reference" in words.

    They are the ends of the middle 80 %, and between them the median.
    """
    tasks = {name: view.scored.tasks[name].task for name in view.losses}
    return {
        info(task).title: {
            "answer": _spread(view.losses[name].answer_words),
            "reference": _spread(view.losses[name].reference_words),
        }
        for name, task in tasks.items()
        if task.metric.name in ("rouge", "f1")
    }


def _spread(lengths: Sequence[int]) -> tuple[float, float, float]:
    if len(lengths) < 2:
        return (float(lengths[0]),) * 3
    cuts = quantiles(lengths, n=10, method="inclusive")
    return cuts[0], cuts[4], cuts[8]


#: Alternative scores of a run: the head of the column, and what it means.
_SCORES = {
    "without_cut": ("Without cut prompts", "only answers to prompts that the server read whole"),
    "lost_as_empty": ("Lost as empty", "with an empty answer for each prompt that has none"),
}


def run_table(scored: ScoredFile) -> dict[str, Any]:
    """Return the values of `run.html`, the counts and scores of a run by task; `run_title` is empty for no run."""
    if scored.run is None:
        return {"run_title": ""}
    tasks, other = scored.run.tasks, run_scores(scored)
    cells = {title: [_count(title, task) for task in tasks.values()] for title in COUNTS}
    others = {title: [_points(other.get(name, {}).get(key)) for name in tasks] for key, (title, _) in _SCORES.items()}
    if any(map(any, others.values())):
        scores = {name: task.score for name, task in scored.tasks.items()}
        cells |= {"Score": [_points(scores.get(name)) for name in tasks], **others}
    kept = {title: column for title, column in cells.items() if any(column)}
    known = scored.benchmark.all_tasks
    titles = [info(known[name]).title if name in known else name for name in tasks]
    meanings = (f"{title}: {meaning}." for title, meaning in _SCORES.values() if title in kept)
    return {
        "run_title": f"Run of {scored.run.title}: {account_sentence(tasks)}",
        "columns": [Column("Task"), *(Column(title, "num") for title in kept)],
        "rows": [[title, *(cell or "–" for cell in row)] for title, *row in zip(titles, *kept.values(), strict=True)],
        "notes": [*meanings, tokens_sentence(tasks)],
    }


def _count(title: str, task: TaskAccount) -> str:
    """Return a count; empty for 0, so that a column of zeros is left out."""
    count = COUNTS[title](task)
    kept = f" ({task.kept:.0%} kept)" if title == "Trimmed before" and task.kept is not None else ""
    return f"{count:,}{kept}" if count else ""


def _points(score: float | None) -> str:
    return "" if score is None else f"{score:.4f}"
