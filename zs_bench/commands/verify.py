"""`zero-scrolls verify`: the problems of answer files, their repair, and the official prediction file."""

import argparse
import shlex
import sys

from zs_bench.benchmarks import DEFAULT
from zs_bench.commands import OK, REFUSED, describe
from zs_bench.commands.options import SOURCES, add_options, add_predictions, add_recognised
from zs_bench.commands.outputs import as_json, check_outputs, options_for, progress, show, write
from zs_bench.errors import UnusableInput
from zs_bench.reports.validation import repaired_as_text, validation_as_text
from zs_bench.validation.rules import OFFERED
from zs_bench.validation.submission import as_submission_csv
from zs_bench.validation.validate import repair
from zs_bench.validation.verify import verify


def declare(command: argparse.ArgumentParser) -> None:
    describe(
        command,
        "Find everything that is wrong with answer files, repair it, and write the official prediction file. Without "
        "ids to check against (--references, --ids or --source), only what needs none is checked.",
        {
            "zero-scrolls verify run/ --source hub": "Check against the ids of the test split.",
            "zero-scrolls verify run/ --source hub --fix zero_scrolls_predictions.csv": "Repair and write the file.",
            "zero-scrolls verify run/ --ids test_ids.json": "Check without a network, see 'zero-scrolls data --ids'.",
        },
        usage="zero-scrolls verify FILE... [--references PATH... | --ids IDS... | --source SOURCE] [options]",
        status="Not ready: something is wrong (with --fix: still wrong after the repairs), or no ids were checked.",
    )
    add_predictions(command, "files", "FILE")
    add_options(command, "--columns")
    lists = "The ids in the first of these files from 'data --ids'; the others tell where an unknown id comes from."
    split = "Split of the source or references. Default: test; validation where there is no test split."
    offered = f"Make these repairs too, which change what is scored: {', '.join(OFFERED)}."
    group = command.add_argument_group("ids to check against")
    ids = group.add_mutually_exclusive_group()
    ids.add_argument(
        "--references", nargs="+", action="extend", metavar="PATH", help="The ids in these reference files."
    )
    ids.add_argument("--ids", nargs="+", action="extend", metavar="IDS", help=lists)
    ids.add_argument("--source", help=f"The ids in this source: {SOURCES}.")
    add_options(group, "--split", help=split)
    add_options(group, "--revision")
    add_recognised(group)
    group.add_argument(
        "--tasks", nargs="+", action="extend", metavar="TASK", help="Check against the ids of these tasks only."
    )
    group = command.add_argument_group("repair and output")
    add_options(group, "--json")
    group.add_argument("--fix", metavar="OUT.csv", help="Make the safe repairs and write one file of all answers.")
    group.add_argument("--accept", nargs="+", action="extend", default=[], metavar="KIND", help=offered)
    group.add_argument("--fill-missing", action="store_true", help="Fill missing answers with empty texts, scored 0.")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the problems and the repairs; exit status 1 unless the answers, as repaired, are ready."""
    if options.fix is None and (options.accept or options.fill_missing):
        raise UnusableInput(f"--accept and --fill-missing go with --fix OUT.csv: {_command(options)}")
    inputs = [*options.files, *(options.references or ()), *(options.ids or ())]
    silent = check_outputs(options.json, options.fix, inputs=inputs)
    if (options.revision and options.source is None) or (
        options.split and options.source is None and not options.references
    ):
        raise UnusableInput("--split goes with --source or --references, --revision with --source")
    names = ("references", "ids", "source", "split", "revision", "tasks", "benchmark", "columns")
    against = {name: value for name in names if (value := getattr(options, name)) is not None}
    validation = verify(options.files, **against, progress=progress())
    repaired, fixed = None, None
    if options.fix is not None:
        repaired = repair(validation, options.accept, fill_missing=options.fill_missing)
        fixed = {"out": options.fix if repaired.answers else None, **repaired.repairs_as_dict()}
        if repaired.answers:
            write(options.fix, as_submission_csv(repaired.answers))
    if options.json:
        write(options.json, as_json({**validation.as_dict(), "fixed": fixed}))
    if not silent:
        show(validation_as_text(validation, verdict=repaired is None, command=_command(options)))
        for line in options_for([problem for problem in validation.problems if problem.kind.endswith("columns")]):
            print(f"\n{line}")
        if repaired is not None:
            show(repaired_as_text(repaired, options.fix))
    elif repaired is not None and options.fix == "-":
        print(repaired_as_text(repaired, "standard output"), file=sys.stderr)
    return OK if (repaired or validation).ready else REFUSED


def _command(options: argparse.Namespace) -> str:
    """Return the command that makes the safe repairs, as it can be typed."""
    command = ["zero-scrolls", "verify", *options.files]
    for name in ("references", "ids", "source", "split", "revision", "tasks"):
        if value := getattr(options, name):
            command += [f"--{name}", *([value] if isinstance(value, str) else value)]
    command += ["--benchmark", options.benchmark] if options.benchmark != DEFAULT else []
    command += ["--columns", ",".join(map("=".join, options.columns.items()))] if options.columns else []
    return shlex.join([*command, "--fix", options.fix or "OUT.csv"])
