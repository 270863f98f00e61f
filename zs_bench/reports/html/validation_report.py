"""What is wrong with prediction files, and what was repaired, as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from zs_bench.problems import Problem, lines
from zs_bench.reports.html.cards import notice
from zs_bench.reports.html.markup import html, join
from zs_bench.validation.validate import Validation

#: Changes and repairs that are listed; the others are counted.
MOST = 60


def diagnosis_report(validation: Validation) -> Markup:
    """Everything that is wrong, each with its repair, and the verdict on submitting."""
    wrong, notes = _split(validation.problems)
    return html(
        '<details class="zs-details" id="doctor"{}><summary>{}</summary><p>{}</p>{}{}{}</details>',
        Markup(" open") if validation.problems else "",
        *_verdict(validation.verdict),
        notice("error", "Wrong", lines(wrong)) if wrong else "",
        notice("warning", "Notes", lines(notes)) if notes else "",
        _repairs(validation.problems),
    )


def repaired_report(repaired: Validation) -> Markup:
    """Every change, what is left, and the verdict."""
    wrong, notes = _split(repaired.problems)
    left = [*lines(wrong), *lines(notes)]
    return html(
        '<details class="zs-details" id="doctor" open><summary>{}</summary><p>{}</p><h4>{} changes</h4>'
        '<ul class="zs-list">{}</ul>{}</details>',
        *_verdict(repaired.verdict),
        f"{len(repaired.changes):,}",
        _items(repaired.changes),
        notice("warning", "Left as it is", left) if left else "",
    )


def _verdict(verdict: str) -> tuple[str, str]:
    """The verdict in short, and why."""
    short, _, why = verdict.partition(": ")
    return f"Submission: {short}", why


def _split(problems: Iterable[Problem]) -> tuple[list[Problem], list[Problem]]:
    listed = list(problems)
    return [one for one in listed if one.refuses], [one for one in listed if not one.refuses]


def _repairs(problems: Sequence[Problem]) -> Markup:
    """The repairs there are: those that cannot change a score, and those that are made only when accepted."""
    safe = [one.change for one in problems if one.repair and one.repair.safe]
    offered = [one.change for one in problems if one.repair and not one.repair.safe]
    parts = (("Repairs that cannot change a score", safe), ("Repairs on request, one kind at a time", offered))
    return join(
        html('<h4>{} ({})</h4><ul class="zs-list">{}</ul>', title, f"{len(changes):,}", _items(changes))
        for title, changes in parts
        if changes
    )


def _items(changes: Sequence[str]) -> Markup:
    more = [f"… and {len(changes) - MOST:,} more"] if len(changes) > MOST else []
    return join(html("<li>{}</li>", change) for change in [*changes[:MOST], *more])
