"""The job of the board: a submission is checked, scored and kept in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zs_app.server.board import without_place
from zs_bench.board import Submitter, open_board
from zs_bench.progress import Progress


@dataclass(frozen=True, slots=True)
class Submission:
    """What a submitter gave: paths of uploaded files, and what is shown beside the entry."""

    predictions: Sequence[str]
    run: str | None
    system: str
    link: str
    note: str


def submit_entry(place: str, submitter: Submitter, given: Submission, _: Progress) -> dict[str, Any]:
    """The entry as data. Its progress is not reported, since that would tell how long each task takes."""
    with without_place():
        entry = open_board(place).submit(
            submitter,
            system=given.system,
            predictions=list(given.predictions),
            names=[Path(path).name for path in given.predictions],
            run=given.run,
            link=given.link,
            note=given.note,
        )
    return entry.as_dict()
