"""An answer's score as a card, and the small pieces that every page and report is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from zs_bench.catalog import FACTS, metric_title
from zs_metric.results import ExampleResult

from . import words
from .markup import NOTHING, html, join


def points(score: float) -> Markup:
    """A score to the last printed digit, the decimals smaller."""
    whole, decimals = f"{score:.4f}".split(".")
    return html('<span class="zs-points">{}<small>.{}</small></span>', whole, decimals)


def gauge(score: float, marks: Iterable[tuple[str, float]] = ()) -> Markup:
    """A bar from 0 to 100 filled up to the score, with named marks on it."""
    marks = list(marks)
    ticks = join(html('<i style="left:{:.2f}%" title="{} {:g}"></i>', value, name, value) for name, value in marks)
    label = ", ".join([f"{score:.4f} of 100", *(f"{name} {value:g}" for name, value in marks)])
    return html(
        '<div class="zs-gauge" role="img" aria-label="{}"><b style="width:{:.2f}%"></b>{}</div>', label, score, ticks
    )


def score_card(
    task: str,
    result: ExampleResult,
    marks: Mapping[str, float | None],
    *,
    live: bool = True,
    benchmark: str = "zero_scrolls",
) -> Markup:
    """The score of one answer with the marks to beat, what was read in it and why it is not more.

    `live`: whether it changes as someone types, and is read out then.
    """
    known = {name: round(value, 1) for name, value in marks.items() if value is not None}
    rows = [("Read in the answer", _parsed(result)), *_parts(result)]
    parts = join(html("<dt>{}</dt><dd>{}</dd>", *row) for row in rows)
    reason = html('<p class="zs-reason">{}</p>', _sentence(result.reason)) if result.reason else ""
    return html(
        '<div class="zs-card"{}><h3>{} <small>{}</small></h3><div class="zs-score">{}</div>{}{}{}<dl>{}</dl></div>',
        Markup(' role="status" aria-live="polite"') if live else NOTHING,
        metric_title(task, benchmark),
        FACTS[task].title,
        points(result.score),
        gauge(result.score, known.items()),
        _marks(known),
        reason,
        parts,
    )


def _marks(marks: Mapping[str, float]) -> Markup:
    """The marks in words: the task's published averages."""
    if not marks:
        return Markup("")
    told = ", ".join(f"{words.MARKS[name]} {value:g}" for name, value in marks.items())
    return html('<p class="zs-marks">{} {}</p>', words.MARKS_LEAD, told)


def notice(kind: str, title: str, lines: Sequence[str] = ()) -> Markup:
    """A framed message: `error`, `warning` or `info`, with a list under its title."""
    items = join(html("<li>{}</li>", line) for line in lines)
    listed = html("<ul>{}</ul>", items) if items else ""
    role = "alert" if kind == "error" else "status"
    return html('<div class="zs-notice zs-{}" role="{}"><strong>{}</strong>{}</div>', kind, role, title, listed)


def _parsed(result: ExampleResult) -> Markup | str:
    if result.parsed is None:
        return Markup('<span class="zs-none">nothing</span>')
    if result.rouge is not None:
        return f"{len(str(result.parsed).split()):,} words"
    if isinstance(result.parsed, float):
        return f"{result.parsed:.10g}%"
    text = ", ".join(map(str, result.parsed[:60])) if isinstance(result.parsed, tuple) else str(result.parsed)
    return html("<code>{}</code>", text if len(text) <= 300 else text[:299] + "…")


def _parts(result: ExampleResult) -> list[tuple[str, Markup | str]]:
    if result.rouge is not None:
        return [
            (
                f"ROUGE-{name.removeprefix('rouge')}",
                f"{part.fmeasure:.4f} (precision {part.precision:.1f}, recall {part.recall:.1f})",
            )
            for name, part in result.rouge.items()
        ]
    if result.precision is not None and result.recall is not None:
        return [("Precision", f"{result.precision:.4f}"), ("Recall", f"{result.recall:.4f}")]
    return []


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
