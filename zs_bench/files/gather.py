"""Gather the entries of many files by task and id, with everything that is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from zs_metric.tasks import TASKS
from zs_metric.texts import clean_text

from ..problems import Place, Problem
from . import limits
from .formats import Entry, JsonObject, Nothing, read_source, unknown_task
from .sources import Source


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer and where it stands."""

    text: str
    place: Place


@dataclass(slots=True)
class Predictions:
    """Answers by task and id, in the order of the files, with the problems found on the way."""

    tasks: dict[str, dict[str, Answer]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


@dataclass(slots=True)
class References:
    """References by task, split and id (`None` where no split is known), with the problems found on the way.

    Attributes:
        unlabelled: by task and split the rows without a usable reference; they matter if that split is scored against.
    """

    tasks: dict[str, dict[str | None, dict[str, list[str]]]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    unlabelled: dict[tuple[str, str | None], list[Problem]] = field(default_factory=dict)

    def of_task(self, task: str, ids: Iterable[str]) -> tuple[str | None, dict[str, list[str]]]:
        """The split of that task which holds most of these ids (the first of equals), and its references by id."""
        wanted = set(ids)
        splits = self.tasks[task]
        split = max(splits, key=lambda name: len(wanted & splits[name].keys()))
        return split, splits[split]


def gather_predictions(sources: Iterable[Source]) -> Predictions:
    """All answers of the files; the same id twice with the same text counts once, with a warning."""
    found = Predictions()
    for entry in _checked(sources, found.problems):
        answers = found.tasks.setdefault(str(entry.task), {})
        if isinstance(entry, Nothing):
            continue
        task, key = str(entry.task), str(entry.id)
        if not isinstance(entry.value, str):
            found.problems.append(_no_text(entry, task, key))
            continue
        answer = Answer(clean_text(entry.value, "prediction"), entry.place)
        if key in answers:
            found.problems.append(_twice(answers[key], answer, task, key))
            continue
        answers[key] = answer
        if not answer.text.strip():
            message = "the answer is empty; it is scored, 0"
            found.problems.append(Problem("empty", message, task, key, entry.place, refuses=False))
    return found


def gather_references(sources: Iterable[Source]) -> References:
    """All references of the files; rows with the same id are several references of one example."""
    found = References()
    for entry in _checked(sources, found.problems):
        if isinstance(entry, Nothing):
            continue
        task, key = str(entry.task), str(entry.id)
        references = found.tasks.setdefault(task, {}).setdefault(entry.split, {}).setdefault(key, [])
        texts = entry.value if isinstance(entry.value, list) else [entry.value]
        if texts and all(isinstance(text, str) for text in texts):
            references += [clean_text(text, "reference") for text in texts]
        else:
            found.unlabelled.setdefault((task, entry.split), []).append(_no_reference(entry, task, key))
    return found


def _checked(sources: Iterable[Source], problems: list[Problem]) -> Iterator[Entry | Nothing]:
    """The entries whose task and id are what they should be; the problems of the others."""
    count = 0
    unknown: set[tuple[str, str | None]] = set()
    for source in sources:
        for found in read_source(source):
            if isinstance(found, Problem):
                problems.append(found)
                continue
            count += 1
            if count > limits.MAX_ENTRIES:
                message = f"more than {limits.MAX_ENTRIES:,} rows in all; what follows was not read"
                problems.append(Problem("not-read", message, place=found.place))
                return
            if not isinstance(found.task, str) or found.task not in TASKS:
                name = (repr(found.task), found.place.file)
                if name not in unknown:
                    unknown.add(name)
                    problems.append(Problem("unknown-task", unknown_task(found.task), place=found.place))
            elif isinstance(found, Nothing):
                yield found
            elif not isinstance(found.id, str):
                message = f"the id is {found.id!r:.60}, not a text; write it in quotes"
                problems.append(Problem("unreadable", message, found.task, place=found.place))
            else:
                yield found._replace(id=clean_text(found.id, "id"))


def _no_text(entry: Entry, task: str, key: str) -> Problem:
    if entry.value is None:
        message = "the answer is null; write a text, an empty one ('') scores 0"
        return Problem("null", message, task, key, entry.place)
    message = f"the answer is {_kind(entry.value)}, not a text; write a text"
    return Problem("not-a-text", message, task, key, entry.place)


def _no_reference(entry: Entry, task: str, key: str) -> Problem:
    what = "null" if entry.value is None else f"{_kind(entry.value)}, not a text or a list of texts"
    message = f"the reference is {what}; take references of a split that has them"
    return Problem("null-reference" if entry.value is None else "not-a-text", message, task, key, entry.place)


def _kind(value: object) -> str:
    if isinstance(value, JsonObject):
        return "an object"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    return f"the {type(value).__name__} {value!r:.40}"


def _twice(earlier: Answer, later: Answer, task: str, key: str) -> Problem:
    same = earlier.text == later.text
    kind, message = (
        ("doubled", "the id stands twice with the same answer; it is scored once")
        if same
        else ("conflict", "the id has two different answers; keep one")
    )
    return Problem(kind, message, task, key, later.place, earlier.place, refuses=not same)
