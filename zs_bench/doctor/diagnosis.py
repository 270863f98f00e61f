"""What the doctor finds, and what is left after repairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from zs_bench.doctor.known_ids import KnownIds
from zs_bench.doctor.rules import Row
from zs_bench.files.entries import ReadFile
from zs_bench.problems import Problem, short
from zs_metric.version import VERSION

SCHEMA = "zero-scrolls-verify/1"
#: How many problems are listed as JSON; the rest is counted.
MAX_PROBLEMS = 10_000


class SubmittedAnswer(NamedTuple):
    """A row of the submission."""

    task: str
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Repair:
    """How something can be put right.

    Attributes:
        what: what is done, in words.
        safe: whether it cannot change a score of what is right.
        becomes: what the row says of `task`, `id` and `prediction` afterwards where that changes; `None` for a row
            that is left out, and for a repair that concerns the file.
    """

    what: str
    safe: bool
    becomes: Mapping[str, str] | None = None

    def as_dict(self) -> dict[str, Any]:
        """The repair as JSON-able data."""
        return {"what": self.what, "safe": self.safe, "becomes": None if self.becomes is None else dict(self.becomes)}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, and its repair; `made` says whether it was made."""

    problem: Problem
    repair: Repair | None = None
    made: bool = False

    @property
    def change(self) -> str:
        """The repair as a sentence, with the place.

        >>> Finding(Problem("pid", "…", "qasper", "7_0"), Repair("the id is read as '7'", safe=True)).change
        "qasper, '7_0': the id is read as '7'"
        """
        about, repair = self.problem, self.repair
        name = None if about.id is None else repr(short(about.id))
        detail = about.detail if about.id is None else None
        where = ", ".join(str(part) for part in (about.place, about.task, name, detail) if part is not None)
        return f"{where}: {repair.what if repair else ''}"

    def as_dict(self) -> dict[str, Any]:
        """The problem with its repair as JSON-able data."""
        return {**self.problem.as_dict(), "repair": None if self.repair is None else self.repair.as_dict()}


class Count(NamedTuple):
    """A task in numbers.

    Attributes:
        answers: how many different ids are answered, of the ids that are known, where they are.
        ids: how many there are; `None` where they are not known.
        published: how many the test split of the paper has.
    """

    answers: int
    ids: int | None
    published: int


@dataclass(frozen=True, slots=True)
class Examined:
    """Answers and what is wrong with them.

    Attributes:
        answers: the rows of the submission, in the order of tasks and ids.
        counts: by task, in the benchmark's order: all that are answered or whose ids are known.
        ready: whether they can be submitted.
        verdict: `ready to submit`, or `not ready: ` and why.
    """

    answers: Sequence[SubmittedAnswer]
    counts: Mapping[str, Count]
    ready: bool
    verdict: str


@dataclass(frozen=True, slots=True)
class Diagnosis(Examined):
    """What is wrong with files, before anything is repaired: `ready` and `verdict` are about the files as they stand.

    `answers` and `counts` are those that the safe repairs leave, so that they tell what is really lacking.

    Attributes:
        findings: everything that is wrong, what must be repaired first.
        files: what was read.
        known: the ids they were checked against.
        rows: what was read, as it stands.
        unread: what could not be read as rows.
    """

    findings: Sequence[Finding] = ()
    files: Sequence[ReadFile] = ()
    known: KnownIds = field(default_factory=KnownIds)
    rows: Sequence[Row] = field(default=(), repr=False)
    unread: Sequence[Finding] = field(default=(), repr=False)

    @property
    def wrong(self) -> bool:
        """Whether anything is wrong, warnings apart."""
        return any(finding.problem.refuses for finding in self.findings)

    @property
    def offers(self) -> dict[str, int]:
        """The kinds of repairs that are made only when accepted, with the number of their findings."""
        found: dict[str, int] = {}
        for finding in self.findings:
            if finding.repair and not finding.repair.safe:
                found[finding.problem.kind] = found.get(finding.problem.kind, 0) + 1
        return found

    def as_dict(self) -> dict[str, Any]:
        """The diagnosis as JSON-able data."""
        return {
            "schema": SCHEMA,
            "version": VERSION,
            "ids": [{"source": one.source, "split": one.split} for one in self.known.lists],
            "files": [file.as_dict() for file in self.files],
            "ready": self.ready,
            "verdict": self.verdict,
            "tasks": {task: count._asdict() for task, count in self.counts.items()},
            "problems": [finding.as_dict() for finding in self.findings[:MAX_PROBLEMS]],
            "problems_left_out": max(0, len(self.findings) - MAX_PROBLEMS),
        }


@dataclass(frozen=True, slots=True)
class Repaired(Examined):
    """Answers after repairs.

    Attributes:
        changes: every repair that was made, a sentence each.
        left: what is still wrong.
    """

    changes: Sequence[str] = ()
    left: Sequence[Finding] = ()

    @property
    def wrong(self) -> bool:
        """Whether anything is still wrong, warnings apart."""
        return any(finding.problem.refuses for finding in self.left)

    def as_dict(self) -> dict[str, Any]:
        """The result as JSON-able data."""
        return {
            "ready": self.ready,
            "verdict": self.verdict,
            "tasks": {task: count._asdict() for task, count in self.counts.items()},
            "changes": list(self.changes),
            "left": [finding.as_dict() for finding in self.left[:MAX_PROBLEMS]],
        }
