"""`zero-scrolls compare`: two or more systems on the same references, each held against the first."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from zs_bench.commands import OK, REFUSED, write
from zs_bench.commands.against import (
    add_aggregation,
    add_post,
    add_references,
    check_outputs,
    score_paths,
    system_names,
    tell_problems,
)
from zs_bench.problems import short
from zs_bench.reports import comparison

if TYPE_CHECKING:
    from zs_bench.commands import Commands


def add(commands: Commands[Any]) -> None:
    """Declare the command."""
    what = "hold systems against the first: differences, their intervals and p-values, per task and overall"
    compare = commands.add_parser("compare", help=what, description=what.capitalize() + ".")
    compare.add_argument(
        "systems", nargs="+", metavar="SYSTEM", help="two or more, each a file, a ZIP or a folder of answers"
    )
    add_references(compare)
    add_aggregation(compare)
    add_post(compare)
    compare.add_argument("--json", metavar="OUT", help="write the comparison as JSON ('-' for standard output)")
    compare.add_argument("--markdown", metavar="OUT", help="write the tables and verdicts as Markdown")
    compare.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the comparison; what is wrong with a file goes to standard error, and the exit status is then 1."""
    silent = check_outputs(options.json, options.markdown)
    names = system_names(options.systems)
    systems = {name: score_paths(options, [path]) for name, path in zip(names, options.systems, strict=True)}
    for name, scored in systems.items():
        tell_problems(scored, f"{short(name)}: ")
    found = comparison.compare(systems)
    if options.json:
        write(options.json, json.dumps(comparison.as_json(found), ensure_ascii=False, indent=1) + "\n")
    if options.markdown:
        write(options.markdown, comparison.as_markdown(found))
    if not silent:
        print(comparison.as_text(found))
    return REFUSED if any(scored.refused for scored in systems.values()) else OK
