"""References in files, and their ids."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from zs_bench.errors import UnusableInput
from zs_bench.files import limits
from zs_bench.files.entries import Entry
from zs_bench.files.formats import read_all
from zs_bench.files.json_text import kind, written
from zs_bench.files.opened_file import Source
from zs_bench.problems import Place, Problem
from zs_bench.tasks import info
from zs_bench.validation.checks import check
from zs_bench.validation.known_ids import UNFIT, IdList, KnownIds
from zs_bench.validation.rules import Row
from zs_bench.validation.task_rules import bare_task
from zs_metric.errors import UnreadableReference
from zs_metric.scoring import score_example
from zs_metric.tasks import BENCHMARKS, Benchmark, Task, find_benchmark
from zs_metric.texts import clean_text

#: References by id.
ById = dict[str, list[str]]
_Place = tuple[str, str | None, str]
#: The task QuALITY, and in SCROLLS the task of its hard questions.
ALL, HARD = next(
    (whole.name, task.name)
    for benchmark in BENCHMARKS.values()
    for task in benchmark.all_tasks.values()
    if (whole := info(task).hard_part_of)
)


@dataclass(slots=True)
class References:
    """References by task, split (`None` if unknown) and id, with the problems found in them.

    Attributes:
        places: the places of an example's references, in their order, by task, split and id.
        unlabelled: the problems of rows without a usable reference, by task and split; they count if that split is
            scored against.
        documents: the name of an example's document, where known, by task, split and id.
        hashes: a cache of `ScoredFile.signature`.
        about: `source`, `split` and `revision`; empty for files.
    """

    tasks: dict[str, dict[str | None, ById]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    places: dict[_Place, list[Place]] = field(default_factory=dict)
    unlabelled: dict[tuple[str, str | None], list[Problem]] = field(default_factory=dict)
    documents: dict[_Place, str] = field(default_factory=dict)
    hashes: dict[tuple[tuple[str, str | None], ...], str] = field(default_factory=dict, compare=False)
    about: dict[str, str | None] = field(default_factory=dict)

    def known(self, benchmark: Benchmark) -> KnownIds:
        """The ids to check predictions against; for each task, of the split that has most of the predicted ids."""
        return KnownIds(id_lists("the references", self.tasks), by_overlap=True, benchmark=benchmark)

    def unreadable(self, task: Task, split: str | None) -> list[Problem]:
        """References in which the scorer finds nothing to compare with. ROUGE, which is slow, accepts any text."""
        if task.metric.name == "rouge":
            return []
        problems = []
        for id_, texts in self.tasks[task.name][split].items():
            try:
                if texts:
                    score_example(task, "", texts)
            except UnreadableReference as error:
                place = dict(enumerate(self.places.get((task.name, split, id_), ()))).get(error.reference or 0)
                message, text = f"A reference cannot be read: {error.why}. Correct it", repr(error.text)
                problems.append(Problem("unreadable-reference", message, task.name, id_, place, detail=text))
        return problems

    def with_hard_questions(self, ids: Iterable[str]) -> "References":
        """The references with the task `quality_hard`: the questions of `quality` with these ids."""
        hard, problems, tasks = set(ids), list(self.problems), dict(self.tasks)
        by_split = {
            split: {id_: by_id[id_] for id_ in by_id if id_ in hard} for split, by_id in tasks.get(ALL, {}).items()
        }
        if questions := {split: by_id for split, by_id in by_split.items() if by_id}:
            tasks[HARD] = questions
        elif ALL in tasks:
            message = "None of the hard IDs is in the references of quality. Check the list"
            problems.append(Problem("hard-ids", message, HARD))
        places = {(HARD, s, i): at for (task, s, i), at in self.places.items() if task == ALL}
        documents = {(HARD, s, i): name for (task, s, i), name in self.documents.items() if task == ALL}
        more: Any = {"places": self.places | places, "documents": self.documents | documents, "hashes": {}}
        return replace(self, tasks=tasks, problems=problems, **more)


def gather_references(
    sources: Iterable[Source], problems: Iterable[Problem] = (), *, benchmark: str | Benchmark = "zero_scrolls"
) -> References:
    """All references in the files; `problems` are those of opening them.

    Rows with the same id are references of one example.
    """
    benchmark, references, entries = find_benchmark(benchmark), References(problems=list(problems)), list[Entry]()
    for _, item in read_all(sources, "references", []):
        if isinstance(item, Entry):
            entries.append(item)
        elif isinstance(item, Problem):
            references.problems.append(item)
    rows = [Row.of_entry(i, entry, bare_task(entry.task, benchmark)) for i, entry in enumerate(entries)]
    checked = check(rows, KnownIds(benchmark=benchmark), aspects=("task", "form"))
    for problem in checked.problems:  # an unknown task is not an error, a misspelt one is; nothing is repaired
        needed = problem.kind not in ("unknown-task", "other-benchmark")
        references.problems.append(replace(problem, is_error=problem.is_error and needed, repair=None))
    for row in checked.rows:
        if not row.refused:
            _add(references, entries[row.number], row.task, row.id)
    return references


def _add(references: References, entry: Entry, task: str, id_: str) -> None:
    place = task, entry.split, id_
    texts = references.tasks.setdefault(task, {}).setdefault(entry.split, {}).setdefault(id_, [])
    if entry.document:
        references.documents[place] = entry.document
    values = entry.value if type(entry.value) is list and entry.value else [entry.value]
    if wrong := next(filter(None, (_not_a_reference(value, task, id_, entry.place) for value in values)), None):
        references.unlabelled.setdefault((task, entry.split), []).append(wrong)
        return
    texts += [clean_text(value, "reference") for value in values]
    references.places.setdefault(place, []).extend([entry.place] * len(values))


def _not_a_reference(value: object, task: str, id_: str, place: Place) -> Problem | None:
    if isinstance(value, str):
        too_long = f"The reference is longer than {limits.MAX_TEXT:,} characters. Shorten it"
        return Problem("too-long", too_long, task, id_, place) if len(value) > limits.MAX_TEXT else None
    message = f"The reference is {kind(value)}, not a text. Take references of a split that has them"
    name = "null-reference" if value is None else "not-a-text"
    return Problem(name, message, task, id_, place, detail=written(value))


def ids_of_references(
    references: References, split: str | None = None, *, benchmark: str | Benchmark = "zero_scrolls"
) -> KnownIds:
    """The ids of the references that are fit to check against, with the problems of the others.

    Args:
        split: the split to check against; by default, for each task, the split with most of the predicted ids.

    Raises:
        UnusableInput: if there is no such split.
    """
    problems = [problem for problem in references.problems if problem.is_error]
    tasks: dict[str, dict[str | None, ById]] = {}
    for task, splits in references.tasks.items():
        for name, by_id in splits.items():
            unfit = [problem for problem in references.unlabelled.get((task, name), ()) if problem.kind in UNFIT]
            problems += unfit
            if not unfit:
                tasks.setdefault(task, {})[name] = by_id
    names = dict.fromkeys(name for splits in tasks.values() for name in splits)
    if split is not None and split not in names:
        has = ", ".join(name for name in names if name) or "of no named split"
        raise UnusableInput(f"there are no references of the split {split!r}; they are {has}")
    lists = id_lists("the references", tasks, split)
    return KnownIds(lists, by_overlap=split is None, problems=problems, benchmark=find_benchmark(benchmark))


def id_lists(source: str, tasks: Mapping[str, Mapping[Any, Any]], first: str | None = None) -> list[IdList]:
    """The ids of each split, by task, with their references where given; those of the split `first` come first."""
    by_split: dict[str | None, dict[str, Any]] = {} if first is None else {first: {}}
    for task, splits in tasks.items():
        for split, ids in splits.items():
            by_split.setdefault(split, {})[task] = ids
    return [IdList(source, split, by_task) for split, by_task in by_split.items()]
