"""The parts of a scored file's report as HTML: problems, scores per task, losses, and its scores under all variants."""

from collections.abc import Callable, Mapping, Sequence
from statistics import quantiles
from typing import Any

from markupsafe import Markup

from zs_bench.problems import counted, lines
from zs_bench.published.ranking import fewest_examples
from zs_bench.published.rows import marks
from zs_bench.reports.file_view import FileView, largest_losses, loss_sentence
from zs_bench.reports.html.environment import Column, notice, render
from zs_bench.reports.html.explanation import LOSSES, MARKS, bar
from zs_bench.reports.report import answerability
from zs_bench.reports.report_text import TaskRow, about_intervals, ends, headline, progress, task_rows
from zs_bench.reports.run_text import account_sentence, tokens_sentence
from zs_bench.runs.account import TaskAccount
from zs_bench.runs.replies import ALL_REASONING, FAILED, OVERFLOW, REFUSED
from zs_bench.scoring.groups import run_scores
from zs_bench.scoring.scored import ScoredFile
from zs_bench.tasks import info
from zs_metric.explain import PARTS, TaskLosses

#: No published scores are drawn beside those of so few examples.
NO_MARKS = "Published scores are not shown: they are of all examples of a split, and this file has fewer."
PUBLISHED = "published, on the test split"


def problems(scored: ScoredFile) -> Markup:
    """What was not scored, and warnings about what was; empty when there is neither."""
    refusing = lines(problem for problem in scored.problems if problem.refuses)
    warnings = lines(problem for problem in scored.problems if not problem.refuses)
    count = counted(len(warnings), "warning")
    title = f"Scored, with {count}" if scored.scored else count.capitalize()
    return Markup().join(
        [
            *([notice("error", "Not scored", refusing)] if refusing else []),
            *([notice("warning", title, warnings)] if warnings else []),
        ]
    )


def summary(view: FileView) -> Markup:
    """The average, and a table of every task of the benchmark, scored or not."""
    scored = view.scored
    return render(
        "file_summary.html",
        scored=scored,
        partial=any(task.partial for task in scored.tasks.values()),
        progress=progress(scored),
        headline=headline(scored),
        about=list(about_intervals(scored)),
        **task_table(view),
    )


def task_table(view: FileView) -> dict[str, Any]:
    """The values of `file_table.html`."""
    scored = view.scored
    rows = [_row(row, view) for row in task_rows(scored)]
    drawn = {mark["kind"]: mark for row in rows for mark in row["marks"]}
    return {
        "rows": rows,
        "ends": ends,
        "intervals": any(row["interval"] for row in rows),
        "kinds": [part for part in PARTS if any(part == kind for row in rows for kind, _ in row["lost"]["parts"])],
        "key": [{**mark, "name": f"{mark['name']} ({PUBLISHED})"} for mark in drawn.values()],
        "key_note": "" if drawn or not scored.scored else NO_MARKS,
    }


def _row(row: TaskRow, view: FileView) -> dict[str, Any]:
    """A task as a row: its scores, marks and losses, and how many predictions were scored."""
    count = f"{row.scored:,}" if row.scored == row.total else f"{row.scored:,} of {row.total:,}"
    return {
        "name": row.task.name,
        "metric": row.task.metric.title,
        "title": row.title,
        "score": row.score,
        "interval": row.interval,
        "note": _note(row, view.scored),
        "marks": _marks(row, view.scored),
        "lost": _lost(view.losses.get(row.task.name)),
        "status": row.status,
        "lacks": row.lacks,
        "scored": row.scored,
        "count": "–" if row.status == "no predictions" else count,
    }


def _marks(row: TaskRow, scored: ScoredFile) -> list[dict[str, Any]]:
    """The published scores, where the file has at least as many examples as their split."""
    task = scored.tasks.get(row.task.name)
    if task is None or row.score is None or len(task.ids) < fewest_examples(row.task, task.split):
        return []
    held = marks(row.task).items()
    return [{"kind": kind, "name": MARKS[kind], "value": value} for kind, value in held if value is not None]


def _lost(losses: TaskLosses | None) -> dict[str, Any]:
    """Where the points of a task went: the largest parts, and all in a sentence."""
    if losses is None:
        return {"parts": [], "sentence": "", "total": 0.0}
    total = sum(losses.mean.as_dict().values())
    return {"parts": largest_losses(losses), "sentence": loss_sentence(losses), "total": total}


def _note(row: TaskRow, scored: ScoredFile) -> str:
    """What is missing, and what the score is made of: ROUGE types, or MuSiQue's two kinds of questions."""
    parts = [f"ROUGE-1/2/L: {row.rouge}"] if row.rouge else []
    if info(row.task).answerability and row.score is not None:
        found = answerability(scored.tasks[row.task.name]).items()
        parts = [f"{name} {part['score']:.2f} ({part['n']})" for name, part in found if part["n"]]
    return ", ".join([*([row.lacks] if row.lacks else []), *parts])


