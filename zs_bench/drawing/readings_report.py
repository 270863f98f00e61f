"""A file under all readings of the metrics, as HTML: what each changes, and which gives a reported number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from zs_bench.catalog import FACTS
from zs_bench.drawing.cards import notice
from zs_bench.drawing.markup import html, join
from zs_bench.readings.readings import AVERAGE, OFFICIAL


def readings_report(found: Mapping[str, Any]) -> Markup:
    """What `zs_bench.readings.reading_report.read_again` found."""
    rows = join(_row(name, reading) for name, reading in found["readings"].items())
    return _verdict(found) + html(
        '<div class="zs-scroll" tabindex="0" role="region" aria-label="The file under all readings">'
        '<table class="zs-table" id="readings-table"><thead><tr><th scope="col">Reading</th>'
        '<th scope="col" class="num">Average</th><th scope="col">Against the official scores</th></tr></thead>'
        "<tbody>{}</tbody></table></div>",
        rows,
    )


def _row(name: str, reading: Mapping[str, Any]) -> Markup:
    average = reading["scores"][AVERAGE]
    deltas = {task: delta for task, delta in reading["deltas"].items() if abs(delta or 0) >= 0.00005}
    told = ", ".join(f"{_title(task)} {delta:+.4f}" for task, delta in deltas.items())
    return html(
        '<tr><th scope="row" class="wrap">{} <p class="soft">{}</p></th><td class="num">{}</td>'
        '<td class="wrap">{}</td></tr>',
        name,
        reading["does"],
        "–" if average is None else f"{average:.4f}",
        told or ("" if name == OFFICIAL else "no change"),
    )


def _verdict(found: Mapping[str, Any]) -> Markup:
    if found["given_by"] is None:
        return Markup("")
    told = ", ".join(f"{_title(task)} {points}" for task, points in found["reported"].items())
    lines = [f"{name}: {found['readings'][name]['does']}" for name in found["given_by"]]
    title = f"{told} is what this gives:" if lines else f"No known reading gives {told} on these answers"
    return notice("info" if lines else "warning", title, lines)


def _title(task: str) -> str:
    return "average" if task == AVERAGE else FACTS[task].title
