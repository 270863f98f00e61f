"""Pieces of the page as HTML, rendered here and escaped by markupsafe; no text of a user ever becomes markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from zs_bench.catalog import FACTS, METRIC_TITLES
from zs_metric.results import ExampleResult
from zs_metric.tasks import TASKS

from . import words


def points(score: float) -> Markup:
    """A score to the last printed digit, the decimals smaller."""
    whole, decimals = f"{score:.4f}".split(".")
    return Markup('<span class="zs-points">{}<small>.{}</small></span>').format(whole, decimals)


def gauge(score: float, marks: Iterable[tuple[str, float]] = ()) -> Markup:
    """A bar from 0 to 100 filled up to the score, with named marks on it."""
    marks = list(marks)
    ticks = Markup("").join(
        Markup('<i style="left:{:.2f}%" title="{} {:g}"></i>').format(value, name, value) for name, value in marks
    )
    label = ", ".join([f"{score:.4f} of 100", *(f"{name} {value:g}" for name, value in marks)])
    return Markup('<div class="zs-gauge" role="img" aria-label="{}"><b style="width:{:.2f}%"></b>{}</div>').format(
        label, score, ticks
    )


def score_card(task: str, answer: str, result: ExampleResult | None) -> str:
    """The score of one answer, with what was read in it and why it is not more."""
    if result is None or not answer:
        return Markup('<div class="zs-card zs-empty" role="status">{}</div>').format(words.NO_ANSWER_YET)
    rows = [("Read in the answer", _parsed(result, task)), *_parts(result)]
    parts = Markup("").join(Markup("<dt>{}</dt><dd>{}</dd>").format(*row) for row in rows)
    reason = Markup('<p class="zs-reason">{}</p>').format(_sentence(result.reason)) if result.reason else ""
    return Markup(
        '<div class="zs-card" role="status" aria-live="polite"><h3>{} <small>{}</small></h3>'
        '<div class="zs-score">{}</div>{}{}<dl>{}</dl></div>'
    ).format(
        METRIC_TITLES[TASKS[task].metric], FACTS[task].title, points(result.score), gauge(result.score), reason, parts
    )


def notice(kind: str, title: str, lines: Sequence[str] = ()) -> Markup:
    """A framed message: `error`, `warning` or `info`, with a list under its title."""
    items = Markup("").join(Markup("<li>{}</li>").format(line) for line in lines)
    listed = Markup("<ul>{}</ul>").format(items) if items else ""
    role = "alert" if kind == "error" else "status"
    return Markup('<div class="zs-notice zs-{}" role="{}"><strong>{}</strong>{}</div>').format(
        kind, role, title, listed
    )


def _parsed(result: ExampleResult, task: str) -> Markup | str:
    if result.parsed is None:
        return Markup('<span class="zs-none">nothing</span>')
    if TASKS[task].metric == "rouge":
        return f"{len(str(result.parsed).split()):,} words"
    if TASKS[task].metric == "exp_similarity":
        return f"{result.parsed:.10g}%"
    text = ", ".join(map(str, result.parsed[:60])) if isinstance(result.parsed, tuple) else str(result.parsed)
    return Markup("<code>{}</code>").format(text if len(text) <= 300 else text[:299] + "…")


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
