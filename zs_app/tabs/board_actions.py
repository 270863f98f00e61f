"""What visitors do with the board, for the page and for programs: list, submit, look at one's own, withdraw."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any

import anyio

from zs_app import words
from zs_app.board_job import Submission, submit_entry
from zs_app.server.board import board_place, submitter, the_board, without_place
from zs_app.server.events import run_for
from zs_app.tabs.file_inputs import MAX_FILES, TooManyFiles
from zs_bench.board import Allowance, Entry, NoSuchEntry, NotAccepted

#: A submission is answered at a whole multiple of so many seconds: how long scoring takes depends on the references.
STEP = 2.0
_LARGEST_ID = 2**31


def entries() -> list[Entry]:
    """The board, the best first."""
    with without_place():
        return the_board().entries()


async def submit(
    code: object, profile: Any, predictions: Sequence[str] | None, given: Submission, request: Any
) -> tuple[Entry, Allowance]:
    """The entry as it is kept, and how many submissions are left.

    Raises:
        UnknownCode, NotAccepted, LimitReached, Duplicate: see `Board.submit`.
    """
    began = time.monotonic()
    if not predictions:
        raise NotAccepted(words.BOARD_FILES_FIRST)
    if len(predictions) > MAX_FILES:
        raise TooManyFiles(f"{len(predictions):,} files, more than {MAX_FILES}; put them into one ZIP")
    who = await anyio.to_thread.run_sync(_submitter, code, profile)
    try:
        entry = Entry(**await run_for(request, submit_entry, board_place(), who, given))
    finally:
        await asyncio.sleep(STEP - (time.monotonic() - began) % STEP)
    return entry, await anyio.to_thread.run_sync(_allowance, who)


def history(code: object, profile: Any) -> tuple[list[Entry], Allowance]:
    """The submitter's own entries, the newest first, and how many submissions are left."""
    who = _submitter(code, profile)
    with without_place():
        return the_board().history(who), the_board().allowance(who)


def withdraw(code: object, profile: Any, entry: object) -> Entry:
    """Take one's own entry off the board.

    Raises:
        NoSuchEntry: when there is none of that number, or it is another submitter's.
    """
    who = _submitter(code, profile)
    if type(entry) is not int or not 0 < entry < _LARGEST_ID:
        raise NoSuchEntry(words.BOARD_NO_SUCH_ENTRY)
    with without_place():
        return the_board().withdraw(who, entry)


def _submitter(code: object, profile: Any) -> Any:
    with without_place():
        return submitter(code, profile)


def _allowance(who: Any) -> Allowance:
    with without_place():
        return the_board().allowance(who)
