"""Every row is looked at aspect by aspect and goes on repaired, where its repair is safe or its kind accepted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from zs_bench.doctor.diagnosis import Finding, Repair
from zs_bench.doctor.known_ids import KnownIds
from zs_bench.doctor.rules import Around, Hit, Row, Rule
from zs_bench.doctor.table import FIRST, RULES
from zs_bench.files.entries import known_task
from zs_bench.problems import Problem


class Looked(NamedTuple):
    """The rows as the repairs leave them, what was found, and what there is to look at in the end."""

    rows: list[Row]
    findings: list[Finding]
    around: Around


def look(rows: Sequence[Row], known: KnownIds, accept: frozenset[str] = frozenset()) -> Looked:
    """Look at all rows.

    Args:
        rows: as they stand.
        known: the ids they are checked against.
        accept: the kinds of repairs that are made besides the safe ones.
    """
    findings: list[Finding] = []
    around = Around(rows, known, {})
    for aspect in RULES:
        pass_ = _Pass(aspect, around, accept)
        rows = [left for row in rows for left in pass_.rows_left_of(row)]
        findings += pass_.findings
        ids = known.of_tasks(_ids_by_task(rows)) if aspect == "task" else around.ids
        around = Around(rows, known, ids)
    return Looked(list(rows), findings, around)


def _ids_by_task(rows: Sequence[Row]) -> dict[str, set[str]]:
    ids: dict[str, set[str]] = {}
    for row in rows:
        if known_task(row.task) and isinstance(row.id, str):
            ids.setdefault(row.task, set()).add(row.id)
    return ids


class _Pass:
    """One aspect of all rows."""

    def __init__(self, aspect: str, around: Around, accept: frozenset[str]) -> None:
        self._aspect, self._around, self._accept = aspect, around, accept
        self._told: set[Any] = set()
        self.findings: list[Finding] = []

    def rows_left_of(self, row: Row) -> Iterator[Row]:
        """The row as it goes on; nothing of one that is left out."""
        for rule in RULES[self._aspect]:
            if row.stuck or not self._concerns(row):
                break
            hit = rule.find(row, self._around)
            if hit is None:
                continue
            made = bool(hit.what) and (rule.safe or rule.kind in self._accept)
            self._tell(row, rule, hit, made=made)
            if not made:
                yield replace(row, stuck=self._aspect in FIRST)
                return
            if hit.row is None:
                return
            row = hit.row
        yield row

    def _concerns(self, row: Row) -> bool:
        """Whether there is anything to look at: ids only where they are known, and rows for one id that are answers."""
        if self._aspect == "id":
            return row.task in self._around.ids and row.id not in self._around.ids[row.task]
        return row.usable if self._aspect == "twice" else True

    def _tell(self, row: Row, rule: Rule, hit: Hit, *, made: bool) -> None:
        """Note what was found: of a task's name once for all rows that stand under it."""
        detail, other, key = hit.detail, None, row.id if isinstance(row.id, str) else None
        if self._aspect == "task":
            if (rule.kind, row.name) in self._told:
                return
            self._told.add((rule.kind, row.name))
            count = len(self._around.groups[row.name])
            detail, key = f"{hit.detail!r}, {count:,} {'answer' if count == 1 else 'answers'}", None
        if self._aspect == "twice":
            other = self._around.last[row.task, row.id].place
        about = (known_task(row.task), key, row.place, other)
        problem = Problem(rule.kind, rule.message, *about, refuses=rule.refuses, detail=detail)
        repair = Repair(hit.what, rule.safe, _becomes(row, hit)) if hit.what else None
        self.findings.append(Finding(problem, repair, made))


def _becomes(row: Row, hit: Hit) -> dict[str, str] | None:
    if hit.row is None:
        return None
    names = {"task": "task", "id": "id", "prediction": "value"}
    after = {name: getattr(hit.row, field) for name, field in names.items()}
    return {name: text for name, text in after.items() if text != getattr(row, names[name])}
