"""The report of a scored file: as data (`as_json`), text, CSV, Markdown and LaTeX.

`as_json` is described by `zs_bench/data/report.schema.json` (JSON Schema, draft 2020-12).
CSV holds the numbers unrounded, Markdown to 4 decimals like the released evaluator, LaTeX to one like the paper's
tables. Tasks are in the order of the paper's tables; the average appears only when all tasks are scored.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from statistics import fmean
from typing import Any

from zs_bench.answers import Answer, documents_of
from zs_bench.benchmarks import Benchmark
from zs_bench.errors import from_extra
from zs_bench.patterns import NOTHING_READ, Pattern
from zs_bench.problems import counted, lines, short
from zs_bench.published import AVERAGE
from zs_bench.reports.tables import Table, latex_text, listed, markdown_text
from zs_bench.scoring import report_data
from zs_bench.scoring.report_data import MAX_PROBLEMS, SCHEMA, Report, TaskReport
from zs_bench.scoring.scored import ScoredFile, ScoredTask, run_scores
from zs_bench.statistics.intervals import LEVEL, METHOD, Interval, effective_units, too_few
from zs_metric.f1 import normalize
from zs_metric.rouge import engine
from zs_metric.version import VERSION

#: What a report has of every answer, besides its task and id: points, and what was read and why.
ANSWER_COLUMNS = ("score", "rouge1", "rouge2", "rougeL", "precision", "recall", "parsed", "reason")
_CSV_HEADER = ("task", "id", *ANSWER_COLUMNS, "answers", "level", "low", "high", "lost_to", "prediction", "references")


def as_json(scored: ScoredFile, *, losses: bool = False) -> Report:
    """Return the report as JSON-able data, unrounded; `losses` adds the loss breakdown to the tasks."""
    benchmark, signature, processed = scored.result, scored.signature(), scored.processed
    source: Any = scored.source
    report: Report = {
        "schema": SCHEMA,
        "version": VERSION,
        "benchmark": scored.benchmark.name,
        **({"definition": scored.benchmark.definition} if scored.benchmark.definition else {}),
        "engine": engine().name,
        "rouge_aggregation": scored.rouge_aggregation,
        "signature": None if signature is None else str(signature),
        "partial": any(task.partial for task in scored.tasks.values()),
        **averages(scored),
        "missing_tasks": list(scored.benchmark.tasks) if benchmark is None else list(benchmark.missing_tasks),
        "refused_tasks": [name for name, task in scored.tasks.items() if task.result is None],
        "references": source,
        "files": list[Any](file.as_dict() for file in scored.files),
        "post": None
        if processed is None
        else {"rules": [*scored.post], "before": dict(processed.before), "changed": processed.changed},
        "tasks": {name: _task(task, scored, losses=losses) for name, task in scored.tasks.items()},
        "patterns": list[Any](
            {name: value for name, value in asdict(row).items() if name != "post"} | {"ids": [*row.ids]}
            for task in scored.scored.values()
            for row in task.patterns
        ),
        "problems": list[Any](problem.as_dict() for problem in scored.problems[:MAX_PROBLEMS]),
        "problems_left_out": max(0, len(scored.problems) - MAX_PROBLEMS),
    }
    if scored.benchmark.averages:
        report["averages"] = {
            name: {"title": row.title, "mean_of": row.mean_of, "score": score, "interval": interval_as_json(interval)}
            for name, (row, score, interval) in scored.averages.items()
        }
    if scored.run is not None:
        scores = {name: {"without_cut": None, "lost_as_empty": None} for name in scored.run.tasks} | run_scores(scored)
        tasks: Any = {name: {**task.as_dict(), "scores": scores[name]} for name, task in scored.run.tasks.items()}
        report["run"] = {"settings": dict(scored.run.settings), "tasks": tasks}
    return report


def averages(scored: ScoredFile) -> report_data.Averages:
    """Return the benchmark's `score`, the `mean_of_tasks` that were scored, and its `interval`; else `None`."""
    benchmark = scored.result
    score, mean = (benchmark.score, benchmark.mean_of_tasks) if benchmark else (None, None)
    return {"score": score, "mean_of_tasks": mean, "interval": interval_as_json(scored.interval)}


