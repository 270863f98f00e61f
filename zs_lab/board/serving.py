"""The board that `ZS_BOARD` names, as the app serves it; without the variable the app has none.

In a Space, submitters sign in with their Hugging Face account, or use a code. Elsewhere Gradio's sign-in is a mock, so
everybody needs a submission code.
"""

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zs_app.server.workers import place_of
from zs_bench.progress import Progress
from zs_lab.board import (
    Allowance,
    BoardError,
    BoardUnavailable,
    Entry,
    NoBoard,
    Submitter,
    UnknownCode,
    open_board,
    words,
)

if TYPE_CHECKING:
    from zs_lab.board.board import Board

_log = logging.getLogger(__name__)
_open = cache(open_board)


def in_space() -> bool:
    """Whether the app runs in a Space, by the variables that make Gradio's sign-in real."""
    return os.environ.get("SYSTEM") == "spaces" and bool(os.environ.get("SPACE_ID"))


def the_board() -> "Board":
    """Return the board; its errors name its place, unlike those of `usable_board`.

    Raises:
        NoBoard, BoardUnavailable, MissingExtra: when it cannot be opened.
    """
    return _open(os.environ["ZS_BOARD"])


@contextmanager
def usable_board(place: str | None = None) -> Iterator["Board"]:
    """Yield the board at that place, by default the app's; its errors do not reveal the server's files."""
    try:
        yield _open(place) if place else the_board()
    except (BoardUnavailable, NoBoard) as error:
        _log.error("the board cannot be used: %s", place_of(error))
        raise BoardError(words.UNAVAILABLE) from None


def submitter(code: object, profile: Any) -> Submitter:
    """Return the submitter with that code, or who signed in.

    Args:
        code: as typed; empty for none.
        profile: a `gr.OAuthProfile`, `None` when nobody signed in.

    Raises:
        UnknownCode: when there is neither, and for one that may not submit.
    """
    with usable_board() as board:
        if isinstance(code, str) and code.strip():
            return board.submitter_of(code)
        if in_space() and profile is not None:
            return board.hub_submitter(profile.username)
        raise UnknownCode(words.SIGN_IN_FIRST if in_space() else words.CODE_FIRST)


@dataclass(frozen=True, slots=True)
class Upload:
    """What is submitted: paths of uploaded files, and the public details of the entry."""

    predictions: Sequence[str]
    run: str | None = None
    system: str = ""
    link: str = ""
    note: str = ""

    @property
    def names(self) -> list[str]:
        """The names of the files."""
        return [Path(path).name for path in self.predictions]


def submit_upload(place: str, who: Submitter, upload: Upload, _: Progress) -> tuple[Entry, Allowance]:
    """A job: return the entry as stored, and how many submissions are left.

    Its progress is not reported, since that would reveal how long each task takes.
    """
    with usable_board(place) as board:
        details: Any = {"system": upload.system, "link": upload.link, "note": upload.note}
        entry = board.submit(who, predictions=upload.predictions, names=upload.names, run=upload.run, **details)
        return entry, board.allowance(who)


def check_upload(place: str, who: Submitter, upload: Upload, _: Progress) -> tuple[str, Allowance]:
    """A job: return what was read in the files, and how many submissions are left."""
    with usable_board(place) as board:
        return str(board.check(who, upload.predictions, upload.names, upload.system)), board.allowance(who)
