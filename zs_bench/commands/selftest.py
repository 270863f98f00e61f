"""`zero-scrolls selftest`: whether this installation scores as the released evaluator does."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from zs_bench import conformance
from zs_bench.commands import OK, REFUSED
from zs_metric.rouge_engines import engine
from zs_metric.version import VERSION

if TYPE_CHECKING:
    from zs_bench.commands import Commands


def add(commands: Commands[Any]) -> None:
    """Declare the command."""
    what = "run the conformance cases and compare the two ROUGE engines"
    commands.add_parser("selftest", help=what, description=what.capitalize() + ".").set_defaults(run=run)


def run(_: argparse.Namespace) -> int:
    """Print one line; what fails goes to standard error before it, and the exit status is then 1."""
    cases = conformance.cases()
    failures = [found for case in cases if (found := conformance.failure(case))]
    try:
        apart = conformance.engines_apart()
        engines = f"both ROUGE engines agree on {conformance.PAIRS} generated pairs"
    except ImportError:
        apart, engines = None, "only one ROUGE engine is installed"
    if apart:
        engines = "the ROUGE engines differ"
    for line in [*failures, *filter(None, [apart])]:
        print(line, file=sys.stderr)
    ok = cases and not failures and not apart
    told = f"{len(cases) - len(failures)} of {len(cases)} conformance cases have their official score; {engines}"
    print(f"zero-scrolls {VERSION}, {engine().name}: {'ok' if ok else 'FAILED'}: {told}.")
    return OK if ok else REFUSED
