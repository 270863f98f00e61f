"""The report of a scored file: as data (`as_json`), text, CSV, Markdown and LaTeX.

`as_json` is described by `zs_bench/data/report.schema.json` (JSON Schema, draft 2020-12).
CSV holds the numbers unrounded, Markdown to 4 decimals like the released evaluator, LaTeX to one like the paper's
tables. Tasks are in the order of the paper's tables; the average appears only when all tasks are scored.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from zs_bench.answers import Answer, documents_of
from zs_bench.benchmarks import Benchmark
from zs_bench.benchmarks.records import Average
from zs_bench.dataset.source import EXAMPLES, Source
from zs_bench.errors import from_extra
from zs_bench.problems import MAX_PROBLEMS, counted, lines, short
from zs_bench.published import AVERAGE, MARKS, Beside, published_beside
from zs_bench.reports.post_text import post_in_words, post_note
from zs_bench.reports.runs import about_runs, latex_note, runs_as_json, runs_table, spread_as_json
from zs_bench.reports.tables import Markdown, Table, latex_text, listed, markdown_text
from zs_bench.scoring.scored import ScoredFile, ScoredTask, run_scores
from zs_bench.statistics.intervals import LEVEL, METHOD, METHOD_IN_WORDS, Interval, effective_units, too_few
from zs_metric.f1 import normalize
from zs_metric.means import fmean
from zs_metric.metrics import METRICS
from zs_metric.rouge import engine
from zs_metric.version import VERSION

if TYPE_CHECKING:
    from zs_bench.patterns import Pattern
    from zs_bench.scoring.report_data import Averages, IntervalData, Report, ScoreOfKind, TaskReport

#: The parts of the scores of all metrics, name to title.
PARTS = {name: title for metric in METRICS.values() for name, title in metric.parts.items()}
#: What is said of the package's examples where others have a source and a split.
WRITTEN = "examples written for this package"
# The most members of an average that are named.
_FEW_MEMBERS = 12
_CSV_COUNTS = ("answers", "examples", "partial", "level", "low", "high", "lost_to", "prediction", "references")


class _DefinitionKey(TypedDict, total=False):
    definition: str


def as_json(scored: ScoredFile, *, losses: bool = False) -> "Report":
    """Return the report as JSON-able data, unrounded; `losses` adds the loss breakdown to the tasks."""
    benchmark, signature, processed = scored.result, scored.signature(), scored.processed
    source: Any = scored.source and scored.source.as_dict()
    definition: _DefinitionKey = {"definition": scored.benchmark.definition} if scored.benchmark.definition else {}
    aggregation: Any = scored.rouge_aggregation if _uses_engine(scored) else None
    report: Report = {
        "schema": "zero-scrolls-report/3",
        "version": VERSION,
        "benchmark": scored.benchmark.name,
        **definition,
        "engine": engine().name if _uses_engine(scored) else None,
        "rouge_aggregation": aggregation,
        "signature": None if signature is None else str(signature),
        "partial": any(task.partial for task in scored.tasks.values()),
        **averages(scored),
        **runs_as_json(scored),  # type: ignore[typeddict-item]  # none of these parts has further keys
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
    if scored.benchmark.headline:
        report["headline"] = list(scored.benchmark.headline)
    if scored.run is not None:
        scores = {name: {"without_cut": None, "lost_as_empty": None} for name in scored.run.tasks} | run_scores(scored)
        tasks: Any = {name: {**task.as_dict(), "scores": scores[name]} for name, task in scored.run.tasks.items()}
        report["run"] = {"settings": dict(scored.run.settings), "tasks": tasks}
    return report


def averages(scored: ScoredFile) -> "Averages":
    """Return the benchmark's `score`, the `mean_of_tasks` that were scored, and its `interval`; else `None`.

    Where averages of the headline are there, they stand for the mean of all tasks, which such a benchmark has not.
    """
    benchmark = scored.result
    score, mean = (benchmark.score, benchmark.mean_of_tasks) if benchmark else (None, None)
    ends = scored.interval
    if rows := scored_headline(scored):
        mean, ends = None, None if score is None else rows[0][2]
    return {"score": score, "mean_of_tasks": mean, "interval": interval_as_json(ends)}


#: What the intervals assume, as the end of a sentence.
AS_IF = "as if the examples were drawn at random"


def interval_as_json(interval: Interval | None) -> "IntervalData | None":
    if interval is None:
        return None
    low, high, level, clusters = interval.low, interval.high, interval.level, interval.clusters
    return {"low": low, "high": high, "level": level, "clusters": clusters, "method": interval.method}


def _task(task: ScoredTask, scored: ScoredFile, *, losses: bool) -> "TaskReport":
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
    if task.spread:
        data["runs"] = spread_as_json(task.spread)
    if task.stopped:
        data["stopped"] = task.stopped
    if losses and result is not None:
        data["losses"] = dict(task.losses.mean)
    return data


def answerability(answers: Sequence[Answer]) -> "dict[str, ScoreOfKind]":
    """Return the scores on "answerable" questions, and on those with a normalised reference "unanswerable"."""
    scores: dict[str, list[float]] = {"answerable": [], "unanswerable": []}
    for answer in answers:
        kind = "unanswerable" if "unanswerable" in map(normalize, answer.references) else "answerable"
        scores[kind].append(answer.result.score)
    return {kind: {"score": fmean(points) if points else None, "n": len(points)} for kind, points in scores.items()}


def as_csv(scored: ScoredFile) -> str:
    """Return the report as CSV: a row for each task (`level` "task", no `id`), then those of its answers ("answer").

    A task has the ends of its interval, and how many of how many examples are answered; an answer its text,
    its references as JSON, and the cause that took most. Of several runs there are the answers of all, with a last
    column `run`.
    """
    rows: list[dict[str, Any]] = []
    for name, task in scored.scored.items():
        metrics = task.result.metrics if task.result else {}
        parts = {key.removeprefix("rouge/"): value for key, value in metrics.items()}
        low, high = interval_ends(task.interval)
        counts = {"answers": task.answered, "examples": task.total, "partial": "yes" if task.partial else "no"}
        rows.append({**parts, "task": name, "score": task.score, "low": low, "high": high, **counts, "level": "task"})
        for answer in task.answers_of_runs:
            texts = {"prediction": answer.text, "references": json.dumps(answer.references)}
            more = {"lost_to": answer.lost_to, **texts, "level": "answer", "run": answer.run}
            rows.append({**answer_record(answer), **more})
    answers = answer_columns(scored.scored.values())
    header = ("task", "id", *answers, *_CSV_COUNTS, *["run"] * bool(scored.runs))
    return Table(header, [[row.get(column) for column in header] for row in rows]).csv()


def answer_record(answer: Answer) -> dict[str, Any]:
    """Return `task`, `id`, `score`, the parts of the score in points, `parsed` and `reason` of an answer."""
    columns, row = answer_columns([answer]), answer.as_dict()
    values = {**row, **{part: answer.result.points(part) for part in (*PARTS, *answer.task.metric.parts)}}
    return {"task": answer.task.name, **{name: values.get(name) for name in ("id", *columns)}}


def answer_columns(of: Iterable[Answer | ScoredTask]) -> list[str]:
    """Return what a report has of every answer, besides its task and id: points, and what was read and why.

    The parts of the scores by metrics outside `zs_metric` come after those of all metrics there.
    """
    parts = dict.fromkeys([*PARTS, *(part for each in of for part in each.task.metric.parts)])
    return ["score", *parts, "parsed", "reason"]


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
    unusable = task.asked - task.answered - len(task.missing)
    counts = {"missing": len(task.missing), "unusable": unusable, "without a row": task.total - task.asked}
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


#: What stands after a score that leaves answers out, in text and Markdown.
PARTIAL = " (partial)"
_SOME_MISSING = " (partial: some predictions are missing)"


def written(
    score: float | None,
    digits: int = 4,
    *,
    partial: bool,
    interval: Interval | None = None,
    mark: str = PARTIAL,
    none: str = "",
) -> str:
    """Return a score as every report writes it: with its interval, and the mark of a partial one; else `none`."""
    if score is None:
        return none
    number = one_decimal(score) if digits == 1 else f"{score:.{digits}f}"
    return f"{number}{format_interval(interval, ' ')}{mark if partial else ''}"


def one_decimal(points: float) -> str:
    return f"{round(points, 1) + 0.0:.1f}"


def signed(points: float) -> str:
    """Return a difference to one decimal with its sign, without one for 0."""
    return f"{rounded:+.1f}" if (rounded := round(points, 1)) else "0.0"


def source_in_words(source: Source) -> str:
    """Return where references are from; the examples of this package are of no split."""
    if source.split == EXAMPLES:
        return WRITTEN
    return f"{source.label or 'none'}, {source.split} split"


def progress(scored: ScoredFile) -> str:
    total = len(scored.benchmark.tasks)
    return f"{total - len(scored.result.missing_tasks) if scored.result else 0} of {total} tasks"


def headline(scored: ScoredFile) -> str:
    """Return the average in words, or why there is none."""
    benchmark, title = scored.result, scored.benchmark.title
    if whole := _whole_headline(scored):
        return " ".join(_in_words(row, scored) for row in whole)
    if benchmark is None:
        only = ", ".join(scored.scored)
        return f"No {title} score: {only} is not part of it." if only else "No task could be scored."
    partial = scored.leaves_out()
    number = written(benchmark.mean_of_tasks, partial=partial, interval=scored.interval, mark=_SOME_MISSING)
    names = [name for name in scored.benchmark.tasks if name not in benchmark.missing_tasks]
    what = names[0] if len(names) == 1 else f"Mean of {progress(scored)}"
    if scored.of_examples:
        return f"{what}: {number}, on {WRITTEN}: no {title} score, and comparable with none."
    if benchmark.score is not None:
        return f"{title} score: {number}"
    others = f"not scored: {', '.join(benchmark.missing_tasks)}"
    needs = f"The {title} score needs all {len(scored.benchmark.tasks)} tasks"
    if scored.benchmark.headline:
        needs = f"{' and '.join(row[0].title for row in headline_averages(scored))} need all of their tasks"
    return f"{what}: {number}. {needs}; {others}."


_Row = tuple[Average, float | None, Interval | None]


def headline_averages(scored: ScoredFile) -> list[_Row]:
    """Return the averages that are the benchmark's score, where it is not the mean of all tasks."""
    return [scored.averages[name] for name in scored.benchmark.headline]


