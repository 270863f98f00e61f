"""What became of the prompts of a run, as HTML: a sentence, and a table of the counts and scores by task."""

from collections.abc import Callable, Mapping

from markupsafe import Markup

from zs_bench.reports.html.environment import Column, render
from zs_bench.reports.run_text import account_sentence, tokens_sentence
from zs_bench.runs.account import TaskAccount
from zs_bench.runs.outcomes import ALL_REASONING, FAILED, OVERFLOW, REFUSED
from zs_bench.scoring.run_scores import run_scores
from zs_bench.scoring.scored import ScoredFile
from zs_bench.tasks import info


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
