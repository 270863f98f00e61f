"""References: read from files by the readers of predictions, or from a data source, and their ids."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from zs_bench.dataset.hub import SourceUnavailable
from zs_bench.dataset.inspection import Loaded
from zs_bench.dataset.sources import OpenedPath, load_examples, opened
from zs_bench.files import limits
from zs_bench.files.entries import Entry
from zs_bench.files.formats import read_all
from zs_bench.files.json_text import kind, written
from zs_bench.files.opened_file import Source
from zs_bench.problems import Place, Problem, UnusableInput
from zs_bench.progress import Progress, part_of
from zs_bench.prompts.dissection import document_of
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
#: QuALITY's questions, and the hard ones among them, which are a task of their own in SCROLLS.
ALL, HARD = next(
    (whole.name, task.name)
    for one in BENCHMARKS.values()
    for task in one.all_tasks.values()
    if (whole := info(task).hard_part_of)
)
# Findings that matter for a score, although they do not forbid it.
_WARNINGS = {"cache", "not-all"}


@dataclass(slots=True)
class References:
    """References by task, split and id (`None` where no split is known), with the problems found on the way.

    Attributes:
        places: by task, split and id the place of each reference, in the order of the references.
        unlabelled: by task and split the rows without a usable reference; they matter if that split is scored against.
        documents: by task, split and id a name of the document that the example is about, where it is known.
        hashes: of the references that were scored against, by task and split (`ScoredFile.signature` keeps them here).
        about: the `source`, `split` and `revision` they are from; empty for files.
    """

    tasks: dict[str, dict[str | None, ById]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    places: dict[tuple[str, str | None, str], list[Place]] = field(default_factory=dict)
    unlabelled: dict[tuple[str, str | None], list[Problem]] = field(default_factory=dict)
    documents: dict[tuple[str, str | None, str], str] = field(default_factory=dict)
    hashes: dict[tuple[tuple[str, str | None], ...], str] = field(default_factory=dict, compare=False)
    about: dict[str, str | None] = field(default_factory=dict)

    def known(self, benchmark: Benchmark) -> KnownIds:
        """The ids, to check predictions against: of each task the split that holds most of their ids."""
        by_split: dict[str | None, dict[str, Sequence[str]]] = {}
        for task, splits in self.tasks.items():
            for split, by_id in splits.items():
                by_split.setdefault(split, {})[task] = list(by_id)
        lists = [IdList("the references", split, ids) for split, ids in by_split.items()]
        return KnownIds(lists, by_overlap=True, benchmark=benchmark)

    def unreadable(self, task: Task, split: str | None) -> list[Problem]:
        """References in which the scorer finds nothing to compare with. ROUGE reads any text, and slowly."""
        if task.metric.name == "rouge":
            return []
        found = []
        for key, texts in self.tasks[task.name][split].items():
            try:
                if texts:  # without any it is unlabelled
                    score_example(task, "", texts)
            except UnreadableReference as error:
                place = dict(enumerate(self.places.get((task.name, split, key), ()))).get(error.reference or 0)
                message = f"A reference cannot be read: {error.why}. Correct it"
                found.append(Problem("unreadable-reference", message, task.name, key, place, detail=repr(error.text)))
        return found

    def with_hard_questions(self, ids: Iterable[str]) -> References:
        """The same with the task `quality_hard`: the questions of `quality` with these ids."""
        hard = set(ids)
        splits = {
            split: {key: texts for key, texts in by_id.items() if key in hard}
            for split, by_id in self.tasks.get(ALL, {}).items()
        }
        found = {split: by_id for split, by_id in splits.items() if by_id}
        problems = self.problems
        if ALL in self.tasks and not found:
            message = "None of the hard IDs is in the references of quality. Check the list"
            problems = [*problems, Problem("hard-ids", message, HARD)]
        return replace(
            self,
            tasks={**self.tasks, **({HARD: found} if found else {})},
            problems=problems,
            hashes={},
            places=self.places | {(HARD, *key[1:]): at for key, at in self.places.items() if key[0] == ALL},
            documents=self.documents | {(HARD, *key[1:]): at for key, at in self.documents.items() if key[0] == ALL},
        )


def gather_references(
    sources: Iterable[Source], problems: Iterable[Problem] = (), *, benchmark: str | Benchmark = "zero_scrolls"
) -> References:
    """All references of the files, the problems of opening them first.

    Rows with the same id are several references of one example.
    """
    found, of = References(problems=list(problems)), find_benchmark(benchmark)
    entries: list[Entry] = []
    for _, one in read_all(sources, "references", []):
        if isinstance(one, Problem):
            found.problems.append(one)
        elif isinstance(one, Entry):
            entries.append(one)
    rows = [Row(i, bare_task(one.task, of), one.id, one.value, one.place) for i, one in enumerate(entries)]
    checked = check(rows, KnownIds(benchmark=of), aspects=("task", "form"))
    found.problems += [_of_reference(problem) for problem in checked.problems]
    for row in checked.rows:
        if not row.refused:
            _add(found, entries[row.number], row.task)
    return found


def _of_reference(problem: Problem) -> Problem:
    """References of an unknown task are not needed: only a misspelt one is an error. None is repaired."""
    needed = problem.kind not in ("unknown-task", "task-by-ids", "other-benchmark")
    return replace(problem, refuses=problem.refuses and needed, repair=None)


def _add(found: References, entry: Entry, task: str) -> None:
    split, key = entry.split, clean_text(entry.id, "id")
    references = found.tasks.setdefault(task, {}).setdefault(split, {}).setdefault(key, [])
    if entry.document:
        found.documents[task, split, key] = entry.document
    texts = entry.value if type(entry.value) is list and entry.value else [entry.value]
    wrong = next((problem for text in texts if (problem := _not_a_reference(text, task, key, entry.place))), None)
    if wrong:
        found.unlabelled.setdefault((task, split), []).append(wrong)
        return
    references += [clean_text(text, "reference") for text in texts]
    found.places.setdefault((task, split, key), []).extend([entry.place] * len(texts))


def _not_a_reference(value: object, task: str, key: str, place: Place) -> Problem | None:
    if isinstance(value, str):
        too_long = f"The reference is longer than {limits.MAX_TEXT:,} characters. Shorten it"
        return Problem("too-long", too_long, task, key, place) if len(value) > limits.MAX_TEXT else None
    message = f"The reference is {kind(value)}, not a text. Take references of a split that has them"
    name = "null-reference" if value is None else "not-a-text"
    return Problem(name, message, task, key, place, detail=written(value))


def references_from_source(
    source: str | Path,
    tasks: Iterable[str],
    split: str = "validation",
    revision: str | None = None,
    *,
    benchmark: str | Benchmark = "zero_scrolls",
    progress: Progress | None = None,
) -> References:
    """The references of these tasks; all are read at the commit that the first was read at.

    A task whose file is missing or damaged, or whose split is unfit, is a problem that refuses that task alone.

    Args:
        source: see `zs_bench.dataset.sources`.
        tasks: the tasks' names.
        split: `validation` or `test`, in SCROLLS also `train`.
        revision: for the Hub: a branch, a tag or a commit.
        benchmark: whose tasks they are.
        progress: called with the share done and a few words.

    Raises:
        SourceUnavailable: when the Hub could give nothing at all.
        ZeroScrollsError: for a source or revision that cannot be meant.
    """
    about: dict[str, str | None] = {"source": None, "split": split, "revision": None}
    found, wanted = References(about=about), list(tasks)
    origin: str | Path | OpenedPath = source
    for done, task in enumerate(wanted):
        part, at = part_of(progress, done, len(wanted)), about["revision"] or revision
        try:
            origin = opened(origin)
            loaded = load_examples(
                origin, task, split, revision=at, benchmark=find_benchmark(benchmark).name, progress=part
            )
        except (SourceUnavailable, UnusableInput) as error:
            if isinstance(error, SourceUnavailable) and not error.of_one_file:
                raise
            found.problems.append(Problem("no-data", str(error), task))
            continue
        about["source"] = about["source"] or loaded.source_label
        about["revision"] = about["revision"] or loaded.revision
        _add_loaded(found, loaded)
    return found


def _add_loaded(found: References, loaded: Loaded) -> None:
    """The references of a task. What makes it unfit is kept with its split, where the scorer finds it."""
    by_id = {example.id: list(example.references) for example in loaded.examples}
    task = loaded.task.name
    found.tasks[task] = {loaded.split: by_id}
    named = ((example.id, document_of(example)) for example in loaded.examples)
    found.documents |= {(task, loaded.split, key): name for key, name in named if name}
    found.problems += [one for one in loaded.findings if not one.refuses and one.kind in _WARNINGS]
    refusing = [problem for problem in loaded.findings if problem.refuses]
    message = "The example has no reference. Take a split or revision that has them"
    nulls = [Problem("null-reference", message, task, key) for key, texts in by_id.items() if not texts]
    if refusing or nulls:
        found.unlabelled[task, loaded.split] = refusing or nulls


def ids_of_references(
    references: References,
    split: str | None = None,
    *,
    benchmark: str | Benchmark = "zero_scrolls",
) -> KnownIds:
    """The ids of references that are fit to check against, with what is wrong with the others.

    Args:
        references: from files or from a source.
        split: what predictions are checked against; without it, of each task the split that holds most of their ids.
        benchmark: whose tasks they are of.

    Raises:
        UnusableInput: when there is no such split.
    """
    problems = [problem for problem in references.problems if problem.refuses]
    tasks: dict[str, dict[str | None, ById]] = {}
    for task, splits in references.tasks.items():
        for name, by_id in splits.items():
            unfit = [one for one in references.unlabelled.get((task, name), ()) if one.kind in UNFIT]
            problems += unfit
            if not unfit:
                tasks.setdefault(task, {})[name] = by_id
    known = replace(references, tasks=tasks).known(find_benchmark(benchmark))
    names = [one.split for one in known.lists]
    if split is not None and split not in names:
        has = ", ".join(name for name in names if name) or "of no named split"
        raise UnusableInput(f"there are no references of the split {split!r}; they are {has}")
    lists = sorted(known.lists, key=lambda one: one.split != split)
    return replace(known, lists=lists, by_overlap=split is None, problems=problems)
