"""`zero-scrolls score`: score answer files by task; and `zero-scrolls demo`, which scores the sample of the package."""

import argparse
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from zs_bench import install
from zs_bench.commands import OK, REFUSED, add_benchmark, describe
from zs_bench.commands.options import add_scoring, score_named, system_names
from zs_bench.commands.outputs import (
    Form,
    add_forms,
    as_json,
    options_for,
    report_problems,
    requested_forms,
    show,
    write_forms,
)
from zs_bench.errors import UnusableInput
from zs_bench.files.formats import file_kinds
from zs_bench.reports import report
from zs_bench.reports.every_eval_ever import check_model, write_records
from zs_bench.reports.report import as_eval_results
from zs_bench.scoring.score_files import score_against
from zs_bench.scoring.scored import ScoredFile
from zs_bench.tasks import benchmark_info
from zs_metric.tasks import find_benchmark, find_task


class Threshold(NamedTuple):
    """The lowest score accepted, in points, for a task or for the average over all tasks (`task` is `None`)."""

    task: str | None
    points: float


def threshold(text: str) -> Threshold:
    """Read `35`, `average=35` or `qasper=20`.

    >>> threshold("35"), threshold("qasper=20.5")
    (Threshold(task=None, points=35.0), Threshold(task='qasper', points=20.5))
    """
    task, _, points = text.rpartition("=")
    try:
        number = float(points)
    except ValueError:
        number = -1
    if not 0 <= number <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of points from 0 to 100; give 35 or qasper=20")
    return Threshold(None if task in ("", "average") else task, number)


def reached(scored: ScoredFile, thresholds: Iterable[Threshold]) -> bool:
    """Whether all thresholds are reached; prints a line about each to standard error.

    Scores are compared as printed, with 4 decimals, so that a printed score can serve as a threshold.
    """
    results = [_result(scored, *threshold) for threshold in thresholds]
    for line in results:
        print(line, file=sys.stderr)
    return all(line.startswith("PASS") for line in results)


def _result(scored: ScoredFile, task: str | None, points: float) -> str:
    result, name = scored.tasks.get(task) if task else scored.result, task or "average"
    if result is None or result.score is None:
        count = f"{len(scored.scored)} of {len(scored.benchmark.tasks)} tasks were scored"
        some = f"{count}; give --fail-under TASK=POINTS for some"
        return f"FAIL: {name} has no score to compare with {points:.10g}" + ("" if task else f": {some}")
    if round(result.score, 4) < points:
        return f"FAIL: {name} {result.score:.4f} is under {points:.10g}"
    return f"PASS: {name} {result.score:.4f} is at least {points:.10g}"


def _json(scored: ScoredFile, options: argparse.Namespace) -> str:
    from zs_bench.reports.file_view import explain_file, with_losses  # noqa: PLC0415  (for --losses alone)

    data = report.as_json(scored)
    return as_json(with_losses(data, explain_file(scored).losses) if options.losses else data)


def _html(scored: ScoredFile, options: argparse.Namespace) -> str:
    from zs_bench.reports.html.standalone import html_report  # noqa: PLC0415  (charts and comparisons, for this alone)

    return html_report(scored, references=options.html_references, name=_name(options))


#: The output formats of a scored file.
FORMS = (
    Form("json", "json", "Write the report as JSON.", _json),
    Form("csv", "csv", "Write the scores of tasks and answers as CSV.", lambda scored, _: report.as_csv(scored)),
    Form(
        "markdown",
        "md",
        "Write the scores of the tasks as a Markdown table.",
        lambda scored, options: report.as_markdown(scored, _name(options)),
    ),
    Form(
        "latex",
        "tex",
        "Write the scores as a LaTeX table with a column for each task, as in the paper.",
        lambda scored, options: report.as_latex(scored, _name(options)),
    ),
    Form(
        "html",
        None,
        "Write a report to send, with charts and the most informative answers.",
        _html,
    ),
    Form(
        "eval-results",
        None,
        "Write the scores as YAML for .eval_results/ in the model's repo on the Hub, as scores on the benchmark's "
        "dataset (so with --source hub) or on the one that --dataset names.",
        lambda scored, options: as_eval_results(scored, options.dataset),
    ),
)