def _whole_headline(scored: ScoredFile) -> list[_Row]:
    return [] if scored.of_examples else scored_headline(scored)


def scored_headline(scored: ScoredFile) -> list[_Row]:
    """Return those of the headline's averages of which all tasks were scored."""
    return [row for row in headline_averages(scored) if row[1] is not None]


def other_averages(scored: ScoredFile) -> list[_Row]:
    """Return the averages that are shown beside the benchmark's score: all that are neither it nor hidden."""
    rows, headline_names = scored.averages.items(), scored.benchmark.headline
    return [row for name, row in rows if name not in headline_names and not row[0].hidden]


def _in_words(row: _Row, scored: ScoredFile) -> str:
    average, score, interval = row
    number = written(score, partial=scored.leaves_out(average), interval=interval, none="not all scored")
    return f"{average.title}: {number}."


def headlines(scored: ScoredFile) -> Iterator[str]:
    """Yield the headline, and the benchmark's other averages in words."""
    whole = _whole_headline(scored)
    yield from (_in_words(row, scored) for row in whole) if whole else [headline(scored)]
    for row in other_averages(scored):
        sentence, members = _in_words(row, scored), ", ".join(row[0].mean_of)
        yield f"{sentence[:-1]} (mean of {members})." if len(row[0].mean_of) <= _FEW_MEMBERS else sentence


