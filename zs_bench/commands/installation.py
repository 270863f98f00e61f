"""`zero-scrolls install-metric`, `uninstall-metric` and `selftest`: this installation of the package."""

import argparse
import sys

from zs_bench import conformance, install
from zs_bench.commands import OK, REFUSED, describe
from zs_metric.rouge import engine
from zs_metric.version import VERSION


def declare_install(command: argparse.ArgumentParser) -> None:
    """Declare `install-metric`."""
    about = (
        'Copy the metrics into the modules cache of Hugging Face, so that evaluate.load("zero_scrolls", "qasper") and '
        'evaluate.load("scrolls", "qasper") work from any directory. Run it again after an update of the package.'
    )
    describe(command, about, {"zero-scrolls install-metric": "Install both metrics."})
    command.set_defaults(run=lambda _: _say(install.install_metric()))


def declare_uninstall(command: argparse.ArgumentParser) -> None:
    """Declare `uninstall-metric`."""
    about = "Remove the copies that install-metric made."
    describe(command, about, {"zero-scrolls uninstall-metric": "Remove both metrics."})
    command.set_defaults(run=lambda _: _say(install.uninstall_metric()))


def declare_selftest(command: argparse.ArgumentParser) -> None:
    """Declare `selftest`."""
    about = "Score the conformance cases, compare with their official scores, and compare the two ROUGE engines."
    status = "A case does not have its official score, or the engines differ."
    describe(command, about, {"zero-scrolls selftest": "Check this installation."}, status=status)
    command.set_defaults(run=_selftest)


def _say(message: str) -> int:
    print(message)
    return OK


def _selftest(_: argparse.Namespace) -> int:
    """Print the result in one line, after the failures on standard error."""
    cases = conformance.cases()
    failures = [failure for case in cases if (failure := conformance.failure(case))]
    passed = len(cases) - len(failures)
    try:
        apart = conformance.engines_apart()
        agree = f"both ROUGE engines agree on {conformance.PAIRS} generated pairs"
        engines = "the ROUGE engines differ" if apart else agree
    except ImportError:
        apart, engines = None, "only one ROUGE engine is installed"
    for line in (*failures, apart):
        if line:
            print(line, file=sys.stderr)
    ok = cases and not failures and not apart
    result = f"{passed} of {len(cases)} conformance cases have their official score; {engines}"
    print(f"zero-scrolls {VERSION}, {engine().name}: {'ok' if ok else 'FAILED'}: {result}.")
    return OK if ok else REFUSED