def interval_as_json(interval: Interval | None) -> report_data.IntervalData | None:
    if interval is None:
        return None
    low, high, level, clusters = interval.low, interval.high, interval.level, interval.clusters
    return report_data.IntervalData(low=low, high=high, level=level, clusters=clusters, method=METHOD)


def _task(task: ScoredTask, scored: ScoredFile, *, losses: bool) -> TaskReport:
    result = task.result
    data: TaskReport = {
        "score": task.score,
        "interval": interval_as_json(task.interval),
        "signature": None if result is None else str(scored.signature(task.task.name)),
        "metrics": None if result is None else dict(result.metrics),
        "n": task.answered,
        "total": task.total,
        "partial": task.partial,
        "split": task.split,
        "missing": task.missing,
        "unknown": task.unknown,
        "examples": list[Any](answer.as_dict() for answer in task.answers),
    }
    if task.task.answerability and result is not None:
        data["answerability"] = answerability(task.answers)
    if losses and result is not None:
        data["losses"] = dict(task.losses.mean)
    return data


def answerability(answers: Sequence[Answer]) -> dict[str, report_data.ScoreOfKind]:
    """Return the scores on "answerable" questions, and on those with a normalised reference "unanswerable"."""
    scores: dict[str, list[float]] = {"answerable": [], "unanswerable": []}
    for answer in answers:
        kind = "unanswerable" if "unanswerable" in map(normalize, answer.references) else "answerable"
        scores[kind].append(answer.result.score)
    return {kind: {"score": fmean(points) if points else None, "n": len(points)} for kind, points in scores.items()}


def as_csv(scored: ScoredFile) -> str:
    """Return the report as CSV: a row for each task (`level` "task", no `id`), then those of its answers ("answer").

    A task has the ends of its interval, an answer its text, its references as JSON, and the cause that took most.
    """
    rows: list[dict[str, Any]] = []
    for name, task in scored.scored.items():
        metrics = task.result.metrics if task.result else {}
        parts = {key.removeprefix("rouge/"): value for key, value in metrics.items()}
        low, high = interval_ends(task.interval)
        of_task = {"task": name, "score": task.score, "low": low, "high": high, "answers": task.answered}
        rows.append({**parts, **of_task, "level": "task"})
        for answer in task.explained:
            texts = {"prediction": answer.text, "references": json.dumps(answer.references)}
            rows.append({**answer_record(answer), "lost_to": answer.lost_to, **texts, "level": "answer"})
    return Table(_CSV_HEADER, [[row.get(column) for column in _CSV_HEADER] for row in rows]).csv()


def answer_record(answer: Answer) -> dict[str, Any]:
    """Return `task`, `id`, `score`, the parts of the score in points, `parsed` and `reason` of an answer."""
    row = answer.as_dict()
    values = {**row, **{key: part["fmeasure"] for key, part in row.get("rouge", {}).items()}}
    return {"task": answer.task.name, **{name: values.get(name) for name in ("id", *ANSWER_COLUMNS)}}


def task_rows(scored: ScoredFile) -> list[ScoredTask]:
    """Return every task of the benchmark's average, and others that have predictions, in the benchmark's order."""
    return [
        scored.tasks.get(name) or ScoredTask(task)
        for name, task in scored.benchmark.all_tasks.items()
        if task.averaged or name in scored.tasks
    ]


def status(task: ScoredTask) -> str:
    """Return `scored`, `partial`, `not scored` for a refused task, or `no predictions`."""
    if task.result is not None:
        return "partial" if task.partial else "scored"
    return "not scored" if task.total or task.unknown else "no predictions"


def missing_in_words(task: ScoredTask) -> str:
    """Return what is missing, in words; a prediction that cannot be scored, such as null, is unusable."""
    if task.unknown and not task.total:
        return "no references"
    unusable = task.total - task.answered - len(task.missing)
    counts = {"missing": len(task.missing), "unusable": unusable}
    parts = [f"{count:,} {what}" for what, count in counts.items() if count > 0]
    return ", ".join([*parts, *([counted(len(task.unknown), "unknown ID")] if task.unknown else [])])


def rouge_types(task: ScoredTask) -> str:
    """Return the means of ROUGE-1, 2 and L as papers print them, "43.12/12.46/23.44"; empty for other metrics."""
    metrics = task.result.metrics if task.result else {}
    names = task.task.metric.display_keys if task.task.metric.by_types else ()
    return "/".join(f"{metrics[name]:.2f}" for name in names if name in metrics)


