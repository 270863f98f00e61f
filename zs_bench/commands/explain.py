"""`zero-scrolls explain`: why one answer has its score."""

import argparse
import sys
from pathlib import Path

from zs_bench.benchmarks import find_task
from zs_bench.commands import OK, REFUSED, describe
from zs_bench.commands.options import add_options, add_references, score_named
from zs_bench.commands.outputs import as_json, report_problems, write
from zs_bench.errors import UnusableInput
from zs_bench.problems import printable, short
from zs_bench.reports.explain_text import render
from zs_metric.errors import did_you_mean
from zs_metric.explain import Explanation, explain


def declare(command: argparse.ArgumentParser) -> None:
    describe(
        command,
        "Explain why an answer has its score: what the scorer found in it, what the points were lost to, and what "
        "would have scored more. The score is the official one. The answer is a text, or one of a file by its id.",
        {
            'zero-scrolls explain space_digest --prediction "17 of 50 reviews" --reference "34%"': "Explain a score.",
            "zero-scrolls explain qmsum --prediction @answer.txt --reference @reference.txt": "Texts from files.",
            "zero-scrolls explain --predictions run/ --references references/ --id 7f": "An answer in a file.",
            "cat answer.txt | zero-scrolls explain qasper --prediction @- --reference yes": "From standard input.",
        },
        usage="zero-scrolls explain TASK --prediction TEXT --reference TEXT [--reference TEXT...] [options]\n"
        "       zero-scrolls explain [TASK] --predictions PATH... (--references PATH... | --source SOURCE) --id ID",
        status="No answer with this id was scored.",
    )
    command.add_argument("task", metavar="TASK", nargs="?", help="Name of the task; of a file, where an id is in two.")
    texts = "a text, @FILE for the content of a UTF-8 file, @- for standard input, @@… for a text that begins with @."
    reference = "A reference, given like the answer. Repeat the option for several references."
    command.add_argument("--prediction", metavar="TEXT", help=f"The answer: {texts}")
    command.add_argument("--reference", action="append", default=[], metavar="TEXT", help=reference)
    command.add_argument("--json", action="store_true", help="Print the explanation as JSON.")
    command.add_argument(
        "--predictions", nargs="+", action="extend", metavar="PATH", help="Files with the answer, as score reads them."
    )
    command.add_argument("--id", metavar="ID", help="Id of the answer in these files.")
    add_references(command)
    add_options(command, "--columns", "--filter", "--by-order", "--post")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int | None:
    of_file = options.predictions is not None
    if of_file == bool(options.prediction or options.reference) or of_file != (options.id is not None):
        raise UnusableInput("give TASK, --prediction and --reference, or --predictions, --references and --id")
    explanation = _of_file(options) if of_file else _of_texts(options)
    if explanation is None:
        return REFUSED
    if options.json:
        write("-", as_json(explanation.as_dict()))
    else:
        print("\n".join(map(printable, render(explanation).splitlines())))
    return OK


def _of_file(options: argparse.Namespace) -> Explanation | None:
    """The explanation of the answer with the id; `None`, with the reason on standard error, where none was scored."""
    options.partial = True
    scored = score_named(options, {"": options.predictions})[""]
    tasks = [find_task(options.task, benchmark=scored.benchmark).name] if options.task else scored.tasks
    answers = [answer for task in scored.scored.values() for answer in task.answers]
    found = [answer for answer in answers if answer.id == options.id and answer.task.name in tasks]
    if len(found) > 1:
        raise UnusableInput(f"several tasks have this id; give one: {', '.join(answer.task.name for answer in found)}")
    if not found:
        report_problems({"": scored})
        hint = did_you_mean(options.id, [answer.id for answer in answers])
        print(f"no answer with the id {short(options.id)!r} was scored{f'; {hint}' if hint else ''}", file=sys.stderr)
        return None
    return explain(found[0].task, found[0].text, found[0].references)


def _of_texts(options: argparse.Namespace) -> Explanation:
    if not (options.task and options.prediction is not None and options.reference):
        raise UnusableInput("a text is explained with TASK, --prediction and --reference")
    if [options.prediction, *options.reference].count("@-") > 1:
        raise UnusableInput("standard input can be read once; give the other text itself, or a file as @PATH")
    prediction, references = read_text(options.prediction), list(map(read_text, options.reference))
    return explain(find_task(options.task, benchmark=options.benchmark), prediction, references)


def read_text(argument: str) -> str:
    """Return the text, or the content of the file without its last line end, which editors add."""
    name = argument.removeprefix("@")
    if name == argument or name.startswith("@"):
        return name
    if name == "-" and sys.stdin is None:
        raise UnusableInput("standard input is closed; give the text itself, or a file as @PATH")
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        where, why = "standard input" if name == "-" else name, f"{error.reason} at byte {error.start}"
        raise UnusableInput(f"{where} is not UTF-8 text ({why}); save it as UTF-8") from None
    return text.removesuffix("\n")
