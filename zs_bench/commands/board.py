"""`zero-scrolls board`: a leaderboard of one's own, set up and looked after by its owner."""

import argparse
import os
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zs_bench.board import create_board, open_board
from zs_bench.board.entry import BoardError, BoardUnavailable, Entry, Limits, NoSuchEntry
from zs_bench.commands import OK
from zs_bench.commands.board_options import ACTIONS, declare_action
from zs_bench.commands.outputs import check_outputs, progress, show, write
from zs_bench.commands.parser import CommandParser, describe
from zs_bench.extras import from_extra
from zs_bench.files.writing import whole_file
from zs_bench.problems import UnusableInput, counted
from zs_bench.reports.tables import text_table
from zs_bench.scoring.score_files import read_references
from zs_bench.validation.from_source import read_hard_ids, references_from_source
from zs_bench.validation.references import References
from zs_metric.tasks import find_benchmark

if TYPE_CHECKING:
    from zs_bench.board.board import Board

#: A task with fewer examples than this tells single predictions by its score.
ENOUGH = 100


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
    actions = command.add_subparsers(
        title="actions",
        required=True,
        metavar="ACTION",
        prog="zero-scrolls board",
        parser_class=CommandParser,
        help="What to do.",
    )
    for name, action in ACTIONS.items():
        parser = actions.add_parser(name, help=action.summary)
        declare_action(parser, name)
        parser.set_defaults(run=partial(_run, _RUN[name]))


def _run(action: Callable[[argparse.Namespace], int], options: argparse.Namespace) -> int:
    try:
        return action(options)
    except BoardUnavailable as error:
        raise BoardError(error.detail) from error


def _place(options: argparse.Namespace) -> str:
    place: str | None = options.board or os.environ.get("ZS_BOARD")
    if not place:
        raise UnusableInput("which board? Give --board board.sqlite, or set ZS_BOARD")
    return place


def _open(options: argparse.Namespace) -> "Board":
    return open_board(_place(options))


def _owner(name: str) -> Callable[..., Any]:
    """The function of that name of the modules that need a database."""
    with from_extra("board"):
        import_module("sqlalchemy")
    module = import_module("zs_bench.board.exports" if name.startswith("as_") else "zs_bench.board.owner")
    found: Callable[..., Any] = getattr(module, name)
    return found


def _references(options: argparse.Namespace) -> References:
    benchmark = find_benchmark(options.benchmark)
    hard = read_hard_ids(options.hard_ids) if options.hard_ids else None
    if options.references:
        return read_references(options.references, benchmark=benchmark, hard_ids=hard)
    where: Any = {"split": options.split or "validation", "revision": options.revision, "progress": progress()}
    found = references_from_source(options.source, benchmark.tasks, benchmark=benchmark, **where)
    return found if hard is None else found.with_hard_questions(hard)


def _init(options: argparse.Namespace) -> int:
    place, limits = _place(options), Limits(options.per_day, options.in_all)
    board = create_board(place, _references(options), benchmark=options.benchmark, title=options.title, limits=limits)
    sizes = _sizes(board)
    print(f"{board.title}: {_in_all(sizes)}, in {board.database.name}. Keep it private.")
    small = [f"{task} ({count})" for task, count in sizes.items() if count < ENOUGH]
    if small:
        which = "all of them" if len(small) == len(sizes) else ", ".join(small)
        said = f"Tasks with fewer than {ENOUGH} examples, whose scores tell single predictions: {which}."
        print(f"{said} That is fine for trying the board out.", file=sys.stderr)
    return OK


def _sizes(board: "Board") -> dict[str, int]:
    """How many examples each task of the board has."""
    return {task: sum(map(len, board.references[1].tasks[task].values())) for task in board.tasks}


def _in_all(sizes: dict[str, int]) -> str:
    return f"{counted(len(sizes), 'task')}, {counted(sum(sizes.values()), 'example')}"


