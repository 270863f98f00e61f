"""What a builder makes: rows of the benchmark's own shape, and an account of how they came about."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from zs_bench.builders.tell_tales import Hit
from zs_bench.prompts.composition import compose
from zs_bench.tasks import info
from zs_metric.tasks import Task


@dataclass(frozen=True, slots=True)
class Example:
    """One example: its id, its units (reviews, summaries, paragraphs) as they are numbered, and the rest of its row.

    Attributes:
        references: one or several; each becomes a row.
        query: the question, for MuSiQue.
    """

    id: str
    units: Sequence[str]
    references: Sequence[str]
    query: str | None = None


@dataclass(slots=True)
class Sample:
    """The examples of a task that were built from one's own texts.

    Attributes:
        task: of ZeroSCROLLS.
        examples: in the order in which they are written.
        dropped: why records, units or whole examples were left out, with how many.
        hits: places in the texts that may give the answer away.
        notes: sentences for the README.
    """

    task: Task
    examples: list[Example] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    hits: list[Hit] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def rows(self) -> list[dict[str, Any]]:
        """The rows, one per reference, with all fields of the Hub's data."""
        return [row for example in self.examples for row in _rows(self.task, example)]


def drawing(seed: int, *names: str) -> random.Random:
    """The random numbers for one thing: they depend on the seed and its names only, not on what is drawn elsewhere."""
    return random.Random("\0".join((str(seed), *names)))  # noqa: S311 - a sample, not a secret


def _rows(task: Task, example: Example) -> list[dict[str, Any]]:
    document = "\n\n".join(example.units)
    template = info(task).template
    if template is None:
        raise ValueError(f"{task} has no prompt template")
    count = len(example.units) if "{N}" in template.instruction else None
    prompt, indices = compose(task, document, example.query, summaries=count)
    starts, start = [], indices.document_start_index
    for unit in example.units:
        starts.append(start)
        start += len(unit) + 2
    return [
        {
            "id": example.id,
            "pid": f"{example.id}_{number}",
            "input": prompt,
            "output": reference,
            **indices._asdict(),
            "truncation_seperator": template.separator,
            "inner_docs_start_indices": starts,
        }
        for number, reference in enumerate(example.references)
    ]
