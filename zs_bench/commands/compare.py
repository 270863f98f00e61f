"""`zero-scrolls compare`: two or more systems on the same references, each compared with the first."""

import argparse
import sys

from zs_bench.commands import OK, REFUSED, describe
from zs_bench.commands.options import add_scoring, add_systems, named_systems, read_thresholds, score_named
from zs_bench.commands.outputs import Form, Forms, report_problems, show, write_forms
from zs_bench.errors import UnusableInput
from zs_bench.reports import comparison
from zs_bench.scoring.compare import Comparison


def _html(result: Comparison, options: argparse.Namespace) -> str:
    from zs_bench.reports.html.standalone import comparison_page

    return comparison_page(result, references=options.html_references, losses=options.losses)


_JSON = "Write the comparison as JSON, with every question and all predictions."
_CSV = "Write every question with all predictions as CSV."
_LATEX = "Write a LaTeX table (booktabs) with a row for each system, the best in bold."
_HTML = "Write a report to send, with charts and the questions where the systems differ most."
FORMS = Forms(
    Form("json", "json", _JSON, lambda result, _: comparison.as_json(result)),
    Form("csv", "csv", _CSV, lambda result, _: comparison.as_csv(result)),
    Form("markdown", "md", "Write tables and verdicts as Markdown.", lambda result, _: comparison.as_markdown(result)),
    Form("latex", "tex", _LATEX, lambda result, _: comparison.as_latex(result)),
    Form("html", None, _HTML, _html),
    html_references=True,
)


def declare(command: argparse.ArgumentParser) -> None:
    describe(
        command,
        "Score two or more systems on the same references and compare each with the first: the difference per task "
        "and overall, new minus first, its 95 % interval, its p-value, and a verdict. With --margin, also whether each "
        "of the others is as good as the first within so many points, to gate a build on. Where answers are missing, "
        "the examples that both answered are compared, without a verdict on the whole.",
        {
            "zero-scrolls compare one.csv two.csv --references references/": "Compare two files.",
            "zero-scrolls compare runs/a runs/b --name baseline --name ours --source hub": "Give the systems names.",
            "zero-scrolls compare base/ new/ --source data/ --margin 2 --margin qasper=4": "Gate a build on new/.",
            "zero-scrolls compare base/ new/ --runs --source hub": "Compare systems of several runs, a file each.",
        },
        usage="zero-scrolls compare SYSTEM SYSTEM... (--references PATH... | --source SOURCE) [options]",
        status="Something was not scored, or a --margin is not shown to hold.",
    )
    add_systems(command)
    runs = (
        "Take each folder or file inside a SYSTEM as a run of it: its scores are the means of those of the runs. A "
        "SYSTEM that is a file is one run."
    )
    command.add_argument("--runs", action="store_true", help=runs)
    margin = (
        "End with exit status 1 unless every other system is shown to lose less than this against the first: on the "
        "average of all tasks, or on the only one that all have; on the mean of those compared (mean=POINTS); or on a "
        "task. Can be given several times."
    )
    command.add_argument("--margin", action="append", default=[], metavar="[TASK=]POINTS", help=margin)
    test = (
        "Print the p-value of this test beside the interval's, which decides: paired approximate randomisation, which "
        "exchanges answers between the systems 10,000 times."
    )
    command.add_argument("--test", choices=comparison.TESTS, help=test)
    quiet = "Print the verdict alone, one line for each system."
    command.add_argument("--quiet", "-q", action="store_true", help=quiet)
    add_scoring(command)
    FORMS.declare(command, losses="Add what each system lost more points to than the first.")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    outputs = FORMS.requested(options, "-" if options.quiet else None)
    margins = dict(read_thresholds("--margin", options.margin, options.benchmark, "mean"))
    if len(options.systems) < 2:
        raise UnusableInput("a comparison needs two systems or more; give another file or folder")
    partial, options.partial = options.partial, True  # what both answered can be compared
    systems = score_named(options, named_systems(options))
    result = comparison.compare(systems, margins, options.test)
    if write_forms(result, options, outputs):
        if options.quiet:
            for match in result.comparisons:
                print(f"{match.second}: {comparison.headline(match)}")
        else:
            _print(result, options)
    report_problems(systems)
    rows = [row for match in result.comparisons for row in comparison.gate(match)]
    for row in rows:
        print(f"{'PASS' if row['holds'] else 'FAIL'}: {row['name']}: {row['reason']}", file=sys.stderr)
    left_out = any(task.partial or task.unknown for scored in systems.values() for task in scored.tasks.values())
    refused = any(scored.refused for scored in systems.values()) or (left_out and not partial)
    return OK if all(row["holds"] for row in rows) and not refused else REFUSED


def _print(result: Comparison, options: argparse.Namespace) -> None:
    show(comparison.as_text(result))
    if options.losses:
        for match in result.comparisons:
            print(f"\n{comparison.losses_as_text(result, match)}")
    print("\nBoth answers to every question: --csv OUT; those that differ most, with charts: --html OUT.")
    if not options.losses:
        print("What more points were lost to: --losses.")
