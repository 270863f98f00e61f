"""The answers of a scored file with what they lost: all of them, the most informative, and the losses in words.

The most informative answers are shown when not all can be. Of equal answers of a task only the first counts. Within a
task the causes of loss take turns: each picks the answer that lost most to it and was not picked before. The tasks take
turns too, until there are enough.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice, zip_longest

from zs_bench.answers import Answer
from zs_bench.progress import Progress
from zs_bench.reports.tables import Table
from zs_bench.scoring.scored import ScoredFile
from zs_metric.explain import CAUSES, TaskLosses
from zs_metric.means import fmean

#: How many of the most informative answers a report shows.
MOST = 100


def explained_answers(scored: ScoredFile, progress: Progress | None = None) -> list[Answer]:
    """Return every scored answer with what it lost, worst first."""
    rows: list[Answer] = []
    for done, (name, task) in enumerate(scored.scored.items()):
        if progress:
            progress(done / len(scored.scored), f"loss breakdown of {name}")
        task.losses  # noqa: B018  (made here, where the progress is shown)
        rows += task.answers_of_runs
    return sorted(rows, key=lambda row: row.result.score)


def choose_informative(rows: Sequence[Answer], most: int = MOST) -> dict[str, list[Answer]]:
    """Return the most informative answers by task, in the order of the tasks; within one as chosen."""
    tasks = rows[0].task.benchmark.all_tasks if rows else {}
    turns = _in_turns([_of_task([row for row in rows if row.task.name == task]) for task in tasks])
    chosen: dict[str, list[Answer]] = {task: [] for task in tasks}
    for row in islice(turns, most):
        chosen[row.task.name].append(row)
    return {task: answers for task, answers in chosen.items() if answers}


def _of_task(rows: Sequence[Answer]) -> list[Answer]:
    """Return all that may be shown, the most informative first."""
    different: dict[str, Answer] = {}
    for row in rows:
        if row.lost_to:
            different.setdefault(row.text.strip(), row)
    by_loss = []
    for cause in CAUSES:
        lost = [row for row in different.values() if row.losses.get(cause, 0.0) > 0.005]
        by_loss.append(sorted(lost, key=lambda row: row.losses[cause], reverse=True))
    return list({row.id: row for row in _in_turns(by_loss)}.values())


def _in_turns(queues: Sequence[Sequence[Answer]]) -> Iterator[Answer]:
    for turn in zip_longest(*queues):
        yield from (row for row in turn if row is not None)


def losses_as_text(scored: ScoredFile) -> str:
    """Return a row per task: the mean score of its answers, what brings it to 100, and what brings it to the score."""
    if not scored.scored:
        return "Where the points went: nothing was scored."
    rows = []
    for name, task in scored.scored.items():
        losses = task.losses
        step = f"{losses.aggregation:+.2f}" if losses.aggregation else ""
        in_format = "" if losses.in_format is None else f"{losses.in_format:.0%}"
        causes = ", ".join(f"{cause} {points:.2f}" for cause, points in losses.mean.items() if points >= 0.005)
        rows.append((name, f"{losses.score:.2f}", step, f"{losses.score + losses.aggregation:.2f}", in_format, causes))
    table = Table(("task", "mean", "aggregation", "score", "in format", "lost to"), rows, right=range(1, 5))
    rule = (
        "mean: of the answers' scores; mean + what was lost = 100\n"
        "aggregation: ROUGE's score is of its parts' means over all answers; mean + aggregation = score\n"
        "in format: the answers in the form that the task asks for, such as a letter, a percentage, ids"
    )
    return f"Where the points went:\n{table.text()}\n{rule}"


def loss_differences(
    systems: Sequence[ScoredFile], ids: Mapping[str, Collection[str]]
) -> list[tuple[str, str, float, float]]:
    """Return task, cause and the points lost to it in each of two systems, by the examples of these ids by task.

    Within a task the cause whose loss grew most in the second comes first; causes without a difference are left out.
    """
    rows = []
    for name, of_task in ids.items():
        lost = []
        for scored in systems:
            kept = [answer.losses for answer in scored.tasks[name].answers_of_runs if answer.id in of_task]
            lost.append({cause: fmean(losses.get(cause, 0.0) for losses in kept) for cause in CAUSES})
        changes = sorted(((lost[1][cause] - lost[0][cause], cause) for cause in CAUSES), reverse=True)
        rows += [(name, cause, lost[0][cause], lost[1][cause]) for change, cause in changes if abs(change) >= 0.005]
    return rows


def largest_losses(losses: TaskLosses) -> list[tuple[str, float]]:
    """Return the two causes that took most, if they took half a point: pairs of a cause and points."""
    largest = sorted(losses.mean.items(), key=lambda part: -part[1])
    return [(cause, points) for cause, points in largest if points >= 0.5][:2]


def loss_sentence(losses: TaskLosses) -> str:
    """Return one task's losses in a sentence."""
    parts = sorted(((points, cause) for cause, points in losses.mean.items() if points >= 0.05), reverse=True)
    causes = ", ".join(f"{cause} {points:.1f}" for points, cause in parts)
    phrases = [f"{sum(losses.mean.values()):.1f} points lost: {causes}" if parts else "nothing lost"]
    if abs(losses.aggregation) >= 0.005:
        phrases.append(f"{losses.aggregation:+.2f} since ROUGE is no mean of its answers' scores")
    if losses.in_format is not None:
        phrases.append(f"{losses.in_format:.0%} are {losses.form}")
    return "; ".join(phrases)
