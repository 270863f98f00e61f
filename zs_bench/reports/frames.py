"""Results as pandas frames, for notebooks. Scores are points, 0 to 100; what is unknown is NaN or None.

No other module of the reports imports this one, so that only its users wait for pandas.
"""

from collections.abc import Sequence

from zs_bench.extras import from_extra
from zs_bench.published.rows import load_published
from zs_bench.reports.comparison import questions
from zs_bench.reports.comparison_text import better
from zs_bench.reports.file_view import explain_file
from zs_bench.reports.report import ANSWER_COLUMNS, answer_records
from zs_bench.reports.report_text import status, task_rows
from zs_bench.reports.study import Study, score_table
from zs_bench.scoring.pairing import Comparison, SystemComparison
from zs_bench.scoring.scored import ScoredFile
from zs_bench.tasks import info
from zs_metric.explain import CAUSES

with from_extra("frames"):
    import pandas as pd


def tasks_frame(scored: ScoredFile) -> pd.DataFrame:
    """Return one row per task of the benchmark, indexed by its name: score, interval and counts.

    A `status` is "scored", "partial", "not scored" or "no predictions".
    """
    return pd.DataFrame(
        {
            "task": task.task.name,
            "title": info(task.task).title,
            "metric": task.task.metric.name,
            "status": status(task),
            "score": task.score,
            "low": task.interval.low if task.interval else None,
            "high": task.interval.high if task.interval else None,
            "scored": len(task.ids),
            "total": task.total,
            "missing": len(task.missing),
            "unknown": len(task.unknown),
        }
        for task in task_rows(scored)
    ).set_index("task")


def answers_frame(scored: ScoredFile, *, texts: bool = False, losses: bool = False) -> pd.DataFrame:
    """Return one row per scored answer, indexed by task and id: the parts of its score, what was read, and why.

    Args:
        texts: adds `prediction` and `references`, a list.
        losses: adds a column of points for every cause of the loss breakdown, and `main_loss`, which takes a while.
    """
    index = ["task", "id"]
    records = [record for task in scored.scored.values() for record in answer_records(task)]
    frame = pd.DataFrame(records, columns=[*index, *ANSWER_COLUMNS]).set_index(index)
    if texts:
        frame["prediction"] = [text for task in scored.scored.values() for text in task.predictions]
        frame["references"] = [list(texts) for task in scored.scored.values() for texts in task.references]
    if losses:
        of_id = {(row.task.name, row.id): row for row in explain_file(scored).rows}
        nothing = dict.fromkeys(CAUSES, 0.0)
        rows = [{**nothing, **of_id[key].losses, "main_loss": of_id[key].lost_to} for key in frame.index]
        frame = frame.join(pd.DataFrame(rows, index=frame.index))
    return frame


def comparison_frame(comparison: Comparison | Sequence[SystemComparison]) -> pd.DataFrame:
    """Return one row per pair of systems and task compared, indexed by `first`, `second`, `task`; "mean" is the last.

    `difference` is first minus second, `low` and `high` its interval; `better` is a name where it is clear.
    """
    index = ["first", "second", "task"]
    counts = ["p_value", "wins", "ties", "losses"]
    rows = []
    for match in comparison.comparisons if isinstance(comparison, Comparison) else comparison:
        for name, outcome in {**match.tasks, **({"mean": match.mean} if match.mean else {})}.items():
            paired = outcome.comparison
            ends = (paired.interval.low, paired.interval.high) if paired.interval else (None, None)
            numbers = (*outcome.scores, paired.difference, *ends, *(getattr(paired, count) for count in counts))
            rows.append((match.first, match.second, name, *numbers, better(outcome, match)))
    columns = [*index, "score_first", "score_second", "difference", "low", "high", *counts, "better"]
    return pd.DataFrame(rows, columns=columns).set_index(index)


def questions_frame(comparison: Comparison) -> pd.DataFrame:
    """Return one row per question, indexed by task and id, with each system's prediction, score and difference."""
    index = ["task", "id"]
    rows = []
    for question in questions(comparison):
        row = question.as_dict()
        for what in ("prediction", "score", "difference"):
            row |= {f"{what}: {name}": value for name, value in row.pop(f"{what}s").items()}
        rows.append(row)
    return pd.DataFrame(rows, columns=None if rows else index).set_index(index)


def study_frame(study: Study) -> pd.DataFrame:
    """Return one row per score of a study: `task`, `group`, `run`, `tokens`, `examples`, `score`, `low`, `high`."""
    scores = score_table(study)
    return pd.DataFrame(scores.rows, columns=scores.head)


def published_frame(benchmark: str = "zero_scrolls") -> pd.DataFrame:
    """Return one row per published row, with the numbers as printed: an `average` may be over fewer tasks."""
    return pd.DataFrame(
        {
            **{name: getattr(row, name) for name in ("model", "kind", "tokens", "average", "average_over")},
            **row.scores,
            **{name: getattr(row, name) for name in ("split", "year", "source")},
        }
        for row in load_published(benchmark=benchmark)
    )
