"""`zero-scrolls study`: the scores of one run or several by input length, or by groups of examples."""

import argparse

from zs_bench.commands import OK, REFUSED, describe
from zs_bench.commands.options import add_scoring, add_systems, load_split, named_systems, score_named
from zs_bench.commands.outputs import Form, Forms, report_problems, show, write_forms
from zs_bench.errors import UnusableInput
from zs_bench.reports import study
from zs_bench.reports.html.standalone import study_page
from zs_bench.scoring.groups import by_length, by_position

_GROUPINGS = {"length": by_length, "position": by_position}
_FORMS = Forms(
    Form("json", "json", "Write the study as JSON.", lambda result, _: study.as_json(result)),
    Form("csv", "csv", "Write the study as CSV, a line for each score.", lambda result, _: study.as_csv(result)),
    Form("html", None, "Write a report to send, with a chart for each task.", lambda result, _: study_page(result)),
)


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the command."""
    describe(
        command,
        "Score runs at several input lengths side by side, as Table 4 of the ZeroSCROLLS paper does. With --by, score "
        "groups of each task's examples: quarters by the length of the input, or by the quarter of the document in "
        "which the words of the reference occur. Every score has its 95 % interval.",
        {
            "zero-scrolls study runs/4096 runs/8192 --source hub --html study.html": "Scores against input length.",
            "zero-scrolls study run/ --source hub --by length": "Scores of one run by the length of the input.",
            "zero-scrolls study run/ --source data/ --by position": "Scores by where the answer is in the document.",
        },
        usage="zero-scrolls study SYSTEM... (--references PATH... | --source SOURCE) [options]",
        status="Something was not scored.",
    )
    add_systems(command)
    tokens = (
        "Input length of a system; give it once for each, in their order. Default: the budget of a folder that "
        "'zero-scrolls run' wrote, else the number in the name (4096, 8k)."
    )
    command.add_argument("--tokens", action="append", type=int, metavar="N", help=tokens)
    command.add_argument("--by", choices=tuple(_GROUPINGS), help="Group the examples of each task; needs --source.")
    add_scoring(command)
    _FORMS.declare(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print or write the study; what is wrong with a file goes to standard error."""
    outputs = _FORMS.requested(options)
    if options.by and not options.source:
        raise UnusableInput("--by reads the inputs of the examples; give them with --source")
    systems = named_systems(options)
    if options.tokens and len(options.tokens) != len(systems):
        raise UnusableInput(f"there are {len(systems)} systems; give --tokens once for each, in order")
    scored = score_named(options, systems)
    report_problems(scored)
    tasks = {name for file in scored.values() for name in file.scored}
    if not tasks:
        return REFUSED
    runs = {}
    for (name, file), tokens in zip(scored.items(), options.tokens or [None] * len(scored), strict=True):
        budget = file.run.settings.get("budget") if file.run else None
        runs[name] = study.read_run_name(name, tokens or budget, file.run.title if file.run else None)
    if options.by:
        all_tasks = next(iter(scored.values())).benchmark.all_tasks
        group = _GROUPINGS[options.by]
        groups = {name: group(load_split(options, task).examples) for name, task in all_tasks.items() if name in tasks}
        result = study.study_groups(runs, scored, groups)
    else:
        result = study.study_runs(runs, scored)
    if write_forms(result, options, outputs):
        show(study.as_text(result))
    return REFUSED if any(file.refused for file in scored.values()) else OK
