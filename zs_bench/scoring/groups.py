"""Scores of some of the examples: groups within a task, and a run without the prompts that the server cut.

A group is scored like a task of its examples alone; intervals are those of `zs_bench.statistics.intervals`.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from statistics import median, quantiles

from zs_bench.answers import Answer, documents_of
from zs_bench.benchmarks import Task
from zs_bench.dataset.measures import count_words, spreads_of_example
from zs_bench.dataset.rows import Example
from zs_bench.errors import PromptFormatError
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_bench.statistics.intervals import Interval, columns, interval, score_of
from zs_metric.f1 import normalize
from zs_metric.scoring import score_task

QUARTERS = ("first quarter", "second quarter", "third quarter", "last quarter")
NO_POSITION = "no position"
KINDS_OF_ANSWERS = ("yes or no", "unanswerable", "other")


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
    """Return the quarter of the document, one of `QUARTERS`, in which the answer to every id is.

    It is that of the median place at which the word pairs of the references first occur (`zs_bench.dataset.measures`).
    References of one word, such as letters and percentages, have `NO_POSITION`.
    """
    groups: dict[str, list[str]] = {name: [] for name in (*QUARTERS, NO_POSITION)}
    for example in examples:
        try:
            spreads = spreads_of_example(example)
        except PromptFormatError:
            spreads = []
        places = [place for spread in spreads for place in spread.places]
        name = QUARTERS[int(4 * median(places) / spreads[0].words)] if places else NO_POSITION
        groups[name].append(example.id)
    return {id_: name for name, ids in groups.items() for id_ in ids}


def by_hops(task: ScoredTask) -> dict[str, str]:
    """Return the number of hops of every question of MuSiQue, which its id says: `3hop1__…`."""
    found = ((id_, re.match(r"(\d)hop", id_)) for id_ in task.by_id)
    return dict(sorted(((id_, f"{match[1]} hops") for id_, match in found if match), key=itemgetter(1)))


def by_answers(task: ScoredTask) -> dict[str, str]:
    """Return the kind, by its references, of every question scored by F1; none of a task whose questions are alike."""
    groups: dict[str, list[str]] = {kind: [] for kind in KINDS_OF_ANSWERS}
    for id_, references in task.by_id.items() if task.task.metric.name == "f1" else ():
        texts = {*map(normalize, references)}
        kind = "unanswerable" if "unanswerable" in texts else "yes or no" if texts & {"yes", "no"} else "other"
        groups[kind].append(id_)
    several = sum(map(bool, groups.values())) > 1
    return {id_: kind for kind, ids in groups.items() for id_ in ids} if several else {}


def score_groups(
    task: ScoredTask, groups: Mapping[str, str], rouge_aggregation: str = "corpus"
) -> dict[str, GroupScore]:
    """Return the score of every group, in their order, of a task's examples that have one; none of a refused task."""
    members: dict[str, list[Answer]] = {name: [] for name in groups.values()}
    for answer in task.answers:
        if answer.id in groups:
            members[groups[answer.id]].append(answer)
    scores = {}
    for name, answers in members.items():
        if answers:
            points = columns([answer.result for answer in answers], rouge_aggregation)
            scores[name] = GroupScore(len(answers), score_of(points), interval(points, documents_of(answers)))
    return scores


def run_scores(scored: ScoredFile) -> dict[str, dict[str, float | None]]:
    """Return the alternative scores of the tasks of a run, in points; `None` if no prompt was cut or lost.

    `without_cut` leaves out prompts that the server cut; `lost_as_empty` adds an empty prediction for each lost prompt.
    """

    def score(task: Task, rows: Iterable[tuple[str, Sequence[str]]]) -> float:
        predictions, references = zip(*rows, strict=True)
        return score_task(task, predictions, references, rouge_aggregation=scored.rouge_aggregation).score

    scores: dict[str, dict[str, float | None]] = {}
    accounts = scored.run.tasks if scored.run else {}
    for name, task in scored.scored.items():
        if name not in accounts:
            continue
        rows = {answer.id: (answer.text, answer.references) for answer in task.answers}
        kept = [row for id_, row in rows.items() if id_ not in accounts[name].cut_by_server]
        lost = [("", texts) for id_, texts in task.by_id.items() if texts and id_ not in rows]
        scores[name] = {
            "without_cut": score(task.task, kept) if 0 < len(kept) < len(rows) else None,
            "lost_as_empty": score(task.task, [*rows.values(), *lost]) if lost else None,
        }
    return scores
