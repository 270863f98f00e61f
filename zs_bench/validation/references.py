"""References in files, their ids, and signs that they are not those of the benchmark's split."""

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from zs_bench.benchmarks import BENCHMARKS, DEFAULT, Benchmark, Task, find_benchmark, find_task
from zs_bench.dataset.source import Source
from zs_bench.errors import MissingExtra, UnusableInput
from zs_bench.files.entries import Entry, ReadFile, row_fault
from zs_bench.files.formats import read_all
from zs_bench.files.input_files import InputFile
from zs_bench.files.json_text import written
from zs_bench.files.names import bare_task, canonical_task
from zs_bench.files.read_tables import listed
from zs_bench.files.reference_texts import IS_EMPTY, Reference, is_blank, texts_of
from zs_bench.files.rows_without_ids import OwnId, base_id, least_often, own_ids_of, question_again
from zs_bench.inputs import document_of_row
from zs_bench.problems import Place, Problem, counted, short
from zs_bench.validation.field_ids import Answered, with_field_ids
from zs_bench.validation.known_ids import IdList, KnownIds
from zs_bench.validation.predictions import ReadPredictions
from zs_bench.validation.rules import NOTHING
from zs_bench.validation.validate import check
from zs_metric.accuracy import read_letter
from zs_metric.errors import EmptyInput, UnreadableReference
from zs_metric.metrics import ACCURACY, ROUGE
from zs_metric.scoring import score_text
from zs_metric.texts import clean_references, clean_text, row_of, with_row

# A bare letter, or one that marks an option: `B`, `(B) text`, `B. text`.
_LETTER = re.compile(r"\W*[A-D]([).:].*|\W*)", re.DOTALL)


