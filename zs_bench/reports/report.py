"""The report of a scored file: as data (`as_json`), text, CSV, Markdown and LaTeX.

`as_json` is described by `zs_bench/data/report.schema.json` (JSON Schema, draft 2020-12), whose version is `SCHEMA`.
CSV holds the numbers unrounded, Markdown to 4 decimals like the released evaluator, LaTeX to one like the paper's
tables. Tasks are in the order of the paper's tables; the average appears only when all tasks are scored.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from statistics import fmean
from typing import Any

from zs_bench.extras import from_extra
from zs_bench.published.rows import AVERAGE
from zs_bench.reports.report_text import as_text, format_interval, headline, status, task_rows
from zs_bench.reports.tables import Table, latex_text, markdown_text
from zs_bench.scoring.groups import run_scores
from zs_bench.scoring.report_data import Averages, IntervalData, Report, ScoreOfKind, TaskReport
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_bench.statistics.intervals import METHOD, Interval
from zs_bench.tasks import benchmark_info, info
from zs_metric.f1 import normalize
from zs_metric.rouge import engine
from zs_metric.tasks import Benchmark
from zs_metric.version import VERSION

__all__ = ["SCHEMA", "as_csv", "as_eval_results", "as_json", "as_latex", "as_markdown", "as_text", "headline"]

#: The schema of a report. Version 2 added the signatures, the intervals, `references`, `files` and `post`.
SCHEMA = "zero-scrolls-report/2"
#: How many problems a report lists; those that refuse something come first, and the rest is counted.
MAX_PROBLEMS = 10_000


def as_json(scored: ScoredFile) -> Report:
    """Return the report as JSON-able data; its keys are described in the schema.

    Scores and intervals are points, unrounded; `metrics` are the released, rounded keys.
    """
    benchmark = scored.result
    signature, done, average = scored.signature(), scored.processed, averages(scored)
    report: Report = {
        "schema": SCHEMA,
        "version": VERSION,
        "benchmark": scored.benchmark.name,
        "engine": engine().name,
        "rouge_aggregation": scored.rouge_aggregation,
        "signature": None if signature is None else str(signature),
        "partial": any(task.partial for task in scored.tasks.values()),
        "score": average["score"],
        "mean_of_tasks": average["mean_of_tasks"],
        "interval": average["interval"],
        "missing_tasks": list(scored.benchmark.tasks) if benchmark is None else list(benchmark.missing_tasks),
        "refused_tasks": [name for name, task in scored.tasks.items() if task.result is None],
        "references": None if scored.source is None else dict(scored.source),
        "files": [file.as_dict() for file in scored.files],
        "post": None
        if done is None
        else {"rules": list(scored.post), "before": dict(done.before), "changed": done.changed},
        "tasks": {name: _task(task, scored) for name, task in scored.tasks.items()},
        "patterns": [{**asdict(row), "ids": [*row.ids]} for task in scored.scored.values() for row in task.patterns],
        "problems": [problem.as_dict() for problem in scored.problems[:MAX_PROBLEMS]],
        "problems_left_out": max(0, len(scored.problems) - MAX_PROBLEMS),
    }
    if scored.run is not None:
        scores, nothing = run_scores(scored), {"without_cut": None, "lost_as_empty": None}
        accounts = scored.run.tasks.items()
        tasks = {name: {**task.as_dict(), "scores": scores.get(name, nothing)} for name, task in accounts}
        report["run"] = {"settings": dict(scored.run.settings), "tasks": tasks}
    return report


def averages(scored: ScoredFile) -> Averages:
    """Return the benchmark's `score`, the `mean_of_tasks` that were scored, and its `interval`; else `None`."""
    benchmark = scored.result
    return {
        "score": None if benchmark is None else benchmark.score,
        "mean_of_tasks": None if benchmark is None else benchmark.mean_of_tasks,
        "interval": interval_as_json(scored.interval),
    }


def interval_as_json(interval: Interval | None) -> IntervalData | None:
    """Return the interval as JSON-able data; nothing is resampled, 0 stands where reports had the number of draws."""
    if interval is None:
        return None
    return {
        "low": interval.low,
        "high": interval.high,
        "level": interval.level,
        "clusters": interval.clusters,
        "resamples": 0,
        "seed": 0,
        "method": METHOD,
    }


def _task(task: ScoredTask, scored: ScoredFile) -> TaskReport:
    result = task.result
    data: TaskReport = {
        "score": task.score,
        "interval": interval_as_json(task.interval),
        "signature": None if result is None else str(scored.signature(task.task.name)),
        "metrics": None if result is None else dict(result.metrics),
        "n": len(task.ids),
        "total": task.total,
        "partial": task.partial,
        "split": task.split,
        "missing": task.missing,
        "unknown": task.unknown,
        "examples": list(task.rows()),
    }
    if info(task.task).answerability and result is not None:
        data["answerability"] = answerability(task)
    return data


def answerability(task: ScoredTask) -> dict[str, ScoreOfKind]:
    """Return the scores on answerable and unanswerable questions: `{"answerable": {"score": points or None, "n"}, …}`.

    A question is unanswerable if one of its references is "unanswerable" after the normalisation of F1.
    """
    scores: dict[str, list[float]] = {"answerable": [], "unanswerable": []}
    for texts, example in zip(task.references, task.result.examples if task.result else [], strict=True):
        kind = "unanswerable" if "unanswerable" in map(normalize, texts) else "answerable"
        scores[kind].append(example.score)
    return {kind: {"score": fmean(points) if points else None, "n": len(points)} for kind, points in scores.items()}


