"""Scores of some of the examples: groups within a task, and a run without the prompts that the server cut.

A group is scored like a task of its examples alone; intervals are those of `zs_bench.statistics.intervals`.

Groups are by the length of the input or the position of the answer in the document:

* Length: quarters of the examples by the number of words of their inputs.
* Position: the median place at which the word pairs of the references first occur (`zs_bench.dataset.measures`), as a
  share of the document. References of one word, such as letters and percentages, have no position.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from statistics import median, quantiles

from zs_bench.dataset.measures import count_words, spreads_of_example
from zs_bench.dataset.rows import Example
from zs_bench.errors import PromptFormatError
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_bench.statistics.columns import columns, score_of
from zs_bench.statistics.intervals import Interval, interval
from zs_metric.scoring import score_task

QUARTERS = ("first quarter", "second quarter", "third quarter", "last quarter")
NO_POSITION = "no position"


@dataclass(frozen=True, slots=True)
class GroupScore:
    """The number of examples in a group, their score in points, and its interval (`None` for too few examples)."""

    examples: int
    score: float
    interval: Interval | None


def by_length(examples: Iterable[Example]) -> dict[str, str]:
    """Return the quarter of every id's input length, named by the shortest and the longest input of it, in words."""
    words = {example.id: count_words(example.input) for example in examples}
    limits = quantiles(words.values(), n=4, method="inclusive") if len(words) > 1 else []
    groups: dict[str, str] = {}
    for _, quarter in groupby(sorted(words, key=words.__getitem__), key=lambda id_: bisect_right(limits, words[id_])):
        ids = list(quarter)
        least, most = words[ids[0]], words[ids[-1]]
        groups |= dict.fromkeys(ids, f"{least:,} words" if least == most else f"{least:,} to {most:,} words")
    return groups


def by_position(examples: Iterable[Example]) -> dict[str, str]:
    """Return the group of every id: one of `QUARTERS` of its document, or `NO_POSITION`."""
    quarters = {example.id: _quarter(example) for example in examples}
    return dict(sorted(quarters.items(), key=lambda pair: (*QUARTERS, NO_POSITION).index(pair[1])))


def _quarter(example: Example) -> str:
    try:
        spreads = spreads_of_example(example)
    except PromptFormatError:
        return NO_POSITION
    places = [place for spread in spreads for place in spread.places]
    return QUARTERS[int(4 * median(places) / spreads[0].words)] if places else NO_POSITION


def score_groups(
    task: ScoredTask, groups: Mapping[str, str], rouge_aggregation: str = "corpus"
) -> dict[str, GroupScore]:
    """Return the score of every group of a task's examples.

    Args:
        groups: id to the name of its group; ids without one are left out. Groups keep this order.
    """
    if task.result is None:
        return {}
    values = columns(task.result, rouge_aggregation)
    rows: dict[str, list[int]] = {name: [] for name in groups.values()}
    for i, id_ in enumerate(task.ids):
        if id_ in groups:
            rows[groups[id_]].append(i)
    scores = {}
    for name, chosen in rows.items():
        if chosen:
            together = None if task.clusters is None else [task.clusters[i] for i in chosen]
            part = values[chosen]
            scores[name] = GroupScore(len(chosen), score_of(part), interval(part, together))
    return scores


def run_scores(scored: ScoredFile) -> dict[str, dict[str, float | None]]:
    """Return the alternative scores by task, in points; `None` if no prompt was cut or lost.

    `without_cut` leaves out prompts that the server cut; `lost_as_empty` adds an empty prediction for each lost prompt.
    """
    run = scored.run
    return {
        name: {
            "without_cut": _without(task, run.tasks[name].cut_by_server, scored.rouge_aggregation),
            "lost_as_empty": _with_lost(task, scored.rouge_aggregation),
        }
        for name, task in scored.scored.items()
        if run is not None and name in run.tasks
    }


def _without(task: ScoredTask, cut: Collection[str], how: str) -> float | None:
    rows = zip(task.ids, task.predictions, task.references, strict=True)
    kept = [(text, references) for id_, text, references in rows if id_ not in cut]
    if not kept or len(kept) == len(task.ids):
        return None
    return score_task(task.task, *zip(*kept, strict=True), rouge_aggregation=how).score


def _with_lost(task: ScoredTask, how: str) -> float | None:
    answered = set(task.ids)
    lost = [list(texts) for id_, texts in task.by_id.items() if id_ not in answered and texts]
    if not lost:
        return None
    predictions, references = [*task.predictions, *[""] * len(lost)], [*task.references, *lost]
    return score_task(task.task, predictions, references, rouge_aggregation=how).score
