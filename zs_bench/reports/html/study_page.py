"""A study as one HTML file: a chart for each task, and the table."""

from datetime import date, datetime, timezone
from itertools import groupby

from markupsafe import Markup

from zs_bench.reports.html.charts import Point, bar_chart, length_chart
from zs_bench.reports.html.environment import page, render
from zs_bench.reports.report_text import ends
from zs_bench.reports.study import Study, StudyRow
from zs_metric.version import VERSION


def study_page(study: Study, *, day: date | None = None) -> str:
    """The study; scores over input lengths are lines, others bars."""
    rows = sorted(study.rows, key=lambda row: row.task is not None)  # the average first
    charts = [_chart(study, title, list(some)) for title, some in groupby(rows, key=lambda row: row.title)]
    body = render(
        "study.html",
        study=study,
        charts=charts,
        grouped=any(row.group for row in study.rows),
        ends=ends,
        day=day or datetime.now(timezone.utc).date(),
        version=VERSION,
    )
    return page("A study of runs", [body])


def _chart(study: Study, title: str, rows: list[StudyRow]) -> tuple[str, Markup]:
    if not rows[0].group and all(run.tokens for run in study.runs):
        lines: dict[str, list[Point]] = {}
        for run, one in zip(study.runs, rows[0].scores, strict=True):
            if one and run.tokens:
                bounds = (one.interval.low, one.interval.high) if one.interval else None
                lines.setdefault(run.series, []).append(Point(run.tokens, round(one.score, 1), bounds))
        return title, length_chart(lines, f"{title}, score by input length: {_in_words(lines)}")
    bars = {
        " · ".join(filter(None, [row.group, run.name if len(study.runs) > 1 or not row.group else ""])): one
        for row in rows
        for run, one in zip(study.runs, row.scores, strict=True)
        if one
    }
    intervals = {name: (one.interval.low, one.interval.high) for name, one in bars.items() if one.interval}
    label = f"{title}: " + ", ".join(f"{name} {one.score:.2f}" for name, one in bars.items())
    return title, bar_chart({name: one.score for name, one in bars.items()}, label, intervals=intervals)


def _in_words(lines: dict[str, list[Point]]) -> str:
    return "; ".join(
        f"{name}: " + ", ".join(f"{one.tokens:,} tokens {one.score}" for one in points)
        for name, points in lines.items()
    )