def _invite(options: argparse.Namespace) -> int:
    print(_owner("invite")(_open(options), options.name))
    print(f"The submission code of {options.name}; it is not kept, so hand it on now.", file=sys.stderr)
    return OK


def _revoke(options: argparse.Namespace) -> int:
    _owner("revoke")(_open(options), options.name)
    print(f"{options.name} may not submit any more; the entries stay.")
    return OK


def _list(options: argparse.Namespace) -> int:
    head = ("entry", "submitted", "submitter", "system", "state", "average", "remark")
    rows = [
        (str(one.id), one.submitted, one.submitter, one.system, one.state, _points(one.average), one.remark or "")
        for one in _owner("submissions")(_open(options))
    ]
    show("\n".join(text_table([head, *rows], right=[0, 5])))
    return OK


def _points(points: float | None) -> str:
    return "-" if points is None else f"{points:.1f}"


def _show(options: argparse.Namespace) -> int:
    board = _open(options)
    found: Entry | None = next((one for one in _owner("submissions")(board) if one.id == options.entry), None)
    if found is None:
        raise NoSuchEntry(f"there is no entry {options.entry}; see the numbers in the list of entries")
    about = {name: value for name, value in found.as_dict().items() if name not in ("tasks", "rank", "average")}
    del about["not_separated_from"]
    run = {f"run, {name}": value for name, value in about.pop("run").items()}
    scores = {board.average_title: _points(found.average)} | {task: _points(p) for task, p in found.tasks.items()}
    rows = [(name, str(value)) for name, value in {**about, **run, **scores}.items() if value is not None]
    show("\n".join(text_table(rows, right=[])))
    return OK


def _hide(options: argparse.Namespace) -> int:
    _owner("hide")(_open(options), options.entry, hidden=not options.undo)
    print(f"Entry {options.entry} is {'on' if options.undo else 'off'} the board.")
    return OK


def _note(options: argparse.Namespace) -> int:
    _owner("remark")(_open(options), options.entry, options.text)
    print(f"Entry {options.entry}: {options.text or 'no remark'}")
    return OK


def _limits(options: argparse.Namespace) -> int:
    limits = _owner("set_limits")(_open(options), per_day=options.per_day, in_all=options.in_all)
    print(f"{counted(limits.per_day, 'submission')} a day (UTC), {limits.in_all} in all.")
    return OK


def _rescore(options: argparse.Namespace) -> int:
    board, known = _open(options), None
    if options.references:
        known = read_references(options.references, benchmark=board.benchmark)
    before = _sizes(board)
    changes = _owner("rescore")(board, known, progress())
    if before != _sizes(board):
        print(f"The references had {_in_all(before)}; now they have {_in_all(_sizes(board))}.")
    show("\n".join([*changes, f"{len(changes)} {'entry' if len(changes) == 1 else 'entries'} changed."]))
    return OK


def _export(options: argparse.Namespace) -> int:
    if not (options.csv or options.parquet or options.eval_results):
        raise UnusableInput("which form? Give --csv OUT, --parquet OUT or --eval-results DIR")
    check_outputs(options.csv, options.parquet)
    board, every = _open(options), options.every
    if options.csv:
        write(options.csv, _owner("as_csv")(board, every=every))
    if options.parquet:
        with whole_file(Path(options.parquet)) as file:
            file.write(_owner("as_parquet")(board, every=every))
    if options.eval_results:
        folder = Path(options.eval_results)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in _owner("as_eval_results")(board, every=every).items():
            write(str(folder / name), text)
    return OK


def _backup(options: argparse.Namespace) -> int:
    _owner("backup")(_open(options), Path(options.out))
    print(f"Copied to {options.out} and checked. To restore it, stop the app and put it in the place of the board.")
    return OK


_RUN: dict[str, Callable[[argparse.Namespace], int]] = {
    "init": _init,
    "invite": _invite,
    "revoke": _revoke,
    "list": _list,
    "show": _show,
    "hide": _hide,
    "note": _note,
    "limits": _limits,
    "rescore": _rescore,
    "export": _export,
    "backup": _backup,
}
