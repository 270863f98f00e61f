"""`zero-scrolls score`: score answer files by task; and `zero-scrolls demo`, which scores the sample of the package."""

import argparse
import shlex
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zs_bench.benchmarks import DEFAULT, find_benchmark
from zs_bench.commands import OK, REFUSED, describe
from zs_bench.commands import options as shared
from zs_bench.commands.outputs import Form, Forms, options_for, report_problems, show, some_fit, write_forms
from zs_bench.errors import UnusableInput
from zs_bench.files.paths import system_names

if TYPE_CHECKING:
    from zs_bench.scoring.scored import ScoredFile


def _report() -> Any:
    from zs_bench.reports import report

    return report


def _html(scored: "ScoredFile", options: argparse.Namespace) -> str:
    from zs_bench.reports.html.standalone import html_report

    return html_report(scored, references=options.html_references, name=_name(options))


def _name(options: argparse.Namespace) -> str:
    return options.name or ", ".join(system_names(options.predictions if options.runs else options.predictions[:1]))


_JSON = "Write the report as JSON."
_MARKDOWN = "Write the scores of the tasks as a Markdown table."
_LATEX = "Write the scores as a LaTeX table (booktabs) with a column for each task, as in the paper."
_EVAL_RESULTS = (
    "Write the scores as YAML for .eval_results/ in the model's repo on the Hub. They are listed under the dataset "
    "that --dataset names; by default, with --source hub, under the benchmark's."
)
FORMS = Forms(
    Form("json", "json", _JSON, lambda scored, options: _report().as_json(scored, losses=options.losses)),
    Form("csv", "csv", "Write the scores of tasks and answers as CSV.", lambda scored, _: _report().as_csv(scored)),
    Form("markdown", "md", _MARKDOWN, lambda scored, options: _report().as_markdown(scored, _name(options))),
    Form("latex", "tex", _LATEX, lambda scored, options: _report().as_latex(scored, _name(options))),
    Form("html", None, "Write a report to send, with charts and the most informative answers.", _html),
    Form("eval-results", None, _EVAL_RESULTS, lambda scored, row: _report().as_eval_results(scored, row.dataset)),
    html_references=True,
)


def declare(command: argparse.ArgumentParser) -> None:
    describe(
        command,
        "Score answer files against references, task by task, exactly as the released evaluators do. A task with a "
        "missing, unknown or repeated id is not scored, and the report says why.",
        {
            "zero-scrolls score predictions.csv --references references/": "Score a file; references are a folder.",
            "zero-scrolls score run/ --source hub --html report.html": "References from the Hub; a report to send.",
            "zero-scrolls score run/ --references references/ --fail-under 35 --fail-under qasper=20": "Check in CI.",
            "zero-scrolls score run/ --references references/ --format json | jq .score": "Use the report elsewhere.",
            "zero-scrolls score seed1.csv seed2.csv seed3.csv --runs --source hub": "Average three runs of a system.",
        },
        usage="zero-scrolls score PREDICTIONS... (--references PATH... | --source SOURCE) [options]",
        status="Something was not scored, or a score is under --fail-under.",
    )
    shared.add_predictions(command)
    shared.add_scoring(command)
    runs = "Take each of PREDICTIONS as a run of one system: its scores are the means of those of the runs."
    command.add_argument("--runs", action="store_true", help=runs)
    group = FORMS.declare(command, "Add the loss breakdown: what the points were lost to. Also in the JSON.")
    eee = (
        "Add the records of Every Eval Ever, scores and answers without references, to this folder. --name is the "
        "model as developer/model; for the folder of a run it may be left out."
    )
    group.add_argument("--dataset", metavar="REPO", help="Dataset on the Hub that the references are of, owner/name.")
    group.add_argument("--name", help="Name of the system in reports. Default: the name of its file.")
    group.add_argument("--eee", metavar="DIR", help=eee)
    quiet = "Print the score alone, or nothing where a task is lacking or refused; problems go to standard error."
    group.add_argument("--quiet", action="store_true", help=quiet)
    under = "End with exit status 1 when the average, or this task or named average, scores less. May be repeated."
    group.add_argument("--fail-under", action="append", default=[], metavar="[TASK=]POINTS", help=under)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    outputs = FORMS.requested(options, "-" if options.quiet else None)
    thresholds = shared.read_thresholds(
        "--fail-under", options.fail_under, options.benchmark, *find_benchmark(options.benchmark).averages
    )
    repo = find_benchmark(options.benchmark).repo
    its_own = (options.source or "").partition("@")[0] in ("hub", f"hub:{repo}") and not options.references
    if options.eval_results and not (options.dataset or its_own):
        wrong = f"--eval-results writes scores on {repo}, and these references are not known to be its own"
        raise UnusableInput(f"{wrong}; score against --source hub, or name their dataset: --dataset OWNER/NAME")
    if options.eee and options.name:
        from zs_bench.reports.every_eval_ever import check_model

        check_model(options.name)
    _check_runs(options)
    scored = shared.score_named(options, {"": options.predictions})[""]
    if not write_forms(scored, options, outputs) or options.quiet:
        report_problems({"": scored})
    else:
        _print_report(scored, options)
    hidden = _hidden_by_one_number(scored, options, [name for name, _ in thresholds]) if options.quiet else []
    if hidden:
        tasks = ", ".join(hidden)
        print(f"Not answered: {tasks}. Name the tasks that you score: --only TASK …", file=sys.stderr)
    elif options.quiet and not scored.refused and scored.result is not None:
        if scored.result.score is None:
            print(_report().headline(scored), file=sys.stderr)
        print(_number(scored))
    if options.eee:
        from zs_bench.reports.every_eval_ever import check_model, write_records

        model = check_model(options.name or (str(scored.run.settings.get("model")) if scored.run else None))
        write_records(scored, Path(options.eee), model)
    reached = [_reached(scored, name, points, options.only) for name, points in thresholds]
    return OK if all(reached) and not scored.refused and not hidden else REFUSED


