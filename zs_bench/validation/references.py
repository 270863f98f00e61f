"""References in files, their ids, and signs that they are not those of the benchmark's split."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from zs_bench.benchmarks import BENCHMARKS, DEFAULT, Benchmark, Task, find_benchmark, find_task
from zs_bench.errors import UnusableInput
from zs_bench.files.entries import Entry, Reference, Source, bare_task, texts_of
from zs_bench.files.formats import read_all
from zs_bench.inputs import document_of_row
from zs_bench.problems import Place, Problem
from zs_bench.validation.known_ids import IdList, KnownIds
from zs_bench.validation.rules import NOTHING
from zs_bench.validation.validate import check
from zs_metric.accuracy import read_letter
from zs_metric.errors import EmptyInput, UnreadableReference
from zs_metric.scoring import score_example
from zs_metric.tasks import ACCURACY, ROUGE
from zs_metric.texts import clean_references, clean_text

# A bare letter, or one that marks an option: `B`, `(B) text`, `B. text`.
_LETTER = re.compile(r"\W*[A-D]([).:].*|\W*)", re.DOTALL)


@dataclass(slots=True)
class References:
    """References by task, split (`None` if unknown) and id, with the problems found in them.

    Attributes:
        about: `source`, `split` and `revision`; empty for files.
        documents_are_given: whether the references alone say which examples share a document, and no id.
    """

    by_task: dict[str, dict[str | None, dict[str, Reference]]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    about: dict[str, str | None] = field(default_factory=dict)
    documents_are_given: bool = False
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
        """The `reference_hash` of these tasks, each with its split, without examples that have no reference."""
        key = tuple(splits.items())
        if key not in self._hashes:
            texts = {
                task: {id_: reference.texts for id_, reference in self.of(task, split).items() if reference.texts}
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
        texts = {
            task: {name: {id_: each.texts for id_, each in by_id.items()} for name, by_id in splits.items()}
            for task, splits in self.by_task.items()
        }
        return KnownIds(id_lists("the references", texts, split), split is None, benchmark=benchmark)

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
        for id_, each in by_id.items() if not compares_words else ():
            try:
                if each.texts:
                    score_example(task, "", each.texts)
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


def id_lists(source: str, tasks: Mapping[str, Mapping[Any, Any]], first: str | None = None) -> list[IdList]:
    """The ids of each split, by task, with their references where given; those of the split `first` come first."""
    by_split: dict[str | None, dict[str, Any]] = {} if first is None else {first: {}}
    for task, splits in tasks.items():
        for split, ids in splits.items():
            by_split.setdefault(split, {})[task] = ids
    return [IdList(source, split, by_task) for split, by_task in by_split.items()]


def gather_references(
    sources: Iterable[Source],
    problems: Iterable[Problem] = (),
    *,
    benchmark: str | Benchmark = "zero_scrolls",
    columns: Mapping[str, str] | None = None,
    answered: Mapping[str, Sequence[str]] | None = None,
) -> References:
    """All references in the files; `problems` are those of opening them. Rows with one id are of one example.

    `columns` is that of `read_predictions`, where the files are those of the predictions. `answered`, the ids of the
    predictions by task, determine the task of rows in a file whose name does not.
    """
    benchmark, references = find_benchmark(benchmark), References(problems=list(problems))
    rows, documents = list[Entry](), list[str | None]()
    for _, item in read_all(sources, "references", [], columns, benchmark):
        if isinstance(item, Entry):
            documents.append(document_of_row(item.task, item.data or {}, benchmark))
            rows.append(item.numbered(len(rows), bare_task(item.task, benchmark)))
        elif isinstance(item, Problem):
            references.problems.append(item)
    tasks = _told_tasks(rows, answered or {}, benchmark)
    if tasks:
        rows = [row._replace(task=tasks.get(row.name, row.task)) for row in rows]
    message = "The task is taken from the IDs of the answers, not from the name of the file"
    for (file, _), task in tasks.items():
        references.problems.append(Problem("task-by-ids", message, task, place=Place(file), is_error=False))
    checked = check(rows, KnownIds(benchmark=benchmark), aspects=("task", "form"))
    for problem in checked.problems:  # an unknown task is not an error, a misspelt one is; nothing is repaired
        needed = problem.kind not in ("unknown-task", "other-benchmark")
        references.problems.append(replace(problem, is_error=problem.is_error and needed, repair=None))
    for row in (row for row in checked.rows if not row.refused):
        by_id = references.by_task.setdefault(row.task, {}).setdefault(row.split, {})
        reference, read = by_id.setdefault(row.id, Reference()), texts_of(row)
        reference.document = documents[row.number] or reference.document
        if isinstance(read, Problem):
            reference.fault = reference.fault or read
        else:
            reference.texts += read
            reference.places += [row.place] * len(read)
    return references


def _told_tasks(
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


def reference_hash(references: Mapping[str, Mapping[str, Sequence[str]]], *, benchmark: object = DEFAULT) -> str:
    """A hash of `{task: {id: references}}`: the first 12 digits of the SHA-256 of its canonical JSON.

    The order of tasks, ids and references does not matter, since no score depends on it. Unusable references raise
    `UnknownTask`, `NotAText` or `UnreadableReference`; none at all, `EmptyInput`.

    >>> reference_hash({"quality": {"1_x": ["B"], "2_y": ["C"]}})
    'sha256:49aef7744d5e'
    """
    rows = [
        [find_task(task, benchmark=benchmark).name, clean_text(id_, "id"), sorted(clean_references(texts))]
        for task, examples in references.items()
        for id_, texts in examples.items()
    ]
    if not rows:
        raise EmptyInput("references")
    text = json.dumps(sorted(rows), ensure_ascii=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()[:12]
