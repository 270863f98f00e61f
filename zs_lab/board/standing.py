"""The rule of what a board shows, and the order of its entries.

The rule is the Ladder (Blum and Hardt 2015, The Ladder: A Reliable Leaderboard for Machine Learning Competitions, ICML)
for every number that is shown: a score of a submitter replaces the last one shown only when it is clearly better;
otherwise the last one is repeated. The first must be clearly better than 0. See `scores.py` for "clearly".
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Connection, Row, select

from zs_lab.board import AVERAGE, HIDDEN, NO_CHANGE, SEALED, SET_ASIDE, SHOWN, WITHDRAWN, BoardError, Entry
from zs_lab.board.cleaning import MAX_NOTE, clean_details, clean_line, clean_name, clean_run, clean_time
from zs_lab.board.database import ENTRIES, SCORES, SUBMITTERS
from zs_lab.board.scores import Score, Scores, clearly_better, is_new, unpacked


@dataclass(frozen=True, slots=True)
class Kept:
    """An entry as it is kept: private.

    `entry` has its public details, without state and scores. `off` is `WITHDRAWN` or `HIDDEN`, or `SET_ASIDE` if the
    database is damaged. `shown` is by task and for the average the entry whose score is shown; empty if none is new.
    `scores` are empty if they are damaged, or for the reason `set_aside`. `predictions` is a hash.
    """

    entry: Entry
    submitter: int
    off: str | None
    shown: Mapping[str, int]
    scores: Scores
    signature: str
    references: int
    predictions: str
    set_aside: str | None

    @property
    def state(self) -> str:
        """The state by the rule."""
        if self.off or not self.scores:
            return self.off or SET_ASIDE
        return SHOWN if self.shown or self.entry.baseline else NO_CHANGE

    @property
    def visible(self) -> bool:
        """Whether its scores may be shown."""
        return self.state in (SHOWN, NO_CHANGE)


class Phase(NamedTuple):
    """What may be shown now: nothing (`sealed`), every score as it is (`exact`), or else what the rule shows."""

    sealed: bool = False
    exact: bool = False


def read_kept(connection: Connection, averaged: Sequence[str], submitter: int | None = None) -> list[Kept]:
    """Return all entries in the order of their submission, or those of a submitter, cleaned like what is submitted."""
    rows = (
        select(ENTRIES, SUBMITTERS.c.name.label("by"), SCORES)
        .join_from(ENTRIES, SUBMITTERS)
        .outerjoin(SCORES, SCORES.c.entry == ENTRIES.c.id)
        .order_by(ENTRIES.c.id)
    )
    rows = rows if submitter is None else rows.where(ENTRIES.c.submitter == submitter)
    return [_kept(row, averaged) for row in connection.execute(rows)]


def _kept(row: Row[Any], averaged: Sequence[str]) -> Kept:
    off = WITHDRAWN if row.withdrawn else HIDDEN if row.hidden else None
    try:
        shown = {str(name): int(entry) for name, entry in json.loads(row.shown).items()}
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
        entry, shown, off = Entry(row.id, "?", "?", None, None, "", remark=remark), {}, SET_ASIDE
    scores = {} if row.set_aside else unpacked(row.points, row.effects, averaged)
    about = (row.signature or "", row.reference_set or 0, row.predictions_hash, row.set_aside)
    return Kept(entry, row.submitter, off, shown, scores, *about)


def apply_rule(entries: Iterable[Kept]) -> list[Kept]:
    """Return these entries, in the order of their submission, after the rule was applied to their scores."""
    last: dict[int, dict[str, Kept]] = {}  # by submitter and name of the score, the entry whose score was shown last
    decided = []
    for kept in entries:
        shown = {}
        if kept.scores and not kept.entry.baseline:
            before = last.setdefault(kept.submitter, {})
            new = [
                name
                for name, score in kept.scores.items()
                if is_new(score, before[name].scores[name] if name in before else None)
            ]
            before |= dict.fromkeys(new, kept)
            shown = {name: source.entry.id for name, source in before.items()} if new else {}
        decided.append(replace(kept, shown=shown))
    return decided


def shown_scores(kept: Kept, by_id: Mapping[int, Kept], phase: Phase) -> dict[str, tuple[int, Score]]:
    """Return by task and for the average the score that is shown and the entry of the submitter that has it."""
    if phase.sealed or not kept.visible:
        return {}
    if phase.exact:
        exact = {name: score._replace(drawn=score.exact, step=0.1, variance=0.0) for name, score in kept.scores.items()}
        return {name: (kept.entry.id, score) for name, score in exact.items()}
    sources = dict.fromkeys(kept.scores, kept.entry.id) if kept.entry.baseline else kept.shown
    return {
        name: (entry, by_id[entry].scores[name])
        for name, entry in sources.items()
        if entry in by_id and by_id[entry].visible and name in by_id[entry].scores
    }


def described(kept: Kept, by_id: Mapping[int, Kept], tasks: Iterable[str], phase: Phase) -> Entry:
    """Return the entry as everybody may see it now."""
    state, numbers = kept.state, shown_scores(kept, by_id, phase)
    if kept.visible and not kept.entry.baseline and (phase.sealed or phase.exact):
        state = SEALED if phase.sealed else SHOWN
    if not numbers:
        return replace(kept.entry, state=state)
    points = {name: score.shown for name, (_, score) in numbers.items()}
    return replace(
        kept.entry,
        state=state,
        average=points.get(AVERAGE),
        tasks={task: points.get(task) for task in tasks},
        rounded_to={name: score.step for name, (_, score) in numbers.items()},
        repeated={name: source for name, (source, _) in numbers.items() if source != kept.entry.id},
        # The hash would confirm a right guess of all references, and those of a small board can be guessed.
        signature=re.sub(r"\|data:[^|]*", f"|data:board-{kept.references}", kept.signature),
    )


def listed(entries: Iterable[Kept], tasks: Sequence[str], phase: Phase) -> list[Entry]:
    """Return the best entry of each system with its ranks, the best first."""
    by_id = {kept.entry.id: kept for kept in entries}
    scores: dict[int, dict[str, Score]] = {}
    best: dict[tuple[int, str], int] = {}
    averages: dict[int, float] = {}
    for entry, kept in by_id.items():
        scores[entry] = {name: score for name, (_, score) in shown_scores(kept, by_id, phase).items()}
        averages[entry] = scores[entry][AVERAGE].drawn if AVERAGE in scores[entry] else -math.inf
        system = (kept.submitter, kept.entry.system)
        if scores[entry] and (system not in best or averages[entry] >= averages[best[system]]):
            best[system] = entry
    competing = [entry for entry in best.values() if not by_id[entry].entry.baseline]
    ranks = {
        name: _ranks({entry: scores[entry][name] for entry in competing if name in scores[entry]})
        for name in (*tasks, AVERAGE)
    }
    ranked = []
    for entry in best.values():
        rank, near = ranks[AVERAGE].get(entry, (None, ()))
        by_task = {task: ranks[task][entry][0] for task in tasks if entry in ranks[task]}
        public = described(by_id[entry], by_id, tasks, phase)
        ranked.append(replace(public, rank=rank, not_separated_from=near, task_ranks=by_task))
    return sorted(ranked, key=lambda entry: (entry.average is None, -(entry.average or 0.0), entry.rank or 0, entry.id))


def _ranks(scores: Mapping[int, Score]) -> dict[int, tuple[int, tuple[int, ...]]]:
    """Return by entry its rank, and the others that it is not separated from."""
    counts = Counter(len(score.effects) for score in scores.values())
    usual = max(counts, key=counts.__getitem__, default=0)  # a damaged entry may have another number of units
    ids = [entry for entry, score in scores.items() if len(score.effects) == usual]
    if not ids:
        return {}
    better = clearly_better([scores[entry] for entry in ids])
    near = ~(better | better.T | np.eye(len(ids), dtype=bool))
    above = better.sum(axis=0).tolist()
    return {entry: (1 + above[i], tuple(np.array(ids)[near[i]].tolist())) for i, entry in enumerate(ids)}
