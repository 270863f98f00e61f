"""Results in notebooks: one line, the tables of the terminal as HTML, and pandas frames.

Scores are points, 0 to 100; what is unknown is NaN or None. Frames raise `MissingExtra` without pandas, which is
imported when the first one is made.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import escape

from zs_bench.answers import Answer
from zs_bench.benchmarks import DEFAULT
from zs_bench.errors import from_extra
from zs_bench.problems import counted
from zs_bench.published import PublishedRow, load_published
from zs_bench.reports import report, study
from zs_bench.reports.comparison import better, headline, questions, table
from zs_bench.reports.tables import Table
from zs_bench.scoring.compare import Comparison, SystemComparison
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_metric.explain import CAUSES
from zs_metric.means import fmean

if TYPE_CHECKING:
    import pandas as pd

Result = ScoredFile | Comparison | SystemComparison | study.Study


def line(result: Result) -> str:
    return " ".join(title for title, _ in _tables(result))


def html(result: Result) -> str:
    return "".join(f"<p>{escape(title)}</p>{shown.html()}" for title, shown in _tables(result))


def _tables(result: Result) -> list[tuple[str, Table]]:
    if isinstance(result, ScoredFile):
        return [(report.headline(result), report.table(result))]
    if isinstance(result, study.Study):
        return [(f"{counted(len(result.runs), 'run')}, {counted(len(result.rows), 'row')}", study.table(result))]
    matches = result.comparisons if isinstance(result, Comparison) else [result]
    return [(headline(match), table(match)) for match in matches]


def frame(result: Result) -> "pd.DataFrame":
    if isinstance(result, ScoredFile):
        return tasks_frame(result)
    return study_frame(result) if isinstance(result, study.Study) else comparison_frame(result)


def _frame(rows: Sequence[Any], index: Sequence[str] = (), columns: Sequence[str] | None = None) -> "pd.DataFrame":
    with from_extra("frames"):
        import pandas as pd  # noqa: PLC0415  (an extra)
    frame = pd.DataFrame(rows, columns=columns)
    return frame.set_index(list(index)) if index else frame


def tasks_frame(scored: ScoredFile) -> "pd.DataFrame":
    """Return one row per task of the benchmark, indexed by its name: `report.status`, score, interval and counts."""
    rows = []
    for task in report.task_rows(scored):
        about = (task.task.name, task.task.title, task.task.metric.name, report.status(task), task.score)
        counts = (task.answered, task.total, len(task.missing), len(task.unknown))
        rows.append((*about, *report.interval_ends(task.interval), *counts))
    head = "task title metric status score low high scored total missing unknown"
    return _frame(rows, ["task"], head.split())


def answers_frame(scored: ScoredFile, *, texts: bool = False, losses: bool = False) -> "pd.DataFrame":
    """Return one row per scored answer, indexed by task and id: the parts of its score, what was read, and why.

    `texts` adds `prediction` and `references`, a list; `losses`, which take a while, a column of points for every cause
    of the loss breakdown, the mean over the runs, and `main_loss`.
    """
    index, tasks = ["task", "id"], scored.scored.values()
    answers = [answer for task in tasks for answer in task.answers]
    frame = _frame(list(map(report.answer_record, answers)), index, [*index, *report.answer_columns(tasks)])
    if texts:
        frame["prediction"] = [answer.text for answer in answers]
        frame["references"] = [list(answer.references) for answer in answers]
    if losses:
        lost = [losses for task in tasks for losses in _mean_losses(task)]
        for cause in CAUSES:
            frame[cause] = [losses[cause] for losses in lost]
        causes = [max(losses, key=losses.__getitem__) for losses in lost]
        frame["main_loss"] = [
            cause if losses[cause] > 0.005 else "" for cause, losses in zip(causes, lost, strict=True)
        ]
    return frame


def _mean_losses(task: ScoredTask) -> Iterator[dict[str, float]]:
    """Yield what each answer lost to each cause, the mean over its runs."""
    runs = defaultdict[str, list[Answer]](list)
    for answer in task.answers_of_runs:
        runs[answer.id].append(answer)
    for answer in task.answers:
        yield {cause: fmean(run.losses.get(cause, 0.0) for run in runs[answer.id]) for cause in CAUSES}


def comparison_frame(comparison: Comparison | SystemComparison) -> "pd.DataFrame":
    """Return one row per pair of systems and task compared, indexed by `first`, `second`, `task`; "mean" is the last.

    `difference` is second minus first, `low` and `high` its interval; wins, ties and losses are those of the second;
    `better` is a name where the difference is clear.
    """
    index, counts = ["first", "second", "task"], ["p_value", "wins", "ties", "losses"]
    rows = []
    for match in comparison.comparisons if isinstance(comparison, Comparison) else [comparison]:
        for name, outcome in {**match.tasks, **({"mean": match.mean} if match.mean else {})}.items():
            paired = outcome.comparison
            numbers = (*outcome.scores, paired.difference, *report.interval_ends(paired.interval))
            last = (*(getattr(paired, count) for count in counts), better(outcome, match))
            rows.append((match.first, match.second, name, *numbers, *last))
    columns = [*index, "score_first", "score_second", "difference", "low", "high", *counts, "better"]
    return _frame(rows, index, columns)


def questions_frame(comparison: Comparison) -> "pd.DataFrame":
    """Return one row per question, indexed by task and id, with each system's prediction, score and difference."""
    index = ["task", "id"]
    rows = []
    for question in questions(comparison):
        row = question._asdict()
        for what in ("prediction", "score", "difference"):
            row |= {f"{what}: {name}": value for name, value in row.pop(f"{what}s").items()}
        rows.append(row)
    return _frame(rows, index, None if rows else index)


def study_frame(result: study.Study) -> "pd.DataFrame":
    """Return one row per score of a study: `task`, `group`, `run`, `tokens`, `examples`, `score`, `low`, `high`."""
    table = study.score_table(result)
    return _frame(table.rows, columns=table.head)


def published_frame(benchmark: str = DEFAULT) -> "pd.DataFrame":
    """Return one row per published row, with the numbers as printed: an `average` may be over fewer tasks."""

    def fields(row: PublishedRow, names: str) -> dict[str, Any]:
        return {name: getattr(row, name) for name in names.split()}

    first, last = "model kind tokens average average_over", "split year source"
    rows = load_published(benchmark=benchmark)
    return _frame([{**fields(row, first), **row.scores, **fields(row, last)} for row in rows])
