"""The benchmark's data as files: `<task>/<split>.jsonl`, in a folder, in a ZIP, or in a folder of `<task>.zip`.

That is the shape of the Hub's dataset repo. Rows are read one after another, straight from the packed file: the test
split of NarrativeQA alone is some hundred megabytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

from zs_bench.files.entries import SPLITS, name_split, name_task
from zs_bench.files.source import Source
from zs_bench.files.sources import open_inputs
from zs_bench.problems import Problem, UnusableInput, lines


class NothingOfTask(UnusableInput):
    """A folder or ZIP that is sound and has nothing of the task."""


def splits_of(path: Path, task: str, *, name: str | None = None) -> tuple[dict[str, Source], tuple[Problem, ...]]:
    """The splits that a path holds of the task, by name, in the order train, validation, test; and those not read.

    Args:
        path: a folder, a ZIP or a JSONL file.
        task: the task's name.
        name: what to call the path in errors, when not by its own name.

    Raises:
        NothingOfTask: when there is nothing of the task.
        UnusableInput: when nothing can be read, or there are two files for one split.
    """
    sources, problems = open_inputs([path], None if name is None else [name])
    found: dict[str, Source] = {}
    for source in sources:
        split = name_split(source.path)
        if split is None or name_task(source.path) != task:
            continue
        if split in found:
            raise UnusableInput(f"{found[split].name} and {source.name} are both {task}'s {split} split; keep one")
        found[split] = source
    here = name or path.name or str(path)
    wrong = lines(problem for problem in problems if problem.refuses and problem.task in (None, task))
    if not found and wrong:
        raise UnusableInput(f"{here}: {'; '.join(wrong)}")
    if not found:
        raise NothingOfTask(f"{here} has no data of {task}; it should have {task}/validation.jsonl or {task}.zip in it")
    unread = tuple(_of_one_split(problem, task) for problem in problems if _is_of(problem, task))
    return {split: found[split] for split in SPLITS if split in found}, unread


def _is_of(problem: Problem, task: str) -> bool:
    """Whether it is a split of the task, too large for instance, that was not read."""
    path = PurePosixPath("" if problem.place is None else problem.place.file or "")
    return problem.kind == "not-read" and problem.refuses and name_split(path) is not None and name_task(path) == task


def _of_one_split(problem: Problem, task: str) -> Problem:
    """The others may be read."""
    return replace(problem, task=task, refuses=False)


def split_lines(source: Source) -> Iterator[str]:
    """The lines of a split.

    Raises:
        UnusableInput: when it cannot be read to its end.
    """
    try:
        with source.opened() as stream, io.TextIOWrapper(stream, encoding="utf-8-sig", newline="\n") as text:
            yield from text
    except UnusableInput as error:
        raise UnusableInput(f"{source.name}: {error}") from error
