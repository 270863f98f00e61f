"""A scored file answer by answer, each with its losses: all of them, and the most informative.

The most informative answers are shown when not all can be. Only answers that lost points count, and of equal answers of
a task only one. Within a task the kinds of loss take turns (format, typography, length, content): each picks the answer
that lost most to it and was not picked before. The tasks take turns too, until there are enough.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import NamedTuple

from zs_bench.files.entries import TASK_NAMES
from zs_bench.progress import Progress
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_metric.explain import PARTS, Losses, TaskLosses, losses_of_task
from zs_metric.results import ExampleResult
from zs_metric.tasks import Task

COLUMNS = ("Task", "Id", "Score", "Lost to", "Why", "Answer")
#: How many of the most informative answers a report shows.
MOST = 100


class AnswerRow(NamedTuple):
    """One answer of the file.

    Attributes:
        losses: the lost points by cause.
        lost_to: the cause that took most, empty for a full score.
    """

    task: Task
    id: str
    answer: str
    references: list[str]
    result: ExampleResult
    losses: Losses
    lost_to: str


@dataclass(frozen=True, eq=False)
class FileView:
    """A scored file with its losses; compared by identity, since Gradio hashes what it keeps for a visitor.

    Attributes:
        losses: the loss breakdown of each task, by its name.
        rows: every scored answer, worst first.
    """

    scored: ScoredFile
    losses: Mapping[str, TaskLosses]
    rows: Sequence[AnswerRow]


def look_at(scored: ScoredFile, progress: Progress | None = None) -> FileView:
    """The losses of every task and the rows of every answer."""
    tasks = {name: task for name, task in scored.tasks.items() if task.result is not None}
    losses: dict[str, TaskLosses] = {}
    rows: list[AnswerRow] = []
    for done, (name, task) in enumerate(tasks.items()):
        if progress:
            progress(done / len(tasks), f"loss breakdown of {name}")
        results = task.result.examples if task.result else []
        losses[name] = _losses(task, results)
        parts = [example.losses for example in losses[name].examples]
        columns = zip(task.ids, task.predictions, task.references, results, parts, strict=True)
        rows += [AnswerRow(task.task, *column, lost_to=_most(column[-1])) for column in columns]
    rows.sort(key=lambda row: row.result.score)
    return FileView(scored, losses, rows)


def _losses(task: ScoredTask, results: Sequence[ExampleResult]) -> TaskLosses:
    """Its losses; the step to the task's score is that of the aggregation it was scored with."""
    losses = losses_of_task(task.task, task.predictions, task.references, benchmark=task.benchmark, results=results)
    step = (task.score or 0.0) - losses.score if losses.aggregation else 0.0
    return replace(losses, aggregation=0.0 if abs(step) < 1e-9 else step)


def _most(losses: Losses) -> str:
    parts = losses.as_dict()
    part = max(PARTS, key=lambda name: parts[name])
    return part if parts[part] > 0.005 else ""


def choose_informative(rows: Sequence[AnswerRow], most: int = MOST) -> dict[str, list[AnswerRow]]:
    """The most informative answers by task, in the order of the tasks; within one as chosen."""
    turns = _in_turns([_of_task([row for row in rows if row.task.name == task]) for task in TASK_NAMES])
    chosen: dict[str, list[AnswerRow]] = {}
    for row in islice(turns, most):
        chosen.setdefault(row.task.name, []).append(row)
    return {task: chosen[task] for task in TASK_NAMES if task in chosen}


def _of_task(rows: Sequence[AnswerRow]) -> list[AnswerRow]:
    """All that may be shown, the most informative first."""
    different: dict[str, AnswerRow] = {}
    for row in rows:
        if row.lost_to:
            different.setdefault(row.answer.strip(), row)
    picked = _in_turns([_by_loss(list(different.values()), part) for part in PARTS])
    return list({row.id: row for row in picked}.values())


def _by_loss(rows: Sequence[AnswerRow], part: str) -> list[AnswerRow]:
    """Those that lost something to it, the largest loss first."""
    lost = [(getattr(row.losses, part), row) for row in rows]
    return [row for points, row in sorted(lost, key=lambda pair: -pair[0]) if points > 0.005]


def _in_turns(queues: Sequence[Sequence[AnswerRow]]) -> Iterator[AnswerRow]:
    """The first of each queue, the second of each, and so on."""
    for turn in zip_longest(*queues):
        yield from (row for row in turn if row is not None)
