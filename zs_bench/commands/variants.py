"""`zero-scrolls variants`: a file as other implementations would score it, to find the one behind a number."""

import argparse

from zs_bench.commands import OK, REFUSED, describe
from zs_bench.commands.options import add_predictions, add_scoring, score_named
from zs_bench.commands.outputs import Form, add_forms, as_json, report_problems, requested_forms, show, write_forms
from zs_bench.reports.variants_text import variants_as_text
from zs_bench.variants.rescore import AVERAGE, rescored_file
from zs_metric.errors import ZeroScrollsError

#: The output formats of the scores.
_FORMS = (Form("json", "json", "Write the scores as JSON.", lambda rescored, _: as_json(rescored)),)


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the command."""
    describe(
        command,
        "Score answer files under every known variant of the metrics: with a stemmer, against the first reference "
        "only, with another tokenisation and so on, as other implementations compute them. Give a reported number to "
        "find the variants that produce it.",
        {
            "zero-scrolls variants run.csv --references references/": "Score under all variants.",
            "zero-scrolls variants run.csv --references references/ --reported qasper=28.5": "Find a number's variant.",
        },
        usage="zero-scrolls variants PREDICTIONS... (--references PATH... | --source SOURCE) [options]",
        status="Something was not scored.",
    )
    add_predictions(command)
    command.add_argument(
        "--reported",
        nargs="+",
        default=[],
        metavar="TASK=POINTS",
        help=f"Reported numbers, such as qasper=28.5 or {AVERAGE}=35.45, with all their decimals.",
    )
    add_scoring(command, aggregation=False)
    add_forms(command, _FORMS)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the scores; what is wrong with a file goes to standard error."""
    outputs = requested_forms(options, _FORMS)
    reported = _reported(options.reported)
    systems = score_named(options, {"": options.predictions})
    report_problems(systems)
    scored = systems[""]
    if not scored.scored:
        return REFUSED
    rescored = rescored_file(scored, reported)
    if write_forms(rescored, options, outputs):
        show(variants_as_text(rescored))
    return REFUSED if scored.refused else OK


def _reported(numbers: list[str]) -> dict[str, float | str]:
    for number in numbers:
        if not number.rpartition("=")[0]:
            raise ZeroScrollsError(f"--reported {number!r} is not TASK=POINTS; write for example qasper=28.5")
    return {name: points for name, _, points in (number.rpartition("=") for number in numbers)}
