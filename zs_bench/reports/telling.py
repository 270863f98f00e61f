"""Which answers of a file say most about it, when not all of them can be shown.

The rule: only answers that lost points, and of those of a task that are the same text only one. Within a task the kinds
of loss take turns, those that a what-if goes with first (format, typography, length), then content: each names the
answer that lost most to it and was not named yet. The tasks take turns too, until there are enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest

from zs_bench.files.entries import TASK_NAMES
from zs_bench.reports.file_view import AnswerRow
from zs_metric.explain import PARTS

MOST = 100


def choose_telling(rows: Sequence[AnswerRow], most: int = MOST) -> dict[str, list[AnswerRow]]:
    """The most telling answers by task, in the order of the tasks; within one as chosen."""
    turns = _in_turns([_of_task([row for row in rows if row.task == task]) for task in TASK_NAMES])
    chosen: dict[str, list[AnswerRow]] = {}
    for row in islice(turns, most):
        chosen.setdefault(row.task, []).append(row)
    return {task: chosen[task] for task in TASK_NAMES if task in chosen}


def _of_task(rows: Sequence[AnswerRow]) -> list[AnswerRow]:
    """All that may be shown, the most telling first."""
    different: dict[str, AnswerRow] = {}
    for row in rows:
        if row.lost_to:
            different.setdefault(row.answer.strip(), row)
    named = _in_turns([_by_loss(list(different.values()), part) for part in PARTS])
    return list({row.id: row for row in named}.values())


def _by_loss(rows: Sequence[AnswerRow], part: str) -> list[AnswerRow]:
    """Those that lost something to it, whoever lost most first."""
    return sorted((row for row in rows if row.ledger[part] > 0.005), key=lambda row: -row.ledger[part])


def _in_turns(queues: Sequence[Sequence[AnswerRow]]) -> Iterator[AnswerRow]:
    """The first of each queue, the second of each, and so on."""
    for turn in zip_longest(*queues):
        yield from (row for row in turn if row is not None)
