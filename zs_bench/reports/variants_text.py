"""A file under all variants of the metrics, for `zero-scrolls variants` and the page."""

from collections.abc import Mapping
from typing import Any

from zs_bench.reports.tables import Table
from zs_bench.variants.definitions import OFFICIAL
from zs_bench.variants.rescore import AVERAGE


def _change_lines(rescored: Mapping[str, Any]) -> dict[str, str]:
    """Return by variant the scores that it changes with the differences from the official ones; empty for none."""
    deltas = {name: variant["deltas"].items() for name, variant in rescored["variants"].items()}
    return {
        name: ", ".join(f"{task} {delta:+.4f}" for task, delta in changes if abs(delta or 0) >= 0.00005)
        for name, changes in deltas.items()
    }


def variants_as_text(rescored: Mapping[str, Any]) -> str:
    """Return the result of `zs_bench.variants.rescore.rescored_file` for a terminal.

    For each variant it says what it changes, and last which of them gives the reported numbers.
    """
    averages = {name: variant["scores"][AVERAGE] for name, variant in rescored["variants"].items()}
    rows = []
    for name, changes in _change_lines(rescored).items():
        average = "-" if averages[name] is None else f"{averages[name]:.4f}"
        rows.append((name, average, changes or ("" if name == OFFICIAL else "none")))
    table = Table(("variant", AVERAGE, "difference from the official scores"), rows, right=[1])
    if (given_by := rescored["given_by"]) is None:
        return table.text()
    reported = ", ".join(f"{name} {points}" for name, points in rescored["reported"].items())
    sentences = [f"The variant {name!r} gives exactly this: {rescored['variants'][name]['does']}" for name in given_by]
    none = ["No known variant gives this on these answers."]
    return "\n".join([table.text(), "", f"Reported: {reported}.", *(sentences or none)])
