"""The board that `ZS_BOARD` names, a SQLite file or a PostgreSQL URL; without it the app has none.

The submitter is who signed in to the Hugging Face Hub when the app runs in a Space; Gradio's sign-in is a mock
elsewhere, where everybody needs a submission code.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from zs_app import words
from zs_app.server.workers import place_of
from zs_bench.board import open_board
from zs_bench.board.entry import (
    Allowance,
    BoardError,
    BoardUnavailable,
    Entry,
    NoBoard,
    NoSuchEntry,
    Submitter,
    UnknownCode,
)

if TYPE_CHECKING:
    from zs_bench.board.board import Board

_VARIABLE = "ZS_BOARD"
_LARGEST_ID = 2**31
_log = logging.getLogger(__name__)


def board_place() -> str | None:
    """Where the board is; `None` when there is none."""
    return os.environ.get(_VARIABLE) or None


def the_board() -> "Board":
    """The board.

    Raises:
        NoBoard, BoardUnavailable, MissingExtra: when it cannot be opened.
    """
    return _open(os.environ[_VARIABLE])


@cache
def _open(place: str) -> "Board":
    return open_board(place)


def in_space() -> bool:
    """Whether the app runs in a Space, by what Gradio goes by: elsewhere its sign-in is a mock."""
    return os.environ.get("SYSTEM") == "spaces" and bool(os.environ.get("SPACE_ID"))


def signs_in() -> bool:
    """Whether visitors sign in: there is a board, in a Space."""
    return in_space() and board_place() is not None


@contextmanager
def without_place() -> Iterator[None]:
    """Errors of the database, which name the server's files, become one that does not."""
    try:
        yield
    except (BoardUnavailable, NoBoard) as error:
        _log.error("the board cannot be used: %s", place_of(error))
        raise BoardError(words.BOARD_UNAVAILABLE) from None


def submitter(code: object, profile: Any) -> Submitter:
    """Who submits: whose code it is, or who signed in.

    Args:
        code: as typed; empty for none.
        profile: a `gr.OAuthProfile`, `None` when nobody signed in.

    Raises:
        UnknownCode: when it is neither.
    """
    with without_place():
        if isinstance(code, str) and code.strip():
            return the_board().submitter_of(code)
        if in_space() and profile is not None:
            return the_board().hub_submitter(profile.username)
        raise UnknownCode(words.BOARD_SIGN_IN_FIRST if in_space() else words.BOARD_CODE_FIRST)


def entries() -> list[Entry]:
    """The board, the best first."""
    with without_place():
        return the_board().entries()


def history(code: object, profile: Any) -> tuple[list[Entry], Allowance]:
    """The submitter's own entries, the newest first, and how many submissions are left."""
    who = submitter(code, profile)
    with without_place():
        return the_board().history(who), the_board().allowance(who)


def allowance(who: Submitter) -> Allowance:
    """How many submissions are left."""
    with without_place():
        return the_board().allowance(who)


def withdraw(code: object, profile: Any, entry: object) -> Entry:
    """Take one's own entry off the board.

    Raises:
        NoSuchEntry: when there is none of that number, or it is another submitter's.
    """
    who = submitter(code, profile)
    if type(entry) is not int or not 0 < entry < _LARGEST_ID:
        raise NoSuchEntry(words.BOARD_NO_SUCH_ENTRY)
    with without_place():
        return the_board().withdraw(who, entry)
