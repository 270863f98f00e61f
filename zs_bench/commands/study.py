"""`zero-scrolls study`: the scores of one run or several by input length, or by groups of examples."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from zs_bench.benchmarks import find_benchmark
from zs_bench.commands import OK, REFUSED, describe
from zs_bench.commands.options import add_scoring, add_systems, load_split, named_systems, score_named
from zs_bench.commands.outputs import Form, Forms, report_problems, show, write_forms
from zs_bench.errors import UnusableInput
from zs_bench.problems import short
from zs_bench.reports import study
from zs_bench.scoring.compare import by_answers, by_hops, by_length, by_position, by_row_length
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_bench.validation.predictions import read_labels


def _html(result: study.Study, _: argparse.Namespace) -> str:
    from zs_bench.reports.html.standalone import study_page

    return study_page(result)


_OF_INPUTS = {"length": by_length, "position": by_position}
_OF_TASKS = {"hops": by_hops, "answers": by_answers}
_CSV = "Write the study as CSV, a line for each score."
_FORMS = Forms(
    Form("json", "json", "Write the study as JSON.", lambda result, _: study.as_json(result)),
    Form("csv", "csv", _CSV, lambda result, _: study.score_table(result).csv()),
    Form("html", None, "Write a report to send, with a chart for each task.", _html),
)


def declare(command: argparse.ArgumentParser) -> None:
    describe(
        command,
        "Score runs at several input lengths side by side, as Table 4 of the ZeroSCROLLS paper does. With --by, score "
        "groups of each task's examples: quarters by the length of the input, or by the quarter of the document in "
        "which the words of the reference occur, MuSiQue by hops, Qasper by the kind of answer, or the groups of a "
        "file. Every score has its 95 % interval.",
        {
            "zero-scrolls study runs/4096 runs/8192 --source hub --html study.html": "Scores against input length.",
            "zero-scrolls study run/ --source hub --by length": "Scores of one run by the length of the input.",
            "zero-scrolls study run/ --source data/ --by position": "Scores by where the answer is in the document.",
            "zero-scrolls study run/ --references references/ --by groups.csv": "Your own groups: id,group.",
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
    by = (
        "Group the examples of each task: by length or position (of the input; needs --source), by hops (MuSiQue) or "
        "answers (Qasper: yes or no, unanswerable, other), or by a file with the columns id and group."
    )
    command.add_argument("--by", metavar="HOW", help=by)
    add_scoring(command)
    _FORMS.declare(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    outputs = _FORMS.requested(options)
    own_bins = options.by == "length" and find_benchmark(options.benchmark).length_bins
    if options.by in _OF_INPUTS and not options.source and not own_bins:
        raise UnusableInput(f"--by {options.by} reads the inputs of the examples; give them with --source")
    if options.by and options.by not in {**_OF_INPUTS, **_OF_TASKS} and not Path(options.by).is_file():
        names = ", ".join([*_OF_INPUTS, *_OF_TASKS])
        raise UnusableInput(f"--by {short(options.by)!r} is neither a file nor one of {names}")
    systems = named_systems(options)
    if options.tokens and len(options.tokens) != len(systems):
        raise UnusableInput(f"there are {len(systems)} systems; give --tokens once for each, in order")
    scored = score_named(options, systems)
    tasks = {name for file in scored.values() for name in file.scored}
    if not tasks:
        report_problems(scored)
        return REFUSED
    runs = {}
    for (name, file), tokens in zip(scored.items(), options.tokens or [None] * len(scored), strict=True):
        budget = file.run.settings.get("budget") if file.run else None
        runs[name] = study.read_run_name(name, tokens or budget, file.run.title if file.run else None)
    if options.by:
        result = study.study_groups(runs, scored, _groups(options, scored))
        if not result.rows:
            raise UnusableInput(f"--by {short(options.by)}: no scored example is in a group")
    else:
        result = study.study_runs(runs, scored)
    if write_forms(result, options, outputs):
        show(study.as_text(result))
    report_problems(scored)
    return REFUSED if any(file.refused for file in scored.values()) else OK


def _groups(options: argparse.Namespace, scored: Mapping[str, ScoredFile]) -> dict[str, dict[str, str]]:
    first = next(iter(scored.values()))
    tasks = {name: task for file in scored.values() for name, task in file.scored.items()}
    ordered: dict[str, ScoredTask] = {name: tasks[name] for name in first.benchmark.all_tasks if name in tasks}
    if options.by == "length" and first.benchmark.length_bins:
        return {name: by_row_length(task) for name, task in ordered.items()}
    if of_inputs := _OF_INPUTS.get(options.by):
        return {name: of_inputs(load_split(options, task.task).examples) for name, task in ordered.items()}
    if of_task := _OF_TASKS.get(options.by):
        return {name: of_task(task) for name, task in ordered.items()}
    return read_labels(options.by, "group", ordered)
