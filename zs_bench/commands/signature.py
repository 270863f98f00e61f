"""`zero-scrolls signature`: what a number rests on, in words; of several, also in what they differ."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from zs_bench.commands import OK
from zs_bench.reports.signature import Signature
from zs_bench.reports.signature_words import differences, explain

if TYPE_CHECKING:
    from zs_bench.commands import Commands


def add(commands: Commands[Any]) -> None:
    """Declare the command."""
    what = "explain a signature in words; of several, also in what they differ"
    signature = commands.add_parser("signature", help=what, description=what.capitalize() + ".")
    signature.add_argument(
        "signatures", nargs="+", metavar="SIGNATURE", help="the whole line, in quotes: 'ZS|tasks:all|…'"
    )
    signature.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print each in words, then how the others differ from the first."""
    first, *others = map(Signature.parse, options.signatures)
    print("\n\n".join(map(explain, [first, *others])))
    for number, other in enumerate(others, start=2):
        found = differences(first, other)
        told = [f"- {line}" for line in found] or ["- nothing: their numbers can be compared"]
        print("\n".join(["", f"In what signature {number} differs from the first:", *told]))
    return OK
