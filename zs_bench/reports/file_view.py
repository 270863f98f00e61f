"""A scored file answer by answer, each with its losses: all of them, and the most informative.

The most informative answers are shown when not all can be. Only answers that lost points count, and of equal answers of
a task only one. Within a task the kinds of loss take turns (format, typography, length, content): each picks the answer
that lost most to it and was not picked before. The tasks take turns too, until there are enough.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from operator import attrgetter
from typing import Any, NamedTuple

from zs_bench.files.entries import TASK_NAMES
from zs_bench.progress import Progress
from zs_bench.reports.tables import text_table
from zs_bench.scoring.scored import ScoredFile
from zs_metric.explain import PARTS, Losses, TaskLosses, losses_of_task
from zs_metric.results import ExampleResult
from zs_metric.tasks import Task

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


def explain_file(scored: ScoredFile, progress: Progress | None = None) -> FileView:
    """The losses of every task and the rows of every answer."""
    tasks = {name: task for name, task in scored.tasks.items() if task.result is not None}
    losses: dict[str, TaskLosses] = {}
    rows: list[AnswerRow] = []
    for done, (name, task) in enumerate(tasks.items()):
        if progress:
            progress(done / len(tasks), f"loss breakdown of {name}")
        results = task.result.examples if task.result else []
        of_task = losses_of_task(task.task, task.predictions, task.references, results=results)
        # `aggregation` as the file was scored, which may be by instance.
        step = (task.score or 0.0) - of_task.score if of_task.aggregation else 0.0
        losses[name] = replace(of_task, aggregation=0.0 if abs(step) < 1e-9 else step)
        parts = [example.losses for example in of_task.examples]
        columns = zip(task.ids, task.predictions, task.references, results, parts, strict=True)
        rows += [AnswerRow(task.task, *column, lost_to=_most(column[-1])) for column in columns]
    rows.sort(key=lambda row: row.result.score)
    return FileView(scored, losses, rows)


def _most(losses: Losses) -> str:
    parts = losses.as_dict()
    part = max(PARTS, key=parts.__getitem__)
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
    by_loss = []
    for part in PARTS:
        largest_first = sorted(different.values(), key=attrgetter(f"losses.{part}"), reverse=True)
        by_loss.append([row for row in largest_first if getattr(row.losses, part) > 0.005])
    return list({row.id: row for row in _in_turns(by_loss)}.values())


def _in_turns(queues: Sequence[Sequence[AnswerRow]]) -> Iterator[AnswerRow]:
    """The first of each queue, the second of each, and so on."""
    for turn in zip_longest(*queues):
        yield from (row for row in turn if row is not None)


_RULE = """mean + format + typography + length + content = 100; mean + aggregation = score
length: won back by stopping earlier; up to: the most of the content that longer answers might win"""


def losses_as_text(losses: Mapping[str, TaskLosses]) -> str:
    """A row per task: the mean of its answers' scores, what brings it to 100, and what brings it to the score."""
    if not losses:
        return "Where the points went: nothing was scored."
    head = ("task", "mean", *PARTS, "aggregation", "score", "up to", "in format")
    rows = [head, *(_row(name, of_task) for name, of_task in losses.items())]
    return "\n".join(["Where the points went:", *text_table(rows, right=range(1, len(head))), _RULE])


def _row(name: str, losses: TaskLosses) -> tuple[str, ...]:
    step = losses.aggregation
    return (
        name,
        f"{losses.score:.2f}",
        *(f"{points:.2f}" for points in losses.mean.as_dict().values()),
        f"{step:+.2f}" if step else "",
        f"{losses.score + step:.2f}",
        f"{losses.mean.length_up_to:.2f}" if losses.mean.length_up_to >= 0.005 else "",
        "" if losses.in_format is None else f"{losses.in_format:.0%}",
    )


def with_losses(data: Mapping[str, Any], losses: Mapping[str, TaskLosses]) -> dict[str, Any]:
    """The report as data (`report.as_json`) with the key `ledger` in each of its tasks that were scored."""
    ledgers = {name: {"ledger": of_task.as_dict()} for name, of_task in losses.items()}
    return {**data, "tasks": {name: task | ledgers.get(name, {}) for name, task in data["tasks"].items()}}


def largest_losses(losses: TaskLosses) -> list[tuple[str, float]]:
    """The two causes that took most, if they took half a point: pairs of a cause and points."""
    found = sorted(losses.mean.as_dict().items(), key=lambda part: -part[1])
    return [(kind, points) for kind, points in found if points >= 0.5][:2]


def loss_sentence(losses: TaskLosses) -> str:
    """One task's losses in a sentence.

    >>> from zs_metric.explain import losses_of_task
    >>> loss_sentence(losses_of_task("quality", ["B", "A nice day"], ["B", "C"]))
    '50.0 lost: 50.0 format; 50% are a bare letter'
    """
    parts = sorted(((points, part) for part, points in losses.mean.as_dict().items() if points >= 0.05), reverse=True)
    lost = sum(points for points, _ in parts)
    listed = ", ".join(f"{points:.1f} {'length (too long)' if part == 'length' else part}" for points, part in parts)
    asides = [f"{lost:.1f} lost: {listed}" if parts else "nothing lost"]
    if losses.mean.length_up_to >= 0.05:
        asides.append(f"up to {losses.mean.length_up_to:.1f} of it because answers are too short")
    if abs(losses.aggregation) >= 0.005:
        asides.append(f"aggregation {losses.aggregation:+.2f}")
    if losses.in_format is not None:
        asides.append(f"{losses.in_format:.0%} are {losses.form}")
    return "; ".join(asides)
