"""Answers and references of one task, joined by id, and what is wrong with the two sides together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from zs_bench.files.gather import Answer, Predictions, References
from zs_bench.files.other_benchmark import references_of_other
from zs_bench.problems import Place, Problem
from zs_metric.errors import UnreadableReference
from zs_metric.scoring import score_example
from zs_metric.tasks import find_task


@dataclass(frozen=True, slots=True)
class Joined:
    """The answers and references of one task, joined by id.

    Attributes:
        split: of the references.
        by_id: `None` when the task has no references.
        places: of the references, by id, where known.
        unlabelled: the references that cannot be used.
        named: ids that a problem of this task names: they are there, though not as they should be.
        broken: whether a file of this task could not be read, so that more may be there than is known.
        documents: a name of the document of each example, by id, where known.
        benchmark: whose task it is.
    """

    task: str
    answers: dict[str, Answer]
    split: str | None
    by_id: dict[str, list[str]] | None
    places: dict[str, list[Place]]
    unlabelled: list[Problem]
    named: frozenset[str]
    broken: bool
    documents: dict[str, str] = field(default_factory=dict)
    benchmark: str = "zero_scrolls"

    @property
    def ids(self) -> list[str]:
        """The ids on both sides, in the order of the references."""
        return [key for key in self.by_id or () if key in self.answers]

    @property
    def missing(self) -> list[str]:
        """The ids without an answer, not even one that cannot be used."""
        return [key for key in self.by_id or () if key not in self.answers and key not in self.named]

    @property
    def unknown(self) -> list[str]:
        """The ids of answers without a reference."""
        return [key for key in self.answers if key not in (self.by_id or ())]

    def problems(self, *, partial: bool) -> Iterator[Problem]:
        """What is on one side only, and references that cannot be used."""
        if self.by_id is None:
            message = "there are no references for this task; add them, or leave the task out"
            yield Problem("no-references", message, self.task)
            return
        if other := references_of_other(self.task, self.by_id, self.benchmark):
            yield other
        for problem in (*self.unlabelled, *self._unreadable_references()):
            left_out = partial and problem.id is not None and problem.id not in self.answers
            yield replace(problem, refuses=False) if left_out else problem
        yield from self._missing(partial=partial)
        yield from self._unknown(partial=partial)
        if partial and not self.ids and not self.broken:
            message = "no id is in both files; are these the references of this split?"
            yield Problem("no-overlap", message, self.task)

    def _missing(self, *, partial: bool) -> Iterable[Problem]:
        if self.broken and not self.answers:
            return []
        step = "left out, as asked" if partial else "add them, or score what is there with --partial"
        message = f"{len(self.missing):,} of {len(self.by_id or ()):,} answers are missing; {step}"
        return (Problem("missing", message, self.task, key, refuses=not partial) for key in self.missing)

    def _unknown(self, *, partial: bool) -> Iterator[Problem]:
        step = "left out, as asked" if partial else "correct or remove them, or leave them out with --partial"
        count = "1 id is" if len(self.unknown) == 1 else f"{len(self.unknown):,} ids are"
        for key in self.unknown:
            place = self.answers[key].place
            yield Problem(
                "unknown", f"{count} not in the references; {step}", self.task, key, place, refuses=not partial
            )

    def _unreadable_references(self) -> Iterator[Problem]:
        """References in which the scorer finds nothing to compare with. ROUGE reads any text, and slowly."""
        if find_task(self.task, benchmark=self.benchmark).metric == "rouge":
            return
        for key, texts in (self.by_id or {}).items():
            try:
                if texts:  # without any it is told as unlabelled
                    score_example(self.task, "", texts, benchmark=self.benchmark)
            except UnreadableReference as error:
                place = dict(enumerate(self.places.get(key, ()))).get(error.reference or 0)
                message = f"a reference cannot be read, {error.why}; correct it"
                yield Problem("unreadable-reference", message, self.task, key, place, detail=repr(error.text))


def join(task: str, predictions: Predictions, references: References) -> Joined:
    """The answers of that task with the references of the split that fits them best."""
    answers = predictions.tasks[task]
    wrong = [problem for problem in predictions.problems if problem.task == task and problem.refuses]
    named = frozenset(problem.id for problem in wrong if problem.id is not None)
    broken = any(problem.place is not None and problem.id is None for problem in wrong)
    if task not in references.tasks:
        return Joined(task, answers, None, None, {}, [], named, broken, benchmark=predictions.benchmark)
    split, by_id = references.of_task(task, answers)
    places = {key: references.places.get((task, split, key), []) for key in by_id}
    documents = {key: name for key in by_id if (name := references.documents.get((task, split, key)))}
    unlabelled = references.unlabelled.get((task, split), [])
    found = (split, by_id, places, unlabelled, named, broken, documents)
    return Joined(task, answers, *found, benchmark=predictions.benchmark)
