"""The actions of `zero-scrolls board`, each a function `do_<action>`; they need the extra `board`.

Each returns what to print, except `do_init` and `do_rescore`, which print it and return the exit status.
"""

import argparse
import sys
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from zs_bench.commands import OK, REFUSED
from zs_bench.commands.outputs import check_outputs, progress, show, write
from zs_bench.errors import UnusableInput
from zs_bench.files.writing import whole_file
from zs_bench.problems import counted
from zs_bench.reports.tables import Table
from zs_bench.scoring.score_files import read_references
from zs_bench.validation.from_source import read_hard_ids, references_from_source
from zs_lab.board import BoardError, BoardUnavailable, NoSuchEntry, Settings, create_board, open_board, owner
from zs_lab.board.board import Board
from zs_metric.tasks import find_benchmark

#: The score of a task with fewer examples than this can reveal whether single predictions are right.
ENOUGH = 100


def run(name: str, options: argparse.Namespace) -> int:
    """Run an action, print what it returns, and return the exit status."""
    try:
        if name == "init":
            return do_init(options)
        board = open_board(options.board)
        if name == "rescore":
            return do_rescore(board, options)
        said: str = globals()[f"do_{name}"](board, options)
    except BoardUnavailable as error:
        raise BoardError(error.detail) from error
    if said:
        show(said)
    return OK


