"""The id doctor: everything that is wrong with answer files at once, each with its repair, and the repairs made.

What a safe repair puts right goes on as repaired (`zs_bench.doctor.looking`), so that a file with a misspelt task is
not told to lack all its answers too. Then it is counted what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from zs_bench.doctor.diagnosis import Count, Diagnosis, Finding, Repaired, SubmittedAnswer
from zs_bench.doctor.file_checks import check_file
from zs_bench.doctor.known_ids import KnownIds
from zs_bench.doctor.looking import Looked, look
from zs_bench.doctor.missing import count, fill, missing
from zs_bench.doctor.rules import Row
from zs_bench.doctor.submission import in_order, verdict
from zs_bench.doctor.table import OFFERED
from zs_bench.files.entries import Entry, ReadFile, Salvaged
from zs_bench.files.formats import read_all
from zs_bench.files.source import Source
from zs_bench.files.sources import open_inputs
from zs_bench.problems import Problem
from zs_metric.errors import ZeroScrollsError, did_you_mean
from zs_metric.texts import clean_text


def examine(
    paths: Iterable[str | Path], known: KnownIds | None = None, *, names: Iterable[str] | None = None
) -> Diagnosis:
    """Everything that is wrong with the answers in these files, ZIPs and folders.

    Args:
        paths: files, ZIPs, folders.
        known: the ids they are checked against; without any, only what needs none is checked.
        names: what to call the files in messages, when not by their own names.

    Raises:
        UnusableInput: for a path that does not exist.
    """
    return examine_sources(*open_inputs(paths, names), known)


def examine_sources(
    sources: Sequence[Source], problems: Iterable[Problem] = (), known: KnownIds | None = None
) -> Diagnosis:
    """The same for files that are opened already, with the problems of opening them."""
    ids = known or KnownIds()
    files: list[ReadFile] = []
    rows: list[Row] = []
    unread = [Finding(problem) for problem in (*ids.problems, *problems)]
    for _, found in read_all(sources, "predictions", files):
        if isinstance(found, Salvaged) and found.entry:
            rows.append(_row(found.entry, len(rows), found.flaw))
        elif isinstance(found, Entry):
            rows.append(_row(found, len(rows)))
        elif isinstance(found, Problem):
            unread.append(Finding(found))
    for source, file in zip(sources, files, strict=False):  # beyond the limit of rows no file is read
        unread += check_file(source, file)
    if not rows and not any(finding.problem.refuses for finding in unread):
        unread.append(
            Finding(Problem("nothing", "there is no answer in what was given; see the formats in the README"))
        )
    return _diagnosis(rows, unread, files, ids)


def _diagnosis(rows: list[Row], unread: list[Finding], files: list[ReadFile], known: KnownIds) -> Diagnosis:
    looked = look(rows, known)
    findings = _sorted([*unread, *looked.findings, *missing(looked.rows, looked.around)])
    return Diagnosis(*_result(looked, findings), findings, files, known, rows, unread)


def repair(diagnosis: Diagnosis, accept: Iterable[str] = (), *, fill_missing: bool = False) -> Repaired:
    """Make the safe repairs, and those of the kinds that are accepted.

    Args:
        diagnosis: from `examine`.
        accept: kinds of repairs that are not safe, of `zs_bench.doctor.table.OFFERED`.
        fill_missing: put an empty text, which scores 0, in the place of every missing answer.

    Raises:
        ZeroScrollsError: for a kind that is not offered, with the likely name.
    """
    kinds = frozenset(accept)
    for kind in sorted(kinds - OFFERED.keys()):
        raise ZeroScrollsError(f"no repair {kind!r}; {did_you_mean(kind, OFFERED) or 'they are ' + ', '.join(OFFERED)}")
    looked = look(diagnosis.rows, diagnosis.known, kinds)
    lacking = missing(looked.rows, looked.around)
    if fill_missing:
        looked = looked._replace(rows=fill(looked.rows, lacking, looked.around))
        lacking = [replace(one, made=True) for one in lacking]
    of_files = [replace(one, made=one.repair is not None) for one in diagnosis.unread]
    findings = [*of_files, *looked.findings, *lacking]
    left = _sorted(one for one in findings if not one.made)
    changes = [one.change for one in findings if one.made]
    return Repaired(*_result(looked, left), changes, left)


def _result(looked: Looked, wrong: Sequence[Finding]) -> tuple[list[SubmittedAnswer], dict[str, Count], bool, str]:
    """Answers, counts, whether they are ready, and the verdict."""
    ids, counts = looked.around.ids, count(looked.rows, looked.around)
    benchmark = looked.around.benchmark
    return in_order(looked.rows, ids, benchmark), counts, *verdict(wrong, counts, ids.values(), benchmark)


def _sorted(findings: Iterable[Finding]) -> list[Finding]:
    """What must be repaired first, otherwise as found."""
    return sorted(findings, key=lambda finding: not finding.problem.refuses)


def _row(entry: Entry, number: int, flaw: str = "") -> Row:
    key, value = (clean_text(x, "row") if isinstance(x, str) else x for x in (entry.id, entry.value))
    return Row(number, entry.task, key, value, entry.place, flaw)
