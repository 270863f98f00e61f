"""Where examples come from: inside the package, the Hub, or a folder or ZIP of one's own. One door: `load_examples`.

| source | what it is |
|---|---|
| `embedded` | the examples inside the package; needs no network |
| `hub` | the benchmark's dataset repo (`zs_bench.sources.hub.REPOS`) |
| `hub:<owner/name>` | another repo of the same shape |
| `hub:<owner/name>@<revision>` | at a branch, a tag or a commit |
| anything else | a path: a folder or a ZIP (`zs_bench.sources.data_files`) |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from zs_bench.files.source import Source
from zs_bench.problems import Problem, UnusableInput, lines
from zs_bench.sources.data_files import split_lines, splits_of
from zs_bench.sources.embedded import SPLIT, embedded_file, no_hard_questions
from zs_bench.sources.hub import REPOS, Progress, SourceUnavailable, fetch
from zs_bench.sources.inspection import Loaded, Unscorable, count, findings, references_of
from zs_bench.sources.rows import Example, read_rows
from zs_metric.errors import ZeroScrollsError
from zs_metric.tasks import find_task

__all__ = [
    "SOURCES",
    "Loaded",
    "SourceUnavailable",
    "TaskData",
    "Unscorable",
    "load_examples",
    "open_task",
    "references_of",
]

#: What a source may be, for the help of commands.
SOURCES = "embedded, hub, hub:<owner/name>, or the path of a folder or ZIP"


@dataclass(frozen=True, slots=True)
class TaskData:
    """The splits of a task, found but not read yet.

    Attributes:
        files: by the splits' names.
        source_label, revision: as in `Loaded`.
        notes: what is to be said of the source itself.
        benchmark: whose task it is.
        sample: whether its splits are a few examples, and meant to be.
    """

    task: str
    files: Mapping[str, Source]
    source_label: str
    revision: str | None = None
    notes: tuple[Problem, ...] = ()
    benchmark: str = "zero_scrolls"
    sample: bool = False

    def load(self, split: str) -> Loaded:
        """Read and inspect a split.

        Raises:
            UnusableInput: when there is no such split, or a row cannot be read.
            SourceUnavailable: when it came from the Hub and cannot be read.
        """
        if split not in self.files:
            has = ", ".join(self.files)
            unread = "".join(f"; {line}" for line in lines(note for note in self.notes if note.kind == "not-read"))
            raise UnusableInput(f"{self.source_label}: {self.task} has no split {split!r}; it has {has}{unread}")
        examples = self._read(split)
        validation = self._read("validation") if split == "test" and "validation" in self.files else None
        found = findings(self.task, split, examples, validation, benchmark=self.benchmark, sample=self.sample)
        about = (self.source_label, self.revision, count(examples), [*found, *self.notes])
        return Loaded(self.task, split, examples, *about, benchmark=self.benchmark)

    def _read(self, split: str) -> list[Example]:
        file = self.files[split]
        try:
            return read_rows(split_lines(file), self.task, name=file.name, benchmark=self.benchmark)
        except UnusableInput as error:
            if self.revision is None:
                raise
            raise _damaged(error) from error


def load_examples(
    source: str | Path,
    task: str,
    split: str = "validation",
    *,
    revision: str | None = None,
    benchmark: str = "zero_scrolls",
    progress: Progress | None = None,
) -> Loaded:
    """The examples of a split of a task, inspected.

    Args:
        source: see the table above.
        task: the task's name.
        split: `validation` or `test`, in SCROLLS also `train`.
        revision: for the Hub: a branch, a tag or a commit; `main` by default.
        benchmark: whose task it is.
        progress: for the Hub: called with the share of the download and a few words, in the calling thread.

    Raises:
        UnknownBenchmark, UnknownTask: with the likely name.
        UnusableInput: for a path, file or row that cannot be read, a split that is not there, or QuALITY's hard
            questions, which no data has.
        SourceUnavailable: when the Hub could not give it.
        ZeroScrollsError: for a source or revision that cannot be meant.

    >>> loaded = load_examples("embedded", "squality")
    >>> loaded.source_label, loaded.counts.ids, loaded.counts.rows, loaded.scorable
    ('embedded examples', 2, 8, True)
    """
    return open_task(source, task, revision=revision, benchmark=benchmark, progress=progress).load(split)


def open_task(
    source: str | Path,
    task: str,
    *,
    revision: str | None = None,
    benchmark: str = "zero_scrolls",
    progress: Progress | None = None,
) -> TaskData:
    """The splits that the source has of a task; arguments and errors as for `load_examples`."""
    find_task(task, benchmark=benchmark)
    no_hard_questions(task)
    if (hub := _hub(str(source), revision, benchmark)) is not None:
        return _from_hub(hub, task, benchmark, progress)
    if revision is not None:
        raise ZeroScrollsError(f"the source {str(source)!r} has no revisions; leave it out, or take the source 'hub'")
    if source == "embedded":
        files = {SPLIT: embedded_file(task, benchmark=benchmark)}
        return TaskData(task, files, "embedded examples", benchmark=benchmark, sample=True)
    path = Path(source)
    label = f"your {'folder' if path.is_dir() else 'file'} {path.name or path.resolve().name}"
    found, unread = splits_of(path, task)
    return TaskData(task, found, label, notes=unread, benchmark=benchmark)


class _Hub(NamedTuple):
    repo: str
    revision: str | None


def _hub(source: str, revision: str | None, benchmark: str) -> _Hub | None:
    """The repo and revision that a source means; `None` when it is not the Hub."""
    if source != "hub" and not source.startswith("hub:"):
        return None
    repo, _, named = source.removeprefix("hub").removeprefix(":").partition("@")
    if named and revision and named != revision:
        raise ZeroScrollsError(f"two revisions, {named!r} in the source and {revision!r}; give one")
    return _Hub(repo or REPOS[benchmark], named or revision)


def _from_hub(hub: _Hub, task: str, benchmark: str, progress: Progress | None) -> TaskData:
    fetched = fetch(f"{task}.zip", repo=hub.repo, revision=hub.revision, progress=progress)
    try:
        files, unread = splits_of(fetched.path, task, name=fetched.path.name)
    except UnusableInput as error:
        raise _damaged(error) from error
    label = f"Hub, {hub.repo} at {fetched.commit[:7]}"
    if fetched.note is not None:
        label += ", from the cache"
        unread = (*unread, Problem("cache", fetched.note, task, refuses=False))
    return TaskData(task, files, label, fetched.commit, unread, benchmark)


def _damaged(error: UnusableInput) -> SourceUnavailable:
    step = "take another revision, or clear it from the cache and fetch it again"
    return SourceUnavailable("damaged", f"the Hub's file is damaged ({error})", step)
