"""Alternative scores of a run: without prompts that the server cut, and with lost prompts as empty predictions."""

from collections.abc import Collection
from typing import Any

from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_metric.scoring import score_task


def run_scores(scored: ScoredFile) -> dict[str, dict[str, float | None]]:
    """The alternative scores by task, in points; `None` if no prompt was cut or lost.

    `without_cut` leaves out prompts that the server cut; `lost_as_empty` adds an empty prediction for each lost prompt.
    """
    run = scored.run
    how = {"rouge_aggregation": scored.rouge_aggregation}
    return {
        name: {
            "without_cut": _without(task, run.tasks[name].cut_by_server, how),
            "lost_as_empty": _with_lost(task, how),
        }
        for name, task in scored.scored.items()
        if run is not None and name in run.tasks
    }


def _without(task: ScoredTask, cut: Collection[str], how: dict[str, Any]) -> float | None:
    rows = zip(task.ids, task.predictions, task.references, strict=True)
    kept = [(text, references) for id_, text, references in rows if id_ not in cut]
    if not kept or len(kept) == len(task.ids):
        return None
    return score_task(task.task, [text for text, _ in kept], [references for _, references in kept], **how).score


def _with_lost(task: ScoredTask, how: dict[str, Any]) -> float | None:
    lost = [texts for id_, texts in task.by_id.items() if id_ not in set(task.ids) and texts]
    if not lost:
        return None
    return score_task(
        task.task, [*task.predictions, *[""] * len(lost)], [*task.references, *map(list, lost)], **how
    ).score
