"""The board that `ZS_BOARD` names, as the app serves it; without the variable the app has none.

In a Space, submitters sign in with their Hugging Face account, or use a code. Elsewhere Gradio's sign-in is a mock, so
everybody needs a submission code.
"""

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from zs_app.server.workers import place_of
from zs_bench.progress import Progress
from zs_lab.board import (
    Allowance,
    BoardEntry,
    BoardError,
    BoardUnavailable,
    NoBoard,
    Submitter,
    UnknownCode,
    open_board,
)
from zs_lab.board.words import CODE_FIRST, SIGN_IN_FIRST, UNAVAILABLE

if TYPE_CHECKING:
    from zs_lab.board.board import Board

_log = logging.getLogger(__name__)
#: Return the board at that place; its errors name the place, unlike those of `usable_board`.
opened = cache(open_board)


def in_space() -> bool:
    """Whether the app runs in a Space, by the variables that make Gradio's sign-in real."""
    return os.environ.get("SYSTEM") == "spaces" and bool(os.environ.get("SPACE_ID"))


@contextmanager
def usable_board(place: str | None = None) -> Iterator["Board"]:
    """Yield the board at that place, by default the app's; its errors do not reveal the server's files."""
    try:
        yield opened(place or os.environ["ZS_BOARD"])
    except (BoardUnavailable, NoBoard) as error:
        _log.error("the board cannot be used: %s", place_of(error))
        raise BoardError(UNAVAILABLE) from None


def submitter(code: object, profile: Any) -> Submitter:
    """Return the submitter with the code that was typed, or who signed in (a `gr.OAuthProfile`), or `UnknownCode`."""
    with usable_board() as board:
        if isinstance(code, str) and code.strip():
            return board.submitter_of(code)
        if in_space() and profile is not None:
            return board.hub_submitter(profile.username)
        raise UnknownCode(SIGN_IN_FIRST if in_space() else CODE_FIRST)


class Submitted(NamedTuple):
    """What is submitted: paths of uploaded files, and the public details of the entry."""

    predictions: Sequence[str]
    run: str | None = None
    system: str = ""
    link: str = ""
    note: str = ""


def submit_upload(place: str, who: Submitter, upload: Submitted, _: Progress) -> tuple[BoardEntry, Allowance]:
    """A job: return the entry as stored, and how many submissions are left.

    Its progress is not reported, since that would reveal how long each task takes.
    """
    names = [Path(path).name for path in upload.predictions]
    with usable_board(place) as board:
        return board.submit(who, names=names, **upload._asdict()), board.allowance(who)


def check_upload(place: str, who: Submitter, upload: Submitted, _: Progress) -> tuple[str, Allowance]:
    """A job: return what was read in the files, and how many submissions are left."""
    names = [Path(path).name for path in upload.predictions]
    with usable_board(place) as board:
        return str(board.check(who, upload.predictions, names, upload.system)), board.allowance(who)
