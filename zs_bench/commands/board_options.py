"""The actions of `zero-scrolls board`: what each does, its arguments and an example."""

import argparse
from collections.abc import Callable, Mapping
from typing import NamedTuple

from zs_bench.board.entry import Limits
from zs_bench.commands.options import add_references
from zs_bench.commands.parser import describe
from zs_bench.files.formats import file_kinds
from zs_bench.tasks import benchmark_info
from zs_metric.tasks import BENCHMARKS


class Action(NamedTuple):
    """One action: what it does in a sentence, its arguments, an example without `zero-scrolls board`."""

    summary: str
    declare: Callable[[argparse.ArgumentParser], None]
    example: str


def declare_action(parser: argparse.ArgumentParser, name: str) -> None:
    """Declare the action with its arguments and `--board`."""
    action = ACTIONS[name]
    describe(parser, action.summary, {f"zero-scrolls board {name} {action.example}": action.summary})
    action.declare(parser)
    parser.add_argument(
        "--board",
        metavar="BOARD",
        help="A SQLite file, postgresql://user@host/name, or a private dataset repo hub:owner/name. Default: "
        "$ZS_BOARD.",
    )


def _init(parser: argparse.ArgumentParser) -> None:
    add_references(parser)
    parser.add_argument("--title", metavar="TITLE", help="Title of the board. Default: that of the benchmark.")
    _limits(parser, Limits())


def _limits(parser: argparse.ArgumentParser, default: Limits | None = None) -> None:
    says = " Default: %(default)s." if default else ""
    per_day, in_all = (default.per_day, default.in_all) if default else (None, None)
    for name, value, when in (("--per-day", per_day, "a day (UTC)"), ("--in-all", in_all, "in all")):
        about = f"Submissions of one submitter {when}.{says}"
        parser.add_argument(name, type=int, metavar="N", default=value, help=about)


def _name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="Name of the submitter, which the board shows.")


def _entry(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("entry", type=int, metavar="ENTRY", help="Number of the entry.")


def _hide(parser: argparse.ArgumentParser) -> None:
    _entry(parser)
    parser.add_argument("--undo", action="store_true", help="Put it back.")


def _note(parser: argparse.ArgumentParser) -> None:
    _entry(parser)
    parser.add_argument("text", metavar="TEXT", nargs="?", help="The remark; without it, the remark is removed.")


def _rescore(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--references", nargs="+", metavar="PATH", help=f"Corrected references: {file_kinds('references')}."
    )


def _export(parser: argparse.ArgumentParser) -> None:
    datasets = " or ".join(benchmark_info(one).repo for one in BENCHMARKS.values())
    parser.add_argument("--csv", metavar="OUT", help="Write CSV; '-' is standard output.")
    parser.add_argument("--parquet", metavar="OUT", help="Write Parquet.")
    parser.add_argument(
        "--eval-results",
        metavar="DIR",
        help="Write a YAML file per entry for .eval_results/ in the model's repo on the Hub, whose page then shows the "
        f"scores as those on the benchmark's dataset ({datasets}): not for references of your own.",
    )
    parser.add_argument("--every", action="store_true", help="All entries that are shown, not the best of each system.")


def _backup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("out", metavar="OUT", help="The new file.")


def _nothing(_: argparse.ArgumentParser) -> None:
    """Declare nothing but `--board`."""


ACTIONS: Mapping[str, Action] = {
    "init": Action("Set up a board; it keeps a copy of the references.", _init, "--references references/"),
    "invite": Action("Print a submission code for a new submitter, or a new one for an old.", _name, "'Team A'"),
    "revoke": Action("Take no more submissions of a submitter.", _name, "'Team A'"),
    "list": Action("List all entries with their scores, also those that the board does not show.", _nothing, ""),
    "show": Action("Print everything about an entry but the predictions.", _entry, "3"),
    "hide": Action("Take an entry off the board.", _hide, "3"),
    "note": Action("Put a remark beside an entry.", _note, "3 'trained on the test split'"),
    "limits": Action("Print or change the limits of submissions.", _limits, "--per-day 1"),
    "rescore": Action(
        "Score all entries anew: after an update of zero-scrolls, or against corrected references.",
        _rescore,
        "--references corrected/",
    ),
    "export": Action("Write what the board shows as files.", _export, "--csv board.csv"),
    "backup": Action("Write a copy of a SQLite board to a new file, and check it.", _backup, "backup.sqlite"),
}
