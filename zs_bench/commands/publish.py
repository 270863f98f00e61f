"""`zero-scrolls publish`: create or update the Space, list what it holds, or write that to a folder."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zs_bench.commands import OK
from zs_bench.files import limits
from zs_bench.install import SCRIPTS
from zs_bench.publishing.space_files import space_files, write_space
from zs_bench.publishing.upload import Published, check_name, publish

if TYPE_CHECKING:
    from zs_bench.commands import Commands


def add(commands: Commands[Any]) -> None:
    """Declare the command."""
    what = "create or update the Space: the app, and the metrics for evaluate.load"
    space = commands.add_parser("publish", help=what, description=what.capitalize() + ".")
    space.add_argument(
        "space", metavar="OWNER/NAME", help=f"the Space; call it {' or '.join(SCRIPTS)} for evaluate.load"
    )
    space.add_argument("--private", action="store_true", help="make it private")
    instead = space.add_mutually_exclusive_group()
    instead.add_argument(
        "--dry-run", action="store_true", help="list what it would hold, one path a line; send nothing"
    )
    instead.add_argument("--to", metavar="DIR", help="write it to a new folder; send nothing")
    space.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Publish, list or write."""
    check_name(options.space)
    files = space_files()
    amount = f"{len(files)} files, {limits.size(sum(map(len, files.values())))}"
    if options.dry_run:
        print("\n".join(files))
        print(f"{amount}; nothing was sent", file=sys.stderr)
    elif options.to:
        write_space(files, Path(options.to))
        print(f"{amount}, written to {options.to}: there the app starts with `python app.py`")
    else:
        print(_told(publish(options.space, files, private=options.private), options.space, amount))
    return OK


def _told(published: Published, space: str, amount: str) -> str:
    lines = [f"{published.address}: {amount}, commit {published.commit[:7]}"]
    if not published.changed:
        lines = [f"{published.address} is up to date: {amount}"]
    if published.deleted:
        lines.append(f"deleted: {', '.join(published.deleted)}")
    return "\n".join([*lines, _how_to_load(space)])


def _how_to_load(space: str) -> str:
    owner, _, name = space.partition("/")
    if name in SCRIPTS:
        task = {"scrolls": "contract_nli"}.get(name, "qasper")
        return f'evaluate.load("{space}", "{task}") loads the metric from there'
    names = " or ".join(f"{owner}/{script}" for script in SCRIPTS)
    return f"evaluate.load finds no metric there: for that the Space must be called {names}"
