"""Scores, explanations and reports drawn as HTML and inline SVG: no script, no request.

This module has the Jinja2 environment of all HTML, marked texts, charts, and the frame of a page. Values are escaped
and a missing value is an error; the templates are package data.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timezone
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from zs_bench.dataset.measures import BigramSpread
from zs_bench.problems import counted, lines
from zs_bench.reports import answers, comparison, post_text, report, runs
from zs_bench.scoring.compare import Outcome, SystemComparison
from zs_metric.explain import CAUSES
from zs_metric.texts import clean_text
from zs_metric.version import VERSION

#: The resolution of the strip: word pairs at the same position share a tick.
PLACES = 1000


class Point(NamedTuple):
    """A score in points at an input length, and the ends of its interval where it has one."""

    tokens: int
    score: float
    ends: tuple[float, float] | None = None


def length_chart(series: Mapping[str, Sequence[Point]], label: str) -> Markup:
    """Draw score against input length, a line for each model; `label` introduces the chart in words."""
    lengths = sorted({point.tokens for points in series.values() for point in points})
    tops = [max(0, point.score, *(point.ends or ())) for points in series.values() for point in points]
    top, low, high = max(10, 10 * math.ceil(max(tops) / 10)), math.log2(lengths[0]), math.log2(lengths[-1])

    def below(point: Point, name: str) -> bool:
        """Return whether a line just above forces the label below the point."""
        others = (other for model, points in series.items() if model != name for other in points)
        return any(abs(math.log2(near.tokens / point.tokens)) < 0.5 and near.score > point.score for near in others)

    return render(
        "length_chart.html",
        label=label,
        # The drawing's own units, small so that its text stays readable on a phone; lengths on a logarithmic axis.
        x=lambda tokens: 60 + 258 * (math.log2(tokens) - low) / ((high - low) or 1),
        y=lambda score: 16 + 210 * (1 - score / top),
        top=top,
        ticks=[tokens for tokens in lengths if tokens & (tokens - 1) == 0],
        series=series,
        below=below,
    )


def strip(spread: BigramSpread, what: str = "the answer") -> Markup:
    """Draw the strip, with a band of one standard deviation around the mean place, and say it in a sentence."""
    last, band = max(spread.words - 1, 1), tuple[float, ...]()
    if spread.deviation:
        mean = sum(spread.places) / len(spread.places)
        low, high = (min(max(mean + side * spread.deviation, 0), last) / last * 100 for side in (-1, 1))
        band = (low, high - low)
    ticks = sorted({round(place / last * PLACES) for place in spread.places})

    def words(count: float) -> str:
        return counted(int(count), "word") if count == int(count) else f"{count:,.{0 if count >= 10 else 1}f} words"

    return render("strip.html", spread=spread, what=what, ticks=ticks, places=PLACES, band=band, words=words)


class Axis(NamedTuple):
    """An axis from 0 to 100: where a difference is on it, and its ticks, each a place and its text."""

    x: Callable[[float], float]
    ticks: list[tuple[float, str]]


def difference_axis(match: SystemComparison) -> Axis:
    """Return the linear axis of the differences of a match, with 0 in its middle."""
    paired = [outcome.comparison for outcome in (*match.tasks.values(), match.mean) if outcome]
    ends = [end for pair in paired if pair.interval for end in (pair.interval.low, pair.interval.high)]
    limit = max([1.0, *map(abs, ends), *(abs(pair.difference) for pair in paired)])
    step = max(step for step in (0.5, 1, 2, 5, 10, 20, 50) if 2 * step <= limit)

    def x(value: float) -> float:
        return 50 + 49 * value / limit

    return Axis(x, [(x(tick), f"{tick:+g}" if tick else "0") for tick in (side * step for side in range(-2, 3))])


#: The style sheets of all HTML, of its colours inside an element of the class `dark`, of a report, and of tables that
#: have little room, which the app needs in its head.
STYLE, DARK, REPORT, NARROW = (
    Path(__file__).with_name(f"{name}.css") for name in ("style", "dark", "report", "narrow")
)
#: The style sheets that the app needs.
STYLES = (STYLE, DARK)
#: The colours (classes of the style sheet) of the causes of loss.
COLOURS = dict.fromkeys(CAUSES, "content") | {
    **dict.fromkeys(("unfinished thinking", "misread", "nothing read", "two options", "wrong ids"), "format"),
    "typography": "typography",
    "words too many": "length",
}
#: What the causes mean whose names do not say it.
MEANINGS = {
    "words missing": "in the best reference, not in the prediction: lowers recall",
    "words too many": "in the prediction, not in the best reference: lowers precision",
    "misread": "a person reads an answer in the prediction that the metric does not",
    "nothing read": "the prediction has nothing that the metric reads",
    "typography": "quotes, dashes or accents in other characters than the reference's",
    "not explained": "what the metric takes off is not broken down, or the prediction has more than 50,000 characters",
}


class _Fields(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]


#: A value for a template. It is there: an absent one is an empty text or list, or a value that says so.
Value = str | float | date | Iterable[Any] | Callable[..., Any] | _Fields


def cut(text: str, limit: int) -> str:
    """Return the text, cut to that length with an ellipsis.

    >>> cut("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= limit else text[: limit - 1] + "…"


def marked(text: str, spans: Iterable[tuple[int, int, str]], longest: int, *, whole: bool = False) -> Markup:
    """Return at most `longest` characters with spans `(start, end, class)` marked; they begin near the first span.

    >>> marked("Answer: <B>", [(8, 11, "hit")], 100)
    Markup('Answer: <mark class="hit">&lt;B&gt;</mark>')
    """
    spans = list(spans)
    start = spans[0][0] - 150 if spans and spans[0][0] > 250 and not whole else 0
    stop, end = start + longest, start
    opening = {kind: Markup('<mark class="{}">').format(kind) for kind in {span[2] for span in spans}}
    pieces: list[Markup | str] = ["… " if start else ""]
    for begin, finish, kind in spans:
        if end <= begin and finish <= stop:
            pieces += [text[end:begin], opening[kind], text[begin:finish], Markup("</mark>")]
            end = finish
    return Markup("").join([*pieces, text[end:stop], " …" if len(text) > stop else ""])


@cache
def environment(*packages: str) -> Environment:
    """Return the environment with the templates of these packages and those of the reports."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in (*packages, "zs_bench.reports.html")]),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.do"],
    )
    environment.filters |= {
        "points": "{:.4f}".format,
        "decimals": lambda value, digits=1: f"{value:.{digits}f}",
        "signed": lambda value, digits=2: f"{value:+.{digits}f}",
        "thousands": "{:,}".format,
        "counted": counted,
        "capital": lambda text: text[:1].upper() + text[1:],
    }
    functions = (
        *(answers.largest_losses, answers.loss_sentence, cut, direction, marked),
        *(comparison.by_randomization, comparison.changes, comparison.closed_book_gap),
        *(comparison.outcomes, comparison.p_value),
        *(comparison.about_differences, comparison.verdict_word, comparison.warnings),
        *(report.about_intervals, report.format_interval, report.source_in_words, report.largest_patterns),
        *(report.yardsticks, post_text.post_in_words, post_text.rules_in_words),
        *(
            report.missing_in_words,
            report.rouge_in_words,
            report.status,
            runs.about_runs,
            runs.runs_table,
            runs.systems_in_words,
        ),
    )
    environment.globals |= {function.__name__: function for function in functions}
    environment.globals |= {"causes": CAUSES, "colours": COLOURS, "meanings": MEANINGS, "lines_of": lines}
    return environment


def render(template: str, **values: Value) -> Markup:
    """Render a template below `templates/`, with the values escaped unless they are `Markup`; a missing one raises."""
    return Markup(environment().get_template(template).render(values))  # noqa: S704 - the environment escapes


def direction(outcome: Outcome, match: SystemComparison) -> str:
    """Return the class that colours a difference: by the system that is clearly better, "" where none is."""
    winner = comparison.better(outcome, match)
    return "" if winner is None else "zs-up" if winner == match.second else "zs-down"


def notice(kind: str, title: str, lines: Iterable[str] = ()) -> Markup:
    """Draw a framed message: `error`, `warning` or `info`, with a list under its title."""
    return render("notice.html", kind=kind, title=title, lines=lines)


def page(title: str, template: str, **values: Value) -> str:
    """Render the template as a one-file page; its values include `day` (today, UTC) and `version`."""
    body = render(template, day=datetime.now(timezone.utc).date(), version=VERSION, **values)
    return clean_text(str(render("page.html", title=title, style=_style(), body=body)), "page")


@cache
def _style() -> Markup:
    """Return the style sheets; dark colours where the reader's system is dark, except on paper."""
    style, dark, report, narrow = (path.read_text(encoding="utf-8") for path in (STYLE, DARK, REPORT, NARROW))
    dark = re.sub(r"^\.dark\b", ":root", dark, flags=re.MULTILINE)
    return Markup(f"{style}@media screen and (prefers-color-scheme: dark) {{\n{dark}}}\n{report}{narrow}")  # noqa: S704
