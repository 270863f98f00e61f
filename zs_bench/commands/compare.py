"""Scores side by side.

- `zero-scrolls compare`: two or more systems on the same references, each compared with the first.
- `zero-scrolls study`: one run or several by input length, or by groups of examples.
- `zero-scrolls variants`: a file as other implementations would score it, to find the one behind a number.
"""

import argparse
from collections.abc import Mapping

from zs_bench.commands import OK, REFUSED, describe
from zs_bench.commands.options import add_scoring, add_systems, load_split, named_systems, score_named
from zs_bench.commands.outputs import Form, add_forms, as_json, report_problems, requested_forms, show, write_forms
from zs_bench.files.formats import file_kinds
from zs_bench.problems import UnusableInput
from zs_bench.reports import comparison, study
from zs_bench.reports.file_view import explain_file, losses_as_text
from zs_bench.reports.html.standalone import comparison_page, study_page
from zs_bench.reports.report_text import variants_as_text
from zs_bench.scoring.groups import by_length, by_position
from zs_bench.scoring.scored import ScoredFile
from zs_bench.variants.rescore import AVERAGE, rescored_file
from zs_metric.errors import ZeroScrollsError

#: The output formats of a comparison.
_COMPARISON_FORMS = (
    Form(
        "json",
        "json",
        "Write the comparison as JSON, with every question and all predictions.",
        lambda found, _: as_json(comparison.as_json(found, with_questions=True)),
    ),
    Form("csv", "csv", "Write every question with all predictions as CSV.", lambda found, _: comparison.as_csv(found)),
    Form("markdown", "md", "Write tables and verdicts as Markdown.", lambda found, _: comparison.as_markdown(found)),
    Form("latex", "tex", "Write tables and verdicts as LaTeX.", lambda found, _: comparison.as_latex(found)),
    Form(
        "html",
        None,
        "Write a report to send, with charts and the questions where the systems differ most.",
        lambda found, options: comparison_page(found, references=options.html_references),
    ),
)


def declare_compare(command: argparse.ArgumentParser) -> None:
    """Declare `compare`."""
    describe(
        command,
        "Score two or more systems on the same references and compare each with the first: the difference per task "
        "and overall, its 95 % interval (paired bootstrap), its p-value (paired randomisation), and a verdict.",
        {
            "zero-scrolls compare one.csv two.csv --references references/": "Compare two files.",
            "zero-scrolls compare runs/a runs/b --name baseline --name ours --source hub": "Give the systems names.",
            "zero-scrolls compare one.csv two.csv --references references/ --format md": "Print tables for a page.",
        },
        usage="zero-scrolls compare SYSTEM SYSTEM... (--references PATH... | --source SOURCE) [options]",
        status="Something was not scored.",
    )
    add_systems(command)
    add_scoring(command)
    group = add_forms(command, _COMPARISON_FORMS, html_references=True)
    group.add_argument("--ledger", action="store_true", help="Add the loss breakdown of every system.")
    command.set_defaults(run=_compare)


def _compare(options: argparse.Namespace) -> int:
    """Print or write the comparison; what is wrong with a file goes to standard error."""
    outputs = requested_forms(options, _COMPARISON_FORMS)
    systems = score_named(options, named_systems(options, least=2))
    report_problems(systems)
    found = comparison.compare(systems)
    if write_forms(found, options, outputs):
        show(comparison.as_text(found))
        if options.ledger:
            for name, scored in found.systems.items():
                print(f"\n{name}. {losses_as_text(explain_file(scored).losses)}")
        print("\nBoth answers to every question: --csv OUT; those that differ most, with charts: --html OUT.")
        if not options.ledger:
            print("What each system lost points to: --ledger.")
    return REFUSED if any(scored.refused for scored in systems.values()) else OK


_GROUPINGS = {"length": by_length, "position": by_position}
#: The output formats of a study.
_STUDY_FORMS = (
    Form("json", "json", "Write the study as JSON.", lambda found, _: as_json(study.as_json(found))),
    Form("csv", "csv", "Write the study as CSV, a line for each score.", lambda found, _: study.as_csv(found)),
    Form("html", None, "Write a report to send, with a chart for each task.", lambda found, _: study_page(found)),
)