def largest_patterns(tasks: Iterable[ScoredTask], most: int = 3) -> "list[Pattern]":
    """Return the largest patterns of several answers over these tasks, and all of answers in which nothing is read.

    Those of which it is known that they cost nothing are left out.
    """
    from zs_bench.patterns import NOTHING_READ, Pattern  # noqa: PLC0415  (a comparison needs none)

    patterns = sorted((pattern for task in tasks for pattern in task.patterns), key=Pattern.order)
    costly = (pattern for pattern in patterns if pattern.points is None or round(pattern.points, 1))
    several = [pattern for pattern in costly if pattern.count > 1][:most]
    return [pattern for pattern in patterns if pattern in several or pattern.name == NOTHING_READ]


def yardsticks(scored: ScoredFile, *, titles: bool = False) -> Iterator[str]:
    """Yield the tasks whose scores are not above the naive baseline, and what is published (`published_beside`).

    Tasks have their names, or `titles`.
    """
    named = {task.task.title if titles else name: task for name, task in scored.scored.items()}
    beside = {name: beside_task(task, scored) for name, task in named.items()}
    low = []
    for name, (points, _) in beside.items():
        task = named[name]
        score = written(task.score, 1, partial=task.partial)
        low += [f"{name} {score} (baseline {points['naive']:g})"] if _at_most(task.score, points.get("naive")) else []
    if low:
        yield f"Not above the naive baseline of the test split: {'; '.join(low)}."
    for apart in dict.fromkeys(each.apart for each in beside.values() if each.points):
        tasks = {name: each.points for name, each in beside.items() if each.points and each.apart == apart}
        kinds = [kind for kind in MARKS if any(kind in points for points in tasks.values())]
        numbers = {
            name: [f"{points[kind]:g}" if kind in points else "–" for kind in kinds] for name, points in tasks.items()
        }
        rows = "; ".join(f"{name} {', '.join(row)}" for name, row in numbers.items())
        of = f"the whole test split{', ' if apart else ''}{apart}"
        yield f"Published averages over {of}; of each task {', '.join(map(MARKS.__getitem__, kinds))}: {rows}."


