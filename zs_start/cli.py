"""The command `zero-scrolls`, also `python -m zs_start`.

The module of a command is imported when the command runs, so that `--help` and `--version` answer at once.
"""

import errno
import importlib
import io
import os
import re
import sys
from collections.abc import Mapping, Sequence

from zs_bench.commands import BROKEN_PIPE, INTERRUPTED, OK, REFUSED, USAGE, CommandParser, describe, rewritable
from zs_bench.errors import SourceUnavailable
from zs_bench.files import limits
from zs_metric.errors import ZeroScrollsError, did_you_mean
from zs_metric.version import VERSION
from zs_start.installed import is_installed

#: The commands by what they are for, in the order of the help: the function that declares each, and what it does.
_GROUPS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "score": {
        "demo": ("commands.score.declare_demo", "Score the sample answers of the package: a first number in a second."),
        "score": ("commands.score.declare", "Score answer files, task by task."),
        "verify": ("commands.verify.declare", "Find and repair faults of answer files; write the official file."),
    },
    "understand": {
        "explain": ("commands.explain.declare", "Explain why an answer has its score."),
        "compare": ("commands.compare.declare", "Compare systems: differences, intervals and p-values."),
        "study": ("commands.study.declare", "Score by input length, or by groups of examples, for one run or several."),
        "variants": ("commands.variants.declare", "Score as other implementations do; find the one behind a number."),
        "certify": ("commands.variants.declare_certify", "Compare the scores in a log with the official ones."),
        "audit": ("zs_lab.audit.command.declare", "Judge a sample by hand: how many points right answers lose."),
    },
    "run and build": {
        "run": ("zs_lab.run.command.declare", "Send the prompts to a model, keep the answers, and score them."),
        "prompt": ("commands.prompt.declare", "Write the prompts of a split as JSONL."),
        "data": ("commands.data.declare", "Download, check and store the benchmark's data."),
        "baseline": ("commands.baseline.declare", "Write the papers' baselines, or compute human scores."),
        "tasks": ("zs_lab.harnesses.command.declare", "Write the tasks for another evaluation harness."),
        "build": ("zs_lab.build.command.declare", "Build fresh examples of a task from your own texts."),
    },
    "publish": {
        "publish-kit": ("zs_lab.publish.command.declare", "Write the labelled data as a dataset to upload to the Hub."),
        "board": ("zs_lab.board.command.declare", "Set up and look after a leaderboard of your own."),
        "submit": ("zs_lab.board.command.declare_submit", "Submit predictions to somebody's leaderboard."),
    },
    "set up": {
        "app": ("zs_start.app_command.declare", "Serve the page on this machine."),
        "install-metric": ("commands.installation.declare_install", 'Make evaluate.load("zero_scrolls") work.'),
        "uninstall-metric": ("commands.installation.declare_uninstall", "Undo install-metric."),
        "completion": ("commands.installation.declare_completion", "Complete commands and options in your shell."),
        "selftest": ("commands.installation.declare_selftest", "Check that scores here are the official ones."),
    },
}


COMMANDS = {
    name: row
    for group in _GROUPS.values()
    for name, row in group.items()
    if not row[0].startswith("zs_lab.") or is_installed(".".join(row[0].split(".")[:2]))
}


class _Parser(CommandParser):
    def format_help(self) -> str:
        """Return the help, with the name of each group above its first command."""
        text = super().format_help()
        for title, group in _GROUPS.items():
            if first := next((name for name in group if name in COMMANDS), ""):
                text = re.sub(rf"^    {first}\b", rf"\n  {title}:\n\g<0>", text, count=1, flags=re.MULTILINE)
        return text


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (default: those of the process); returns the exit status."""
    _use_utf_8()
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # `… | head` has read enough
        status = BROKEN_PIPE
    except (ZeroScrollsError, OSError, UnicodeError, RecursionError) as error:
        message, status = _explained(error)
        clear = "\r\033[K" if rewritable() else ""  # a line of progress may be there
        print(f"{clear}zero-scrolls: {message}", file=sys.stderr)
    try:
        sys.stdout.flush()
    except OSError:  # drop what cannot be written: Python would try again at exit and print an error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _explained(error: Exception) -> tuple[str, int]:
    """Why the command ended, in a sentence with the next step, and the exit status."""
    if isinstance(error, ZeroScrollsError):
        return str(error), REFUSED if isinstance(error, SourceUnavailable) else USAGE
    if isinstance(error, OSError):
        why = f"{error.strerror or error}; check the path"
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            why = "the disk is full; make room and run the command again"
        return f"{error.filename}: {why}" if error.filename else why, USAGE
    if isinstance(error, UnicodeError):
        return f"a text cannot be read or written ({error}); save the file as UTF-8", REFUSED
    return "a file is nested too deeply to be read; give one that holds only answers", REFUSED


def parser(*names: str) -> CommandParser:
    """The command line as argparse knows it, with the options of these commands only (default: of all)."""
    whole = _Parser(prog="zero-scrolls")
    describe(
        whole,
        "Score answers to the long-text benchmarks ZeroSCROLLS and SCROLLS: the numbers of the released evaluators, "
        "and why they are what they are.",
        {
            "zero-scrolls demo": "A first number, from the sample answers in the package.",
            "zero-scrolls score predictions.csv --references references/": "Score your own answers.",
            "zero-scrolls score --help": "All options of a command, with examples.",
        },
        usage="zero-scrolls COMMAND [options]",
    )
    whole.add_argument("--version", action="version", version=f"zero-scrolls {VERSION}", help="Print the version.")
    whole.set_defaults(every_command=parser)  # for `completion`
    commands = whole.add_subparsers(
        title="commands", required=True, metavar="COMMAND", prog="zero-scrolls", parser_class=CommandParser
    )
    for name, (place, summary) in COMMANDS.items():
        command = commands.add_parser(name, help=summary)
        if name in names or not names:
            module, _, function = (place if place.startswith("zs_") else f"zs_bench.{place}").rpartition(".")
            getattr(importlib.import_module(module), function)(command)
    return whole


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:], "--help"]
    name = arguments[0] if arguments else ""
    whole = parser(name)
    names = [*COMMANDS, "-h", "--help", "--version"]
    if name not in names:
        wrong = f"there is no command {name!r}" if name else "give a command"
        whole.error(f"{wrong}; {did_you_mean(name, names) or 'the commands are ' + ', '.join(COMMANDS)}")
    options = whole.parse_args(arguments)
    with limits.using(limits.COMMANDS):
        if getattr(options, "benchmark", "") is None:
            from zs_bench.commands.options import choose_benchmark  # noqa: PLC0415  (for commands that read answers)

            choose_benchmark(options)
        status = int(options.run(options) or OK)
    sys.stdout.flush()
    return status


def _use_utf_8() -> None:
    """Read and write UTF-8, with line ends as they are, whatever the console's or the platform's encoding is.

    A lone surrogate is written as its escape, as in JSON. Output to a stream that the caller has closed is dropped.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  (until the process ends)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="strict")
