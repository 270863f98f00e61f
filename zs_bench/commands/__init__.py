"""The commands, one module each: `add(commands)` declares its options and what runs it.

A command's function takes the parsed options and returns the exit status.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from zs_metric.tasks import BENCHMARKS, find_benchmark

OK, REFUSED, USAGE = 0, 1, 2

Commands = argparse._SubParsersAction  # noqa: SLF001  (argparse has no public name for what add_subparsers returns)


def add_benchmark(command: argparse.ArgumentParser) -> None:
    """Declare `--benchmark`."""
    default = find_benchmark("zero_scrolls").name
    what = f"{' or '.join(BENCHMARKS)}; default: {default}"
    command.add_argument("--benchmark", choices=tuple(BENCHMARKS), default=default, metavar="NAME", help=what)


def write(path: str, text: str) -> None:
    """Write the text to that file, `-` being standard output."""
    if path == "-":
        sys.stdout.write(text)
    else:
        Path(path).write_text(text, encoding="utf-8", newline="")


def show_progress(share: float, what: str) -> None:
    """One line on standard error that is written over and over; gone when the share is 1."""
    print(f"\r\033[K{share:4.0%} {what}" if share < 1 else "\r\033[K", end="", file=sys.stderr, flush=True)
