"""The commands, and what they share: exit statuses, and argparse with short errors and examples.

`declare(command)` adds a command's description and options to the parser, and sets the function to run. That function
takes the parsed options and returns the exit status, or nothing for success.
"""

import argparse
import os
import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from zs_metric.errors import did_you_mean

#: Exit statuses: success; an error in a file, a score under `--fail-under`, or no answer from the Hub; wrong usage;
#: Ctrl-C; standard output was closed.
OK, REFUSED, USAGE, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141
STATUS = "An input is wrong or was refused, or the Hub did not answer."


def rewritable() -> bool:
    """Whether a line on standard error can be rewritten, as for progress."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _width() -> int:
    return max(40, min(shutil.get_terminal_size().columns - 2, 100))


class _Help(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=_width())

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)  # names like drop-think stay whole


class CommandParser(argparse.ArgumentParser):
    """A parser that checks the names of options first, and whose errors show an example and the command for help."""

    example = "zero-scrolls demo"
    _takes_all = ""

    def __init__(self, **options: Any) -> None:
        super().__init__(add_help=False, allow_abbrev=False, formatter_class=_Help, **options)
        self.add_argument("-h", "--help", action="help", help="Show this help.")

    def arguments(self) -> Iterator[tuple[argparse.Action, list["CommandParser"]]]:
        """Yield every argument, with the parsers of the commands among which it chooses."""
        for action in self._actions:
            choices = action.choices.values() if isinstance(action.choices, Mapping) else ()
            yield action, [choice for choice in choices if isinstance(choice, CommandParser)]

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> tuple[Any, list[str]]:  # type: ignore[override]
        """Suggest the most similar option for a misspelt one; argparse would first report a missing required option."""
        of_actions = self._subparsers is not None  # which check their own options
        for argument in () if of_actions else sys.argv[1:] if args is None else args:
            name, options = argument.partition("=")[0], self._option_string_actions
            if argument == "--":
                break
            if argument.startswith("--") and name not in options and " " not in name:
                hint = did_you_mean(name, options)
                self.error(f"there is no option {name}" + (f"; {hint}" if hint else ""))
            if name in options and options[name].nargs == "+":
                self._takes_all = name
        parsed, unknown = super().parse_known_args(args, namespace)
        if unknown:  # argparse would report it as an error of the whole command line
            self.error(f"unexpected argument {unknown[0]!r}")
        return parsed, unknown

    def error(self, message: str) -> NoReturn:
        """Exit with the status for wrong usage; an argument may be missing because an option before it takes all."""
        if self._takes_all and "arguments are required" in message:
            message += f"; {self._takes_all} takes all that follows it, so give it last"
        self.exit(USAGE, f"{self.prog}: {message}\nTry:  {self.example}\nHelp: {self.prog} --help\n")


def describe(
    command: argparse.ArgumentParser,
    about: str,
    examples: Mapping[str, str],
    *,
    usage: str | None = None,
    status: str = STATUS,
) -> None:
    """Set the help of a command: what it is about, its usage, examples (command line to description), exit statuses.

    Errors show the first example. `status` is what exit status 1 means.
    """
    lines = [line for example, does in examples.items() for line in (f"  # {does}", f"  {example}")]
    statuses = [
        "  0  Success.",
        *textwrap.wrap(f"1  {status}", _width(), initial_indent="  ", subsequent_indent="     "),
        "  2  Wrong usage, or a path that cannot be read or written.",
    ]
    command.usage = usage
    command.description = textwrap.fill(about, _width(), break_on_hyphens=False)
    command.epilog = "\n".join(["examples:", *lines, "", "exit status:", *statuses])
    if isinstance(command, CommandParser):
        command.example = next(iter(examples))
