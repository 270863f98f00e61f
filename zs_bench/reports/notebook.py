"""Results in a notebook: one line, HTML with the tables of the terminal, and the frame."""

from typing import TYPE_CHECKING

from markupsafe import escape

from zs_bench.problems import counted
from zs_bench.reports import comparison_text, report_text, study
from zs_bench.scoring.pairing import Comparison, SystemComparison
from zs_bench.scoring.scored import ScoredFile

if TYPE_CHECKING:
    import pandas as pd

Result = ScoredFile | Comparison | SystemComparison | study.Study


def line(result: Result) -> str:
    """Return the result in one line."""
    if isinstance(result, ScoredFile):
        return report_text.headline(result)
    if isinstance(result, study.Study):
        return f"{counted(len(result.runs), 'run')}, {counted(len(result.rows), 'row')}"
    lines = (comparison_text.headline(match) or f"{match.first} and {match.second}" for match in _matches(result))
    return " ".join(lines)


def html(result: Result) -> str:
    """Return the tables that the terminal shows, each below its line."""
    if isinstance(result, ScoredFile):
        tables = [(line(result), report_text.table(result))]
    elif isinstance(result, study.Study):
        tables = [(line(result), study.table(result))]
    else:
        tables = [(line(match), comparison_text.table(match)) for match in _matches(result)]
    return "".join(f"<p>{escape(title)}</p>{table.html()}" for title, table in tables)


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
