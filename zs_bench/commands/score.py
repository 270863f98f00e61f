"""`zero-scrolls score`: score prediction files by task."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from zs_bench import install
from zs_bench.commands import OK, REFUSED, write
from zs_bench.commands.against import (
    add_aggregation,
    add_post,
    add_references,
    check_outputs,
    score_paths,
    system_names,
)
from zs_bench.drawing.html_report import html_report
from zs_bench.problems import UnusableInput
from zs_bench.reports import ledger_text, report
from zs_bench.reports.file_view import look_at
from zs_bench.reports.scored import ScoredFile

if TYPE_CHECKING:
    from zs_bench.commands import Commands


#: What can be written, by the name of its option: the text of a scored file.
FORMS: Mapping[str, Callable[[ScoredFile, argparse.Namespace], str]] = {
    "json": lambda scored, options: _json(scored, ledger=options.ledger),
    "csv": lambda scored, _: report.as_csv(scored),
    "markdown": lambda scored, options: report.as_markdown(scored, _name(options)),
    "latex": lambda scored, options: report.as_latex(scored, _name(options)),
    "html": lambda scored, options: html_report(scored, references=options.html_references),
}


def add(commands: Commands[Any]) -> None:
    """Declare the command."""
    score = commands.add_parser("score", help="score prediction files", description="Score prediction files by task.")
    score.add_argument("predictions", nargs="+", metavar="PREDICTIONS", help="files, a ZIP or a folder of answers")
    add_references(score)
    add_aggregation(score)
    add_post(score)
    score.add_argument("--json", metavar="OUT", help="write the report as JSON ('-' for standard output)")
    score.add_argument("--csv", metavar="OUT", help="write the scores of tasks and answers as CSV")
    score.add_argument("--markdown", metavar="OUT", help="write the scores of the tasks as a Markdown table")
    score.add_argument("--latex", metavar="OUT", help="write them as a LaTeX table, tasks as columns like the paper's")
    score.add_argument("--name", help="of the system, for these tables; default: that of its file")
    score.add_argument("--html", metavar="OUT", help="write a report to send: charts, losses, the most telling answers")
    score.add_argument("--html-references", action="store_true", help="with what the references say")
    score.add_argument("--ledger", action="store_true", help="tell what the points were lost to, also in the JSON")
    score.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the report; exit status 1 when something was refused."""
    install.warn_if_stale()
    if options.html_references and not options.html:
        raise UnusableInput("--html-references goes with --html")
    outputs = {form: getattr(options, form) for form in FORMS}
    silent = check_outputs(*outputs.values())
    scored = score_paths(options, options.predictions)
    for form, out in outputs.items():
        if out:
            write(out, FORMS[form](scored, options))
    if not silent:
        print(report.as_text(scored))
        if options.ledger:
            print(f"\n{ledger_text.as_text(look_at(scored).ledgers)}")
    return REFUSED if scored.refused else OK


def _name(options: argparse.Namespace) -> str:
    """The system's name."""
    return options.name or system_names(options.predictions[:1])[0]


def _json(scored: ScoredFile, *, ledger: bool) -> str:
    data = report.as_json(scored)
    if ledger:
        data = ledger_text.with_ledgers(data, look_at(scored).ledgers)
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
