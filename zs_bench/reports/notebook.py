"""Results in a notebook: one line, HTML with the tables of the terminal, and the frame."""

from typing import TYPE_CHECKING

from markupsafe import escape

from zs_bench.problems import counted
from zs_bench.reports import comparison_text, report_text, study
from zs_bench.reports.tables import Table
from zs_bench.scoring.pairing import Comparison, SystemComparison
from zs_bench.scoring.scored import ScoredFile

if TYPE_CHECKING:
    import pandas as pd

Result = ScoredFile | Comparison | SystemComparison | study.Study


def _tables(result: Result) -> list[tuple[str, Table]]:
    """Return the tables that the terminal shows, each with its line."""
    if isinstance(result, ScoredFile):
        return [(report_text.headline(result), report_text.table(result))]
    if isinstance(result, study.Study):
        counts = f"{counted(len(result.runs), 'run')}, {counted(len(result.rows), 'row')}"
        return [(counts, study.table(result))]
    return [
        (comparison_text.headline(match) or f"{match.first} and {match.second}", comparison_text.table(match))
        for match in _matches(result)
    ]


def line(result: Result) -> str:
    """Return the result in one line."""
    return " ".join(title for title, _ in _tables(result))


def html(result: Result) -> str:
    """Return the tables that the terminal shows, each below its line."""
    return "".join(f"<p>{escape(title)}</p>{table.html()}" for title, table in _tables(result))


def frame(result: Result) -> "pd.DataFrame":
    """Return the rows of the result as a frame."""
    from zs_bench.reports import frames  # noqa: PLC0415  (pandas, an extra)

    if isinstance(result, ScoredFile):
        return frames.tasks_frame(result)
    if isinstance(result, study.Study):
        return frames.study_frame(result)
    return frames.comparison_frame(_matches(result))


def _matches(result: Comparison | SystemComparison) -> list[SystemComparison]:
    return result.comparisons if isinstance(result, Comparison) else [result]