@dataclass(slots=True)
class References:
    """References by task, split (`None` if unknown) and id, with the problems found in them.

    Attributes:
        source: where they are from, if it is a source of examples; `None` for files of references.
        files: those that were read.
        documents_are_given: whether the references alone say which examples share a document, and no id.
        rows_of: the predictions the rows without ids of which are in them (`with_own_references`).
    """

    by_task: dict[str, dict[str | None, dict[str, Reference]]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    source: Source | None = None
    documents_are_given: bool = False
    files: list[ReadFile] = field(default_factory=list, repr=False, compare=False)
    rows_of: Sequence[ReadPredictions] = field(default=(), repr=False, compare=False)
    _hashes: dict[tuple[tuple[str, str | None], ...], str] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def of(self, task: str, split: str | None) -> dict[str, Reference]:
        """The references of a task's split by id; empty if there are none."""
        return self.by_task.get(task, {}).get(split, {})

    @property
    def leaves_documents_out(self) -> bool:
        """Whether no example is to have a document."""
        splits = (by_id for splits in self.by_task.values() for by_id in splits.values())
        return self.documents_are_given and not any(each.document for by_id in splits for each in by_id.values())

    def hash_of(self, splits: Mapping[str, str | None], *, benchmark: Benchmark) -> str:
        """The `reference_hash` of these tasks, each with its split, without examples that have no reference or are
        asked again.
        """
        key = tuple(splits.items())
        if key not in self._hashes:
            texts = {
                task: {
                    id_: each.texts for id_, each in self.of(task, split).items() if each.texts and not each.question
                }
                for task, split in key
            }
            self._hashes[key] = reference_hash(texts, benchmark=benchmark)
        return self._hashes[key]

    def known_ids(self, benchmark: Benchmark, split: str | None = None) -> KnownIds:
        """The ids of a split, by default for each task of that with most of its predictions.

        Raises `UnusableInput` if there is no such split.
        """
        names = dict.fromkeys(name for splits in self.by_task.values() for name in splits)
        if split is not None and split not in names:
            has = ", ".join(name for name in names if name) or "of no named split"
            raise UnusableInput(f"there are no references of the split {split!r}; they are {has}")
        lists = id_lists(Source("files", label="the references"), self.by_task, split)
        return KnownIds(lists, split is None, benchmark=benchmark)

    def with_documents(self, names: Mapping[str, Mapping[str, str]], *, are_all: bool = True) -> "References":
        """The references with these documents by task and id; if they `are_all`, without any other.

        Then a task of which an id has none gets a warning.
        """
        by_task, problems = dict[str, dict[str | None, dict[str, Reference]]](), list(self.problems)
        for task, splits in self.by_task.items():
            of_task = names.get(task, {})
            by_task[task] = {
                split: {
                    id_: replace(each, document=of_task.get(id_, None if are_all else each.document))
                    for id_, each in by_id.items()
                }
                for split, by_id in splits.items()
            }
            lacking = [id_ for by_id in splits.values() for id_ in by_id if id_ not in of_task]
            if are_all and of_task and lacking:
                message = "The examples count as independent, since not all have a document in the given file"
                problems.append(Problem("no-inputs", message, task, lacking[0], is_error=False))
        return replace(self, by_task=by_task, problems=problems, documents_are_given=are_all)

    def faults(self, task: Task, split: str | None) -> list[Problem]:
        """Why references of a task's split cannot be scored against.

        Those in which the scorer finds nothing to compare with are among them; metrics of words accept any text.
        """
        by_id = self.of(task.name, split)
        problems = list(dict.fromkeys(each.fault for each in by_id.values() if each.fault))
        compares_words = task.metric is ROUGE or task.metric.steps
        given = {} if compares_words else {id_: each for id_, each in by_id.items() if each.texts}
        try:
            if _are_readable(task, given.values()):
                return problems
        except MissingExtra as error:
            return [*problems, Problem("missing-extra", f"{error}, and score again", task.name)]
        for id_, each in given.items():
            try:
                score_text(task.metric, "", each.texts)
            except UnreadableReference as error:
                place = dict(enumerate(each.places)).get(error.reference or 0)
                message, text = f"A reference cannot be read: {error.why}. Correct it", repr(error.text)
                problems.append(Problem("unreadable-reference", message, task.name, id_, place, detail=text))
        return problems

    def with_hard_questions(self, ids: Iterable[str], benchmark: Benchmark) -> "References":
        """The references with the task `quality_hard`: the questions of `quality` with these ids.

        Raises `UnusableInput` for a benchmark without such a task.
        """
        if not benchmark.parts:
            raise UnusableInput(f"{benchmark.title} has no task of hard questions; leave out their ids")
        ((part, whole),), hard = benchmark.parts.items(), set(ids)
        if whole not in self.by_task:
            return self
        splits = {
            split: {
                id_: replace(each, fault=each.fault and replace(each.fault, task=part))
                for id_, each in by_id.items()
                if id_ in hard
            }
            for split, by_id in self.by_task[whole].items()
        }
        if not any(splits.values()):
            message = f"None of the hard IDs is in the references of {whole}. Check the list"
            return replace(self, problems=[*self.problems, Problem("hard-ids", message, part)])
        kept = {split: by_id for split, by_id in splits.items() if by_id}
        return replace(self, by_task=self.by_task | {part: kept})


def _are_readable(task: Task, references: Collection[Reference]) -> bool:
    """Whether the scorer finds something to compare with in each of the references, in one call."""
    try:
        task.metric.score_all([""] * len(references), [each.texts for each in references])
    except UnreadableReference:
        return False
    return True


def id_lists(source: Source, tasks: Mapping[str, Mapping[Any, Any]], first: str | None = None) -> list[IdList]:
    """The ids of each split, by task, with their references where given; those of the split `first` come first."""
    by_split: dict[str | None, dict[str, Any]] = {} if first is None else {first: {}}
    for task, splits in tasks.items():
        for split, ids in splits.items():
            by_split.setdefault(split, {})[task] = ids
    return [IdList(source, split, by_task) for split, by_task in by_split.items()]


def gather_references(
    sources: Iterable[InputFile],
    problems: Iterable[Problem] = (),
    *,
    benchmark: str | Benchmark = DEFAULT,
    columns: Mapping[str, str] | None = None,
    answered: Answered | None = None,
) -> References:
    """All references in the files; `problems` are those of opening them. Rows with one id are of one example.

    Of `columns`, see `read_predictions`, only `references` must be in these files. Where a file's name does not say its
    task, or ids stand in a field of another name, the ids of `answered` decide.
    """
    columns = {ours: theirs for ours, theirs in (columns or {}).items() if ours != "filter"}
    benchmark, references = find_benchmark(benchmark), References(problems=list(problems))
    rows, documents = list[Entry](), list[str | None]()
    for _, item in read_all(sources, "references", references.files, columns, benchmark):
        if isinstance(item, Entry):
            documents.append(item.document or document_of_row(item.task, item.data or {}, benchmark))
            rows.append(item.numbered(len(rows), bare_task(item.task, benchmark)))
        elif isinstance(item, Problem):
            references.problems.append(item)
    own = own_ids_of(rows, by=lambda row: row.name)
    rows = [row._replace(id=own[row.number].id) if row.number in own else row for row in rows]
    rows, without_ids = with_field_ids(rows, answered)
    references.problems += without_ids
    tasks = _tasks_by_ids(rows, answered.ids if answered else {}, benchmark)
    if tasks:
        rows = [row._replace(task=tasks.get(row.name, row.task)) for row in rows]
    message = "The task is taken from the IDs of the answers, not from the name of the file"
    for (file, _), task in tasks.items():
        references.problems.append(Problem("task-by-ids", message, task, place=Place(file), is_error=False))
    checked = check(rows, KnownIds(benchmark=benchmark), aspects=("task", "form"))
    for problem in checked.problems:  # an unknown task is not an error, a misspelt one is; nothing is repaired
        needed = problem.kind not in ("unknown-task", "other-benchmark")
        references.problems.append(replace(problem, is_error=problem.is_error and needed, repair=None))
    twice: dict[tuple[str, Place, Place], list[tuple[str, Reference]]] = {}
    least = _least_by_task(row for row in checked.rows if row.number in own)
    for row in (row for row in checked.rows if not row.refused):
        by_id = references.by_task.setdefault(row.task, {}).setdefault(row.split, {})
        earlier, read = by_id.get(row.id), texts_of(row)
        if earlier and earlier.is_of_row and row.number in own:  # the same question in another file
            continue
        reference = by_id.setdefault(row.id, Reference(place=row.place, facts=row.facts))
        if row.number in own:
            reference.is_of_row, reference.question = True, question_again(own[row.number], least[row.task])
        reference.document = documents[row.number] or reference.document
        if earlier and earlier.place and _are_two_sets(earlier.place, row.place):
            places = Place(earlier.place.file), Place(row.place.file)
            twice.setdefault((row.task, *places), []).append((row.id, reference))
        elif isinstance(read, Problem):
            reference.fault = reference.fault or read
        else:
            reference.fault = reference.fault or row_fault(row, benchmark)
            reference.texts = with_row([*reference.texts, *read], row.row)
            reference.places += [row.place] * len(read)
    _refuse(references, twice)
    return references


def _are_two_sets(first: Place, second: Place) -> bool:
    """Whether two references of an example are not alternatives: of two files, or of two equal keys of an object.

    Rows of one file are; a value of an object has no row.
    """
    return first.file != second.file or second.row is None


def _refuse(references: References, twice: Mapping[tuple[str, Place, Place], Sequence[tuple[str, Reference]]]) -> None:
    """Set the faults of examples with references in two places, the same for all of two files, and of empty ones."""
    for (task, place, other), examples in twice.items():
        ids = dict(examples)
        message, family = "Two files have references of the same IDs. Give one of them", "two-references"
        if place == other:
            message, family = "The object has a key twice. Keep one", "key-twice"
        detail = f"{counted(len(ids), 'ID')}, such as {short(next(iter(ids)))!r}"
        fault = Problem(family, message, task, None, place, None if place == other else other, detail=detail)
        for reference in ids.values():
            reference.fault = fault
    for task, splits in references.by_task.items():
        for id_, each in ((id_, each) for by_id in splits.values() for id_, each in by_id.items()):
            if each.texts and is_blank(each.texts) and each.fault is None:
                each.fault = Problem("null-reference", IS_EMPTY, task, id_, each.place)


def _least_by_task(rows: Iterable[Entry]) -> dict[str, dict[str, int]]:
    files: dict[str, dict[str | None, list[str]]] = {}
    for row in rows:
        files.setdefault(row.task, {}).setdefault(row.place.file, []).append(row.id)
    return {task: least_often(of_task.values()) for task, of_task in files.items()}


def with_own_references(
    references: References, read: Iterable[ReadPredictions], *, alone: bool = False, names: Sequence[str] = ()
) -> References:
    """The references, and those beside rows of predictions without ids whose questions they have, but less often.

    If they are to be scored `alone`, without any others, those of all rows that have some, with warnings: which columns
    are taken for them, and that ids have others in a second system. `names` are those of the systems.
    """
    read = [each for each in read if not any(each is other for other in references.rows_of)]
    added, systems = False, [[*_with_references(each.rows, each.benchmark)] for each in read]
    if not any(systems):
        return references
    by_task = {task: {split: dict(ids) for split, ids in splits.items()} for task, splits in references.by_task.items()}
    benchmarks = {task: each.benchmark for each in read for task in each.benchmark.all_tasks}
    files: dict[str, list[list[str]]] = {task: [[*ids] for ids in splits.values()] for task, splits in by_task.items()}
    for rows in systems:
        ids = dict[str, list[str]]()
        for row, own in rows:
            ids.setdefault(row.task, []).extend([own.id] if own else [])
        for task, of_task in ids.items():
            files.setdefault(task, []).append(of_task)
    least = {task: least_often(of_task) for task, of_task in files.items()}
    for row, own in chain.from_iterable(systems):
        splits = by_task.setdefault(row.task, {None: {}}) if alone else by_task.get(row.task, {})
        for by_id in splits.values():
            first = by_id.get(base_id(own.id)) if own else None
            if row.id not in by_id and (alone or (first and first.is_of_row)):
                again, added = question_again(own, least[row.task]) if own else None, True
                by_id[row.id] = Reference(facts=row.facts, is_of_row=own is not None, question=again)
                texts = texts_of(row._replace(value=row.references))
                if isinstance(texts, Problem):
                    by_id[row.id].fault = texts
                else:
                    by_id[row.id].fault = row_fault(row, benchmarks[row.task])
                    by_id[row.id].texts = with_row(texts, row.row)
                    by_id[row.id].places = [row.place] * len(texts)
    if not added:
        return references
    said = [*_on_columns(read), *_on_others(systems, names)] if alone else []
    rows_of = [*references.rows_of, *read]
    return replace(references, by_task=by_task, problems=[*references.problems, *said], rows_of=rows_of)


def _on_others(systems: Sequence[Sequence[tuple[Entry, OwnId | None]]], names: Sequence[str]) -> Iterator[Problem]:
    """Warnings about ids that have other references in one system than in an earlier one, whose are taken."""
    first: dict[tuple[Any, Any], tuple[int, Entry]] = {}
    others: dict[tuple[Any, int, int], list[tuple[Entry, Entry]]] = {}
    for number, rows in enumerate(systems):
        for row in (row for row, own in rows if own is None):
            earlier, taken = first.setdefault((row.task, row.id), (number, row))
            if earlier != number and _sorted_references(row) != _sorted_references(taken):
                others.setdefault((row.task, earlier, number), []).append((taken, row))
    names = names or [f"system {number}" for number in range(1, len(systems) + 1)]
    for (task, earlier, number), pairs in others.items():
        (taken, row), count = pairs[0], counted(len(pairs), "answer")
        message = (
            f"{count} of {names[number]} with other references beside them than in {names[earlier]}; all are scored "
            f"against those of {names[earlier]}. Give the references to score against"
        )
        yield Problem("other-references", message, task, row.id, taken.place, row.place, is_error=False)


def _sorted_references(row: Entry) -> list[str] | Problem:
    texts = texts_of(row._replace(value=row.references))
    return sorted(texts) if isinstance(texts, list) else texts


def _on_columns(read: Iterable[ReadPredictions]) -> Iterator[Problem]:
    """Warnings that name the columns and fields which are taken for references, where none were given."""
    names = dict.fromkeys(file.beside for each in read for file in each.files if file.beside)
    if names:
        shown = " and ".join(repr(short(clean_text(name, "header"))) for name in names)
        message = f"No references were given, so the answers are scored against those beside them, in {shown}"
        yield Problem("own-references", message, is_error=False)


def _with_references(rows: Sequence[Entry], benchmark: Benchmark) -> Iterator[tuple[Entry, OwnId | None]]:
    """The rows of predictions with an id and references beside it; the id may be made, as is then said."""
    rows = [row for row in rows if row.references is not None]
    named = ((row, canonical_task(row.task, benchmark)) for row in rows)  # which a repair may take for it
    rows = [row if row.task == task else row._replace(task=task) for row, task in named if task in benchmark.all_tasks]
    own = own_ids_of(rows, by=lambda row: written(row.task))
    for row in rows:
        if row.number in own:
            yield row._replace(id=own[row.number].id), own[row.number]
        elif isinstance(row.id, str) and row.fault is None:
            yield row, None


def without_answers(columns: Mapping[str, str] | None) -> dict[str, str]:
    """The columns as they are for files of references that are not the predictions' own: what holds answers is open."""
    return {ours: theirs for ours, theirs in (columns or {}).items() if ours != "prediction"}


def _tasks_by_ids(
    rows: Iterable[Entry], answered: Mapping[str, Sequence[str]], benchmark: Benchmark
) -> dict[tuple[str | None, str | None], str]:
    """The task of each file whose name says none: the only one most of whose answered ids are in it."""
    ids: dict[tuple[str | None, str | None], set[str]] = {}
    for row in rows if answered else ():
        if row.task_is_from_name and row.task not in benchmark.all_tasks and isinstance(row.id, str):
            ids.setdefault(row.name, set()).add(row.id)
    tasks = {}
    for name, found in ids.items():
        fit = [task for task, of_task in answered.items() if 2 * len(found.intersection(of_task)) > len(of_task)]
        if len(fit) == 1:
            tasks[name] = fit[0]
    return tasks


def references_of_other(task: str, by_id: Mapping[str, Sequence[str]], benchmark: Benchmark) -> Problem | None:
    """The problem if most references of a task with options are those of the same task of another benchmark.

    ZeroSCROLLS has the letter of the right option, SCROLLS its text. Letters in SCROLLS are an error. Texts in
    ZeroSCROLLS are a warning, since those without a letter are unreadable anyway; an article at the start is no letter.

    >>> references_of_other("quality", {"1_x": ["B"], "2_y": ["(C) a boat"]}, find_benchmark()) is None
    True
    """
    ours = benchmark.all_tasks.get(task)
    theirs = (other.all_tasks[task] for other in BENCHMARKS.values() if task in other.all_tasks)
    other = next((each for each in theirs if ours and ours.options and each.metric is not ours.metric), None)
    if ours is None or other is None:
        return None
    texts = [text for references in by_id.values() for text in references]
    if by_text := ours.metric is not ACCURACY:
        what, others = "letters", sum(_LETTER.fullmatch(text) is not None for text in texts)
    else:
        what, others = "the texts of options", sum(read_letter(text.removeprefix("A ")) is None for text in texts)
    if 2 * others <= len(texts):
        return None
    title = other.benchmark.title
    message = f"The references are {what}, as in {title}. Score the file as {title}, or use the references of "
    name = other.benchmark.name
    return Problem("other-benchmark", message + benchmark.title, task, is_error=by_text, benchmark=name)


def references_are_nulls(task: str, by_id: Mapping[str, Sequence[str]]) -> Problem | None:
    """The problem if every reference is a word for a missing value, as programs write the test split's nulls."""
    texts = [text for references in by_id.values() for text in references]
    if len(texts) < 2 or not all(text.strip().lower() in NOTHING for text in texts):
        return None
    message = f"Every reference is {texts[0].strip()!r}, written for a missing one. Take a split that has them"
    return Problem("null-reference", message, task)


def references_are_lists(task: str, by_id: Mapping[str, Sequence[str]]) -> Problem | None:
    """The problem if most references are lists that are written as texts, which are scored as one text each."""
    texts = [text for references in by_id.values() for text in references]
    lists = [text for text in texts if listed(text)]
    if 2 * len(lists) <= len(texts):
        return None
    message = (
        f"{len(lists):,} of {counted(len(texts), 'reference')} are lists written as texts. Write them as JSON's lists"
    )
    return Problem("listed-reference", message, task, is_error=False, detail=short(lists[0]))


def reference_hash(references: Mapping[str, Mapping[str, Sequence[str]]], *, benchmark: object = DEFAULT) -> str:
    """A hash of `{task: {id: references}}`: the first 12 digits of the SHA-256 of its canonical JSON.

    The order of tasks, ids and references does not matter, since no score depends on it. Fields of rows that the
    task's metric reads count, too, unless they are the `choices` that the task has anyway. Unusable references raise
    `UnknownTask`, `NotAText` or `UnreadableReference`; none at all, `EmptyInput`.

    >>> reference_hash({"quality": {"1_x": ["B"], "2_y": ["C"]}})
    'sha256:49aef7744d5e'
    """
    tasks = {name: find_task(name, benchmark=benchmark) for name in references}
    rows = [
        [tasks[name].name, clean_text(id_, "id"), sorted(clean_references(texts)), *_fields(tasks[name], texts)]
        for name, examples in references.items()
        for id_, texts in examples.items()
    ]
    if not rows:
        raise EmptyInput("references")
    text = json.dumps(sorted(rows), ensure_ascii=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()[:12]


def _fields(task: Task, references: Sequence[str]) -> list[str]:
    """Return the fields of a row that the task's metric reads, as JSON; nothing where none says anything new."""
    row = row_of(references)
    read = {name: row[name] for name in sorted(task.metric.fields) if row.get(name) not in (None, [*task.choices])}
    return [json.dumps(read)] if read else []
