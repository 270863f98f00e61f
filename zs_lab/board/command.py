"""`zero-scrolls board`, with which its owner sets up and looks after a leaderboard, and `zero-scrolls submit`."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

from zs_bench.commands import OK, CommandParser, describe
from zs_bench.commands.options import add_references
from zs_bench.commands.outputs import show
from zs_bench.errors import MissingExtra, UnusableInput, from_extra
from zs_bench.files.formats import file_kinds
from zs_bench.reports.tables import Table
from zs_lab.board import BoardError, BoardSettings, BoardUnavailable, open_board


class Action(NamedTuple):
    """One action: what it does, an example without `zero-scrolls board`, and the names of its arguments.

    `function` is that of `owner.py`, if it has another name.
    """

    summary: str
    example: str = ""
    arguments: str = ""
    function: str = ""


def declare(command: argparse.ArgumentParser) -> None:
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
        parser = parsers.add_parser(name, help=action.summary)
        describe(parser, action.summary, {f"zero-scrolls board {name} {action.example}".rstrip(): action.summary})
        if name == "init":
            add_references(parser)
        for argument in action.arguments.split():
            parser.add_argument(argument, **ARGUMENTS[argument])
        names = [argument.dest for argument, _ in parser.arguments() if argument.dest != "help"]
        parser.add_argument(
            "--board", **_text("BOARD", "A SQLite file, or postgresql://user@host/name. Default: $ZS_BOARD.")
        )
        parser.set_defaults(run=partial(_run, action.function or name, names))


def _run(name: str, arguments: Sequence[str], options: argparse.Namespace) -> int:
    """Call the function of `owner.py` with these arguments, and print what it returns."""
    place = options.board or os.environ.get("ZS_BOARD")
    if not place:
        raise UnusableInput("which board? Give --board board.sqlite, or set ZS_BOARD")
    with from_extra("board"):
        from zs_lab.board import owner  # noqa: PLC0415
    try:
        board = place if name == "init" else open_board(place)
        result = getattr(owner, name)(board, **{argument: getattr(options, argument) for argument in arguments})
    except BoardUnavailable as error:
        raise BoardError(error.detail) from error
    text, note, status = result if isinstance(result, owner.Printed) else (result, "", OK)
    if note:
        print(note, file=sys.stderr)
    if text:
        show(text.text() if isinstance(text, Table) else text)
    return int(status)


def _text(metavar: str, about: str, **options: Any) -> dict[str, Any]:
    return {"metavar": metavar, "help": about, **options}


def _flag(about: str) -> dict[str, Any]:
    return {"action": "store_true", "help": about}


def _count(about: str, default: int) -> dict[str, Any]:
    return _text("N", f"{about} A new board has {default:,}.", type=int)


_DATE = "in UTC: 2026-12-01 (its first second) or 2026-12-01T18:00; '' for none."
_SETTINGS = "--title --description --rules --contact --data --opens --closes --per-day"
ARGUMENTS: Mapping[str, Mapping[str, Any]] = {
    "--title": _text("TITLE", "Title of the board. A new board has that of the benchmark."),
    "--description": _text("TEXT", "What the board is about; shown above it."),
    "--rules": _text("TEXT", "Rules for submitters; shown above the board."),
    "--contact": _text("TEXT", "Whom to ask, such as an address of e-mail."),
    "--data": _text("URL", "Web address of the inputs."),
    "--opens": _text("DATE", f"When submissions open, {_DATE}"),
    "--closes": _text("DATE", f"When submissions close, {_DATE}"),
    "--per-day": _count("Submissions of one submitter a day (UTC).", BoardSettings().per_day),
    "--in-all": _count("Submissions of one submitter in all: the fewer, the less noise.", BoardSettings().in_all),
    "--single-tasks": _flag("Take entries that leave out whole tasks; they are ranked by task."),
    "--hidden-until-end": _flag("Show no scores before --closes; until then a submission is only checked and kept."),
    "--exact-at-end": _flag("After --closes show exact scores, from which single answers can be worked out."),
    "--exact": _flag("Show exact scores from the start, for references that are no secret."),
    "name": _text("NAME", "Name of the submitter, which the board shows; hf:USER in a Space, without a code."),
    "entry": _text("ENTRY", "Number of the entry.", type=int),
    "--undo": _flag("Put it back on the board."),
    "text": _text("TEXT", "The remark; without it, the remark is removed.", nargs="?"),
    "system": _text("SYSTEM", "Name of the system, which the board shows."),
    "files": _text("PATH", f"Its predictions: {file_kinds('predictions')}.", nargs="+"),
    "--note": _text("TEXT", "A public note."),
    "--link": _text("URL", "A public link."),
    "--references": _text("PATH", f"Corrected references: {file_kinds('references')}.", nargs="+", action="extend"),
    "--drop": _text("TASK", "Remove this task from the board.", action="append", default=[]),
    "--yes": _flag("Do it; without this option the changes are only printed."),
    "--csv": _text("OUT", "Write CSV; '-' is standard output."),
    "--parquet": _text("OUT", "Write Parquet."),
    "--eval-results": _text(
        "DIR",
        "Write a YAML file per entry for .eval_results/ in the model's repo on the Hub; only for a board over the "
        "benchmark's own dataset.",
    ),
    "--predictions": _text("DIR", "Write the predictions of all entries, a JSON file each: private."),
    "out": _text("OUT", "The new file."),
    "--why": _text("TEXT", "The reason, for the record that 'log' prints."),
}

ACTIONS: Mapping[str, Action] = {
    "init": Action(
        "Set up a board; it keeps a copy of the references.",
        "--references references/",
        f"{_SETTINGS} --in-all --single-tasks --hidden-until-end --exact-at-end --exact",
    ),
    "set": Action(
        "Print or change the texts, dates and limits of a board.",
        "--closes 2026-12-01",
        f"{_SETTINGS} --why",
        "change_settings",
    ),
    "invite": Action("Print a submission code; it replaces an earlier one.", "'Team A'", "name --why"),
    "revoke": Action("Take no more submissions from a submitter.", "'Team A'", "name --why"),
    "submitters": Action("List who was invited."),
    "list": Action(
        "List all entries with their scores, also those that the board does not show.", function="list_entries"
    ),
    "show": Action("Print everything about an entry but the predictions.", "3", "entry"),
    "hide": Action("Take an entry off the board.", "3", "entry --undo --why"),
    "note": Action("Put a remark beside an entry.", "3 'trained on the test split'", "entry text --why", "remark"),
    "baseline": Action(
        "Add a baseline of your own, outside limits and ranks.", "Naive naive.csv", "system files --note --link --why"
    ),
    "rescore": Action(
        "Print what scoring all entries again would change, after an update of zero-scrolls or against corrected "
        "references; with --yes, do it.",
        "--references corrected/",
        "--references --drop --yes --why",
    ),
    "log": Action("Print what the owners of the board did: when, who, what and why."),
    "export": Action(
        "Write what the board shows, or its predictions, as files.",
        "--csv board.csv",
        "--csv --parquet --eval-results --predictions",
    ),
    "backup": Action("Write a copy of a SQLite board to a new file.", "backup.sqlite", "out"),
}


def declare_submit(command: argparse.ArgumentParser) -> None:
    describe(
        command,
        "Submit predictions to the board of an app, with the submission code that its organisers gave you. It needs "
        "the package gradio_client.",
        {
            "zero-scrolls submit https://board.example.org preds.csv --code zs-… --check": "Check without submitting.",
            "zero-scrolls submit https://board.example.org preds.csv --code zs-… --system 'My system'": "Submit.",
        },
        status="The submission was not accepted.",
    )
    command.add_argument("url", metavar="URL", help="Web address of the app.")
    command.add_argument("files", nargs="+", metavar="FILE", help="Prediction files, or a ZIP of them.")
    command.add_argument("--code", metavar="CODE", help="Your submission code. Default: $ZS_BOARD_CODE.")
    command.add_argument("--system", metavar="NAME", help="Name of the system, which the board shows.")
    command.add_argument("--link", metavar="URL", help="A public link.")
    command.add_argument("--note", metavar="TEXT", help="A public note.")
    command.add_argument(
        "--run", dest="run_file", metavar="FILE", help="The run.json of the run; its settings are shown."
    )
    command.add_argument("--check", action="store_true", help="Check the files without submitting them.")
    command.set_defaults(run=_submit)


def _submit(options: argparse.Namespace) -> int:
    code = options.code or os.environ.get("ZS_BOARD_CODE") or ""
    if not (options.check or options.system):
        raise UnusableInput("name the system with --system NAME; the board shows it")
    try:
        client, httpx = import_module("gradio_client"), import_module("httpx")
    except ModuleNotFoundError as error:
        raise MissingExtra("this needs gradio_client; install it with: pip install gradio_client") from error
    try:
        app = client.Client(options.url, verbose=False)
        files = [client.handle_file(path) for path in options.files]
        if options.check:
            answer = app.predict(files, code, api_name="/board_check")
            print(f"The files can be submitted: {answer['read']}. {_left(answer)}")
            return OK
        run_file = client.handle_file(options.run_file) if options.run_file else None
        details = (options.system, options.link or "", options.note or "", code)
        answer = app.predict(files, run_file, *details, api_name="/board_submit")
    except (OSError, ValueError, httpx.HTTPError, client.exceptions.AppError) as error:
        raise BoardError(f"the board at {options.url} answered: {error}") from error
    entry = answer["entry"]
    average = "no score" if entry["average"] is None else f"average {entry['average']:g}"
    print(f"Kept as entry {entry['id']}: {entry['state']}, {average}. {_left(answer)}")
    return OK


def _left(answer: dict[str, Any]) -> str:
    left = answer["left"]
    return f"Submissions left: {left['today']} today, {left['in_all']} in all."