def beside_task(task: ScoredTask, scored: ScoredFile) -> Beside:
    """Return the published averages beside the score of a task."""
    split, aggregation = task.split, scored.rouge_aggregation
    return published_beside(task.task, answered=task.answered, split=split, aggregation=aggregation)


def _at_most(score: float | None, other: float | None) -> bool:
    return score is not None and other is not None and round(score, 1) <= round(other, 1)


def as_text(scored: ScoredFile) -> str:
    """Return the report for a terminal: tasks with predictions, the average, how it was computed, and problems."""
    tasks, source = table(scored), scored.source
    text = [tasks.text(), ""] if tasks.rows else []
    text += headlines(scored)
    text += [*yardsticks(scored), *(pattern.sentence for pattern in largest_patterns(scored.scored.values()))]
    if _uses_engine(scored):
        text.append(f"ROUGE-1/2/L by {engine().name}, aggregation: {scored.rouge_aggregation}.")
    text += about_intervals(scored)
    if scored.runs:
        text += [*about_runs(scored), "", runs_table(scored).text(), ""]
    if source and source.label:
        text.append(f"References: {source_in_words(source)}.")
    text += post_in_words(scored)
    text += [f"Signature: {scored.signature()}"] if scored.scored else []
    if scored.run:
        from zs_bench.reports.run_text import run_text  # noqa: PLC0415  (for runs alone)

        text += ["", run_text(scored, scored.run)]
    text += listed("Not scored", lines(problem for problem in scored.problems if problem.is_error))
    text += listed("Warnings", lines(problem for problem in scored.problems if not problem.is_error))
    return "\n".join(text)


def _uses_engine(scored: ScoredFile) -> bool:
    return any(task.task.metric.by_types for task in scored.scored.values())


def rouge_in_words(scored: ScoredFile) -> str:
    """Return which ROUGE the scored tasks use; empty if none does."""
    signature = scored.signature()
    others = (
        [f"ROUGE-L as {', '.join(names)}" for names in [signature.parts.get("rouge-l", ())] if names]
        if signature
        else []
    )
    return "; ".join([*([f"ROUGE by {engine().name}"] if _uses_engine(scored) else []), *others])


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
    documents, questions = "Examples of one document count together", "Rows of one question count together"
    unknown = "it is unknown which share a document"
    reason = "documents are left out, as asked" if scored.references.leaves_documents_out else unknown
    examples = f"Examples are treated as independent, since {reason}"
    kinds: dict[str, list[str]] = {documents: [], examples: []}
    without = []
    for name, task in scored.scored.items():
        names = documents_of(task.answers)
        few = too_few(task.answered, names)
        kind = f"No interval, {few}" if few else documents if names else examples
        if (
            names
            and not few
            and task.repeated
            and all(each.document == task.question(each.id) for each in task.answers)
        ):
            kinds.setdefault(questions, []).append(f"{name} ({counted(task.answered, 'question')})")
            continue
        kinds.setdefault(kind, []).append(name + (_documents(names) if names and not few else ""))
        without += [name] if few and task.task.averaged else []
    text = []
    if kinds[documents] or kinds[examples] or questions in kinds:
        text.append(f"Intervals: {LEVEL:g} %, method {METHOD} ({METHOD_IN_WORDS}), {AS_IF}.")
        if without:
            text.append(f"The average has no interval, since there is none of {', '.join(without)}.")
    for kind, names in kinds.items():
        every = kind not in (documents, questions) and len(names) == len(scored.scored)
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
        score = written(task.score, partial=task.partial, interval=task.interval, none=kind)
        answers = "" if kind == "no predictions" else f"{task.answered} of {task.total}"
        rows.append((task.task.title, task.task.metric.title, score, answers))
    if scored.result and scored.result.score is not None and not scored.benchmark.headline:
        mean = written(scored.result.score, partial=scored.leaves_out(), interval=scored.interval)
        number, space, rest = mean.partition(" ")
        title = "mean of these tasks" if scored.of_examples else "average"
        rows.append((Markdown(f"**{title}**"), "", Markdown(f"**{number}**{space}{rest}"), ""))
    table = Table((name, "metric", "score", "answers"), rows, right=(2, 3)).markdown()
    signature = [f"`{scored.signature()}`", ""] if scored.scored else []
    about = "\n\n".join(map(markdown_text, [*headlines(scored), *about_runs(scored), *post_in_words(scored)]))
    between = [runs_table(scored).markdown(), ""] if scored.runs else []
    return "\n".join([table, "", about, "", *between, *signature])


