"""The command `zero-scrolls`, also `python -m zs_bench`.

Exit status: 0, 1 when something in a file was refused or is wrong, or the Hub gave or took nothing, 2 for wrong usage.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from zs_bench.commands import (
    REFUSED,
    USAGE,
    baseline,
    compare,
    data,
    explain,
    install_metric,
    prompt,
    publish,
    readings,
    score,
    selftest,
    signature,
    verify,
)
from zs_bench.files import limits
from zs_bench.sources.hub_errors import HubFailure
from zs_metric.errors import ZeroScrollsError
from zs_metric.version import VERSION

#: The commands in the order of the help.
COMMANDS = (
    score,
    verify,
    explain,
    compare,
    readings,
    signature,
    prompt,
    data,
    baseline,
    install_metric,
    publish,
    selftest,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (or those of the process); returns the exit status."""
    options = parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        with limits.of_commands():
            return _run(options)
    except BrokenPipeError:  # who reads, as in `… | head`, has read enough; nothing more is to be written at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return REFUSED
    except HubFailure as error:
        print(f"zero-scrolls: {error}", file=sys.stderr)
        return REFUSED
    except ZeroScrollsError as error:
        print(f"zero-scrolls: {error}", file=sys.stderr)
    except OSError as error:
        print(f"zero-scrolls: {error.filename or ''}: {error.strerror or error}; check the path", file=sys.stderr)
    return USAGE


def _run(options: argparse.Namespace) -> int:
    status = int(options.run(options))
    sys.stdout.flush()
    return status


def parser() -> argparse.ArgumentParser:
    """The command line as argparse knows it."""
    whole = argparse.ArgumentParser(prog="zero-scrolls", description="Score ZeroSCROLLS answers, exactly.")
    whole.add_argument("--version", action="version", version=f"zero-scrolls {VERSION}")
    commands = whole.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return whole
