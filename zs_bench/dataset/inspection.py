"""Checks of a loaded split: its counts, the known faults of the benchmark's data, and `Task.cleaning`.

The Hub's repo was changed after publication. Its `main` is reported to have test splits whose references are all null,
and a test split that repeats the validation split. The first cannot be scored against, and scores against the second
would be silently wrong, so both are refused.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from zs_bench.benchmarks import Task
from zs_bench.dataset.rows import Example
from zs_bench.dataset.source import Source
from zs_bench.errors import PromptFormatError, Unscorable
from zs_bench.problems import Problem

#: The kinds of findings that matter for scores alone, and not for prompts or naive answers.
OF_SCORES = frozenset({"no-references", "null-references", "not-all"})


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of a split: rows, one per reference, with one and without; examples, with all index fields or not."""

    rows: int
    ids: int
    labelled: int
    unlabelled: int
    indexed: int


@dataclass(frozen=True, slots=True)
class Loaded:
    """A split of a task, with the findings of its inspection.

    Attributes:
        source: where it is from, without the split.
        findings: its problems; one that refuses makes the split unfit to score against.
    """

    task: Task
    split: str
    examples: list[Example]
    source: Source
    counts: Counts
    findings: list[Problem]

    @property
    def scorable(self) -> bool:
        return not any(finding.is_error for finding in self.findings)


def references_of(loaded: Loaded) -> dict[str, list[str]]:
    """The references by id, of the examples that have any; raises `Unscorable` with the reason."""
    if unfit := [finding.message for finding in loaded.findings if finding.is_error]:
        raise Unscorable(f"{loaded.task}: {unfit[0]}")
    return {example.id: list(example.references) for example in loaded.examples if example.references}


def count(examples: Sequence[Example]) -> Counts:
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
    """The problems of a split; one that refuses makes it unfit to score against.

    Args:
        validation: for a test split, the validation split of the same source, if there is one.
        sample: whether it is known to be only a part of the split.
    """
    if not examples:
        return [Problem("no-rows", f"the {split} split has no rows; take another revision or source", task.name)]
    found: dict[str, str] = {}
    ids, query_first = len(examples), task.benchmark.query_first
    if _content(examples) == _content(validation or ()):
        again = f"the test split is the validation split over again ({ids} ids): nothing can be scored as test with it"
        found["test-is-validation"] = f"{again}; take another revision or source"
    without = sum(not example.references for example in examples)
    if without == ids:
        step = "take a split or revision that has them, or give the files that hold them as the references"
        found["no-references"] = f"the {split} split has no references, all are null or empty; {step}"
    elif without:
        lacking = f"{without} of {ids} ids of the {split} split have no reference"
        found["null-references"] = f"{lacking}; they cannot be scored"
    # SCROLLS counts rows: 55,003 for NarrativeQA's 32,747 questions.
    published = task.size.of_split(split)
    sizes = {"ids": ids, "rows": count(examples).rows} if query_first else {"ids": ids}
    if not sample and published not in (None, *sizes.values()):
        counted = " in ".join(f"{number} {what}" for what, number in sizes.items())
        other = f"where the published {split} split has {published}: part of it, or other examples"
        found["not-all"] = f"{counted} {other}"
    unindexed = sum(example.indices is None for example in examples)
    if unindexed and not query_first:
        found["no-index-fields"] = f"{unindexed} of {ids} ids have no index fields; prompts are split by their headers"
    unfit = ("test-is-validation", "no-references")
    return [Problem(kind, message, task.name, is_error=kind in unfit) for kind, message in found.items()]


def _content(examples: Sequence[Example]) -> set[tuple[str, str | None]]:
    """The ids with their outputs; splits with the same ones are equal, in whatever order."""
    return {(example.id, output) for example in examples for output in (example.references or (None,))}


def broken_rules(task: Task, examples: Iterable[Example]) -> dict[str, list[str]]:
    """The ids of the examples that break each rule of the task, by message, where a document is found in the input."""
    broken: dict[str, list[str]] = {message: [] for message in task.cleaning}
    for example in examples if broken else ():
        with suppress(PromptFormatError):
            document = example.document
            for message, is_broken in task.cleaning.items():
                if document and is_broken(document, example.references):
                    broken[message].append(example.id)
    return broken
