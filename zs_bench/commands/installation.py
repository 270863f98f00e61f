"""`zero-scrolls install-metric`, `uninstall-metric`, `completion` and `selftest`: this installation of the package."""

import argparse
import os
import sys
from pathlib import Path

import shtab

from zs_bench import conformance, install
from zs_bench.benchmarks import BENCHMARKS, task_names
from zs_bench.commands import OK, REFUSED, CommandParser, describe
from zs_bench.files.writing import write_whole
from zs_metric.rouge import engine
from zs_metric.version import VERSION

#: The shells: where each looks for the script of a command, and what to do once, if anything.
_PLACES = {
    "bash": ("XDG_DATA_HOME", ".local/share", "bash-completion/completions/zero-scrolls", "open a new shell"),
    "zsh": ("ZDOTDIR", "", ".zfunc/_zero-scrolls", "put this into .zshrc, before compinit: fpath+=({folder})"),
    "fish": ("XDG_CONFIG_HOME", ".config", "fish/completions/zero-scrolls.fish", "open a new shell"),
}
#: What an argument completes to, by its name in the help.
_COMPLETES = {
    **dict.fromkeys(("BOARD", "FILE", "OUT", "OUT.csv", "OUT.json", "PATH", "PREDICTIONS", "SYSTEM"), shtab.FILE),
    "DIR": shtab.DIRECTORY,
}


def declare_install(command: argparse.ArgumentParser) -> None:
    about = (
        'Copy the metrics into the modules cache of Hugging Face, so that evaluate.load("zero_scrolls", "qasper") and '
        'evaluate.load("scrolls", "qasper") work from any directory, in every environment of this '
        "user. Run it again after an update of the package."
    )
    describe(command, about, {"zero-scrolls install-metric": "Install both metrics."})
    command.set_defaults(run=lambda _: print(install.install_metric()))


def declare_uninstall(command: argparse.ArgumentParser) -> None:
    removes = "Remove the copies that install-metric made."
    describe(command, removes, {"zero-scrolls uninstall-metric": "Remove both metrics."})
    command.set_defaults(run=lambda _: print(install.uninstall_metric()))


def declare_selftest(command: argparse.ArgumentParser) -> None:
    about = (
        "Score the conformance cases, whose scores were worked out by hand from what the released evaluators do, and "
        "compare the two ROUGE engines."
    )
    status = "A case does not have its score, or the engines differ."
    describe(command, about, {"zero-scrolls selftest": "Check this installation."}, status=status)
    command.set_defaults(run=_selftest)


def _selftest(_: argparse.Namespace) -> int:
    cases = conformance.cases()
    failures = [failure for case in cases if (failure := conformance.failure(case))]
    result = f"{len(cases) - len(failures)} of {len(cases)} conformance cases have the score worked out by hand"
    engines = f"both ROUGE engines agree on {conformance.PAIRS} generated pairs"
    try:
        if apart := conformance.engines_apart():
            failures.append(apart)
            engines = "the ROUGE engines differ"
    except ImportError:
        engines = "only one ROUGE engine is installed"
    for line in failures:
        print(line, file=sys.stderr)
    ok = cases and not failures
    print(f"zero-scrolls {VERSION}, {engine().name}: {'ok' if ok else 'FAILED'}: {result}; {engines}.")
    return OK if ok else REFUSED


def declare_completion(command: argparse.ArgumentParser) -> None:
    describe(
        command,
        "Print the completion script of a shell, or put it where the shell finds it. Repeat it after an update.",
        {"zero-scrolls completion bash --install": "Install it for bash.", "zero-scrolls completion zsh": "Print it."},
    )
    command.add_argument("shell", choices=tuple(_PLACES), help="The shell.")
    command.add_argument("--install", action="store_true", help="Write the script to your folder of completions.")
    command.set_defaults(run=_complete)


def _complete(options: argparse.Namespace) -> None:
    script = shtab.complete(_completed(options.every_command()), options.shell)  # static: pressing Tab starts no Python
    if not options.install:
        print(script)
        return
    variable, default, name, then = _PLACES[options.shell]
    path = Path(os.environ.get(variable) or Path.home() / default) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, script)
    print(f"Wrote {path}; {then.format(folder=path.parent)}")


def _completed(parser: CommandParser) -> CommandParser:
    """Return the parser, with what each argument completes to, as shtab reads it."""
    names = {"TASK": task_names(), "--benchmark": BENCHMARKS}
    listed = {name: shtab.cmd(f"printf '%s\\n' {' '.join(words)}") for name, words in names.items()}
    completes = {**_COMPLETES, **listed}
    for action, of_commands in parser.arguments():
        for command in of_commands:
            _completed(command)
        name = next((option for option in action.option_strings if option in completes), action.metavar)
        if name in completes and not action.choices:
            action.complete = completes[name]  # type: ignore[attr-defined]
    return parser
