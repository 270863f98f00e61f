"""A leaderboard of one's own over private references: submissions, limits, ranks, exports.

The door: `create_board` and `open_board`. Everything is kept in one database, which is private: it holds references and
predictions. What a `Board` returns as an `Entry` (of `zs_bench.board.entry`, with the errors) may be published.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from zs_bench.board.entry import Limits
from zs_bench.extras import from_extra
from zs_bench.validation.references import References
from zs_metric.tasks import Benchmark, find_benchmark

if TYPE_CHECKING:
    from zs_bench.board.board import Board


def create_board(
    place: str | Path,
    references: References,
    *,
    benchmark: str | Benchmark = "zero_scrolls",
    title: str | None = None,
    limits: Limits | None = None,
) -> "Board":
    """A new board.

    Args:
        place: the path of a new SQLite file; `postgresql://user@host/name`, an empty database; or `hub:owner/name`, a
            private dataset repo.
        references: what submissions are scored against; the board keeps a copy.
        title: of the board; by default the benchmark's.

    Raises:
        MissingExtra: without the extra `board`.
        UnusableInput: when something is wrong with the references, or a board is there already.
        BoardError: for a negative limit.
        BoardUnavailable: when the database cannot be used.
    """
    of, limits = find_benchmark(benchmark), (limits or Limits()).checked()
    return _implementation().create(place, references, of, title=title, limits=limits)


def open_board(place: str | Path) -> "Board":
    """The board at that place (see `create_board`); one of an older schema is brought up to date.

    Raises:
        MissingExtra: without the extra `board`.
        NoBoard: when there is none, or it was made by a newer version.
        BoardUnavailable: when the database cannot be used.
    """
    return _implementation().open(place)


def _implementation() -> "type[Board]":
    with from_extra("board"):
        import_module("sqlalchemy")
    from zs_bench.board.board import Board  # noqa: PLC0415  (it needs the extra)

    return Board