def format_interval(interval: Interval | None, before: str = "") -> str:
    """Return the interval as shown beside a score; empty without one."""
    return "" if interval is None else f"{before}[{one_decimal(interval.low)}, {one_decimal(interval.high)}]"


def interval_ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (interval.low, interval.high) if interval else (None, None)


def one_decimal(points: float) -> str:
    return f"{round(points, 1) + 0.0:.1f}"


def signed(points: float) -> str:
    """Return a difference to one decimal with its sign, without one for 0."""
    return f"{rounded:+.1f}" if (rounded := round(points, 1)) else "0.0"


def progress(scored: ScoredFile) -> str:
    total = len(scored.benchmark.tasks)
    return f"{total - len(scored.result.missing_tasks) if scored.result else 0} of {total} tasks"


def headline(scored: ScoredFile) -> str:
    """Return the average in words, or why there is none."""
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


def headlines(scored: ScoredFile) -> Iterator[str]:
    """Yield the headline, and the benchmark's other averages in words."""
    yield headline(scored)
    for average, score, interval in scored.averages.values():
        number = "not all scored" if score is None else f"{score:.4f}{format_interval(interval, ' ')}"
        yield f"{average.title}: {number} (mean of {', '.join(average.mean_of)})."


def largest_patterns(tasks: Iterable[ScoredTask], most: int = 3) -> list[Pattern]:
    """Return the largest patterns of several answers over these tasks, and all of answers in which nothing is read."""
    patterns = sorted((pattern for task in tasks for pattern in task.patterns), key=lambda pattern: -pattern.below)
    several = [pattern for pattern in patterns if pattern.count > 1][:most]
    return [pattern for pattern in patterns if pattern in several or pattern.name == NOTHING_READ]


def as_text(scored: ScoredFile) -> str:
    """Return the report for a terminal: tasks with predictions, the average, how it was computed, and problems."""
    tasks, source, processed = table(scored), scored.source, scored.processed
    text = [tasks.text(), ""] if tasks.rows else []
    text += headlines(scored)
    text += [pattern.sentence for pattern in largest_patterns(scored.scored.values())]
    if any(task.task.metric.by_types for task in scored.scored.values()):
        text.append(f"ROUGE-1/2/L by {engine().name}, aggregation: {scored.rouge_aggregation}.")
    text += about_intervals(scored)
    if source and source["source"]:
        text.append(f"References: {source['source']}, {source['split']} split.")
    if processed:
        before = (
            f"{name} {'not scored' if score is None else f'{score:.4f}'}" for name, score in processed.before.items()
        )
        changed = counted(processed.changed, "answer")
        text.append(f"Post-processed by {', then '.join(map(short, scored.post))}: {changed} changed.")
        text.append(f"Without it: {', '.join(before)}.")
    text += [f"Signature: {scored.signature()}"] if scored.scored else []
    if scored.run:
        from zs_bench.reports.run_text import run_text  # noqa: PLC0415  (for runs alone)

        text += ["", run_text(scored, scored.run)]
    text += listed("Not scored", lines(problem for problem in scored.problems if problem.is_error))
    text += listed("Warnings", lines(problem for problem in scored.problems if not problem.is_error))
    return "\n".join(text)


def table(scored: ScoredFile) -> Table:
    rows = []
    for task in task_rows(scored):
        if status(task) != "no predictions":
            notes = missing_in_words(task) if task.score is None else "partial" if task.partial else ""
            score = status(task) if task.score is None else f"{task.score:.4f}"
            metric = f"{task.task.metric.name} {rouge_types(task)}".strip() + (f", {notes}" if notes else "")
            rows.append(
                (task.task.name, score, format_interval(task.interval), f"{task.answered}/{task.total}", metric)
            )
    return Table(("task", "score", "", "answers", "metric"), rows, right=(1, 3))


