"""`zero-scrolls completion`: the script by which a shell completes commands, options, tasks and files, from shtab.

The script is static: pressing Tab starts no Python.
"""

import argparse
import os
from pathlib import Path

import shtab

from zs_bench.commands import OK, Parser, describe
from zs_bench.files.entries import TASK_NAMES
from zs_bench.files.writing import write_whole

#: The shells: where each looks for the script of a command, and what to do once, if anything.
_PLACES = {
    "bash": ("XDG_DATA_HOME", ".local/share", "bash-completion/completions/zero-scrolls", "open a new shell"),
    "zsh": ("ZDOTDIR", "", ".zfunc/_zero-scrolls", "put this into .zshrc, before compinit: fpath+=({folder})"),
    "fish": ("XDG_CONFIG_HOME", ".config", "fish/completions/zero-scrolls.fish", "open a new shell"),
}
#: What an argument completes to, by its name in the help.
_TASKS = shtab.cmd(f"printf '%s\\n' {' '.join(TASK_NAMES)}")
_COMPLETES = {
    "TASK": _TASKS,
    **dict.fromkeys(("BOARD", "FILE", "OUT", "OUT.csv", "OUT.json", "PATH", "PREDICTIONS", "SYSTEM"), shtab.FILE),
    "DIR": shtab.DIRECTORY,
}


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the command."""
    describe(
        command,
        "Print the completion script of a shell, or put it where the shell finds it. Repeat it after an update.",
        {
            "zero-scrolls completion bash --install": "Install it for bash.",
            "zero-scrolls completion zsh": "Print it.",
        },
    )
    command.add_argument("shell", choices=tuple(_PLACES), help="The shell.")
    command.add_argument("--install", action="store_true", help="Write the script to your folder of completions.")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print or install the script."""
    script = shtab.complete(_completed(options.every_command()), options.shell)
    if not options.install:
        print(script)
        return OK
    variable, default, name, then = _PLACES[options.shell]
    path = Path(os.environ.get(variable) or Path.home() / default) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, script)
    print(f"Wrote {path}; {then.format(folder=path.parent)}")
    return OK


def _completed(parser: Parser) -> Parser:
    """Return the parser, with what each argument completes to, as shtab reads it."""
    for action, of_commands in parser.arguments():
        for command in of_commands:
            _completed(command)
        if action.metavar in _COMPLETES and not action.choices:
            action.complete = _COMPLETES[action.metavar]  # type: ignore[attr-defined]
    return parser