def as_latex(scored: ScoredFile, name: str) -> str:
    """Return the report as a LaTeX table (booktabs); the average is last, `--` marks a missing score."""
    average = scored.result.score if scored.result else None
    tasks = ((task.short_title, scored.tasks.get(name)) for name, task in scored.benchmark.tasks.items())
    columns = [
        _latex_column(title, task.score, task.interval, partial=task.partial) if task else _latex_column(title)
        for title, task in tasks
    ]
    columns += [_latex_average(row, scored) for row in (*other_averages(scored), *headline_averages(scored))]
    if not scored.benchmark.headline:
        interval = None if average is None else scored.interval
        columns.append(
            _latex_column("Mean" if scored.of_examples else "Avg", average, interval, partial=scored.leaves_out())
        )
    signature = scored.signature()
    written_here = [f"{WRITTEN}: comparable with no published score"] if scored.of_examples else []
    notes = map(latex_text, [*written_here, *latex_note(scored), *post_note(scored)])
    tables = [_latex_table(name, columns, notes), *(_latex_table(name, part) for part in _parts(scored))]
    return "\n\n".join([*([f"% {signature}\n{tables.pop(0)}"] if signature else []), *tables]) + "\n"


class _Column(NamedTuple):
    """A column of a LaTeX table: title and score, and the interval below it, which may be empty."""

    title: str
    score: str
    interval: str


#: What stands after a partial score in LaTeX, and what explains it below the table.
DAGGER = r"$^\dagger$"
PARTIAL_NOTE = rf"{DAGGER} partial: answers are missing"


def _latex_column(
    title: str, score: float | None = None, interval: Interval | None = None, *, partial: bool = False
) -> _Column:
    ends = rf"{{\tiny {format_interval(interval)}}}" if interval else ""
    return _Column(latex_text(title), written(score, 1, partial=partial, mark=DAGGER, none="--"), ends)


def _latex_average(row: _Row, scored: ScoredFile) -> _Column:
    average, score, interval = row
    return _latex_column(average.short_title, score, interval, partial=scored.leaves_out(average))


def _parts(scored: ScoredFile) -> Iterator[list[_Column]]:
    """Yield the columns of each average of the headline that is one of averages: those, and itself."""
    averages = scored.averages
    for name in scored.benchmark.headline:
        members = [averages[member] for member in averages[name][0].mean_of if member in averages]
        if members and any(row[1] is not None for row in members):
            yield [_latex_average(row, scored) for row in (*members, averages[name])]


def _latex_table(name: str, columns: Sequence[_Column], others: Iterable[str] = ()) -> str:
    titles, scores, intervals = zip(*columns, strict=True)
    rows = [[latex_text(name), *scores], *([["", *intervals]] if any(intervals) else [])]
    notes = [*([PARTIAL_NOTE] if any(DAGGER in score for score in scores) else []), *others]
    return Table(["System", *titles], rows, range(1, len(columns) + 1), notes).latex()


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
    notes = {name: str(scored.signature(name)) + PARTIAL * scored.tasks[name].partial for name in scores}
    if scored.result and scored.result.score is not None:
        scores[AVERAGE] = scored.result.score
        notes[AVERAGE] = str(scored.signature(*scored.benchmark.tasks)) + PARTIAL * scored.leaves_out()
    source = scored.source
    commit = source.commit if source and source.is_of(dataset or scored.benchmark.repo) else None
    return eval_results(scored.benchmark, scores, notes, commit, dataset)
