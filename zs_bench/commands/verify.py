"""`zero-scrolls verify`: everything that is wrong with answer files, and the official prediction file made of them.

Exit status: 1 when something is wrong; with `--fix`, when something still is.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from zs_bench.commands import OK, REFUSED, add_benchmark, show_progress, write
from zs_bench.commands.against import check_outputs
from zs_bench.commands.data import add_revision
from zs_bench.doctor.diagnosis import Diagnosis, Repaired
from zs_bench.doctor.examination import examine, repair
from zs_bench.doctor.id_sources import ids_of_lists, ids_of_references, ids_of_source
from zs_bench.doctor.known_ids import KnownIds
from zs_bench.doctor.submission import as_submission_csv
from zs_bench.doctor.table import OFFERED
from zs_bench.doctor.verify_text import as_text, as_text_of_repaired
from zs_bench.files.gather import gather_references
from zs_bench.files.sources import open_inputs
from zs_bench.problems import UnusableInput
from zs_bench.sources.data_sources import SOURCES
from zs_metric.tasks import find_task

if TYPE_CHECKING:
    from zs_bench.commands import Commands


def add(commands: Commands[Any]) -> None:
    """Declare the command."""
    verify = commands.add_parser(
        "verify",
        help="find and repair what is wrong with answer files; write the official prediction file",
        description="Find everything that is wrong with answer files, repair it, and write the official prediction "
        "file. Without ids to check against, only what needs none is checked.",
    )
    verify.add_argument("files", nargs="+", metavar="FILE", help="files, a ZIP or a folder of answers")
    ids = verify.add_mutually_exclusive_group()
    ids.add_argument("--references", nargs="+", metavar="REFERENCES", help="check against the ids of these files")
    ids.add_argument(
        "--ids",
        nargs="+",
        metavar="IDS",
        help="check against the first of these lists of ids, from 'data --ids'; the others tell where an id comes from",
    )
    ids.add_argument("--source", help=f"check against the ids there: {SOURCES}")
    verify.add_argument("--split", help="of the source or the references; default: test, for embedded validation")
    add_revision(verify)
    add_benchmark(verify)
    verify.add_argument("--tasks", nargs="+", metavar="TASK", help="check against the ids of these tasks only")
    verify.add_argument("--json", metavar="OUT", help="write what was found as JSON ('-' for standard output)")
    verify.add_argument("--fix", metavar="OUT.csv", help="make the safe repairs and write the official file")
    offered = ", ".join(OFFERED)
    verify.add_argument("--accept", nargs="+", action="extend", default=[], metavar="KIND", help=f"also: {offered}")
    verify.add_argument("--fill-missing", action="store_true", help="fill missing answers with empty texts, scored 0")
    verify.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print what was found, and what was repaired; exit status 1 when something is wrong in the end."""
    if options.fix is None and (options.accept or options.fill_missing):
        raise UnusableInput("--accept and --fill-missing go with --fix OUT.csv")
    silent = check_outputs(options.json, options.fix)
    known = _known(options)
    if options.tasks:
        known = known.only(find_task(task, benchmark=options.benchmark).name for task in options.tasks)
    diagnosis = examine(options.files, known)
    repaired = None
    if options.fix is not None:
        repaired = repair(diagnosis, options.accept, fill_missing=options.fill_missing)
        write(options.fix, as_submission_csv(repaired.answers))
    if options.json:
        write(options.json, _json(diagnosis, repaired, options.fix))
    if not silent:
        print(as_text(diagnosis))
        if repaired is not None:
            print(as_text_of_repaired(repaired, options.fix))
    return REFUSED if (repaired or diagnosis).wrong else OK


def _known(options: argparse.Namespace) -> KnownIds:
    splits = options.source is not None or options.references is not None
    if (options.revision and options.source is None) or (options.split and not splits):
        raise UnusableInput("--split goes with --source or --references, --revision with --source")
    if options.ids:
        return ids_of_lists(options.ids, benchmark=options.benchmark)
    if options.references:
        known = gather_references(*open_inputs(options.references), benchmark=options.benchmark)
        return ids_of_references(known, options.split, benchmark=options.benchmark)
    if options.source is None:
        return KnownIds(benchmark=options.benchmark)
    of: Any = {"tasks": options.tasks or None, "benchmark": options.benchmark}
    progress = show_progress if sys.stderr.isatty() else None
    return ids_of_source(options.source, options.split, options.revision, **of, progress=progress)


def _json(diagnosis: Diagnosis, repaired: Repaired | None, out: str) -> str:
    fixed = None if repaired is None else {"out": out, **repaired.as_dict()}
    return json.dumps({**diagnosis.as_dict(), "fixed": fixed}, ensure_ascii=False, indent=1) + "\n"
