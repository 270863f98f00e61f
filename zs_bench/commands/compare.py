"""`zero-scrolls compare`: two or more systems on the same references, each compared with the first."""

import argparse
import sys

from zs_bench.commands import OK, REFUSED, describe
from zs_bench.commands.options import add_scoring, add_systems, named_systems, read_thresholds, score_named
from zs_bench.commands.outputs import Form, Forms, report_problems, show, write_forms
from zs_bench.errors import UnusableInput
from zs_bench.reports import comparison
from zs_bench.reports.answers import losses_as_text
from zs_bench.reports.comparison import verdict
from zs_bench.reports.html.standalone import comparison_page
from zs_bench.scoring.pairing import SystemComparison

_JSON = "Write the comparison as JSON, with every question and all predictions."
_CSV = "Write every question with all predictions as CSV."
_HTML = "Write a report to send, with charts and the questions where the systems differ most."
_FORMS = Forms(
    Form("json", "json", _JSON, lambda result, _: comparison.as_json(result, with_questions=True)),
    Form("csv", "csv", _CSV, lambda result, _: comparison.as_csv(result)),
    Form("markdown", "md", "Write tables and verdicts as Markdown.", lambda result, _: comparison.as_markdown(result)),
    Form("latex", "tex", "Write tables and verdicts as LaTeX.", lambda result, _: comparison.as_latex(result)),
    Form("html", None, _HTML, lambda result, options: comparison_page(result, references=options.html_references)),
    html_references=True,
)


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the command."""
    describe(
        command,
        "Score two or more systems on the same references and compare each with the first: the difference per task "
        "and overall, its 95 % interval, its p-value, and a verdict. With --margin, also whether each of the others is "
        "as good as the first within so many points, to gate a build on.",
        {
            "zero-scrolls compare one.csv two.csv --references references/": "Compare two files.",
            "zero-scrolls compare runs/a runs/b --name baseline --name ours --source hub": "Give the systems names.",
            "zero-scrolls compare base/ new/ --source data/ --margin 2 --margin qasper=4": "Gate a build on new/.",
        },
        usage="zero-scrolls compare SYSTEM SYSTEM... (--references PATH... | --source SOURCE) [options]",
        status="Something was not scored, or a --margin is not shown to hold.",
    )
    add_systems(command)
    margin = (
        "End with exit status 1 unless every other system is shown to lose less than this against the first, with "
        "95 %% confidence, on average, or on this task. Can be given several times."
    )
    command.add_argument("--margin", action="append", default=[], metavar="[TASK=]POINTS", help=margin)
    add_scoring(command)
    _FORMS.declare(command, losses="Add the loss breakdown of every system.")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print or write the comparison; what is wrong with a file goes to standard error."""
    outputs = _FORMS.requested(options)
    margins = dict(read_thresholds("--margin", options.margin, options.benchmark))
    if len(options.systems) < 2:
        raise UnusableInput("a comparison needs two systems or more; give another file or folder")
    systems = score_named(options, named_systems(options))
    report_problems(systems)
    result = comparison.compare(systems, margins)
    if write_forms(result, options, outputs):
        show(comparison.as_text(result))
        if options.losses:
            for name, scored in result.systems.items():
                print(f"\n{name}. {losses_as_text(scored)}")
        print("\nBoth answers to every question: --csv OUT; those that differ most, with charts: --html OUT.")
        if not options.losses:
            print("What each system lost points to: --losses.")
    held = [_holds(match, name) for match in result.comparisons for name in margins]
    return OK if all(held) and not any(scored.refused for scored in systems.values()) else REFUSED


def _holds(match: SystemComparison, name: str) -> bool:
    """Return whether a margin is shown to hold; says so on standard error."""
    holds = match.holds(name)
    outcome = match.mean if name == "average" else match.tasks.get(name)
    if name == "average" and not match.whole:
        why = f"{len(match.averaged)} of {len(match.benchmark.tasks)} tasks were compared; give --margin TASK=POINTS"
    elif outcome is None:
        why = match.not_compared.get(name, "no answers of either")
    elif not holds and outcome.kind in ("better", "as good"):
        why = f"{match.second} lacks answers that {match.first} has"
    else:
        why = verdict(outcome, match.first, match.second)
    print(f"{'PASS' if holds else 'FAIL'}: {name}: {why}", file=sys.stderr)
    return holds
