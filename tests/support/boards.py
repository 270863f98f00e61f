"""A board over made-up references, and predictions for it."""

from pathlib import Path
from typing import Any

from written_files import official_csv, write

from zs_bench.scoring.score_files import read_references
from zs_lab.board import BoardEntry, BoardSettings, Submitter, create_board, owner
from zs_lab.board.board import Board
from zs_lab.board.database import write_state

#: Examples of each task.
EXAMPLES = 40
KNOWN = {
    "quality": {f"story{i}_q": "ABCD"[i % 4] for i in range(EXAMPLES)},
    "space_digest": {f"s{i}": f"{(i * 37) % 101}%" for i in range(EXAMPLES)},
}
#: No submitter can reach these.
MANY = BoardSettings(per_day=1_000, in_all=1_000, exact=True)


def make_board(
    folder: Path, place: str | Path | None = None, *, settings: BoardSettings = MANY, references: Any = KNOWN
) -> Board:
    """A new board over two tasks of `KNOWN`."""
    reference_data = read_references([write(folder / "references.json", references)])
    board = create_board(place or folder / "board.sqlite", reference_data, settings=settings)
    with board.database.writing() as connection:  # else the noise would differ from test to test
        write_state(connection, "key", "the secret of this test")
    return board


def predictions(folder: Path, right: int, *, name: str | None = None, wrong: str = "no idea") -> Path:
    """A file in which the first predictions of each task are right, and the others these words."""
    rows = [
        (task, id_, text if i < right else wrong)
        for task, by_id in KNOWN.items()
        for i, (id_, text) in enumerate(by_id.items())
    ]
    return write(folder / f"{name or right}.csv", official_csv(rows))


def invited(board: Board, name: str = "A") -> Submitter:
    """A submitter of that name, with a new code."""
    return board.submitter_of(owner.invite(board, name)[0])


def submit(board: Board, folder: Path, right: int, name: str = "A", system: str = "S", **details: Any) -> BoardEntry:
    """An entry of that submitter, with that many right predictions in each task."""
    return board.submit(invited(board, name), system=system, predictions=predictions(folder, right), **details)
