"""The examples inside the package, written for this project in the benchmark's own row format: at least two per task.

They serve offline and as the first thing to see; a score on them says nothing about a model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from zs_bench.problems import UnusableInput
from zs_bench.sources.rows import Example, read_rows
from zs_metric.tasks import find_task

#: The split that the embedded examples are; there is no other.
SPLIT = "validation"

#: The folder of the embedded rows, `<task>/validation.jsonl` each: also a folder of references.
EMBEDDED = Path(__file__).parents[1] / "data" / "embedded"

_TITLES = EMBEDDED.with_name("embedded_titles.json")

#: A prediction file for the embedded examples, in the official form.
SAMPLE_PREDICTIONS = Path(__file__).parents[1] / "data" / "sample" / "zero_scrolls_predictions.csv"


def load_embedded(task: str, split: str = SPLIT) -> list[Example]:
    """The embedded examples of the task.

    Raises:
        UnknownTask: with the likely name.
        UnusableInput: for a split that is not embedded.

    >>> [example.id for example in load_embedded("narrative_qa")]
    ['s4001', 's4002']
    """
    find_task(task)
    if split != SPLIT:
        raise UnusableInput(f"the embedded examples have no split {split!r}; take {SPLIT!r}, or another source")
    return list(_read(task))


@cache
def embedded_titles() -> Mapping[str, Mapping[str, str]]:
    """For people: task to id to a title of a few words."""
    titles: dict[str, dict[str, str]] = json.loads(
        EMBEDDED.with_name("embedded_titles.json").read_text(encoding="utf-8")
    )
    return titles


@cache
def _read(task: str) -> tuple[Example, ...]:
    path = EMBEDDED / task / f"{SPLIT}.jsonl"
    return tuple(read_rows(path.read_text(encoding="utf-8"), task, name=f"{task}/{path.name}"))