def _check_runs(options: argparse.Namespace) -> None:
    """Raise `UnusableInput` where --runs has one path, or goes with what is of one run."""
    if options.runs and len(options.predictions) < 2:
        raise UnusableInput("--runs needs two runs or more; give each, as in: score seed1.csv seed2.csv --runs")
    if options.runs and options.eee:
        raise UnusableInput("--eee writes the records of one run; score each by itself for it, without --runs")


def _number(scored: "ScoredFile") -> str:
    """The score alone: the averages of the headline by name, a line each, or the mean of the tasks."""
    scores = {name: scored.averages[name][1] for name in scored.benchmark.headline}
    written, partial = _report().written, scored.leaves_out()
    lines = [f"{name} {written(score, partial=partial)}" for name, score in scores.items() if score is not None]
    return "\n".join(lines) or str(written(scored.result and scored.result.mean_of_tasks, partial=partial))


def _hidden_by_one_number(scored: "ScoredFile", options: argparse.Namespace, named: Sequence[str]) -> Sequence[str]:
    """The tasks that the references have and the answers lack, unless the user has named those to score."""
    if options.only or (scored.scored and scored.scored.keys() <= {*named}):
        return ()
    if options.references:
        return scored.unanswered
    from zs_bench.dataset.sources import tasks_of_source

    if options.source is None:  # the references are beside the answers, which then are all there are
        return []
    return [name for name in tasks_of_source(options.source, scored.benchmark) if name not in scored.tasks]


def _reached(scored: "ScoredFile", name: str, points: float, only: Collection[str] | None) -> bool:
    """Return whether a score reaches its threshold; says so on standard error.

    Scores are compared as printed, with 4 decimals, so that a printed score can serve as a threshold. The average is
    that of all tasks, or of those that `only` names.
    """
    result = scored.result if name == "average" else scored.tasks.get(name)
    score = result.score if result else None
    if name in scored.averages:
        score = scored.averages[name][1]
    if name == "average" and scored.result and only and {*only} == scored.scored.keys():
        score = scored.result.mean_of_tasks
    reached = score is not None and round(score, 4) >= points
    outcome = f"has no score to compare with {points:.10g}"
    if score is not None:
        outcome = f"{score:.4f} is {'at least' if reached else 'under'} {points:.10g}"
    elif name == "average" and len(headline := scored.benchmark.headline) > 1:
        each = " or ".join(f"--fail-under {average}={points:.10g}" for average in headline)
        outcome += f": {scored.benchmark.title} has no one average; give {each}"
    elif name == "average":
        some = f"{len(scored.scored)} of {len(scored.benchmark.tasks)} tasks were scored"
        outcome += f": {some}; name those to score with --only TASK …, or give --fail-under TASK=POINTS for some"
    print(f"{'PASS' if reached else 'FAIL'}: {name} {outcome}", file=sys.stderr)
    return reached


