"""`zero-scrolls score`: score prediction files by task."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zs_bench import install
from zs_bench.commands import OK, REFUSED, show_progress, write
from zs_bench.commands.data import add_revision
from zs_bench.problems import UnusableInput
from zs_bench.reports import report
from zs_bench.reports.score_files import score_files
from zs_bench.reports.scoring import ScoredFile
from zs_bench.sources.data_sources import SOURCES
from zs_bench.sources.source_references import SourceReferences, score_against
from zs_metric.scoring import ROUGE_AGGREGATIONS

if TYPE_CHECKING:
    from zs_bench.commands import Commands


def add(commands: Commands[Any]) -> None:
    """Declare the command."""
    score = commands.add_parser("score", help="score prediction files", description="Score prediction files by task.")
    score.add_argument("predictions", nargs="+", metavar="PREDICTIONS", help="files, a ZIP or a folder of answers")
    against = score.add_mutually_exclusive_group(required=True)
    against.add_argument("--references", nargs="+", metavar="REFERENCES", help="files, a ZIP or a folder")
    against.add_argument("--source", help=f"take the references from there: {SOURCES}")
    score.add_argument("--split", help="of the source; default: validation")
    add_revision(score)
    score.add_argument("--partial", action="store_true", help="score the ids present on both sides, and say so")
    score.add_argument("--rouge-aggregation", choices=ROUGE_AGGREGATIONS, default="corpus", help="default: corpus")
    score.add_argument("--json", metavar="OUT", help="write the report as JSON ('-' for standard output)")
    score.add_argument("--csv", metavar="OUT", help="write the scores of tasks and answers as CSV")
    score.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the report; exit status 1 when something was refused."""
    install.warn_if_stale()
    for out in filter(None, (options.json, options.csv)):
        if out != "-" and not Path(out).absolute().parent.is_dir():
            raise UnusableInput(f"there is no folder for {out!r}; make it first")
    scored, known = _score(options)
    if options.json:
        about = {} if known is None else {"references": known.about}
        write(options.json, json.dumps(report.as_json(scored) | about, ensure_ascii=False, indent=1) + "\n")
    if options.csv:
        write(options.csv, report.as_csv(scored))
    if "-" not in (options.json, options.csv):
        print(report.as_text(scored))
        if known is not None:
            print(f"\nReferences: {known.label or 'none'}, {known.split} split.")
    return REFUSED if scored.refused else OK


def _score(options: argparse.Namespace) -> tuple[ScoredFile, SourceReferences | None]:
    """The scores, and the references where they are a source's."""
    progress = show_progress if sys.stderr.isatty() else None
    same: Any = {"partial": options.partial, "rouge_aggregation": options.rouge_aggregation, "progress": progress}
    if options.source is None:
        if options.split or options.revision:
            raise UnusableInput("--split and --revision go with --source; files of references tell their split")
        return score_files(options.predictions, options.references, **same), None
    split = options.split or "validation"
    return score_against(options.predictions, options.source, split=split, revision=options.revision, **same)