#: What a report has of every answer, besides its task and id: points, and what was read and why.
ANSWER_COLUMNS = ("score", "rouge1", "rouge2", "rougeL", "precision", "recall", "parsed", "reason")
CSV_HEADER = ("task", "id", *ANSWER_COLUMNS, "answers", "level")


def as_csv(scored: ScoredFile) -> str:
    """Return the report as CSV: a row for each task, with an empty `id`, followed by those of its answers.

    The column `level` is "task" or "answer": filter by it before taking a mean.
    """
    rows: list[dict[str, Any]] = []
    for name, task in scored.scored.items():
        metrics = task.result.metrics if task.result else {}
        parts = {key.removeprefix("rouge/"): value for key, value in metrics.items()}
        rows.append({**parts, "task": name, "score": task.score, "answers": len(task.ids), "level": "task"})
        rows += [{**record, "level": "answer"} for record in answer_records(task)]
    return Table(CSV_HEADER, [[row.get(column) for column in CSV_HEADER] for row in rows]).csv()


def answer_records(task: ScoredTask) -> Iterator[dict[str, Any]]:
    """Yield per scored answer `task`, `id`, `score`, the parts of the score in points, `parsed` and `reason`."""
    for row in task.rows():
        values = {**row, **{key: part["fmeasure"] for key, part in row.get("rouge", {}).items()}}
        yield {"task": task.task.name, **{name: values.get(name) for name in ("id", *ANSWER_COLUMNS)}}


def as_markdown(scored: ScoredFile, name: str) -> str:
    """Return the report as a Markdown table with a row for each task of the benchmark, and the signature below."""
    rows = []
    for task in task_rows(scored):
        kind = status(task)
        score = kind if task.score is None else f"{task.score:.4f}{format_interval(task.interval, ' ')}"
        answers = "" if kind == "no predictions" else f"{len(task.ids)} of {task.total}"
        answers += " (partial)" if kind == "partial" else ""
        rows.append((info(task.task).title, task.task.metric.title, score, answers))
    if scored.result and scored.result.score is not None:
        rows.append(("**average**", "", f"**{scored.result.score:.4f}**{format_interval(scored.interval, ' ')}", ""))
    table = Table((markdown_text(name), "metric", "score", "answers"), rows, right=(2, 3)).markdown()
    signature = [f"`{scored.signature()}`", ""] if scored.scored else []
    return "\n".join([table, "", headline(scored), "", *signature])


def as_latex(scored: ScoredFile, name: str) -> str:
    """Return the report as a LaTeX table that needs no package: the heads, the scores, the intervals.

    The average is last; `--` marks a missing score.
    """
    average = scored.result.score if scored.result else None
    tasks = [(info(task).short_title, scored.tasks.get(name)) for name, task in scored.benchmark.tasks.items()]
    scores = [*(task.score if task else None for _, task in tasks), average]
    intervals = [*(task.interval if task else None for _, task in tasks), None if average is None else scored.interval]
    rows = [[latex_text(name), *("--" if score is None else f"{score:.1f}" for score in scores)]]
    if any(intervals):
        rows.append(["", *(rf"{{\tiny {format_interval(interval)}}}" if interval else "" for interval in intervals)])
    table = Table(["System", *(title for title, _ in tasks), "Avg"], rows, right=range(1, len(scores) + 1))
    signature = scored.signature()
    return f"% {signature}\n{table.latex()}\n" if signature else f"{table.latex()}\n"


def eval_results(
    benchmark: Benchmark,
    scores: Mapping[str, float],
    notes: Mapping[str, str],
    revision: str | None = None,
    dataset: str | None = None,
) -> str:
    """Return the YAML of these scores, in points by the task's name or `average`, with 4 decimals and these notes.

    Args:
        revision: the commit of the dataset, where known.
        dataset: the repo that the references are of; by default the benchmark's.

    Raises:
        MissingExtra: without `huggingface_hub`.
    """
    with from_extra("hub"):
        import yaml  # noqa: PLC0415  (it comes with huggingface_hub)
        from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml  # noqa: PLC0415
    repo = dataset or benchmark_info(benchmark).repo
    entries = [
        EvalResultEntry(repo, name, round(score, 4), dataset_revision=revision, notes=notes.get(name))
        for name, score in scores.items()
    ]
    written: str = yaml.safe_dump(eval_result_entries_to_yaml(entries), sort_keys=False, allow_unicode=True, width=1000)
    return written


def as_eval_results(scored: ScoredFile, dataset: str | None = None) -> str:
    """Return the YAML of a scored file, for `dataset` or the benchmark's own; the notes are the signatures."""
    scores = {name: task.result.score for name, task in scored.scored.items() if task.result}
    notes = {name: str(scored.signature(name)) for name in scores}
    if scored.result and scored.result.score is not None:
        scores[AVERAGE] = scored.result.score
        notes[AVERAGE] = str(scored.signature(*scored.benchmark.tasks))
    source = scored.source or {}
    own = (source.get("source") or "").startswith(f"Hub, {dataset or benchmark_info(scored.benchmark).repo} at ")
    return eval_results(scored.benchmark, scores, notes, source.get("revision") if own else None, dataset)
