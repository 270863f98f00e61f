"""What a visitor chooses from: benchmarks, tasks, sources and examples, with their questions and sample answers.

With `ZS_DATA=PATH`, a folder or ZIP, the page offers the owner's examples as a source. The value of a task in a menu is
its name, as in `qasper`, and outside the first benchmark also the benchmark's, as in `scrolls/qasper`.
"""

import csv
import os
import re
from functools import cache
from pathlib import Path
from threading import Condition
from typing import NamedTuple

from cachetools import TTLCache, cached

from zs_app import words
from zs_bench.benchmarks import DEFAULT, Benchmark, Task, available, find_task
from zs_bench.dataset.inspection import Loaded
from zs_bench.dataset.rows import Example, embedded_titles, sample_predictions
from zs_bench.dataset.sources import load_examples
from zs_bench.errors import PromptFormatError, UnusableInput
from zs_bench.problems import short
from zs_metric.errors import UnknownBenchmark, ZeroScrollsError

FIRST = DEFAULT  # the initial benchmark; the values of its tasks are their names
#: The first tasks of the page: of a typed answer, and of "Try a task".
FIRST_TASK, FIRST_EXAMPLE = "qasper", ("quality", 0)
OWN = "data"  # the name of the owner's source in addresses; visitors cannot name paths
_SOURCES = {"embedded": words.SOURCE_EMBEDDED, "hub": words.SOURCE_HUB}
MAX_KEPT = 100_000_000  # the most characters of inputs that are cached
_OPTION = re.compile(r"^ *\(([A-D])\) (.+)$", re.MULTILINE)
_SUMMARY = re.compile(r"^Summary (\d+):\n(.+?)(?=\nSummary \d+:|\Z)", re.MULTILINE | re.DOTALL)


class NoSuchExample(ZeroScrollsError):
    """A source, prompt variant or index that does not exist."""


def benchmark_named(name: object) -> Benchmark:
    """Return the benchmark of that name; visitors cannot name files."""
    if isinstance(name, str) and name in available():
        return available()[name]
    raise UnknownBenchmark(name, available())


def task_of(value: object) -> Task:
    """Return the task with that value.

    >>> task_of("scrolls/qasper").benchmark.title
    'SCROLLS'
    """
    if not isinstance(value, str):
        return find_task(value)  # raises the error
    benchmark, _, name = value.rpartition("/")
    return find_task(name, benchmark=benchmark_named(benchmark or FIRST))


def value_of(task: Task) -> str:
    """Return the task's value in a menu.

    >>> value_of(find_task("qasper", benchmark="scrolls")), value_of(find_task("qasper"))
    ('scrolls/qasper', 'qasper')
    """
    return task.name if task.benchmark.name == FIRST else f"{task.benchmark.name}/{task.name}"


def benchmark_choices() -> list[tuple[str, str]]:
    """Return the menu of benchmarks: title and name."""
    return [(f"{each.title} · {len(each.tasks)} tasks", each.name) for each in available().values()]


def tasks(benchmark: str) -> list[tuple[str, str]]:
    """Return the menu of the tasks of a benchmark: title and value."""
    return [(task.title, value_of(task)) for task in benchmark_named(benchmark).tasks.values()]


def with_own_data(sources: dict[str, str]) -> dict[str, str]:
    """Return the sources, name to title, and the owner's; raises `UnusableInput` when `ZS_DATA` does not exist."""
    path = os.environ.get("ZS_DATA")
    if path and not Path(path).exists():
        raise UnusableInput(f"ZS_DATA: there is no folder or ZIP {path!r}")
    return {**sources, OWN: Path(path).resolve().name} if path else sources


def source_named(name: str) -> str:
    """Return the source for `zs_bench.dataset.sources` of that name on the page."""
    return str(Path(os.environ["ZS_DATA"]).resolve()) if name == OWN else name


def sources() -> dict[str, str]:
    """Return the sources of examples: name to title."""
    return with_own_data(_SOURCES)


