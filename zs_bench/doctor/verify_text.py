"""The diagnosis, and what was repaired, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from zs_bench.doctor.diagnosis import Diagnosis, Examined, Finding, Repaired
from zs_bench.doctor.known_ids import KnownIds
from zs_bench.doctor.table import OFFERED
from zs_bench.problems import lines


def as_text(diagnosis: Diagnosis) -> str:
    """The tasks in numbers, everything that is wrong, the repairs there are, and the verdict."""
    return "\n".join(
        [
            *_files(diagnosis),
            *_table(diagnosis),
            *_listed("Wrong", diagnosis.findings, refuses=True),
            *_listed("Warnings", diagnosis.findings, refuses=False),
            *_repairs(diagnosis),
            "",
            _sentence(diagnosis) + _form(diagnosis),
        ]
    )


def _form(diagnosis: Diagnosis) -> str:
    """What is left to do with answers that are ready, unless they are in the official form."""
    official = [file.format for file in diagnosis.files] == ["official CSV"]
    return "" if official or not diagnosis.ready else " --fix OUT.csv writes the official file."


def as_text_of_repaired(repaired: Repaired, out: str) -> str:
    """Every change on a line of its own, what is left, and the verdict."""
    return "\n".join(
        [
            "",
            f"Written to {out}: {len(repaired.answers):,} answers, {len(repaired.changes):,} changes.",
            *(f"- {change}" for change in repaired.changes),
            *_listed("Still wrong", repaired.left, refuses=True),
            "",
            _sentence(repaired),
        ]
    )


def _sentence(examined: Examined) -> str:
    return examined.verdict[:1].upper() + examined.verdict[1:] + "."


def _files(diagnosis: Diagnosis) -> list[str]:
    shown = [f"{file.file}: {file.format or 'not read'}, {file.rows:,} rows" for file in diagnosis.files[:12]]
    more = len(diagnosis.files) - len(shown)
    return [*shown, *([f"… and {more:,} more files"] if more else []), f"Ids: {_ids(diagnosis.known)}", ""]


def _ids(known: KnownIds) -> str:
    if not known.lists:
        return "none; give --references, --ids or --source"
    if known.by_overlap and len(known.lists) > 1:
        return f"{known.lists[0].source}, of each task the split that holds most of its ids"
    return str(known.lists[0])


def _table(examined: Examined) -> list[str]:
    rows = [("task", "answers", "ids", "paper's test split")]
    rows += [
        (task, f"{one.answers:,}", "?" if one.ids is None else f"{one.ids:,}", f"{one.published:,}")
        for task, one in examined.counts.items()
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.rjust(w) if i else cell.ljust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    ]


def _listed(title: str, findings: Iterable[Finding], *, refuses: bool) -> list[str]:
    told = lines(finding.problem for finding in findings if finding.problem.refuses == refuses)
    return ["", f"{title}:", *(f"- {line}" for line in told)] if told else []


def _repairs(diagnosis: Diagnosis) -> list[str]:
    safe = sum(finding.repair is not None and finding.repair.safe for finding in diagnosis.findings)
    offers = diagnosis.offers
    filled = sum(offers.pop(kind, 0) for kind in ("missing", "missing-task"))
    told = [
        *([f"--fix OUT.csv puts {safe:,} of these right: no score of what is right can change"] if safe else []),
        *(f"--accept {kind}: {OFFERED[kind]} ({number:,})" for kind, number in offers.items()),
        *(["--fill-missing: put empty texts, which score 0, in the place of missing answers"] if filled else []),
    ]
    return ["", "Repairs:", *(f"- {line}" for line in told)] if told else []
