"""`zero-scrolls verify`: the problems of answer files, their repair, and the official prediction file."""

import argparse
import shlex
import sys
from typing import Any

from zs_bench.benchmarks import BENCHMARKS, DEFAULT, find_benchmark
from zs_bench.commands import OK, REFUSED, describe
from zs_bench.commands.options import SOURCES, add_options, add_predictions, add_recognised
from zs_bench.commands.outputs import as_json, check_outputs, progress, show, write
from zs_bench.errors import UnusableInput
from zs_bench.files.columns import holds, parse_columns
from zs_bench.problems import short
from zs_bench.reports.tables import listed
from zs_bench.reports.validation import repaired_as_text, validation_as_text
from zs_bench.validation.rules import OFFERED
from zs_bench.validation.submission import as_submission_csv
from zs_bench.validation.validate import Validation, repair
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
    add_options(command, "--columns", "--filter")
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
        more = [*(["--accept", *options.accept] if options.accept else []), *["--fill-missing"] * options.fill_missing]
        raise UnusableInput(f"--accept and --fill-missing go with --fix OUT.csv: {_fixing(options)} {' '.join(more)}")
    inputs = [*options.files, *(options.references or ()), *(options.ids or ())]
    silent = check_outputs(options.json, options.fix, inputs=inputs)
    if (options.revision and options.source is None) or (
        options.split and options.source is None and not options.references
    ):
        raise UnusableInput("--split goes with --source or --references, --revision with --source")
    names = ("references", "ids", "source", "split", "revision", "tasks", "benchmark", "columns")
    against = {name: value for name in names if (value := getattr(options, name)) is not None}
    if options.filter:
        against["columns"] = {**(options.columns or {}), "filter": options.filter}
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
        show(validation_as_text(validation, verdict=repaired is None, command=_fixing(options)))
        show("\n".join(listed("Next", _next(validation, options))))
        if repaired is not None:
            show(repaired_as_text(repaired, options.fix))
    elif repaired is not None and options.fix == "-":
        print(repaired_as_text(repaired, "standard output"), file=sys.stderr)
    return OK if (repaired or validation).ready else REFUSED


def _next(validation: Validation, options: argparse.Namespace) -> list[str]:
    """The commands that read or check the files in another way, where what was found may call for it."""
    errors = [problem for problem in validation.problems if problem.is_error]
    asked: dict[str, str] = {}
    for columns in filter(None, dict.fromkeys(problem.columns for problem in validation.problems)):
        named = {**(options.columns or {}), **parse_columns(columns)}
        asked[_command(options, columns=named)] = f"if {holds(columns)}"
    for file in validation.read.files:
        filters = {
            _command(options, filter=name): f"read the answers of filter {short(name)!r}" for name in file.filters
        }
        asked |= filters
    for name in dict.fromkeys(problem.benchmark for problem in errors if problem.benchmark):
        asked[_command(options, benchmark=name)] = f"check the file as {BENCHMARKS[name].title}"
    for ids in validation.checked.context.ids.values():
        splits = [each.split for each in (ids.source, *ids.tied) if each.split and ids.tied]
        asked |= {_command(options, split=split): f"check against the IDs of the {split} split" for split in splits}
    if not validation.known_ids.lists and find_benchmark(options.benchmark).repo:
        asked[_command(options, source="hub")] = "check against the IDs of the test split on the Hub"
    return [f"{command}: {what}" for command, what in asked.items()]


def _fixing(options: argparse.Namespace) -> str:
    """The command that makes the safe repairs, as it can be typed."""
    return f"{_command(options)} {shlex.join(['--fix', options.fix or 'OUT.csv'])}"


def _command(options: argparse.Namespace, **changes: Any) -> str:
    """The command of these options, some of them changed, as it can be typed."""
    given = {**vars(options), **changes}
    command = ["zero-scrolls", "verify", *given["files"]]
    for name in ("references", "ids", "source", "split", "revision", "tasks", "filter"):
        if value := given[name]:
            command += [f"--{name}", *([value] if isinstance(value, str) else value)]
    command += ["--benchmark", given["benchmark"]] if given["benchmark"] != DEFAULT else []
    command += ["--columns", ",".join(map("=".join, given["columns"].items()))] if given["columns"] else []
    return shlex.join(command)
