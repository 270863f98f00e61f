"""The id doctor's diagnosis, and what was repaired, as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from zs_bench.doctor.diagnosis import Diagnosis, Finding, Repaired
from zs_bench.drawing.cards import notice
from zs_bench.drawing.markup import html, join
from zs_bench.problems import lines

#: Changes and repairs that are listed; the others are counted.
MOST = 60


def diagnosis_report(diagnosis: Diagnosis) -> Markup:
    """Everything that is wrong, each with its repair, and the verdict on submitting."""
    wrong, odd = _split(diagnosis.findings)
    return html(
        '<details class="zs-details" id="doctor"{}><summary>{}</summary><p>{}</p>{}{}{}</details>',
        Markup(" open") if diagnosis.findings else "",
        *_verdict(diagnosis.verdict),
        notice("error", "Wrong", lines(one.problem for one in wrong)) if wrong else "",
        notice("warning", "Odd", lines(one.problem for one in odd)) if odd else "",
        _repairs(diagnosis.findings),
    )


def repaired_report(repaired: Repaired) -> Markup:
    """Every change, what is left, and the verdict."""
    wrong, odd = _split(repaired.left)
    left = [*lines(one.problem for one in wrong), *lines(one.problem for one in odd)]
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


def _split(findings: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
    listed = list(findings)
    return [one for one in listed if one.problem.refuses], [one for one in listed if not one.problem.refuses]


def _repairs(findings: Sequence[Finding]) -> Markup:
    """The repairs there are: those that cannot change a score, and those that are made only when accepted."""
    safe = [one.change for one in findings if one.repair and one.repair.safe]
    offered = [one.change for one in findings if one.repair and not one.repair.safe]
    parts = (("Repairs that cannot change a score", safe), ("Repairs on request, one kind at a time", offered))
    return join(
        html('<h4>{} ({})</h4><ul class="zs-list">{}</ul>', title, f"{len(changes):,}", _items(changes))
        for title, changes in parts
        if changes
    )


def _items(changes: Sequence[str]) -> Markup:
    more = [f"… and {len(changes) - MOST:,} more"] if len(changes) > MOST else []
    return join(html("<li>{}</li>", change) for change in [*changes[:MOST], *more])
