"""What `zero-scrolls data` read, as one HTML file: the lengths of inputs and outputs and the spreads, task by task.

There is no text of the data in it, neither of inputs nor of references.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from markupsafe import Markup

from zs_bench.catalog import FACTS
from zs_bench.sources.data_report import DataReport
from zs_bench.statistics.distribution import Distribution
from zs_bench.statistics.measures import Measures
from zs_metric.version import VERSION

from . import words
from .histograms import histograms
from .markup import NOTHING, html, join, table
from .page import page

_Named = tuple[str, Measures]


def data_page(report: DataReport) -> str:
    """The page."""
    named = _named(report)
    sources = dict.fromkeys(one.source_label for one in report.splits)
    about = [words.DATA_MADE.format(VERSION), *(f"Source: {source}." for source in sources)]
    parts = [
        html("<header><h1>{}</h1>{}</header>", words.DATA_TITLE, join(html("<p>{}</p>", line) for line in about)),
        _section(words.DATA_IN, words.DATA_IN_LONG, _chart(named, "inputs", lambda one: one.words_in)),
        _section(words.DATA_OUT, words.DATA_OUT_LONG, _chart(named, "outputs", lambda one: one.words_out)),
        _section(words.DATA_SPREAD, words.DATA_SPREAD_LONG, _chart(named, "spreads", lambda one: one.spread)),
        html("<h2>{}</h2>{}", words.DATA_NUMBERS, _numbers(named)) if named else html("<p>{}</p>", words.DATA_NOTHING),
    ]
    return page(words.DATA_TITLE, parts)


def _named(report: DataReport) -> list[_Named]:
    """The measures by what to call them: the task's title, and the split where there are several."""
    several = len({one.split for one in report.splits}) > 1
    return [
        (FACTS[one.task].title + (f", {one.split}" if several else ""), measures)
        for one, measures in zip(report.splits, report.measures, strict=True)
    ]


def _chart(named: Sequence[_Named], label: str, of: Callable[[Measures], Distribution | None]) -> Markup:
    rows = {name: found for name, measures in named if (found := of(measures))}
    return histograms(rows, label, published={name: _published(one, label) for name, one in named if name in rows})


def _published(measures: Measures, label: str) -> float | None:
    """The paper's average of inputs or outputs; it has none of spreads."""
    size = measures.published
    return None if size is None else {"inputs": size.words, "outputs": size.words_out}.get(label)


def _section(title: str, about: str, chart: Markup) -> Markup:
    return html('<h2>{}</h2><p class="zs-soft">{}</p>{}', title, about, chart) if chart else NOTHING


_HEADS = ("Task", "", "#Count", "#Mean", "#5 %", "#25 %", "#Median", "#75 %", "#95 %", "#Largest")


def _numbers(named: Sequence[_Named]) -> Markup:
    kinds = (("input", "words_in"), ("output", "words_out"), ("spread", "spread"))
    rows = [(name, kind, getattr(measures, field)) for name, measures in named for kind, field in kinds]
    return table(words.DATA_NUMBERS, _HEADS, [_row(*row) for row in rows if row[2] is not None])


def _row(name: str, kind: str, found: Distribution) -> Markup:
    numbers = (found.mean, *(found.percentile(share) for share in (5, 25, 50, 75, 95, 100)))
    cells = join(html('<td class="num">{:,.1f}</td>', number) for number in numbers)
    return html(
        '<tr><th scope="row">{}</th><td>{}</td><td class="num">{:,}</td>{}</tr>', name, kind, len(found.values), cells
    )