def declare_study(command: argparse.ArgumentParser) -> None:
    """Declare `study`."""
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
    command.add_argument(
        "--tokens",
        action="append",
        type=int,
        metavar="N",
        help="Input length of a system; give it once for each, in their order. Default: the budget of a folder that "
        "'zero-scrolls run' wrote, else the number in the name (4096, 8k).",
    )
    command.add_argument("--by", choices=tuple(_GROUPINGS), help="Group the examples of each task; needs --source.")
    add_scoring(command)
    add_forms(command, _STUDY_FORMS)
    command.set_defaults(run=_study)


def _study(options: argparse.Namespace) -> int:
    """Print or write the study; what is wrong with a file goes to standard error."""
    outputs = requested_forms(options, _STUDY_FORMS)
    if options.by and not options.source:
        raise UnusableInput("--by reads the inputs of the examples; give them with --source")
    systems = named_systems(options)
    if options.tokens and len(options.tokens) != len(systems):
        raise UnusableInput(f"there are {len(systems)} systems; give --tokens once for each, in order")
    scored = score_named(options, systems)
    runs = _runs(options, scored)
    report_problems(scored)
    if not any(one.scored for one in scored.values()):
        return REFUSED
    found = study.study_groups(runs, scored, _groups(options, scored)) if options.by else study.study_runs(runs, scored)
    if write_forms(found, options, outputs):
        show(study.as_text(found))
    return REFUSED if any(one.refused for one in scored.values()) else OK


def _runs(options: argparse.Namespace, scored: Mapping[str, ScoredFile]) -> dict[str, study.Run]:
    """The runs, with what the folder of `zero-scrolls run` says about them."""
    runs = {}
    for (name, one), tokens in zip(scored.items(), options.tokens or [None] * len(scored), strict=True):
        settings = one.run.settings if one.run else {}
        runs[name] = study.read_run_name(name, tokens or settings.get("budget"), one.run.title if one.run else None)
    return runs


def _groups(options: argparse.Namespace, scored: Mapping[str, ScoredFile]) -> dict[str, dict[str, str]]:
    first = next(iter(scored.values()))
    tasks = [task for name, task in first.of.all_tasks.items() if any(name in one.scored for one in scored.values())]
    split = options.split or "validation"
    return {task.name: _GROUPINGS[options.by](load_split(options, task, split).examples) for task in tasks}


#: The output formats of the scores.
_VARIANTS_FORMS = (Form("json", "json", "Write the scores as JSON.", lambda found, _: as_json(found)),)


def declare_variants(command: argparse.ArgumentParser) -> None:
    """Declare `variants`."""
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
    command.add_argument("predictions", nargs="+", metavar="PREDICTIONS", help=f"Answers: {file_kinds('predictions')}.")
    command.add_argument(
        "--reported",
        nargs="+",
        default=[],
        metavar="TASK=POINTS",
        help=f"Reported numbers, such as qasper=28.5 or {AVERAGE}=35.45, with all their decimals.",
    )
    add_scoring(command, aggregation=False)
    add_forms(command, _VARIANTS_FORMS)
    command.set_defaults(run=_variants)


def _variants(options: argparse.Namespace) -> int:
    """Print the scores; what is wrong with a file goes to standard error."""
    outputs = requested_forms(options, _VARIANTS_FORMS)
    reported = _reported(options.reported)
    systems = score_named(options, {"": options.predictions})
    report_problems(systems)
    scored = systems[""]
    if not scored.scored:
        return REFUSED
    found = rescored_file(scored, reported)
    if write_forms(found, options, outputs):
        show(variants_as_text(found))
    return REFUSED if scored.refused else OK


def _reported(numbers: list[str]) -> dict[str, float | str]:
    pairs = [number.rpartition("=") for number in numbers]
    for number, (name, _, _) in zip(numbers, pairs, strict=True):
        if not name:
            raise ZeroScrollsError(f"--reported {number!r} is not TASK=POINTS; write for example qasper=28.5")
    return {name: points for name, _, points in pairs}