class ChosenExample(NamedTuple):
    """An example: one of `sources()`, a task by its menu's value, and a position."""

    source: str
    task: str
    place: int

    @property
    def example(self) -> Example:
        return find_example(*self)


def _size(split: Loaded) -> int:
    return sum(len(example.input) for example in split.examples)


@cache
def _embedded(task: str) -> Loaded:
    return load_examples("embedded", task_of(task))


# Limited by characters, since a split has up to thirty million. Concurrent requests for a task share one download.
@cached(TTLCache(maxsize=MAX_KEPT, ttl=3_600, getsizeof=_size), condition=Condition())
def from_hub(task: str) -> Loaded:
    """Return the validation examples of a task on the Hub, by its menu's value."""
    return load_examples("hub", task_of(task))


# For a minute only, since the owner may rebuild the folder.
@cached(TTLCache(maxsize=MAX_KEPT, ttl=60, getsizeof=_size), condition=Condition())
def _own(task: str) -> Loaded:
    return load_examples(source_named(OWN), task_of(task))


def loaded(source: str, task: str) -> Loaded:
    """Return the validation examples of a task, by its menu's value, from one of `sources()`.

    Raises:
        UnknownBenchmark, UnknownTask, NoSuchExample: for another task or source.
        SourceUnavailable, UnusableInput: when the Hub cannot be reached, or the owner's data has none of the task.
    """
    if source not in sources():
        raise NoSuchExample(f"no source {source!r:.60}; choose {' or '.join(sources())}")
    return _embedded(task) if source == "embedded" else from_hub(task) if source == "hub" else _own(task)


def embedded_count(task: str) -> int:
    """Return the number of embedded examples of a task, by its menu's value; none where a prompt cannot be split."""
    try:
        return sum(bool(example.parts) for example in _embedded(task).examples)
    except (UnusableInput, PromptFormatError):
        return 0


def find_example(source: str, task: str, index: int) -> Example:
    """Return the example at that index; raises `NoSuchExample`, or as `loaded`."""
    examples = loaded(source, task).examples
    if type(index) is not int or not 0 <= index < len(examples):
        raise NoSuchExample(f"{task} has the examples 0 to {len(examples) - 1}, not {index!r:.20}")
    return examples[index]


def choices(source: str, task: str) -> list[tuple[str, int]]:
    """Return the task's examples for a menu: (title or id, index)."""
    titles = embedded_titles(task_of(task).benchmark)[task_of(task).name] if source == "embedded" else {}
    return [(titles.get(e.id, short(e.id, 28)), i) for i, e in enumerate(loaded(source, task).examples)]


def query_and_options(example: Example) -> tuple[str, list[tuple[str, str]]]:
    """Return the question, "" where there is none, and its options as pairs of label and answer."""
    try:
        query = example.query.strip()
    except PromptFormatError:
        return "", []
    if example.task.choices:
        return query, [(choice, choice) for choice in example.task.choices]
    is_text = example.task.metric.name == "exact_match"
    lines = _OPTION.findall(query) if example.task.options else []
    options = [(f"({letter}) {text}", text if is_text else letter) for letter, text in lines]
    return (query.partition("\n")[0] if options else query), options


def items_to_order(example: Example) -> list[str]:
    """Return the summaries that an answer has to order, by their ids from 1; empty for other tasks."""
    items = _SUMMARY.findall(example.document) if example.task.metric.name == "concordance_index" else []
    return [text.strip() for _, text in items] if [int(i) for i, _ in items] == list(range(1, len(items) + 1)) else []


def sample_answer(source: str, task: str, index: int) -> str:
    """Return the sample answer to an example, else its first reference."""
    example = find_example(source, task, index)
    first = example.references[0] if example.references else ""
    return _sample_answers(task_of(task).benchmark.name).get((task_of(task).name, example.id), first)


@cache
def _sample_answers(benchmark: str) -> dict[tuple[str, str], str]:
    try:
        path = sample_predictions(benchmark)
    except UnusableInput:
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {(row["Task"], row["ID"]): row["Prediction"] for row in csv.DictReader(file)}
