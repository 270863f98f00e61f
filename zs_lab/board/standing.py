"""The entries of a board as they are kept, what is shown of them, and their order."""

import json
import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Row, select

from zs_lab.board import AVERAGE, HIDDEN, SEALED, SET_ASIDE, SHOWN, WITHDRAWN, BoardError, Entry
from zs_lab.board.cleaning import MAX_NOTE, clean_details, clean_line, clean_name, clean_run, clean_time
from zs_lab.board.database import ENTRIES, SCORES, SUBMITTERS
from zs_lab.board.scores import Points, Rule, Scores, unpacked, with_average


@dataclass(frozen=True, slots=True)
class Kept:
    """An entry as it is kept: private.

    `entry` has its public details, without state and scores. `off` is `WITHDRAWN` or `HIDDEN`, or `SET_ASIDE` if the
    database is damaged. `scores` are empty if they are damaged, or for the reason `set_aside`. `predictions` is a hash.
    """

    entry: Entry
    submitter: int
    off: str | None
    scores: Scores
    signature: str
    references: int
    predictions: str
    set_aside: str | None

    @property
    def state(self) -> str:
        """The state, apart from what the rule hides."""
        return self.off or (SHOWN if self.scores else SET_ASIDE)

    def exact(self, averaged: Sequence[str]) -> Points:
        """Return the exact scores, with their average: for the owner."""
        return with_average({task: score.exact for task, score in self.scores.items()}, averaged)


def read_kept(connection: Connection, submitter: int | None = None) -> list[Kept]:
    """Return all entries in the order of their submission, or those of a submitter, cleaned like what is submitted."""
    rows = (
        select(ENTRIES, SUBMITTERS.c.name.label("by"), SCORES)
        .join_from(ENTRIES, SUBMITTERS)
        .outerjoin(SCORES, SCORES.c.entry == ENTRIES.c.id)
        .order_by(ENTRIES.c.id)
    )
    rows = rows if submitter is None else rows.where(ENTRIES.c.submitter == submitter)
    return [_kept(row) for row in connection.execute(rows)]


def _kept(row: Row[Any]) -> Kept:
    off = WITHDRAWN if row.withdrawn else HIDDEN if row.hidden else None
    try:
        entry = Entry(
            id=row.id,
            submitter=clean_name(row.by, "the submitter"),
            **clean_details(row.system, row.link, row.note),
            submitted=clean_time(row.submitted),
            run=clean_run(json.loads(row.run)),
            remark=clean_line(row.remark, "the remark", MAX_NOTE) or None,
            baseline=bool(row.baseline),
        )
    except (BoardError, ValueError, TypeError, AttributeError, RecursionError):
        remark = "This entry is damaged in the database."
        entry, off = Entry(row.id, "?", "?", None, None, "", remark=remark), SET_ASIDE
    scores = {} if row.set_aside else unpacked(row.points)
    about = (row.signature or "", row.reference_set or 0, row.predictions_hash, row.set_aside)
    return Kept(entry, row.submitter, off, scores, *about)


def described(kept: Kept, tasks: Sequence[str], averaged: Sequence[str], rule: Rule) -> Entry:
    """Return the entry as everybody may see it now."""
    if kept.state != SHOWN or rule.sealed:
        return replace(kept.entry, state=SEALED if kept.state == SHOWN else kept.state)
    points = with_average(rule.shown(kept.entry.id, kept.references, kept.scores), averaged)
    return replace(
        kept.entry,
        state=SHOWN,
        average=round(points[AVERAGE], 1) if AVERAGE in points else None,
        tasks={task: points.get(task) for task in tasks},
        # The hash would confirm a right guess of all references, and those of a small board can be guessed.
        signature=re.sub(r"\|data:[^|]*", f"|data:board-{kept.references}", kept.signature),
    )


def listed(
    entries: Iterable[Kept], tasks: Sequence[str], averaged: Sequence[str], rule: Rule
) -> tuple[list[Entry], Points]:
    """Return the best entry of each system with its ranks, the best first, and the margins of clear differences."""
    scores, best = dict[str, Any](), dict[tuple[int, str], Entry]()
    for kept in entries:
        entry, system = described(kept, tasks, averaged, rule), (kept.submitter, kept.entry.system)
        if entry.state == SHOWN:
            scores |= kept.scores
            if system not in best or _average(entry) >= _average(best[system]):
                best[system] = entry
    margins = rule.margins({task: scores[task] for task in tasks if task in scores}, averaged)
    competing = {entry.id: {**entry.tasks, AVERAGE: entry.average} for entry in best.values() if not entry.baseline}
    ranks = {name: _ranks(competing, name, margin) for name, margin in margins.items()}
    near = _near(competing, margins)
    ranked = [
        replace(
            entry,
            rank=ranks.get(AVERAGE, {}).get(entry.id),
            not_separated_from=near.get(entry.id, ()),
            task_ranks={task: ranks[task][entry.id] for task in tasks if entry.id in ranks.get(task, {})},
        )
        for entry in best.values()
    ]
    return sorted(ranked, key=lambda entry: (-_average(entry), entry.rank or 0, entry.id)), margins


def _average(entry: Entry) -> float:
    return -math.inf if entry.average is None else entry.average


Competing = Mapping[int, Mapping[str, float | None]]


def _ranks(competing: Competing, name: str, margin: float) -> dict[int, int]:
    """Return by entry 1 plus the number of entries that are better in this score by more than the margin."""
    points = {entry: shown for entry, scores in competing.items() if (shown := scores[name]) is not None}
    ordered = sorted(points.values())
    return {entry: 1 + len(ordered) - bisect_right(ordered, shown + margin) for entry, shown in points.items()}


def _near(competing: Competing, margins: Points) -> dict[int, tuple[int, ...]]:
    """Return by entry the others whose average is within the margin of its own."""
    points = {entry: shown for entry, scores in competing.items() if (shown := scores[AVERAGE]) is not None}
    return {
        entry: tuple(other for other, its in points.items() if other != entry and abs(its - shown) <= margins[AVERAGE])
        for entry, shown in points.items()
    }
