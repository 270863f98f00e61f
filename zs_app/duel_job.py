"""The long job of a duel: two systems scored on the same references, and what that looks like. No Gradio here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zs_bench.drawing.duel_report import duel_report
from zs_bench.reports.comparison import compare
from zs_bench.reports.scoring import Progress

from .jobs import score


def duel(systems: Sequence[Sequence[str]], against: tuple[Sequence[str], str, bool, str], progress: Progress) -> str:
    """The duel of two uploads as HTML.

    Args:
        systems: the files of each.
        against: references, source, partial and benchmark, as for `jobs.score`.
        progress: told of both scorings.
    """
    scored = {}
    for done, (name, files) in enumerate(zip(names(systems), systems, strict=True)):
        part = _part(progress, done)
        scored[name] = score(files, *against, progress=part)
    return str(duel_report(compare(scored)))


def names(systems: Sequence[Sequence[str]]) -> list[str]:
    """What to call the systems: after their first files, or by number where those are called the same.

    >>> names([["a/one.csv"], ["b/two.csv"]]), names([["a/p.csv"], ["b/p.csv"]])
    (['one', 'two'], ['first', 'second'])
    """
    stems = [Path(files[0]).stem[:40] for files in systems]
    return stems if len(set(stems)) == len(stems) else ["first", "second"]


def _part(progress: Progress, done: int) -> Progress:
    return lambda share, what: progress((done + share) / 2, what)
