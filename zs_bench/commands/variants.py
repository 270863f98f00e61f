"""`zero-scrolls variants`: a file as other implementations would score it, to find the one behind a number.

And `zero-scrolls certify`: whether the scores that another program has recorded are the official ones.
"""

import argparse
from dataclasses import replace

from zs_bench.commands import OK, REFUSED, describe
from zs_bench.commands.options import add_predictions, add_scoring, score_named
from zs_bench.commands.outputs import Form, Forms, report_problems, show, write_forms
from zs_bench.errors import UnusableInput
from zs_bench.reports.validation import certificate_as_text, variants_as_text
from zs_bench.variants import AVERAGE, certify, rescored_file

_FORMS = Forms(Form("json", "json", "Write the scores as JSON.", lambda rescored, _: rescored))
_CERTIFICATE = Forms(Form("json", "json", "Write all differences as JSON.", lambda result, _: result[0]))


def declare(command: argparse.ArgumentParser) -> None:
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
    numbers = f"Reported numbers, such as qasper=28.5 (or 0.285) or {AVERAGE}=35.45, with all their decimals."
    command.add_argument("--reported", nargs="+", action="extend", default=[], metavar="TASK=POINTS", help=numbers)
    add_scoring(command, aggregation=False)
    _FORMS.declare(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    outputs = _FORMS.requested(options)
    reported = {name: points for name, _, points in (number.rpartition("=") for number in options.reported)}
    if "" in reported:
        raise UnusableInput(f"--reported {reported['']!r} is not TASK=POINTS; write for example qasper=28.5")
    systems = score_named(options, {"": options.predictions})
    scored = systems[""]
    if not scored.scored:
        report_problems(systems)
        return REFUSED
    rescored = rescored_file(scored, reported)
    if write_forms(rescored, options, outputs):
        show(variants_as_text(rescored))
    report_problems(systems)
    return REFUSED if scored.refused else OK


def declare_certify(command: argparse.ArgumentParser) -> None:
    describe(
        command,
        "Compare the scores that logs of lm-evaluation-harness or Inspect, or rows of any file, have recorded with the "
        "official ones, answer by answer; show the largest differences and the variant of the metric that gives them.",
        {
            "zero-scrolls certify samples_qasper_2026-06-03.jsonl": "A log that has its references.",
            "zero-scrolls certify run.csv --references references/ --columns score=my_f1": "A table with a score.",
        },
        usage="zero-scrolls certify PREDICTIONS... [--references PATH... | --source SOURCE] [options]",
        status="A recorded score is not the official one, or none is recorded, or something was not scored.",
    )
    add_predictions(command)
    add_scoring(command, aggregation=False)
    _CERTIFICATE.declare(command)
    command.set_defaults(run=_certify)


def _certify(options: argparse.Namespace) -> int:
    outputs = _CERTIFICATE.requested(options)
    is_alone = not options.references and options.source is None
    if is_alone:
        options.references = options.predictions
    scored = score_named(options, {"": options.predictions})[""]
    if is_alone and scored.validation.read.rows and not scored.validation.known_ids.lists:
        raise UnusableInput("the answers have no references beside them; give --references PATH or --source SOURCE")
    others = [problem for problem in scored.problems if problem.kind != "recorded"]
    known = {"": replace(scored, problems=others)}
    if not scored.scored:
        report_problems(known)
        return REFUSED
    result = certify(scored)
    if write_forms((result, scored), options, outputs):
        show(certificate_as_text(result, scored))
    report_problems(known)
    return OK if result["agrees"] and not scored.refused else REFUSED
