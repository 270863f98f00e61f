"""What is wrong with a file as such: it is put right by writing it anew, and no answer changes by it."""

from __future__ import annotations

import csv
from dataclasses import replace

from zs_bench.doctor.diagnosis import Finding, Repair
from zs_bench.files.entries import ReadFile
from zs_bench.files.read_csv import OFFICIAL
from zs_bench.files.source import Source
from zs_bench.problems import Place, Problem, UnusableInput, short

_MARK = b"\xef\xbb\xbf"
_HEAD = 10_000


def check_file(source: Source, file: ReadFile) -> list[Finding]:
    """Its byte order mark, its line ends, its header."""
    if file.format is None:
        return []
    try:
        with source.opened() as stream:
            line = stream.readline(_HEAD)
    except UnusableInput:  # read once, and gone since
        return []
    found = []
    if line.startswith(_MARK):
        found.append(_found("bom", "the file begins with a byte order mark", "the byte order mark is left out", source))
    if file.format == "official CSV" and line.endswith(b"\r\n"):
        found.append(_found("crlf", "the lines end as on Windows", "the lines end as elsewhere", source))
    cells = next(csv.reader([line.removeprefix(_MARK).decode("utf-8", "replace")]), [])
    if file.format == "official CSV" and tuple(cells) != OFFICIAL:
        header = ",".join(OFFICIAL)
        message = f"the header is not {header}, as the official check wants it"
        wrong = _found("header", message, f"the header is {header}", source, short(",".join(cells)))
        found.append(replace(wrong, problem=replace(wrong.problem, refuses=True)))
    return found


def _found(kind: str, message: str, what: str, source: Source, detail: str | None = None) -> Finding:
    problem = Problem(kind, message, place=Place(source.name), refuses=False, detail=detail)
    return Finding(problem, Repair(what, safe=True))
