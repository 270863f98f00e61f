"""Gather the entries of many files by task and id, with everything that is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from zs_bench.files import limits
from zs_bench.files.entries import TASK_NAMES, Entry, Nothing, ReadFile, name_task
from zs_bench.files.formats import Role, read_all
from zs_bench.files.json_text import kind, written
from zs_bench.files.other_benchmark import bare_task, of_other, task_of_other
from zs_bench.files.source import Source
from zs_bench.problems import Place, Problem, short
from zs_metric.errors import did_you_mean
from zs_metric.tasks import Benchmark, find_benchmark
from zs_metric.texts import clean_text


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer and where it stands."""

    text: str
    place: Place


@dataclass(slots=True)
class Predictions:
    """Answers by task and id, in the order of the files, with the files and the problems found on the way.

    Attributes:
        benchmark: whose tasks they are.
    """

    tasks: dict[str, dict[str, Answer]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    files: list[ReadFile] = field(default_factory=list)
    benchmark: str = "zero_scrolls"


#: References by id.
ById = dict[str, list[str]]


@dataclass(slots=True)
class References:
    """References by task, split and id (`None` where no split is known), with the problems found on the way.

    Attributes:
        places: by task, split and id where each reference stands, in the order of the references.
        unlabelled: by task and split the rows without a usable reference; they matter if that split is scored against.
        documents: by task, split and id a name of the document that the example is about, where it is known.
    """

    tasks: dict[str, dict[str | None, ById]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    places: dict[tuple[str, str | None, str], list[Place]] = field(default_factory=dict)
    unlabelled: dict[tuple[str, str | None], list[Problem]] = field(default_factory=dict)
    documents: dict[tuple[str, str | None, str], str] = field(default_factory=dict)

    def of_task(self, task: str, ids: Iterable[str]) -> tuple[str | None, ById]:
        """The split of that task which holds most of these ids, and its references by id.

        Of equals a named split goes before references without one, and then the first.
        """
        wanted = set(ids)
        splits = self.tasks[task]
        split = max(splits, key=lambda name: (len(wanted & splits[name].keys()), name is not None))
        return split, splits[split]


def gather_predictions(
    sources: Iterable[Source], problems: Iterable[Problem] = (), *, benchmark: str = "zero_scrolls"
) -> Predictions:
    """All answers of the files to the benchmark's tasks, with the problems of opening them put first.

    The same id twice with the same text counts once, with a warning.
    """
    found = Predictions(problems=list(problems), benchmark=benchmark)
    for entry in _checked(sources, "predictions", found.problems, found.files, find_benchmark(benchmark)):
        answers = found.tasks.setdefault(entry.task, {})
        if isinstance(entry, Entry):
            found.problems += _add(answers, entry)
    # A task that is named only by what is wrong with it is a task of the submission too.
    for task in (problem.task for problem in found.problems if problem.refuses and problem.task):
        found.tasks.setdefault(task, {})
    return found


def _add(answers: dict[str, Answer], entry: Entry) -> Iterator[Problem]:
    wrong = _not_a_text(entry, "answer")
    if wrong:
        yield wrong
        return
    answer = Answer(clean_text(entry.value, "prediction"), entry.place)
    earlier = answers.setdefault(entry.id, answer)
    if earlier is not answer:
        yield _twice(earlier, answer, entry)
    elif not answer.text.strip():
        message = "the answer is empty; it is scored, 0"
        yield Problem("empty", message, entry.task, entry.id, entry.place, refuses=False)


def gather_references(
    sources: Iterable[Source], problems: Iterable[Problem] = (), *, benchmark: str = "zero_scrolls"
) -> References:
    """All references of the files, likewise; rows with the same id are several references of one example."""
    found = References(problems=list(problems))
    for entry in _checked(sources, "references", found.problems, [], find_benchmark(benchmark)):
        if isinstance(entry, Nothing):
            continue
        task, split, key = entry.task, entry.split, entry.id
        references = found.tasks.setdefault(task, {}).setdefault(split, {}).setdefault(key, [])
        if entry.document:
            found.documents[task, split, key] = entry.document
        texts = entry.value if type(entry.value) is list and entry.value else [entry.value]
        wrong = [problem for text in texts if (problem := _not_a_text(entry._replace(value=text), "reference"))]
        if wrong:
            found.unlabelled.setdefault((task, split), []).append(wrong[0])
            continue
        references += [clean_text(text, "reference") for text in texts]
        found.places.setdefault((task, split, key), []).extend([entry.place] * len(texts))
    return found


def _checked(
    sources: Iterable[Source], role: Role, problems: list[Problem], files: list[ReadFile], benchmark: Benchmark
) -> Iterator[Entry | Nothing]:
    """The entries whose task and id are what they should be; the problems of the others."""
    named: set[tuple[Any, str]] = set()
    held: dict[str, set[str]] = {}
    for source, entry in read_all(sources, role, files):
        found, tasks = bare_task(entry, benchmark), held.setdefault(source.name, set())
        if isinstance(found, Problem):
            problems += _of_tasks(found, tasks)
        elif not isinstance(found.task, str) or found.task not in benchmark.all_tasks:
            name = (written(found.task) or kind(found.task), source.name)
            if name not in named:
                problems.append(_unknown_task(found, source, role, benchmark))
            named.add(name)
        elif wrong := _wrong_id(found):
            problems.append(wrong)
        else:
            tasks.add(found.task)
            yield found._replace(id=clean_text(found.id, "id")) if isinstance(found, Entry) else found


def _of_tasks(problem: Problem, tasks: set[str]) -> list[Problem]:
    """A file that breaks off is a problem of every task that it held till there."""
    if problem.task or not problem.refuses or not problem.place or problem.place.row is not None:
        return [problem]
    return [replace(problem, task=task) for task in TASK_NAMES if task in tasks] or [problem]


def _wrong_id(found: Entry | Nothing) -> Problem | None:
    if isinstance(found, Nothing):
        return None
    if not isinstance(found.id, str):
        message = f"an id is {kind(found.id)}, not a text; write it in quotes"
        return Problem("unreadable", message, found.task, place=found.place, detail=written(found.id))
    if len(found.id) > limits.MAX_ID:
        message = f"an id is longer than {limits.MAX_ID:,} characters"
        return Problem("unreadable", message, found.task, place=found.place, detail=found.id[:60])
    return None


def _unknown_task(found: Entry | Nothing, source: Source, role: Role, benchmark: Benchmark) -> Problem:
    """The likely name is told. References of another task are no error: they are not asked for."""
    name, tasks = written(found.task), benchmark.all_tasks
    if name is not None and (other := of_other(name, benchmark)):
        return task_of_other(name, benchmark, other, found.place, refuses=role == "predictions")
    likely = did_you_mean(name, tasks) if name is not None else ""
    what = f"{kind(found.task)}" if name is None else repr(short(name))
    message = f"{what} is no task; {likely or 'the tasks are ' + ', '.join(tasks)}"
    if name == name_task(source.path):
        step = likely or "name it preds_<task>.json, or write the task into it"
        message = f"the name of the file tells no task ({what}); {step}"
    return Problem("unknown-task", message, place=found.place, refuses=role == "predictions" or bool(likely))


def _not_a_text(entry: Entry, what: str) -> Problem | None:
    """The problem of a value that is no text, or too long a one."""
    value, where = entry.value, (entry.task, entry.id, entry.place)
    if isinstance(value, str):
        message = f"the {what} is longer than {limits.MAX_TEXT:,} characters; shorten it"
        return Problem("too-long", message, *where) if len(value) > limits.MAX_TEXT else None
    step = "take references of a split that has them"
    if what == "answer":
        step = "write a text; an empty one ('') scores 0"
    message = f"the {what} is {kind(value)}, not a text; {step}"
    name = ("null" if what == "answer" else "null-reference") if value is None else "not-a-text"
    return Problem(name, message, *where, detail=written(value))


def _twice(earlier: Answer, later: Answer, entry: Entry) -> Problem:
    same = earlier.text == later.text
    kind_, message = (
        ("doubled", "the same id stands twice with the same answer; it is scored once")
        if same
        else ("conflict", "the same id stands twice with different answers; keep one")
    )
    return Problem(kind_, message, entry.task, entry.id, later.place, earlier.place, refuses=not same)