def _print_report(scored: "ScoredFile", options: argparse.Namespace) -> None:
    show(_report().as_text(scored))
    if options.losses:
        from zs_bench.reports.answers import losses_as_text

        print(f"\n{losses_as_text(scored)}")
    steps, run = options_for(scored.problems, some_fit=some_fit(scored)), scored.run
    if run is not None and (scored.refused or not (options.partial or run.answered)):
        unwritten = any(problem.kind == "not-written" for problem in scored.problems)
        some = any(account.answered for account in run.tasks.values())
        partial = " Score only what was answered: --partial" if some else ""
        send = f"Send what is missing: repeat the command of the run.{partial}"
        steps = [] if unwritten and run.answered else [send]
    elif repair := _repair(options, scored):
        steps.append(repair)
    if steps:
        print("", *steps, sep="\n")


def _repair(options: argparse.Namespace, scored: "ScoredFile") -> str | None:
    """The sentence with the command that repairs the file; `None` where no repair keeps the answers."""
    from zs_bench.validation.rules import KEEPING, OFFERED

    if scored.runs:
        return "Repair a run by itself: zero-scrolls verify RUN --fix OUT" if scored.refused else None
    repairs = [(each.kind, each.repair) for each in scored.problems if each.is_error and each.repair]
    accept = sorted({kind for kind, repair in repairs if not repair.safe} & KEEPING)
    if not accept and not any(repair.safe for _, repair in repairs):
        return None
    command = ["zero-scrolls", "verify", *options.predictions]
    if options.references:
        command += ["--references", *options.references]
    else:
        command += ["--source", options.source, "--split", (scored.source and scored.source.split) or "validation"]
        command += ["--revision", options.revision] if options.revision else []
    command += ["--benchmark", options.benchmark] if options.benchmark != DEFAULT else []
    command += ["--columns", ",".join(map("=".join, options.columns.items()))] if options.columns else []
    here = Path.cwd() in {Path(path).resolve() for path in options.predictions}
    command += ["--fix", "../repaired.csv" if here else "repaired.csv", *(["--accept", *accept] if accept else ())]
    does = f" ({'; '.join(OFFERED[kind] for kind in accept)})" if accept else ""
    return f"Repair the file{does}: {shlex.join(command)}"


_NEXT = """\
Next:
  zero-scrolls score PREDICTIONS --references REFERENCES   score your own answers
  zero-scrolls verify PREDICTIONS                          find out what is wrong with a file
  zero-scrolls explain space_digest --prediction "17 of 50 reviews" --reference "34%"
                                                           see why an answer has its score
  zero-scrolls help                                        all commands
The sample answers, an example of the file format: {sample}"""


def declare_demo(command: argparse.ArgumentParser) -> None:
    describe(
        command,
        "Score the sample answers of the package against its own examples, a few for each task, without a network. "
        "The number says nothing about a model; it shows what a report looks like.",
        {
            "zero-scrolls demo": "Score the sample of ZeroSCROLLS.",
            "zero-scrolls demo --benchmark scrolls": "Score the sample of SCROLLS.",
        },
    )
    shared.add_options(command, "--benchmark")
    command.set_defaults(run=_demo)


def _demo(options: argparse.Namespace) -> None:
    from zs_bench.dataset.rows import sample_predictions
    from zs_bench.scoring.score_files import score_files

    sample = sample_predictions(options.benchmark)
    scored = score_files([sample], source="embedded", benchmark=options.benchmark)
    print(f"{len(scored.tasks)} tasks, sample answers to the examples in the package:\n")
    show(_report().as_text(scored))
    print(f"\n{_NEXT.format(sample=sample)}")