def do_init(options: argparse.Namespace) -> int:
    """Set up a board, and print its size."""
    benchmark = find_benchmark(options.benchmark)
    settings = Settings(title=f"{benchmark.title} board").changed(**_settings(options))
    hard = read_hard_ids(options.hard_ids) if options.hard_ids else None
    if options.references:
        references = read_references(options.references, benchmark=benchmark, hard_ids=hard)
    else:
        where: Any = {"split": options.split or "validation", "revision": options.revision, "progress": progress()}
        references = references_from_source(options.source, benchmark.tasks, benchmark=benchmark, **where)
        references = references if hard is None else references.with_hard_questions(hard)
    board = create_board(options.board, references, benchmark=benchmark, settings=settings)
    print(f"{settings.title}: {_size(board)}, in {board.database.name}. Keep it private.")
    small = [f"{task} ({count})" for task, count in board.sizes.items() if count < ENOUGH]
    if small:
        which = "all of them" if len(small) == len(board.sizes) else ", ".join(small)
        warning = f"Tasks with fewer than {ENOUGH} examples, whose scores reveal single predictions: {which}."
        print(f"{warning} That is fine for trying the board out.", file=sys.stderr)
    return OK


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings among the options; those that were not given are `None`."""
    return {field.name: getattr(options, field.name, None) for field in fields(Settings)}


def _size(board: Board) -> str:
    return f"{counted(len(board.sizes), 'task')}, {counted(sum(board.sizes.values()), 'example')}"


def do_set(board: Board, options: argparse.Namespace) -> str:
    """Change the settings that are given; return all of them."""
    settings = owner.change_settings(board, options.why, **_settings(options))
    return Table((), [(name, str(value)) for name, value in asdict(settings).items()]).text()


do_limits = do_set  # an earlier name


def do_invite(board: Board, options: argparse.Namespace) -> str:
    """Return a submission code, or that an account may submit."""
    code, replaced = owner.invite(board, options.name, options.why)
    if not code:
        return f"{options.name} may submit in a Space, signed in."
    earlier = " It replaces the earlier one." if replaced else ""
    print(f"The submission code of {options.name}; it is not kept, so hand it on now.{earlier}", file=sys.stderr)
    return code


def do_revoke(board: Board, options: argparse.Namespace) -> str:
    """Take no more submissions from a submitter."""
    owner.revoke(board, options.name, options.why)
    return f"{options.name} may not submit any more; the entries stay."


def do_submitters(board: Board, _: argparse.Namespace) -> str:
    """Return who was invited."""
    rows = [(*row[:-1], str(row[-1])) for row in owner.submitters(board)]
    return Table(("submitter", "invited", "revoked", "entries"), rows, right=[3]).text()


def do_list(board: Board, _: argparse.Namespace) -> str:
    """Return the table of all entries."""
    head = ("entry", "submitted", "submitter", "system", "state", "average", "remark")
    rows = [
        (str(one.id), one.submitted, one.submitter, one.system, one.state, owner.points(one.average), one.remark or "")
        for one in owner.submissions(board)
    ]
    return Table(head, rows, right=[0, 5]).text()


def do_show(board: Board, options: argparse.Namespace) -> str:
    """Return the details of an entry."""
    entry = next((one for one in owner.submissions(board) if one.id == options.entry), None)
    if entry is None:
        raise NoSuchEntry(f"there is no entry {options.entry}; zero-scrolls board list has their numbers")
    names = ("id", "submitter", "system", "link", "note", "submitted", "state", "signature", "remark")
    details = {name: getattr(entry, name) for name in names}
    details |= {f"run, {name}": value for name, value in entry.run.items()}
    details |= {board.average_title: owner.points(entry.average)}
    details |= {task: owner.points(score) for task, score in entry.tasks.items()}
    return Table((), [(name, str(value)) for name, value in details.items() if value is not None]).text()


def do_hide(board: Board, options: argparse.Namespace) -> str:
    """Take an entry off the board, or put it back."""
    owner.hide(board, options.entry, hidden=not options.undo, why=options.why)
    return f"Entry {options.entry} is {'on' if options.undo else 'off'} the board."


def do_note(board: Board, options: argparse.Namespace) -> str:
    """Put a remark beside an entry, or remove it."""
    owner.remark(board, options.entry, options.text, options.why)
    return f"Entry {options.entry}: {options.text or 'no remark'}"


def do_baseline(board: Board, options: argparse.Namespace) -> str:
    """Add a baseline."""
    details = {"note": options.note, "link": options.link}
    entry = owner.add_baseline(board, options.system, options.files, options.why, **details)
    return f"Baseline {entry.system}: entry {entry.id}, average {owner.points(entry.average)}."


def do_rescore(board: Board, options: argparse.Namespace) -> int:
    """Print what changes when all entries are scored again, and with --yes change it."""
    references = read_references(options.references, benchmark=board.benchmark) if options.references else None
    before = _size(board)
    how: Any = {"drop": options.drop, "apply": options.yes, "why": options.why, "progress": progress()}
    result = owner.rescore(board, references, **how)
    lines = [*result.changes, *(f"{entry}: set aside, since {why}" for entry, why in result.set_aside.items())]
    if result.done and _size(board) != before:
        lines.append(f"The references had {before}; now they have {_size(board)}.")
    count = f"{len(result.changes)} {'entry' if len(result.changes) == 1 else 'entries'}"
    show("\n".join([*lines, f"{count} changed." if result.done else f"{count} would change. To do it, add --yes."]))
    return REFUSED if result.set_aside else OK


def do_log(board: Board, _: argparse.Namespace) -> str:
    """Return the acts of the owners."""
    return Table(("time", "who", "act", "why"), owner.acts(board)).text()


def do_export(board: Board, options: argparse.Namespace) -> str:
    """Write what the board shows as files."""
    if not (options.csv or options.parquet or options.eval_results or options.predictions):
        raise UnusableInput("which form? Give --csv OUT, --parquet OUT, --eval-results DIR or --predictions DIR")
    check_outputs(options.csv, options.parquet)
    every, written = options.every, []
    if options.csv:
        write(options.csv, owner.as_table(board, every=every).csv())
        written += [options.csv] if options.csv != "-" else []
    if options.parquet:
        with whole_file(Path(options.parquet)) as file:
            file.write(owner.as_parquet(board, every=every))
        written.append(options.parquet)
    if options.eval_results:
        folder = Path(options.eval_results)
        files = owner.as_eval_results(board, every=every)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            write(str(folder / name), text)
        written.append(f"{folder} ({counted(len(files), 'file')})")
    if options.predictions:
        paths = owner.export_predictions(board, Path(options.predictions))
        written.append(f"{options.predictions} ({counted(len(paths), 'file')}, private)")
    if written:
        print("Written: " + ", ".join(written), file=sys.stderr)
    return ""


def do_backup(board: Board, options: argparse.Namespace) -> str:
    """Write a copy of the board."""
    owner.backup(board, Path(options.out))
    return f"Copied to {options.out} and checked. To restore it, stop the app and replace the board's file with it."
