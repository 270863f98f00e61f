"""Where the points of a scored file went, drawn and told, and how long its answers are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import quantiles
from typing import Any

from markupsafe import Markup

from zs_bench.catalog import FACTS
from zs_bench.reports.file_view import FileView

from . import words
from .markup import NOTHING, html, join


def losses(view: FileView) -> Markup:
    """Where the points went, per task: stacked bars, sentences, and the lengths of answers and references."""
    if not view.ledgers:
        return NOTHING
    legend = join(html('<li><i class="{}"></i>{}</li>', part, text) for part, text in words.LOSSES.items())
    return html(
        '<section class="zs-losses" id="losses"><h3>{}</h3>'
        '<div class="zs-ledger"><ul><li><i class="score"></i>score</li>{}'
        "</ul></div>{}{}</section>",
        words.FILE_LOSSES,
        legend,
        join(_loss_row(name, ledger) for name, ledger in view.ledgers.items()),
        _lengths(view.ledgers, {name: task.metric for name, task in view.scored.tasks.items()}),
    )


def _loss_row(name: str, ledger: Mapping[str, Any]) -> Markup:
    pieces = [("score", ledger["score"]), *ledger["ledger"].items()]
    bar = join(html('<b class="{}" style="width:{:.2f}%" title="{} {:.2f}"></b>', p, v, p, v) for p, v in pieces if v)
    return html(
        '<div class="zs-loss"><strong>{}</strong><div class="zs-stack" role="img" aria-label="{}">{}</div>'
        "<span>{}</span></div>",
        FACTS[name].title,
        f"{FACTS[name].title}: " + ", ".join(f"{part} {value:.1f}" for part, value in pieces),
        bar,
        loss_sentence(ledger),
    )


def loss_sentence(ledger: Mapping[str, Any]) -> str:
    """One task's losses in a sentence.

    >>> loss_sentence({"ledger": {"format": 4.0, "typography": 0.0, "length": 31.0, "content": 24.0}, "in_format": 0.5,
    ...                "aggregation": 0.0})
    'of 59.0 lost points, 31.0 length, 24.0 content, 4.0 format; 50% in the asked format'
    """
    parts = sorted(((value, part) for part, value in ledger["ledger"].items() if value >= 0.05), reverse=True)
    lost = sum(value for value, _ in parts)
    told = f"of {lost:.1f} lost points, " + ", ".join(f"{value:.1f} {part}" for value, part in parts)
    step = f"; aggregation {ledger['aggregation']:+.2f}" if abs(ledger["aggregation"]) >= 0.005 else ""
    return f"{told if parts else 'nothing lost'}{step}; {ledger['in_format']:.0%} in the asked format"


def _lengths(ledgers: Mapping[str, Mapping[str, Any]], metrics: Mapping[str, str]) -> Markup:
    """For the tasks with texts as answers: the middle 80 % of the lengths in words, on one scale per task."""
    rows = [
        _length_row(name, ledger["answer_words"], ledger["reference_words"])
        for name, ledger in ledgers.items()
        if metrics[name] in ("rouge", "f1")
    ]
    legend = join(html('<li><i class="{}"></i>{}s</li>', kind, kind) for kind in ("answer", "reference"))
    head = html('<h3>{}</h3><div class="zs-ledger"><ul>{}</ul></div>', words.FILE_LENGTHS, legend)
    return head + html('<div class="zs-lengths">{}</div>', join(rows)) if rows else NOTHING


def _length_row(name: str, answers: Sequence[int], references: Sequence[int]) -> Markup:
    top = max(1.0, *(_spread(column)[2] for column in (answers, references)))
    bars = [_span(kind, _spread(column), top) for kind, column in (("answer", answers), ("reference", references))]
    told = [f"{kind}s {_spread(c)[1]:.0f} words" for kind, c in (("answer", answers), ("reference", references))]
    return html(
        '<div class="zs-length"><strong>{}</strong><div role="img" aria-label="{}">{}</div><span>{}</span></div>',
        FACTS[name].title,
        f"{FACTS[name].title}, median lengths: {', '.join(told)}",
        join(bars),
        " · ".join(told),
    )


def _spread(lengths: Sequence[int]) -> tuple[float, float, float]:
    """The 10th, 50th and 90th percentile."""
    if len(lengths) < 2:
        return (float(lengths[0]),) * 3
    cuts = quantiles(lengths, n=10, method="inclusive")
    return cuts[0], cuts[4], cuts[8]


def _span(kind: str, spread: tuple[float, float, float], top: float) -> Markup:
    low, middle, high = (100 * value / top for value in spread)
    bar = '<p class="{}"><b style="left:{:.1f}%;width:{:.1f}%"></b><i style="left:{:.1f}%"></i></p>'
    return html(bar, kind, low, max(high - low, 0.8), min(middle, 99.2))
