"""`zero-scrolls explain`: why one answer has its score."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zs_bench.commands import OK, add_benchmark
from zs_bench.problems import UnusableInput
from zs_bench.reports.explain_text import render
from zs_metric.explain import explain

if TYPE_CHECKING:
    from zs_bench.commands import Commands

_TEXT = "a text, or @FILE for what is in a file ('@-': standard input; '@@' for a text that begins with @)"


def add(commands: Commands[Any]) -> None:
    """Declare the command."""
    why = commands.add_parser(
        "explain",
        help="tell why an answer has its score",
        description="Tell why an answer has its score: what was read in it, what its points were lost to, and what "
        "would have scored more. The score is the official one.",
    )
    why.add_argument("task", metavar="TASK", help="a task's name")
    why.add_argument("--prediction", required=True, metavar="TEXT|@FILE", help=f"the answer: {_TEXT}")
    why.add_argument(
        "--reference", required=True, action="append", metavar="TEXT|@FILE", help="likewise; give it for each reference"
    )
    add_benchmark(why)
    why.add_argument("--json", action="store_true", help="print the explanation as data")
    why.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the explanation."""
    answer, references = read_text(options.prediction), [read_text(given) for given in options.reference]
    told = explain(options.task, answer, references, benchmark=options.benchmark)
    if options.json:
        print(json.dumps(told, ensure_ascii=False, indent=1))
    else:
        print("\n".join(map(printable, render(told).splitlines())))
    return OK


def read_text(given: str) -> str:
    """The text, or what the file holds, without a line end at its end, which editors add.

    Raises:
        UnusableInput: for a file that is no UTF-8 text.

    >>> read_text("40%"), read_text("@@home")
    ('40%', '@home')
    """
    if not given.startswith("@") or given.startswith("@@"):
        return given.removeprefix("@") if given.startswith("@@") else given
    name = given.removeprefix("@")
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnusableInput(f"{name}: no UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8") from None
    return text.removesuffix("\n")


def printable(line: str) -> str:
    r"""The line with what a terminal would obey escaped.

    >>> printable("a\x1b[2J“b”")
    'a\\x1b[2J“b”'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in line)
