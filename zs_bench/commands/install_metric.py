"""`zero-scrolls install-metric` and `uninstall-metric`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zs_bench import install
from zs_bench.commands import OK

if TYPE_CHECKING:
    from zs_bench.commands import Commands


def add(commands: Commands[Any]) -> None:
    """Declare the two commands."""
    put = commands.add_parser("install-metric", help='make evaluate.load("zero_scrolls") work from any directory')
    put.set_defaults(run=lambda _: _say(install.install_metric()))
    remove = commands.add_parser("uninstall-metric", help="undo install-metric")
    remove.set_defaults(run=lambda _: _say(install.uninstall_metric()))


def _say(message: str) -> int:
    print(message)
    return OK
