"""The parts of a scored file's report as HTML: problems, scores per task, losses, and its scores under all variants."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import quantiles
from typing import Any

from markupsafe import Markup

from zs_bench.problems import counted, lines
from zs_bench.reports.file_view import FileView, loss_sentence
from zs_bench.reports.html.charts import Line, bar_chart
from zs_bench.reports.html.environment import Column, notice, render
from zs_bench.reports.html.explanation import LOSSES, bar
from zs_bench.reports.report import answerability
from zs_bench.reports.report_text import TaskRow, about_intervals, ends, headline, progress, task_rows
from zs_bench.reports.run_text import account_sentence, tokens_sentence
from zs_bench.runs.account import TaskAccount
from zs_bench.runs.outcomes import ALL_REASONING, FAILED, OVERFLOW, REFUSED
from zs_bench.scoring.groups import run_scores
from zs_bench.scoring.scored import ScoredFile
from zs_bench.tasks import info
from zs_bench.variants.rescore import AVERAGE, OFFICIAL
from zs_metric.explain import TaskLosses
from zs_metric.tasks import Benchmark


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


def summary(scored: ScoredFile) -> Markup:
    """The average, the chart, and a table of every task of the benchmark, scored or not."""
    rows = task_rows(scored)
    return render(
        "file_summary.html",
        scored=scored,
        partial=any(row.status == "partial" for row in rows),
        progress=progress(scored),
        headline=headline(scored),
        rows=rows,
        notes={row.task.name: note(row, scored) for row in rows},
        chart=_chart(scored, rows) if scored.scored else "",
        intervals=list(about_intervals(scored)),
        ends=ends,
        level=max((row.interval.level for row in rows if row.interval), default=None),
    )


def _chart(scored: ScoredFile, rows: list[TaskRow]) -> Markup:
    whole = scored.benchmark.score if scored.benchmark else None
    scores = {row.title: row.status if row.score is None else row.score for row in rows}
    label = ", ".join(
        f"{title} {score if isinstance(score, str) else f'{score:.2f}'}" for title, score in scores.items()
    )
    return bar_chart(
        scores,
        f"Score per task: {label}" + ("" if whole is None else f"; average {whole:.2f} (dashed line)"),
        lines=[Line("average", "Average", whole)],
        intervals={row.title: (row.interval.low, row.interval.high) for row in rows if row.interval},
    )


def note(row: TaskRow, scored: ScoredFile) -> str:
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
        _lengths(info(task.task).title, view.losses[name]) for name, task in tasks.items() if task.metric in _OF_TEXTS
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
    """The 10th, 50th and 90th percentile."""
    if len(lengths) < 2:
        return (float(lengths[0]),) * 3
    cuts = quantiles(lengths, n=10, method="inclusive")
    return cuts[0], cuts[4], cuts[8]


def variants_report(found: Mapping[str, Any], benchmark: Benchmark) -> Markup:
    """The result of `zs_bench.reports.variants_report.rescored_file` as a table.

    If numbers were reported, the variants that reproduce them are named above it.
    """
    return render("variants.html", found=found, official=OFFICIAL, average=AVERAGE, title=partial(_title, benchmark))


def _title(benchmark: Benchmark, task: str) -> str:
    return "average" if task == AVERAGE else info(benchmark.all_tasks[task]).title


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