_TITLES = {
    "losses": "Where the points went",
    "lengths": "Answer and reference length, words (median, 10th–90th percentile)",
}
# The metrics whose predictions are texts.
_OF_TEXTS = ("rouge", "f1")


def losses(view: FileView) -> Markup:
    """Where the points went, per task: stacked bars, sentences, and the lengths of answers and references."""
    if not view.losses:
        return Markup("")
    titles = {name: info(view.scored.tasks[name].task).title for name in view.losses}
    rows = [
        (titles[name], [piece for piece in bar(one.score, one.mean) if piece[1] > 0], loss_sentence(one))
        for name, one in view.losses.items()
    ]
    return render(
        "losses.html",
        titles=_TITLES,
        legend=[*LOSSES.items(), ("upto", "perhaps too short (an upper bound)")],
        rows=rows,
        lengths=_of_texts(view),
    )


def lengths(view: FileView) -> Markup:
    """The lengths of answers and references of every task whose answers are texts."""
    rows = _of_texts(view)
    return render("lengths.html", lengths=rows) if rows else Markup("")


def _of_texts(view: FileView) -> list[dict[str, Any]]:
    tasks = {name: view.scored.tasks[name] for name in view.losses}
    return [
        _lengths(info(task.task).title, view.losses[name])
        for name, task in tasks.items()
        if task.task.metric.name in _OF_TEXTS
    ]


def _lengths(title: str, losses: TaskLosses) -> dict[str, Any]:
    """The middle 80 % of the lengths in words, on one scale for answers and references."""
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


def _trimmed(one: TaskAccount) -> str:
    return "" if one.kept is None else f"{one.trimmed:,} ({one.kept:.0%} kept)"


#: The columns by their heads; one that is empty or 0 for every task is left out.
_COLUMNS: Mapping[str, Callable[[TaskAccount], int | str]] = {
    "Prompts": lambda one: one.prompts,
    "Answered": lambda one: one.answered,
    "Cut by the server": lambda one: len(one.cut_by_server),
    "Trimmed before": _trimmed,
    "Overflow": lambda one: one.statuses.get(OVERFLOW, 0),
    "All reasoning": lambda one: one.statuses.get(ALL_REASONING, 0),
    "Refused": lambda one: one.statuses.get(REFUSED, 0),
    "Failed": lambda one: one.statuses.get(FAILED, 0),
    "Not asked": lambda one: one.not_asked,
    "Length limit": lambda one: len(one.stopped_at_length),
    "Thoughts removed": lambda one: one.think_dropped,
}
#: What the score would be otherwise: the head of the column, and what it means.
_SCORES = {
    "without_cut": ("Without cut prompts", "only answers to prompts that the server read whole"),
    "lost_as_empty": ("Lost as empty", "with an empty answer for each prompt that has none"),
}


def run_title(scored: ScoredFile) -> str:
    """The model of the run and what became of its prompts, in one line; empty where the file is of no run."""
    run = scored.run
    return "" if run is None else f"Run of {run.title}: {account_sentence(run.tasks)}"


def run_report(scored: ScoredFile) -> Markup:
    """The table of counts and scores by task; empty where the file is of no run."""
    if scored.run is None:
        return Markup("")
    tasks, other = scored.run.tasks, run_scores(scored)
    cells: dict[str, list[str]] = {title: [_cell(of(one)) for one in tasks.values()] for title, of in _COLUMNS.items()}
    others = {title: [_points(other.get(name, {}).get(key)) for name in tasks] for key, (title, _) in _SCORES.items()}
    if any(map(any, others.values())):
        scores = {name: scored.tasks[name].score for name in tasks if name in scored.tasks}
        cells |= {"Score": [_points(scores.get(name)) for name in tasks], **others}
    kept = {title: column for title, column in cells.items() if any(column)}
    titles = [info(scored.of.all_tasks[name]).title if name in scored.of.all_tasks else name for name in tasks]
    return render(
        "run.html",
        columns=[Column("Task"), *(Column(title, "num") for title in kept)],
        rows=[[title, *(cell or "–" for cell in row)] for title, *row in zip(titles, *kept.values(), strict=True)],
        tokens=tokens_sentence(tasks),
        notes=[f"{title}: {meaning}." for title, meaning in _SCORES.values() if title in kept],
    )


def _cell(value: int | str) -> str:
    return f"{value:,}" if value and isinstance(value, int) else value or ""


def _points(score: float | None) -> str:
    return "" if score is None else f"{score:.4f}"