def _name(options: argparse.Namespace) -> str:
    return options.name or system_names(options.predictions[:1])[0]


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the command."""
    describe(
        command,
        "Score answer files against references, task by task, exactly as the released evaluators do. A task with a "
        "missing, unknown or repeated id is not scored, and the report says why.",
        {
            "zero-scrolls score predictions.csv --references references/": "Score a file; references are a folder.",
            "zero-scrolls score run/ --source hub --html report.html": "References from the Hub; a report to send.",
            "zero-scrolls score run/ --references references/ --fail-under 35 --fail-under qasper=20": "Check in CI.",
            "zero-scrolls score run/ --references references/ --format json | jq .score": "Use the report elsewhere.",
        },
        usage="zero-scrolls score PREDICTIONS... (--references PATH... | --source SOURCE) [options]",
        status="Something was not scored, or a score is under --fail-under.",
    )
    command.add_argument("predictions", nargs="+", metavar="PREDICTIONS", help=f"Answers: {file_kinds('predictions')}.")
    add_scoring(command)
    group = add_forms(command, FORMS, html_references=True)
    group.add_argument("--dataset", metavar="REPO", help="Dataset on the Hub that the references are of, owner/name.")
    group.add_argument("--name", help="Name of the system in reports. Default: the name of its file.")
    group.add_argument(
        "--eee",
        metavar="DIR",
        help="Add the records of Every Eval Ever, scores and answers without references, to this folder. --name is the "
        "model as developer/model; for the folder of a run it may be left out.",
    )
    group.add_argument(
        "--losses", action="store_true", help="Add the loss breakdown: what the points were lost to. Also in the JSON."
    )
    group.add_argument("--ledger", dest="losses", action="store_true", help=argparse.SUPPRESS)  # the earlier name
    group.add_argument("--quiet", action="store_true", help="Print the score alone; problems go to standard error.")
    group.add_argument(
        "--fail-under",
        action="append",
        default=[],
        type=threshold,
        metavar="[TASK=]POINTS",
        help="End with exit status 1 when the average, or this task, scores less. Can be given several times.",
    )
    command.set_defaults(run=run)


_SEND = "Send what is missing: repeat the command of the run."
_SCORE = " Score only what was answered: --partial"


def run(options: argparse.Namespace) -> int:
    """Print or write the report."""
    install.warn_if_stale()
    outputs = requested_forms(options, FORMS, "-" if options.quiet else None)
    for task, _ in options.fail_under:
        if task:
            find_task(task, benchmark=options.benchmark)
    if options.eval_results and not options.dataset:
        _check_dataset(options)
    if options.eee and options.name:
        check_model(options.name)
    scored = score_named(options, {"": options.predictions})[""]
    if write_forms(scored, options, outputs) and not options.quiet:
        show(report.as_text(scored))
        if options.losses:
            from zs_bench.reports.file_view import explain_file, losses_as_text  # noqa: PLC0415  (for this alone)

            print(f"\n{losses_as_text(explain_file(scored).losses)}")
        if scored.run is not None and (scored.refused or not (options.partial or scored.run.answered)):
            unwritten = any(problem.kind == "not-written" for problem in scored.problems)
            some = any(account.answered for account in scored.run.tasks.values())
            print("" if unwritten and scored.run.answered else f"\n{_SEND}{_SCORE if some else ''}")
        else:
            repairable = any(problem.is_error and problem.repair for problem in scored.problems)
            repair = [f"Repair the file: {_repair(options, scored)}"] if repairable else []
            if help_ := [*options_for(scored.problems), *repair]:
                print("", *help_, sep="\n")
    elif not options.quiet:
        report_problems({"": scored})
    if options.quiet:
        _print_number(scored)
    if options.eee:
        model = check_model(options.name or (str(scored.run.settings.get("model")) if scored.run else None))
        write_records(scored, Path(options.eee), model)
    return OK if reached(scored, options.fail_under) and not scored.refused else REFUSED


def _check_dataset(options: argparse.Namespace) -> None:
    """Raise `UnusableInput` unless the references are those of the benchmark's own dataset."""
    repo = benchmark_info(find_benchmark(options.benchmark)).repo
    if options.references or (options.source or "").partition("@")[0] not in ("hub", f"hub:{repo}"):
        wrong = f"--eval-results writes scores on {repo}, and these references are not known to be its own"
        raise UnusableInput(f"{wrong}; score against --source hub, or name their dataset: --dataset OWNER/NAME")


def _repair(options: argparse.Namespace, scored: ScoredFile) -> str:
    if options.references:
        references = ["--references", *options.references]
    else:
        references = ["--source", options.source, "--split", (scored.source or {}).get("split") or "validation"]
        references += ["--revision", options.revision] if options.revision else []
    more = [] if options.benchmark == "zero_scrolls" else ["--benchmark", options.benchmark]
    here = Path.cwd() in {Path(path).resolve() for path in options.predictions}
    out = "../repaired.csv" if here else "repaired.csv"
    more += ["--columns", ",".join(map("=".join, options.columns.items()))] if options.columns else []
    return shlex.join(["zero-scrolls", "verify", *options.predictions, *references, *more, "--fix", out])


def _print_number(scored: ScoredFile) -> None:
    """Print the score alone; problems and the tasks that were not scored go to standard error.

    If anything was refused, no number is printed, since it would hide that.
    """
    report_problems({"": scored})
    if scored.refused or scored.result is None:
        return
    if scored.result.score is None:
        print(report.headline(scored), file=sys.stderr)
    print(f"{scored.result.mean_of_tasks:.4f}")


_NEXT = """\
Next:
  zero-scrolls score PREDICTIONS --references REFERENCES   score your own answers
  zero-scrolls verify PREDICTIONS                          find out what is wrong with a file
  zero-scrolls explain space_digest --prediction "17 of 50 reviews" --reference "34%"
                                                           see why an answer has its score
  zero-scrolls help                                        all commands
The sample answers, an example of the file format: {sample}"""


def declare_demo(command: argparse.ArgumentParser) -> None:
    """Declare `demo`."""
    about = (
        "Score the sample answers of the package against its own examples, a few for each task, without a network. "
        "The number says nothing about a model; it shows what a report looks like."
    )
    examples = {
        "zero-scrolls demo": "Score the sample of ZeroSCROLLS.",
        "zero-scrolls demo --benchmark scrolls": "Score the sample of SCROLLS.",
    }
    describe(command, about, examples)
    add_benchmark(command)
    command.set_defaults(run=_demo)


def _demo(options: argparse.Namespace) -> int:
    from zs_bench.dataset.embedded import sample_predictions  # noqa: PLC0415  (for this command alone)

    sample = sample_predictions(options.benchmark)
    scored = score_against([sample], "embedded", benchmark=options.benchmark)
    print(f"{len(scored.tasks)} tasks, sample answers to the examples in the package:\n")
    show(report.as_text(scored))
    print(f"\n{_NEXT.format(sample=sample)}")
    return OK
