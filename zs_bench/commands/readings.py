"""`zero-scrolls readings`: score a file as other implementations would, and find the one that made a number."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from zs_bench.commands import OK, REFUSED, write
from zs_bench.commands.against import add_post, add_references, check_outputs, score_paths, tell_problems
from zs_bench.readings.reading_report import as_text, read_again
from zs_bench.readings.readings import AVERAGE
from zs_metric.errors import ZeroScrollsError

if TYPE_CHECKING:
    from zs_bench.commands import Commands


def add(commands: Commands[Any]) -> None:
    """Declare the command."""
    what = "score as other implementations would, and tell which of them made a number"
    readings = commands.add_parser("readings", help=what, description=what.capitalize() + ".")
    readings.add_argument("predictions", nargs="+", metavar="PREDICTIONS", help="files, a ZIP or a folder of answers")
    add_references(readings)
    add_post(readings)
    readings.add_argument(
        "--reported",
        nargs="+",
        default=[],
        metavar="TASK=POINTS",
        help=f"numbers that somebody reported, such as qasper=28.5 or {AVERAGE}=35.45, with all their decimals",
    )
    readings.add_argument("--json", metavar="OUT", help="write the scores as JSON ('-' for standard output)")
    readings.set_defaults(run=run, rouge_aggregation="corpus")


def run(options: argparse.Namespace) -> int:
    """Print the scores; what is wrong with a file goes to standard error, and the exit status is then 1."""
    silent = check_outputs(options.json)
    reported = _reported(options.reported)
    scored = score_paths(options, options.predictions)
    tell_problems(scored)
    if not scored.scored:
        return REFUSED
    found = read_again(scored, reported)
    if options.json:
        write(options.json, json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    if not silent:
        print(as_text(found))
    return REFUSED if scored.refused else OK


def _reported(numbers: list[str]) -> dict[str, float | str]:
    pairs = [number.rpartition("=") for number in numbers]
    for number, (name, _, _) in zip(numbers, pairs, strict=True):
        if not name:
            raise ZeroScrollsError(f"--reported {number!r} is no TASK=POINTS; write for example qasper=28.5")
    return {name: points for name, _, points in pairs}
