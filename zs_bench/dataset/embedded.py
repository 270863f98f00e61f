"""The examples in the package, written for this project in the benchmark's row format, at least two per task.

They work offline and are the page's first examples; a score on them says nothing about a model. The rows of SCROLLS are
derived from those of ZeroSCROLLS: the same document, query and references, without instruction and headers, and for
QuALITY with the text of the option instead of its letter. Only ContractNLI has rows of its own.
"""

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

from zs_bench.benchmarks import DEFAULT, Benchmark, Task, find_benchmark, find_task
from zs_bench.dataset.rows import Example, read_examples
from zs_bench.errors import UnusableInput
from zs_bench.files.opened_file import Source
from zs_bench.inputs import compose

#: The only split that the embedded examples have.
SPLIT = "validation"

_OPTION = re.compile(r"^ \(([A-D])\) (.+)$", re.MULTILINE)


def sample_predictions(benchmark: object = DEFAULT) -> Path:
    """The sample predictions for the embedded examples, in the official format; `UnusableInput` if there are none."""
    benchmark = find_benchmark(benchmark)
    path = benchmark.file(f"{benchmark.name}_predictions.csv")
    if path is None:
        raise UnusableInput(f"{benchmark.title} has no sample; score files of your own")
    return path


#: Of the default benchmark: the sample, and the folder of its rows, `<task>/validation.jsonl`, also of references.
SAMPLE_PREDICTIONS = sample_predictions()
EMBEDDED = SAMPLE_PREDICTIONS.parent / "examples"


def load_embedded(task: str | Task, *, benchmark: str | Benchmark = DEFAULT) -> list[Example]:
    """The embedded examples of a task; raises `UnusableInput` for one without (QuALITY's hard questions).

    >>> [example.id for example in load_embedded("narrative_qa")]
    ['s4001', 's4002']
    >>> load_embedded("quality", benchmark="scrolls")[1].references
    ['Households are being led to treat the ground beneath them as lastingly their own']
    """
    return list(_read(find_task(task, benchmark=benchmark)))


def embedded_file(task: Task) -> Source:
    """The rows of the task as a file; raises `UnusableInput` for a task without examples."""
    return Source.in_memory(f"{task.name}/{SPLIT}.jsonl", _text(task).encode())


@lru_cache(64)
def embedded_titles(benchmark: object = DEFAULT) -> Mapping[str, Mapping[str, str]]:
    """Short titles of the examples: task to id to title."""
    benchmark = find_benchmark(benchmark)
    path = benchmark.file("titles.json")
    titles = json.loads(path.read_text(encoding="utf-8")) if path else {}
    others = embedded_titles(benchmark.examples_of) if benchmark.examples_of else {}
    return {task: titles.get(task, others.get(task, {})) for task in benchmark.tasks}


def require_data(task: Task) -> None:
    """Raise `UnusableInput`, with what to do instead, for a task that no dataset has examples of."""
    if (why := task.no_data) is not None:
        raise UnusableInput(why)


@cache
def _read(task: Task) -> tuple[Example, ...]:
    return tuple(read_examples(embedded_file(task), task)[0])


def _text(task: Task) -> str:
    require_data(task)
    other = task.benchmark.examples_of
    if path := task.benchmark.file("examples", task.name, f"{SPLIT}.jsonl"):
        return path.read_text(encoding="utf-8")
    if other is None or task.name not in other.tasks:
        raise UnusableInput(f"no examples of {task} are embedded; take another source")
    lines = []
    for example in _read(other.tasks[task.name]):
        text, _ = compose(task, example.document, example.query or None)
        options = dict(_OPTION.findall(example.query)) if task.options else {}
        for pid, reference in zip(example.pids, example.references, strict=True):
            row = {"id": example.id, "pid": pid, "input": text, "output": options.get(reference, reference)}
            lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    return "".join(lines)
