"""Checks of a split that was loaded: its counts, and what is known to go wrong with the benchmark's data.

The Hub's repo was changed after publication. Its `main` is reported to have test splits whose references are all null,
and a test split that repeats the validation split. Nothing can be scored against the first, and everything would be
scored wrongly, without a warning, against the second. So both are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zs_bench.dataset.rows import Example
from zs_bench.problems import Problem
from zs_bench.tasks import benchmark_info, info
from zs_metric.errors import ZeroScrollsError
from zs_metric.tasks import Task


@dataclass(frozen=True, slots=True)
class Counts:
    """A split in numbers.

    Attributes:
        rows: lines of the data, one per reference.
        ids: examples.
        labelled, unlabelled: rows with a reference, and rows whose `output` is null or missing.
        indexed: examples with all four index fields.
    """

    rows: int
    ids: int
    labelled: int
    unlabelled: int
    indexed: int


class Unscorable(ZeroScrollsError):
    """The references were asked for of a split that must not be scored against."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A split of a task, and what its inspection found.

    Attributes:
        task: whose split it is.
        source_label: where it is from, in words for a page: `embedded examples`, `Hub, tau/zero_scrolls at 1a2b3c4`.
        revision: the full hash of the commit that was read; `None` for a source without commits.
        counts: rows, ids and the like.
        findings: what is wrong; those that refuse make the split unfit to be scored against.
    """

    task: Task
    split: str
    examples: list[Example]
    source_label: str
    revision: str | None
    counts: Counts
    findings: list[Problem]

    @property
    def scorable(self) -> bool:
        """Whether answers may be scored against it."""
        return self.unscorable_because is None

    @property
    def unscorable_because(self) -> str | None:
        """Why not; `None` when they may."""
        return next((found.message for found in self.findings if found.refuses), None)


def references_of(loaded: Loaded) -> dict[str, list[str]]:
    """The references by id, of the ids that have any.

    Raises:
        Unscorable: when the split is unfit to be scored against, with the reason.
    """
    if loaded.unscorable_because is not None:
        raise Unscorable(f"{loaded.task}: {loaded.unscorable_because}")
    return {example.id: list(example.references) for example in loaded.examples if example.references}


def count(examples: Sequence[Example]) -> Counts:
    """The split in numbers."""
    rows = sum(len(example.pids) for example in examples)
    labelled = sum(len(example.references) for example in examples)
    indexed = sum(example.indices is not None for example in examples)
    return Counts(rows, len(examples), labelled, rows - labelled, indexed)


def findings(
    task: Task,
    split: str,
    examples: Sequence[Example],
    validation: Sequence[Example] | None = None,
    *,
    sample: bool = False,
) -> list[Problem]:
    """What is wrong with a split; those that refuse make it unfit to be scored against.

    Args:
        task: whose split it is.
        split: the split's name.
        examples: what was read as that split.
        validation: for a test split the validation split of the same source, if it has one.
        sample: whether it is known to be only a part of the split.
    """
    if not examples:
        return [Problem("no-rows", f"the {split} split has no rows; take another revision or source", task.name)]
    found = [*_references(task.name, split, examples)]
    if not sample:
        found += _extent(task, split, examples)
    if not benchmark_info(task.benchmark).query_first:
        found += _index_fields(task.name, examples)
    if validation is not None and split == "test" and _content(examples) == _content(validation):
        message = (
            f"the test split is the validation split over again ({len(examples)} ids): nothing can be scored as test "
            "with it; take another revision or source"
        )
        found.insert(0, Problem("test-is-validation", message, task.name))
    return found


def _references(task: str, split: str, examples: Sequence[Example]) -> Iterator[Problem]:
    without = sum(not example.references for example in examples)
    if without == len(examples):
        message = f"the {split} split has no references, all are null; take a split or revision that has them"
        yield Problem("no-references", message, task)
    elif without:
        message = f"{without} of {len(examples)} ids of the {split} split have no reference; they cannot be scored"
        yield Problem("null-references", message, task, refuses=False)


def _extent(task: Task, split: str, examples: Sequence[Example]) -> Iterator[Problem]:
    """SCROLLS Table 1 counts rows, as NarrativeQA shows: 55,003 to train on, from 32,747 questions."""
    published = info(task).size.of_split(split)
    if published is None:
        return
    rows = {"rows": count(examples).rows} if benchmark_info(task.benchmark).query_first else {}
    sizes = {"ids": len(examples), **rows}
    if published not in sizes.values():
        found = " in ".join(f"{number} {what}" for what, number in sizes.items())
        message = f"{found} where the published {split} split has {published}; is this all of it?"
        yield Problem("not-all", message, task.name, refuses=False)


def _index_fields(task: str, examples: Sequence[Example]) -> Iterator[Problem]:
    without = sum(example.indices is None for example in examples)
    if without:
        message = f"{without} of {len(examples)} ids have no index fields; prompts are taken apart by their headers"
        yield Problem("no-index-fields", message, task, refuses=False)


def _content(examples: Sequence[Example]) -> set[tuple[str, str | None]]:
    """The ids with their outputs, which are what makes two splits the same, in any order."""
    return {(example.id, output) for example in examples for output in (example.references or (None,))}
