"""`zero-scrolls explain`: why one answer has its score."""

import argparse
import sys
from pathlib import Path

from zs_bench.benchmarks import find_task
from zs_bench.commands import describe
from zs_bench.commands.options import add_options
from zs_bench.commands.outputs import as_json, write
from zs_bench.errors import UnusableInput
from zs_bench.problems import printable
from zs_bench.reports.explain_text import render
from zs_metric.explain import explain


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the command."""
    describe(
        command,
        "Explain why an answer has its score: what the scorer found in it, what the points were lost to, and what "
        "would have scored more. The score is the official one.",
        {
            'zero-scrolls explain space_digest --prediction "17 of 50 reviews" --reference "34%"': "Explain a score.",
            "zero-scrolls explain qmsum --prediction @answer.txt --reference @reference.txt": "Texts from files.",
            "cat answer.txt | zero-scrolls explain qasper --prediction @- --reference yes": "From standard input.",
        },
        usage="zero-scrolls explain TASK --prediction TEXT --reference TEXT [--reference TEXT...] [options]",
    )
    command.add_argument("task", metavar="TASK", help="Name of the task.")
    texts = "a text, @FILE for the content of a UTF-8 file, @- for standard input, @@… for a text that begins with @."
    reference = "A reference, given like the answer. Repeat the option for several references."
    command.add_argument("--prediction", required=True, metavar="TEXT", help=f"The answer: {texts}")
    command.add_argument("--reference", required=True, action="append", metavar="TEXT", help=reference)
    add_options(command, "--benchmark")
    command.add_argument("--json", action="store_true", help="Print the explanation as JSON.")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print the explanation."""
    if [options.prediction, *options.reference].count("@-") > 1:
        raise UnusableInput("standard input can be read once; give the other text itself, or a file as @PATH")
    prediction, references = read_text(options.prediction), list(map(read_text, options.reference))
    explanation = explain(find_task(options.task, benchmark=options.benchmark), prediction, references)
    if options.json:
        write("-", as_json(explanation.as_dict()))
    else:
        print("\n".join(map(printable, render(explanation).splitlines())))


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
