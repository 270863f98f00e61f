"""A leaderboard over private references: submissions, limits, ranks, exports.

`create_board` and `open_board` return a `Board`. Everything is kept in one database, which is private: it holds
references and predictions. A `BoardEntry` may be published.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from zs_bench.benchmarks import DEFAULT, Benchmark, find_benchmark
from zs_bench.errors import from_extra
from zs_bench.validation.references import References
from zs_lab.board.records import (
    AVERAGE,
    HIDDEN,
    SEALED,
    SET_ASIDE,
    SHOWN,
    WITHDRAWN,
    Allowance,
    BoardEntry,
    BoardError,
    BoardSettings,
    BoardUnavailable,
    LimitReached,
    NoBoard,
    NotAccepted,
    Submitter,
    UnknownCode,
)

if TYPE_CHECKING:
    from zs_lab.board.board import Board

__all__ = [
    "AVERAGE",
    "HIDDEN",
    "SEALED",
    "SET_ASIDE",
    "SHOWN",
    "WITHDRAWN",
    "Allowance",
    "BoardEntry",
    "BoardError",
    "BoardSettings",
    "BoardUnavailable",
    "LimitReached",
    "NoBoard",
    "NotAccepted",
    "Submitter",
    "UnknownCode",
    "create_board",
    "open_board",
]


def create_board(
    place: str | Path,
    references: References,
    *,
    benchmark: str | Benchmark = DEFAULT,
    settings: BoardSettings | None = None,
) -> "Board":
    """Make a new board, which keeps a copy of the references.

    `place` is the path of a new SQLite file, or `postgresql://user@host/name`, an empty database. Raises `MissingExtra`
    without the extra `board`, `UnusableInput` when something is wrong with the references, or the board exists already,
    and `BoardError` for settings that cannot be used, and when the database cannot.
    """
    with from_extra("board"):
        from zs_lab.board.board import create  # noqa: PLC0415

    return create(place, references, find_benchmark(benchmark), settings or BoardSettings())


def open_board(place: str | Path) -> "Board":
    """Open the board at that place; raises `NoBoard`, and as `create_board`."""
    with from_extra("board"):
        from zs_lab.board.board import Board  # noqa: PLC0415

    return Board(place)
