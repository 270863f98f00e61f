"""`zero-scrolls board`: a leaderboard, set up and looked after by its owner."""

import argparse
import os
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from operator import methodcaller
from typing import Any, NamedTuple

from zs_bench.commands import CommandParser, describe
from zs_bench.commands.options import add_references
from zs_bench.errors import UnusableInput
from zs_bench.files.formats import file_kinds
from zs_lab.board import Settings, check_extra

#: Adds an argument, or several, to a parser.
Add = Callable[[argparse.ArgumentParser], object]


class Action(NamedTuple):
    """One action: what it does in a sentence, an example without `zero-scrolls board`, and its arguments."""

    summary: str
    example: str = ""
    arguments: tuple[Add, ...] = ()


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the command and its actions."""
    describe(
        command,
        "A leaderboard of your own over private references, in one SQLite file or a PostgreSQL database: set it up, "
        "invite submitters, look after the entries. The app serves it when ZS_BOARD names it.",
        {
            "zero-scrolls board init --board board.sqlite --references references/": "Set up a board.",
            "zero-scrolls board invite --board board.sqlite 'Team A'": "Print a submission code.",
            "zero-scrolls board list --board board.sqlite": "List all entries.",
        },
        usage="zero-scrolls board ACTION [--board BOARD] [options]",
        status="Something was refused.",
    )
    parsers = command.add_subparsers(
        title="actions",
        required=True,
        metavar="ACTION",
        prog="zero-scrolls board",
        parser_class=CommandParser,
        help="What to do.",
    )
    for name, action in ACTIONS.items():
        parser = parsers.add_parser(name, **_help(action))
        describe(parser, action.summary, {f"zero-scrolls board {name} {action.example}".rstrip(): action.summary})
        for add in (*action.arguments, _BOARD):
            add(parser)
        parser.set_defaults(run=partial(_run, name))


def _run(name: str, options: argparse.Namespace) -> int:
    options.board = options.board or os.environ.get("ZS_BOARD")
    if not options.board:
        raise UnusableInput("which board? Give --board board.sqlite, or set ZS_BOARD")
    check_extra()
    return int(import_module("zs_lab.board.actions").run(name, options))


def _help(action: Action) -> dict[str, Any]:
    """Return the help of an action in the list of actions, where it is in it."""
    return {"help": action.summary} if action.summary else {}


_argument: Callable[..., Add] = partial(methodcaller, "add_argument")


def _text(name: str, metavar: str, about: str) -> Add:
    return _argument(f"--{name}", metavar=metavar, help=about)


def _count(name: str, about: str) -> Add:
    default = getattr(Settings(), name.replace("-", "_"))
    return _argument(f"--{name}", type=int, metavar="N", help=f"{about} A new board has {default:,}.")


_DATE = "in UTC: 2026-12-01 (its first second) or 2026-12-01T18:00; '' for none."
_LIMITS = (
    _count("per-day", "Submissions of one submitter a day (UTC)."),
    _count("in-all", "Submissions of one submitter in all."),
    _count("changes", "New scores that the board shows in all, over all submitters."),
)
_SETTINGS = (
    _text("title", "TITLE", "Title of the board. A new board has that of the benchmark."),
    _text("description", "TEXT", "What the board is about; shown above it."),
    _text("rules", "TEXT", "Rules for submitters; shown above the board."),
    _text("contact", "TEXT", "Whom to ask, such as an address of e-mail."),
    _text("data", "URL", "Web address of the inputs."),
    _text("opens", "DATE", f"When submissions open, {_DATE}"),
    _text("closes", "DATE", f"When submissions close, {_DATE}"),
    *_LIMITS,
)
_AT_INIT = (
    _argument(
        "--single-tasks",
        action="store_true",
        default=None,
        help="Take entries that leave out whole tasks; they are ranked by task.",
    ),
    _argument(
        "--hidden-until-end",
        action="store_true",
        default=None,
        help="Show no scores before --closes; until then a submission is only checked and kept.",
    ),
    _argument(
        "--exact-at-end",
        action="store_true",
        default=None,
        help="After --closes show every entry with its exact scores. With them anybody who submitted can work out "
        "which single answers are right, so do not use the references again.",
    ),
)
_BOARD = _argument(
    "--board", metavar="BOARD", help="A SQLite file, or postgresql://user@host/name. Default: $ZS_BOARD."
)
_WHY = _argument("--why", metavar="TEXT", help="The reason, for the record that 'log' prints.")
_NAME = _argument("name", metavar="NAME", help="Name of the submitter, which the board shows.")
_INVITED = _argument(
    "name", metavar="NAME", help="Name of the submitter, which the board shows; hf:USER in a Space, without a code."
)
_ENTRY = _argument("entry", type=int, metavar="ENTRY", help="Number of the entry.")
_UNDO = _argument("--undo", action="store_true", help="Put it back on the board.")
_REMARK = _argument("text", metavar="TEXT", nargs="?", help="The remark; without it, the remark is removed.")
_BASELINE = (
    _argument("system", metavar="SYSTEM", help="Name of the system, which the board shows."),
    _argument("files", nargs="+", metavar="PATH", help=f"Its predictions: {file_kinds('predictions')}."),
    _text("note", "TEXT", "A public note."),
    _text("link", "URL", "A public link."),
)
_CORRECTED = (
    _argument("--references", nargs="+", metavar="PATH", help=f"Corrected references: {file_kinds('references')}."),
    _argument("--drop", action="append", default=[], metavar="TASK", help="Remove this task from the board."),
    _argument("--yes", action="store_true", help="Do it; without this option the changes are only printed."),
)
_FORMS = (
    _argument("--csv", metavar="OUT", help="Write CSV; '-' is standard output."),
    _argument("--parquet", metavar="OUT", help="Write Parquet."),
    _argument(
        "--eval-results",
        metavar="DIR",
        help="Write a YAML file per entry for .eval_results/ in the model's repo on the Hub; only for a board over the "
        "benchmark's own dataset.",
    ),
    _argument("--predictions", metavar="DIR", help="Write the predictions of all entries, a JSON file each: private."),
    _argument("--every", action="store_true", help="All entries that are shown, not the best of each system."),
)
_OUT = _argument("out", metavar="OUT", help="The new file.")

ACTIONS: Mapping[str, Action] = {
    "init": Action(
        "Set up a board; it keeps a copy of the references.",
        "--references references/",
        (add_references, *_SETTINGS, *_AT_INIT),
    ),
    "set": Action("Print or change the texts, dates and limits of a board.", "--closes 2026-12-01", (*_SETTINGS, _WHY)),
    "limits": Action("", "--per-day 1", (*_LIMITS, _WHY)),  # an earlier name
    "invite": Action("Print a submission code; it replaces an earlier one.", "'Team A'", (_INVITED, _WHY)),
    "revoke": Action("Take no more submissions from a submitter.", "'Team A'", (_NAME, _WHY)),
    "submitters": Action("List who was invited."),
    "list": Action("List all entries with their scores, also those that the board does not show."),
    "show": Action("Print everything about an entry but the predictions.", "3", (_ENTRY,)),
    "hide": Action("Take an entry off the board.", "3", (_ENTRY, _UNDO, _WHY)),
    "note": Action("Put a remark beside an entry.", "3 'trained on the test split'", (_ENTRY, _REMARK, _WHY)),
    "baseline": Action("Add a baseline of your own, outside limits and ranks.", "Naive naive.csv", (*_BASELINE, _WHY)),
    "rescore": Action(
        "Print what scoring all entries again would change, after an update of zero-scrolls or against corrected "
        "references; with --yes, do it.",
        "--references corrected/",
        (*_CORRECTED, _WHY),
    ),
    "log": Action("Print what the owners of the board did: when, who, what and why."),
    "export": Action("Write what the board shows, or its predictions, as files.", "--csv board.csv", _FORMS),
    "backup": Action("Write a copy of a SQLite board to a new file, and check it.", "backup.sqlite", (_OUT,)),
}
