"""The command `zero-scrolls`, also `python -m zs_bench`.

Exit status: 0, 1 when something in a file was refused, 2 for wrong usage.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from zs_metric.errors import ZeroScrollsError
from zs_metric.scoring import ROUGE_AGGREGATIONS
from zs_metric.version import VERSION

from . import install, report
from .score_files import score_files

OK, REFUSED, USAGE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (or those of the process); returns the exit status."""
    options = _parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        return int(options.run(options))
    except ZeroScrollsError as error:
        print(f"zero-scrolls: {error}", file=sys.stderr)
        return USAGE
    except OSError as error:
        print(f"zero-scrolls: {error.filename or ''}: {error.strerror or error}; check the path", file=sys.stderr)
        return USAGE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="zero-scrolls", description="Score ZeroSCROLLS answers, exactly.")
    parser.add_argument("--version", action="version", version=f"zero-scrolls {VERSION}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_score(commands)
    _add_install(commands)
    return parser


def _add_score(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    score = commands.add_parser("score", help="score prediction files", description="Score prediction files by task.")
    score.add_argument("predictions", nargs="+", metavar="PREDICTIONS", help="files, a ZIP or a folder of answers")
    score.add_argument("--references", nargs="+", required=True, metavar="REFERENCES", help="files, a ZIP or a folder")
    score.add_argument("--partial", action="store_true", help="score the ids present on both sides, and say so")
    score.add_argument("--rouge-aggregation", choices=ROUGE_AGGREGATIONS, default="corpus", help="default: corpus")
    score.add_argument("--json", metavar="OUT", help="write the report as JSON ('-' for standard output)")
    score.add_argument("--csv", metavar="OUT", help="write the scores of tasks and answers as CSV")
    score.set_defaults(run=_score)


def _add_install(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    add = commands.add_parser("install-metric", help='make evaluate.load("zero_scrolls") work from any directory')
    add.set_defaults(run=lambda _: _say(install.install_metric()))
    remove = commands.add_parser("uninstall-metric", help="undo install-metric")
    remove.set_defaults(run=lambda _: _say(install.uninstall_metric()))


def _score(options: argparse.Namespace) -> int:
    install.warn_if_stale()
    scored = score_files(
        options.predictions,
        options.references,
        partial=options.partial,
        rouge_aggregation=options.rouge_aggregation,
        progress=_progress_line if sys.stderr.isatty() else None,
    )
    if options.json:
        _write(options.json, json.dumps(report.as_json(scored), ensure_ascii=False, indent=1) + "\n")
    if options.csv:
        _write(options.csv, report.as_csv(scored))
    if options.json != "-":
        print(report.as_text(scored))
    return REFUSED if scored.refused else OK


def _progress_line(share: float, task: str) -> None:
    print(f"\r\033[K{share:4.0%} {task}" if share < 1 else "\r\033[K", end="", file=sys.stderr, flush=True)


def _write(path: str, text: str) -> None:
    if path == "-":
        sys.stdout.write(text)
    else:
        Path(path).write_text(text, encoding="utf-8", newline="")


def _say(message: str) -> int:
    print(message)
    return OK
