"""`zero-scrolls score`: score prediction files by task."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from zs_metric.scoring import ROUGE_AGGREGATIONS

from .. import install, report
from ..score_files import score_files
from . import OK, REFUSED, show_progress, write

if TYPE_CHECKING:
    from . import Commands


def add(commands: Commands[Any]) -> None:
    """Declare the command."""
    score = commands.add_parser("score", help="score prediction files", description="Score prediction files by task.")
    score.add_argument("predictions", nargs="+", metavar="PREDICTIONS", help="files, a ZIP or a folder of answers")
    score.add_argument("--references", nargs="+", required=True, metavar="REFERENCES", help="files, a ZIP or a folder")
    score.add_argument("--partial", action="store_true", help="score the ids present on both sides, and say so")
    score.add_argument("--rouge-aggregation", choices=ROUGE_AGGREGATIONS, default="corpus", help="default: corpus")
    score.add_argument("--json", metavar="OUT", help="write the report as JSON ('-' for standard output)")
    score.add_argument("--csv", metavar="OUT", help="write the scores of tasks and answers as CSV")
    score.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the report; exit status 1 when something was refused."""
    install.warn_if_stale()
    scored = score_files(
        options.predictions,
        options.references,
        partial=options.partial,
        rouge_aggregation=options.rouge_aggregation,
        progress=show_progress if sys.stderr.isatty() else None,
    )
    if options.json:
        write(options.json, json.dumps(report.as_json(scored), ensure_ascii=False, indent=1) + "\n")
    if options.csv:
        write(options.csv, report.as_csv(scored))
    if "-" not in (options.json, options.csv):
        print(report.as_text(scored))
    return REFUSED if scored.refused else OK
