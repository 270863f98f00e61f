"""The rule of what a board shows, and the order of its entries.

The rule is the Ladder (Blum and Hardt 2015, The Ladder: A Reliable Leaderboard for Machine Learning Competitions, ICML)
for every number that is shown: a score of a submitter replaces the last one shown only when it is clearly better;
otherwise the last one is repeated. The first must be clearly better than 0. See `scores.py` for "clearly".
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, select

from zs_lab.board import AVERAGE, HIDDEN, NO_CHANGE, SEALED, SET_ASIDE, SHOWN, WITHDRAWN, BoardError, Entry
from zs_lab.board.cleaning import MAX_NOTE, clean_details, clean_line, clean_name, clean_run, clean_time
from zs_lab.board.database import ENTRIES, SCORES, SUBMITTERS
from zs_lab.board.scores import Score, Scores, clearly_better, is_new, unpacked


@dataclass(frozen=True, slots=True)
class Kept:
    """An entry as it is kept: private.

    Attributes:
        entry: its public details, without scores.
        submitter: the id.
        shown: by task and for the average, the entry whose score is shown; empty when no score of this one is new.
        scores: empty when they are damaged, or it could not be scored.
        references: the id of the references of its scores.
        predictions: their hash.
        set_aside: why it could not be scored again.
    """

    entry: Entry
    submitter: int
    shown: Mapping[str, int]
    scores: Scores
    signature: str
    references: int
    predictions: str
    set_aside: str | None

    @property
    def visible(self) -> bool:
        """Whether its scores may be shown."""
        return self.entry.state in (SHOWN, NO_CHANGE)


@dataclass(frozen=True, slots=True)
class Phase:
    """What may be shown now: nothing (`sealed`), by the rule, or every score as it is (`exact`)."""

    sealed: bool = False
    exact: bool = False


def read_kept(connection: Connection, averaged: Sequence[str], submitter: int | None = None) -> list[Kept]:
    """Return all entries in the order of their submission, or those of the submitter with that id.

    What is read is cleaned like what was submitted. An entry that cannot be, since the database was damaged, is
    `SET_ASIDE`.

    Args:
        averaged: the tasks of the average.
    """
    rows = (
        select(ENTRIES, SUBMITTERS.c.name.label("by"), SCORES)
        .join_from(ENTRIES, SUBMITTERS)
        .outerjoin(SCORES, SCORES.c.entry == ENTRIES.c.id)
        .order_by(ENTRIES.c.id)
    )
    rows = rows if submitter is None else rows.where(ENTRIES.c.submitter == submitter)
    return [_kept(row, averaged) for row in connection.execute(rows)]


def _kept(row: Row[Any], averaged: Sequence[str]) -> Kept:
    scores = unpacked(row.points, row.effects, averaged)
    try:
        shown = {str(name): int(entry) for name, entry in json.loads(row.shown).items()}
        entry = Entry(
            id=row.id,
            submitter=clean_name(row.by, "the submitter"),
            **clean_details(row.system, row.link, row.note),
            submitted=clean_time(row.submitted),
            state=_state(row, shown),
            run=clean_run(json.loads(row.run)),
            remark=clean_line(row.remark, "the remark", MAX_NOTE) or None,
            baseline=bool(row.baseline),
        )
    except (BoardError, ValueError, TypeError, AttributeError, RecursionError):
        remark = "This entry is damaged in the database."
        entry, shown = Entry(row.id, "?", "?", None, None, "", SET_ASIDE, remark=remark), {}
    about = (row.signature or "", row.reference_set or 0, row.predictions_hash, row.set_aside)
    return Kept(entry, row.submitter, shown, scores, *about)


def _state(row: Row[Any], shown: Mapping[str, int]) -> str:
    if row.withdrawn or row.hidden:
        return WITHDRAWN if row.withdrawn else HIDDEN
    if row.set_aside or row.reference_set is None:
        return SET_ASIDE
    return SHOWN if shown or row.baseline else NO_CHANGE


def apply_rule(kept: Iterable[Kept]) -> list[Kept]:
    """Return these entries, in the order of their submission, after the rule was applied to their scores."""
    last: dict[int, dict[str, Kept]] = {}
    decided = []
    for one in kept:
        if one.scores and not one.entry.baseline:
            before = last.setdefault(one.submitter, {})
            new = new_scores(one.scores, before)
            before |= dict.fromkeys(new, one)
            shown = {name: source.entry.id for name, source in before.items()} if new else {}
            state = (SHOWN if new else NO_CHANGE) if one.visible else one.entry.state
            one = replace(one, shown=shown, entry=replace(one.entry, state=state))  # noqa: PLW2901
        decided.append(one)
    return decided


def last_shown(kept: Sequence[Kept]) -> dict[str, Kept]:
    """Return by name the entry of a submitter whose score was shown last, withdrawn or not."""
    by_id = {one.entry.id: one for one in kept}
    shown = next((one.shown for one in reversed(kept) if one.shown), {})
    return {name: by_id[entry] for name, entry in shown.items() if entry in by_id and name in by_id[entry].scores}


def new_scores(scores: Scores, last: Mapping[str, Kept]) -> list[str]:
    """Return the names of the scores that are clearly better than the last ones shown, which these entries have."""
    return [name for name, score in scores.items() if is_new(score, last[name].scores[name] if name in last else None)]


def shown_scores(one: Kept, kept: Mapping[int, Kept], phase: Phase) -> dict[str, tuple[int, Score]]:
    """Return by task and for the average the score that is shown and the entry that has it.

    Args:
        kept: all entries of the submitter, by id.
    """
    if phase.sealed or not one.visible:
        return {}
    if phase.exact:
        return {name: (one.entry.id, score.as_exact()) for name, score in one.scores.items()}
    sources = dict.fromkeys(one.scores, one.entry.id) if one.entry.baseline else one.shown
    return {
        name: (entry, kept[entry].scores[name])
        for name, entry in sources.items()
        if one.scores and entry in kept and kept[entry].visible and name in kept[entry].scores
    }


def described(one: Kept, kept: Mapping[int, Kept], tasks: Iterable[str], phase: Phase) -> Entry:
    """Return the entry with the scores that may be shown now; `kept` as for `shown_scores`, the tasks of the board."""
    entry, numbers = one.entry, shown_scores(one, kept, phase)
    if one.visible and not entry.baseline and (phase.sealed or phase.exact):
        entry = replace(entry, state=SEALED if phase.sealed else SHOWN)
    if not numbers:
        return entry
    points = {name: score.shown for name, (_, score) in numbers.items()}
    return replace(
        entry,
        average=points.get(AVERAGE),
        tasks={task: points.get(task) for task in tasks},
        rounded_to={name: score.step for name, (_, score) in numbers.items()},
        repeated={name: source for name, (source, _) in numbers.items() if source != entry.id},
        signature=public_signature(one.signature, one.references),
    )


def listed(kept: Iterable[Kept], tasks: Sequence[str], phase: Phase, *, every: bool = False) -> list[Entry]:
    """Return the entries of the board with their ranks, the best first: the best of each system, or all shown ones."""
    by_id = {one.entry.id: one for one in kept}
    best: dict[object, tuple[float, int]] = {}  # by system, the average and the entry
    numbers: dict[int, dict[str, Score]] = {}
    for entry, one in by_id.items():
        numbers[entry] = {name: score for name, (_, score) in shown_scores(one, by_id, phase).items()}
        average = numbers[entry][AVERAGE].drawn if AVERAGE in numbers[entry] else -1.0
        system = entry if every else (one.submitter, one.entry.system)
        if numbers[entry] and average >= best.get(system, (-1.0, 0))[0]:
            best[system] = average, entry
    listed_ids = [entry for _, entry in best.values()]
    competing = [entry for entry in listed_ids if not by_id[entry].entry.baseline]
    ranks = {
        name: _ranks({entry: numbers[entry][name] for entry in competing if name in numbers[entry]})
        for name in (*tasks, AVERAGE)
    }
    entries = []
    for entry in listed_ids:
        rank, near = ranks[AVERAGE].get(entry, (None, ()))
        by_task = {task: ranks[task][entry][0] for task in tasks if entry in ranks[task]}
        shown = described(by_id[entry], by_id, tasks, phase)
        entries.append(replace(shown, rank=rank, not_separated_from=near, task_ranks=by_task))
    return sorted(entries, key=lambda one: (one.average is None, -(one.average or 0.0), one.rank or 0, one.id))


def _ranks(scores: Mapping[int, Score]) -> dict[int, tuple[int, tuple[int, ...]]]:
    """Return by entry its rank, and the others that it is not separated from."""
    counts = Counter(len(score.effects) for score in scores.values())
    usual = max(counts, key=counts.__getitem__, default=0)  # a damaged entry may have another number of units
    ids = np.array([entry for entry, score in scores.items() if len(score.effects) == usual])
    if not len(ids):
        return {}
    better = clearly_better([scores[entry] for entry in ids.tolist()])
    near = ~(better | better.T | np.eye(len(ids), dtype=bool))
    above = better.sum(axis=0).tolist()
    return {entry: (1 + above[i], tuple(ids[near[i]].tolist())) for i, entry in enumerate(ids.tolist())}


def public_signature(signature: str, references: int) -> str:
    """Return the signature with the id of the board's references in place of their hash.

    The hash would confirm a right guess of all references, and those of a small board can be guessed.

    >>> public_signature("ZS|tasks:all|data:sha256:ab12cd34ef56|n:4/4", 2)
    'ZS|tasks:all|data:board-2|n:4/4'
    """
    return re.sub(r"\|data:[^|]*", f"|data:board-{references}", signature)