def about_intervals(scored: ScoredFile) -> list[str]:
    """Return what an interval is, what the intervals were computed from, and why some tasks have none."""
    documents = "Examples of one document count together"
    unknown = "it is unknown which share a document"
    reason = "documents are left out, as asked" if scored.references.leaves_documents_out else unknown
    examples = f"Examples are treated as independent, since {reason}"
    kinds: dict[str, list[str]] = {documents: [], examples: []}
    without = []
    for name, task in scored.scored.items():
        names = documents_of(task.answers)
        few = too_few(task.answered, names)
        kind = f"No interval, {few}" if few else documents if names else examples
        kinds.setdefault(kind, []).append(name + (_documents(names) if names and not few else ""))
        without += [name] if few and task.task.averaged else []
    text = []
    if kinds[documents] or kinds[examples]:
        text.append(
            f"Intervals: {LEVEL:g} %, method {METHOD}; {LEVEL:g} of 100 samples like this one have an interval that "
            "holds the score of all such examples."
        )
        if without:
            text.append(f"The average has no interval, since there is none of {', '.join(without)}.")
    for kind, names in kinds.items():
        every = kind != documents and len(names) == len(scored.scored)
        text += [f"{kind}: {'all tasks' if every else ', '.join(names)}."] if names else []
    return text


def _documents(names: Sequence[str]) -> str:
    """Return the number of documents in brackets, with those that have most answers if they are few of many."""
    sizes = Counter(names)
    text = counted(len(sizes), "document")
    if effective_units(len(names), names) < len(sizes) / 2:
        largest = [name for name, _ in sizes.most_common(3)]
        share = 100 * sum(sizes[name] for name in largest) / len(names)
        text += f", of which {', '.join(map(short, largest))} have {share:.0f} % of the answers"
    return f" ({text})"


def as_markdown(scored: ScoredFile, name: str) -> str:
    """Return the report as a Markdown table with a row for each task of the benchmark, and the signature below."""
    rows = []
    for task in task_rows(scored):
        kind = status(task)
        score = kind if task.score is None else f"{task.score:.4f}{format_interval(task.interval, ' ')}"
        answers = "" if kind == "no predictions" else f"{task.answered} of {task.total}"
        answers += " (partial)" if kind == "partial" else ""
        rows.append((markdown_text(task.task.title), task.task.metric.title, score, answers))
    if scored.result and scored.result.score is not None:
        rows.append(("**average**", "", f"**{scored.result.score:.4f}**{format_interval(scored.interval, ' ')}", ""))
    table = Table((markdown_text(name), "metric", "score", "answers"), rows, right=(2, 3)).markdown()
    signature = [f"`{scored.signature()}`", ""] if scored.scored else []
    return "\n".join([table, "", "\n\n".join(headlines(scored)), "", *signature])


def as_latex(scored: ScoredFile, name: str) -> str:
    """Return the report as a LaTeX table (booktabs); the average is last, `--` marks a missing score."""
    average = scored.result.score if scored.result else None
    tasks = ((task.short_title, scored.tasks.get(name)) for name, task in scored.benchmark.tasks.items())
    columns = [(title, task.score if task else None, task.interval if task else None) for title, task in tasks]
    columns += [(each.title, score, interval) for each, score, interval in scored.averages.values()]
    columns.append(("Avg", average, None if average is None else scored.interval))
    titles, scores, intervals = zip(*columns, strict=True)
    rows = [[latex_text(name), *("--" if score is None else f"{score:.1f}" for score in scores)]]
    if any(intervals):
        rows.append(["", *(rf"{{\tiny {format_interval(interval)}}}" if interval else "" for interval in intervals)])
    table = Table(["System", *map(latex_text, titles)], rows, right=range(1, len(columns) + 1))
    signature = scored.signature()
    return f"% {signature}\n{table.latex()}\n" if signature else f"{table.latex()}\n"


def eval_results(
    benchmark: Benchmark,
    scores: Mapping[str, float],
    notes: Mapping[str, str],
    revision: str | None = None,
    dataset: str | None = None,
) -> str:
    """Return the YAML for `.eval_results/` of scores, in points by the task's name or `average`, with these notes.

    `revision` is the commit of the dataset, `dataset` its repo, by default the benchmark's. Raises `MissingExtra`
    without `huggingface_hub`.
    """
    with from_extra("hub"):
        import yaml  # noqa: PLC0415  (it comes with huggingface_hub)
        from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml  # noqa: PLC0415
    repo = dataset or benchmark.repo
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
    own = (source.get("source") or "").startswith(f"Hub, {dataset or scored.benchmark.repo} at ")
    return eval_results(scored.benchmark, scores, notes, source.get("revision") if own else None, dataset)
