"""`zero-scrolls certify`: whether the scores that another program has recorded are the official ones."""

import argparse
from dataclasses import replace

from zs_bench.commands import OK, REFUSED, describe
from zs_bench.commands.options import add_predictions, add_scoring, score_named
from zs_bench.commands.outputs import Form, Forms, report_problems, show, write_forms
from zs_bench.reports.validation import certificate_as_text
from zs_bench.variants import certify

_FORMS = Forms(Form("json", "json", "Write all differences as JSON.", lambda result, _: result[0]))


def declare(command: argparse.ArgumentParser) -> None:
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
    _FORMS.declare(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    outputs = _FORMS.requested(options)
    if not options.references and options.source is None:
        options.references = options.predictions
    scored = score_named(options, {"": options.predictions})[""]
    others = [problem for problem in scored.problems if problem.kind != "recorded"]
    report_problems({"": replace(scored, problems=others)})
    if not scored.scored:
        return REFUSED
    result = certify(scored)
    if write_forms((result, scored), options, outputs):
        show(certificate_as_text(result, scored))
    return OK if result["agrees"] and not scored.refused else REFUSED
